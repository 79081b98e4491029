// Any of several options that say what is wrong. With one set, the field that asks why appears; one that ends the
// work takes the asking out of another field.

import { excusing } from "./excusing.js";

export function mount(element, page) {
  const boxes = [...element.querySelectorAll("input[type='checkbox']")];
  const item = element.closest("[data-item]");
  const fieldOf = (name) => name && item.querySelector(`[data-field="${CSS.escape(`${element.dataset.field.split(".")[0]}.${name}`)}"]`);
  const reason = fieldOf(element.dataset.reason);
  const excuse = excusing(element);
  // Where the reason is asked for, it is no longer something that one may leave out.
  reason?.querySelector("label .soft")?.remove();

  function show() {
    const set = boxes.filter((box) => box.checked).map((box) => box.value);
    if (reason) {
      reason.hidden = !set.length && !reason.querySelector("input, textarea").value.trim();
      reason.toggleAttribute("data-optional", !set.length);
    }
    excuse(set);
  }

  for (const box of boxes) box.addEventListener("change", show);
  show();
  return {
    set(values) {
      for (const box of boxes) box.checked = values.includes(box.value);
      show();
    },
  };
}
