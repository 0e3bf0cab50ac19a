// The ledger as a list: every fact with its verdict, to confirm one by one.

import { count, el, refill, short } from "./dom.js";

const ORDER = ["changed", "check", "gone", "new", "same"];
const HEADINGS = {
  changed: "Changed",
  check: "Perhaps changed",
  gone: "Not in your text",
  new: "Not in the original",
  same: "The same in both",
};

export class Facts {
  #rows = [];
  #confirmed = new Set();
  #current = 0;

  /** `actions`: go(entry), confirmed(keys), leave(entry). */
  constructor({ list, summary, badge, actions }) {
    Object.assign(this, { list, summary, badge, actions });
    list.addEventListener("keydown", (event) => this.#key(event));
    list.addEventListener("focusin", (event) => {
      const row = event.target.closest(".fact-row");
      if (row) this.#reach(Number(row.dataset.index), { focus: false });
    });
  }

  show(entries, notes = [], confirmed = null) {
    const seen = new Map();
    const sorted = [...entries].sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
    this.#rows = sorted.map((entry) => {
      const name = [entry.kind, entry.verdict, entry.before?.text ?? "", entry.after?.text ?? ""].join("|");
      seen.set(name, (seen.get(name) || 0) + 1);
      return { entry, key: `${name}|${seen.get(name)}` };
    });
    if (confirmed) this.#confirmed = new Set(confirmed);
    this.notes = notes;
    this.#current = Math.min(this.#current, Math.max(0, this.#rows.length - 1));
    this.#draw();
  }

  /** The confirmed facts that are still there, as indices into the entries of the answer. */
  confirmedEntries() {
    return this.#rows.filter(({ key }) => this.#confirmed.has(key)).map(({ entry }) => entry.index);
  }

  focus() {
    this.#reach(this.#current, { focus: true });
  }

  #draw() {
    const items = [];
    let last = "";
    this.#rows.forEach(({ entry, key }, index) => {
      if (entry.verdict !== last) {
        const n = this.#rows.filter((r) => r.entry.verdict === entry.verdict).length;
        items.push(el("li", { class: "verdict" }, el("h2", { text: `${HEADINGS[entry.verdict]} (${n})` })));
        last = entry.verdict;
      }
      items.push(this.#item(entry, key, index));
    });
    const focused = document.activeElement?.closest?.(".fact-row")?.dataset.index;
    refill(this.list, items);
    if (focused !== undefined && this.list.contains(document.activeElement) === false) {
      this.#row(Number(focused))?.focus({ preventScroll: true });
    }
    const done = this.#rows.filter(({ key }) => this.#confirmed.has(key)).length;
    const lines = this.notes.map((note) => el("p", { class: "note", text: note }));
    if (this.#rows.length) lines.unshift(el("p", { class: "tally" }, el("b", { text: `${done} of ${count(this.#rows.length, "fact")} confirmed.` }), " Rules find facts and do not see every change of meaning."));
    refill(this.summary, lines);
    const open = this.#rows.filter(({ entry, key }) => entry.verdict !== "same" && !this.#confirmed.has(key)).length;
    this.badge.textContent = this.#rows.length ? String(open) : "";
  }

  #item(entry, key, index) {
    const confirmed = this.#confirmed.has(key);
    const { before, after, verdict } = entry;
    const words = [];
    if (before) words.push(el(verdict === "same" ? "span" : "b", { text: short(before.text, 70) }));
    if (before && after && before.text !== after.text) words.push(" → ");
    if (after && (!before || before.text !== after.text)) words.push(el(verdict === "same" ? "span" : "b", { text: short(after.text, 70) }));
    const toggle = el("button", {
      type: "button",
      class: "quiet confirm",
      tabindex: "-1",
      "aria-pressed": String(confirmed),
      onmousedown: (event) => event.preventDefault(),
      onclick: () => this.#toggle(index),
    }, confirmed ? "✓ Confirmed" : "Confirm");
    return el(
      "li",
      { class: `fact-row ${entry.red ? "alarm" : verdict}${confirmed ? " confirmed" : ""}`, "data-index": index, tabindex: index === this.#current ? "0" : "-1", onclick: () => this.#reach(index, { focus: true }) },
      el("p", { class: "what" }, el("span", { class: "kind", text: entry.label }), " ", ...words, toggle),
      verdict === "same" ? null : el("p", { class: "why", text: entry.reason }),
    );
  }

  #row(index) {
    return this.list.querySelector(`[data-index="${index}"]`);
  }

  #reach(index, { focus }) {
    const row = this.#row(index);
    if (!row) return;
    this.#row(this.#current)?.setAttribute("tabindex", "-1");
    row.setAttribute("tabindex", "0");
    this.#current = index;
    if (focus) row.focus();
    this.actions.go(this.#rows[index].entry);
  }

  #toggle(index) {
    const { key } = this.#rows[index];
    if (!this.#confirmed.delete(key)) this.#confirmed.add(key);
    this.#draw();
    this.actions.confirmed([...this.#confirmed]);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.#rows.length - 1;
    if (event.key === "ArrowDown") this.#reach(Math.min(this.#current + 1, last), { focus: true });
    else if (event.key === "ArrowUp") this.#reach(Math.max(this.#current - 1, 0), { focus: true });
    else if (event.key === "Home") this.#reach(0, { focus: true });
    else if (event.key === "End") this.#reach(last, { focus: true });
    else if (event.key === "c" || event.key === " ") {
      const at = this.#current;
      const was = this.#confirmed.has(this.#rows[at].key);
      this.#toggle(at);
      this.#reach(was ? at : Math.min(at + 1, last), { focus: true });
    } else if (event.key === "Escape") this.actions.leave(this.#rows[this.#current].entry);
    else return;
    event.preventDefault();
  }
}
