// Steps of a decomposition: each a question that refers to earlier answers as #1, #2, …, and the title of a page.
// The textarea that the form came with stays the truth: one step a line.

import { Combobox } from "../workbench/combobox.js";
import { Corpus } from "../workbench/corpus.js";
import { renumbered } from "./steps/decomposition.js";
import { makeDraggable } from "./steps/dragging.js";
import { draw } from "./steps/graph.js";
import { read, write } from "./steps/lines.js";

let keys = 0;

export function mount(element, page) {
  return new Steps(element, page).widget();
}

class Steps {
  constructor(element, page) {
    this.page = page;
    this.element = element;
    this.truth = element.querySelector("textarea");
    this.steps = [];
    this.corpus = new Corpus(page.server);
    this.hasTitles = true;
    this.#build();
    this.fill(this.truth.value);
  }

  widget() {
    return { marked: this.list, set: (values) => this.fill(values.at(-1) ?? "") };
  }

  #build() {
    const label = this.element.querySelector("label");
    this.element.querySelector("[data-plain]").remove();
    this.truth.hidden = true;
    this.truth.removeAttribute("aria-describedby");
    label.removeAttribute("for");
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-labelledby", label.id);
    this.list = document.createElement("ol");
    this.list.className = "steps";
    this.list.setAttribute("aria-labelledby", label.id);
    makeDraggable(this.list, (from, to) => this.#move(this.steps[from], to));
    this.more = button("Add a step", "add", () => this.#add({ text: "", page: "" }, true));
    this.more.id = `${this.truth.id}-more`;
    this.undo = document.createElement("p");
    this.undo.className = "undo-line";
    this.undo.hidden = true;
    this.figure = document.createElement("figure");
    this.figure.className = "steps-graph";
    const caption = document.createElement("figcaption");
    caption.textContent = "Which answer is used where";
    this.svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.svg.id = `${this.truth.id}-graph`;
    this.empty = document.createElement("p");
    this.empty.className = "soft";
    this.empty.textContent = "Your steps appear here as you write them.";
    this.figure.append(caption, this.empty, this.svg);
    const side = document.createElement("div");
    side.className = "steps-side";
    side.append(this.list, this.undo, this.more);
    const layout = document.createElement("div");
    layout.className = "steps-layout";
    layout.append(side, this.figure);
    this.truth.after(layout);
    new ResizeObserver(() => this.#draw()).observe(this.figure);
  }

  fill(text) {
    this.steps = [];
    this.list.replaceChildren();
    const found = read(text);
    for (const step of found.length ? found : [{ text: "", page: "" }]) this.#append(step);
    this.undo.hidden = true;
    this.#refresh();
  }

  #append(values) {
    const key = `${this.truth.id}-step-${(keys += 1)}`;
    const step = { key, node: document.createElement("li") };
    step.node.className = "step card";
    step.name = document.createElement("h3");
    step.name.id = `${key}-name`;
    step.node.setAttribute("aria-labelledby", step.name.id);
    const handle = document.createElement("span");
    handle.className = "handle";
    handle.dataset.handle = "";
    handle.title = "Drag to move this step";
    handle.setAttribute("aria-hidden", "true");
    handle.textContent = "⠿";
    const tools = document.createElement("div");
    tools.className = "tools";
    step.up = button("↑", "up", () => this.#shift(step, -1));
    step.down = button("↓", "down", () => this.#shift(step, 1));
    step.remove = button("Remove", "remove", () => this.#drop(step));
    tools.append(step.up, step.down, step.remove);
    const head = document.createElement("div");
    head.className = "step-head";
    head.append(handle, step.name, tools);
    step.findings = document.createElement("div");
    step.findings.className = "findings";
    step.findings.id = `${key}-findings`;
    step.findings.setAttribute("aria-live", "polite");
    const parts = document.createElement("div");
    parts.className = "parts";
    parts.append(this.#textOf(step, values.text), this.#pageOf(step, values.page));
    step.node.append(head, parts, step.findings);
    step.node.addEventListener("keydown", (event) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
      event.preventDefault();
      this.#shift(step, event.key === "ArrowUp" ? -1 : 1, document.activeElement);
    });
    this.steps.push(step);
    this.list.append(step.node);
    return step;
  }

  #textOf(step, text) {
    const box = document.createElement("div");
    box.className = "part";
    const label = document.createElement("label");
    label.htmlFor = `${step.key}-text`;
    label.textContent = "Question";
    step.text = document.createElement("textarea");
    Object.assign(step.text, { id: `${step.key}-text`, rows: 1, value: text, maxLength: 600, spellcheck: true });
    step.text.setAttribute("aria-describedby", step.findings.id);
    step.text.addEventListener("input", (event) => {
      event.stopPropagation();
      if (/[\r\n]/.test(step.text.value)) step.text.value = step.text.value.replace(/[\r\n]+/g, " ");
      grow(step.text);
      this.#tell();
    });
    step.text.addEventListener("change", (event) => event.stopPropagation());
    step.text.addEventListener("keydown", (event) => this.#press(event, step));
    step.insert = document.createElement("div");
    step.insert.className = "insert";
    box.append(label, step.text, step.insert);
    return box;
  }

  #pageOf(step, page) {
    step.page = new Combobox({
      id: `${step.key}-page`,
      label: "Wikipedia page",
      announce: this.page.announce,
      suggest: (typed) => this.#titles(typed),
      changed: () => this.#tell(),
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
      this.#drop(step);
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
    this.#tell();
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
    else this.#add({ text: "", page: "" }, true);
  }

  #add(values) {
    const last = this.steps.at(-1);
    // One that is still empty is there to be filled first.
    const step = last && !last.text.value.trim() && !last.page.value.trim() ? last : this.#append(values);
    this.#refresh();
    this.#tell();
    step.text.focus();
  }

  #shift(step, by, focused) {
    const to = this.steps.indexOf(step) + by;
    if (to < 0 || to >= this.steps.length) return;
    this.#move(step, to);
    const tool = by > 0 ? step.down : step.up;
    (focused ?? (tool.disabled ? (by > 0 ? step.up : step.down) : tool)).focus();
  }

  /** References follow: whoever said #2 says #1 where the second step has become the first. */
  #move(step, to) {
    const from = this.steps.indexOf(step);
    const order = this.steps.map((_, place) => place + 1);
    order.splice(to, 0, ...order.splice(from, 1));
    this.#reorder(order);
    this.page.announce(`Step ${from + 1} is now step ${to + 1} of ${this.steps.length}; references follow.`);
  }

  #reorder(order) {
    const texts = renumbered(this.steps.map(({ text }) => text.value), order);
    this.steps = order.map((number) => this.steps[number - 1]);
    this.steps.forEach((step, place) => (step.text.value = texts[place]));
    this.list.append(...this.steps.map(({ node }) => node));
    this.#refresh();
    this.#tell();
  }

  #drop(step) {
    const place = this.steps.indexOf(step);
    const before = this.#written();
    const wasFilled = step.text.value.trim() || step.page.value.trim();
    step.node.remove();
    this.#reorder(this.steps.map((_, each) => each + 1).filter((number) => number !== place + 1));
    if (!this.steps.length) this.#add({ text: "", page: "" });
    if (wasFilled) this.#offerUndo(place + 1, before);
    this.page.announce(`Step ${place + 1} removed. ${this.steps.length} left.`);
    const next = this.steps[Math.min(place, this.steps.length - 1)];
    next.text.focus();
  }

  #offerUndo(number, before) {
    this.undo.replaceChildren(`Step ${number} is removed. `, button("Undo", "", () => {
      this.fill(before);
      this.#tell();
      this.page.announce(`Step ${number} is back.`);
      this.steps[number - 1]?.text.focus();
    }));
    this.undo.hidden = false;
  }

  #written() {
    return write(this.steps.map(({ text, page }) => ({ text: text.value, page: page.value })));
  }

  #tell() {
    this.truth.value = this.#written();
    this.undo.hidden = true;
    this.page.changed();
    this.#draw();
  }

  /** What depends on which steps there are, and in which order. */
  #refresh() {
    this.steps.forEach((step, place) => {
      const number = place + 1;
      step.node.dataset.part = number;
      step.name.textContent = `Step ${number}`;
      step.up.disabled = place === 0;
      step.down.disabled = place === this.steps.length - 1;
      for (const [tool, what] of [[step.up, "move up"], [step.down, "move down"], [step.remove, "remove"]]) tool.setAttribute("aria-label", `Step ${number}: ${what}`);
      this.#offerReferences(step, place);
      const findings = `${this.element.dataset.field}.${number}`;
      // What was said of another step's place is not said of this one.
      if (step.findings.dataset.findings !== findings) {
        step.findings.replaceChildren();
        step.text.removeAttribute("aria-invalid");
      }
      step.findings.dataset.findings = findings;
      grow(step.text);
    });
    this.#draw();
  }

  #offerReferences(step, place) {
    step.insert.hidden = !place;
    if (step.insert.childElementCount === place + 1) return;
    const label = document.createElement("span");
    label.textContent = "Put in the answer of";
    const buttons = Array.from({ length: place }, (_, each) => {
      const made = button(`#${each + 1}`, "", () => this.#insert(step, each + 1));
      made.setAttribute("aria-label", `Put in the answer of step ${each + 1}`);
      // By keyboard one types #1, or Alt and 1: no stop of the Tab key for each.
      made.tabIndex = -1;
      // The caret stays where it is.
      made.addEventListener("pointerdown", (event) => event.preventDefault());
      return made;
    });
    step.insert.replaceChildren(label, ...buttons);
  }

  #draw() {
    const texts = this.steps.map(({ text }) => text.value);
    const drawn = texts.slice(0, texts.findLastIndex((text) => text.trim()) + 1);
    this.empty.hidden = drawn.length > 0;
    this.svg.toggleAttribute("hidden", !drawn.length);
    if (drawn.length) draw(this.svg, drawn, Math.max(220, Math.floor(this.figure.clientWidth) - 26));
  }
}

function grow(control) {
  control.style.height = "auto";
  control.style.height = `${control.scrollHeight + 2}px`;
}

function button(text, kind, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  if (kind) made.className = kind;
  made.addEventListener("click", act);
  return made;
}
