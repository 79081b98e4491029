// A decomposition as a graph: each step a box, an arrow from each answer to the step that needs it, the last at the
// foot. What refers to no earlier step is said in its box.

import { arrowHead, frame, make } from "../svg.js";
import { references } from "./decomposition.js";

const LINE = 18;
const GAP = 14;
const BETWEEN = 40;
const NARROWEST = 132;
const WIDEST = 300;
const MOST_LINES = 4;
// Room at the right for arrows that pass a row by.
const LANE = 11;

/** Draws the steps' texts into an <svg>, and says in words what it shows. */
export function draw(svg, texts, width) {
  const nodes = nodesOf(texts);
  const height = lay(nodes, width, penOf(svg));
  frame(svg, width, height, `Your steps as a graph. ${nodes.map(inWords).join(" ")}`);
  const head = `${svg.id}-head`;
  svg.replaceChildren(arrowHead(head), ...arrows(nodes, width, head), ...nodes.map(boxOf));
}

/** Tells how wide a text is; as wide as in bold, for references stand out so. */
function penOf(svg) {
  const pen = document.createElement("canvas").getContext("2d");
  const { fontSize, fontFamily } = getComputedStyle(svg);
  pen.font = `700 ${fontSize} ${fontFamily}`;
  return (text) => pen.measureText(text).width;
}

function nodesOf(texts) {
  const nodes = texts.map((text, place) => ({ number: place + 1, text: text.trim() || "…", uses: [], usedBy: [], astray: [] }));
  for (const node of nodes) {
    for (const number of references(texts[node.number - 1], texts.length)) {
      if (number >= 1 && number < node.number) {
        node.uses.push(nodes[number - 1]);
        nodes[number - 1].usedBy.push(node);
      } else node.astray.push(number);
    }
  }
  for (const node of nodes) node.level = Math.max(-1, ...node.uses.map(({ level }) => level)) + 1;
  // The last one stands at the foot, whatever it uses.
  if (nodes.length > 1) nodes.at(-1).level = Math.max(...nodes.slice(0, -1).map(({ level }) => level)) + 1;
  return nodes;
}

function inWords({ number, text, usedBy, astray }, place, all) {
  const users = usedBy.map((user) => user.number).join(" and ");
  const used = users ? ` Used by step ${users}.` : place < all.length - 1 ? " Not used yet." : "";
  return `Step ${number}: ${text}${/[.?!…]$/.test(text) ? "" : "."}${used}${astray.map((each) => ` ${strayed(number, each)}.`).join("")}`;
}

const strayed = (number, to) => (to === number ? "Refers to itself" : `#${to} is no earlier step`);

/** Gives each node its place; returns the height. */
function lay(nodes, width, widthOf) {
  const rows = [];
  const passing = nodes.flatMap(({ uses, level }) => uses.filter((used) => level - used.level > 1));
  const room = width - (passing.length ? LANE * Math.min(passing.length, 4) + 8 : 0);
  const most = Math.max(1, Math.floor((room + GAP) / (NARROWEST + GAP)));
  for (let level = 0; level <= Math.max(...nodes.map((node) => node.level)); level += 1) {
    const those = nodes.filter((node) => node.level === level);
    for (let start = 0; start < those.length; start += most) rows.push(those.slice(start, start + most));
  }
  let top = 2;
  rows.forEach((row, number) => {
    const box = Math.min(WIDEST, (room - GAP * (row.length - 1)) / row.length - 2);
    for (const node of row) {
      const fits = (text) => widthOf(text) <= box - 24;
      node.lines = wrapped(`#${node.number} ${node.text}`, fits);
      node.faults = node.astray.map((to) => cut(strayed(node.number, to), fits));
    }
    const height = 18 + LINE * Math.max(...row.map(({ lines, astray }) => lines.length + astray.length));
    const left = (room - (box * row.length + GAP * (row.length - 1))) / 2;
    row.forEach((node, place) => Object.assign(node, { row: number, x: left + place * (box + GAP), y: top, box, height }));
    top += height + BETWEEN;
  });
  return top - BETWEEN + 2;
}

function wrapped(text, fits) {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
    if (fits(longer) || !lines.at(-1)) lines[lines.length - 1] = cut(longer, fits);
    else lines.push(cut(word, fits));
  }
  return lines.length <= MOST_LINES ? lines : [...lines.slice(0, MOST_LINES - 1), cut(`${lines[MOST_LINES - 1]} …`, fits)];
}

function cut(text, fits) {
  if (fits(text)) return text;
  let most = text.length - 1;
  while (most > 1 && !fits(`${text.slice(0, most)}…`)) most -= 1;
  return `${text.slice(0, most).trimEnd()}…`;
}

function arrows(nodes, width, head) {
  let lane = 0;
  // Arrows come and go in the order of what is at their other end, so that few of them cross.
  const byPlace = (one, other) => one.x + one.box / 2 - other.x - other.box / 2;
  for (const node of nodes) {
    node.uses.sort(byPlace);
    node.usedBy.sort(byPlace);
  }
  return nodes.flatMap((node) =>
    node.uses.map((used) => {
      const [out, into] = [port(used, used.usedBy, node), port(node, node.uses, used)];
      const [start, end] = [used.y + used.height, node.y - 1];
      const isFar = node.row - used.row > 1;
      if (isFar) lane += 1;
      const line = isFar ? around(out, start, into, end, laneOf(used, node, lane, nodes, width)) : straight(out, start, into, end);
      const path = make("path", { d: line, class: "edge", "marker-end": `url(#${head})` });
      path.append(make("title", {}, `Step ${node.number} uses the answer of step ${used.number}`));
      return path;
    }),
  );
}

const port = (node, others, other) => node.x + (node.box * (others.indexOf(other) + 1)) / (others.length + 1);

function straight(out, start, into, end) {
  const bend = (end - start) / 2;
  return `M${out} ${start} C${out} ${start + bend} ${into} ${end - bend} ${into} ${end}`;
}

/** An arrow that passes rows by goes around them at the right. */
function around(out, start, into, end, side) {
  const turn = BETWEEN - 4;
  return `M${out} ${start} C${out} ${start + 22} ${side} ${start + 12} ${side} ${start + turn} L${side} ${end - turn} C${side} ${end - 12} ${into} ${end - 22} ${into} ${end}`;
}

function laneOf(from, to, lane, nodes, width) {
  const passed = nodes.filter(({ row }) => row > from.row && row < to.row);
  return Math.min(Math.max(...passed.map(({ x, box }) => x + box)) + LANE * lane, width - 2);
}

function boxOf(node, place, all) {
  const kind = node.astray.length ? "astray" : !node.usedBy.length && place < all.length - 1 ? "unused" : place === all.length - 1 ? "last" : "";
  const group = make("g", { class: `node ${kind}`.trim() });
  group.append(make("rect", { x: node.x + 1, y: node.y, width: node.box, height: node.height, rx: 8 }));
  node.lines.forEach((line, number) => group.append(lineOf(line, node.x + 12, node.y + 22 + number * LINE, !number)));
  node.faults.forEach((said, number) => {
    group.append(make("text", { x: node.x + 12, y: node.y + 22 + (node.lines.length + number) * LINE, class: "fault" }, said));
  });
  group.append(make("title", {}, `Step ${node.number}: ${node.text}`));
  return group;
}

/** A line of text; references stand out, and the step's own number more so. */
function lineOf(line, x, y, isFirst) {
  const text = make("text", { x, y });
  line.split(/(#[0-9]+)/).forEach((piece, place) => {
    if (!piece) return;
    const kind = place % 2 ? (isFirst && place === 1 ? "own" : "reference") : "";
    text.append(kind ? make("tspan", { class: kind }, piece) : piece);
  });
  return text;
}
