// Steps as a list of cards, whatever a step is made of: numbered, moved by buttons or by Alt and an arrow, removed.
// The textarea that the form came with stays the truth: one step a line.
//
// A widget that extends this calls fill() once it is made, and says
//   read(text)             the steps in a text, each as partsOf() wants it;
//   partsOf(step, values)  the nodes of a card below its heading; what belongs to the step is kept on it;
//   written()              all steps as the form holds them;
//   moved(order)           what follows from a new order (the old numbers), before it is so;
//   follows                the same in words, to be said after a move;
//   removed(step, number, before)  what else is to do when a step went; `before`: what was written until then;
//   renewed(step, number)  what depends on a step's number;
//   drawn()                what is drawn of the steps;
//   goOn(next)             where the focus goes after a removal; `next` is undefined where no step is left.

import { button, element } from "../workbench/elements.js";
import { takeOver } from "../workbench/truth.js";

let cards = 0;

export class StepList {
  constructor(field, page) {
    this.page = page;
    this.element = field;
    const { truth, label } = takeOver(field);
    this.truth = truth;
    this.steps = [];
    this.list = element("ol", { class: "steps", "aria-labelledby": label.id });
    this.follows = "";
  }

  widget() {
    return { marked: this.list, set: (values) => this.fill(values.at(-1) ?? "") };
  }

  fill(text) {
    this.steps = [];
    this.list.replaceChildren();
    for (const values of this.read(text)) this.append(values);
    this.refresh();
  }

  /** Makes a card at the end. The caller refreshes. */
  append(values) {
    const key = `${this.truth.id}-step-${(cards += 1)}`;
    const step = { key };
    step.name = element("h3", { id: `${key}-name` });
    step.up = button("↑", { class: "up" }, () => this.#shift(step, -1));
    step.down = button("↓", { class: "down" }, () => this.#shift(step, 1));
    step.remove = button("Remove", { class: "remove" }, () => this.drop(step));
    step.head = element("div", { class: "step-head" }, step.name, element("div", { class: "tools" }, step.up, step.down, step.remove));
    step.node = element("li", { class: "step card", "aria-labelledby": step.name.id }, step.head);
    step.node.append(...this.partsOf(step, values));
    step.node.addEventListener("keydown", (event) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
      event.preventDefault();
      this.#shift(step, event.key === "ArrowUp" ? -1 : 1, document.activeElement);
    });
    this.steps.push(step);
    this.list.append(step.node);
    return step;
  }

  #shift(step, by, focused) {
    const to = this.steps.indexOf(step) + by;
    if (to < 0 || to >= this.steps.length) return;
    this.move(step, to);
    const tool = by > 0 ? step.down : step.up;
    (focused ?? (tool.disabled ? (by > 0 ? step.up : step.down) : tool)).focus();
  }

  move(step, to) {
    const from = this.steps.indexOf(step);
    const order = this.steps.map((_, place) => place + 1);
    order.splice(to, 0, ...order.splice(from, 1));
    this.#reorder(order);
    this.page.announce(`Step ${from + 1} is now step ${to + 1} of ${this.steps.length}${this.follows}.`);
  }

  drop(step) {
    const number = this.steps.indexOf(step) + 1;
    const before = this.written();
    this.#reorder(this.steps.map((_, place) => place + 1).filter((each) => each !== number));
    this.removed(step, number, before);
    this.page.announce(`Step ${number} removed. ${this.steps.length} left.`);
    this.goOn(this.steps[Math.min(number, this.steps.length) - 1]);
  }

  #reorder(order) {
    this.moved(order);
    this.steps = order.map((number) => this.steps[number - 1]);
    this.list.replaceChildren(...this.steps.map(({ node }) => node));
    this.refresh();
    this.tell();
  }

  /** Something was typed or changed. */
  tell() {
    this.truth.value = this.written();
    this.page.changed();
    this.drawn();
  }

  /** What depends on which steps there are, and in which order. */
  refresh() {
    this.steps.forEach((step, place) => {
      const number = place + 1;
      step.name.textContent = `Step ${number}`;
      step.up.disabled = place === 0;
      step.down.disabled = number === this.steps.length;
      for (const [tool, what] of [[step.up, "move up"], [step.down, "move down"], [step.remove, "remove"]]) {
        tool.setAttribute("aria-label", `Step ${number}: ${what}`);
      }
      this.renewed(step, number);
    });
    this.drawn();
  }

  moved() {}

  removed() {}

  renewed() {}
}
