// Steps as the form holds them: one a line, `title | sentence | head | relation | tail`, sentences counted from 1.

export const PARTS = ["head", "relation", "tail"];

export function read(text) {
  return text.split(/\r?\n/).filter((line) => line.replace(/[ |]/g, "")).map(stepOf);
}

function stepOf(line) {
  const aside = line.replaceAll("\\\\", "\ufffe").replaceAll("\\|", "\uffff");
  const texts = aside.split("|").map((part) => part.replaceAll("\uffff", "|").replaceAll("\ufffe", "\\").trim());
  const [title = "", number = "", head = "", relation = "", ...tail] = texts;
  const sentence = /^\d{1,6}$/.test(number) ? Number(number) - 1 : -1;
  return { title, sentence, head, relation, tail: tail.join(" | ") };
}

export function write(steps) {
  return steps.map(({ title, sentence, ...parts }) =>
    [title, sentence < 0 ? "" : String(sentence + 1), ...PARTS.map((part) => parts[part])].map(escaped).join(" | "),
  ).join("\n");
}

const escaped = (text) => text.replace(/[\r\n]+/g, " ").trim().replaceAll("\\", "\\\\").replaceAll("|", "\\|");
