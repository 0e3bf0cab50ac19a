// What is kept in this browser: the draft, and what outlives it (targets and the word list).

const DRAFT = "plainmark.draft";
const SETTINGS = "plainmark.settings";

function read(key) {
  try {
    const value = JSON.parse(localStorage.getItem(key));
    return value && typeof value === "object" ? value : {};
  } catch {
    return {}; // no storage, or something else wrote there
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false; // storage is full or switched off
  }
}

const texts = (value) => (Array.isArray(value) ? value.filter((item) => typeof item === "string") : []);

export function readDraft() {
  const draft = read(DRAFT);
  return {
    text: typeof draft.text === "string" ? draft.text : "",
    original: typeof draft.original === "string" ? draft.original : "",
    name: typeof draft.name === "string" ? draft.name : "",
    folded: draft.folded === true,
    ignored: texts(draft.ignored),
    confirmed: texts(draft.confirmed),
  };
}

export const writeDraft = (draft) => write(DRAFT, draft);
export const onDraftElsewhere = (call) =>
  addEventListener("storage", (event) => event.key === DRAFT && event.newValue && call());

export function readSettings() {
  const { targets, words } = read(SETTINGS);
  return {
    targets: targets && typeof targets === "object" ? targets : null,
    words: typeof words === "string" ? words : "",
  };
}

export const writeSettings = (settings) => write(SETTINGS, settings);
