// Steps of a decomposition as the form holds them: one a line, `text | page`.

import { lineOf, textsOf } from "../../workbench/lines.js";

export function read(text) {
  return text.split(/\r?\n/).filter((line) => line.trim()).map((line) => {
    const [said, page] = textsOf(line, 2);
    return { text: said, page };
  });
}

/** An empty step among others keeps its line, for references count it; what is empty at the end is nothing yet. */
export function write(steps) {
  const last = steps.findLastIndex(({ text, page }) => text.trim() || page.trim());
  return steps.slice(0, last + 1).map(({ text, page }) => lineOf(page.trim() || !text.trim() ? [text, page] : [text])).join("\n");
}
