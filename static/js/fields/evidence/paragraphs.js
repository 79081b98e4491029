// A list of paragraphs to choose from: search results, or a whole page. Each can be dragged to a step, given to one
// by a button, or by a key while it has the focus. One of them is in the tab order; arrow keys go on.

import { marked } from "../../workbench/corpus.js";
import { button, element } from "../../workbench/elements.js";
import { carries } from "./drag.js";
import { nameOf, partsOfId } from "./names.js";

export class Paragraphs {
  /** `owner` is the widget: steps, current, uses(step, id), toggle(step, id), openPage(title, id). */
  constructor(owner, { label, isPage = false }) {
    Object.assign(this, { owner, isPage });
    this.cards = [];
    this.element = element("div", { class: "paragraphs", role: "feed", "aria-label": label });
    this.element.addEventListener("keydown", (event) => this.#press(event));
    this.element.addEventListener("focusin", (event) => this.#reach(this.#cardOf(event.target)));
  }

  show(paragraphs) {
    this.cards = [];
    this.element.replaceChildren();
    this.add(paragraphs);
  }

  add(paragraphs, total = this.cards.length + paragraphs.length) {
    const made = paragraphs.map((paragraph) => this.#card(paragraph));
    this.cards.push(...made);
    this.element.append(...made.map((card) => card.node));
    this.cards.forEach(({ node }, place) => {
      node.setAttribute("aria-posinset", place + 1);
      node.setAttribute("aria-setsize", total);
    });
    this.#reach(this.cards.find((card) => card.isReached) ?? this.cards[0]);
    this.refresh();
    return made[0];
  }

  /** Which steps use what, and which step is the chosen one. */
  refresh() {
    for (const { id, node, toggles } of this.cards) {
      let isUsed = false;
      toggles.forEach((toggle, step) => {
        const isOn = this.owner.uses(step, id);
        toggle.setAttribute("aria-pressed", String(isOn));
        toggle.classList.toggle("now", step === this.owner.current);
        isUsed ||= isOn;
      });
      node.classList.toggle("used", isUsed);
    }
  }

  focus(id) {
    const card = this.cards.find((each) => each.id === id) ?? this.cards.find((each) => each.isReached) ?? this.cards[0];
    card?.node.focus({ preventScroll: true });
    card?.node.scrollIntoView({ block: this.isPage ? "center" : "nearest" });
  }

  #card({ id, title, section, text, marks = [] }) {
    const { number } = partsOfId(id);
    const key = `${this.owner.key}-${this.isPage ? "page" : "found"}-${this.cards.length}-${id.replace(/\W+/g, "")}`;
    const name = element("h4", { id: `${key}-name` }, this.isPage ? (section || `Paragraph ${number}`) : title);
    const place = element("span", { class: "soft" }, this.isPage ? (section ? `${number}` : "") : [section, number].filter(Boolean).join(" · "));
    const said = element("p", { class: "paragraph-text", id: `${key}-text` }, marked(text, marks));
    const toggles = this.owner.steps.map((step, at) =>
      button(String(at + 1), { class: "toggle", "aria-label": `Use for step ${at + 1}`, title: step.text }, () => this.owner.toggle(at, id)),
    );
    const tools = element("div", { class: "paragraph-tools" });
    const group = element("div", { class: "toggles", role: "group", "aria-label": nameOf(id) });
    group.append(element("span", { class: "soft", "aria-hidden": "true" }, toggles.length > 1 ? "Use for step" : "Use for"), ...toggles);
    tools.append(group);
    const buttons = [...toggles];
    if (!this.isPage) {
      const whole = button("Whole page", { class: "quiet", "aria-haspopup": "dialog", "aria-label": `Whole page: ${title}` }, () => this.owner.openPage(title, id));
      tools.append(whole);
      buttons.push(whole);
    }
    const node = element("article", {
      class: "paragraph",
      tabindex: "-1",
      "data-paragraph": id,
      "aria-labelledby": `${key}-name`,
      "aria-describedby": `${key}-text`,
    });
    node.append(element("header", {}, name, place), said, tools);
    if (!this.isPage) carries(node, id, this.owner.element);
    return { id, title, node, toggles, buttons, isReached: false };
  }

  #cardOf(node) {
    return this.cards.find((card) => card.node.contains(node));
  }

  #reach(reached) {
    for (const card of this.cards) {
      card.isReached = card === reached;
      const order = card.isReached ? 0 : -1;
      for (const each of [card.node, ...card.buttons]) each.tabIndex = order;
    }
  }

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const card = this.#cardOf(event.target);
    if (!card) return;
    const { key } = event;
    const here = this.cards.indexOf(card);
    const isOnCard = event.target === card.node;
    const goal = { ArrowDown: here + 1, PageDown: here + 1, ArrowUp: here - 1, PageUp: here - 1, Home: 0, End: this.cards.length - 1 }[key];
    const step = /^[1-9]$/.test(key) ? Number(key) - 1 : -1;
    if (goal !== undefined) this.focus(this.cards[Math.min(Math.max(goal, 0), this.cards.length - 1)].id);
    else if (step >= 0 && step < this.owner.steps.length) this.owner.toggle(step, card.id);
    else if (key === "Enter" && isOnCard) this.owner.toggle(this.owner.current, card.id);
    else if (key.toLowerCase() === "p" && !this.isPage) this.owner.openPage(card.title, card.id);
    else if (key === "Escape" && !this.isPage) this.owner.search.focus();
    else return;
    event.preventDefault();
  }
}
