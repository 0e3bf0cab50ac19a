// Which sentence of the text belongs to which of the original: hovering lights both, scrolling keeps them side by side.

import { setLit } from "./marks.js";

const NAMES = { deleted: "dropped" };

export class Links {
  #sides = [[], []]; // sentences of the original and of the text: {from, to, group}
  #groups = [];
  #lit = "";
  #leader = null; // the view that the person scrolls
  #quiet = 0;

  constructor(original, text, say) {
    this.views = [original, text];
    this.say = say;
    this.views.forEach((view, side) => {
      view.dom.addEventListener("mousemove", (event) => this.#hover(side, view.posAtCoords(event)));
      view.dom.addEventListener("mouseleave", () => this.light(-1));
      for (const kind of ["wheel", "touchmove", "pointerdown", "keydown"]) {
        view.dom.addEventListener(kind, () => (this.#leader = view), { passive: true });
      }
      view.scrollDOM.addEventListener("scroll", () => this.#scrolled(side), { passive: true });
    });
  }

  show(sides, groups) {
    this.#sides = sides;
    this.#groups = groups;
    this.#lit = "";
  }

  clear() {
    this.show([[], []], []);
    for (const view of this.views) view.dispatch({ effects: setLit.of([]) });
  }

  /** Moves the sentences of one side along with an edit. */
  follow(side, changes) {
    this.#sides[side] = this.#sides[side].map((s) => ({
      ...s, from: changes.mapPos(s.from, 1), to: changes.mapPos(s.to, -1),
    }));
  }

  #at(side, position) {
    return position === null ? undefined : this.#sides[side].find((s) => s.from <= position && position < s.to);
  }

  #hover(side, position) {
    this.light(this.#at(side, position)?.group ?? -1);
  }

  /** What became of the sentence at the caret. */
  caret(side, position) {
    const sentence = this.#at(side, position) ?? this.#sides[side].find((s) => s.to === position);
    this.light(sentence ? sentence.group : -1);
  }

  light(number) {
    const group = this.#groups[number];
    if (this.#lit === String(number)) return;
    this.#lit = String(number);
    [group?.source || [], group?.output || []].forEach((members, side) => {
      const ranges = members.map((i) => this.#sides[side][i]).filter(Boolean);
      const others = members.length ? [] : (group?.candidates || []).map((i) => this.#sides[side][i]).filter(Boolean);
      this.views[side].dispatch({ effects: setLit.of([...ranges, ...others]) });
    });
    this.say(group ? describe(group) : "");
  }

  #scrolled(side) {
    const [view, other] = [this.views[side], this.views[1 - side]];
    if (this.#leader !== view || performance.now() < this.#quiet || !this.#sides[side].length) return;
    const top = view.scrollDOM.scrollTop;
    const first = view.lineBlockAtHeight(top).from;
    const end = view.scrollDOM.scrollHeight - view.scrollDOM.clientHeight;
    if (end <= 0) return;
    let partner = null;
    for (const sentence of this.#sides[side]) {
      const group = this.#groups[sentence.group];
      const members = group && (side ? group.source : group.output);
      if (members?.length) {
        const found = this.#sides[1 - side][members[0]];
        if (found) partner = { here: sentence, there: found };
      }
      if (sentence.to > first && partner) break;
    }
    const far = other.scrollDOM.scrollHeight - other.scrollDOM.clientHeight;
    let goal = (top / end) * far;
    if (partner && top < end - 2) {
      const here = view.lineBlockAt(partner.here.from).top;
      goal = other.lineBlockAt(Math.min(partner.there.from, other.state.doc.length)).top + Math.max(0, top - here);
    }
    this.#quiet = performance.now() + 60;
    other.scrollDOM.scrollTop = goal;
  }
}

function describe({ source, output, change, moved, candidates }) {
  const name = (NAMES[change] || change) + (moved ? ", moved" : "");
  const list = (members) => members.map((i) => i + 1).join(", ");
  if (source.length && output.length) return `Original ${list(source)} ↔ yours ${list(output)}: ${name}`;
  if (candidates?.length) return `${name}: compare sentence ${list(candidates)}`;
  return source.length ? `Original ${list(source)}: ${name}` : `Yours ${list(output)}: ${name}`;
}
