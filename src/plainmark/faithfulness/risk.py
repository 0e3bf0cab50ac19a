"""The probability that a simplification altered the meaning, from the entries and the changes in other words.

    risk = 1 - (1 - w) * product over red entries of (1 - c) * product over entries to check of (1 - CHECKED * c)

where c is the confidence of an entry (at most .95) and w the word risk; a further alarm never lowers the risk. The word
risk of a group of sentences is a logistic regression on words that have no counterpart, were replaced or moved, and on the
probability that a sentence is entirely invented. The word risk of a text is the quadratic mean over its groups: one bad
sentence counts for more than its share, but length alone is no risk. Groups with the same words on both sides have no risk.
`training/facts_risk.py` writes risk.json.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import kernels
from ..wordlists import ranks
from .alignment import Group, Link, Pair
from .ledger import Entry
from .passage import Passage

FILE = Path(__file__).with_name("risk.json")
FEATURES = (
    *("new", "lost", "rarest new", "rarest lost", "new words", "lost words"),
    *("replaced", "more general", "moved", "inserted", "dropped", "newest sentence", "repeated"),
)
CHECKED = 0.5  # weight of the measured precision of an entry to check
_SUREST = 0.95  # upper limit of a measured precision
_POWER = 2.0  # exponent of the mean over groups of sentences
_SENTENCE = 3  # smallest number of content words of a sentence that can be new
_UNLISTED = 40_000  # the rank of words that are not in the list of frequent words
_HIGHEST = math.log(_UNLISTED + 10)


class Weights(NamedTuple):
    """The logistic regression: features are limited to `limit`, their range in real outputs.

    `prior` is the risk of a text about which nothing is known; `invented` are weight and bias of the newest sentence for
    the probability that it is unrelated to the source.
    """

    weight: NDArray[np.float64]
    limit: NDArray[np.float64]
    bias: float
    prior: float
    invented: tuple[float, float]


def risk(pair: Pair, entries: Iterable[Entry]) -> float:
    """The risk of a pair of English texts with its entries."""
    if pair.source.text.split() == pair.output.text.split():
        return 0.0
    return 1 - (1 - by_words(*evidence(pair), weights())) * (1 - by_entries(entries))


def by_entries(entries: Iterable[Entry]) -> float:
    """The probability that at least one of the changes in the entries is real."""
    none = 1.0
    for entry in entries:
        if entry.red:
            none *= 1 - min(entry.confidence, _SUREST)
        elif entry.verdict == "check":
            none *= 1 - CHECKED * min(entry.confidence, _SUREST)
    return 1 - none


def by_words(rows: NDArray[np.float64], sizes: NDArray[np.float64], model: Weights) -> float:
    """The word risk of the groups of a text; the prior if none of them has an output."""
    if not len(rows):
        return model.prior
    score = np.minimum(rows, model.limit) @ model.weight + model.bias
    invented = model.invented[0] * rows[:, FEATURES.index("newest sentence")] + model.invented[1]
    each = np.where(np.isnan(score), 0.0, 1 - 1 / ((1 + np.exp(score)) * (1 + np.exp(invented))))
    return float(((sizes @ each**_POWER) / sizes.sum()) ** (1 / _POWER))


def evidence(pair: Pair) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Features of each group of sentences that has an output, and the number of its words.

    The features of a group with the same words on both sides are NaN.
    """
    rare_source, rare_output = _rarity(pair.source), _rarity(pair.output)
    bases = frozenset(word.base for word in pair.source.words)
    rows: list[Sequence[float]] = []
    sizes: list[float] = []
    for group in pair.groups:
        if not group.output:
            continue
        size = sum(len(pair.output.sentence_words(s)) for s in group.output)
        if not size:
            continue
        sizes.append(size)
        if _words(pair.source, group.source) == _words(pair.output, group.output):
            rows.append([math.nan] * len(FEATURES))
        else:
            rows.append(_group(pair, group, bases, rare_source, rare_output))
    return np.array(rows, float).reshape(-1, len(FEATURES)), np.array(sizes, float)


def _group(
    pair: Pair,
    group: Group,
    bases: frozenset[str],
    rare_source: NDArray[np.float64],
    rare_output: NDArray[np.float64],
) -> list[float]:
    a, b = _content(pair.source, group.source), _content(pair.output, group.output)
    lost = [i for i in a if i not in pair.after]
    new = [j for j in b if j not in pair.before and j not in pair.repeats]
    if not a:  # sentences without a counterpart: the aligner may have missed it, so they are compared with the whole source
        new = [j for j in new if pair.output.words[j].base not in bases]
    links = [pair.after[i] for i in a if i in pair.after]
    relations = [link.relation for link in links]
    partners = [link.j for link in links]
    inserted, dropped = _one_sided(a, b, links)
    fresh = set(new)
    by_sentence: dict[int, list[bool]] = {}
    for j in b:
        by_sentence.setdefault(pair.output.words[j].sentence, []).append(j in fresh)
    return [
        float(rare_output[new].sum()),
        float(rare_source[lost].sum()),
        float(rare_output[new].max(initial=0.0)),
        float(rare_source[lost].max(initial=0.0)),
        len(new),
        len(lost),
        relations.count("replaced"),
        relations.count("hypernym"),
        sum(x > y for x, y in pairwise(partners)),
        inserted,
        dropped,
        max((sum(f) / len(f) for f in by_sentence.values() if len(f) >= _SENTENCE), default=0.0),
        sum(j in pair.repeats for j in b),
    ]


def _one_sided(a: Sequence[int], b: Sequence[int], links: Sequence[Link]) -> tuple[int, int]:
    """The number of words between two linked neighbours on one side only: inserted in the output, dropped from the source."""
    place_a = {i: k for k, i in enumerate(a)}
    place_b = {j: k for k, j in enumerate(b)}
    inserted = dropped = 0
    before = (-1, -1)
    anchors = [(place_a[link.i], place_b[link.j]) for link in links if link.relation in ("same", "form")]
    for k, m in [*anchors, (len(a), len(b))]:
        if m <= before[1]:
            continue
        gap, filled = k - before[0] - 1, m - before[1] - 1
        inserted += filled if not gap else 0
        dropped += gap if not filled else 0
        before = (k, m)
    return inserted, dropped


def _content(passage: Passage, sentences: Iterable[int]) -> list[int]:
    return [i for s in sentences for i in passage.sentence_words(s) if passage.words[i].content]


def _words(passage: Passage, sentences: Iterable[int]) -> list[str]:
    return [passage.words[i].text for s in sentences for i in passage.sentence_words(s)]


def _rarity(passage: Passage) -> NDArray[np.float64]:
    """The rarity of each word, from 0 to 1, by the logarithm of its frequency rank."""
    if not passage.words:
        return np.zeros(0)
    # Tokens that are not words count as unlisted words.
    text = " ".join(w.lower if w.lower.isalpha() else "#" for w in passage.words)
    rank = ranks(kernels.tokenize([text], "none").hashes)
    return np.log(np.where(rank < 0, _UNLISTED, rank) + 10.0) / _HIGHEST


@cache
def weights() -> Weights:
    """The weights of the file."""
    model = json.loads(FILE.read_text("utf-8"))
    rows = model["features"]
    weight, limit = (np.array([rows[name][part] for name in FEATURES]) for part in ("weight", "limit"))
    return Weights(weight, limit, model["bias"], model["prior"], tuple(model["invented"]))
