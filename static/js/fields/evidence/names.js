// What paragraphs are called: by their ids, and for people.

/** "Fir-3" as { title: "Fir", number: "3" }: titles may hold hyphens, so the last one parts them. */
export function partsOfId(id) {
  const cut = id.lastIndexOf("-");
  return cut > 0 ? { title: id.slice(0, cut), number: id.slice(cut + 1) } : { title: id, number: "" };
}

/** A paragraph by name, for people: "Fir, paragraph 3". */
export function nameOf(id) {
  const { title, number } = partsOfId(id);
  return number ? `${title}, paragraph ${number}` : title;
}
