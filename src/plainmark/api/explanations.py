"""Explanations of a metric's scores, sample by sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from ..data import Corpus
from ..errors import OptionError
from ..metric import METRICS, Metric
from ..result import Result, Row, Titled, finite
from ..systems import Systems
from ..table import Cell, Table
from ..ucca.scenes import PlacedScene, SamsaExplanation
from ._metrics import parse_metrics


@runtime_checkable
class Explains(Protocol):
    """A metric that can say how its scores come about."""

    def explain(self, corpus: Corpus) -> list[SamsaExplanation]: ...


@dataclass(frozen=True, eq=False)
class SampleExplanations(Result):
    """What a metric says of each sample: every Scene of the source, where it went, and what is missing there."""

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

        named = zip(self.explanations, self._names(), strict=True)
        return "\n\n".join(scenes.text(explanation, name) for explanation, name in named) + "\n"

    def to_html(self) -> str:
        """A page with the Scenes beside the sentences they went to."""
        from ..report import scenes

        subject = ", simplified from ".join(self.files.values())
        return scenes.render(
            self.explanations, names=self._names(), subject=subject, signature=self.metric.signature()
        )

    def _names(self) -> list[str]:
        return [f"sample {sample}" for sample in self.corpus.ids]


def explain(
    metric: str | Metric,
    outputs: Any,
    *,
    source: Any = None,
    fields: Mapping[str, str] | None = None,
) -> SampleExplanations:
    """Explain a metric's score of one system, sample by sample; of the built-in metrics SAMSA can.

    >>> import plainmark as pm
    >>> result = pm.explain("samsa(encoder='none', wordnet='none')", ["He left."], source=["He left at noon."])
    >>> result.records()[0]["Scene"]
    'He left at noon'
    """
    (explained,) = parse_metrics(metric)
    if not isinstance(explained, Explains):
        able = [name for name in METRICS.names() if issubclass(METRICS.find(name), Explains)]
        raise OptionError(f"{explained.name} has no explanation; metrics that have one: {', '.join(able)}.")
    systems = Systems.of(outputs, source, (), fields)
    if len(systems.names) != 1:
        raise OptionError(f"found {len(systems.names)} systems, expected the outputs of one to explain.")
    (corpus,) = systems.corpora()
    files = {name: path.rpartition("/")[2] for name, path in systems.files().items()}
    return SampleExplanations(explained, corpus, tuple(explained.explain(corpus)), files)


def _missing(explanation: SamsaExplanation, scene: PlacedScene) -> str:
    lost = [part for part in scene.parts if part.score == 0]
    return "; ".join(" ".join(explanation.source[i] for i in part.words) for part in lost)


__all__ = ["SampleExplanations", "explain"]
