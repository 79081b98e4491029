// Paragraphs that are dragged, and the steps that they are dropped on.

const KIND = "application/x-crowdwright-paragraph";

/** Makes an element carry a paragraph. While it is on its way, `field` shows where it can go. */
export function carries(source, id, field) {
  source.draggable = true;
  source.addEventListener("dragstart", (event) => {
    event.stopPropagation();
    event.dataTransfer.setData(KIND, id);
    event.dataTransfer.effectAllowed = "copy";
    source.classList.add("carried");
    // Later: what changes its place at once ends the drag in some browsers.
    setTimeout(() => field.classList.add("carrying"));
  });
  source.addEventListener("dragend", () => {
    source.classList.remove("carried");
    field.classList.remove("carrying");
  });
}

/** Lets paragraphs be dropped on an element. */
export function takes(target, drop) {
  const isOurs = (event) => event.dataTransfer.types.includes(KIND);
  target.addEventListener("dragenter", (event) => {
    if (!isOurs(event)) return;
    event.preventDefault();
    target.classList.add("over");
  });
  // Told of every element inside, too; only one that lies outside means that the paragraph has left.
  target.addEventListener("dragleave", (event) => {
    if (!target.contains(event.relatedTarget)) target.classList.remove("over");
  });
  target.addEventListener("dragover", (event) => {
    if (!isOurs(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
  });
  target.addEventListener("drop", (event) => {
    if (!isOurs(event)) return;
    event.preventDefault();
    target.classList.remove("over");
    drop(event.dataTransfer.getData(KIND));
  });
}
