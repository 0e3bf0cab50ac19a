"""Coverage: how much of the source the output still says, by the best match of each source sentence in the output.

    coverage = mean over source sentences of max over output sentences of cos(source sentence, output sentence)

In percent. An output without sentences has 0; a source without sentences is undefined. `uncovered` returns the sentences
without a match. Sentence vectors as in Reimers & Gurevych 2019, Sentence-BERT.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from .. import models
from ..data import Corpus
from ..metric import Floats, MeanMetric
from ..models import MODEL
from ..punkt import split_sentences

# Samples whose sentence vectors are in memory at a time.
_AT_ONCE = 1024


@dataclass(frozen=True)
class Coverage(MeanMetric):
    """Mean similarity of each source sentence to its best match in the output; parts: minimum, share not covered."""

    model: Annotated[str, MODEL, "an encoder: minilm, a folder, a package or a name on the hub"] = "minilm"
    threshold: Annotated[float, "a sentence whose best cosine is below this is not covered"] = 0.5

    family = "meaning"
    needs = frozenset({"source"})
    bounds = (-100.0, 100.0)
    citation = "Reimers & Gurevych 2019, EMNLP"

    @property
    def part_names(self) -> tuple[str, ...]:
        return ("coverage", "minimum", "uncovered")

    def missing(self) -> str:
        return models.missing(self.model)

    def spoken(self) -> tuple[str, ...]:
        return models.languages_of(self.model)

    def instead(self) -> list[str]:
        return ["coverage(model='…') with a multilingual model"]

    def values(self, corpus: Corpus) -> Floats:
        return corpus.remember("output", self.identity(), lambda: self._values(corpus))

    def _values(self, corpus: Corpus) -> Floats:
        out = np.full((len(corpus), 3), np.nan)
        sources = corpus.texts("source")
        for start in range(0, len(corpus), _AT_ONCE):
            some = slice(start, start + _AT_ONCE)
            matches = best_matches(sources[some], corpus.outputs[some], self.model)
            for i, best in enumerate(matches, start):
                if len(best):
                    out[i] = best.mean(), best.min(), (best < self.threshold).mean()
        return 100 * out


def uncovered(
    source: str, output: str, *, threshold: float = 0.5, model: str = "minilm"
) -> list[tuple[str, float]]:
    """The sentences of a source that have no similar sentence in the output, with their best cosine."""
    (best,) = best_matches([source], [output], model)
    return [(s, float(b)) for s, b in zip(split_sentences(source), best, strict=True) if b < threshold]


def best_matches(sources: Sequence[str], outputs: Sequence[str], model: str) -> list[Floats]:
    """For each source, the best cosine of each of its sentences; 0 if the output has no sentence."""
    split = [[split_sentences(text) for text in texts] for texts in (sources, outputs)]
    flat = [s for texts in split for sentences in texts for s in sentences]
    vectors = models.encoder(model).sentence_vectors(flat).astype(np.float64)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)  # normalised again in 64 bits
    ends = np.cumsum([len(sentences) for texts in split for sentences in texts])
    of_text = np.split(vectors, ends[:-1])
    n = len(sources)
    return [
        (a @ b.T).max(axis=1) if len(b) else np.zeros(len(a))
        for a, b in zip(of_text[:n], of_text[n:], strict=True)
    ]
