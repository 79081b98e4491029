// Saves what is typed: a second after the last key, at least every five, and when the page goes out of
// sight. "Saved" is only ever said of what the server acknowledged; what it has not is tried for ever.
// A save asks for checks too when a field is left or the typing pauses, for a page has only so many.

import { fill, fingerprint, valuesOf } from "./form.js";
import { Mirror } from "./mirror.js";
import { clockTime } from "./words.js";

const AFTER_LAST_KEY = 1_000;
const AT_LEAST_EVERY = 5_000;
const CHECKED_AFTER_LAST_KEY = 3_000;
const LONGEST_WAIT = 30_000;
// When a page that has just been opened asks whether the last save of the one before it came in meanwhile.
const ASK_AGAIN_AFTER = [0, 2_000];

export class Drafts {
  /** `page` has form, widgets, server, announce; `onChecking(revision)` and `onConflict(other)` are told the news. */
  constructor(page, { revision, draft, saved_at: savedAt, assignment }, { onChecking, untilNextCheck, onConflict, onGone }) {
    Object.assign(this, { page, revision, onChecking, untilNextCheck, onConflict, onGone });
    // Up to which revision checks were asked for.
    this.asked = revision;
    this.status = document.querySelector("[data-saved]");
    this.mirror = new Mirror(assignment);
    this.acknowledged = fingerprint(draft ?? valuesOf(page.form));
    this.failures = 0;
    this.isStopped = false;
    this.isWaiting = false;
    if (savedAt) this.#say(`Saved at ${clockTime(savedAt)}`, "good");
    else this.#say("Nothing typed yet");
    // Before the next page is asked for, and, since not every browser says so in time, when this one goes out of sight.
    addEventListener("beforeunload", () => this.save({ keepalive: true }));
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.save({ keepalive: true });
    });
    addEventListener("online", () => this.save());
  }

  /** Brings back what an earlier visit left unsaved. */
  restore() {
    const left = this.mirror.left();
    const here = valuesOf(this.page.form);
    if (!left || fingerprint(left.values) === fingerprint(here)) return;
    if (left.revision < this.revision) {
      this.#meet({ revision: this.revision, values: here, saved_at: null }, left.values);
      return;
    }
    fill(this.page.form, left.values, this.page.widgets);
    this.page.announce("Words that had not been saved yet were brought back.");
    this.touch();
  }

  /** Takes what an earlier page saved while this one was on its way. Words that are typed here stay. */
  async catchUp() {
    for (const wait of ASK_AGAIN_AFTER) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      if (this.#isTouched()) return;
      const { status, body } = await this.page.server.send(`draft?after=${this.revision}`);
      // What was typed meanwhile is saved as always: where the two differ, the worker is asked.
      if (this.#isTouched()) return;
      if (status === 409) return this.#end(body);
      if (status === 200 && body.revision > this.revision) this.#take(body);
    }
  }

  #isTouched() {
    return this.isStopped || this.isWaiting || fingerprint(valuesOf(this.page.form)) !== this.acknowledged;
  }

  #take({ revision, values, saved_at: savedAt }) {
    fill(this.page.form, values, this.page.widgets);
    Object.assign(this, { revision, savedAt, acknowledged: fingerprint(valuesOf(this.page.form)) });
    this.#rest();
    this.page.progress();
    this.page.announce("Words that were saved last are on the page now.");
    this.asked = revision;
    this.onChecking(revision);
  }

  /** Something was typed. */
  touch() {
    if (this.isStopped) return;
    this.firstUnsaved ??= Date.now();
    this.mirror.keep(valuesOf(this.page.form), this.revision);
    if (!this.failures && !this.isWaiting) this.#say("Not saved yet …");
    const soon = Math.min(AFTER_LAST_KEY, Math.max(0, this.firstUnsaved + AT_LEAST_EVERY - Date.now()));
    if (!this.failures) this.#schedule(soon);
    if (!this.hasLeft) this.#scheduleCheck(CHECKED_AFTER_LAST_KEY);
  }

  /** A field was left: what is said of it is wanted now. */
  leave() {
    if (this.isStopped || (this.asked >= this.revision && !this.#isTouched())) return;
    this.hasLeft = true;
    this.#scheduleCheck(0);
  }

  #scheduleCheck(wait) {
    clearTimeout(this.checkTimer);
    this.checkTimer = setTimeout(() => this.save({ asks: true }), Math.max(wait, this.untilNextCheck()));
  }

  /** `asks`: for checks too, of words that may be saved already. */
  async save({ keepalive = false, asks = false } = {}) {
    if (asks && this.isSaving) return this.#scheduleCheck(AFTER_LAST_KEY);
    if (this.isStopped || this.isWaiting || (this.isSaving && !keepalive)) return;
    const values = valuesOf(this.page.form);
    const sent = fingerprint(values);
    if (sent === this.acknowledged && !(asks && this.asked < this.revision)) return this.#rest();
    if (keepalive && sent === this.leftWith) return;
    clearTimeout(this.timer);
    this.isSaving = true;
    this.leftWith = keepalive ? sent : undefined;
    this.mirror.turn += 1;
    const body = JSON.stringify({
      base_revision: this.revision,
      values,
      tab: this.mirror.tab,
      turn: this.mirror.turn,
      check: asks,
    });
    if (asks) this.hasLeft = false;
    const answer = await this.page.server.send("draft", { method: "POST", body, keepalive });
    this.isSaving = false;
    this.leftWith = undefined;
    this.#hear(answer, sent, asks);
  }

  #hear({ status, body }, sent, asks) {
    if (this.isStopped) return;
    if (status === 200) return this.#acknowledge(body, sent, asks);
    if (status === 409 && body.problem === "conflict") return this.#meet(body, valuesOf(this.page.form));
    if (status === 409) return this.#end(body);
    if (status === 400) return this.#say(`Can’t be saved: ${body.message}`, "bad");
    if (status === 403) return this.#say("Can’t be saved any more. Reload this page: what was saved is kept.", "bad");
    this.#retry();
  }

  #acknowledge({ revision, saved_at: savedAt }, sent, asks) {
    if (this.failures) this.page.announce("Saved again.");
    this.failures = 0;
    this.revision = Math.max(revision, this.revision);
    this.acknowledged = sent;
    this.savedAt = savedAt;
    if (asks) {
      this.asked = this.revision;
      this.onChecking(this.revision);
    }
    if (fingerprint(valuesOf(this.page.form)) === sent) this.#rest();
    else this.touch();
  }

  /** All that is on the page is on the server. */
  #rest() {
    this.firstUnsaved = undefined;
    this.mirror.clear();
    if (this.savedAt) this.#say(`Saved at ${clockTime(this.savedAt)}`, "good");
  }

  #retry() {
    this.failures += 1;
    const wait = Math.min(1_000 * 2 ** (this.failures - 1), LONGEST_WAIT);
    this.#say(`Not saved. Trying again in ${Math.round(wait / 1000)} s`, "bad");
    if (this.failures === 1) this.page.announce("Your words could not be saved. The page keeps trying.");
    this.#schedule(wait);
  }

  #schedule(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), wait);
  }

  /** Another tab saved other words. Nothing is saved until the worker has chosen. */
  #meet(other, mine) {
    this.isWaiting = true;
    clearTimeout(this.timer);
    this.#say("Two versions: choose one", "bad");
    this.onConflict(other, mine);
  }

  /** The worker chose: these are the words now, on top of what the other tab saved. */
  settle(values, revision) {
    this.isWaiting = false;
    this.revision = Math.max(revision, this.revision);
    this.acknowledged = "";
    fill(this.page.form, values, this.page.widgets);
    this.touch();
    return this.save();
  }

  #end({ state }) {
    this.stop();
    this.#say("Handed in from another tab");
    this.onGone(state);
  }

  /** No more saving: the work is being handed in, or was. */
  stop() {
    this.isStopped = true;
    clearTimeout(this.timer);
    clearTimeout(this.checkTimer);
  }

  resume() {
    this.isStopped = false;
    this.isSaving = false;
    this.touch();
  }

  #say(text, tone = "") {
    if (this.status.textContent !== text) this.status.textContent = text;
    this.status.dataset.tone = tone;
  }
}
