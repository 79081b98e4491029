// Evidence as the form holds it: a step a line, `2: Fir-1 | Ash-3 | no_evidence`. The twin of `Evidence` in tasks/fields.py.

import { escaped, partsOf } from "../../workbench/lines.js";

const MARKS = { no_evidence: "lacksEvidence", operation: "isOperation" };

const nothing = () => ({ paragraphs: [], isOperation: false, lacksEvidence: false });

/** One {paragraphs, isOperation, lacksEvidence} a step, for so many steps (more, where the text speaks of more). */
export function read(text, steps) {
  const found = Array.from({ length: steps }, nothing);
  let number = 0;
  for (const line of text.split(/\r?\n/)) {
    if (!line.replace(/[ |]/g, "")) continue;
    const numbered = line.match(/^\s*([1-9][0-9]?)\s*:/);
    number = numbered ? Number(numbered[1]) : number + 1;
    while (found.length < number) found.push(nothing());
    const step = found[number - 1];
    for (const part of partsOf(numbered ? line.slice(numbered[0].length) : line).filter(Boolean)) {
      if (MARKS[part]) step[MARKS[part]] = true;
      else step.paragraphs.push(part);
    }
  }
  return found;
}

export function write(steps) {
  const lines = steps.map(({ paragraphs, ...marks }, place) => {
    const set = Object.entries(MARKS).filter(([, name]) => marks[name]).map(([word]) => word);
    const parts = [...paragraphs.map(escaped), ...set];
    return parts.length ? `${place + 1}: ${parts.join(" | ")}` : "";
  });
  return lines.filter(Boolean).join("\n");
}

export const saysSomething = (step) => step.paragraphs.length > 0 || step.isOperation || step.lacksEvidence;
