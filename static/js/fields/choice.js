// One of several options. Alt and a digit choose from anywhere in the item, also while typing.

export function mount(element, page) {
  const options = [...element.querySelectorAll("input[type='radio']")];
  const item = element.closest("[data-item]");
  if (item && item.querySelector("[data-widget='choice']") === element) {
    item.addEventListener("keydown", (event) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const option = options[Number(event.code.match(/^(?:Digit|Numpad)([1-9])$/)?.[1]) - 1];
      if (!option) return;
      event.preventDefault();
      option.checked = true;
      page.changed();
      page.announce(`Chosen: ${option.closest("label").lastElementChild.textContent}`);
    });
  }
  return {};
}
