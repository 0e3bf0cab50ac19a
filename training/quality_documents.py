"""Rated documents that nobody rated: outputs of one data set, joined, with the mean of their ratings.

Ratings of whole documents are kept for the evaluation, so the heads for documents are fitted to these. A document has
2 to 8 source sentences of one set; outputs of about the same rating are joined more often than by chance, so that
documents differ as much as sentences do. Half of the documents lose some of their output sentences: each of them counts as
the lowest rating of meaning. Where sentences are lost, nobody can say what became of simplicity, and it is not counted.
"""

import random

import numpy as np

from plainmark.data import Corpus

from .quality_items import HEADS, Items, letters

SHORTEST, LONGEST = 2, 8  # source sentences
PER_SET = 300
SPREAD = 0.15  # of the ranks, by overall rating, of the outputs that are joined
MOST_LOST = 0.8  # of the output sentences
LOWEST = 1.0  # percentile of the ratings of meaning that a lost sentence counts as


def half(source):
    """0 or 1: the halves by which heads are chosen; all outputs on a sentence are in the same one."""
    return sum(letters(source).encode()) % 2


def documents(items, count=PER_SET, seed=0):
    """Documents made of the rated outputs of one set."""
    rng = random.Random(seed)
    overall = np.nanmean(items.ratings, axis=1)
    order = np.argsort(overall, kind="stable")
    low = np.nanpercentile(items.ratings[:, 0], LOWEST) if np.isfinite(items.ratings[:, 0]).any() else np.nan
    low_overall = (
        np.nanpercentile(items.ratings[:, 3], LOWEST) if np.isfinite(items.ratings[:, 3]).any() else np.nan
    )
    sources, outputs, ratings = [], [], []
    while len(sources) < count:
        rows = _similar(items, order, rng.randint(SHORTEST, LONGEST), rng)
        lost = rng.uniform(0, MOST_LOST) if rng.random() < 0.5 else 0.0
        stay = [rng.random() >= lost for _ in rows]
        if not any(stay):
            continue
        kept = [r for r, s in zip(rows, stay, strict=True) if s]
        row = items.ratings[kept].mean(axis=0)
        if not all(stay):
            gone = len(rows) - len(kept)
            row[0] = (row[0] * len(kept) + low * gone) / len(rows)
            row[2] = np.nan
            # An overall rating is one of meaning too.
            row[3] = (row[3] * len(kept) + low_overall * gone) / len(rows)
        sources.append(" ".join(_closed(items.corpus.sources[r]) for r in rows))
        outputs.append(" ".join(_closed(items.corpus.outputs[r]) for r in kept))
        ratings.append(row)
    name = items.set[0]
    return Items(
        np.full(count, name),
        np.full(count, "joined"),
        np.arange(count).astype(str),
        Corpus(sources, outputs),
        np.array(ratings).reshape(count, len(HEADS)),
    )


def _similar(items, order, size, rng):
    """Outputs of different source sentences that are about equally good."""
    place, rows, seen = rng.random(), [], set()
    for _ in range(40 * size):
        at = min(max(rng.gauss(place, SPREAD), 0.0), 1.0)
        row = int(order[round(at * (len(order) - 1))])
        sentence = letters(items.corpus.sources[row])
        if sentence not in seen:
            seen.add(sentence)
            rows.append(row)
        if len(rows) == size:
            break
    rng.shuffle(rows)
    return rows


def _closed(sentence):
    """A sentence with a full stop at its end, so that the next one begins a new one."""
    sentence = sentence.strip()
    return sentence if sentence[-1:] in ".!?\"')" or not sentence else f"{sentence}."
