// The time left, as the server counted it when the page was opened.

const WARN_AT = [600, 300, 60];

export function startClock({ seconds_left: secondsLeft, seconds_allowed: allowed }, announce) {
  const place = document.querySelector("[data-time]");
  const started = performance.now();
  const told = new Set(WARN_AT.filter((seconds) => seconds >= secondsLeft || seconds >= allowed));

  function tick() {
    const left = secondsLeft - Math.floor((performance.now() - started) / 1000);
    const text = inWords(left);
    if (place.textContent !== text) place.textContent = text;
    place.dataset.tone = left <= 0 ? "bad" : left <= Math.min(300, allowed / 5) ? "warn" : "";
    for (const seconds of WARN_AT) {
      if (left > 0 && left <= seconds && !told.has(seconds)) {
        told.add(seconds);
        announce(`${inWords(left)}.`);
      }
    }
    if (left <= 0 && !told.has(0)) {
      told.add(0);
      announce("The time is over. Hand in now: your work is kept, even if the marketplace no longer takes it.");
    }
    setTimeout(tick, left > 0 && left <= 90 ? 1_000 : 5_000);
  }
  tick();
}

function inWords(seconds) {
  if (seconds <= 0) return "Time is over – hand in now";
  if (seconds < 60) return `${seconds} s left`;
  const minutes = Math.floor(seconds / 60);
  return minutes >= 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min left` : `${minutes} min left`;
}
