"""Writes src/plainmark/wordlists/ranks.bin: the commonest words of a lower-case, tokenised text, commonest first.

    python scripts/make_word_ranks.py PATH/TO/wikinews.txt.xz

A word is a run of letters, hyphens allowed inside; punctuation, numbers, bracket codes, clitics such as 's or n't and
names of character entities do not count. Equally common words are in alphabetical order. The file has 64-bit hashes
(little-endian), not words; the index in the file is the rank.
"""

import lzma
import re
import sys
from collections import Counter
from pathlib import Path

from plainmark import kernels

OUT = Path(__file__).parent.parent / "src" / "plainmark" / "wordlists" / "ranks.bin"
SIZE = 30_000
WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
ENTITIES = {"amp", "quot", "lt", "gt", "nbsp"}


def commonest(path, size=SIZE):
    """The commonest words of an .xz file, with their counts."""
    counts = Counter()
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            counts.update(w for w in line.split() if WORD.fullmatch(w) and w not in ENTITIES)
    return sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))[:size]


if __name__ == "__main__":
    entries = commonest(sys.argv[1])
    hashes = kernels.tokenize([" ".join(word for word, _ in entries)], "none").hashes
    assert len(set(hashes.tolist())) == len(entries)
    OUT.write_bytes(hashes.astype("<u8").tobytes())
    print(f"{len(entries)} words, the last occurring {entries[-1][1]} times: {OUT}")
