"""Facts kept: how many facts of either text the other one states too, over all kinds of fact and for each kind.

Facts are numbers with their units, names, terms, negations, directions, modalities, quantifiers, conditions, quotations
and roles, as listed by `plainmark facts`; docs/faithfulness.md says how often its verdicts are right. Recall falls with
every fact left out, which may be intended in a simplification; precision falls with every fact that is changed or new, and
with every addition that the original does not state. In languages other than English, only numbers and dates are compared,
and the parts for other kinds are undefined.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ..faithfulness import KINDS
from ..languages import LanguageCode
from ..metric import Floats
from ._kept import KeptMetric, _shares


@dataclass(frozen=True)
class FactsKept(KeptMetric):
    """Facts of source and output that the other has too, in percent; parts: precision, recall, F1, and F1 by kind."""

    language: Annotated[
        LanguageCode, "the language of the outputs; other than English, only numbers are compared"
    ] = "en"

    kinds = KINDS
    family = "meaning"
    citation = "plainmark, docs/faithfulness.md"

    @property
    def part_names(self) -> tuple[str, ...]:
        return (*super().part_names, *KINDS)

    def reduce(self, stats: Floats) -> Floats:
        by_kind = _shares(stats.reshape(*stats.shape[:-1], -1, 4))["f1"]
        return np.concatenate([super().reduce(stats), 100 * by_kind], axis=-1)
