// An answer to each step, beside its paragraphs; later steps show the answers that they refer to. The textarea that
// the form came with stays the truth: one step a line, `2: 4.4 metres`, or `2: ?` and what is missing.

import { read, write } from "./stepanswers/lines.js";

export function mount(element, page) {
  return new StepAnswers(element, page).widget();
}

class StepAnswers {
  constructor(element, page) {
    this.page = page;
    this.element = element;
    this.truth = element.querySelector("textarea");
    this.#hideTruth();
    this.steps = [...element.querySelectorAll("[data-step]")].map((node) => this.#build(node));
    this.references = [...element.querySelectorAll("a.reference")].map((link) => this.#ownAnswer(link));
    this.list = element.querySelector("ol");
    this.fill(this.truth.value);
  }

  widget() {
    return {
      marked: this.list,
      set: (values) => this.fill(values.at(-1) ?? ""),
      isComplete: () => this.steps.every((step) => step.cannot.checked || this.#answer(step)),
    };
  }

  #hideTruth() {
    const label = this.element.querySelector("label");
    this.element.querySelector("[data-plain]").remove();
    this.truth.hidden = true;
    this.truth.removeAttribute("aria-describedby");
    label.removeAttribute("for");
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-labelledby", label.id);
  }

  #build(node) {
    const number = Number(node.dataset.step);
    const key = `${this.truth.id}-answer-${number}`;
    const step = { number, isLast: "last" in node.dataset, findings: document.createElement("div") };
    step.findings.className = "findings";
    step.findings.id = `${key}-findings`;
    step.findings.dataset.findings = `${this.element.dataset.field}.${number}`;
    step.findings.setAttribute("aria-live", "polite");
    step.label = document.createElement("label");
    step.label.htmlFor = key;
    step.input = document.createElement("input");
    Object.assign(step.input, { id: key, type: "text", autocomplete: "off", maxLength: 300 });
    step.input.setAttribute("aria-describedby", step.findings.id);
    step.text = document.createElement("div");
    step.text.className = "answer-text";
    step.text.append(step.label, step.input);
    const answers = document.createElement("div");
    answers.className = "answers-step";
    if (step.isLast) answers.append(this.#choices(step, key), step.text);
    else answers.append(step.text, this.#mark(step, key));
    answers.append(step.findings);
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
    step.cannot = document.createElement("input");
    Object.assign(step.cannot, { type: "checkbox", id: `${key}-cannot` });
    return option(step.cannot, "The paragraphs don’t say");
  }

  #choices(step, key) {
    const group = document.createElement("div");
    group.className = "answer-choices";
    group.setAttribute("role", "radiogroup");
    group.setAttribute("aria-label", `Answer of step ${step.number}`);
    for (const [name, said] of [["yes", "Yes"], ["no", "No"], ["cannot", "The paragraphs don’t say"]]) {
      step[name] = document.createElement("input");
      Object.assign(step[name], { type: "radio", name: `${key}-choice`, value: name });
      step[name].setAttribute("aria-describedby", step.findings.id);
      group.append(option(step[name], said));
    }
    return group;
  }

  #ownAnswer(link) {
    const number = Number(link.hash.match(/-step-([0-9]+)$/)[1]);
    const shown = document.createElement("span");
    shown.className = "own-answer";
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
        step.yes.checked = !cannot && answer === "yes";
        step.no.checked = !cannot && answer === "no";
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

function option(input, text) {
  const label = document.createElement("label");
  label.className = "option";
  const said = document.createElement("span");
  said.textContent = text;
  label.append(input, said);
  return label;
}
