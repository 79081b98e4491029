// References of steps, as tasks/strategyqa/decomposition.py has them; both pass the same vectors.

export const MOST_STEPS = 20;
const REFERENCE = /#([0-9]{1,6})(?![0-9])/g;
// What stands where a step was referred to that is no longer there.
const OPEN_REFERENCE = "#?";

/** Where a step refers to others: [{number, start, end}], each place; `steps` is how many steps there are. */
export function places(text, steps) {
  return [...text.matchAll(REFERENCE)]
    .map((match) => ({ number: Number(match[1]), start: match.index, end: match.index + match[0].length }))
    .filter(({ number, start }) => number <= Math.max(steps, MOST_STEPS) || !endsInAName(text.slice(0, start)));
}

/** The numbers that a step refers to, each once. "#10" is not "#1", and "Superman #75" is a name. */
export function references(text, steps) {
  return [...new Set(places(text, steps).map(({ number }) => number))];
}

function endsInAName(text) {
  const words = ["", ...text.split(/\s+/).filter(Boolean)].slice(-3);
  const last = words.at(-1);
  const before = words.at(-2) ?? "";
  const begins = !before || ".!?".includes(before.at(-1));
  return /^\p{Lu}/u.test(last) && !begins && !STOP_WORDS.has(last.toLowerCase());
}

/** The texts in a new order (`order[place]` is the old number), references following; who is left out leaves `#?`. */
export function renumbered(texts, order) {
  const moved = new Map(order.map((old, place) => [old, place + 1]));
  const follow = (match, digits) => {
    const number = Number(digits);
    if (number < 1 || number > texts.length) return match;
    return moved.has(number) ? `#${moved.get(number)}` : OPEN_REFERENCE;
  };
  return order.map((old) => texts[old - 1].replace(REFERENCE, follow));
}

export const STOP_WORDS = new Set(`
  a an the this that these those
  i me my mine we us our ours you your yours he him his she her hers it its they them their theirs
  who whom whose which what there here
  am is are was were be been being isn't aren't wasn't weren't
  have has had having do does did doing done
  can could may might must shall should will would
  of in on at by for from to with into onto as about
  and or but nor so if then than because while when where how why
  also very just too only quite such some any each both either
`.trim().split(/\s+/));
