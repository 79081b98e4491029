// Two tabs, two versions. Shows where they differ and lets the worker choose; the other one stays at hand.

import { fingerprint, inWords, nameInWords } from "./form.js";
import { clockTime, textElement } from "./words.js";

export class Conflict {
  constructor(page, drafts) {
    Object.assign(this, { page, drafts });
    this.panel = document.querySelector("[data-conflict]");
  }

  /** `other` is what the server has ({values, revision, saved_at}); `mine` what was typed here. */
  open(other, mine) {
    Object.assign(this, { other, mine });
    const when = other.saved_at ? ` at ${clockTime(other.saved_at)}` : "";
    this.#show(
      "There are two versions of your answers",
      `Other words were saved${when}, from another tab or an earlier visit. Which ones do you want to go on with?`,
      [
        ["Keep what I typed here", () => this.#choose(this.mine, "Kept what you typed here.", "Take the other after all", this.other.values), true],
        ["Take the other", () => this.#choose(this.other.values, "Took the other version.", "Bring back mine", this.mine)],
      ],
      this.#differences(),
    );
    this.page.announce("There are two versions of your answers. Please choose one.");
    this.panel.focus();
  }

  #choose(values, done, back, rest) {
    this.drafts.settle(values, this.other.revision);
    this.page.announce(done);
    this.#show(done, "The other version is not lost as long as this page is open.", [
      [back, () => this.#choose(rest, "Changed.", "Change back", values)],
      ["Close", () => this.#close()],
    ]);
    this.panel.querySelector("button").focus();
  }

  #close() {
    this.panel.hidden = true;
    this.page.form.querySelector("[data-item] h2").focus();
  }

  #differences() {
    const names = new Set([...Object.keys(this.mine), ...Object.keys(this.other.values)]);
    const list = document.createElement("dl");
    for (const name of names) {
      const [here, there] = [this.mine[name], this.other.values[name]];
      if (fingerprint({ a: here ?? [] }) === fingerprint({ a: there ?? [] })) continue;
      list.append(
        textElement("dt", nameInWords(this.page.form, name)),
        this.#version("Here", name, here),
        this.#version("The other", name, there),
      );
    }
    return list;
  }

  #version(label, name, given) {
    const entry = document.createElement("dd");
    entry.append(textElement("b", label), textElement("span", inWords(this.page.form, name, given)));
    return entry;
  }

  #show(title, text, buttons, more) {
    const row = document.createElement("div");
    row.className = "row";
    for (const [label, act, isFirst] of buttons) {
      const button = textElement("button", label);
      button.type = "button";
      if (isFirst) button.className = "primary";
      button.addEventListener("click", act);
      row.append(button);
    }
    this.panel.classList.toggle("bad", Boolean(more));
    this.panel.replaceChildren(textElement("h2", title), textElement("p", text), ...(more ? [more] : []), row);
    this.panel.hidden = false;
  }
}
