// Steps of a derivation. A sentence of the articles is chosen, then its head, relation and tail are written, with
// suggestions. The textarea that the form came with stays the truth: one step a line.

import { Combobox } from "../workbench/combobox.js";
import { draw } from "./triplets/graph.js";
import { PARTS, read, write } from "./triplets/lines.js";
import { Sentences } from "./triplets/sentences.js";

const LABELS = { head: "Head", relation: "Relation", tail: "Tail" };
let numbers = 0;

export function mount(element, page) {
  return new Steps(element, page).widget();
}

class Steps {
  constructor(element, page) {
    this.page = page;
    this.element = element;
    this.truth = element.querySelector("textarea");
    this.item = element.closest("[data-item]");
    this.steps = [];
    // The step whose sentence is being chosen anew, if any.
    this.waiting = undefined;
    this.sentences = new Sentences(this.item.querySelector("[data-articles]"), (title, sentence) => this.choose(title, sentence));
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
    this.start = button("Choose a sentence", "", () => this.sentences.focus());
    this.start.id = `${this.truth.id}-start`;
    this.note = document.createElement("p");
    this.note.className = "hint";
    this.note.hidden = true;
    this.note.textContent = "Suggestions are simple ones for now: the language program has not read these articles.";
    const keys = document.createElement("p");
    keys.className = "hint keys";
    keys.textContent = "In the articles, arrow keys go from sentence to sentence, Page Up and Page Down from article to article, and Enter takes one.";
    this.figure = document.createElement("figure");
    this.figure.className = "derivation-graph";
    this.svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.svg.id = `${this.truth.id}-graph`;
    const caption = document.createElement("figcaption");
    caption.textContent = "How your steps hang together";
    this.figure.append(caption, this.svg);
    this.truth.after(this.list, this.start, keys, this.note, this.figure);
    new ResizeObserver(() => this.#draw()).observe(this.element);
  }

  fill(text) {
    this.steps = [];
    this.list.replaceChildren();
    for (const step of read(text)) this.#add(step);
    this.#refresh();
  }

  /** A sentence was taken: a new step, or another sentence for the step that waits for one. */
  choose(title, sentence) {
    let step = this.waiting;
    const last = this.steps.at(-1);
    if (!step && last && PARTS.every((part) => !last.boxes[part].value.trim())) step = last;
    if (step) Object.assign(step, { title, sentence });
    else step = this.#add({ title, sentence, head: "", relation: "", tail: "" });
    this.#wait(undefined);
    this.#refresh();
    this.#tell();
    const place = this.steps.indexOf(step) + 1;
    this.page.announce(`Step ${place}: ${this.sentences.heading(title)}, sentence ${sentence + 1}.`);
    const empty = PARTS.find((part) => !step.boxes[part].value.trim()) ?? "head";
    step.boxes[empty].input.focus({ preventScroll: true });
    step.node.scrollIntoView({ block: "center" });
  }

  #add(values) {
    const step = { title: values.title, sentence: values.sentence, boxes: {} };
    const key = `${this.truth.id}-step-${(numbers += 1)}`;
    step.node = document.createElement("li");
    step.node.className = "step card";
    step.name = document.createElement("h3");
    step.name.id = `${key}-name`;
    step.node.setAttribute("aria-labelledby", step.name.id);
    step.cited = document.createElement("p");
    step.cited.className = "cited";
    step.tools = document.createElement("div");
    step.tools.className = "tools";
    step.up = button("↑", "up", () => this.#shift(step, -1));
    step.down = button("↓", "down", () => this.#shift(step, 1));
    step.recite = button("Other sentence", "other", () => this.#wait(this.waiting === step ? undefined : step, true));
    step.remove = button("Remove", "remove", () => this.#drop(step));
    step.tools.append(step.up, step.down, step.recite, step.remove);
    const parts = document.createElement("div");
    parts.className = "parts";
    PARTS.forEach((part, place) => {
      const box = new Combobox({
        id: `${key}-${part}`,
        label: LABELS[part],
        announce: this.page.announce,
        suggest: (text) => this.#suggest(step, part, text),
        changed: () => this.#tell(),
        done: () => (place < 2 ? step.boxes[PARTS[place + 1]].input : this.start).focus(),
      });
      box.value = values[part];
      step.boxes[part] = box;
      parts.append(box.element);
    });
    step.node.addEventListener("keydown", (event) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
      event.preventDefault();
      this.#shift(step, event.key === "ArrowUp" ? -1 : 1, document.activeElement);
    });
    const head = document.createElement("div");
    head.className = "step-head";
    head.append(step.name, step.tools);
    step.node.append(head, step.cited, parts);
    this.steps.push(step);
    this.list.append(step.node);
    return step;
  }

  #values() {
    return this.steps.map(({ title, sentence, boxes }) => ({
      title,
      sentence,
      ...Object.fromEntries(PARTS.map((part) => [part, boxes[part].value])),
    }));
  }

  async #suggest(step, part, typed) {
    const used = this.steps.flatMap((other) => (other === step ? [] : [other.boxes.head.value, other.boxes.tail.value])).filter(Boolean);
    const [item, field] = this.element.dataset.field.split(".");
    const query = new URLSearchParams({ item, field, part, typed, title: step.title, sentence: String(step.sentence), used: used.join("\n").slice(0, 900) });
    const { status, body } = await this.page.server.send(`suggest?${query}`);
    if (status !== 200) return [];
    this.note.hidden = body.with_model;
    return body.suggestions;
  }

  #shift(step, by, focused) {
    const from = this.steps.indexOf(step);
    const to = from + by;
    if (to < 0 || to >= this.steps.length) return;
    this.steps.splice(from, 1);
    this.steps.splice(to, 0, step);
    const other = this.steps[to + (by > 0 ? -1 : 1)].node;
    if (by > 0) other.after(step.node);
    else other.before(step.node);
    this.#refresh();
    this.#tell();
    this.page.announce(`Moved to place ${to + 1} of ${this.steps.length}.`);
    const tool = by > 0 ? step.down : step.up;
    (focused ?? (tool.disabled ? (by > 0 ? step.up : step.down) : tool)).focus();
  }

  #drop(step) {
    const place = this.steps.indexOf(step);
    this.steps.splice(place, 1);
    step.node.remove();
    if (this.waiting === step) this.#wait(undefined);
    this.#refresh();
    this.#tell();
    this.page.announce(`Step ${place + 1} removed. ${this.steps.length} left.`);
    const next = this.steps[Math.min(place, this.steps.length - 1)];
    (next?.remove ?? this.start).focus();
  }

  #wait(step, go = false) {
    this.waiting = step;
    for (const each of this.steps) each.recite.textContent = each === step ? "Keep the sentence" : "Other sentence";
    this.item.classList.toggle("choosing", Boolean(step));
    if (step && go) {
      this.page.announce("Choose the other sentence in the articles.");
      this.sentences.focus(step.title, step.sentence);
    }
  }

  #tell() {
    this.truth.value = write(this.#values());
    this.page.changed();
    this.#draw();
  }

  /** What depends on which steps there are, and in which order. */
  #refresh() {
    this.steps.forEach((step, place) => {
      step.name.textContent = `Step ${place + 1}`;
      step.up.disabled = place === 0;
      step.down.disabled = place === this.steps.length - 1;
      for (const [tool, what] of [[step.up, "move up"], [step.down, "move down"], [step.remove, "remove"]]) tool.setAttribute("aria-label", `Step ${place + 1}: ${what}`);
      const said = this.sentences.text(step.title, step.sentence);
      const source = document.createElement("b");
      source.textContent = said ? `${this.sentences.heading(step.title)}, ${step.sentence + 1}: ` : "No sentence chosen";
      step.cited.replaceChildren(source, said);
    });
    this.list.hidden = !this.steps.length;
    this.start.textContent = this.steps.length ? "Choose another sentence" : "Choose a sentence";
    this.sentences.markUsed(this.steps);
    this.#draw();
  }

  #draw() {
    const drawn = this.#values().filter((step) => PARTS.some((part) => step[part].trim()));
    this.figure.hidden = !drawn.length;
    if (drawn.length) draw(this.svg, drawn, Math.max(240, Math.floor(this.element.clientWidth) - 26));
  }
}

function button(text, kind, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  if (kind) made.className = kind;
  made.addEventListener("click", act);
  return made;
}
