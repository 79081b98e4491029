// Small pieces of text for pages.

export function textElement(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

export function clockTime(iso) {
  return new Date(iso).toLocaleTimeString([], { hour: "numeric", minute: "2-digit" });
}
