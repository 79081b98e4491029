// Search over the corpus: what is typed, what was found, and what to do when nothing comes.

import { button, element } from "../../workbench/elements.js";
import { Paragraphs } from "./paragraphs.js";

export class Search {
  constructor(owner) {
    this.owner = owner;
    this.input = element("input", { type: "search", id: `${owner.key}-search`, autocomplete: "off", spellcheck: "true", maxlength: "300", enterkeyhint: "search" });
    this.goal = element("span", { class: "soft" });
    const label = element("label", { for: this.input.id }, "Search the encyclopedia ", this.goal);
    const go = button("Search", { class: "go" }, () => this.#start());
    const bar = element("div", { class: "search-bar", role: "search" }, label, element("div", { class: "search-line" }, this.input, go));
    this.picks = owner.steps.map((step, at) => button(String(at + 1), { class: "pick-step", "aria-label": `Search for step ${at + 1}` }, () => owner.pick(at)));
    this.said = element("p", { class: "chosen-text" });
    this.chosen = element("div", { class: "chosen-step" }, element("div", { class: "picks", role: "group", "aria-label": "Chosen step" }, ...this.picks), this.said);
    this.state = element("p", { class: "search-state", role: "status" });
    this.again = button("Try again", {}, () => this.#ask(this.asked, this.offset));
    this.again.hidden = true;
    this.more = button("More results", { class: "more" }, () => this.#ask(this.asked, this.found.cards.length));
    this.more.hidden = true;
    this.found = new Paragraphs(owner, { label: "Paragraphs found" });
    const keys = element("p", { class: "hint keys" });
    const key = (name) => element("kbd", {}, name);
    keys.append("On a paragraph: ", key("Enter"), " gives it to the chosen step, ", key("1"), ", ", key("2"), ", … to that one (again: takes it back), ", key("P"), " opens its page, ", key("↓"), " and ", key("↑"), " go on, ", key("Esc"), " goes back here.");
    this.keys = keys;
    this.element = element("section", { class: "search", "aria-label": "Search" });
    this.element.append(this.chosen, bar, keys, this.state, this.again, this.found.element, this.more);
    this.#listen();
  }

  #listen() {
    // What is looked for is nothing that was typed as an answer.
    for (const kind of ["input", "change"]) this.input.addEventListener(kind, (event) => event.stopPropagation());
    this.input.addEventListener("keydown", (event) => {
      if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Enter") this.#start();
      else if (event.key === "ArrowDown" && this.found.cards.length) this.found.focus();
      else return;
      event.preventDefault();
    });
  }

  focus() {
    this.input.focus();
    this.input.select();
  }

  refresh() {
    const { steps, current } = this.owner;
    this.goal.textContent = steps.length > 1 ? `for step ${current + 1}` : "";
    this.said.textContent = steps[current]?.text ?? "";
    this.picks.forEach((pick, at) => {
      pick.setAttribute("aria-pressed", String(at === current));
      pick.classList.toggle("filled", this.owner.isFilled(at));
    });
    this.found.refresh();
  }

  #start() {
    const query = this.input.value.trim();
    if (query) this.#ask(query, 0);
    else this.#say("Type a name or a few words to search for.");
  }

  async #ask(query, offset) {
    Object.assign(this, { asked: query, offset });
    this.again.hidden = true;
    this.#say("Searching …");
    this.found.element.setAttribute("aria-busy", "true");
    const answer = await this.owner.library.search(query, offset);
    if (!answer) return; // a newer search is under way
    this.found.element.removeAttribute("aria-busy");
    if (answer.problem) this.#fail(answer.problem);
    else this.#show(answer, offset);
  }

  #show({ total, hits }, offset) {
    if (offset === 0) this.found.show([]);
    const first = this.found.add(hits, total);
    const shown = this.found.cards.length;
    this.more.hidden = !hits.length || shown >= total;
    this.more.textContent = `More results (${shown} of ${total.toLocaleString("en")} shown)`;
    if (!total) this.#say(`Nothing holds “${this.asked}”. Try fewer or other words; the name of a thing often works best.`);
    else this.#say(`${total.toLocaleString("en")} ${total === 1 ? "paragraph" : "paragraphs"} for “${this.asked}”`);
    if (offset && first) this.found.focus(first.id);
    else if (!offset) this.found.element.scrollTop = 0;
  }

  /** What was found before stays, and so does what was collected. */
  #fail(problem) {
    this.#say(problem, "bad");
    this.again.hidden = false;
  }

  #say(text, tone = "") {
    this.state.textContent = text;
    this.state.dataset.tone = tone;
  }
}
