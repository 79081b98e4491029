// Lines of texts that bars part, as plain forms hold them; `\|` is a bar that belongs to a text.

/** The texts of a line. */
export function partsOf(line) {
  const aside = line.replaceAll("\\\\", "\ufffe").replaceAll("\\|", "\uffff");
  return aside.split("|").map((part) => part.replaceAll("\uffff", "|").replaceAll("\ufffe", "\\").trim());
}

/** So many of them. Fewer are there: the last are missing. More: bars that nobody escaped, in the last text. */
export function textsOf(line, number) {
  const texts = partsOf(line);
  while (texts.length < number) texts.push("");
  return [...texts.slice(0, number - 1), texts.slice(number - 1).join(" | ")];
}

export const escaped = (text) => text.replace(/[\r\n]+/g, " ").trim().replaceAll("\\", "\\\\").replaceAll("|", "\\|");

export const lineOf = (texts) => texts.map(escaped).join(" | ");
