"""Base of the metrics of kept facts: counts the facts of one text that the other has, with the fact ledger.

    recall = facts of the source that the output has / all facts of the source;  precision: the same for the output
    F1 = (kept in the source + kept in the output) / (all of the source + all of the output)

A fact with the verdict "check" counts with the probability that it was kept. Counts are added over the corpus. In percent;
undefined if there are no facts to keep.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, ClassVar, Literal

import numpy as np

from ..data import Corpus
from ..faithfulness import KINDS, Entry, Ledger, Pair, Passage, facts
from ..metric import Floats, Metric, divide


class ComparedSample:
    """A source and an output whose facts are compared once for all metrics that count them."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair

    @cached_property
    def ledger(self) -> Ledger:
        """The facts of all kinds."""
        return facts(self.pair)

    def entries(self, kinds: Sequence[str]) -> Sequence[Entry]:
        """The facts of these kinds; the facts of all kinds are compared only if they are needed."""
        if "ledger" in vars(self) or set(kinds) == set(KINDS):
            return [entry for entry in self.ledger.entries if entry.kind in kinds]
        return facts(self.pair, kinds=kinds).entries


def compared_numbers(corpus: Corpus, code: str) -> list[Sequence[Entry]]:
    """The numbers of each sample whose output is in a language other than English."""

    def build() -> list[Sequence[Entry]]:
        pairs = zip(corpus.texts("source"), corpus.outputs, strict=True)
        return [facts(a, b, kinds=("number",), language=code).entries for a, b in pairs]

    return corpus.remember("output", ("compared numbers", code), build)


def compared_samples(corpus: Corpus) -> list[ComparedSample]:
    """The samples of a corpus with their cached comparisons."""
    sources = corpus.remember("source", "passages", lambda: [Passage(t) for t in corpus.texts("source")])
    outputs = corpus.remember("output", "passages", lambda: [Passage(t) for t in corpus.outputs])

    def build() -> list[ComparedSample]:
        return [ComparedSample(Pair(*texts)) for texts in zip(sources, outputs, strict=True)]

    return corpus.remember("output", "compared samples", build)


@dataclass(frozen=True)
class KeptMetric(Metric):
    """Compares one or several kinds of fact between sources and outputs."""

    part: Annotated[Literal["f1", "precision", "recall"], "what the score is"] = "f1"

    needs = frozenset({"source"})
    bounds = (0.0, 100.0)
    english_only = True
    kinds: ClassVar[tuple[str, ...]] = ()

    @property
    def part_names(self) -> tuple[str, ...]:
        return (self.name, "precision", "recall", "f1")

    def entries(self, sample: ComparedSample) -> Sequence[Entry]:
        """The facts of a sample that are counted."""
        return sample.entries(self.kinds)

    def stats(self, corpus: Corpus) -> Floats:
        """For each kind: kept and all facts of the source, kept and all facts of the output."""
        rows = np.zeros((len(corpus), 4 * len(self.kinds)))
        column = {kind: 4 * k for k, kind in enumerate(self.kinds)}
        code = getattr(self, "language", "en")
        for row, entries in zip(
            rows,
            map(self.entries, compared_samples(corpus)) if code == "en" else compared_numbers(corpus, code),
            strict=True,
        ):
            for entry in entries:
                probability = {"same": 1.0, "check": 1 - entry.confidence}.get(entry.verdict, 0.0)
                start = column[entry.kind]
                if entry.before:
                    row[start : start + 2] += probability, 1
                if entry.after:
                    row[start + 2 : start + 4] += probability, 1
        return rows

    def reduce(self, stats: Floats) -> Floats:
        by_kind = stats.reshape(*stats.shape[:-1], -1, 4)
        parts = _shares(by_kind.sum(axis=-2))
        return 100 * np.stack([parts[self.part], *parts.values()], axis=-1)


def _shares(counts: Floats) -> dict[str, Floats]:
    kept_source, source, kept_output, output = np.moveaxis(counts, -1, 0)
    return {
        "precision": divide(kept_output, output),
        "recall": divide(kept_source, source),
        "f1": divide(kept_source + kept_output, source + output),
    }
