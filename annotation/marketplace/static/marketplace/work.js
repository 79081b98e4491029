// The work page: counts the time down and moves on when the frame has handed the work in. What is in the
// frame is left alone as long as it may hold words that were handed in nowhere.

const page = document.querySelector("[data-state]");
const clock = document.getElementById("clock");
const spoken = document.getElementById("clock-spoken");
const over = document.getElementById("time-over");
const returned = document.getElementById("returned");
const frame = document.getElementById("task");
const acceptNext = document.getElementById("accept-next");

let ends = Date.now() + Number(clock.dataset.seconds) * 1000;
let said = Infinity;
let done = false;

function words(seconds) {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = String(seconds % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

function tick() {
  const left = Math.max(0, Math.round((ends - Date.now()) / 1000));
  clock.textContent = words(left);
  clock.classList.toggle("short", left < 120);
  for (const mark of [600, 300, 120, 60]) {
    if (left <= mark && said > mark && Number(clock.dataset.seconds) > mark) {
      spoken.textContent = mark > 60 ? `${mark / 60} minutes left` : "One minute left";
      said = mark;
      break;
    }
  }
  over.hidden = left > 0 || !returned.hidden;
}

async function look() {
  if (done) return;
  let state;
  try {
    const response = await fetch(page.dataset.state, { headers: { Accept: "application/json" } });
    if (!response.ok || response.redirected) return;
    state = await response.json();
  } catch {
    return; // offline: the next look will tell
  }
  if (done) return; // another look was quicker
  if (state.status === "Accepted") {
    ends = Date.now() + state.seconds_left * 1000;
    return;
  }
  done = true;
  if (state.status === "Abandoned" || state.status === "Returned") {
    returned.hidden = state.status !== "Returned";
    ends = Date.now();
    tick();
  } else if (state.status !== "Rejected" && acceptNext) {
    acceptNext.requestSubmit();
  } else {
    window.location.assign(state.next);
  }
}

frame.addEventListener("load", look);
document.addEventListener("visibilitychange", () => document.hidden || look());
setInterval(tick, 1000);
setInterval(look, 10000);
tick();
