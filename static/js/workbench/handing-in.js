// Hands the work over: first to us, then, with our receipt, to the marketplace. If we can't be reached, the
// marketplace gets the work itself, so that it is paid.

import { focusField, valuesOf } from "./form.js";
import { sayWhose } from "./whose.js";
import { textElement } from "./words.js";

const TRIES = 3;
// Why work that was handed in before takes nothing more, by where it stands.
const CONTESTED = {
  superseded: "The marketplace gave this assignment to another worker in between, so that it can’t pay you for it. What you sent is kept in our log.",
  quarantined: "What you handed in first waits for a person to look at it. What you sent now is kept beside it.",
};

export class HandingIn {
  constructor(page, drafts, findings) {
    Object.assign(this, { page, drafts, findings });
    this.button = page.form.querySelector("[data-hand-in]");
    this.received = document.querySelector("[data-received]");
    this.marketplace = document.querySelector("[data-marketplace]");
    page.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.start();
    });
  }

  async start() {
    if (this.isBusy || this.button.getAttribute("aria-disabled") === "true") return;
    this.#busy(true);
    // A part of the page may have something to do first, or to say against it.
    for (const widget of this.page.widgets.values()) {
      if (widget.beforeHandingIn && !(await widget.beforeHandingIn())) return this.#busy(false);
    }
    this.drafts.stop();
    // What is typed while this takes its time would be in neither place.
    this.page.form.inert = true;
    this.page.announce("Handing in …");
    const answer = await this.#send();
    this.page.form.inert = false;
    this.#busy(false);
    const { status, body } = answer;
    if (status === 200) return this.#hand(body.receipt, body.answers);
    if (status === 422) return this.#back(body);
    if (status === 400) return this.#stay(`This could not be taken: ${body.message || body.problem}`);
    if (status === 403) return this.#stay("This page can’t be verified any more. Reload it: what was saved is kept.");
    if (status === 409) return this.#stay(CONTESTED[body.state] ?? "The marketplace has confirmed this work already; it stays as it was handed in first.");
    if (status === 429) return this.#stay("You have tried very often. Wait half a minute, then hand in once more: your words are kept.");
    this.#unstored();
  }

  async #send() {
    const body = new URLSearchParams(new FormData(this.page.form));
    let answer;
    for (let turn = 0; turn < TRIES; turn += 1) {
      if (turn) await new Promise((resolve) => setTimeout(resolve, turn * 1_000));
      answer = await this.page.server.send(this.page.server.claims, { method: "POST", body });
      if (answer.status && answer.status < 500) return answer;
    }
    return answer;
  }

  #busy(isBusy) {
    this.isBusy = isBusy;
    this.label ??= this.button.textContent;
    this.button.textContent = isBusy ? "Handing in …" : this.label;
    this.button.setAttribute("aria-disabled", String(isBusy));
  }

  /** The gate says no, or asks once. */
  #back({ findings, confirmation }) {
    this.findings.isStrict = true;
    this.findings.show(findings);
    this.page.form.elements.confirmed.value = confirmation;
    // Something to put right first, though the warnings beside it were confirmed before.
    const isQuestion = Boolean(confirmation) && !findings.some(({ level }) => level === "block");
    this.label = isQuestion ? "Hand in as it is" : "Hand in";
    this.button.textContent = this.label;
    this.#summary(findings, isQuestion);
    this.drafts.resume();
  }

  #summary(findings, isQuestion) {
    document.getElementById("summary")?.remove();
    const said = findings.filter(({ level }) => level === (isQuestion ? "warn" : "block"));
    const section = document.createElement("section");
    section.id = "summary";
    section.className = `note summary ${isQuestion ? "warn" : "bad"}`;
    section.tabIndex = -1;
    section.setAttribute("role", "alert");
    const things = said.length === 1 ? "this" : `these ${said.length}`;
    section.append(
      textElement("h2", isQuestion ? `Please look at ${things} once more` : `${said.length} ${said.length === 1 ? "thing" : "things"} to put right before you can hand in`),
      this.#links(said),
    );
    if (isQuestion) section.append(textElement("p", "If all is as you mean it, hand it in as it is. Nothing has been lost."));
    document.querySelector("h1").after(section);
    section.focus();
    section.scrollIntoView({ block: "center" });
  }

  #links(said) {
    const list = document.createElement("ul");
    const items = [...this.page.form.querySelectorAll("[data-item]")];
    for (const { item, field, part, message } of said) {
      const heading = items.find((each) => each.dataset.item === String(item))?.querySelector("h2");
      const link = textElement("a", message);
      link.href = field ? `#f-${item}-${field}` : `#item-${item}`;
      link.addEventListener("click", (event) => {
        if (!field) return;
        event.preventDefault();
        focusField(this.page.form, `${item}.${field}`, part);
      });
      const entry = document.createElement("li");
      if (items.length > 1 && heading) entry.append(textElement("strong", heading.firstChild.textContent.trim()));
      entry.append(link);
      list.append(entry);
    }
    return list;
  }

  /** Stored here: on to the marketplace, by a form of the frame's own, as it wants it. */
  #hand(receipt, answers) {
    this.drafts.mirror.clearAll();
    this.#fill(receipt, answers);
    this.#showReceived("Received", "Your answers are stored. Handing in at the marketplace …", receipt);
    this.marketplace.submit();
  }

  #unstored() {
    this.#fill("pending", JSON.stringify({ values: valuesOf(this.page.form) }));
    this.#showReceived(
      "We could not store your work just now",
      "The fault is ours. Hand in at the marketplace all the same: your answers go with it, we collect them from there, and you are paid as usual.",
    );
    const again = textElement("button", "Try once more to store it first");
    again.type = "button";
    again.addEventListener("click", () => {
      again.remove();
      this.received.hidden = true;
      this.page.form.hidden = false;
      this.start();
    });
    this.marketplace.after(again);
  }

  #fill(receipt, answers) {
    this.marketplace.elements.receipt.value = receipt;
    this.marketplace.elements.answers.value = answers;
    sayWhose(this.marketplace);
  }

  #showReceived(title, text, receipt = "") {
    document.getElementById("summary")?.remove();
    this.received.querySelector("[data-received-title]").textContent = title;
    this.received.querySelector("[data-received-text]").textContent = text;
    this.received.querySelector("[data-receipt]").textContent = receipt;
    this.received.querySelector("[data-receipt-line]").hidden = !receipt;
    this.page.form.hidden = true;
    document.querySelector("[data-instructions]").hidden = true;
    this.received.hidden = false;
    this.received.focus();
  }

  #stay(text) {
    this.page.form.querySelector("[data-problem]")?.remove();
    const note = textElement("p", text);
    note.className = "note bad";
    note.dataset.problem = "";
    note.setAttribute("role", "alert");
    this.button.before(note);
    this.button.focus();
    this.drafts.resume();
  }

  /** Another tab handed this HIT in. */
  gone() {
    const note = document.createElement("p");
    note.className = "note warn";
    note.setAttribute("role", "alert");
    const link = textElement("a", "show the receipt");
    link.href = location.href;
    note.append("This HIT was handed in from another tab. What you typed here since then is still on this page, but is not saved: ", link, ".");
    document.querySelector("h1").after(note);
  }
}
