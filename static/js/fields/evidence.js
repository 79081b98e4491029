// Evidence for the steps of a decomposition: paragraphs are searched for, and dragged or given to steps by button or key.
// The textarea that the form came with stays the truth: a step a line, with the ids of its paragraphs and its marks.

import { button, element } from "../workbench/elements.js";
import { takeOver } from "../workbench/truth.js";
import { Library } from "./evidence/library.js";
import { read, saysSomething, write } from "./evidence/lines.js";
import { nameOf } from "./evidence/names.js";
import { PageDialog } from "./evidence/page.js";
import { Search } from "./evidence/search.js";
import { StepCard } from "./evidence/steps.js";

const MOST_UNDONE = 100;

export function mount(node, page) {
  return new Matching(node, page).widget();
}

class Matching {
  constructor(node, page) {
    this.page = page;
    this.element = node;
    this.truth = takeOver(node).truth;
    this.key = this.truth.id;
    this.library = new Library(page.server);
    this.current = 0;
    this.past = [];
    this.#build();
    this.fill(this.truth.value);
  }

  widget() {
    return {
      marked: this.list,
      set: (values) => this.fill(values.at(-1) ?? ""),
      // More is asked for than that something was typed: each step wants a word.
      isComplete: () => this.matched.every(saysSomething),
    };
  }

  #build() {
    const findings = this.element.querySelector("[data-findings]");
    this.list = this.element.querySelector("[data-steps]");
    this.steps = [...this.list.children].map((entry, place) => new StepCard(this, entry, place));
    this.left = element("p", { class: "soft" });
    this.undo = button("Undo", { class: "quiet", "aria-keyshortcuts": "Control+Z" }, () => this.goBack());
    const head = element("div", { class: "collected-head" }, this.left, this.undo);
    const collected = element("section", { class: "collected", "aria-label": "Steps and what was found for them" }, head);
    collected.append(this.list, findings);
    this.search = new Search(this);
    this.dialog = new PageDialog(this);
    this.truth.after(element("div", { class: "matching" }, collected, this.search.element), this.dialog.element);
    this.element.classList.add("at-work");
    this.element.closest("[data-item]").addEventListener("keydown", (event) => this.#press(event));
  }

  fill(text) {
    this.matched = read(text, this.steps.length);
    this.past = [];
    this.refresh();
    this.#learn();
  }

  /** What was collected before this visit is fetched by its ids, so that drafts stay small. */
  async #learn() {
    const ids = this.matched.flatMap(({ paragraphs }) => paragraphs);
    if (ids.every((id) => this.library.paragraph(id))) return;
    this.isLearning = true;
    this.refresh();
    this.isAway = !(await this.library.learn(ids));
    this.isLearning = false;
    this.refresh();
  }

  saidOfUnknown() {
    if (this.isLearning) return "Fetching its text …";
    return this.isAway ? "Its text can’t be fetched just now. It is kept." : "The collection has no paragraph of this name.";
  }

  uses(step, id) {
    return this.matched[step].paragraphs.includes(id);
  }

  isFilled(step) {
    return saysSomething(this.matched[step]);
  }

  // --- What a worker does ---

  pick(step, { search = false } = {}) {
    if (!this.steps[step]) return;
    this.current = step;
    this.refresh();
    this.page.announce(`Step ${step + 1} chosen: ${this.steps[step].text}`);
    if (search) this.search.focus();
  }

  toggle(step, id) {
    if (this.uses(step, id)) this.#without(step, id);
    else this.give(step, id);
  }

  give(step, id) {
    if (this.uses(step, id)) {
      this.page.announce(`Step ${step + 1} has ${nameOf(id)} already.`);
      return;
    }
    const { paragraphs } = this.matched[step];
    this.#change(step, { paragraphs: [...paragraphs, id] }, `${nameOf(id)} given to step ${step + 1}, ${paragraphs.length + 1} in all.`);
    if (!this.library.paragraph(id)) this.#learn();
  }

  /** Removed where it lies: the focus stays in its step. */
  take(step, id) {
    const place = this.matched[step].paragraphs.indexOf(id);
    this.#without(step, id);
    this.steps[step].focusNear(place);
  }

  #without(step, id) {
    const paragraphs = this.matched[step].paragraphs.filter((each) => each !== id);
    this.#change(step, { paragraphs }, `${nameOf(id)} taken from step ${step + 1}, ${paragraphs.length} left.`);
  }

  mark(step, name, isOn) {
    const word = name === "isOperation" ? "an operation" : "with only partial or no evidence";
    this.#change(step, { [name]: isOn }, `Step ${step + 1} is ${isOn ? "" : "no longer "}marked as ${word}.`);
  }

  goBack() {
    const last = this.past.pop();
    if (!last) return;
    this.matched = last.matched;
    this.#tell();
    this.page.announce(`Undone: ${last.said}`);
    if (this.undo.disabled && document.activeElement === document.body) this.steps[this.current].pick.focus();
  }

  openPage(title, id) {
    this.dialog.open(title, id);
  }

  #change(step, news, said) {
    this.past = [...this.past.slice(1 - MOST_UNDONE), { matched: this.matched, said }];
    this.matched = this.matched.map((each, place) => (place === step ? { ...each, ...news } : each));
    this.#tell();
    this.page.announce(said);
  }

  #tell() {
    this.truth.value = write(this.matched);
    this.refresh();
    this.page.changed();
  }

  refresh() {
    this.steps.forEach((step, place) => step.refresh(this.matched[place]));
    const filled = this.steps.filter((_, place) => this.isFilled(place)).length;
    this.left.textContent = `${filled} of ${this.steps.length} steps done`;
    this.undo.disabled = !this.past.length;
    this.search.refresh();
    this.dialog.refresh();
  }

  #press(event) {
    if (event.isComposing || event.shiftKey) return;
    const step = event.altKey && !event.ctrlKey && !event.metaKey && event.code.match(/^(?:Digit|Numpad)([1-9])$/)?.[1];
    if (step && this.steps[step - 1]) {
      event.preventDefault();
      this.pick(step - 1);
    } else if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "z" && !isTypedInto(event.target)) {
      event.preventDefault();
      this.goBack();
    }
  }
}

const isTypedInto = (node) => node.matches("textarea, input:not([type='checkbox'], [type='radio'])");
