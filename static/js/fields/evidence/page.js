// The whole page around a paragraph, in a dialog over the task. Paragraphs are chosen there as in the results.

import { button, element } from "../../workbench/elements.js";
import { Paragraphs } from "./paragraphs.js";

export class PageDialog {
  constructor(owner) {
    this.owner = owner;
    this.title = element("h3", { id: `${owner.key}-page-title` });
    this.paragraphs = new Paragraphs(owner, { label: "The page, paragraph by paragraph", isPage: true });
    this.state = element("p", { role: "status" });
    this.again = button("Try again", {}, () => this.#load());
    this.again.hidden = true;
    const close = button("Close", { class: "close" }, () => this.element.close());
    close.append(element("kbd", { class: "keys" }, "Esc"));
    const body = element("div", { class: "page-body" }, this.state, this.again, this.paragraphs.element);
    const keys = element("p", { class: "hint keys" });
    keys.append("Arrow keys go from paragraph to paragraph, ", element("kbd", {}, "Enter"), " gives one to the chosen step, ", element("kbd", {}, "1"), ", ", element("kbd", {}, "2"), ", … to that one.");
    this.element = element("dialog", { class: "page-dialog", "aria-labelledby": this.title.id });
    this.element.append(element("header", {}, this.title, close), body, keys);
    this.element.addEventListener("close", () => (this.from?.isConnected ? this.from : owner.steps[owner.current].pick).focus());
    // A click beside the page closes it; only the dialog itself lies there.
    this.element.addEventListener("click", (event) => event.target === this.element && this.element.close());
  }

  open(title, id) {
    this.from = document.activeElement;
    Object.assign(this, { wanted: title, id });
    this.title.textContent = title;
    this.paragraphs.show([]);
    this.element.showModal();
    this.#load();
  }

  async #load() {
    const title = this.wanted;
    this.again.hidden = true;
    this.state.textContent = "Fetching the page …";
    const found = await this.owner.library.page(title);
    if (!found || title !== this.wanted || !this.element.open) return;
    if (found.problem) return this.#fail(found.problem);
    const { paragraphs } = found;
    this.state.textContent = `${paragraphs.length} ${paragraphs.length === 1 ? "paragraph" : "paragraphs"}`;
    this.paragraphs.show(paragraphs);
    for (const { id, node } of this.paragraphs.cards) node.classList.toggle("here", id === this.id);
    this.paragraphs.focus(this.id);
  }

  #fail(problem) {
    this.state.textContent = problem;
    this.again.hidden = false;
    this.again.focus();
  }

  refresh() {
    if (this.element.open) this.paragraphs.refresh();
  }
}
