"""Entailment: whether the source supports each sentence of the output, estimated by plainmark's own encoder.

    supported = mean over output sentences of P(the source entails the sentence)       low: something was invented or changed
    kept      = mean over source sentences of P(the output entails the sentence)       low: something was left out

In percent. A sentence is compared with the nearest sentence of the other text by sentence vectors, and with the two nearest
together; the better counts. The score is `supported`, since simplification may leave things out. `unsupported` and
`omitted` name the sentences. An output without sentences is undefined, and so is an empty source. English only. The encoder
is small and misses many changes of meaning: docs/encoder-card.md says how many. Task: Dagan et al. 2006, The PASCAL
recognising textual entailment challenge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np

from ..data import Corpus
from ..lexicon.language import warn_unless_english
from ..metric import Floats, MeanMetric
from ..models import MODEL, plain_encoder
from ..models import missing as missing_model
from ..punkt import PLAIN

# Samples whose sentences are compared at a time.
_AT_ONCE = 256


class JudgedSentence(NamedTuple):
    """A sentence, its place in its text, and the probability that the other text supports it."""

    text: str
    start: int
    end: int
    probability: float


@dataclass(frozen=True)
class EntailmentExplanation:
    """The sentences of a source and of its output, each with the probability that the other text supports it."""

    source: tuple[JudgedSentence, ...]
    output: tuple[JudgedSentence, ...]

    def record(self) -> dict[str, list[dict[str, Any]]]:
        """The explanation as a dictionary for JSON."""
        return {side: [s._asdict() for s in getattr(self, side)] for side in ("source", "output")}


@dataclass(frozen=True)
class Entailment(MeanMetric):
    """Share of the output that the source entails, by sentence, in percent; parts: the same for the source."""

    part: Annotated[Literal["supported", "kept"], "what the score is"] = "supported"
    model: Annotated[Literal["plain"], MODEL, "the encoder that judges"] = "plain"

    needs = frozenset({"source"})
    bounds = (0.0, 100.0)
    family = "meaning"
    citation = "Dagan et al. 2006, PASCAL RTE"
    english_only = True

    @property
    def part_names(self) -> tuple[str, ...]:
        return ("entailment", "supported", "kept")

    def missing(self) -> str:
        return missing_model(self.model)

    def values(self, corpus: Corpus) -> Floats:
        parts = corpus.remember(
            "output", ("entailment", self.contents().get("model")), lambda: _values(corpus)
        )
        return np.column_stack([parts[:, ("supported", "kept").index(self.part)], parts])

    def explain(self, corpus: Corpus) -> list[EntailmentExplanation]:
        """For each sample, the probability that the other text supports each sentence."""
        self.check_installed()
        pairs = judge(corpus.texts("source"), corpus.outputs)
        return [EntailmentExplanation(tuple(source), tuple(output)) for source, output in pairs]


def judge(
    sources: Sequence[str], outputs: Sequence[str]
) -> list[tuple[list[JudgedSentence], list[JudgedSentence]]]:
    """For each pair, the sentences of source and output, each with the probability that the other text supports it."""
    split = [(_sentences(s), _sentences(o)) for s, o in zip(sources, outputs, strict=True)]
    texts = list(dict.fromkeys(t for pair in split for side in pair for _, _, t in side))
    encoder = plain_encoder.load()
    vectors = dict(zip(texts, encoder.embed(texts), strict=True))
    premises, hypotheses, owners = [], [], []
    for number, pair in enumerate(split):
        for side in (0, 1):
            other = [t for _, _, t in pair[1 - side]]
            if not other:
                continue
            matrix = np.stack([vectors[t] for t in other])
            for place, (_, _, sentence) in enumerate(pair[side]):
                for premise in nearest_sentences(other, matrix @ vectors[sentence]):
                    premises.append(premise)
                    hypotheses.append(sentence)
                    owners.append((number, side, place))
    probabilities = [(np.zeros(len(source)), np.zeros(len(output))) for source, output in split]
    entailed = encoder.pairs(premises, hypotheses)["entailed"].astype(np.float64)
    for (number, side, place), probability in zip(owners, entailed, strict=True):
        best = probabilities[number][side]
        best[place] = max(best[place], probability)
    return [
        (
            [JudgedSentence(t, a, b, float(p)) for (a, b, t), p in zip(source, of_source, strict=True)],
            [JudgedSentence(t, a, b, float(p)) for (a, b, t), p in zip(output, of_output, strict=True)],
        )
        for (source, output), (of_source, of_output) in zip(split, probabilities, strict=True)
    ]


def unsupported(source: str, output: str, *, threshold: float = 0.5) -> list[JudgedSentence]:
    """The sentences of the output that the source does not seem to support."""
    ((_, sentences),) = judge([source], [output])
    return [s for s in sentences if s.probability < threshold]


def omitted(source: str, output: str, *, threshold: float = 0.5) -> list[JudgedSentence]:
    """The sentences of the source that the output does not seem to support."""
    ((sentences, _),) = judge([source], [output])
    return [s for s in sentences if s.probability < threshold]


def _values(corpus: Corpus) -> Floats:
    sources, outputs = corpus.texts("source"), corpus.outputs
    warn_unless_english([*sources, *outputs], "entailment")
    parts = np.full((len(corpus), 2), np.nan)
    for start in range(0, len(corpus), _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        for i, (source, output) in enumerate(judge(sources[some], outputs[some]), start):
            if source and output:
                parts[i] = [np.mean([s.probability for s in side]) for side in (output, source)]
    return 100 * parts


def _sentences(text: str) -> list[tuple[int, int, str]]:
    return [(a, b, text[a:b]) for a, b in PLAIN.spans(text) if any(c.isalnum() for c in text[a:b])]


def nearest_sentences(sentences: Sequence[str], similarity: Floats) -> list[str]:
    """The nearest sentence, and the two nearest in the order of the text."""
    order = np.argsort(-similarity, kind="stable")[:2]
    nearest, both = sentences[order[0]], " ".join(sentences[i] for i in sorted(order))
    return [nearest] if nearest == both else [nearest, both]
