"""Explanations of a metric's scores, sample by sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from ..data import Corpus
from ..errors import OptionError
from ..explanation.breakdown import Breakdown
from ..explanation.contributions import breakdowns, explains
from ..languages import check_code
from ..languages.choice import choose
from ..metric import METRICS, Metric
from ..metrics._agg_explanation import AggExplanation
from ..metrics._quality_explanation import QualityExplanation
from ..metrics.entailment import EntailmentExplanation
from ..result import Result, Row, Titled, finite
from ..systems import Systems
from ..table import Cell, Table
from ..ucca.scenes import PlacedScene, SamsaExplanation
from ._metrics import parse_metrics
from .group_scores import GroupScores, sample_names


@runtime_checkable
class Explains(Protocol):
    """A metric that can explain its scores."""

    def explain(
        self, corpus: Corpus
    ) -> (
        list[SamsaExplanation] | list[QualityExplanation] | list[EntailmentExplanation] | list[AggExplanation]
    ): ...


@dataclass(frozen=True, eq=False)
class SampleExplanations(Result):
    """A metric's explanation of each sample: every Scene of the source, where it went in the output, and
    which of its words are missing there.
    """

    metric: Metric
    corpus: Corpus = field(repr=False)
    explanations: tuple[SamsaExplanation, ...] = field(repr=False)
    files: Mapping[str, str] = field(default_factory=dict)

    title = "Explanations"

    def tables(self) -> list[Titled]:
        headings = ["sample", "Scene", "sentence", "score", "missing"]
        rows = [
            [Cell(str(v) if v is not None else "–", v) for v in (row[h] for h in headings)]
            for row in self.records()
        ]
        return [("", Table(headings, rows, signatures={self.metric.name: self.metric.signature()}))]

    def records(self) -> list[Row]:
        """One row per Scene; a sample without Scenes has one row without a Scene."""
        return [
            {
                "sample": sample,
                "Scene": " ".join(explanation.source[i] for i in scene.words) if scene else None,
                "sentence": None if scene is None or scene.sentence is None else scene.sentence + 1,
                "score": None if scene is None else finite(100 * scene.score),
                "missing": _missing(explanation, scene) if scene else explanation.reason,
                "sample score": finite(100 * explanation.score),
                "signature": self.metric.signature(),
            }
            for sample, explanation in zip(self.corpus.ids, self.explanations, strict=True)
            for scene in explanation.scenes or (None,)
        ]

    def to_dict(self) -> list[dict[str, Any]]:
        """One dictionary per sample, with every Scene and every word link."""
        return [
            {"id": sample} | explanation.record()
            for sample, explanation in zip(self.corpus.ids, self.explanations, strict=True)
        ]

    def to_text(self, *, bold: bool = False) -> str:
        from ..report import scenes

        named = zip(self.explanations, sample_names(self.corpus), strict=True)
        return "\n\n".join(scenes.text(explanation, name) for explanation, name in named) + "\n"

    def to_html(self) -> str:
        """A page with the Scenes beside the output sentences that they went to."""
        from ..report import scenes

        subject = ", simplified from ".join(self.files.values())
        return scenes.render(
            self.explanations,
            names=sample_names(self.corpus),
            subject=subject,
            signature=self.metric.signature(),
        )


@dataclass(frozen=True, eq=False)
class ScoreBreakdowns(Result):
    """The contribution of every n-gram or word of each sample to its score; the points add up to the score."""

    metric: Metric
    corpus: Corpus = field(repr=False)
    breakdowns: tuple[Breakdown, ...] = field(repr=False)
    files: Mapping[str, str] = field(default_factory=dict)

    title = "Explanations"

    def tables(self) -> list[Titled]:
        headings = [
            "sample",
            "operation",
            "n",
            "n-gram",
            "points",
            "source",
            "output",
            "references",
            "verdict",
        ]
        rows = [
            [
                Cell("–" if v is None else f"{v:.3f}" if isinstance(v, float) else str(v), v)
                for v in (row[h] for h in headings)
            ]
            for row in self.records()
        ]
        return [("", Table(headings, rows, [self.signature]))]

    def records(self) -> list[Row]:
        """One row per sample, operation and n-gram."""
        return [
            {
                "sample": sample,
                "operation": c.operation,
                "n": c.order,
                "n-gram": c.text,
                "points": c.points,
                "source": c.source,
                "output": c.output,
                "references": c.references,
                "verdict": c.verdict,
                "sample score": finite(breakdown.score),
                "signature": self.signature,
            }
            for sample, breakdown in zip(self.corpus.ids, self.breakdowns, strict=True)
            for c in breakdown.contributions
        ]

    def to_dict(self) -> dict[str, Any]:
        """The signature, and one dictionary per sample."""
        samples = zip(self.corpus.ids, self.breakdowns, strict=True)
        return {"signature": self.signature, "samples": [{"id": i} | b.record() for i, b in samples]}

    @property
    def signature(self) -> str:
        return self.metric.signature(self.corpus.reference_count)

    def to_text(self, *, bold: bool = False) -> str:
        from ..report import contributions

        shown = zip(self.breakdowns, sample_names(self.corpus), strict=True)
        texts = (contributions.text(breakdown, name, self.metric.spec) for breakdown, name in shown)
        return "\n\n".join([*texts, self.signature]) + "\n"

    def to_html(self) -> str:
        """A page with every sample's n-grams in tables."""
        from ..report import contributions

        return contributions.render(
            self.breakdowns,
            names=sample_names(self.corpus),
            metric=self.metric.spec,
            subject=", simplified from ".join(list(self.files.values())[:2]),
            signature=self.signature,
        )


@dataclass(frozen=True, eq=False)
class QualityExplanations(Result):
    """How each sentence and each word of the outputs changes `quality` and its parts."""

    metric: Metric
    corpus: Corpus = field(repr=False)
    explanations: tuple[QualityExplanation, ...] = field(repr=False)

    title = "What raises and lowers quality"

    def tables(self) -> list[Titled]:
        """One table per sample: its scores, then its pieces, with those that lower quality most first."""
        out = []
        for sample, explanation in zip(self.corpus.ids, self.explanations, strict=True):
            pieces = sorted(explanation.pieces, key=lambda p: (p.kind != "sentence", p.effects[0]))
            rows = [
                [Cell(label), *(Cell(f"{v:.1f}" if sign == "" else f"{v:+.1f}", finite(v)) for v in values)]
                for label, sign, values in (
                    ("the whole output", "", explanation.scores),
                    *((f"{p.kind}: {p.text}", "+", p.effects) for p in pieces),
                )
            ]
            out.append((f"sample {sample}", Table(["", *explanation.parts], rows, [self.metric.signature()])))
        return out

    def to_html(self) -> str:
        """A page with every output; its words are shaded by their effect on quality and its parts."""
        from ..report import quality

        return quality.render(
            self.explanations,
            self.corpus,
            names=sample_names(self.corpus),
            signature=self.metric.signature(),
        )

    def records(self) -> list[Row]:
        """One row per piece of an output, and one for the whole output."""
        return [
            {"sample": sample, "kind": kind, "text": text, "start": start}
            | {name: finite(v) for name, v in zip(explanation.parts, values, strict=True)}
            for sample, explanation in zip(self.corpus.ids, self.explanations, strict=True)
            for kind, text, start, values in (
                ("output", None, None, explanation.scores),
                *((p.kind, p.text, p.start, p.effects) for p in explanation.pieces),
            )
        ]

    def to_dict(self) -> list[dict[str, Any]]:
        """One dictionary per sample, with the effects of every piece."""
        return [
            {"id": sample} | explanation.record()
            for sample, explanation in zip(self.corpus.ids, self.explanations, strict=True)
        ]


@dataclass(frozen=True, eq=False)
class SentenceJudgements(Result):
    """The probability that the source supports each sentence of the outputs, and the outputs each sentence of the source."""

    metric: Metric
    corpus: Corpus = field(repr=False)
    explanations: tuple[EntailmentExplanation, ...] = field(repr=False)

    title = "What the other text says"

    def tables(self) -> list[Titled]:
        """Sentences in the order of the texts; those of the output, from which `supported` is computed, come first."""
        rows = [
            [
                Cell(row["sample"]),
                Cell(row["text"]),
                Cell(row["sentence"]),
                Cell(f"{row['probability']:.0%}", row["probability"]),
            ]
            for row in self.records()
        ]
        headings = ["sample", "text", "sentence", "said by the other"]
        notes = [
            "Probabilities by a small model that misses many changes of meaning; docs/encoder-card.md says how many."
        ]
        return [("", Table(headings, rows, notes, signatures={self.metric.name: self.metric.signature()}))]

    def records(self) -> list[Row]:
        """One row per sentence."""
        return [
            {"sample": sample, "text": side, "sentence": s.text, "start": s.start, "end": s.end}
            | {"probability": s.probability}
            for sample, explanation in zip(self.corpus.ids, self.explanations, strict=True)
            for side, sentences in (("output", explanation.output), ("source", explanation.source))
            for s in sentences
        ]

    def to_dict(self) -> list[dict[str, Any]]:
        """One dictionary per sample, with the sentences of both texts."""
        return [
            {"id": sample} | explanation.record()
            for sample, explanation in zip(self.corpus.ids, self.explanations, strict=True)
        ]


def explain(
    metric: str | Metric,
    outputs: Any,
    *,
    source: Any = None,
    references: Any = (),
    samples: Sequence[str] = (),
    fields: Mapping[str, str] | None = None,
    language: str = "",
) -> SampleExplanations | ScoreBreakdowns | QualityExplanations | SentenceJudgements | GroupScores:
    """Explain a metric's score of one system, sample by sample, or only that of `samples` (ids, or numbers from 1).

    SARI, BLEU, ROUGE and FKGL are explained by n-grams or words, and SAMSA by Scenes. `quality` has the
    effect of each sentence and each word, `entailment` the probability that the other text supports each
    sentence, and `agg` the score and the cost of every group of aligned sentences.

    >>> import plainmark as pm
    >>> result = pm.explain("samsa(encoder='none', wordnet='none')", ["He left."], source=["He left at noon."])
    >>> result.records()[0]["Scene"]
    'He left at noon'
    """
    (explained,) = parse_metrics(metric)
    if not (isinstance(explained, Explains) or explains(explained)):
        able = ["sari", "bleu", "rouge", "fkgl"]
        able += [name for name in METRICS.names() if issubclass(METRICS.find(name), Explains)]
        raise OptionError(f"{explained.name} has no explanation; metrics that have one: {', '.join(able)}.")
    systems = Systems.of(outputs, source, references, fields)
    if len(systems.names) != 1:
        raise OptionError(f"found {len(systems.names)} systems, expected the outputs of one to explain.")
    (corpus,) = systems.corpora()
    spoken = choose([corpus], check_code(language) if language else "")
    corpus.language = spoken.code
    explained = explained.in_language(spoken)
    if samples:
        corpus = _selected(corpus, samples)
    files = {name: path.rpartition("/")[2] for name, path in systems.files().items()}
    if not isinstance(explained, Explains):
        return ScoreBreakdowns(explained, corpus, tuple(breakdowns(explained, corpus)), files)
    explanations = explained.explain(corpus)
    if any(isinstance(e, AggExplanation) for e in explanations):
        return GroupScores(explained, corpus, tuple(explanations))  # type: ignore[arg-type]
    if any(isinstance(e, QualityExplanation) for e in explanations):
        return QualityExplanations(explained, corpus, tuple(explanations))  # type: ignore[arg-type]
    if any(isinstance(e, EntailmentExplanation) for e in explanations):
        return SentenceJudgements(explained, corpus, tuple(explanations))  # type: ignore[arg-type]
    return SampleExplanations(explained, corpus, tuple(explanations), files)  # type: ignore[arg-type]


def _selected(corpus: Corpus, samples: Sequence[str]) -> Corpus:
    """The indices of the samples with these ids or numbers."""
    place = {sample: i for i, sample in enumerate(corpus.ids)}
    for sample in samples:
        if sample not in place:
            known = f"{corpus.ids[0]} to {corpus.ids[-1]}" if len(corpus) else "none"
            raise OptionError(f"no sample {sample}; the {len(corpus):,} samples are {known}.")
    return corpus.subset([place[sample] for sample in samples])


def _missing(explanation: SamsaExplanation, scene: PlacedScene) -> str:
    lost = [part for part in scene.parts if part.score == 0]
    return "; ".join(" ".join(explanation.source[i] for i in part.words) for part in lost)


__all__ = [
    "GroupScores",
    "QualityExplanations",
    "SampleExplanations",
    "ScoreBreakdowns",
    "SentenceJudgements",
    "explain",
]
