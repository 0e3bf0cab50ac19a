"""Trains the embedded n-gram language model from a text file, one tokenised, lower-case sentence a line.

python scripts/make_ngram_model.py wikinews.txt.xz

models/_training.py says how. Every fiftieth line is held out and its perplexity printed.
"""

import lzma
import sys
from pathlib import Path

import numpy as np

from plainmark.models import _ngram as model
from plainmark.models._training import train_on_words

HELD_OUT = 50
DROPPED = {"♡", "❤"}  # marks of quoted passages in this corpus


def main(path):
    with lzma.open(path, "rt", encoding="utf-8") as file:
        lines = [[model.NORMAL.get(w, w) for w in line.split() if w not in DROPPED] for line in file]
    held = [line for line in lines[::HELD_OUT] if line]
    lines = [line for i, line in enumerate(lines) if i % HELD_OUT and line]
    data = train_on_words(lines)
    target = Path(model.__file__).with_name("ngram.xz")
    target.write_bytes(data)
    loaded = model.NGram(data)
    nll, tokens = loaded.of_words(held)
    print(
        f"{target.name}: {len(data):,} bytes; {loaded.size:,} words, {sum(map(len, lines)):,} tokens of training text"
    )
    print(
        f"held out: {len(held):,} lines, {tokens.sum():,.0f} tokens, perplexity {np.exp(nll.sum() / tokens.sum()):.1f}"
    )
    rng = np.random.default_rng(0)
    mixed = [list(rng.permutation(line)) for line in held]
    nll, tokens = loaded.of_words(mixed)
    print(f"the same in random order: {np.exp(nll.sum() / tokens.sum()):.1f}")


if __name__ == "__main__":
    main(sys.argv[1])
