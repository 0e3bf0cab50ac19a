"""Writes src/plainmark/checks/plain_words.tsv: the entries of plain_words.txt in every form, with their conditions.

python scripts/make_plain_words.py

If the lexicon or the fact ledger objects to entries, they are listed and nothing is written. Needs lemminflect.
"""

from __future__ import annotations

from plainmark.checks._plain_words import FILE, FORMS
from plainmark.simplifier.plain.phrases import objectionable, phrase_conditions, read_phrases
from plainmark.writing import write_atomically


def forms() -> str:
    """The file's content."""
    return "".join(f"{line}\n" for line in phrase_conditions(read_phrases(FILE)).to_lines())


def main() -> None:
    """Write the file, or stop at entries that change the meaning."""
    if problems := objectionable(read_phrases(FILE)):
        raise SystemExit(f"{FILE.name}: " + "; ".join(problems))
    write_atomically(FORMS, forms())


if __name__ == "__main__":
    main()
