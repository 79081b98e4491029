/* The grading page's comfort: keys, the sum of points, words that survive a reload. A grade is a plain post. */

import { Drafts, dropGraded, readState, writeState } from "./form.js";
import { listen, singleKeys } from "./keys.js";

const page = document.querySelector(".review.trial");
const form = document.getElementById("grade-form");
const find = (id) => document.getElementById(id);
const keys = find("keys");

find("show-keys").hidden = false;
find("show-keys").addEventListener("click", () => keys.showModal());
const single = find("single-keys");
single.checked = singleKeys.on;
single.addEventListener("change", () => { singleKeys.on = single.checked; });

dropGraded(page.dataset);
if (form) grading();
page.dataset.ready = "";

function grading() {
  const drafts = new Drafts(page.dataset.user, `trial-${page.dataset.trial}`, page.dataset.state);
  const questions = [...form.querySelectorAll("[data-criterion]")];
  const began = Date.now() - 1000 * (Number(form.elements.seconds.value) || 0);
  const missing = find("missing");
  let marked = -1;

  const kept = drafts.load();
  // What a refused page gives back is the newest there is.
  if (find("problem")) drafts.save("1", readState(form));
  else if (kept?.version === "1") writeState(form, kept.state);
  sum();

  function sum() {
    const given = questions.map((question) => question.querySelector("input:checked")).filter(Boolean);
    const most = questions.reduce((total, question) => total + question.querySelectorAll("input").length - 1, 0);
    find("points-sum").textContent = `${given.reduce((total, input) => total + Number(input.value), 0)} of ${most} points`
      + (given.length < questions.length ? `, ${questions.length - given.length} open` : "");
  }

  form.addEventListener("input", (event) => {
    event.target.closest("[data-criterion]")?.classList.remove("missing");
    missing.hidden = true;
    sum();
    drafts.save("1", readState(form));
  });

  /** Marks a question as the one that digits answer. */
  function mark(place) {
    questions[marked]?.removeAttribute("data-marked");
    marked = Math.max(0, Math.min(place, questions.length - 1));
    questions[marked].setAttribute("data-marked", "");
    const level = questions[marked].querySelector("input:checked") ?? questions[marked].querySelector("input");
    level.focus({ preventScroll: true });
    questions[marked].scrollIntoView({ block: "nearest" });
  }

  for (const [place, question] of questions.entries()) {
    question.addEventListener("focusin", () => {
      questions[marked]?.removeAttribute("data-marked");
      marked = place;
      question.setAttribute("data-marked", "");
    });
  }

  function choose(number) {
    if (marked < 0) mark(0);
    const level = questions[marked].querySelectorAll("input")[number - 1];
    if (!level) return;
    level.checked = true;
    level.dispatchEvent(new Event("input", { bubbles: true }));
    if (marked < questions.length - 1) mark(marked + 1);
  }

  /** What is in the way of a verdict, said beside the form; the server asks the same again. */
  function objection(verdict) {
    const open = questions.find((question) => !question.querySelector("input:checked"));
    if (open) {
      open.classList.add("missing");
      mark(questions.indexOf(open));
      return `Give points for: ${open.querySelector("legend").textContent.trim()}`;
    }
    if (verdict !== "pass" && !form.elements.feedback.value.trim()) {
      form.elements.feedback.focus();
      return "Say in a sentence or two what was missing: the worker reads it.";
    }
    return "";
  }

  let isSent = false;
  form.addEventListener("submit", (event) => {
    const verdict = event.submitter?.name === "verdict" ? event.submitter.value : "";
    const said = verdict ? objection(verdict) : "";
    if (said) {
      missing.textContent = said;
      missing.hidden = false;
    }
    if (said || isSent) {
      event.preventDefault();
      return;
    }
    isSent = true;
    form.elements.seconds.value = Math.round((Date.now() - began) / 1000);
  });
  window.addEventListener("pageshow", () => { isSent = false; });

  const press = (id) => () => find(id)?.click();
  listen({
    digit: choose,
    j: () => mark(marked + 1),
    k: () => mark(marked - 1),
    w: () => form.elements.feedback.focus(),
    p: press("pass"),
    t: press("again"),
    f: press("fail"),
    s: press("skip"),
    help: () => keys.showModal(),
  });
  find("problem")?.focus();
}
