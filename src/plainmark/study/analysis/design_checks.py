"""Whether the design did its work: order and carry-over effects, randomisation, drop-out by condition."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...distributions import chi_square_tail
from ...errors import InputError
from ...metric import Floats
from ..definition.loading import Study
from .effects import Trials
from .mixed_model import MixedModel, fit
from .responses import Response

if TYPE_CHECKING:
    from ..store.answer_rows import AnswerRow, PersonRow

_NOTABLE = 0.01  # p below which a check is called notable: several are made
_FEWEST_EXPECTED = 5.0  # per cell, on average, for a chi-square test


@dataclass(frozen=True)
class DesignCheck:
    """One check: what was tested, what was found, p, and whether to look closer."""

    name: str
    finding: str
    p: float

    @property
    def notable(self) -> bool:
        """Whether the p-value is small enough to look closer."""
        return self.p < _NOTABLE


def design_checks(
    study: Study,
    answers: Sequence[Response],
    rows: Sequence[AnswerRow] = (),
    people: Sequence[PersonRow] = (),
) -> list[DesignCheck]:
    """All checks that the data allow."""
    checks = []
    ordered = [r for r in answers if r.key and r.order > 0]
    if len({r.order for r in ordered}) > 1 and len({r.system for r in ordered}) > 1:
        checks += _order_effects(study, ordered)
    blocks = {(r.participant, r.order): r for r in rows if r.page == "block" and r.order}
    if study.definition.design.kind == "within":
        positions = Counter((r.arm, str(r.order)) for r in blocks.values())
        checks.append(_independence("Conditions by place in the order", positions, "conditions and places"))
    for name in study.definition.analysis.subgroups:
        given = {
            r.participant: r.value for r in rows if r.page == "survey" and r.question == name and r.asked
        }
        if study.definition.design.kind == "between":
            arms = {r.participant: r.arm for r in blocks.values()}
            groups = Counter((arms[p], v) for p, v in given.items() if p in arms)
        else:
            groups = Counter((r.arm, given[r.participant]) for r in blocks.values() if r.participant in given)
        checks.append(_independence(f"Conditions by answer to {name}", groups, f"conditions and {name}"))
    if study.definition.design.kind == "between" and people:
        arms = {r.participant: r.arm for r in blocks.values()}
        ended = Counter(
            (arms[p.participant], "finished" if p.outcome == "complete" else "left")
            for p in people
            if p.participant in arms
        )
        checks.append(_independence("Drop-out by condition", ended, "conditions and drop-out"))
    return [c for c in checks if not math.isnan(c.p)]


def _order_effects(study: Study, ordered: Sequence[Response]) -> list[DesignCheck]:
    """The trend over trials, and whether the condition of the trial before matters, in the mixed model."""
    trials = Trials.of(ordered)
    systems = [s for s in study.definition.conditions if s in set(trials.system)]
    labels = np.array(trials.system)
    base = [np.ones(len(labels)), *((labels == s).astype(float) for s in systems[1:])]
    groups = trials.factors(study.definition.analysis.random)
    order = np.array([r.order for r in ordered], dtype=np.float64)
    checks = []
    try:
        trend = fit(trials.right, np.column_stack([*base, order - order.mean()]), groups)
        weights = np.zeros(len(base) + 1)
        weights[-1] = 1
        contrast = trend.contrast(weights)
        ratio = contrast.odds_ratio[0]
        way = "practice" if ratio > 1 else "tiredness"
        text = f"odds of a right answer x {ratio:.3f} with each further trial ({way} if not by chance)"
        checks.append(DesignCheck("Order: trend over trials", text, contrast.p))
        seen = {(r.rater, r.order): r.system for r in ordered}
        before = np.array([seen.get((r.rater, r.order - 1), "") for r in ordered])
        after = before != ""
        previous = [((before == s) & after).astype(float) for s in systems[1:]]
        if study.definition.design.kind == "within" and after.any() and len(systems) > 1:
            first = (~after).astype(float)
            extra = [*([first] if first.any() and after.any() else []), *previous]
            with_carry = fit(trials.right, np.column_stack([*base, *extra]), groups)
            without = fit(
                trials.right, np.column_stack([*base, *extra[: len(extra) - len(previous)]]), groups
            )
            statistic, p = _likelihood_ratio(with_carry, without, len(previous))
            text = f"condition of the trial before: chi-square {statistic:.2f} with {len(previous)} degrees of freedom"
            checks.append(DesignCheck("Carry-over from the trial before", text, p))
    except InputError:
        pass  # a design without enough variation has nothing to check
    return checks


def _likelihood_ratio(full: MixedModel, reduced: MixedModel, freedom: int) -> tuple[float, float]:
    statistic = max(0.0, 2 * (full.log_likelihood - reduced.log_likelihood))
    known = full.converged and reduced.converged
    return statistic, chi_square_tail(statistic, freedom) if known else math.nan


def _independence(name: str, counts: Mapping[tuple[str, str], int], what: str) -> DesignCheck:
    """A chi-square test of a table of counts; NaN where it has one row or column, or too few counts."""
    rows, columns = sorted({a for a, _ in counts}), sorted({b for _, b in counts})
    table: Floats = np.array([[counts.get((a, b), 0) for b in columns] for a in rows], dtype=np.float64)
    if len(rows) < 2 or len(columns) < 2 or table.sum() / table.size < _FEWEST_EXPECTED:
        return DesignCheck(name, "too few counts", math.nan)
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True) / table.sum()
    statistic = float(((table - expected) ** 2 / expected).sum())
    freedom = (len(rows) - 1) * (len(columns) - 1)
    p = chi_square_tail(statistic, freedom)
    return DesignCheck(name, f"{what}: chi-square {statistic:.2f} with {freedom} degrees of freedom", p)
