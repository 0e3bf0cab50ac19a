"""The origin of document scores: every group of aligned sentences, its score and its cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..data import Corpus
from ..metric import Metric
from ..metrics._agg_explanation import AggExplanation
from ..result import Result, Row, Titled, finite
from ..table import Cell, Table


@dataclass(frozen=True, eq=False)
class GroupScores(Result):
    """The groups of sentences of each document: what became of them, their scores and their costs."""

    metric: Metric
    corpus: Corpus = field(repr=False)
    explanations: tuple[AggExplanation, ...] = field(repr=False)

    title = "What the groups of sentences score"

    @property
    def signature(self) -> str:
        return self.metric.signature(self.corpus.reference_count)

    def tables(self) -> list[Titled]:
        headings = ["sample", "group", "change", "score", "cost", "source", "output", "reference"]
        rows = [
            [
                Cell("–" if v is None else f"{v:.2f}" if isinstance(v, float) else str(v), v)
                for v in map(row.get, headings)
            ]
            for row in self.records()
        ]
        text = tuple(k for k, heading in enumerate(headings) if heading not in ("score", "cost"))
        return [("", Table(headings, rows, [self.signature], text_columns=text))]

    def records(self) -> list[Row]:
        """One row per group; a document without groups has one row with the reason."""
        return [
            {
                "sample": sample,
                "group": None if group is None else number,
                "change": explanation.reason if group is None else group.change,
                "moved": None if group is None else group.moved,
                "score": None if group is None else finite(group.score),
                "points": None if group is None else finite(group.points),
                "cost": None if group is None else finite(group.cost),
                **_texts(explanation, number - 1 if group else None),
                "sample score": finite(explanation.score),
                "signature": self.signature,
            }
            for sample, explanation in zip(self.corpus.ids, self.explanations, strict=True)
            for number, group in enumerate(explanation.groups or (None,), 1)
        ]

    def to_dict(self) -> dict[str, Any]:
        """The signature, and one dictionary per document."""
        samples = zip(self.corpus.ids, self.explanations, strict=True)
        return {"signature": self.signature, "samples": [{"id": i} | e.record() for i, e in samples]}

    def to_text(self, *, bold: bool = False) -> str:
        from ..report import groups

        shown = zip(self.explanations, sample_names(self.corpus), strict=True)
        return "\n\n".join([*(groups.text(e, name) for e, name in shown), self.signature]) + "\n"

    def to_html(self) -> str:
        """A page with the groups of every document, those that cost most first."""
        from ..report import groups

        return groups.render(
            self.explanations,
            names=sample_names(self.corpus),
            metric=self.metric.spec,
            signature=self.signature,
        )


def sample_names(corpus: Corpus) -> list[str]:
    """The headings of samples in tables and pages."""
    return [f"sample {sample}" for sample in corpus.ids]


def _texts(explanation: AggExplanation, group: int | None) -> dict[str, str | None]:
    """The sentences of a group by side, joined."""
    if group is None:
        return {"source": None, "output": None, "reference": None}
    texts = explanation.graph.texts(explanation.groups[group].group)
    return dict(zip(("source", "output", "reference"), texts, strict=True))
