// The editor: your text in CodeMirror with marks under words, the original beside it, cards, facts and targets.
// Without this file the page is a form that the server answers.

import { isolateHistory } from "@codemirror/commands";
import { EditorView, keymap } from "@codemirror/view";

import { Cards } from "./cards.js";
import { byId, count, wordCount } from "./dom.js";
import { Facts } from "./facts.js";
import { openFile, saveFile } from "./files.js";
import { Links } from "./links.js";
import { follow, marks, setActive, setFindings } from "./marks.js";
import { unitIndex } from "./offsets.js";
import { makePanels } from "./panels.js";
import { Quality, shades } from "./quality.js";
import { showScores } from "./scores.js";
import { download, post, Refused, Repeated, Unreachable } from "./server.js";
import { onDraftElsewhere, readDocument, readDraft, readSettings, writeDocument, writeDraft, writeSettings } from "./storage.js";
import { fillTargets, readTargets, showCostly, showMeters } from "./targets.js";
import { viewMaker } from "./views.js";
import { addWord } from "./words.js";

const form = byId("editor");
const LONG = 20_000; // characters from which a check may take a little longer
document.documentElement.classList.add("js");

// What the page came with (texts of the command line) stands before what this browser kept.
const kept = readDraft();
const given = { text: byId("text").value, original: byId("original").value };
const isGiven = Boolean(given.text.trim() || given.original.trim());
const draft = isGiven ? { ...kept, ...given, name: form.dataset.name, kind: "text", ignored: [], confirmed: [], folded: !given.original.trim() } : kept;
const settings = readSettings();
let checked = null; // the last answer about your text
let since = null; // edits since it was asked for
let ignored = new Set(draft.ignored);

// ---- the two texts

const makeView = viewMaker({ nonce: form.dataset.nonce, longest: Number(form.dataset.longest), complain });

const original = makeView("original", draft.original, "Original", "Paste the original here, if there is one.", [
  EditorView.updateListener.of((update) => {
    if (update.docChanged) {
      links.follow(0, update.changes);
      quality.changed();
      changed();
    }
    if (update.selectionSet && update.view.hasFocus) links.caret(0, update.state.selection.main.head);
  }),
]);
const text = makeView("text", draft.text, "Your text", "Write or paste your text here.", [
  marks,
  shades,
  keymap.of([
    { key: "F8", run: () => goTo(1) },
    { key: "Shift-F8", run: () => goTo(-1) },
    { key: "Alt-Enter", run: acceptAtCaret },
  ]),
  EditorView.updateListener.of((update) => {
    if (update.docChanged) {
      links.follow(1, update.changes);
      quality.changed(update.changes);
      if (since) since = since.compose(update.changes);
      const { findings } = update.state.field(marks);
      if (checked) cards.show(findings, notes());
      changed();
    }
    if (update.selectionSet && update.view.hasFocus && !update.docChanged) caretMoved(update.state.selection.main.head);
  }),
  EditorView.domEventHandlers({
    click(event) {
      const key = event.target.closest?.(".mark")?.dataset.key;
      if (key) activate(innermost(text.posAtCoords(event)) || key);
    },
  }),
]);

const links = new Links(original, text, (words) => (byId("link").textContent = words));

function innermost(position) {
  const at = text.state.field(marks).findings.filter((f) => f.from <= position && position <= f.to);
  return at.sort((a, b) => a.to - a.from - (b.to - b.from))[0]?.key;
}

function caretMoved(position) {
  links.caret(1, position);
  const key = innermost(position);
  if (key) activate(key, { show: false });
}

// ---- cards

const panels = makePanels();
const cards = new Cards({
  list: byId("card-list"),
  filter: byId("card-filter"),
  summary: byId("card-summary"),
  peek: byId("peek"),
  actions: {
    go: (finding) => show(finding),
    replace,
    ignore(finding) {
      ignored.add(nameOf(finding));
      keep();
      refreshMarks();
      say(`Ignored in this draft: ${finding.quote}`);
    },
    always(finding, better) {
      const area = byId("words");
      area.value = addWord(area.value, finding.quote, better);
      keepSettings();
      replace(finding, better);
      say(`Your word list now says ${better} instead of ${finding.quote}.`);
      check.soon(0);
    },
    leave: (finding) => leave(finding),
    restore() {
      ignored = new Set();
      keep();
      refreshMarks();
    },
  },
});

const nameOf = (finding) => `${finding.rule}|${finding.quote.toLowerCase()}`;

/** What can be said when there is nothing to suggest. */
function notes() {
  const all = checked ? checked.findings.length : 0;
  const shown = text.state.field(marks).findings.length;
  const hidden = checked ? checked.findings.filter((f) => ignored.has(nameOf(f))).length : 0;
  let empty = "";
  if (!text.state.doc.length) empty = "Suggestions appear here as you write.";
  else if (checked && !shown) empty = all ? "Nothing else was found." : "Nothing was found by the rules. They do not see everything: read it once more, or better, ask a reader.";
  return { ignored: hidden, empty };
}

function activate(key, { focus = false, show: reveal = true } = {}) {
  text.dispatch({ effects: setActive.of(key) });
  if (reveal) panels.choose("cards");
  cards.activate(key, { focus });
}

/** Shows the place of a finding in the text, without taking the focus. */
function show({ key, from, to }) {
  text.dispatch({ effects: [setActive.of(key ?? ""), EditorView.scrollIntoView(from, { y: "nearest", yMargin: 60 })], selection: { anchor: from, head: to } });
}

/** Shows a place and goes there. */
function reveal(place) {
  show(place);
  panels.chooseView("text");
  text.focus();
}

function leave({ from }) {
  panels.chooseView("text");
  text.focus();
  text.dispatch({ selection: { anchor: Math.min(from, text.state.doc.length) }, scrollIntoView: true });
}

function goTo(step) {
  const next = cards.next(text.state.selection.main.head, step);
  if (!next) return true;
  activate(next.key, { focus: true });
  show(next);
  return true;
}

function acceptAtCaret() {
  const key = innermost(text.state.selection.main.head);
  const finding = text.state.field(marks).findings.find((f) => f.key === key);
  if (!finding?.suggestions.length) return false;
  replace(finding, finding.suggestions[0].text);
  return true;
}

function replace(finding, better) {
  const current = text.state.field(marks).findings.find((f) => f.key === finding.key) || finding;
  text.dispatch({
    changes: { from: current.from, to: current.to, insert: better },
    selection: { anchor: current.from + better.length },
    userEvent: "input.replace",
    annotations: isolateHistory.of("full"),
    scrollIntoView: true,
  });
  say(`Replaced ${finding.quote} by ${better}. Ctrl+Z takes it back.`);
}

// ---- asking the server

const check = new Repeated("/editor/check", 50, {
  question() {
    const doc = text.state.doc;
    since = text.state.changes();
    return { text: doc.toString(), targets: readTargets(form), words: byId("words").value };
  },
  done(answer, data) {
    online();
    const unit = unitIndex(data.text);
    const seen = new Map();
    const place = (item) => ({ ...item, from: unit(item.start), to: unit(item.end) });
    const findings = answer.findings.map(place).filter((f) => f.from < f.to).map((f) => {
      const quote = data.text.slice(f.from, f.to);
      const name = `${f.rule}|${quote}`;
      seen.set(name, (seen.get(name) || 0) + 1);
      return { ...f, quote, key: `${name}|${seen.get(name)}`, name: answer.rules[f.rule]?.name || f.rule, explanation: f.explanation || answer.rules[f.rule]?.explanation };
    });
    checked = { ...answer, findings, text: data.text, costly: answer.costly.map(place), targets: { results: answer.targets } };
    refreshMarks(since);
    showMeters(byId("meters"), data.text.trim() ? answer.measures : null, answer.targets);
    showCostly(byId("costly"), checked, data.text, reveal);
    byId("word-problem").textContent = answer.word_problem || "";
    byId("check-notes").textContent = answer.notes.join(" ");
    tally(findings.length);
    document.documentElement.dataset.checked = String(Number(document.documentElement.dataset.checked || 0) + 1);
  },
  failed: fail,
});

const compare = new Repeated("/editor/facts", 500, {
  question() {
    const data = { source: original.state.doc.toString(), output: text.state.doc.toString() };
    const ready = data.source.trim() && data.output.trim() && !isFolded();
    byId("facts-empty").hidden = Boolean(ready);
    byId("facts-tools").hidden = !ready;
    if (ready) return data;
    links.clear();
    facts.show([], []);
    return null;
  },
  done(answer, data) {
    online();
    const units = [unitIndex(data.source), unitIndex(data.output)];
    const same = data.source === original.state.doc.toString() && data.output === text.state.doc.toString();
    if (!same) return compare.soon(); // offsets have moved on
    const sides = [answer.source, answer.output].map((rows, side) => rows.map(([start, end, group]) => ({ from: units[side](start), to: units[side](end), group })));
    links.show(sides, answer.groups);
    const place = (spot, side) => spot && { ...spot, from: units[side](spot.start), to: units[side](spot.end) };
    facts.show(answer.entries.map((entry, index) => ({ ...entry, index, before: place(entry.before, 0), after: place(entry.after, 1) })), answer.notes);
    byId("facts-problem").textContent = "";
  },
  failed(error) {
    if (!(error instanceof Refused)) return fail(error);
    links.clear();
    facts.show([], []);
    byId("facts-problem").textContent = error.message;
  },
});

function refreshMarks(changes = null) {
  if (!checked) return;
  let findings = checked.findings.filter((f) => !ignored.has(nameOf(f))).map((f) => ({ ...f, whole: f.to - f.from > 60 || /[.!?]["”’)]*$/.test(f.quote) && f.quote.includes(" ") }));
  const moved = changes || since;
  if (moved && !moved.empty) findings = follow(findings, moved);
  text.dispatch({ effects: setFindings.of(findings) });
  cards.show(findings, notes());
  byId("badge-cards").textContent = text.state.doc.length ? String(findings.length) : "";
}

function changed() {
  byId("problem").textContent = "";
  const length = text.state.doc.length;
  byId("count-text").textContent = length ? count(wordCount(text.state.doc.toString()), "word") : "";
  byId("count-original").textContent = original.state.doc.length ? count(wordCount(original.state.doc.toString()), "word") : "";
  check.soon(length > LONG ? 100 : 50);
  compare.soon();
  save();
}

let unreachable = false;
let retry = 0;

function fail(error) {
  if (error instanceof Refused) return complain(error.message);
  if (!(error instanceof Unreachable)) throw error;
  unreachable = true;
  complain("The server does not answer. Your draft is kept in this browser; start `plainmark serve` again and the marks come back.");
  clearTimeout(retry);
  retry = setTimeout(() => check.now(), 3000);
  return undefined;
}

function online() {
  if (!unreachable) return;
  unreachable = false;
  byId("problem").textContent = "";
  compare.soon(0);
}

function complain(words) {
  byId("problem").textContent = words;
}

function say(words) {
  byId("status").textContent = words;
}

let told = 0;
function tally(n) {
  clearTimeout(told);
  told = setTimeout(() => say(count(n, "suggestion")), 1500);
}

// ---- facts

const facts = new Facts({
  list: byId("fact-list"),
  summary: byId("fact-summary"),
  badge: byId("badge-facts"),
  actions: {
    go(entry) {
      if (entry.after) show(entry.after);
      if (entry.before) original.dispatch({ effects: EditorView.scrollIntoView(entry.before.from, { y: "nearest", yMargin: 60 }), selection: { anchor: entry.before.from, head: entry.before.to } });
    },
    confirmed(keys) {
      draft.confirmed = keys;
      keep();
    },
    leave: (entry) => leave(entry.after || { from: text.state.selection.main.head }),
  },
});
facts.show([], [], draft.confirmed);

for (const button of document.querySelectorAll("[data-checklist]")) {
  button.addEventListener("click", () => attempt(async () => download(await post("/editor/checklist", {
    source: original.state.doc.toString(),
    output: text.state.doc.toString(),
    confirmed: facts.confirmedEntries(),
    format: button.dataset.checklist,
  }))));
}

byId("researchers").addEventListener("toggle", (event) => {
  if (event.target.open) attempt(() => showScores(byId("scores"), form.dataset.metrics.split(" "), original.state.doc.toString(), text.state.doc.toString()));
});

const quality = new Quality({
  view: text,
  texts: () => ({ source: isFolded() ? "" : original.state.doc.toString(), output: text.state.doc.toString() }),
  go: reveal,
  say,
  failed: (error) => (error instanceof Refused ? error.message : fail(error)),
});

async function attempt(work) {
  try {
    await work();
    online();
  } catch (error) {
    fail(error);
  }
}

// ---- the draft

let saving = 0;

function keep() {
  clearTimeout(saving);
  const done = writeDraft({
    text: text.state.doc.toString(),
    original: original.state.doc.toString(),
    name: draft.name,
    kind: draft.kind,
    folded: isFolded(),
    ignored: [...ignored],
    confirmed: draft.confirmed,
  });
  byId("saved").textContent = done ? "Saved in this browser" : "Not saved: this browser keeps no data for this page, or its storage is full";
  byId("saved").classList.toggle("failed", !done);
}

function save() {
  clearTimeout(saving);
  byId("saved").textContent = "Saving …";
  saving = setTimeout(keep, 300);
}

addEventListener("pagehide", keep);
document.addEventListener("visibilitychange", () => document.hidden && keep());
onDraftElsewhere(() => complain("This draft was changed in another tab of this browser. Reload the page to see that version; typing here replaces it."));

function keepSettings() {
  writeSettings({ targets: readTargets(form), words: byId("words").value });
}

if (settings.targets) fillTargets(form, settings.targets);
if (settings.words && !byId("words").value) byId("words").value = settings.words;
byId("targets").addEventListener("input", () => {
  keepSettings();
  check.soon(200);
});
byId("words-file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  event.target.value = "";
  if (!file) return;
  await attempt(async () => {
    byId("words").value = (await openFile(file)).text;
    keepSettings();
    check.soon(0);
  });
});

// ---- folding, opening, saving, beginning anew

const fold = byId("fold");
const isFolded = () => form.classList.contains("single");

function setFolded(folded) {
  form.classList.toggle("single", folded);
  fold.setAttribute("aria-pressed", String(!folded));
  panels.single(folded);
}
setFolded(draft.folded || (!isGiven && !draft.original.trim() && Boolean(draft.text.trim()) && kept.folded));
fold.addEventListener("click", () => {
  setFolded(!isFolded());
  quality.changed();
  keep();
  compare.soon(0);
});

for (const [id, view] of [["open", text], ["open-original", original]]) {
  const input = byId(`${id}-file`);
  byId(id).addEventListener("click", () => input.click());
  input.addEventListener("change", async () => {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    await attempt(async () => {
      say(`Opening ${file.name} …`);
      const opened = await openFile(file);
      setText(view, opened.text);
      if (view === text) {
        draft.name = opened.name;
        setDocument(opened.kind, file);
      } else setFolded(false);
      say(opened.notes.length ? opened.notes.join(" ") : `${file.name} is open.`);
      byId("file-notes").textContent = opened.notes.join(" ");
      keep();
    });
  });
}

function setText(view, insert) {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert }, selection: { anchor: 0 }, annotations: isolateHistory.of("full") });
}

// The Word document that the text was opened from: saved as Word, the text goes back into it.
let wordDocument = null;

function setDocument(kind, file = null) {
  draft.kind = kind;
  wordDocument = kind === "word" ? file : null;
  writeDocument(wordDocument);
  showDocument();
}

function showDocument() {
  for (const option of byId("format").options) if (option.value === "tracked") option.disabled = !wordDocument;
  const format = byId("format");
  if (wordDocument) format.value = "tracked";
  else if (format.selectedOptions[0]?.disabled) format.selectedIndex = 0;
  byId("document-name").textContent = wordDocument ? `${draft.name || "document"}.docx` : "";
}

showDocument();
if (isGiven) setDocument("text");
else if (draft.kind === "word") {
  readDocument().then((file) => {
    if (draft.kind !== "word" || wordDocument) return;
    wordDocument = file;
    if (!file) draft.kind = "text";
    showDocument();
  });
}

byId("save").addEventListener("click", () => attempt(async () => {
  const { name, kind } = draft;
  await saveFile({ text: text.state.doc.toString(), format: byId("format").value, name, kind, targets: readTargets(form), words: byId("words").value }, wordDocument);
  say("Saved as a file.");
}));
byId("new").addEventListener("click", () => {
  ignored = new Set();
  draft.confirmed = [];
  draft.name = "";
  setDocument("text");
  facts.show([], [], []);
  setText(original, "");
  setText(text, "");
  text.focus();
  say("A new draft. Ctrl+Z in each text brings the old one back.");
});
byId("keys").addEventListener("click", () => byId("key-help").showModal());
form.addEventListener("submit", (event) => event.preventDefault());

addEventListener("keydown", (event) => {
  if (event.key === "F8" && !event.defaultPrevented) {
    goTo(event.shiftKey ? -1 : 1);
    event.preventDefault();
  } else if (event.key === "F6") {
    panels.step(event.shiftKey ? -1 : 1, { text, original, facts });
    event.preventDefault();
  }
});

byId("saved").textContent = "Saved in this browser";
for (const element of document.querySelectorAll(".unscripted-result")) element.remove();
changed();
check.soon(0);
compare.soon(0);
