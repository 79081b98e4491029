// Shows what the checks say, beside the field they speak of. Newest revision wins.

import { controlsOf } from "./form.js";
import { textElement } from "./words.js";

const LEVELS = { block: "Please fix:", warn: "Please check:", note: "Note:", open: "Still open:" };
// The more of a page's checks are used, the longer until the next, so that they last for a quarter of an hour of typing.
const MOST_CHECKS = 30;
const LEAST_APART = 4_000;
const GROWS_BY = 1.12;
const WAITS = [150, 250, 400, 700, 1_200, 2_000, 3_000, 5_000, 8_000, 10_000, 15_000];
// After so many questions without an answer, about a quarter of a minute, the page says so.
const LATE_AFTER = 8;

export class Findings {
  constructor(page) {
    this.page = page;
    this.revision = 0;
    this.wanted = 0;
    this.count = 0;
    this.askedAt = 0;
    // Until the worker has tried to hand in, nothing is said of what is still empty.
    this.isStrict = false;
    this.blocked = new Set();
    this.warned = new Set();
    this.open = new Set();
  }

  /** How long until another check may be asked for, in milliseconds. */
  untilNext() {
    return Math.max(0, this.askedAt + LEAST_APART * GROWS_BY ** Math.min(this.count, MOST_CHECKS) - Date.now());
  }

  /** A draft was saved and is being checked: fetch what the checks say of it, as soon as they have said it. */
  expect(revision) {
    this.askedAt = Date.now();
    this.wanted = Math.max(this.wanted, revision);
    if (!this.isPolling) this.#poll();
  }

  async #poll() {
    this.isPolling = true;
    let wanted = this.wanted;
    for (let turn = 0; turn < WAITS.length && this.revision < this.wanted; turn += 1) {
      if (this.wanted > wanted) [wanted, turn] = [this.wanted, 0];
      await new Promise((resolve) => setTimeout(resolve, WAITS[turn]));
      const { status, body } = await this.page.server.send("findings");
      if (status === 200) this.take(body);
      if (this.revision < this.wanted && turn >= LATE_AFTER) document.querySelector("[data-checks-late]").hidden = false;
    }
    this.isPolling = false;
  }

  /** {revision, findings, count}, as the server keeps them. */
  take({ revision, findings, count = 0 }) {
    if (revision <= this.revision) return;
    this.count = count;
    this.revision = revision;
    document.querySelector("[data-checks-late]").hidden = true;
    const isResting = findings.some(({ check }) => check === "checks_rest");
    document.querySelector("[data-checks-rest]").hidden = !isResting;
    this.show(findings);
  }

  show(findings) {
    // What is still to come is no fault before the worker has tried to hand in.
    const spoken = findings
      .filter((finding) => this.isStrict || !finding.quiet)
      .map((finding) => (finding.may_wait && !this.isStrict ? { ...finding, level: "open" } : finding));
    const places = [...this.page.form.querySelectorAll("[data-findings]")];
    const names = new Set(places.map((place) => place.dataset.findings));
    const byName = new Map();
    const blockedFields = new Set();
    for (const finding of spoken) {
      const field = finding.field ? `${finding.item}.${finding.field}` : String(finding.item);
      // A widget may have a place for each of its parts.
      const part = `${field}.${finding.part}`;
      const name = finding.part && names.has(part) ? part : field;
      byName.set(name, [...(byName.get(name) ?? []), finding]);
      if (finding.level === "block") blockedFields.add(field);
    }
    const itemsWith = (wanted) => new Set(spoken.filter(({ level }) => level === wanted).map(({ item }) => String(item)));
    this.blocked = itemsWith("block");
    this.warned = itemsWith("warn");
    this.open = itemsWith("open");
    for (const place of places) this.#fill(place, byName.get(place.dataset.findings) ?? []);
    for (const field of this.page.form.querySelectorAll("[data-field]")) this.#mark(field, blockedFields.has(field.dataset.field));
    this.page.progress();
  }

  #fill(place, findings) {
    const paragraphs = findings.map(({ level, message }) => {
      const paragraph = document.createElement("p");
      paragraph.className = `finding ${level}`;
      paragraph.append(textElement("strong", LEVELS[level] ?? LEVELS.note), ` ${message}`);
      return paragraph;
    });
    // What stays the same is left alone, so that it is not read out again.
    if (paragraphs.map((each) => each.textContent).join("\n") !== [...place.children].map((each) => each.textContent).join("\n")) {
      place.replaceChildren(...paragraphs);
    }
    const part = place.closest("[data-part]");
    if (part) setInvalid(part.querySelector("textarea, input"), findings.some(({ level }) => level === "block"));
  }

  #mark(field, isBlocked) {
    const widget = this.page.widgets.get(field.dataset.field);
    const marked = widget?.marked ? [widget.marked] : controlsOf(this.page.form, field.dataset.field);
    for (const control of marked) {
      // The group says it in words, and by its edge.
      if (!["radio", "checkbox"].includes(control.type)) setInvalid(control, isBlocked);
    }
    field.classList.toggle("blocked", isBlocked);
  }
}

function setInvalid(control, isInvalid) {
  if (isInvalid) control?.setAttribute("aria-invalid", "true");
  else control?.removeAttribute("aria-invalid");
}
