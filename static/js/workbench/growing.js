// A textarea as high as what is typed into it.

/** `least`: how low it may be, in pixels. */
export function grow(control, least = 0) {
  control.style.height = "auto";
  control.style.height = `${Math.max(least, control.scrollHeight + 2)}px`;
}
