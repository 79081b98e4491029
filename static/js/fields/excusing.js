// A field of options of which some end the work: with one of them set, nothing is asked for in another field.

/** Gives a function that is told of the values that are set. */
export function excusing(element) {
  const item = element.dataset.field?.split(".")[0];
  const name = element.dataset.excuses;
  const excused = name && element.closest("[data-item]").querySelector(`[data-field="${CSS.escape(`${item}.${name}`)}"]`);
  const ending = (element.dataset.ending ?? "").split(" ");
  return (values) => {
    if (!excused) return;
    const ends = values.some((value) => ending.includes(value));
    excused.toggleAttribute("data-optional", ends);
    excused.classList.toggle("excused", ends);
  };
}
