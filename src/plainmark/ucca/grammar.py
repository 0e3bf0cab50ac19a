"""Constraints of UCCA annotation on the labels of spans.

A unit's children are those of a Scene (Participants, Adverbials and one main relation), or of a phrase (Centers,
Elaborators, Connectors), or parallel Scenes and their Linkers, without mixtures or two main relations. All training
sentences but one in 70 follow these rules, but a model that scores each span separately does not know them. The
probabilities here are those of trees that follow the rules, given the scores: in a unit with two Participants, the only
candidate for a main relation is nearly certain even if its own score says 50 %.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import kernels
from .constituency import CHAIN, LIFT, Spans
from .graph import MAIN_RELATIONS

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# The type of a unit given its children so far; a Scene may still need its main relation.
_NOTHING, _PHRASE, _WAITING, _SCENE, _PARALLEL = range(5)
_STATES = 5
_SHOWN = (
    dict.fromkeys("CENQ", _PHRASE)
    | dict.fromkeys("ADT", _WAITING)
    | dict.fromkeys("PS", _SCENE)
    | dict.fromkeys("HL", _PARALLEL)
)
_INSIDE = {"F": (_NOTHING,), "H": (_NOTHING, _WAITING, _SCENE)} | dict.fromkeys("AEC", tuple(range(_STATES)))
_OTHERS_INSIDE = (_NOTHING, _PHRASE)
_JOINS = (
    (_NOTHING, _NOTHING, _NOTHING),
    *((_NOTHING, s, s) for s in range(1, _STATES)),
    *((s, _NOTHING, s) for s in range(1, _STATES)),
    *((s, s, s) for s in (_PHRASE, _WAITING, _PARALLEL)),
    (_WAITING, _SCENE, _SCENE),
    (_SCENE, _WAITING, _SCENE),
)
# A Scene whose main relation is not in the text, or an empty parallel Scene: 1 in 30 or rarer, and the scores of spans
# say little about it. The number was chosen from 0 to 3 on held-out training passages.
_RARE = np.exp(-3.0)


class SpanGrammar:
    """The rules for a list of labels; `balance` has factors, as logarithms, for what is inside units of a category."""

    def __init__(self, labels: Sequence[str], balance: Mapping[str, Sequence[float]] | None = None) -> None:
        self.labels = list(labels)
        size = len(labels)
        self.shown = np.array([_NOTHING if LIFT in x.split(CHAIN)[0] else _state(x) for x in labels])
        self.factor = np.zeros((size, _STATES))
        self.scenes = np.zeros((size, _STATES), bool)  # states with a main relation
        self.counts = np.zeros((size, _STATES))  # states of Scenes, with or without one
        for k, label in enumerate(labels):
            *_, last = chain = label.split(CHAIN)
            inside = _INSIDE.get(last[0], _OTHERS_INSIDE)
            waiting = sum(_state(x) == _WAITING for x in chain[1:])
            self.factor[k, inside] = _RARE**waiting
            self.factor[k, _WAITING] *= _RARE
            if last[0] == "H":
                self.factor[k, _NOTHING] *= _RARE
            self.factor[k] *= np.exp((balance or {}).get(last[0], [0.0] * _STATES))
            self.scenes[k] = any(x[0] in MAIN_RELATIONS for x in chain[1:])
            self.scenes[k, _SCENE] = self.factor[k, _SCENE] > 0
            self.counts[k] = sum(_state(x) in (_WAITING, _SCENE) for x in chain[1:])
            self.counts[k, [_WAITING, _SCENE]] += 1
        # Columns are pairs of an inner state and a shown state.
        self.cells = np.zeros((size, _STATES, _STATES))
        self.cells[np.arange(size), :, self.shown] = self.factor

    def chances(self, scores: NDArray[np.float32]) -> SpanProbabilities:
        """Probabilities of labels from scores (words, words, labels), in which no label has the score 0."""
        n, size = len(scores), len(self.labels)
        rows = np.triu_indices(n)
        own = scores[rows].astype(np.float64)
        top = np.maximum(own.max(axis=1, initial=0.0), 0.0)[:, None]
        with np.errstate(under="ignore", divide="ignore"):
            weights = np.exp(own - top)
            sums = (weights @ self.cells.reshape(size, -1)).reshape(-1, _STATES, _STATES)
            sums[:, range(_STATES), range(_STATES)] += np.exp(-top)
            table = np.full((n, n, _STATES, _STATES), -np.inf)
            table[rows] = np.log(sums) + top[:, :, None]
        marginals = kernels.span_marginals(table, _JOINS, _PARALLEL)[rows]
        ratio = np.divide(marginals, sums, out=np.zeros_like(sums), where=sums > 0)
        return SpanProbabilities(
            self, rows, weights[:, :, None] * self.factor * ratio[:, :, self.shown].transpose(0, 2, 1)
        )


@dataclass(frozen=True, eq=False)
class SpanProbabilities:
    """The probability of each label of a span with each inner state: values (spans, labels, states)."""

    grammar: SpanGrammar
    rows: tuple[Ints, Ints]  # first and last words of the spans
    values: Floats

    @property
    def labels(self) -> Floats:
        """The probability of each label of each span: shape (words, words, labels)."""
        n = int(self.rows[1].max(initial=-1)) + 1
        out = np.zeros((n, n, len(self.grammar.labels)))
        out[self.rows] = self.values.sum(axis=2)
        return out

    @property
    def inside(self) -> dict[str, Floats]:
        """For each category, the expected number of units with each inner state."""
        counts = self.values.sum(axis=0)
        out: dict[str, Floats] = {}
        for label, row in zip(self.grammar.labels, counts, strict=True):
            last = label.split(CHAIN)[-1][0]
            out[last] = out.get(last, 0) + row
        return out

    @property
    def scenes(self) -> float:
        """The expected number of Scenes, including those whose main relation is not in the text."""
        return float((self.values.sum(axis=0) * self.grammar.counts).sum())

    def tree(self, threshold: float, gain: float) -> Spans:
        """The labelled spans of the best tree if a Scene is worth `gain` more than its probability."""
        return self._tree([self._choices(scenes) for scenes in (False, True)], threshold, gain)[1]

    def best(self, threshold: float, expected: int, step: float = 0.05, most: float = 0.6) -> Spans:
        """The labelled spans of the tree with the largest sum of probabilities, each minus the threshold.

        Main relations gain or lose value in small steps until the tree has the requested number of Scenes: each uncertain
        one is below the threshold, but if three have a probability of 50 %, the sentence has one or two.
        """
        choices = [self._choices(scenes) for scenes in (False, True)]
        gain = 0.0
        count, best = self._tree(choices, threshold, gain)
        nearest, up = abs(count - expected), count < expected
        while count != expected and (count < expected) == up and abs(gain) < most:
            gain += step if up else -step
            count, spans = self._tree(choices, threshold, gain)
            if abs(count - expected) < nearest:
                nearest, best = abs(count - expected), spans
        return best

    def _choices(self, scenes: bool) -> tuple[Floats, Ints]:
        """For each span, inner state and shown state: the best label that makes a Scene, or none, and its value."""
        grammar = self.grammar
        value = np.full((len(self.values), _STATES, _STATES), -np.inf)
        label = np.zeros(value.shape, np.int64)
        for s in range(_STATES):
            for t in range(_STATES):
                some = np.flatnonzero((grammar.cells[:, s, t] > 0) & (grammar.scenes[:, s] == scenes))
                if len(some):
                    part = self.values[:, some, s]
                    value[:, s, t], label[:, s, t] = part.max(axis=1), some[part.argmax(axis=1)]
        return value, label

    def _tree(
        self, choices: Sequence[tuple[Floats, Ints]], threshold: float, gain: float
    ) -> tuple[int, Spans]:
        (plain, plain_label), (scene, scene_label) = choices
        is_scene = scene + gain > plain
        value = np.where(is_scene, scene + gain, plain) - threshold
        empty = (np.eye(_STATES, dtype=bool) & (value <= 0)).nonzero()
        value[empty] = 0.0
        n = int(self.rows[1].max(initial=-1)) + 1
        table, number = np.full((n, n, _STATES, _STATES), -np.inf), np.zeros((n, n), np.int64)
        table[self.rows], number[self.rows] = value, np.arange(len(value))
        i, j, s, t = kernels.best_tree(table, _JOINS, _PARALLEL).T
        at = (number[i, j], s, t)
        named = np.ones(value.shape, bool)
        named[empty] = False
        labels = np.where(is_scene, scene_label, plain_label)[at]
        spans = {
            (int(a), int(b) + 1): self.grammar.labels[label]
            for a, b, label, has in zip(i, j, labels, named[at], strict=True)
            if has
        }
        return int((named & is_scene)[at].sum()), spans


def _state(label: str) -> int:
    return _SHOWN.get(label[0], _NOTHING)


def inside(spans: Spans) -> dict[str, Floats]:
    """For each category, the number of units with each inner state in an annotated sentence."""
    counts: dict[str, Floats] = {}
    above: list[tuple[int, str, set[int]]] = []

    def close() -> None:
        _, category, states = above.pop()
        row = counts.setdefault(category, np.zeros(_STATES))
        row[_SCENE if _SCENE in states else max(states, default=_NOTHING)] += 1

    for (_, end), label in sorted(spans.items(), key=lambda s: (s[0][0], -s[0][1])):
        while above and above[-1][0] < end:
            close()
        chain = label.split(CHAIN)
        if above and LIFT not in chain[0]:
            above[-1][2].add(_state(chain[0]))
        above.append((end, chain[-1][0], set()))
    while above:
        close()
    return counts
