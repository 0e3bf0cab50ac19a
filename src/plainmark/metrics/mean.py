"""The mean of another metric's per-sample scores: mean(sari) is EASSE's sentence mean, mean(bleu) mean sentence BLEU."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ..data import Corpus
from ..metric import Floats, MeanMetric, Metric
from .sari import SARI


@dataclass(frozen=True)
class Mean(MeanMetric):
    """The mean over samples of another metric's scores and parts."""

    metric: Annotated[Metric, "the metric to average"] = SARI()  # noqa: RUF009 - metrics are frozen

    citation = "the wrapped metric's"

    @property
    def higher_is_better(self) -> bool | None:  # type: ignore[override]
        return self.metric.higher_is_better

    @property
    def bounds(self) -> tuple[float, float]:  # type: ignore[override]
        return self.metric.bounds

    @property
    def part_names(self) -> tuple[str, ...]:
        return self.metric.part_names

    def required(self) -> frozenset[str]:
        return self.metric.required()

    def values(self, corpus: Corpus) -> Floats:
        return self.metric.sample_parts(corpus)
