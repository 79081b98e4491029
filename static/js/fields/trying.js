// "Try it": puts the question to the solvers and says whether it holds. It says no more than that.

import { valuesOf } from "../workbench/form.js";

const PAUSE = 500;
// So many seconds longer than the server a page waits: from then on a question may be handed in without a word.
const LONGER = 4;

const SAID = {
  untried: ["", "Before you hand in, our programs try to answer your question. It should be too hard for them."],
  changed: ["", "The question is another one now. Try it again when you like; at the latest it is tried when you hand in."],
  waiting: ["", "The computer is thinking about your question …"],
  holds: ["It holds.", "The computer did not find the answer."],
  solved: ["The computer found the answer.", "Try another question, or ask it in another way."],
  spent: ["Your tries are used up.", "You can hand in the question that you have now. It is paid like any other."],
  held: ["The computer can’t be reached just now.", "You can hand in all the same: your question is tried later, and you are paid like for any other."],
};

export function mount(element, page) {
  return new Trying(element, page);
}

class Trying {
  constructor(element, page) {
    Object.assign(this, { element, page, item: element.dataset.trying });
    this.button = element.querySelector("[data-try]");
    this.standing = element.querySelector("[data-standing]");
    this.left = Number(element.dataset.tries);
    this.patience = (Number(element.dataset.patience) + LONGER) * 1_000;
    // What was last put to the solvers, and what came of it.
    this.tried = "";
    this.state = "untried";
    this.button.hidden = false;
    this.button.addEventListener("click", () => this.#once());
    page.form.addEventListener("input", () => this.#look());
    this.#say("untried");
    this.#lookUp();
  }

  /** A page that was opened again: how the question stands that is in it, and how many tries are left. Asks no solver. */
  async #lookUp() {
    const question = this.#question();
    const body = JSON.stringify({ item: this.item, values: valuesOf(this.page.form), looks: true });
    const { status, body: said } = await this.page.server.send("try", { method: "POST", body });
    if (status !== 200 || this.running || this.state !== "untried") return;
    this.left = said.tries_left;
    if (!["holds", "solved", "spent"].includes(said.state)) return this.#say("untried");
    this.tried = question;
    this.#say(said.state);
    this.#look(); // somebody may have typed meanwhile
  }

  /** Called by the page before it hands in. False: there is something to do first. */
  async beforeHandingIn() {
    if (!this.#question()) return true; // the gate says what is missing
    if (this.#question() !== this.tried || !["holds", "spent", "held"].includes(this.state)) await this.#once();
    if (this.state === "solved") {
      this.button.focus();
      this.element.scrollIntoView({ block: "center" });
      return false;
    }
    return true;
  }

  /** The first field of the item is the question. */
  #question() {
    const control = this.page.form.querySelector(`[data-item="${CSS.escape(this.item)}"] [data-field] textarea, [data-item="${CSS.escape(this.item)}"] [data-field] input`);
    return control.value.replace(/\s+/g, " ").trim();
  }

  /** The words changed: what was said of others holds no more. */
  #look() {
    if (this.state === "untried" || this.state === "waiting" || this.state === "spent") return;
    if (this.#question() === this.tried) this.#say(this.state);
    else this.#show("changed");
  }

  #once() {
    this.running ??= this.#ask().finally(() => (this.running = undefined));
    return this.running;
  }

  async #ask() {
    const question = this.#question();
    if (question === this.tried && ["holds", "solved", "spent"].includes(this.state)) return this.#say(this.state);
    this.button.setAttribute("aria-disabled", "true");
    this.#say("waiting");
    const body = JSON.stringify({ item: this.item, values: valuesOf(this.page.form) });
    const began = Date.now();
    let answer = { state: "held" };
    while (Date.now() - began < this.patience) {
      const { status, body: said } = await this.page.server.send("try", { method: "POST", body });
      if (status === 200 && said.state !== "waiting") {
        answer = said;
        break;
      }
      if (status >= 400 && status < 500 && status !== 429) {
        answer = { state: "unready", message: said.message || "This page can’t be verified any more. Reload it: what was saved is kept." };
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    this.button.removeAttribute("aria-disabled");
    if (answer.tries_left !== undefined) this.left = answer.tries_left;
    if (answer.state === "unready") {
      this.state = "untried";
      return this.#text("untried", "Not yet:", answer.message);
    }
    this.tried = question;
    this.#say(answer.state);
  }

  #say(state) {
    this.state = state;
    this.#show(state);
  }

  #show(state) {
    this.#text(state, ...SAID[state]);
  }

  #text(state, title, text) {
    this.element.dataset.state = state;
    const head = document.createElement("b");
    head.textContent = title;
    const left = document.createElement("span");
    left.dataset.triesLeft = "";
    left.textContent = this.left === 1 ? "1 try left." : `${this.left} tries left.`;
    const parts = [...(title ? [head, " "] : []), `${text} `];
    if (["untried", "changed", "solved"].includes(state)) parts.push(left);
    this.standing.replaceChildren(...parts);
  }
}
