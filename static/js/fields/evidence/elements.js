// Makes elements: element("p", { class: "soft" }, "Nothing yet").

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== ""));
  return made;
}

export function button(text, attributes, act) {
  const made = element("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", act);
  return made;
}

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
