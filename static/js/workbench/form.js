// Reads and fills the page's form. The truth is in plain inputs; a widget is only a view of one.

/** What the worker has typed: {"<item id>.<field>": [texts], "comment": [text]}, without what is empty. */
export function valuesOf(form) {
  const values = {};
  for (const [name, text] of new FormData(form)) {
    if (typeof text !== "string" || !text.trim()) continue;
    if (name === "comment" || name.includes(".")) (values[name] ??= []).push(text);
  }
  return values;
}

/** One text for one set of values, whatever order their names are in. */
export function fingerprint(values) {
  return JSON.stringify(Object.keys(values).sort().map((name) => [name, values[name]]));
}

/** Shows these values in the form. `widgets` maps a field's name to what its module's mount() returned. */
export function fill(form, values, widgets) {
  for (const element of form.querySelectorAll("[data-field]")) {
    const name = element.dataset.field;
    const given = values[name] ?? [];
    const widget = widgets.get(name);
    if (widget?.set) widget.set(given);
    else for (const control of controlsOf(form, name)) setControl(control, given);
  }
  form.elements.comment.value = values.comment?.at(-1) ?? "";
}

export function controlsOf(form, name) {
  const found = form.elements.namedItem(name);
  if (!found) return [];
  return found instanceof RadioNodeList ? [...found] : [found];
}

function setControl(control, given) {
  if (control.type === "radio" || control.type === "checkbox") control.checked = given.includes(control.value);
  else control.value = given.at(-1) ?? "";
}

/** A field's value in words, for people: what the option says rather than what it is called. */
export function inWords(form, name, given) {
  if (!given?.length) return "(nothing)";
  return given
    .map((text) => {
      const option = controlsOf(form, name).find((control) => ["radio", "checkbox"].includes(control.type) && control.value === text);
      return option ? option.closest("label").lastElementChild.textContent : text;
    })
    .join("; ");
}

/** What a field is called on the page: "Question 2, Your answer". */
export function nameInWords(form, name) {
  if (name === "comment") return "Comment";
  const element = form.querySelector(`[data-field="${CSS.escape(name)}"]`);
  if (!element) return name;
  const item = element.closest("[data-item]").querySelector("h2").firstChild.textContent.trim();
  return `${item}, ${element.querySelector("label, legend").firstChild.textContent.trim()}`;
}

/** Puts the focus where a field, or one part of it, is filled in; on a button where there is nothing to type into. */
export function focusField(form, name, part = 0) {
  const field = form.querySelector(`[data-field="${CSS.escape(name)}"]`);
  const element = field?.querySelector(`[data-part="${part}"]`) ?? field;
  const control = element?.querySelector('input:not([type="hidden"]):checked, input:not([type="hidden"]), textarea:not([hidden]), select');
  (control ?? element?.querySelector("button:not(:disabled)"))?.focus();
}
