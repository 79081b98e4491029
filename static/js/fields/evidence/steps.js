// One step of the decomposition: its text, what was found for it, its marks. A place to drop paragraphs on.

import { button, element } from "../../workbench/elements.js";
import { carries, takes } from "./drag.js";
import { nameOf, partsOfId } from "./names.js";

export class StepCard {
  /** `node`: the list entry that the form came with. */
  constructor(owner, node, place) {
    Object.assign(this, { owner, node, place });
    this.text = node.querySelector(".step-text").textContent.trim();
    this.pick = button(`Step ${place + 1}`, { class: "pick" }, () => owner.pick(place, { search: true }));
    node.querySelector(".step-name").replaceChildren(this.pick);
    this.count = element("span", { class: "tag" });
    node.querySelector(".step-name").after(this.count);
    this.found = element("ul", { class: "found", "aria-label": `Found for step ${place + 1}` });
    this.empty = element("p", { class: "drop-here soft" });
    this.operation = element("input", { type: "checkbox" });
    this.lacks = element("input", { type: "checkbox" });
    const marks = element("div", { class: "marks", role: "group", "aria-label": `Marks of step ${place + 1}` });
    marks.append(
      element("label", { class: "mark", title: "The step only works on earlier answers: there is nothing to look up." }, this.operation, "Operation"),
      element("label", { class: "mark" }, this.lacks, "Only partial or no evidence found"),
    );
    const findings = element("div", { class: "findings", "data-findings": `${owner.element.dataset.field}.${place + 1}`, "aria-live": "polite" });
    node.append(this.found, this.empty, marks, findings);
    this.#listen();
  }

  #listen() {
    const { owner, place } = this;
    this.operation.addEventListener("change", () => owner.mark(place, "isOperation", this.operation.checked));
    this.lacks.addEventListener("change", () => owner.mark(place, "lacksEvidence", this.lacks.checked));
    takes(this.node, (id) => owner.give(place, id));
    // Anywhere on the card that does nothing else.
    this.node.addEventListener("click", (event) => {
      if (!event.target.closest("button, label, input, a, .found li")) owner.pick(place);
    });
  }

  refresh({ paragraphs, isOperation, lacksEvidence }) {
    const isCurrent = this.owner.current === this.place;
    this.node.classList.toggle("current", isCurrent);
    this.pick.setAttribute("aria-pressed", String(isCurrent));
    this.operation.checked = isOperation;
    this.lacks.checked = lacksEvidence;
    // What stays the same stays where it is, with the focus that may be in it.
    const told = JSON.stringify(paragraphs.map((id) => [id, Boolean(this.owner.library.paragraph(id)), this.owner.saidOfUnknown(id)]));
    if (told !== this.told) this.found.replaceChildren(...paragraphs.map((id) => this.#entry(id)));
    this.told = told;
    this.found.hidden = !paragraphs.length;
    this.empty.hidden = paragraphs.length > 0;
    const said = isOperation ? "An operation needs no paragraph." : lacksEvidence ? "No evidence found." : "Nothing yet. Drop a paragraph here.";
    this.empty.textContent = said;
    const state = [paragraphs.length ? `${paragraphs.length} found` : "", isOperation ? "operation" : "", lacksEvidence ? (paragraphs.length ? "partial" : "no evidence") : ""];
    this.count.textContent = state.filter(Boolean).join(", ") || "open";
    this.count.classList.toggle("good", Boolean(state.join("")));
  }

  #entry(id) {
    const { owner, place } = this;
    const known = owner.library.paragraph(id);
    const { title, number } = partsOfId(id);
    const name = known?.title ?? title;
    const open = button(name, { class: "open", "aria-haspopup": "dialog", "aria-label": `${nameOf(id)}: whole page` }, () => owner.openPage(name, id));
    open.append(element("span", { class: "soft" }, ` ${number}`));
    const remove = button("×", { class: "remove", "aria-label": `Step ${place + 1}: remove ${nameOf(id)}` }, () => owner.take(place, id));
    const entry = element("li", { "data-found": id }, open, remove, element("p", { class: "excerpt" }, known?.text ?? owner.saidOfUnknown(id)));
    entry.addEventListener("keydown", (event) => {
      if (event.key !== "Delete" || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      owner.take(place, id);
    });
    carries(entry, id, owner.element);
    return entry;
  }

  /** After something went from this step: the next thing in it that can have the focus. */
  focusNear(place) {
    const buttons = [...this.found.querySelectorAll(".remove")];
    (buttons[Math.min(place, buttons.length - 1)] ?? this.pick).focus();
  }
}
