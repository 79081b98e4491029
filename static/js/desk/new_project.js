// The short name follows the name until somebody types one; the real-money warning shows when it applies.

const form = document.querySelector("[data-new-project]");
const name = form.elements.name;
const slug = form.elements.slug;
const warning = form.querySelector("[data-real-money]");
let typed = slug.value !== "";

function shorten(text) {
  const plain = text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 60);
}

function follow() {
  if (!typed) slug.value = shorten(name.value);
}
name.addEventListener("input", follow);
slug.addEventListener("input", () => {
  typed = slug.value !== "";
});

function warn() {
  warning.hidden = form.elements.environment.value !== "mturk_production";
}
form.addEventListener("change", warn);
warn();
// Somebody may have begun to type before this was loaded.
follow();
