// What lowers the score: the metric quality with each sentence and word left out in turn, as shades in the text and as lists.

import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";

import { byId, count, el, refill, short } from "./dom.js";
import { unitIndex } from "./offsets.js";
import { post } from "./server.js";

const LISTED = 5; // sentences and words in the lists
const COMPUTING = "Computing …";
const ABOUT = {
  meaning: "Whether your text still says what the original says. For a single number, name or negation, use the facts above.",
  fluency: "Whether your text reads like correct English.",
  simplicity: "Whether your text is easier than the original.",
};

const setShades = StateEffect.define();

/** The shades of the text; they are those of one version, so an edit takes them away. */
export const shades = StateField.define({
  create: () => Decoration.none,
  update(value, transaction) {
    if (transaction.docChanged) value = Decoration.none;
    for (const effect of transaction.effects) if (effect.is(setShades)) value = effect.value;
    return value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export class Quality {
  #answer = null; // the last one; its pieces stand where they are in the text
  #asked = 0; // which question is under way
  #part = "quality";
  #kind = "word"; // what is shaded
  #outdated = false;

  /** `texts()` gives {source, output}; `go(piece)` shows a place, `say(words)` tells, `failed(error)` returns words if it is about this. */
  constructor({ view, texts, go, say, failed }) {
    Object.assign(this, { view, texts, go, say, failed });
    this.button = byId("ask-quality");
    this.button.addEventListener("click", () => this.ask());
    byId("quality-answer").addEventListener("change", ({ target }) => {
      if (target.name === "quality-part") this.#part = target.value;
      else this.#kind = target.value;
      this.#show();
    });
    byId("hide-quality").addEventListener("click", () => {
      this.#forget();
      this.button.focus();
    });
  }

  async ask() {
    const asked = ++this.#asked;
    const data = this.texts();
    if (!data.source.trim() || !data.output.trim()) {
      const absent = data.output.trim() ? "Paste the original" : data.source.trim() ? "Write your text" : "Write your text and paste the original";
      this.#forget(`${absent} first: the score compares both.`);
      return;
    }
    this.#forget(COMPUTING);
    try {
      let answer = null;
      for (let done = 0; done !== null; done = answer.next) {
        const part = await (await post("/editor/quality", { ...data, done })).json();
        if (asked !== this.#asked) return; // the text has changed, or it was asked again
        if (!done) this.#choose(part.shaded);
        this.#add(part, data.output, answer);
        answer = this.#answer;
        if (!done) byId("quality-answer").scrollIntoView({ block: "nearest" });
      }
      const [kind, n] = [answer.shaded, this.#lowering(answer.shaded).length];
      this.say(`Quality ${Math.round(answer.scores.quality)}. ${count(n, kind)} lower${n === 1 ? "s" : ""} ${this.#part}.`);
    } catch (error) {
      if (asked === this.#asked) this.#forget(this.failed(error));
    }
  }

  /** An edit of one of the texts: what is shown is of the text before. `changes` are those of your text. */
  changed(changes = null) {
    this.#asked++;
    const { source, output } = this.#answer ? this.texts() : {};
    if (!source?.trim() || !output.trim()) {
      const note = byId("quality-note").textContent;
      if (this.#answer || note) this.#forget(note === COMPUTING ? "The text has changed meanwhile. Please ask again." : "");
      return;
    }
    if (changes) {
      for (const piece of this.#answer.pieces) {
        piece.from = changes.mapPos(piece.from, 1);
        piece.to = changes.mapPos(piece.to, -1);
      }
    }
    if (this.#outdated) return;
    this.#outdated = true;
    this.#show();
  }

  #forget(note = "") {
    this.#answer = null;
    this.#outdated = false;
    byId("quality-note").textContent = note ?? "";
    this.#show();
  }

  /** Shades sentences or words, as the report does at first. */
  #choose(kind) {
    this.#kind = kind;
    byId(`shade-${kind}`).checked = true;
  }

  #add(part, text, before) {
    const unit = unitIndex(text);
    const pieces = part.pieces.map((piece) => {
      const [from, to] = [unit(piece.start), unit(piece.end)];
      return { ...piece, from, to, text: text.slice(from, to) };
    });
    this.#answer = { ...part, pieces: [...(before?.pieces || []), ...pieces] };
    this.#show();
  }

  #show() {
    const answer = this.#answer;
    const box = byId("quality-answer");
    box.hidden = !answer;
    box.classList.toggle("outdated", this.#outdated);
    this.button.textContent = this.#outdated ? "Ask again" : "What lowers the score?";
    this.#shade();
    if (!answer) return;
    box.setAttribute("aria-busy", String(answer.next !== null && !this.#outdated));
    const left = answer.next === null ? "" : `${answer.next} of ${answer.total} sentences and words were left out so far …`;
    byId("quality-note").textContent = this.#outdated ? "The text has changed. These numbers belong to the earlier text." : left;
    for (const [part, score] of Object.entries(answer.scores)) byId(`quality-${part}`).textContent = String(Math.round(score));
    for (const kind of ["sentence", "word"]) byId(`shade-${kind}`).disabled = answer.next === null && !answer.pieces.some((p) => p.kind === kind);
    byId("quality-about").textContent = ABOUT[this.#part] || answer.about;
    byId("quality-signature").textContent = answer.signature;
    byId("quality-limits").textContent = answer.notes.join(" ");
    const lists = byId("quality-lists");
    const focused = [...lists.querySelectorAll("button")].indexOf(document.activeElement);
    refill(lists, [...this.#list("sentence"), ...this.#list("word")]);
    lists.querySelectorAll("button")[focused]?.focus({ preventScroll: true });
  }

  #shade() {
    const { pieces = [] } = this.#answer || {};
    const length = this.view.state.doc.length;
    const ranges = this.#outdated ? [] : pieces.filter((p) => p.kind === this.#kind && p.effects[this.#part].shade && p.from < p.to && p.to <= length);
    const marks = ranges.map(({ from, to, effects }) => {
      const { shade, words } = effects[this.#part];
      return Decoration.mark({ tagName: "mark", class: shade, attributes: { title: words } }).range(from, to);
    });
    this.view.dispatch({ effects: setShades.of(Decoration.set(marks, true)) });
  }

  #lowering(kind) {
    const points = (piece) => piece.effects[this.#part].points;
    return this.#answer.pieces.filter((p) => p.kind === kind && p.effects[this.#part].shade.endsWith("lowers")).sort((a, b) => points(a) - points(b));
  }

  #lead(kind, n) {
    if (!this.#answer.pieces.some((p) => p.kind === kind)) return kind === "sentence" ? "There is only one sentence." : "";
    const lowering = `lower${n > 0 ? "" : "s"} ${this.#part} by a point or more`;
    if (!n) return `No ${kind} ${lowering}.`;
    const name = kind === "sentence" ? "Sentences" : "Words";
    return n > LISTED ? `Of ${n} ${name.toLowerCase()} that ${lowering}, these lower it most:` : `${name} that ${lowering}:`;
  }

  #list(kind) {
    const lowering = this.#lowering(kind);
    const lead = this.#lead(kind, lowering.length);
    if (!lead) return [];
    return [
      el("p", { class: "note", text: lead }),
      el("ol", { class: "costly" }, ...lowering.slice(0, LISTED).map((piece) => el(
        "li",
        {},
        el("button", { type: "button", class: "sentence", disabled: piece.from >= piece.to, onclick: () => this.go(piece) }, short(piece.text.trim(), 110)),
        el("p", { class: "note", text: piece.effects[this.#part].words }),
      ))),
    ];
  }
}
