"""Tables of a stress test: verdicts, and every number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ...metric import Metric, Wrapper
from ...metrics.judge import Judge
from ...table import Cell, Table
from ...testbed import Contrast, Reversal, SensitivityCard
from ...testbed.sensitivity import FEW, LEVEL, SMALL
from ..formatting import digits, number

CLASSES = {
    "detects": "detects", "ignores": "ignores", "wrong way": "wrong", "reacts": "reacts", "rises": "moves",
    "falls": "moves", "mixed": "reacts", "undefined": "undefined", "not testable here": "undefined",
}  # fmt: skip
ABOUT = {
    "informativeness": "Information lost, added, explained",
    "simplification": "Sentences made simpler",
    "coherence": "Sentences out of order",
    "faithfulness": "Facts changed",
    "fluency": "Words out of order",
}
DIRECTION = {1: "up", 0: "none", -1: "down"}
RULE = (
    f"A metric detects a perturbation if its slope over the realised strength differs from 0 (documents resampled, Holm's "
    f"correction over the perturbations, p < {LEVEL}), is at least {SMALL} standard deviations of the unperturbed texts' "
    "scores, and has, like Spearman's correlation, the direction that a measure of quality should have; it goes the wrong way "
    "if both have the other one, is mixed if they disagree, reacts if it should not move at all, and ignores the rest. "
    f"Verdicts from fewer than {FEW} documents say so."
)


def plain(name: str) -> str:
    """A name without underscores."""
    return name.replace("_", " ")


@dataclass(frozen=True, eq=False)
class StressedMetric:
    """The results of a stress test for one metric."""

    metric: Metric
    cards: Sequence[SensitivityCard]
    contrast: Contrast | None
    reversal: Reversal | None


def label(metric: Metric) -> str:
    """A metric's heading: its name, and its options unless they are the default."""
    if isinstance(metric, Judge) and metric.rubric == "appls":
        return f"judge {metric.setting}: {metric.dimension}"
    default = type(metric)() if not isinstance(metric, Wrapper) else None
    return metric.name if metric == default else metric.spec


def verdict_table(stressed: Sequence[StressedMetric]) -> Table:
    """Perturbations by metrics: the change at full strength and the verdict."""
    rows = []
    for i, first in enumerate(stressed[0].cards):
        cells = [Cell(first.case)]
        for s in stressed:
            c = s.cards[i]
            shown = number(c.change, digits(c.metric)) if math.isfinite(c.change) else ""
            cells.append(Cell(f"{shown} {c.finding}".strip(), c.finding))
        rows.append(cells)
    if all(s.reversal for s in stressed):
        rows.append([Cell("reversal test"), *(Cell(s.reversal.verdict) for s in stressed if s.reversal)])
    if all(s.contrast for s in stressed):
        rows.append([Cell("synonym or antonym"), *(Cell(s.contrast.verdict) for s in stressed if s.contrast)])
    notes = ["Mean change of score at full strength, and verdict.", RULE]
    notes += [
        f"{c.case} is not testable here: {c.reason}."
        for c in stressed[0].cards
        if c.verdict == "not testable here"
    ]
    return Table(["perturbation", *(label(s.metric) for s in stressed)], rows, notes)


def long_table(stressed: Sequence[StressedMetric]) -> Table:
    """Every number of every card, one row each, for spreadsheets."""
    headings = [
        "metric", "perturbation", "verdict", "change", "slope", "documents", "shape", "spearman", "low", "high", "p", "effect",
        "baseline", "yardstick", "expected", "observed", "criterion", "seeds_agree", "failures", "reason", "signature",
        *(f"bin{b}" for b in range(1, 11)),
    ]  # fmt: skip
    rows = []
    for s in stressed:
        for c in s.cards:
            bins = {min(math.ceil(b.strength * 10 - 1e-9), 10): b.change for b in c.bins}
            values: list[object] = [
                c.metric.spec, c.case, c.finding, c.change, c.slope, c.documents, c.shape, c.spearman, c.low, c.high, c.p,
                c.effect, c.baseline, c.yardstick, c.expected, c.observed, c.criterion, c.agrees, c.failures, c.reason,
                c.signature,
                *(bins.get(b, math.nan) for b in range(1, 11)),
            ]  # fmt: skip
            rows.append(
                [Cell("", "" if isinstance(v, float) and not math.isfinite(v) else v) for v in values]
            )
    return Table(headings, rows)
