// Moves entries of a list by their handles, with mouse, pen or finger. Keys and buttons do the same elsewhere.

// So near to the edge the page scrolls, by so much a frame.
const EDGE = 70;
const STEP = 8;

/** `moved(from, to)`: the entry at `from` was dropped at `to`, both places counted from 0. */
export function makeDraggable(list, moved) {
  list.addEventListener("pointerdown", (event) => {
    const handle = event.target.closest("[data-handle]");
    if (!handle || event.button !== 0) return;
    event.preventDefault();
    new Drag(list, handle, event, moved);
  });
}

class Drag {
  constructor(list, handle, event, moved) {
    this.entries = [...list.children];
    this.entry = handle.closest("li");
    this.from = this.entries.indexOf(this.entry);
    this.to = this.from;
    this.moved = moved;
    this.start = event.clientY + scrollY;
    this.handle = handle;
    // What is told of the pointer until it is let go, wherever it goes.
    this.ends = new AbortController();
    const { signal } = this.ends;
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener("pointermove", (each) => this.#follow(each.clientY), { signal });
    handle.addEventListener("pointerup", () => this.#end(true), { signal });
    handle.addEventListener("pointercancel", () => this.#end(false), { signal });
    addEventListener("keydown", (each) => each.key === "Escape" && this.#end(false), { signal });
    this.entry.classList.add("dragged");
    this.pointer = event.clientY;
    requestAnimationFrame(() => this.#scroll());
  }

  /** Held near the upper or lower edge, the page goes on. */
  #scroll() {
    if (this.ends.signal.aborted) return;
    const by = this.pointer < EDGE ? -STEP : this.pointer > innerHeight - EDGE ? STEP : 0;
    if (by) {
      scrollBy(0, by);
      this.#follow(this.pointer);
    }
    requestAnimationFrame(() => this.#scroll());
  }

  #follow(pointer) {
    this.pointer = pointer;
    this.entry.style.transform = `translateY(${pointer + scrollY - this.start}px)`;
    const others = this.entries.filter((each) => each !== this.entry);
    const middle = (each) => each.getBoundingClientRect().top + each.offsetHeight / 2;
    this.to = others.filter((each) => middle(each) < pointer).length;
    for (const each of this.entries) each.classList.remove("drop-before", "drop-after");
    if (this.to === this.from) return;
    if (this.to < others.length) others[this.to].classList.add("drop-before");
    else others.at(-1).classList.add("drop-after");
  }

  #end(isDropped) {
    this.ends.abort();
    this.entry.style.transform = "";
    for (const each of this.entries) each.classList.remove("dragged", "drop-before", "drop-after");
    if (isDropped && this.to !== this.from) this.moved(this.from, this.to);
  }
}
