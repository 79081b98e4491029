// What a widget does with the plain form that it stands in for: the form's textarea stays the truth, out of sight.

/** Hides a field's textarea with the words about how to fill it, and makes a group of the field. {truth, label}. */
export function takeOver(field) {
  const truth = field.querySelector("textarea");
  const label = field.querySelector("label");
  field.querySelector("[data-plain]")?.remove();
  truth.hidden = true;
  truth.removeAttribute("aria-describedby");
  label.removeAttribute("for");
  field.setAttribute("role", "group");
  field.setAttribute("aria-labelledby", label.id);
  return { truth, label };
}
