/* The review page's comfort: live diff and checks, keys, edits that survive a reload. Decisions are plain posts. */

import { drawDiff, visibleNodes } from "./diff.js";
import { draw } from "../fields/steps/graph.js";
import { read } from "../fields/steps/lines.js";
import { Drafts, addition, dropDecided, readState, writeState } from "./form.js";
import { listen, singleKeys } from "./keys.js";

const CHECK_AFTER = 500;
const page = document.querySelector(".review.outcome");
const form = document.getElementById("decision-form");
const find = (id) => document.getElementById(id);
const { outcome, version, mode, user } = page.dataset;
const drafts = new Drafts(user, outcome, mode);
const problem = find("problem");
const undoStack = [];
let current = JSON.stringify(readState(form));
let findings = null; // of the edits as they stand; null while unknown
let checking = null;
let timer = 0;

// --- Edits ---------------------------------------------------------------------------------------

const asItCame = current;

function redraw() {
  for (const field of form.querySelectorAll("[data-text]")) {
    const line = form.querySelector(`[data-diff-of="${field.name}"]`);
    const changed = field.value !== field.dataset.original;
    line.hidden = !changed;
    if (changed) drawDiff(line.querySelector(".diff"), field.dataset.original, field.value);
  }
  for (const figure of form.querySelectorAll("[data-steps-of]")) {
    const texts = read(form.elements[figure.dataset.stepsOf].value).map(({ text }) => text);
    figure.hidden = !texts.length;
    if (texts.length) draw(figure.querySelector("svg"), texts, Math.max(220, figure.clientWidth - 26));
  }
  for (const box of form.querySelectorAll("[data-added]")) {
    const list = box.closest("[data-field]");
    const given = list.querySelectorAll(".answer").length;
    const removed = list.querySelectorAll(".remove input:checked").length;
    const added = list.querySelectorAll(".short input:checked").length
      + [...box.querySelectorAll("input")].filter((input) => input.value.trim()).length;
    list.querySelector("[data-kept]").textContent = `${given - removed} of ${given} kept${added ? `, ${added} added` : ""}`;
  }
}

function edited() {
  redraw();
  const state = readState(form);
  if (JSON.stringify(state) === asItCame) drafts.drop();
  else drafts.save(version, state);
  unconfirm();
  findings = null;
  delete page.dataset.checked;
  clearTimeout(timer);
  timer = setTimeout(check, CHECK_AFTER);
}

/** A finished edit can be undone as one. */
function finished() {
  const now = JSON.stringify(readState(form));
  if (now === current) return;
  undoStack.push(current);
  current = now;
  find("undo-edit").disabled = false;
}

function undoEdit() {
  document.activeElement?.blur?.();
  finished();
  const before = undoStack.pop();
  if (before === undefined) return;
  current = before;
  writeState(form, JSON.parse(before));
  find("undo-edit").disabled = !undoStack.length;
  edited();
}

form.addEventListener("input", edited);
form.addEventListener("change", finished);

function addAnswer(box, text = "") {
  const input = addition(box, text);
  input.focus();
  if (text) {
    edited();
    finished();
  }
}

for (const button of form.querySelectorAll("[data-add]")) {
  button.hidden = false;
  button.addEventListener("click", () => addAnswer(button.closest("[data-field]").querySelector("[data-added]"), button.dataset.add));
}
for (const box of form.querySelectorAll("[data-added]")) {
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.isComposing) return;
    event.preventDefault();
    finished();
    if (event.target.value?.trim()) addAnswer(box);
  });
}

// --- Checks --------------------------------------------------------------------------------------

async function check() {
  checking?.abort();
  checking = new AbortController();
  const status = find("check-state");
  status.textContent = "checking…";
  const asked = JSON.stringify(readState(form));
  try {
    const answer = await fetch(form.dataset.check, {
      method: "POST",
      body: new FormData(form),
      headers: { Accept: "application/json" },
      signal: checking.signal,
    });
    if (!answer.ok || answer.redirected) throw new Error(`status ${answer.status}`);
    const said = await answer.json();
    if (asked !== JSON.stringify(readState(form))) return;
    findings = said.problem ? [{ level: "block", message: said.problem }] : said.findings;
    showFindings();
    status.textContent = "";
    page.dataset.checked = "";
  } catch (fault) {
    if (fault.name !== "AbortError") status.textContent = "not reached just now: they are run when you decide";
  }
}

function showFindings() {
  const list = find("findings");
  list.replaceChildren(...findings.map(({ level, message }) => {
    const tag = document.createElement("span");
    tag.className = `tag ${{ block: "bad", warn: "warn" }[level] ?? ""}`;
    tag.textContent = level;
    const entry = document.createElement("li");
    entry.append(tag, " ", ...visibleNodes(message));
    return entry;
  }));
  if (!findings.length) {
    const entry = document.createElement("li");
    entry.className = "soft";
    entry.textContent = "Nothing to object.";
    list.append(entry);
  }
}

// --- Deciding ------------------------------------------------------------------------------------

const accept = find("accept");
const acceptKey = accept.querySelector("kbd");

function isConfirmed() {
  return form.elements.confirmed !== undefined;
}

function confirmWarnings() {
  const field = document.createElement("input");
  Object.assign(field, { type: "hidden", name: "confirmed", value: "1" });
  form.append(field);
  accept.replaceChildren("Accept anyway ", acceptKey);
  find("check-state").textContent = "Warnings are open. Accept once more if you are sure.";
}

function unconfirm() {
  if (!isConfirmed()) return;
  form.elements.confirmed.remove();
  accept.replaceChildren("Accept ", acceptKey);
  find("check-state").textContent = "";
}

/** Whether an acceptance may be sent; else says what is in the way. The server asks the same again. */
function mayAccept() {
  if (findings?.some(({ level }) => level === "block")) {
    find("check-state").textContent = "Put this right first, or reject.";
    find("findings").scrollIntoView({ block: "nearest" });
    return false;
  }
  if (findings?.some(({ level }) => level === "warn") && !isConfirmed()) {
    confirmWarnings();
    find("findings").scrollIntoView({ block: "nearest" });
    return false;
  }
  return true;
}

let isSent = false;
form.addEventListener("submit", (event) => {
  if (isSent || (event.submitter === accept && !mayAccept())) {
    event.preventDefault();
    return;
  }
  isSent = true;
  form.elements.seconds.value = Math.round(seconds);
});
window.addEventListener("pageshow", () => { isSent = false; });

const reject = find("reject");
function openReject() {
  reject.open = true;
  reject.scrollIntoView({ block: "nearest" });
  (reject.querySelector("input:checked") ?? reject.querySelector("input")).focus();
}
reject.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target.matches("summary, button")) return;
  event.preventDefault();
  reject.querySelector("button").click();
});
reject.addEventListener("toggle", () => find("open-reject").setAttribute("aria-expanded", String(reject.open)));

// --- Keys ----------------------------------------------------------------------------------------

function toggleAnswer(number) {
  form.querySelectorAll(".answer .remove input")[number - 1]?.click();
}

/** Whether digits stand for reasons: within the form of a rejection, and where a rejection came back for want of one. */
function asksForReason(target) {
  return reject.contains(target) || (target === problem && problem.dataset.problem === "reason");
}

function pickReason(number) {
  const reason = reject.querySelectorAll("input[type=radio]")[number - 1];
  reason?.click();
  reason?.focus();
}

listen({
  a: () => accept.click(),
  confirm: () => accept.click(),
  x: openReject,
  s: () => find("skip").click(),
  z: () => document.querySelector("[data-undo-last]")?.click(),
  u: undoEdit,
  e: () => {
    const field = form.querySelector("[data-text]");
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  },
  n: () => {
    const box = form.querySelector("[data-added]");
    if (box) addAnswer(box);
  },
  digit: (number, target) => (asksForReason(target) ? pickReason(number) : toggleAnswer(number)),
  help: () => find("keys").showModal(),
});

for (const [id, action] of [["open-reject", openReject], ["undo-edit", undoEdit], ["show-keys", () => find("keys").showModal()]]) {
  find(id).hidden = false;
  find(id).addEventListener("click", action);
}
find("single-keys").checked = singleKeys.on;
find("single-keys").addEventListener("change", (event) => { singleKeys.on = event.target.checked; });

// --- Time spent, while the page is looked at -----------------------------------------------------

let seconds = Number(form.elements.seconds.value || 0);
find("time").hidden = false;
setInterval(() => {
  if (document.visibilityState !== "visible") return;
  seconds += 1;
  find("time").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}, 1000);

// --- Edits from before ---------------------------------------------------------------------------

function offerKept(text, use) {
  const kept = find("kept");
  kept.hidden = false;
  kept.querySelector("p").textContent = text;
  kept.querySelector("[data-keep]").hidden = !use;
  kept.querySelector("[data-keep]").addEventListener("click", () => {
    use();
    kept.hidden = true;
  });
  kept.querySelector("[data-drop]").addEventListener("click", () => {
    drafts.drop();
    writeState(form, JSON.parse(asItCame));
    kept.hidden = true;
    finished();
    edited();
  });
}

function restore(draft) {
  writeState(form, draft.state);
  finished();
  edited();
}

dropDecided(page.dataset);
const draft = drafts.load();
const when = draft && new Date(draft.at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
if (draft && !problem && JSON.stringify(draft.state) !== asItCame) {
  if (draft.version === version) {
    restore(draft);
    offerKept(`Your edits of ${when} are back. They were never sent.`, null);
  } else {
    offerKept(`You edited this question at ${when}, before it was decided. Those edits were never sent.`, () => restore(draft));
  }
} else if (problem) {
  // The server gave back what was posted: that is the newest state there is.
  drafts.save(version, readState(form));
}

redraw();
if (problem) problem.focus();
else check();
page.dataset.ready = "";
