// Answers to steps as the form holds them: a step a line, `2: 4.4 metres`, or `2: ?` and what is missing.

/** [{answer, cannot}], one a step from the first to the last that is named. */
export function read(text) {
  const found = [];
  let number = 0;
  for (const line of text.split(/\r?\n/).filter((each) => each.trim())) {
    const numbered = line.match(/^\s*([1-9][0-9]?)\s*:(.*)$/);
    number = numbered ? Number(numbered[1]) : number + 1;
    found[number - 1] = answerOf((numbered ? numbered[2] : line).trim());
  }
  return Array.from(found, (each) => each ?? { answer: "", cannot: false });
}

function answerOf(text) {
  if (text.startsWith("?")) return { answer: text.slice(1).trim(), cannot: true };
  return { answer: /^\\[?\\]/.test(text) ? text.slice(1) : text, cannot: false };
}

export function write(answers) {
  return answers
    .map(({ answer, cannot }, place) => {
      const text = answer.replace(/[\r\n]+/g, " ").trim();
      if (cannot) return `${place + 1}: ? ${text}`.trim();
      return text ? `${place + 1}: ${/^[?\\]/.test(text) ? "\\" : ""}${text}` : "";
    })
    .filter(Boolean)
    .join("\n");
}
