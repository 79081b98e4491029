// Several short texts, a row each. Enter goes to the next row and makes one, Backspace in an empty row takes it away.
// The textarea that the form came with stays the truth: one text a line.

import { button, element } from "../workbench/elements.js";
import { grow } from "../workbench/growing.js";
import { takeOver } from "../workbench/truth.js";

// As high as a button: a finger finds it.
const LOWEST = 44;

export function mount(field, page) {
  return new Lines(field, page).widget();
}

const clean = (text) => text.replace(/\s+/g, " ");

class Lines {
  constructor(field, page) {
    this.page = page;
    this.unit = field.dataset.unit;
    this.fewest = Number(field.dataset.fewest);
    this.most = Number(field.dataset.most);
    this.describedBy = field.querySelector("textarea").getAttribute("aria-describedby");
    this.truth = takeOver(field).truth;
    this.list = element("ol", { class: "lines" });
    this.#build();
    this.fill(this.truth.value);
  }

  widget() {
    return { marked: this.list, set: (values) => this.fill(values.join("\n")) };
  }

  #build() {
    this.add = button(`Add a ${this.unit}`, {}, () => this.#focus(this.#insert(this.rows.length)));
    const keys = element("p", { class: "hint keys" }, "Enter goes to the next row; Backspace in an empty row takes it away.");
    this.truth.after(this.list, element("div", { class: "lines-tools" }, this.add, keys));
    // A phone that is turned: the same words need other rows.
    let width = 0;
    new ResizeObserver(([{ contentRect }]) => {
      if (contentRect.width === width) return;
      width = contentRect.width;
      for (const row of this.rows) grow(row.querySelector("textarea"), LOWEST);
    }).observe(this.list);
  }

  get rows() {
    return [...this.list.children];
  }

  fill(text) {
    this.list.replaceChildren();
    for (const line of text.split("\n").map((each) => clean(each).trim()).filter(Boolean)) this.#insert(this.rows.length, line);
    while (this.rows.length < this.fewest) this.#insert(this.rows.length);
    this.#number();
  }

  #insert(place, text = "") {
    const entry = element("textarea", { rows: 1, enterkeyhint: "next", "aria-describedby": this.describedBy });
    entry.value = text;
    const number = element("span", { class: "number", "aria-hidden": "true" });
    const remove = button("×", { class: "remove" }, () => this.#drop(row));
    const row = element("li", {}, number, entry, remove);
    entry.addEventListener("input", (event) => {
      event.stopPropagation();
      if (entry.value.includes("\n")) this.#spread(row);
      grow(entry, LOWEST);
      this.#tell();
    });
    entry.addEventListener("keydown", (event) => this.#key(event, row));
    const before = this.rows[place];
    if (before) before.before(row);
    else this.list.append(row);
    this.#number();
    grow(entry, LOWEST);
    return row;
  }

  #key(event, row) {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const entry = event.target;
    const place = this.rows.indexOf(row);
    if (event.key === "Enter") {
      event.preventDefault();
      const next = this.rows[place + 1];
      if (next) this.#focus(next);
      else if (!entry.value.trim() || this.rows.length >= this.most) this.add.focus();
      else this.#focus(this.#insert(place + 1));
    } else if (event.key === "Backspace" && !entry.value && this.rows.length > 1) {
      event.preventDefault();
      this.#drop(row, place - 1);
    }
  }

  /** Several lines were pasted: a row each. */
  #spread(row) {
    const [first, ...others] = row.querySelector("textarea").value.split("\n").map((line) => clean(line).trim()).filter(Boolean);
    row.querySelector("textarea").value = first ?? "";
    let place = this.rows.indexOf(row);
    for (const text of others) {
      const next = this.rows[place + 1];
      if (next && !next.querySelector("textarea").value.trim()) next.querySelector("textarea").value = text;
      else this.#insert(place + 1, text);
      place += 1;
    }
    for (const each of this.rows) grow(each.querySelector("textarea"), LOWEST);
    this.#focus(this.rows[place]);
  }

  #drop(row, focused = this.rows.indexOf(row)) {
    const place = this.rows.indexOf(row);
    const isEmpty = !row.querySelector("textarea").value.trim();
    if (this.rows.length > 1) row.remove();
    else row.querySelector("textarea").value = "";
    this.#number();
    this.#tell();
    if (!isEmpty) this.page.announce(`${this.#named(place)} removed. ${this.rows.length} left.`);
    this.#focus(this.rows[Math.max(0, Math.min(focused, this.rows.length - 1))]);
  }

  #focus(row) {
    const entry = row.querySelector("textarea");
    entry.focus();
    entry.setSelectionRange(entry.value.length, entry.value.length);
  }

  #named(place) {
    return `${this.unit.charAt(0).toUpperCase()}${this.unit.slice(1)} ${place + 1}`;
  }

  #number() {
    this.rows.forEach((row, place) => {
      const [number, entry, remove] = row.children;
      number.textContent = `${place + 1}.`;
      entry.setAttribute("aria-label", this.#named(place));
      remove.setAttribute("aria-label", `${this.#named(place)}: remove`);
      // The last ones that are needed stay; they can be emptied.
      remove.hidden = this.rows.length <= this.fewest && !entry.value;
    });
    this.add.hidden = this.rows.length >= this.most;
  }

  #tell() {
    const before = this.truth.value;
    this.truth.value = this.rows.map((row) => clean(row.querySelector("textarea").value).trim()).filter(Boolean).join("\n");
    this.#number();
    if (this.truth.value !== before) this.page.changed();
  }
}
