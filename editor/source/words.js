// The word list of this browser: a CSV text with the columns term, use instead, never use, explain.

const HEADING = "term,use instead,never use,explain";

const cell = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The list with one more term; a term that is there already gets the new word. */
export function addWord(list, term, better) {
  const lines = list.trim() ? list.trim().split("\n") : [HEADING];
  const begin = `${cell(term.toLowerCase())},`;
  const rest = lines.filter((line, i) => !i || !line.toLowerCase().startsWith(begin));
  return [...rest, `${begin}${cell(better.toLowerCase() === better || term.toLowerCase() === term ? better : better.toLowerCase())},,`].join("\n");
}
