"""Trains an n-gram model for perplexity from a text file with one tokenised, lower-case sentence per line.

    python scripts/make_ngram_model.py wikinews.txt.xz OUTPUT.lm.xz

The embedded model (src/plainmark/lm/english.lm.xz) is of the same text, vocabulary and size; its n-grams were chosen by
weighted difference (Seymore and Rosenfeld 1996) and do not predict sentence ends. Every fiftieth line is held out and its
perplexity printed.
"""

import lzma
import sys
from collections import Counter
from pathlib import Path

import numpy as np

from plainmark.lm import LanguageModel
from plainmark.lm.kneser_ney import train
from plainmark.lm.spelling import VARIANTS, Spelling

HELD_OUT = 50
QUOTATION_MARKS = {"♡", "❤"}  # marks of quoted passages in this corpus
WORDS, NGRAMS = 25_000, 840_000


def main(path, output):
    with lzma.open(path, "rt", encoding="utf-8") as file:
        lines = [[VARIANTS.get(w, w) for w in line.split() if w not in QUOTATION_MARKS] for line in file]
    held_out = [line for line in lines[::HELD_OUT] if line]
    lines = [line for i, line in enumerate(lines) if i % HELD_OUT and line]
    tables = train((" ".join(line) for line in lines), order=3, words=WORDS, ngrams=NGRAMS)
    unknown = Counter(w for line in lines for w in line if w not in tables.numbers)
    model = LanguageModel.of(tables, quantized=True, spelling=Spelling.of(unknown))
    model.save(output)
    print(f"{output}: {Path(output).stat().st_size:,} bytes; {len(model):,} words")
    rng = np.random.default_rng(0)
    shuffled = [list(rng.permutation(line)) for line in held_out]
    for name, rows in (("held out", held_out), ("the same in random order", shuffled)):
        losses, tokens = model.log_likelihood_of_words(rows)
        print(f"{name}: {tokens.sum():,.0f} tokens, perplexity {np.exp(losses.sum() / tokens.sum()):.1f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
