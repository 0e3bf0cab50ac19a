// What is kept in this browser: the draft, its Word document, and what outlives them (targets and the word list).

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
    kind: ["markdown", "word"].includes(draft.kind) ? draft.kind : "text",
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

// A Word document does not fit into local storage; the browser's database keeps the file.
const DOCUMENT = "document";

function database(mode, act) {
  return new Promise((done, failed) => {
    const opening = indexedDB.open("plainmark", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(DOCUMENT);
    opening.onerror = () => failed(opening.error);
    opening.onsuccess = () => {
      const request = act(opening.result.transaction(DOCUMENT, mode).objectStore(DOCUMENT));
      request.onsuccess = () => done(request.result);
      request.onerror = () => failed(request.error);
      request.transaction.oncomplete = () => opening.result.close();
    };
  });
}

/** The Word document of the draft, or null. */
export const readDocument = () =>
  database("readonly", (store) => store.get(DOCUMENT)).then((file) => (file instanceof Blob ? file : null), () => null);

/** Keeps the Word document of the draft, or forgets it; false if this browser keeps no files. */
export const writeDocument = (file) =>
  database("readwrite", (store) => (file ? store.put(file, DOCUMENT) : store.delete(DOCUMENT))).then(() => true, () => false);
