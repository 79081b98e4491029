// Pieces of drawings.

const NS = "http://www.w3.org/2000/svg";

export function make(name, attributes = {}, text = "") {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  return element;
}

/** The head of arrows that end in `url(#id)`. */
export function arrowHead(id, orient = "auto") {
  const marker = make("marker", { id, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 8, markerHeight: 8, orient });
  marker.append(make("path", { d: "M0 0 L10 5 L0 10 z", class: "head" }));
  const defs = make("defs");
  defs.append(marker);
  return defs;
}

/** Makes a picture of an <svg>, so large, and says in words what it shows. */
export function frame(svg, width, height, said) {
  const attributes = { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": said };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
}
