"""Metrics against human ratings on whole data sets, as `plainmark correlate` prints them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..meta.evaluation import Evaluation
from ..report.correlations import tables as relations
from ..result import Result, Row, Titled


@dataclass(frozen=True, eq=False)
class MetaEvaluation(Result):
    """Coefficients with intervals and letters, one evaluation per data set, and the findings in words."""

    evaluations: tuple[Evaluation, ...]

    title = "Metrics and human ratings"

    def tables(self) -> list[Titled]:
        return relations.tables(self.evaluations)

    def records(self) -> list[Row]:
        """One row per data set, dimension and metric."""
        return [
            {k: v for k, v in record.items() if not isinstance(v, (dict, list))} for record in self.to_dict()
        ]

    def to_dict(self) -> list[dict[str, Any]]:
        """The rows, with all nested values."""
        return relations.records(self.evaluations)

    def to_text(self, *, bold: bool = False) -> str:
        return relations.text(self.evaluations, bold=bold)

    def to_markdown(self) -> str:
        return relations.markdown(self.evaluations)

    def to_latex(self) -> str:
        return relations.latex(self.evaluations)

    def to_html(self) -> str:
        """The page with plots."""
        from ..report import correlations

        return correlations.render(self.evaluations)
