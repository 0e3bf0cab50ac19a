"""The mean of another metric's per-sample scores: mean(sari) is EASSE's sentence mean, mean(bleu) mean sentence BLEU."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ..data import Corpus
from ..metric import Floats, Metric, Wrapper
from .sari import SARI


@dataclass(frozen=True)
class Mean(Wrapper):
    """The mean over samples of another metric's scores and parts."""

    metric: Annotated[Metric, "the metric to average"] = SARI()  # noqa: RUF009 - metrics are frozen

    family = "wrapper"
    citation = "the wrapped metric's"

    def values(self, corpus: Corpus) -> Floats:
        return self.metric.sample_parts(corpus)
