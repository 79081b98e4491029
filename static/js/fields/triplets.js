// Steps of a derivation. A sentence of the articles is chosen, then its head, relation and tail are written, with
// suggestions.

import { Combobox } from "../workbench/combobox.js";
import { button, element } from "../workbench/elements.js";
import { StepList } from "./steplist.js";
import { make } from "./svg.js";
import { draw } from "./triplets/graph.js";
import { PARTS, read, write } from "./triplets/lines.js";
import { Sentences } from "./triplets/sentences.js";

const LABELS = { head: "Head", relation: "Relation", tail: "Tail" };

export function mount(field, page) {
  return new Triplets(field, page).widget();
}

class Triplets extends StepList {
  constructor(field, page) {
    super(field, page);
    this.item = field.closest("[data-item]");
    // The step whose sentence is being chosen anew, if any.
    this.waiting = undefined;
    this.sentences = new Sentences(this.item.querySelector("[data-articles]"), (title, sentence) => this.choose(title, sentence));
    this.#build();
    this.fill(this.truth.value);
  }

  #build() {
    this.start = button("Choose a sentence", { id: `${this.truth.id}-start` }, () => this.sentences.focus());
    const keys = element("p", { class: "hint keys" }, "In the articles, arrow keys go from sentence to sentence, Page Up and Page Down from article to article, and Enter takes one.");
    this.note = element("p", { class: "hint", hidden: true }, "Suggestions are simple ones for now: the language program has not read these articles.");
    this.svg = make("svg", { id: `${this.truth.id}-graph` });
    this.figure = element("figure", { class: "derivation-graph" }, element("figcaption", {}, "How your steps hang together"), this.svg);
    this.truth.after(this.list, this.start, keys, this.note, this.figure);
    new ResizeObserver(() => this.drawn()).observe(this.element);
  }

  read(text) {
    return read(text);
  }

  /** A sentence was taken: a new step, or another sentence for the step that waits for one. */
  choose(title, sentence) {
    let step = this.waiting;
    const last = this.steps.at(-1);
    if (!step && last && PARTS.every((part) => !last.boxes[part].value.trim())) step = last;
    if (step) Object.assign(step, { title, sentence });
    else step = this.append({ title, sentence, head: "", relation: "", tail: "" });
    this.#wait(undefined);
    this.refresh();
    this.tell();
    const number = this.steps.indexOf(step) + 1;
    this.page.announce(`Step ${number}: ${this.sentences.heading(title)}, sentence ${sentence + 1}.`);
    const empty = PARTS.find((part) => !step.boxes[part].value.trim()) ?? "head";
    step.boxes[empty].input.focus({ preventScroll: true });
    step.node.scrollIntoView({ block: "center" });
  }

  partsOf(step, values) {
    Object.assign(step, { title: values.title, sentence: values.sentence, boxes: {} });
    step.recite = button("Other sentence", { class: "other" }, () => this.#wait(this.waiting === step ? undefined : step, true));
    step.remove.before(step.recite);
    step.cited = element("p", { class: "cited" });
    const parts = element("div", { class: "parts" });
    PARTS.forEach((part, place) => {
      const box = new Combobox({
        id: `${step.key}-${part}`,
        label: LABELS[part],
        announce: this.page.announce,
        suggest: (text) => this.#suggest(step, part, text),
        changed: () => this.tell(),
        done: () => (place < 2 ? step.boxes[PARTS[place + 1]].input : this.start).focus(),
      });
      box.value = values[part];
      step.boxes[part] = box;
      parts.append(box.element);
    });
    return [step.cited, parts];
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

  removed(step) {
    if (this.waiting === step) this.#wait(undefined);
  }

  goOn(next) {
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

  written() {
    return write(this.#values());
  }

  refresh() {
    super.refresh();
    this.list.hidden = !this.steps.length;
    this.start.textContent = this.steps.length ? "Choose another sentence" : "Choose a sentence";
    this.sentences.markUsed(this.steps);
  }

  renewed(step) {
    const said = this.sentences.text(step.title, step.sentence);
    const source = said ? `${this.sentences.heading(step.title)}, ${step.sentence + 1}: ` : "No sentence chosen";
    step.cited.replaceChildren(element("b", {}, source), said);
  }

  drawn() {
    const drawn = this.#values().filter((step) => PARTS.some((part) => step[part].trim()));
    this.figure.hidden = !drawn.length;
    if (drawn.length) draw(this.svg, drawn, Math.max(240, Math.floor(this.element.clientWidth) - 26));
  }
}
