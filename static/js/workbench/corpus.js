// Asks the project's corpus for a widget: paragraphs for a question, titles of pages, a whole page.
//
//   const corpus = new Corpus(page.server);
//   const found = await corpus.search("when did caesar die");
//   if (!found) return;                  // a newer question of the same kind was asked meanwhile
//   if (found.problem) say(found.problem);
//   else found.hits.map((hit) => marked(hit.text, hit.marks));
//
// Each kind of question has one answer under way: asking anew calls the older one off.

const PROBLEMS = {
  0: "The server can’t be reached. Your work is kept; try again in a moment.",
  403: "This page has been open for too long. Reload it, then search again.",
  429: "That was too fast. Wait a second, then search again.",
};

export class Corpus {
  #server;
  #underWay = {};

  constructor(server) {
    this.#server = server;
  }

  /** {total, index, hits: [{id, title, section, text, marks}]}, ten at a time from `offset` on. */
  search(question, { offset = 0 } = {}) {
    return this.#ask("paragraphs", { q: question, offset });
  }

  /** {hits: [...]}: these paragraphs, as far as the corpus has them, without marks. */
  paragraphs(ids) {
    return this.#ask("kept", ids.map((id) => ["id", id]), "paragraphs");
  }

  /** {titles: [...]}, titles that begin so, likeliest first. */
  titles(beginning) {
    return this.#ask("titles", { q: beginning });
  }

  /** {title, index, paragraphs: [{id, section, text}]}. */
  page(title) {
    return this.#ask("page", { title });
  }

  /** Calls off what is under way: a kind ("paragraphs", "kept", "titles", "page"), or everything. */
  stop(kind) {
    for (const each of kind ? [kind] : Object.keys(this.#underWay)) {
      this.#underWay[each]?.abort();
      delete this.#underWay[each];
    }
  }

  /** The answer; {problem, status} where there is none, to be shown; undefined when it was called off. */
  async #ask(kind, parameters, address = kind) {
    this.stop(kind);
    const mine = (this.#underWay[kind] = new AbortController());
    const { status, body } = await this.#server.send(`${address}?${new URLSearchParams(parameters)}`, { signal: mine.signal });
    if (mine.signal.aborted) return undefined;
    if (this.#underWay[kind] === mine) delete this.#underWay[kind];
    if (status === 200) return body;
    const said = body.message ? `${body.message[0].toUpperCase()}${body.message.slice(1)}.` : "The search failed. Try again.";
    return { problem: PROBLEMS[status] ?? said, status };
  }
}

/** A text as nodes, with what the question asked for in <mark>. Marks count whole characters, as the server does. */
export function marked(text, marks) {
  const signs = Array.from(text);
  const nodes = document.createDocumentFragment();
  let place = 0;
  for (const [start, end] of marks) {
    const mark = document.createElement("mark");
    mark.textContent = signs.slice(start, end).join("");
    nodes.append(signs.slice(place, start).join(""), mark);
    place = end;
  }
  nodes.append(signs.slice(place).join(""));
  return nodes;
}
