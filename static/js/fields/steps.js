// Steps of a decomposition: each a question that refers to earlier answers as #1, #2, …, and the title of a page.

import { Combobox } from "../workbench/combobox.js";
import { Corpus } from "../workbench/corpus.js";
import { button, element } from "../workbench/elements.js";
import { grow } from "../workbench/growing.js";
import { StepList } from "./steplist.js";
import { renumbered } from "./steps/decomposition.js";
import { makeDraggable } from "./steps/dragging.js";
import { draw } from "./steps/graph.js";
import { read, write } from "./steps/lines.js";
import { make } from "./svg.js";

const EMPTY = { text: "", page: "" };

export function mount(field, page) {
  return new Steps(field, page).widget();
}

class Steps extends StepList {
  constructor(field, page) {
    super(field, page);
    this.follows = "; references follow";
    this.corpus = new Corpus(page.server);
    this.hasTitles = true;
    makeDraggable(this.list, (from, to) => this.move(this.steps[from], to));
    this.#build();
    this.fill(this.truth.value);
  }

  #build() {
    const more = button("Add a step", { class: "add", id: `${this.truth.id}-more` }, () => this.#add());
    this.undo = element("p", { class: "undo-line", hidden: true });
    this.empty = element("p", { class: "soft" }, "Your steps appear here as you write them.");
    this.svg = make("svg", { id: `${this.truth.id}-graph` });
    this.figure = element("figure", { class: "steps-graph" }, element("figcaption", {}, "Which answer is used where"), this.empty, this.svg);
    const side = element("div", { class: "steps-side" }, this.list, this.undo, more);
    this.truth.after(element("div", { class: "steps-layout" }, side, this.figure));
    new ResizeObserver(() => this.drawn()).observe(this.figure);
  }

  fill(text) {
    super.fill(text);
    this.undo.hidden = true;
  }

  /** One that is empty, where there is none. */
  read(text) {
    const found = read(text);
    return found.length ? found : [EMPTY];
  }

  partsOf(step, values) {
    step.head.prepend(element("span", { class: "handle", "data-handle": true, title: "Drag to move this step", "aria-hidden": "true" }, "⠿"));
    step.findings = element("div", { class: "findings", id: `${step.key}-findings`, "aria-live": "polite" });
    return [element("div", { class: "parts" }, this.#textOf(step, values.text), this.#pageOf(step, values.page)), step.findings];
  }

  #textOf(step, text) {
    const id = `${step.key}-text`;
    step.text = element("textarea", { id, rows: 1, maxlength: 600, spellcheck: "true", "aria-describedby": step.findings.id });
    step.text.value = text;
    step.text.addEventListener("input", (event) => {
      event.stopPropagation();
      if (/[\r\n]/.test(step.text.value)) step.text.value = step.text.value.replace(/[\r\n]+/g, " ");
      grow(step.text);
      this.tell();
    });
    step.text.addEventListener("change", (event) => event.stopPropagation());
    step.text.addEventListener("keydown", (event) => this.#press(event, step));
    step.insert = element("div", { class: "insert" });
    return element("div", { class: "part" }, element("label", { for: id }, "Question"), step.text, step.insert);
  }

  #pageOf(step, page) {
    step.page = new Combobox({
      id: `${step.key}-page`,
      label: "Wikipedia page",
      announce: this.page.announce,
      suggest: (typed) => this.#titles(typed),
      changed: () => this.tell(),
      done: () => this.#next(step),
    });
    step.page.value = page;
    step.page.input.setAttribute("aria-describedby", step.findings.id);
    return step.page.element;
  }

  #press(event, step) {
    if (event.isComposing || event.ctrlKey || event.metaKey) return;
    const digit = event.code.match(/^(?:Digit|Numpad)([0-9])$/)?.[1];
    // Where Alt and 3 type the sign itself (Apple's British keys), they do.
    if (event.altKey && digit && !event.shiftKey && event.key !== "#") {
      event.preventDefault();
      this.#insert(step, Number(digit) || 10);
    } else if (event.altKey) {
      return;
    } else if (event.key === "Enter") {
      event.preventDefault();
      step.page.input.focus();
    } else if (event.key === "Backspace" && !event.repeat && this.steps.length > 1 && !step.text.value && !step.page.value) {
      event.preventDefault();
      const place = this.steps.indexOf(step);
      this.drop(step);
      this.steps[Math.max(0, place - 1)].text.focus();
    }
  }

  /** Puts the answer of a step into the text of a later one, where the caret is. */
  #insert(step, number) {
    if (number > this.steps.indexOf(step)) {
      this.page.announce(`Step ${number} is no earlier step.`);
      return;
    }
    const { value, selectionStart: start, selectionEnd: end } = step.text;
    const before = start && !/[\s(“"'‘]$/.test(value.slice(0, start)) ? " " : "";
    const after = /^[\p{L}\p{N}]/u.test(value.slice(end)) ? " " : "";
    step.text.setRangeText(`${before}#${number}${after}`, start, end, "end");
    step.text.focus();
    grow(step.text);
    this.tell();
    this.page.announce(`Put in: answer of step ${number}.`);
  }

  async #titles(typed) {
    if (!this.hasTitles || typed.trim().length < 2) return [];
    const found = await this.corpus.titles(typed.trim());
    // A project without a corpus has no titles to offer; then a title is free text.
    if (found?.status === 404) this.hasTitles = false;
    return (found?.titles ?? []).map((title) => [title, ""]);
  }

  #next(step) {
    const next = this.steps[this.steps.indexOf(step) + 1];
    if (next) next.text.focus();
    else this.#add();
  }

  #add() {
    const last = this.steps.at(-1);
    // One that is still empty is there to be filled first.
    const step = last && isEmpty(last) ? last : this.append(EMPTY);
    this.refresh();
    this.tell();
    step.text.focus();
  }

  /** References follow: whoever said #2 says #1 where the second step has become the first. */
  moved(order) {
    const texts = renumbered(this.steps.map(({ text }) => text.value), order);
    order.forEach((number, place) => (this.steps[number - 1].text.value = texts[place]));
  }

  removed(step, number, before) {
    if (!this.steps.length) this.#add();
    if (!isEmpty(step)) this.#offerUndo(number, before);
  }

  #offerUndo(number, before) {
    const undo = button("Undo", {}, () => {
      this.fill(before);
      this.tell();
      this.page.announce(`Step ${number} is back.`);
      this.steps[number - 1]?.text.focus();
    });
    this.undo.replaceChildren(`Step ${number} is removed. `, undo);
    this.undo.hidden = false;
  }

  goOn(next) {
    next.text.focus();
  }

  written() {
    return write(this.steps.map(({ text, page }) => ({ text: text.value, page: page.value })));
  }

  tell() {
    this.undo.hidden = true;
    super.tell();
  }

  renewed(step, number) {
    this.#offerReferences(step, number - 1);
    step.node.dataset.part = number;
    const findings = `${this.element.dataset.field}.${number}`;
    // What was said of another step's place is not said of this one.
    if (step.findings.dataset.findings !== findings) {
      step.findings.replaceChildren();
      step.text.removeAttribute("aria-invalid");
    }
    step.findings.dataset.findings = findings;
    grow(step.text);
  }

  /** Buttons for the answers of so many earlier steps. */
  #offerReferences(step, earlier) {
    step.insert.hidden = !earlier;
    if (step.insert.childElementCount === earlier + 1) return;
    const buttons = Array.from({ length: earlier }, (_, each) => {
      const label = `Put in the answer of step ${each + 1}`;
      // By keyboard one types #1, or Alt and 1: no stop of the Tab key for each.
      const made = button(`#${each + 1}`, { "aria-label": label, tabindex: -1 }, () => this.#insert(step, each + 1));
      // The caret stays where it is.
      made.addEventListener("pointerdown", (event) => event.preventDefault());
      return made;
    });
    step.insert.replaceChildren(element("span", {}, "Put in the answer of"), ...buttons);
  }

  drawn() {
    const texts = this.steps.map(({ text }) => text.value);
    const drawn = texts.slice(0, texts.findLastIndex((text) => text.trim()) + 1);
    this.empty.hidden = drawn.length > 0;
    this.svg.toggleAttribute("hidden", !drawn.length);
    if (drawn.length) draw(this.svg, drawn, Math.max(220, Math.floor(this.figure.clientWidth) - 26));
  }
}

const isEmpty = ({ text, page }) => !text.value.trim() && !page.value.trim();
