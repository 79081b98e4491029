// Talks to our server. Every request presents the page's signed context; an expired one is renewed on the way.

const SECONDS_TO_WAIT = 10;

export class Server {
  constructor(context) {
    this.context = context;
    // The address without the marketplace's parameters, and the parameters by themselves.
    this.base = location.pathname.replace(/[^/]*$/, "");
    this.claims = location.search;
  }

  /** A response as {status, body}; status 0 when nothing came back in time, or `signal` called it off. */
  async send(path, { method = "GET", body, keepalive = false, signal } = {}) {
    let answer = await this.#once(path, method, body, keepalive, signal);
    if (answer.status === 403 && answer.body.problem === "context" && (await this.#renew())) {
      answer = await this.#once(path, method, body, keepalive, signal);
    }
    return answer;
  }

  async #once(path, method, body, keepalive, signal) {
    const inTime = AbortSignal.timeout(SECONDS_TO_WAIT * 1000);
    const headers = { "X-Context": this.context, Accept: "application/json" };
    if (typeof body === "string") headers["Content-Type"] = "application/json";
    try {
      const response = await fetch(this.base + path, {
        method,
        headers,
        body,
        keepalive,
        cache: "no-store",
        credentials: "omit",
        signal: keepalive ? undefined : signal ? AbortSignal.any([inTime, signal]) : inTime,
      });
      const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
      return { status: response.status, body: isJson ? await response.json() : {} };
    } catch {
      return { status: 0, body: {} };
    }
  }

  async #renew() {
    const answer = await this.#once(`context${this.claims}`, "GET");
    if (answer.status !== 200) return false;
    this.context = answer.body.context;
    return true;
  }
}
