"""Trains the embedded n-gram language model from a text file, one tokenised, lower-case sentence a line.

python scripts/make_ngram_model.py wikinews.txt.xz

Words beyond the commonest are <unk> and are spelt by a model of letters. Interpolated modified Kneser-Ney (Chen and
Goodman 1999), pruned to the n-grams that lose most when they are left to the shorter context (weighted difference,
Seymore and Rosenfeld 1996). Every fiftieth line is held out and its perplexity printed.
"""

import lzma
import sys
from collections import Counter
from pathlib import Path

import numpy as np

from plainmark.models import _ngram as model

WORDS = 25_000
BIGRAMS = 420_000
TRIGRAMS = 420_000
HELD_OUT = 50
DROPPED = {"♡", "❤"}  # marks of quoted passages in this corpus


def main(path):
    with lzma.open(path, "rt", encoding="utf-8") as file:
        lines = [[model.NORMAL.get(w, w) for w in line.split() if w not in DROPPED] for line in file]
    held = [line for line in lines[::HELD_OUT] if line]
    lines = [line for i, line in enumerate(lines) if i % HELD_OUT and line]
    counts = Counter(w for line in lines for w in line)
    words = [model.START, model.UNKNOWN, *sorted(w for w, _ in counts.most_common(WORDS))]
    number = {w: i for i, w in enumerate(words)}
    rare = Counter({w: c for w, c in counts.items() if w not in number})
    ids = np.concatenate([[0, *(number.get(w, 1) for w in line)] for line in lines])
    unigrams, bigrams, trigrams = kneser_ney(ids, len(words))
    spelling = letters(rare)
    data = model.pack(words, unigrams, keep(*bigrams, BIGRAMS), keep(*trigrams, TRIGRAMS), spelling)
    target = Path(model.__file__).with_name("ngram.xz")
    target.write_bytes(data)
    loaded = model.NGram(data)
    nll, tokens = loaded.of_words(held)
    print(f"{target.name}: {len(data):,} bytes; {len(words):,} words, {len(ids):,} tokens of training text")
    print(
        f"held out: {len(held):,} lines, {tokens.sum():,.0f} tokens, perplexity {np.exp(nll.sum() / tokens.sum()):.1f}"
    )
    rng = np.random.default_rng(0)
    mixed = [list(rng.permutation(line)) for line in held]
    nll, tokens = loaded.of_words(mixed)
    print(f"the same in random order: {np.exp(nll.sum() / tokens.sum()):.1f}")


def kneser_ney(ids, size):
    """Log probabilities of words, and (keys, log probabilities, gains) of bigrams and trigrams."""
    a, b = ids[:-1], ids[1:]
    inner = b != 0  # nothing predicts the beginning of a line
    pairs, _ = np.unique((a * size + b)[inner], return_counts=True)
    first, second, third = ids[:-2], ids[1:-1], ids[2:]
    inside = (second != 0) & (third != 0)
    keys3, count3 = np.unique(((first * size + second) * size + third)[inside], return_counts=True)

    # A shorter n-gram counts once for each word that it follows; one at the beginning of a line follows none.
    starting, count_starting = np.unique((a * size + b)[inner & (a == 0)], return_counts=True)
    following, count_following = np.unique(keys3 % (size * size), return_counts=True)
    keys2 = np.concatenate([starting, following])
    count2 = np.concatenate([count_starting, count_following])
    order = np.argsort(keys2)
    keys2, count2 = keys2[order], count2[order]
    count1 = np.bincount(pairs % size, minlength=size).astype(float)

    p1 = interpolate(np.zeros(size, int), count1, np.full(size, 1 / (size - 1)))[0]
    p1[0] = 0.0
    p2, backoff2 = interpolate(keys2 // size, count2, p1[keys2 % size])
    place = np.searchsorted(keys2, keys3 % (size * size))
    p3, backoff3 = interpolate(keys3 // size, count3, p2[place])
    gain2 = count2 * np.log(p2 / (backoff2 * p1[keys2 % size]))
    gain3 = count3 * np.log(p3 / (backoff3 * p2[place]))
    with np.errstate(divide="ignore"):
        logs = np.log(p1)
    return logs, (keys2, np.log(p2), gain2), (keys3, np.log(p3), gain3)


def interpolate(contexts, counts, shorter):
    """Probabilities of n-grams in their contexts, and the weight that each context gives to the shorter one."""
    have = [np.count_nonzero(counts == n) for n in (1, 2, 3, 4)]
    y = have[0] / (have[0] + 2 * have[1])
    discounts = np.array([0, *(n - (n + 1) * y * have[n] / have[n - 1] for n in (1, 2, 3))])
    discount = discounts[np.minimum(counts, 3).astype(int)]
    _, group = np.unique(contexts, return_inverse=True)
    total = np.bincount(group, weights=counts)[group]
    left = np.bincount(group, weights=discount)[group] / total
    return np.maximum(counts - discount, 0) / total + left * shorter, left


def keep(keys, logs, gains, number):
    """The n-grams with the largest gains, sorted."""
    chosen = np.sort(np.argsort(-gains)[:number])
    return keys[chosen], logs[chosen]


def letters(words):
    """Log probabilities of a letter after two others, from the spelling of rare words."""
    n = len(model.LETTERS) + 2  # and the end of a word, and any other character
    counts = np.zeros((n, n, n))
    for word, count in words.items():
        codes = [0, 0, *model.spell(word), 0]
        for u, v, w in zip(codes, codes[1:], codes[2:], strict=False):
            counts[u, v, w] += min(count, 3)
    one = counts.sum((0, 1)) + 0.5
    one /= one.sum()
    two = counts.sum(0)
    two = (two + 5 * one) / (two.sum(-1, keepdims=True) + 5)
    three = (counts + 5 * two) / (counts.sum(-1, keepdims=True) + 5)
    return np.log(three)


if __name__ == "__main__":
    main(sys.argv[1])
