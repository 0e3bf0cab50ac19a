"""Agg: a sentence metric for documents; sentences are grouped by alignment, groups are scored and averaged.

Sentences of source, output and reference whose similarity is above the threshold are joined; each connected component
is scored with the metric; the document's score is the mean of its groups, with the best of several references. A metric
that needs no references ignores them. A side without a sentence in the group is an empty text. If output and reference both
omit the sentences of the source, a metric that compares the two may be undefined (BERTScore); such a group counts as 0, as
in the published program (undefined="zero"), or not at all ("skip").

protocol="released" adds what the published program does beyond its paper: line ends are treated as spaces, consecutive
unaligned sentences are joined, and groups that have reference sentences only are dropped.

ablation="best-output" scores each source sentence with its best output and reference sentence, as the program behind the
paper's Table 3 does; "best-source" scores each output sentence with its best source sentence. `restriction` keeps only the
best link of each sentence in the graph.

Reference: the Agg paper on document-level simplification metrics (Agg-SARI, Agg-BERTScore, Agg-LENS).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from .. import models, punkt
from ..aligners import Aligner
from ..aligners.context import ContextAligner
from ..data import Corpus
from ..document import Ablation, Group, Protocol, Restriction, SentenceGraph, graphs
from ..metric import Floats, Metric, Wrapper, divide
from ..options import Between
from ._agg_explanation import AggExplanation, explain_document
from .sari import SARI

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Agg(Wrapper):
    """A sentence metric averaged over groups of aligned sentences."""

    metric: Annotated[Metric, "the sentence metric"] = SARI()  # noqa: RUF009 - metrics are frozen
    aligner: Annotated[Aligner, "what finds sentences that belong together"] = ContextAligner()  # noqa: RUF009
    protocol: Annotated[Protocol, "as in the paper, or as in its program"] = "paper"
    threshold: Annotated[float, Between(0, 1), "similarity above which sentences are joined"] = 0.5
    restriction: Annotated[
        Restriction, "join all similar sentences, or each with its best partner in source or output only"
    ] = "none"
    ablation: Annotated[
        Ablation, "no graph: one group per source sentence, or per output sentence, with its best partner"
    ] = "none"
    undefined: Annotated[
        Literal["zero", "skip"],
        "an undefined group that output and reference both leave out: counts as 0, or not at all",
    ] = "zero"
    splitter: Annotated[
        Literal["plain", "punkt"], "sentences by the embedded parameters, or by Punkt with NLTK's"
    ] = "plain"

    family = "wrapper"
    citation = "Agg: document-level simplification metrics by aggregation"

    @property
    def part_names(self) -> tuple[str, ...]:
        return (*super().part_names, "groups")

    def required(self) -> frozenset[str]:
        return super().required() | {"source"}

    def missing(self) -> str:
        absent = punkt.missing() if self.splitter == "punkt" else ""
        return super().missing() or self.aligner.missing() or absent

    def spoken(self) -> tuple[str, ...]:
        return ("en",)  # sentences are split and aligned by rules for English

    def values(self, corpus: Corpus) -> Floats:
        documents, groups, scores = self._scored(corpus)
        sizes = np.array([len(of_graph) for of_graph in groups])
        rows = np.column_stack([_means(scores, sizes), sizes])
        starts = np.concatenate([[0], np.cumsum([len(d) for d in documents])[:-1]]).astype(np.int64)
        best_scores: Floats = rows[starts + self._best(rows, documents)]
        return best_scores

    def explain(self, corpus: Corpus) -> list[AggExplanation]:
        """Every group of every document with its sentences, its score and its cost."""
        self.check_installed()
        documents, groups, scores = self._scored(corpus)
        sizes = np.array([len(of_graph) for of_graph in groups])
        means = _means(scores, sizes)
        lowest, highest = self.metric.bounds
        best = {True: highest, False: lowest, None: math.inf}[self.metric.higher_is_better]
        out, first = [], 0
        for graphs_of_sample, best_reference in zip(documents, self._best(means, documents), strict=True):
            k = first + int(best_reference)
            start = int(sizes[:k].sum())
            out.append(
                explain_document(
                    graphs_of_sample[best_reference],
                    groups[k],
                    scores[start : start + int(sizes[k]), 0].tolist(),
                    score=float(means[k, 0]),
                    reference=int(best_reference) if graphs_of_sample[best_reference].reference else None,
                    best=best,
                )
            )
            first += len(graphs_of_sample)
        return out

    def _scored(self, corpus: Corpus) -> tuple[list[list[SentenceGraph]], list[list[Group]], Floats]:
        """The graphs of each sample, the groups of each graph, and the scores of all groups in this order."""
        documents = self._graphs(corpus)
        groups = [self.groups(graph) for of_sample in documents for graph in of_sample]
        every = [graph for of_sample in documents for graph in of_sample]
        pieces = [graph.texts(group) for graph, own in zip(every, groups, strict=True) for group in own]
        return documents, groups, self._score(pieces, "references" in self.metric.required())

    def _best(self, rows: Floats, documents: list[list[SentenceGraph]]) -> Integers:
        """The index of each sample's best reference, the first if several are equal; undefined ones are last."""
        key = rows[:, 0] * (1 if self.metric.higher_is_better is False else -1)
        key = np.where(np.isnan(key), np.inf, key)
        ends = np.cumsum([len(d) for d in documents])
        pairs = zip([0, *ends[:-1]], ends, strict=True) if len(ends) else ()
        return np.array([np.argmin(key[a:b]) for a, b in pairs], dtype=np.int64)

    def groups(self, graph: SentenceGraph) -> list[Group]:
        """The groups of sentences that are scored."""
        if self.ablation != "none":
            return graph.units(self.ablation)
        return graph.groups(threshold=self.threshold, protocol=self.protocol, restriction=self.restriction)

    def _graphs(self, corpus: Corpus) -> list[list[SentenceGraph]]:
        with_references = "references" in self.metric.required()
        assert corpus.sources is not None
        references = corpus.references if with_references and corpus.references else [()] * len(corpus)
        lines = self.protocol == "paper"
        splitter = punkt.PLAIN if self.splitter == "plain" else punkt.nltk()
        return corpus.remember(
            "output",
            ("graphs", self.aligner.identity(), lines, with_references, splitter.name),
            lambda: graphs(
                zip(corpus.sources or (), corpus.outputs, references, strict=True),
                self.aligner,
                lines=lines,
                splitter=splitter,
                progress=models.settings().progress,
            ),
        )

    def _score(self, pieces: list[tuple[str, str, str]], with_references: bool) -> Floats:
        if not pieces:
            return np.zeros((0, len(self.metric.part_names)))
        source, output, reference = (list(side) for side in zip(*pieces, strict=True))
        scores = self.metric.sample_parts(Corpus(source, output, reference if with_references else None))
        if self.undefined == "zero" and with_references:
            empty = np.array([not (o or r) for o, r in zip(output, reference, strict=True)])
            scores = np.where(empty[:, None] & np.isnan(scores), 0.0, scores)
        return scores


def _means(scores: Floats, sizes: Integers) -> Floats:
    """Means of consecutive runs of rows; undefined rows do not count, an empty run is NaN."""
    run = np.repeat(np.arange(len(sizes)), sizes)
    out = np.full((len(sizes), scores.shape[1]), np.nan)
    for part in range(scores.shape[1]):
        defined = np.isfinite(scores[:, part])
        count = np.bincount(run[defined], minlength=len(sizes))
        total = np.bincount(run[defined], scores[defined, part], minlength=len(sizes))
        out[:, part] = divide(total.astype(np.float64), count.astype(np.float64))
    return out
