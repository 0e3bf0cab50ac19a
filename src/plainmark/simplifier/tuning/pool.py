"""Candidate outputs of the tuning sentences, each with its features and the metric's statistics.

Statistics are computed once per distinct output and cached.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...data import Corpus
from ...kernels import Floats, Ints
from ...metric import Metric
from ..arrays import Reals
from ..decoding import Hypotheses
from ..rules.extraction import sentence_hashes


@dataclass(frozen=True, eq=False)
class Candidates:
    """Outputs, sentence by sentence: those of sentence i are offsets[i]..offsets[i + 1]."""

    offsets: Ints
    features: Reals
    stats: Floats  # statistics of the corpus metric
    sample_stats: Floats  # statistics of the metric for single samples

    def of(self, sentences: NDArray[np.bool_]) -> Candidates:
        """The candidates of some of the sentences."""
        sizes = np.diff(self.offsets)
        rows = np.repeat(sentences, sizes)
        offsets = np.concatenate([[0], np.cumsum(sizes[sentences])]).astype(np.int64)
        return Candidates(offsets, self.features[rows], self.stats[rows], self.sample_stats[rows])


class CandidatePool:
    """Candidates of the last rounds of decoding."""

    def __init__(self, corpus: Corpus, metric: Metric, *, rounds: int = 3) -> None:
        self.corpus = corpus
        self.metric = metric
        self.alone = metric.sample_metric()
        self.rounds = rounds
        self.unchanged = 0.0  # share of the last round's best outputs that equal their source
        self._known: dict[tuple[int, int], int] = {}
        self._stats: list[Floats] = []
        self._sample_stats: list[Floats] = []
        self._batches: list[tuple[Ints, Ints, Reals]] = []  # sentence, row of statistics, features

    def add(self, hypotheses: Hypotheses) -> Candidates:
        """Add a round of decoding; returns its candidates, each sentence's best first."""
        texts = hypotheses.texts()
        rows = self._rows(hypotheses.sentence, texts)
        best = hypotheses.offsets[:-1].tolist()
        same = [texts[k] == source for k, source in zip(best, self.corpus.sources or [], strict=True)]
        self.unchanged = float(np.mean(same))
        features = hypotheses.features()
        self._batches = [*self._batches[-self.rounds + 1 :], (hypotheses.sentence, rows, features)]
        stats, sample_stats = self._all()
        return Candidates(hypotheses.offsets, features, stats[rows], sample_stats[rows])

    def candidates(self) -> Candidates:
        """All different outputs of the stored rounds, with the features of the latest derivation."""
        sentence = np.concatenate([b[0] for b in self._batches[::-1]])
        rows = np.concatenate([b[1] for b in self._batches[::-1]])
        features = np.concatenate([b[2] for b in self._batches[::-1]])
        _, first = np.unique(rows, return_index=True)  # a row belongs to one output of one sentence
        order = first[np.argsort(sentence[first], kind="stable")]
        offsets = np.searchsorted(sentence[order], np.arange(len(self.corpus) + 1)).astype(np.int64)
        stats, sample_stats = self._all()
        return Candidates(offsets, features[order], stats[rows[order]], sample_stats[rows[order]])

    def _all(self) -> tuple[Floats, Floats]:
        self._stats = [np.concatenate(self._stats)]
        self._sample_stats = [np.concatenate(self._sample_stats)]
        return self._stats[0], self._sample_stats[0]

    def _rows(self, sentence: Ints, texts: list[str]) -> Ints:
        """The row of statistics of each output; new ones are scored, one per sentence at a time."""
        hashes = sentence_hashes([t.split() for t in texts]).tolist()
        keys = list(zip(sentence.tolist(), hashes, strict=True))
        waiting: list[list[int]] = [[] for _ in range(len(self.corpus))]
        fresh = set()
        for k, key in enumerate(keys):
            if key not in self._known and key not in fresh:
                fresh.add(key)
                waiting[key[0]].append(k)
        current = [w[0] if w else -1 for w in waiting]
        for turn in range(max(map(len, waiting), default=0)):
            sentences = [i for i, w in enumerate(waiting) if len(w) > turn]
            for i in sentences:
                current[i] = waiting[i][turn]
            outputs = [texts[k] if k >= 0 else "" for k in current]
            scored = self.corpus.with_outputs(outputs)
            start = sum(map(len, self._stats))
            self._stats.append(self.metric.stats(scored)[sentences])
            same = self.alone == self.metric
            self._sample_stats.append(self._stats[-1] if same else self.alone.stats(scored)[sentences])
            for row, i in enumerate(sentences):
                self._known[keys[waiting[i][turn]]] = start + row
        return np.array([self._known[key] for key in keys], dtype=np.int64)
