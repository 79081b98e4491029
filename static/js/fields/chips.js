// Several short texts. The separator or Enter closes one; each is a button to edit it, with one to remove it.
// The plain text input that the form came with stays the truth; what is still being typed is part of it.

export function mount(element, page) {
  const truth = element.querySelector("input");
  const separator = element.dataset.separator;
  const box = document.createElement("div");
  const list = document.createElement("ul");
  const entry = truth.cloneNode();
  const help = document.createElement("p");
  let texts = [];
  // Where the text that is being typed will go: an edited one returns to its place.
  let place = 0;

  box.className = "chip-box";
  list.className = "chip-list";
  list.setAttribute("aria-label", element.querySelector("label").firstChild.textContent.trim());
  entry.removeAttribute("name");
  entry.removeAttribute("value");
  entry.value = "";
  entry.setAttribute("enterkeyhint", "enter");
  help.className = "hint keys";
  help.id = `${entry.id}-keys`;
  help.textContent = `Enter or “${separator}” after each answer; Backspace goes back into the last one.`;
  entry.setAttribute("aria-describedby", `${entry.getAttribute("aria-describedby")} ${help.id}`);
  truth.type = "hidden";
  truth.removeAttribute("id");
  truth.removeAttribute("aria-describedby");
  truth.removeAttribute("aria-invalid");
  box.append(list, entry);
  truth.after(box, help);

  const split = (text) => text.split(separator).map((part) => part.replace(/\s+/g, " ").trim()).filter(Boolean);

  function tell() {
    const typed = entry.value.replaceAll(separator, " ").trim();
    const all = [...texts.slice(0, place), ...(typed ? [typed] : []), ...texts.slice(place)];
    const before = truth.value;
    truth.value = all.join(`${separator} `);
    if (truth.value !== before) page.changed();
  }

  function draw(focusOn) {
    list.replaceChildren(...texts.map(chip));
    list.hidden = !texts.length;
    tell();
    if (focusOn === undefined) return;
    const chips = list.querySelectorAll(".chip-text");
    (chips[focusOn] ?? entry).focus();
  }

  function chip(text, index) {
    const item = document.createElement("li");
    const edit = document.createElement("button");
    const remove = document.createElement("button");
    item.className = "chip";
    edit.type = remove.type = "button";
    edit.className = "chip-text";
    edit.textContent = text;
    edit.setAttribute("aria-label", `${text}: edit`);
    remove.className = "chip-remove";
    remove.textContent = "×";
    remove.setAttribute("aria-label", `${text}: remove`);
    edit.addEventListener("click", () => take(index));
    remove.addEventListener("click", () => drop(index));
    item.addEventListener("keydown", (event) => {
      if (event.key === "Delete" || event.key === "Backspace") {
        event.preventDefault();
        drop(index);
      } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
        event.preventDefault();
        const chips = [...list.querySelectorAll(".chip-text")];
        (chips[index + (event.key === "ArrowLeft" ? -1 : 1)] ?? (event.key === "ArrowRight" ? entry : edit)).focus();
      }
    });
    item.append(edit, remove);
    return item;
  }

  const count = () => (texts.length === 1 ? "1 answer" : `${texts.length} answers`);

  /** Closes what is being typed; what stands behind the last separator goes on being typed if `rest`. */
  function close({ rest = "" } = {}) {
    const added = split(entry.value);
    texts.splice(place, 0, ...added);
    place = texts.length;
    entry.value = rest;
    if (added.length) page.announce(`${added.join(", ")}: added. ${count()}.`);
    draw();
  }

  /** Takes a text back into the entry, to edit it. */
  function take(index) {
    const text = texts[index];
    const typed = split(entry.value);
    texts.splice(index, 1);
    const at = place > index ? place - 1 : place;
    texts.splice(at, 0, ...typed);
    place = typed.length && at <= index ? index + typed.length : index;
    entry.value = text;
    page.announce(`Editing ${text}.`);
    draw();
    entry.focus();
  }

  function drop(index) {
    const [text] = texts.splice(index, 1);
    place = place > index ? place - 1 : place;
    page.announce(`${text}: removed. ${count()}.`);
    draw(Math.min(index, texts.length));
  }

  entry.addEventListener("input", (event) => {
    event.stopPropagation();
    if (entry.value.includes(separator) && !event.isComposing) {
      const cut = entry.value.lastIndexOf(separator);
      const rest = entry.value.slice(cut + 1).trimStart();
      entry.value = entry.value.slice(0, cut);
      close({ rest });
    } else tell();
  });
  entry.addEventListener("paste", (event) => {
    const pasted = event.clipboardData?.getData("text/plain") ?? "";
    if (!/[\r\n]/.test(pasted.trim())) return;
    event.preventDefault();
    entry.setRangeText(pasted.trim().split(/[\r\n]+/).join(`${separator} `), entry.selectionStart, entry.selectionEnd, "end");
    close();
  });
  entry.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") {
      event.preventDefault();
      close();
    } else if (event.key === "Backspace" && !entry.value && texts.length) {
      event.preventDefault();
      take(texts.length - 1);
    } else if (event.key === "ArrowLeft" && !entry.value && texts.length) {
      event.preventDefault();
      list.querySelectorAll(".chip-text")[texts.length - 1].focus();
    }
  });
  // The whole box is the field: a click beside the words goes on typing.
  box.addEventListener("click", (event) => {
    if (event.target === box || event.target === list) entry.focus();
  });

  texts = split(truth.value);
  place = texts.length;
  draw();
  return {
    marked: entry,
    set(values) {
      texts = split(values.join(separator));
      place = texts.length;
      entry.value = "";
      draw();
    },
  };
}
