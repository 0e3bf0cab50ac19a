// Talking to `plainmark serve`.

export class Unreachable extends Error {}
export class Refused extends Error {}

/** A request with a JSON body; what the server refuses is an error with its words. */
export async function post(path, data) {
  return answerOf(path, { body: JSON.stringify(data), headers: { "content-type": "application/json" } });
}

export async function postFile(path, file, question = null) {
  const body = new FormData();
  if (question) body.append("request", JSON.stringify(question));
  body.append("file", file);
  return answerOf(path, { body });
}

async function answerOf(path, options) {
  let answer;
  try {
    answer = await fetch(path, { method: "POST", ...options });
  } catch {
    throw new Unreachable();
  }
  if (answer.ok) return answer;
  const problem = await answer.json().catch(() => ({}));
  throw new Refused(problem.error || `The server refused this (${answer.status}).`);
}

/**
 * Asks again whenever something has changed, a pause after the last change, with one question under way at a time.
 * `question()` gives the data or null if there is nothing to ask; `done(answer, data)` and `failed(error)` follow.
 */
export class Repeated {
  #timer = 0;
  #busy = false;
  #again = false;

  constructor(path, pause, { question, done, failed }) {
    Object.assign(this, { path, pause, question, done, failed });
  }

  soon(pause = this.pause) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.now(), pause);
  }

  async now() {
    clearTimeout(this.#timer);
    if (this.#busy) {
      this.#again = true;
      return;
    }
    const data = this.question();
    if (data === null) return;
    this.#busy = true;
    try {
      this.done(await (await post(this.path, data)).json(), data);
    } catch (error) {
      this.failed(error);
    } finally {
      this.#busy = false;
      if (this.#again) {
        this.#again = false;
        this.soon(0);
      }
    }
  }
}

/** Gives the browser a file to keep. */
export async function download(answer) {
  const name = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") || "")?.[1] || "plainmark.txt";
  const url = URL.createObjectURL(await answer.blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
