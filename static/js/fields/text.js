// Free text. Several lines grow with what is typed.

import { grow } from "../workbench/growing.js";

export function mount(element, page) {
  const control = element.querySelector("input, textarea");
  if (control.tagName !== "TEXTAREA") return {};
  control.addEventListener("input", () => grow(control));
  if (control.value) grow(control);
  return {
    set(values) {
      control.value = values.at(-1) ?? "";
      grow(control);
    },
  };
}
