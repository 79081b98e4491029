// A text input with suggestions below it: the ARIA combobox with a list. What is typed always counts.

const AFTER_LAST_KEY = 90;

export class Combobox {
  /** `suggest(text)` gives [[text, kind], …]; `changed()` and `done()` are told of typing and of taking one. */
  constructor({ id, label, suggest, changed, done, announce }) {
    Object.assign(this, { suggest, changed, done, announce });
    this.element = document.createElement("div");
    this.element.className = "part";
    this.input = document.createElement("input");
    this.list = document.createElement("ul");
    const name = document.createElement("label");
    name.htmlFor = id;
    name.textContent = label;
    Object.assign(this.input, { id, type: "text", autocomplete: "off", spellcheck: true, maxLength: 500 });
    for (const [key, value] of Object.entries({
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-controls": `${id}-list`,
      autocapitalize: "off",
    })) this.input.setAttribute(key, value);
    this.list.id = `${id}-list`;
    this.list.className = "suggestions";
    this.list.hidden = true;
    // A list that scrolls would be a stop of the Tab key otherwise.
    this.list.tabIndex = -1;
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", `Suggestions for ${label.toLowerCase()}`);
    this.element.append(name, this.input, this.list);
    this.turn = 0;
    this.#listen();
  }

  get value() {
    return this.input.value;
  }

  set value(text) {
    this.input.value = text;
  }

  #listen() {
    this.input.addEventListener("input", (event) => {
      event.stopPropagation();
      this.changed();
      this.#ask(AFTER_LAST_KEY);
    });
    this.input.addEventListener("change", (event) => event.stopPropagation());
    this.input.addEventListener("focus", () => this.#ask(0));
    this.input.addEventListener("blur", () => this.close());
    this.input.addEventListener("keydown", (event) => this.#press(event));
    // Before the input loses the focus, which would close the list.
    this.list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.list.addEventListener("click", (event) => {
      const option = event.target.closest("[role='option']");
      if (option) this.#take(option);
    });
  }

  #press(event) {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault();
      if (this.list.hidden) this.#ask(0);
      else this.#activate(key === "ArrowDown" ? 1 : -1);
    } else if (key === "Enter") {
      event.preventDefault();
      if (this.active) this.#take(this.active);
      else if (this.input.value.trim()) this.done();
    } else if (key === "Escape") {
      // Also what is still on its way.
      if (!this.list.hidden) event.preventDefault();
      this.close();
    }
  }

  #ask(wait) {
    clearTimeout(this.timer);
    const turn = (this.turn += 1);
    this.timer = setTimeout(async () => {
      const found = await this.suggest(this.input.value);
      // Only the answer to the last question counts, and only while somebody is here.
      if (turn === this.turn && document.activeElement === this.input) this.#show(found);
    }, wait);
  }

  #show(found) {
    const chosen = this.active?.dataset.text;
    this.#deactivate();
    const options = found.map(([text, kind], number) => {
      const option = document.createElement("li");
      option.id = `${this.list.id}-${number}`;
      option.dataset.text = text;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      const said = document.createElement("span");
      said.textContent = text;
      const sort = document.createElement("span");
      sort.className = "kind";
      sort.textContent = kind;
      option.append(said, sort);
      return option;
    });
    this.list.replaceChildren(...options);
    // Somebody went down the list before the answer to their last key came: what they chose stays chosen.
    this.#choose(options.find((option) => option.dataset.text === chosen));
    this.list.hidden = !options.length;
    this.input.setAttribute("aria-expanded", String(Boolean(options.length)));
    if (options.length && this.input.value) this.announce(`${options.length} suggestions`);
  }

  #activate(by) {
    const options = [...this.list.children];
    const here = options.indexOf(this.active);
    const next = here < 0 ? (by > 0 ? 0 : options.length - 1) : here + by;
    this.#deactivate();
    // Beyond either end one is back at what was typed.
    this.#choose(options[next]);
  }

  #choose(option) {
    this.active = option;
    if (!this.active) return;
    this.active.setAttribute("aria-selected", "true");
    this.active.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", this.active.id);
  }

  #deactivate() {
    this.active?.setAttribute("aria-selected", "false");
    this.active = undefined;
    this.input.removeAttribute("aria-activedescendant");
  }

  #take(option) {
    this.input.value = option.dataset.text;
    this.close();
    this.changed();
    this.done();
  }

  close() {
    clearTimeout(this.timer);
    this.turn += 1;
    this.#deactivate();
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
  }
}
