// One of several options. Alt and a digit choose from anywhere in the item, also while typing.

import { excusing } from "./excusing.js";

export function mount(element, page) {
  const options = [...element.querySelectorAll("input[type='radio']")];
  const item = element.closest("[data-item]");
  const excuse = excusing(element);
  const show = () => excuse(options.filter((option) => option.checked).map((option) => option.value));
  if (item && item.querySelector("[data-widget='choice']") === element) {
    item.addEventListener("keydown", (event) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const option = options[Number(event.code.match(/^(?:Digit|Numpad)([1-9])$/)?.[1]) - 1];
      if (!option) return;
      event.preventDefault();
      option.checked = true;
      show();
      page.changed();
      page.announce(`Chosen: ${option.closest("label").lastElementChild.textContent}`);
    });
  }
  for (const option of options) option.addEventListener("change", show);
  show();
  return {
    set(values) {
      for (const option of options) option.checked = values.includes(option.value);
      show();
    },
  };
}
