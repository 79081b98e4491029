// A derivation as a small graph: heads and tails as boxes one below the other, relations as arrows between them.

import { arrowHead, frame, make } from "../svg.js";

const ROW = 84;
const BOX = 38;
const LETTER = 8;

/** Draws complete steps into an <svg>; an incomplete part shows as "…". Says in words what it shows. */
export function draw(svg, steps, width) {
  const nodes = new Map();
  const node = (text) => {
    const key = folded(text);
    if (!nodes.has(key)) nodes.set(key, { text, place: nodes.size });
    return nodes.get(key).place;
  };
  const edges = steps.map((step, number) => ({
    // What is still empty is no common end of two steps.
    from: node(step.head.trim() || `… ${number}`),
    to: node(step.tail.trim() || `… ${number} tail`),
    label: step.relation.trim() || "…",
  }));
  const box = Math.min(Math.round(width * 0.7), Math.max(...[...nodes.values()].map(({ text }) => text.length * LETTER + 28), 90));
  const height = Math.max(nodes.size * ROW - (ROW - BOX) + 4, BOX + 4);
  frame(svg, width, height, `Your steps as a graph. ${steps.map(inWords).join(" ")}`);
  const head = `${svg.id}-head`;
  const seen = new Map();
  const lines = edges.map((edge) => {
    const pair = `${Math.min(edge.from, edge.to)}-${Math.max(edge.from, edge.to)}`;
    const before = seen.get(pair) ?? 0;
    seen.set(pair, before + 1);
    return arrow(edge, before, box, width, head);
  });
  svg.replaceChildren(arrowHead(head, "auto-start-reverse"), ...lines, ...[...nodes.values()].map((each) => boxOf(each, box)));
}

const inWords = ({ head, relation, tail }) => `${head || "…"} ${relation || "…"} ${tail || "…"}.`;

const folded = (text) => text.toLowerCase().replace(/^(the|a|an)\s+/, "").replace(/[\s.,;:"'“”]+/g, " ").trim();

const top = (place) => place * ROW + 2;

function boxOf({ text, place }, width) {
  const group = make("g", { class: "node" });
  const shown = text.startsWith("… ") ? "…" : text;
  group.append(
    make("rect", { x: 1, y: top(place), width: width - 2, height: BOX, rx: 8 }),
    make("text", { x: 14, y: top(place) + BOX / 2 + 5 }, cut(shown, (width - 28) / LETTER)),
    make("title", {}, shown),
  );
  return group;
}

function arrow({ from, to, label }, before, box, width, head) {
  const group = make("g", { class: "edge" });
  const apart = Math.abs(to - from);
  const isDown = to > from;
  let line;
  let place;
  if (apart === 1) {
    const x = Math.min(26 + before * 22, box - 12);
    const [start, end] = isDown ? [top(from) + BOX, top(to)] : [top(from), top(to) + BOX];
    line = `M${x} ${start} L${x} ${end}`;
    place = [x + 12, Math.min(start, end) + (ROW - BOX) / 2 + 5 + before * 15 - (before ? 8 : 0)];
  } else {
    const bulge = Math.min(box + 26 + apart * 10 + before * 14, width - 10);
    const [start, end] = [top(from) + BOX / 2, top(to) + BOX / 2];
    line = apart ? `M${box} ${start} C${bulge} ${start} ${bulge} ${end} ${box} ${end}` : `M${box} ${start - 8} C${bulge} ${start - 26} ${bulge} ${start + 26} ${box} ${start + 8}`;
    place = [Math.min(box + 14 + apart * 4, width - 90), (start + end) / 2 + (ROW - BOX) / 2 + before * 15 - ROW / 4];
  }
  group.append(
    make("path", { d: line, "marker-end": `url(#${head})` }),
    make("text", { x: place[0], y: place[1] }, cut(label, (width - place[0]) / LETTER)),
    make("title", {}, label),
  );
  return group;
}

const cut = (text, most) => (text.length <= most ? text : `${text.slice(0, Math.max(1, Math.floor(most) - 1)).trimEnd()}…`);
