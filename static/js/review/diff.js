/* What a rewording changed, word by word, as nodes. The server draws the same in annotation/review/diff.py. */

const PIECE = /[\p{L}\p{N}\p{M}_]+\s*|[^\p{L}\p{N}\p{M}_\s]\s*|\s+/gu;
// As annotation/marks.py has them: one hidden character, or five combining marks and more on one letter.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e01ef}]|[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{5,}/gu;

/** Runs of ["same" | "removed" | "added", text]. */
export function wordsChanged(before, after) {
  const old = before.match(PIECE) ?? [];
  const fresh = after.match(PIECE) ?? [];
  const changes = [];
  const push = (kind, text) => {
    const last = changes[changes.length - 1];
    if (last && last[0] === kind) last[1] += text;
    else changes.push([kind, text]);
  };
  const common = longestCommon(old, fresh);
  let i = 0;
  let j = 0;
  for (const [x, y] of [...common, [old.length, fresh.length]]) {
    while (i < x) push("removed", old[i++]);
    while (j < y) push("added", fresh[j++]);
    if (x < old.length) {
      push("same", old[i++]);
      j += 1;
    }
  }
  return changes;
}

/** Pairs of places of the longest common run of pieces, in order. */
function longestCommon(old, fresh) {
  const width = fresh.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = fresh.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = old[i] === fresh[j]
        ? lengths[(i + 1) * width + j + 1] + 1
        : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  const pairs = [];
  for (let i = 0, j = 0; i < old.length && j < fresh.length;) {
    if (old[i] === fresh[j]) pairs.push([i++, j++]);
    else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) i += 1;
    else j += 1;
  }
  return pairs;
}

/** A text as nodes, with a mark in place of what is not seen. */
export function visibleNodes(text) {
  const nodes = [];
  let place = 0;
  for (const { 0: hidden, index } of text.matchAll(HIDDEN)) {
    if (index > place) nodes.push(document.createTextNode(text.slice(place, index)));
    const mark = document.createElement("mark");
    mark.className = "hidden-character";
    const [first, ...more] = hidden;
    mark.textContent = more.length ? `+${more.length + 1} marks` : `U+${first.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
    nodes.push(mark);
    place = index + hidden.length;
  }
  if (place < text.length) nodes.push(document.createTextNode(text.slice(place)));
  return nodes;
}

/** Draws the change of a text into an element. */
export function drawDiff(element, before, after) {
  element.replaceChildren(...wordsChanged(before, after).flatMap(([kind, text]) => {
    const nodes = visibleNodes(text);
    if (kind === "same") return nodes;
    const wrap = document.createElement(kind === "removed" ? "del" : "ins");
    wrap.append(...nodes);
    return [wrap];
  }));
}
