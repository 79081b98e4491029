// The second net: words that the server has not acknowledged yet, in this browser. Storage may be
// missing or throw inside another site's frame; then there is no second net, and nothing else changes.

const OTHERS_ARE_GONE_AFTER = 30_000;

export class Mirror {
  constructor(assignment) {
    this.prefix = `crowdwright:${assignment}:`;
    // A reload goes on as the same tab. A duplicated tab is another one: `last` is only there after leaving.
    const last = read(sessionStorageOrNone(), this.prefix) ?? {};
    remove(sessionStorageOrNone(), this.prefix);
    this.tab = last.tab ?? randomName();
    this.turn = last.turn ?? 0;
    addEventListener("pagehide", () => write(sessionStorageOrNone(), this.prefix, { tab: this.tab, turn: this.turn + 1 }));
  }

  keep(values, revision) {
    write(localStorageOrNone(), this.prefix + this.tab, { values, revision, at: Date.now() });
  }

  clear() {
    remove(localStorageOrNone(), this.prefix + this.tab);
  }

  clearAll() {
    for (const key of this.#keys()) remove(localStorageOrNone(), key);
  }

  /** What was left unsaved: by this tab before a reload, or by one that is long gone. {values, revision} or null. */
  left() {
    const mine = read(localStorageOrNone(), this.prefix + this.tab);
    if (mine) return mine;
    const gone = this.#keys()
      .map((key) => read(localStorageOrNone(), key))
      .filter((kept) => kept && Date.now() - kept.at > OTHERS_ARE_GONE_AFTER);
    return gone.sort((one, other) => other.at - one.at)[0] ?? null;
  }

  #keys() {
    const storage = localStorageOrNone();
    try {
      return storage ? Object.keys(storage).filter((key) => key.startsWith(this.prefix)) : [];
    } catch {
      return [];
    }
  }
}

function randomName() {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function localStorageOrNone() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

function sessionStorageOrNone() {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}

function read(storage, key) {
  try {
    return JSON.parse(storage.getItem(key));
  } catch {
    return null;
  }
}

function write(storage, key, value) {
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch {
    /* no second net */
  }
}

function remove(storage, key) {
  try {
    storage.removeItem(key);
  } catch {
    /* nothing there */
  }
}
