// Keeps a page's live parts fresh while it is looked at. Only what changed is replaced, never what
// holds the focus or is being typed in; open details stay open.

import { localTimes } from "./page.js";

const SECONDS = 20;
const SECONDS_WHILE_BUILDING = 3;
const said = document.querySelector("[data-refreshed]");
let failures = 0;

function openKeys(part) {
  return [...part.querySelectorAll("details[open][data-keep]")].map((details) => details.dataset.keep);
}

// What a part was before a reader touched it: without their zone's times and what they opened.
function asServed(part) {
  const copy = part.cloneNode(true);
  for (const time of copy.querySelectorAll("time[datetime]")) time.removeAttribute("title");
  for (const details of copy.querySelectorAll("details[data-keep]")) details.removeAttribute("open");
  return copy.innerHTML;
}

function replace(part, fresh) {
  if (asServed(part) === asServed(fresh) || part.contains(document.activeElement)) return;
  const open = openKeys(part);
  part.replaceChildren(...fresh.childNodes);
  for (const key of open) part.querySelector(`details[data-keep="${CSS.escape(key)}"]`)?.setAttribute("open", "");
  localTimes(part);
}

async function refresh() {
  const response = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!response.ok || response.redirected) throw new Error(`answered ${response.status}`);
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const part of document.querySelectorAll("[data-live]")) {
    const twin = fresh.querySelector(`[data-live="${CSS.escape(part.dataset.live)}"]`);
    if (twin) replace(part, twin);
  }
}

function say(text) {
  if (!said) return;
  said.hidden = false;
  said.textContent = text;
}

async function turn() {
  if (!document.hidden) {
    try {
      await refresh();
      failures = 0;
      say(`Fresh at ${new Date().toLocaleTimeString()}; refreshed by itself.`);
    } catch {
      failures += 1;
      say("Could not be refreshed; trying again. Reload the page if this stays.");
    }
  }
  const pause = document.querySelector("[data-refresh-soon]") ? SECONDS_WHILE_BUILDING : SECONDS;
  setTimeout(turn, pause * 1000 * 2 ** Math.min(failures, 4));
}

setTimeout(turn, (document.querySelector("[data-refresh-soon]") ? SECONDS_WHILE_BUILDING : SECONDS) * 1000);
