"""Writes src/plainmark/wordlists/common.bin: the 1,000 commonest words of a lower-case, tokenised text.

    python scripts/make_common_words.py PATH/TO/wikinews.txt.xz

Only words of letters count, clitics and punctuation do not. Of equally common words the first in the alphabet is
taken. The table holds hashes, not the words.
"""

import lzma
import re
import sys
from collections import Counter
from pathlib import Path

from plainmark.kernels import Table

OUT = Path(__file__).parent.parent / "src" / "plainmark" / "wordlists" / "common.bin"
SIZE = 1000

if __name__ == "__main__":
    counts = Counter()
    with lzma.open(sys.argv[1], "rt", encoding="utf-8") as lines:
        for line in lines:
            counts.update(w for w in line.split() if re.fullmatch("[a-z]+", w))
    ordered = sorted(counts, key=lambda w: (-counts[w], w))
    made = Table.words(ordered[:SIZE])
    made.write(OUT)
    print(f"{len(made)} words, the last occurring {counts[ordered[SIZE - 1]]} times: {OUT}")
