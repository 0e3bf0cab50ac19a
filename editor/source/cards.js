// One card per mark: the reason, alternatives to click, and the keys that go through them.

import { count, el, refill, short } from "./dom.js";

const SHOWN = 40; // cards at a time; the rest is a button away
const MOST_CHOICES = 6;

export class Cards {
  #findings = [];
  #active = "";
  #first = 0;
  #kind = "";

  /** `actions`: go(finding), replace(finding, text), ignore(finding), always(finding, text), leave(finding), restore(). */
  constructor({ list, filter, summary, peek, actions }) {
    Object.assign(this, { list, filter, summary, peek, actions });
    list.addEventListener("keydown", (event) => this.#key(event));
    list.addEventListener("focusin", (event) => {
      const card = event.target.closest(".suggestion");
      if (card && card.dataset.key !== this.#active) this.activate(card.dataset.key, { go: true });
    });
    filter.addEventListener("change", () => {
      this.#kind = filter.value;
      this.#first = 0;
      this.#draw();
    });
  }

  show(findings, { ignored = 0, empty = "" } = {}) {
    this.#findings = findings;
    this.ignored = ignored;
    this.empty = empty;
    this.#options();
    this.#draw();
  }

  get #visible() {
    if (this.#kind === "limit") return this.#findings.filter((f) => f.severity === "limit");
    return this.#kind ? this.#findings.filter((f) => f.rule === this.#kind) : this.#findings;
  }

  activate(key, { go = false, focus = false, scroll = true } = {}) {
    if (!this.#visible.some((f) => f.key === key)) {
      if (!this.#findings.some((f) => f.key === key)) key = "";
      else this.#kind = this.filter.value = "";
    }
    const changed = key !== this.#active;
    this.#active = key;
    if (changed || focus) this.#draw();
    const card = this.#card(key);
    if (!card) return;
    if (focus) card.querySelector("article").focus({ preventScroll: true });
    if (scroll) card.scrollIntoView({ block: "nearest" });
    const finding = this.#findings.find((f) => f.key === key);
    if (go && changed) this.actions.go(finding);
  }

  /** The card after (or before) a place in the text. */
  next(position, step) {
    const visible = this.#visible;
    if (!visible.length) return null;
    const at = visible.findIndex((f) => f.key === this.#active);
    if (at >= 0) return visible[(at + step + visible.length) % visible.length];
    if (step > 0) return visible.find((f) => f.from >= position) || visible[0];
    return visible.findLast((f) => f.from < position) || visible.at(-1);
  }

  get active() {
    return this.#findings.find((f) => f.key === this.#active);
  }

  #card(key) {
    return [...this.list.children].find((card) => card.dataset.key === key);
  }

  #options() {
    const rules = new Map();
    for (const { rule, name } of this.#findings) rules.set(rule, [name, (rules.get(rule)?.[1] || 0) + 1]);
    const limits = this.#findings.filter((f) => f.severity === "limit").length;
    if (this.#kind && this.#kind !== "limit" && !rules.has(this.#kind)) this.#kind = "";
    const rows = [["", `All suggestions (${this.#findings.length})`]];
    if (limits) rows.push(["limit", `Over a limit (${limits})`]);
    for (const [rule, [name, n]] of [...rules].sort((a, b) => b[1][1] - a[1][1])) rows.push([rule, `${name} (${n})`]);
    const now = JSON.stringify(rows);
    if (now !== this.filter.dataset.rows) {
      this.filter.dataset.rows = now;
      this.filter.replaceChildren(...rows.map(([value, text]) => el("option", { value, text })));
    }
    this.filter.value = this.#kind;
  }

  #draw() {
    const visible = this.#visible;
    const at = visible.findIndex((f) => f.key === this.#active);
    if (at >= 0 && (at < this.#first || at >= this.#first + SHOWN)) this.#first = Math.max(0, at - SHOWN / 2);
    this.#first = Math.min(this.#first, Math.max(0, visible.length - 1));
    const page = visible.slice(this.#first, this.#first + SHOWN);
    const old = new Map([...this.list.children].map((card) => [card.dataset.key, card]));
    let focused = null; // a card that had the focus and was made again
    const cards = page.map((finding, i) => {
      const open = finding.key === this.#active;
      const stamp = JSON.stringify([finding.message, finding.suggestions, finding.severity, open, !i]);
      const known = old.get(finding.key);
      if (known?.dataset.stamp === stamp) return known;
      const card = this.#make(finding, open, !i && at < 0);
      card.dataset.stamp = stamp;
      if (open && known?.contains(document.activeElement)) focused = card;
      return card;
    });
    const before = this.#first;
    const after = visible.length - this.#first - page.length;
    if (before) cards.unshift(this.#more(`${count(before, "suggestion")} before these`, -SHOWN));
    if (after > 0) cards.push(this.#more(`${count(after, "suggestion")} after these`, SHOWN));
    refill(this.list, cards);
    focused?.querySelector("article").focus({ preventScroll: true });
    const notes = [];
    if (!visible.length && this.empty) notes.push(el("p", { class: "nothing", text: this.empty }));
    if (this.ignored) {
      const restore = el("button", { type: "button", class: "quiet", onclick: () => this.actions.restore() }, "Show them again");
      notes.push(el("p", { class: "note" }, `${count(this.ignored, "suggestion")} ignored in this draft. `, restore));
    }
    refill(this.summary, notes);
    // On a phone the text and the list are not seen together: the card of the mark at the cursor stands below the text.
    const active = this.active;
    refill(this.peek, active ? [this.#make(active, true, false)] : []);
  }

  #more(text, step) {
    const move = () => {
      this.#active = "";
      this.#first = Math.max(0, this.#first + step);
      this.#draw();
      this.list.querySelector("article")?.focus();
    };
    return el("li", { class: "more" }, el("button", { type: "button", class: "quiet", onclick: move }, text));
  }

  #make(finding, open, first) {
    const { suggestions, quote, name, message, severity } = finding;
    const reach = open ? "0" : "-1";
    const press = (call) => ({
      onmousedown: (event) => event.preventDefault(), // the text keeps the focus
      onclick: call,
      type: "button",
      tabindex: reach,
    });
    const choices = suggestions.slice(0, MOST_CHOICES).map((s, i) => el(
      "button",
      { class: "choice", title: [s.origin, s.note].filter(Boolean).join(": "), ...press(() => this.actions.replace(finding, s.text)) },
      open && suggestions.length > 1 ? el("kbd", { text: String(i + 1), "aria-hidden": "true" }) : null,
      s.text || "(leave out)",
    ));
    const always = open && suggestions.length && !finding.whole && suggestions[0].text && suggestions[0].origin !== "word list";
    const spoken = `${name}: ${short(quote, 60)}${suggestions.length ? `. Instead: ${suggestions.map((s) => s.text).join(", or ")}` : ""}`;
    return el(
      "li",
      { class: `suggestion ${severity}${open ? " open" : ""}`, "data-key": finding.key },
      el(
        "article",
        { tabindex: open || first ? "0" : "-1", "aria-label": spoken, onclick: (event) => {
          if (!event.target.closest("button, summary")) this.activate(finding.key, { go: true });
        } },
        el("p", { class: "what" }, el("span", { class: "kind", text: name }), el("q", { text: short(quote, open ? 160 : 64) })),
        open ? el("p", { class: "why", text: message }) : null,
        choices.length ? el("p", { class: "choices" }, ...choices) : null,
        open ? el(
          "p",
          { class: "rest" },
          el("button", { class: "quiet", ...press(() => this.actions.ignore(finding)) }, "Ignore"),
          always ? el("button", { class: "quiet", ...press(() => this.actions.always(finding, suggestions[0].text)) }, `Always use “${short(suggestions[0].text, 24)}”`) : null,
        ) : null,
        open && finding.explanation ? el("details", {}, el("summary", { text: `Why? (${finding.rule})` }), el("p", { class: "note", text: finding.explanation })) : null,
      ),
    );
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const finding = this.active;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    let done = true;
    if (step) {
      const next = this.next(0, step);
      if (next) this.activate(next.key, { go: true, focus: true });
    } else if (!finding) done = false;
    else if (event.key === "Escape") this.actions.leave(finding);
    else if (/^[1-9]$/.test(event.key) && finding.suggestions[event.key - 1]) this.#step(finding, (f) => this.actions.replace(f, f.suggestions[event.key - 1].text));
    else if (event.key === "Enter" && event.target.tagName === "ARTICLE" && finding.suggestions.length) this.#step(finding, (f) => this.actions.replace(f, f.suggestions[0].text));
    else if (event.key === "i") this.#step(finding, (f) => this.actions.ignore(f));
    else if (event.key === "a" && finding.suggestions.length) this.#step(finding, (f) => this.actions.always(f, f.suggestions[0].text));
    else done = false;
    if (done) event.preventDefault();
  }

  /** Does something with a card by key, then goes on to the next one. */
  #step(finding, act) {
    const visible = this.#visible;
    const next = visible[visible.indexOf(finding) + 1] || visible[visible.indexOf(finding) - 1];
    act(finding);
    if (next) this.activate(next.key, { go: true, focus: true });
    else this.actions.leave(finding);
  }
}
