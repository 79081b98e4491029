// The articles: each sentence is a button to draw a step from. One of them is in the tab order; arrows move.

export class Sentences {
  /** `choose(title, number)` is told which sentence was taken. */
  constructor(element, choose) {
    this.element = element;
    this.choose = choose;
    this.buttons = [];
    for (const entry of element.querySelectorAll("[data-sentence]")) this.#makeButton(entry);
    element.addEventListener("keydown", (event) => this.#move(event));
    element.addEventListener("toggle", () => this.#keepOneInReach(), true);
    this.#addBar();
    this.#keepOneInReach();
  }

  #makeButton(entry) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sentence";
    button.tabIndex = -1;
    button.append(...entry.childNodes);
    button.addEventListener("click", () => this.choose(titleOf(button), Number(entry.dataset.sentence)));
    button.addEventListener("focus", () => this.#reach(button));
    entry.append(button);
    this.buttons.push(button);
  }

  #addBar() {
    const bar = document.createElement("div");
    bar.className = "articles-bar";
    this.finder = document.createElement("input");
    this.finder.type = "search";
    this.finder.placeholder = "Find in the articles";
    this.finder.setAttribute("aria-label", "Find in the articles");
    this.finder.autocomplete = "off";
    this.count = document.createElement("span");
    this.count.className = "soft small";
    this.count.setAttribute("role", "status");
    const all = document.createElement("button");
    all.type = "button";
    all.className = "quiet";
    const articles = [...this.element.querySelectorAll("[data-article]")];
    const name = () => (all.textContent = articles.every((each) => each.open) ? "Close other articles" : "Open all articles");
    const others = articles.filter((each) => !each.open);
    all.hidden = !others.length;
    name();
    all.addEventListener("click", () => {
      const open = !articles.every((each) => each.open);
      for (const each of open ? articles : others) each.open = open;
      name();
    });
    this.element.addEventListener("toggle", name, true);
    // What is looked for is nothing that was typed as an answer.
    for (const kind of ["input", "change"]) this.finder.addEventListener(kind, (event) => event.stopPropagation());
    this.finder.addEventListener("input", () => this.find(this.finder.value));
    this.finder.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      this.buttons.find((button) => button.classList.contains("found"))?.focus();
    });
    bar.append(this.finder, this.count, all);
    this.element.prepend(bar);
  }

  /** Marks the sentences that hold these words, and opens their articles. */
  find(text) {
    const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const button of this.buttons) {
      const said = button.textContent.toLowerCase();
      const holds = wanted.length > 0 && wanted.every((word) => said.includes(word));
      button.classList.toggle("found", holds);
      if (holds && (found += 1)) button.closest("details").open = true;
    }
    this.count.textContent = wanted.length ? `${found} ${found === 1 ? "sentence" : "sentences"}` : "";
    this.buttons.find((button) => button.classList.contains("found"))?.scrollIntoView({ block: "nearest" });
  }

  text(title, number) {
    return this.#button(title, number)?.textContent.trim() ?? "";
  }

  heading(title) {
    return this.#article(title)?.querySelector("summary").textContent.trim() ?? title;
  }

  /** Marks what steps are drawn from. */
  markUsed(steps) {
    for (const button of this.buttons) button.classList.remove("used");
    for (const { title, sentence } of steps) this.#button(title, sentence)?.classList.add("used");
  }

  focus(title, number) {
    const button = this.#button(title, number) ?? this.buttons.find((each) => each.tabIndex === 0) ?? this.buttons[0];
    if (!button) return;
    button.closest("details").open = true;
    button.focus();
    button.scrollIntoView({ block: "center" });
  }

  #article(title) {
    return [...this.element.querySelectorAll("[data-article]")].find(
      (each) => each.dataset.article === title || each.querySelector("summary").textContent.trim() === title,
    );
  }

  #button(title, number) {
    return this.#article(title)?.querySelector(`[data-sentence="${number}"] button`);
  }

  #visible() {
    return this.buttons.filter((button) => button.closest("details").open);
  }

  #reach(button) {
    for (const each of this.buttons) each.tabIndex = each === button ? 0 : -1;
  }

  #keepOneInReach() {
    const visible = this.#visible();
    if (!visible.some((button) => button.tabIndex === 0) && visible.length) {
      this.#reach(visible.find((button) => button.closest(".fact")) ?? visible[0]);
    }
  }

  #move(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !event.target.classList.contains("sentence")) return;
    const visible = this.#visible();
    const here = visible.indexOf(event.target);
    const article = event.target.closest("details");
    const others = { ArrowDown: visible[here + 1], ArrowUp: visible[here - 1], Home: visible[0], End: visible.at(-1) };
    const next = {
      ...others,
      PageDown: visible.slice(here).find((button) => button.closest("details") !== article) ?? visible.at(-1),
      PageUp: firstOfArticle(visible, visible.slice(0, here).findLast((button) => button.closest("details") !== article)),
    }[event.key];
    if (!(event.key in others) && !["PageDown", "PageUp"].includes(event.key)) return;
    event.preventDefault();
    next?.focus();
  }
}

const titleOf = (button) => button.closest("[data-article]").dataset.article;

const firstOfArticle = (visible, button) =>
  button ? visible.find((each) => each.closest("details") === button.closest("details")) : visible[0];
