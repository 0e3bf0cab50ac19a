"""Writes src/plainmark/wordlists/syllables.bin and pronounced.bin from a copy of the CMU Pronouncing Dictionary.

    python scripts/make_syllable_table.py PATH/TO/cmudict

The rule counts vowel groups and corrects the number by pieces of the word that it contains ("~ble$": one more). The pieces
are found greedily: each is the one that corrects most words. The words for which the rule is still wrong are stored in the
table. The table holds hashes and numbers, not the dictionary's text. Any edition of the dictionary will do. pronounced.bin
says which words the dictionary has: the upper halves of their hashes, in order.
"""

import re
import sys
from collections import Counter
from pathlib import Path

import numpy as np

from plainmark.kernels import WordTable, syllables, tokenize

OUT = Path(__file__).parent.parent / "src" / "plainmark" / "wordlists" / "syllables.bin"
LONGEST = 7  # largest length of a piece, including the marks of its ends
RAREST = 8  # smallest number of words that contain a piece
LEAST = 5  # smallest number of words that a piece must correct
ZERO = 100  # the number that means no correction


def pronunciations(path):
    """Syllables of the first pronunciation of each word in lower case, in either of the dictionary's formats."""
    first = {}
    for line in Path(path).read_text("latin-1").splitlines():
        word, *sounds = line.split()
        if word.startswith(";;;") or re.search(r"\(\d+\)$", word):
            continue
        first.setdefault(word.lower(), sum(sound[-1].isdigit() for sound in sounds if sound[0].isalpha()))
    return first


def listed(words):
    """The upper halves of the words' hashes, in order."""
    return np.unique((tokenize(list(words), "space").hashes >> np.uint64(32)).astype("<u4"))


def pieces(word):
    """The number of occurrences of each piece in a word."""
    marked = f"^{word}$"
    return Counter(marked[i : i + n] for n in range(1, LONGEST + 1) for i in range(len(marked) - n + 1))


def learn(counts):
    """Pieces and their corrections, +1 or -1, best first."""
    words = [w for w in counts if re.fullmatch(r"[a-z']*[aeiouy][a-z']*", w) and not w.endswith(("'s", "s'"))]
    common = Counter(piece for word in words for piece in pieces(word))
    index = {piece: i for i, piece in enumerate(p for p, n in common.items() if n >= RAREST)}
    rows = [
        (index[piece], at, n)
        for at, word in enumerate(words)
        for piece, n in pieces(word).items()
        if piece in index
    ]
    piece, at, times = np.array(sorted(rows)).T
    starts = np.searchsorted(piece, np.arange(len(index)))
    names = list(index)
    error = np.array([counts[w] - len(re.findall("[aeiouy]+", w)) for w in words])
    corrections = []
    while True:
        best = None
        before = error[at]
        for sign in (1, -1):
            then = before - sign * times
            # Corrected words count; improvements break ties.
            gain = np.add.reduceat(
                (before != 0) * 1.0 - (then != 0) + 0.01 * (abs(before) - abs(then)), starts
            )
            i = int(gain.argmax())
            if best is None or gain[i] > best[0]:
                best = (gain[i], i, sign)
        gain, i, sign = best
        if gain < LEAST:
            return corrections
        span = slice(starts[i], starts[i + 1] if i + 1 < len(starts) else None)
        error[at[span]] -= sign * times[span]
        corrections.append((names[i], sign))


def table(entries):
    return WordTable.words(list(entries), np.array(list(entries.values()), dtype=np.uint8))


def build(counts, corrections):
    """The table of the corrections and of every word for which the rule is wrong."""
    entries = {f"~{piece}": ZERO + sign for piece, sign in corrections}
    words = np.array(list(counts), dtype=object)
    right = np.array(list(counts.values()))
    while True:
        # A word's entry also serves its possessive and its compounds, so simple words come first.
        wrong = words[syllables(list(words), table(entries)) != right]
        if len(wrong) == 0:
            return table(entries)
        simple = [w for w in wrong if w.isalpha()]
        entries.update((w, counts[w]) for w in (simple or wrong))


if __name__ == "__main__":
    counts = pronunciations(sys.argv[1])
    corrections = learn(counts)
    table = build(counts, corrections)
    OUT.parent.mkdir(exist_ok=True)
    table.write(OUT)
    listed(counts).tofile(OUT.with_name("pronounced.bin"))
    print(
        f"{len(counts)} words, {len(corrections)} corrections, {len(table) - len(corrections)} exceptions: {OUT}"
    )
