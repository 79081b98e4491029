// A task page at work: mounts the fields' widgets, saves drafts, shows findings, keeps time, hands in.
// Without this script the page is a plain form.

import { Drafts } from "./drafts.js";
import { Conflict } from "./conflict.js";
import { Findings } from "./findings.js";
import { HandingIn } from "./handing-in.js";
import { Server } from "./server.js";
import { valuesOf } from "./form.js";
import { startClock } from "./clock.js";
import { startKeys } from "./keys.js";

const form = document.querySelector("[data-work]");
const data = JSON.parse(document.getElementById("page-data").textContent);
const announcer = document.querySelector("[data-announcer]");

/** What widgets and helpers may use. */
const page = {
  form,
  widgets: new Map(),
  server: new Server(data.context),

  /** Says something to people who listen to the page rather than look at it. */
  announce(text) {
    announcer.textContent = "";
    setTimeout(() => (announcer.textContent = text), 50);
  },

  /** A widget's value changed by its own doing. */
  changed() {
    drafts?.touch();
    page.progress();
  },

  /** Which items are done: everything asked for is filled in, and nothing is left to fix. */
  progress() {
    const values = valuesOf(form);
    let done = 0;
    for (const item of form.querySelectorAll("[data-item]")) {
      const fields = [...item.querySelectorAll("[data-field]:not([data-optional])")];
      // A widget may ask for more than that something was typed.
      const isComplete = (name) => page.widgets.get(name)?.isComplete?.() ?? true;
      const isOpen = findings?.open.has(item.dataset.item);
      const isFilled = !isOpen && fields.every(({ dataset: { field } }) => values[field] && isComplete(field));
      const isBlocked = findings?.blocked.has(item.dataset.item);
      const isWarned = findings?.warned.has(item.dataset.item);
      const state = item.querySelector("[data-state]");
      const [text, tone] = isBlocked ? ["Please fix", "bad"] : isFilled && isWarned ? ["Please check", "warn"] : isFilled ? ["Done", "good"] : ["", ""];
      if (state.textContent !== text) state.textContent = text;
      state.className = `tag state ${tone}`;
      done += isFilled && !isBlocked;
    }
    const place = document.querySelector("[data-progress]");
    if (place.textContent !== String(done)) place.textContent = done;
  },
};

let drafts;
let findings;

async function mountWidgets() {
  const elements = [...form.querySelectorAll("[data-widget]")];
  const modules = await Promise.all(elements.map((element) => import(element.dataset.module).catch(() => null)));
  elements.forEach((element, place) => {
    let widget;
    try {
      widget = modules[place]?.mount(element, page);
    } catch (error) {
      // Its plain inputs still work, and so do saving and handing in.
      console.error(error);
    }
    if (widget) page.widgets.set(element.dataset.field ?? element.id, widget);
  });
}

function rememberInstructions() {
  const instructions = document.querySelector("[data-instructions]");
  const key = "crowdwright:instructions";
  try {
    if (localStorage.getItem(key) === "closed") instructions.open = false;
    instructions.addEventListener("toggle", () => localStorage.setItem(key, instructions.open ? "open" : "closed"));
  } catch {
    /* no storage in this frame: they are open at each visit */
  }
}

function warnUnlessFramed() {
  if (window.top !== window.self) return;
  document.querySelector("[data-not-framed]").hidden = false;
  const button = form.querySelector("[data-hand-in]");
  button.setAttribute("aria-disabled", "true");
  button.textContent = "Hand in from your HIT tab";
}

await mountWidgets();
findings = new Findings(page);
findings.isStrict = data.returned;
drafts = new Drafts(page, data, {
  onChecking: (revision) => findings.expect(revision),
  untilNextCheck: () => findings.untilNext(),
  onConflict: (other, mine) => conflict.open(other, mine),
  onGone: () => handingIn.gone(),
});
const conflict = new Conflict(page, drafts);
const handingIn = new HandingIn(page, drafts, findings);

form.addEventListener("input", () => page.changed());
form.addEventListener("change", ({ target }) => {
  page.changed();
  // A choice is made at once; what is typed is done when its field is left.
  if (["radio", "checkbox", "select-one"].includes(target.type)) drafts.leave();
});
form.addEventListener("focusout", ({ target, relatedTarget }) => {
  const field = target.closest("[data-field]");
  if (field && !field.contains(relatedTarget)) drafts.leave();
});
addEventListener("pageshow", (event) => {
  // Back from the marketplace to a page out of the browser's memory: ask the server where this HIT stands.
  if (event.persisted) location.reload();
});
rememberInstructions();
warnUnlessFramed();
startClock(data, page.announce);
startKeys(form, () => form.requestSubmit());
page.progress();
if (data.live) {
  findings.take(data.live);
  if (data.live.revision < data.revision) findings.expect(data.revision);
}
if (data.returned) drafts.touch();
else {
  drafts.restore();
  drafts.catchUp();
}
document.documentElement.dataset.ready = "";
