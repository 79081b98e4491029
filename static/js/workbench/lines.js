// Lines of texts that bars part, as plain forms hold them; `\|` is a bar that belongs to a text.

/** The texts of a line, so many. Fewer: the last are missing. More: bars that nobody escaped, in the last text. */
export function textsOf(line, number) {
  const aside = line.replaceAll("\\\\", "\ufffe").replaceAll("\\|", "\uffff");
  const texts = aside.split("|").map((part) => part.replaceAll("\uffff", "|").replaceAll("\ufffe", "\\").trim());
  while (texts.length < number) texts.push("");
  return [...texts.slice(0, number - 1), texts.slice(number - 1).join(" | ")];
}

export function lineOf(texts) {
  return texts.map((text) => text.replace(/[\r\n]+/g, " ").trim().replaceAll("\\", "\\\\").replaceAll("|", "\\|")).join(" | ");
}
