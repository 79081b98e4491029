// Steps as the form holds them: one a line, `title | sentence | head | relation | tail`, sentences counted from 1.

import { lineOf, textsOf } from "../../workbench/lines.js";

export const PARTS = ["head", "relation", "tail"];

export function read(text) {
  return text.split(/\r?\n/).filter((line) => line.replace(/[ |]/g, "")).map(stepOf);
}

function stepOf(line) {
  const [title, number, head, relation, tail] = textsOf(line, 5);
  const sentence = /^\d{1,6}$/.test(number) ? Number(number) - 1 : -1;
  return { title, sentence, head, relation, tail };
}

export function write(steps) {
  return steps.map(({ title, sentence, ...parts }) =>
    lineOf([title, sentence < 0 ? "" : String(sentence + 1), ...PARTS.map((part) => parts[part])]),
  ).join("\n");
}
