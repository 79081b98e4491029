/* The decision form's state as plain values: read, put back, and kept in the browser until the server has it. */

// What is not the reviewer's typing.
const TECHNICAL = new Set(["csrfmiddlewaretoken", "version", "mode", "seconds", "confirmed", "stage", "show", "take_over"]);

/** The form's fields as [name, value] pairs, blank additions left out. */
export function readState(form) {
  return [...new FormData(form)].filter(([name, value]) => !TECHNICAL.has(name) && !(name.endsWith(".add") && !value.trim()));
}

/** Puts values back into the form. */
export function writeState(form, state) {
  const values = new Map();
  for (const [name, value] of state) values.set(name, [...(values.get(name) ?? []), value]);
  for (const box of form.querySelectorAll("[data-added]")) writeAdditions(box, values.get(`${box.dataset.added}.add`) ?? []);
  for (const field of form.elements) {
    if (!field.name || TECHNICAL.has(field.name) || field.name.endsWith(".add")) continue;
    const given = values.get(field.name) ?? [];
    if (field.type === "checkbox" || field.type === "radio") field.checked = given.includes(field.value);
    else if (field.tagName === "TEXTAREA" || field.type === "text") field.value = given[0] ?? "";
  }
}

function writeAdditions(box, texts) {
  const lines = [...box.querySelectorAll(".add-line")];
  for (const line of lines.slice(1)) line.remove();
  lines[0].querySelector("input").value = "";
  for (const text of texts) addition(box, text);
}

/** A field for one more answer: the empty one at the end, filled; another empty one follows. */
export function addition(box, text = "") {
  const lines = [...box.querySelectorAll(".add-line")];
  let line = lines.find((each) => !each.querySelector("input").value.trim());
  if (!line) line = emptyLine(box, lines[lines.length - 1]);
  const input = line.querySelector("input");
  if (text) {
    input.value = text;
    if (!box.querySelector(".add-line:last-child input") || box.lastElementChild === line) emptyLine(box, line);
  }
  return input;
}

function emptyLine(box, like) {
  const line = like.cloneNode(true);
  const input = line.querySelector("input");
  input.id = `${box.dataset.added}-add-${box.querySelectorAll(".add-line").length + 1}-${Math.random().toString(36).slice(2, 6)}`;
  line.querySelector("label").htmlFor = input.id;
  input.value = "";
  box.append(line);
  return line;
}

/** Edits that outlive a reload, in this browser, by person and question. */
export class Drafts {
  constructor(user, outcome, mode) {
    this.prefix = `review:${user}:`;
    this.key = `${this.prefix}${outcome}:${mode}`;
  }

  save(version, state) {
    this.#try((store) => store.setItem(this.key, JSON.stringify({ version, state, at: Date.now() })));
  }

  load() {
    return this.#try((store) => JSON.parse(store.getItem(this.key) ?? "null"));
  }

  drop() {
    this.#try((store) => store.removeItem(this.key));
  }

  #try(use) {
    try {
      return use(window.localStorage);
    } catch {
      return null; // storage is off: the page works without
    }
  }
}

/**
 * Drops the drafts of the question that the server says this person has decided (`done`, now in `doneVersion`).
 * What was typed after that decision is of its newest version, and stays.
 */
export function dropDecided({ user, done, doneVersion }) {
  if (!done) return;
  new Drafts(user, done, "blind").drop();
  const open = new Drafts(user, done, "");
  if (open.load()?.version !== doneVersion) open.drop();
}

/** Drops the drafts of the trial that this person has graded (`done`), in the states in which they did. */
export function dropGraded({ user, done, doneStates }) {
  if (!done) return;
  for (const state of doneStates.split(" ")) new Drafts(user, `trial-${done}`, state).drop();
}
