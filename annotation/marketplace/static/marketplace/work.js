// The work page: counts the time down and moves on when the frame has handed the work in.

const page = document.querySelector("[data-state]");
const clock = document.getElementById("clock");
const spoken = document.getElementById("clock-spoken");
const over = document.getElementById("time-over");
const frame = document.getElementById("task");
const acceptNext = document.getElementById("accept-next");

let ends = Date.now() + Number(clock.dataset.seconds) * 1000;
let said = Infinity;
let leaving = false;

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
  over.hidden = left > 0;
}

async function look() {
  if (leaving) return;
  let state;
  try {
    const response = await fetch(page.dataset.state, { headers: { Accept: "application/json" } });
    if (!response.ok || response.redirected) return;
    state = await response.json();
  } catch {
    return; // offline: the next look will tell
  }
  if (state.status === "Accepted") {
    ends = Date.now() + state.seconds_left * 1000;
    return;
  }
  leaving = true;
  if (state.status === "Submitted" && acceptNext) acceptNext.requestSubmit();
  else window.location.assign(state.next);
}

frame.addEventListener("load", look);
document.addEventListener("visibilitychange", () => document.hidden || look());
setInterval(tick, 1000);
setInterval(look, 10000);
tick();
