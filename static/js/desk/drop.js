// The file field takes drops anywhere on its form, and says what was chosen. Without script it is a plain field.

const form = document.querySelector("[data-drop-form]");
const field = form.querySelector("[data-drop]");
const chosen = form.querySelector("[data-chosen]");
const button = form.querySelector("button");

function size(bytes) {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1_000)).toLocaleString()} kB`;
  return `${(bytes / 1_000_000).toLocaleString(undefined, { maximumFractionDigits: 1 })} MB`;
}

function say() {
  const list = document.createElement("ul");
  list.className = "chosen";
  for (const file of field.files) {
    const line = document.createElement("li");
    line.textContent = `${file.name}, ${size(file.size)}`;
    list.append(line);
  }
  chosen.replaceChildren(...(field.files.length ? [list] : []));
}

field.addEventListener("change", say);
form.addEventListener("dragover", (event) => {
  event.preventDefault();
  field.classList.add("over");
});
form.addEventListener("dragleave", () => field.classList.remove("over"));
form.addEventListener("drop", (event) => {
  event.preventDefault();
  field.classList.remove("over");
  if (event.dataTransfer.files.length) {
    field.files = event.dataTransfer.files;
    say();
  }
});
form.addEventListener("submit", () => {
  button.disabled = true;
  button.textContent = "Importing…";
});
// Back from the next page, the button works again.
addEventListener("pageshow", () => {
  button.disabled = false;
  button.textContent = "Import";
});
