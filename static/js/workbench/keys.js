// Keys that work while typing: all of them need a modifier.

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.platform);

export function startKeys(form, handIn) {
  if (IS_APPLE) {
    for (const key of document.querySelectorAll("[data-modifier]")) key.textContent = "⌘";
    for (const key of document.querySelectorAll("[data-alt]")) key.textContent = "⌥";
  }
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    event.preventDefault();
    const items = [...form.querySelectorAll("[data-item]")];
    const here = items.indexOf(document.activeElement?.closest("[data-item]"));
    const isAfterItems = here < 0 && form.contains(document.activeElement);
    const next = items[here + 1];
    if (isAfterItems || !next) handIn();
    else focusFirst(next);
  });
}

/** Focus an item's first control, with the item's beginning in view below the line that stays on top. */
export function focusFirst(item) {
  const control = item.querySelector("input:not([type='hidden']), textarea:not([hidden]), select, button");
  control?.focus({ preventScroll: true });
  item.scrollIntoView({ block: "start" });
}
