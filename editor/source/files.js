// Opening and saving documents. Plain text is read here; everything else is read by the server, which keeps nothing.

import { download, post, postFile, Refused } from "./server.js";

const MOST = 4_000_000; // bytes of a file
const PLAIN = /\.(txt|text|csv)$/i;

export async function openFile(file) {
  if (file.size > MOST) {
    throw new Refused(`${file.name}: ${(file.size / 1e6).toFixed(1)} MB, expected at most ${MOST / 1e6} MB. Take a part of it, or use \`plainmark check FILE\`.`);
  }
  const name = file.name.replace(/\.[^.]*$/, "");
  if (PLAIN.test(file.name)) {
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
      if (!/[\0-\x08\x0e-\x1f]/.test(text)) return { text: text.replace(/\r\n?/g, "\n"), name, kind: "text", notes: [] };
    } catch { /* not UTF-8: the server knows other encodings, and says what a file is that has no text */ }
  }
  const answer = await (await postFile("/editor/open", file)).json();
  return { ...answer, name };
}

/** Saves a text; `document` is the Word document that it was opened from, or null. */
export async function saveFile(question, document) {
  await download(await (document ? postFile("/editor/save", document, question) : post("/editor/save", question)));
}
