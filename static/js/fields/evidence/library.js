// What the page has seen of the corpus, so that nothing is asked for twice: paragraphs by id, whole pages by title.

import { Corpus } from "../../workbench/corpus.js";

const MOST_IDS = 50;

export class Library {
  constructor(server) {
    this.corpus = new Corpus(server);
    this.known = new Map();
    this.pages = new Map();
  }

  /** {total, hits}, {problem} in words, or undefined where a newer question was asked meanwhile. */
  async search(query, offset = 0) {
    const found = await this.corpus.search(query, { offset });
    this.#keep(found?.hits ?? []);
    return found;
  }

  /** {paragraphs} of a page in their order, {problem}, or undefined. */
  async page(title) {
    if (this.pages.has(title)) return this.pages.get(title);
    const found = await this.corpus.page(title);
    if (!found?.paragraphs) return found;
    found.paragraphs = found.paragraphs.map((paragraph) => ({ ...paragraph, title: found.title }));
    this.#keep(found.paragraphs);
    this.pages.set(title, found);
    return found;
  }

  /** Makes these ids known as far as the corpus has them. False: it could not be asked. */
  async learn(ids) {
    const missing = [...new Set(ids)].filter((id) => !this.known.has(id));
    for (let start = 0; start < missing.length; start += MOST_IDS) {
      const found = await this.corpus.paragraphs(missing.slice(start, start + MOST_IDS));
      if (!found || found.problem) return false;
      this.#keep(found.hits);
    }
    return true;
  }

  paragraph(id) {
    return this.known.get(id);
  }

  #keep(paragraphs) {
    for (const { id, title, section, text } of paragraphs) this.known.set(id, { id, title, section, text });
  }
}
