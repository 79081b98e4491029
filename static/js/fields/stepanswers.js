// An answer to each step, beside its paragraphs; later steps show the answers that they refer to. The textarea that
// the form came with stays the truth: one step a line, `2: 4.4 metres`, or `2: ?` and what is missing.

import { element } from "../workbench/elements.js";
import { takeOver } from "../workbench/truth.js";
import { read, write } from "./stepanswers/lines.js";

export function mount(field, page) {
  return new StepAnswers(field, page).widget();
}

class StepAnswers {
  constructor(field, page) {
    this.page = page;
    this.element = field;
    this.truth = takeOver(field).truth;
    this.steps = [...field.querySelectorAll("[data-step]")].map((node) => this.#build(node));
    this.references = [...field.querySelectorAll("a.reference")].map((link) => this.#ownAnswer(link));
    this.list = field.querySelector("ol");
    this.fill(this.truth.value);
  }

  widget() {
    return {
      marked: this.list,
      set: (values) => this.fill(values.at(-1) ?? ""),
      isComplete: () => this.steps.every((step) => step.cannot.checked || this.#answer(step)),
    };
  }

  #build(node) {
    const number = Number(node.dataset.step);
    const key = `${this.truth.id}-answer-${number}`;
    const step = { number, isLast: "last" in node.dataset };
    step.findings = element("div", {
      class: "findings",
      id: `${key}-findings`,
      "data-findings": `${this.element.dataset.field}.${number}`,
      "aria-live": "polite",
    });
    step.label = element("label", { for: key });
    step.input = element("input", { id: key, type: "text", autocomplete: "off", maxlength: 300, "aria-describedby": step.findings.id });
    step.text = element("div", { class: "answer-text" }, step.label, step.input);
    const parts = step.isLast ? [this.#choices(step, key), step.text] : [step.text, this.#mark(step, key)];
    const answers = element("div", { class: "answers-step" }, ...parts, step.findings);
    node.append(answers);
    for (const kind of ["input", "change"]) {
      answers.addEventListener(kind, (event) => {
        event.stopPropagation();
        this.#tell();
      });
    }
    step.input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const next = this.steps[number];
      next?.isLast ? next.yes.focus() : next?.input.focus();
    });
    return step;
  }

  /** "The paragraphs don't say", for a step that is answered in words. */
  #mark(step, key) {
    step.cannot = element("input", { type: "checkbox", id: `${key}-cannot` });
    return option(step.cannot, "The paragraphs don’t say");
  }

  #choices(step, key) {
    const group = element("div", { class: "answer-choices", role: "radiogroup", "aria-label": `Answer of step ${step.number}` });
    for (const [name, said] of [["yes", "Yes"], ["no", "No"], ["cannot", "The paragraphs don’t say"]]) {
      step[name] = element("input", { type: "radio", name: `${key}-choice`, value: name, "aria-describedby": step.findings.id });
      group.append(option(step[name], said));
    }
    return group;
  }

  #ownAnswer(link) {
    const number = Number(link.hash.match(/-step-([0-9]+)$/)[1]);
    const shown = element("span", { class: "own-answer" });
    link.after(shown);
    return { number, shown };
  }

  #answer(step) {
    if (!step.isLast || step.cannot.checked) return step.input.value.trim();
    return step.yes.checked ? "yes" : step.no.checked ? "no" : "";
  }

  fill(text) {
    const answers = read(text);
    for (const step of this.steps) {
      const { answer, cannot } = answers[step.number - 1] ?? { answer: "", cannot: false };
      step.cannot.checked = cannot;
      step.input.value = step.isLast && !cannot ? "" : answer;
      if (step.isLast) {
        // A plain form may have said "Yes".
        const said = cannot ? "" : answer.toLowerCase();
        step.yes.checked = said === "yes";
        step.no.checked = said === "no";
      }
    }
    this.#show();
  }

  #tell() {
    this.truth.value = write(this.steps.map((step) => ({ answer: this.#answer(step), cannot: step.cannot.checked })));
    this.#show();
    this.page.changed();
  }

  #show() {
    for (const step of this.steps) {
      const { checked } = step.cannot;
      const label = checked ? "What is missing? (optional)" : `Answer of step ${step.number}`;
      if (step.label.textContent !== label) step.label.textContent = label;
      step.text.hidden = step.isLast && !checked;
    }
    for (const { number, shown } of this.references) {
      const step = this.steps[number - 1];
      const said = step.cannot.checked ? "not in the paragraphs" : this.#answer(step) || "not answered yet";
      if (shown.textContent !== said) shown.textContent = said;
      shown.classList.toggle("open", step.cannot.checked || !this.#answer(step));
    }
  }
}

const option = (input, text) => element("label", { class: "option" }, input, element("span", {}, text));
