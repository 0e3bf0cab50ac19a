"""Sentences that say what correlations with human ratings support and what they do not."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ...distributions import t_quantile
from ...meta import Consistency
from ...meta.comparison import MetricRanking
from ...meta.correlation import Correlation
from ...meta.evaluation import Evaluation
from ..formatting import names, number

# Krippendorff's recommendation: ratings below this do not support firm conclusions.
FAIR_ALPHA = 0.667
# Below this absolute value a coefficient is called weak, significant or not: it explains less than 1% of the variance.
WEAK = 0.1


def findings(evaluations: Sequence[Evaluation]) -> list[tuple[str, str]]:
    """The main findings: a heading and some sentences for each data set and dimension."""
    rows = []
    for e in evaluations:
        for r in e.rankings:
            head = f"{e.title}: {r.dimension}" if r.dimension else e.title
            parts = [closest(r), beyond_baselines(r), carried(r), size(r), missing(r)]
            rows.append((head, " ".join(p for p in parts if p)))
        if text := ceiling(e):
            rows.append((f"{e.title}: raters", text))
        if e.consistencies:
            rows.append((e.title, consistent(e)))
        rows += [(f"{e.title}: {metric}", f"Left out: {reason}.") for metric, reason in e.left_out.items()]
    return rows


def closest(ranking: MetricRanking) -> str:
    """Sentences about the metric that correlates best, and whether the correlation is significant."""
    order = [i for i in ranking.order() if math.isfinite(ranking.correlations[i].value)]
    undefined = [c for c in ranking.correlations if not math.isfinite(c.value)]
    text = " ".join(f"{c.metric} is undefined: {c.reason}." for c in undefined)
    if not order:
        return text
    cs = ranking.correlations
    best = cs[order[0]]
    shown = [cs[i] for i in order if cs[i].significant]
    if not shown:
        several = len(order) > 1
        sentence = (
            f"No metric correlates significantly with human ratings: the {'intervals of all' if several else 'interval'} "
            f"{'include' if several else 'includes'} 0 (highest: {best.metric}, {_value(best)})."
        )
        return f"{sentence} {text}".strip()
    against = [c for c in shown if c.higher_is_better is not None and c.oriented_value < 0]
    if best.significant and (best.higher_is_better is None or best.oriented_value > 0):
        kind = ranking.joined.scores[order[0]].kind
        sentence = (
            f"{'The baseline ' if kind == 'baseline' else ''}{best.metric} correlates best: {_value(best)}."
        )
        if abs(best.value) < WEAK:
            sentence = f"All correlations are weak (below {WEAK}). {sentence}"
        beaten = [
            cs[i].metric for i in order[1:] if ranking.p_values[order[0], i] < 1 - ranking.task.confidence
        ]
        equal = [cs[i].metric for i in order[1:] if cs[i].metric not in beaten]
        if beaten:
            sentence += f" It is significantly ahead of {names(beaten)}."
        if equal:
            sentence += f" It does not differ significantly from {names(equal)}."
    else:
        sentence = (
            "No metric correlates significantly with human ratings in its own direction "
            f"(highest: {best.metric}, {_value(best)})."
        )
    if against:
        verb = "correlates" if len(against) == 1 else "correlate"
        sentence += f" {names([c.metric for c in against])} {verb} negatively with human ratings."
    return f"{sentence} {text}".strip()


def best_baseline(ranking: MetricRanking) -> int | None:
    """The baseline that correlates best, or None."""
    scores, cs = ranking.joined.scores, ranking.correlations
    return next(
        (i for i in ranking.order() if scores[i].kind == "baseline" and math.isfinite(cs[i].value)), None
    )


def beyond_baselines(ranking: MetricRanking) -> str:
    """A sentence about the metrics that correlate better than a word count and other baselines."""
    best, cs = best_baseline(ranking), ranking.correlations
    rows = [i for i, s in enumerate(ranking.joined.scores) if s.kind != "baseline"]
    rows = [i for i in rows if math.isfinite(cs[i].value)]
    if best is None or not rows:
        return ""
    ahead = [
        cs[i].metric
        for i in ranking.order()
        if i in rows
        and ranking.difference(i, best) > 0
        and ranking.p_values[i, best] < 1 - ranking.task.confidence
    ]
    baseline = f"{cs[best].metric}, {number(cs[best].value, 3)}"
    if not ahead:
        return f"No metric is significantly better than the best baseline ({baseline})."
    if len(ahead) == len(rows) and len(rows) > 1:
        return f"All metrics are significantly better than the best baseline ({baseline})."
    return f"Significantly better than the best baseline ({baseline}): {names(ahead)}."


def carried(ranking: MetricRanking) -> str:
    """Sentences about the dependence of the correlations on one system."""
    cs = [c for c in ranking.correlations if math.isfinite(c.value) and c.without]
    if not cs:
        return ""
    largest = max(cs, key=lambda c: abs(c.value))
    alone = {s: v for s, v in largest.system_identity.items() if math.isfinite(v)}
    if alone:
        system = max(alone, key=lambda s: abs(alone[s]))
        if abs(alone[system]) > abs(largest.value) and abs(alone[system]) >= 0.2:
            rest = max((abs(c.without.get(system, 0.0)) for c in cs), default=0.0)
            return (
                f"One system dominates: the system-identity baseline of {system} is {number(alone[system], 3)}, larger "
                f"in absolute value than any metric; without {system} no metric exceeds {number(rest, 3)}. These data "
                f"show whether a metric recognises {system}, and little else."
            )
    carrier = largest.most_influential
    left = largest.without.get(carrier, math.nan)
    if math.isfinite(left) and abs(left) < abs(largest.value) / 2 and abs(largest.value) >= 0.1:
        return f"Without {carrier} the {number(largest.value, 3)} of {largest.metric} would be {number(left, 3)}."
    return ""


def ceiling(evaluation: Evaluation) -> str:
    """A sentence about low agreement between raters."""
    low = {
        d: a.alpha
        for d, a in evaluation.agreements.items()
        if math.isfinite(a.alpha) and a.alpha < FAIR_ALPHA
    }
    if not low:
        return ""
    alphas = names([f"{number(v)} for {d}" if d else number(v) for d, v in low.items()])
    return (
        f"Raters agree little with each other (Krippendorff's alpha {alphas}; {number(FAIR_ALPHA)} is the least for "
        "tentative conclusions), which limits every coefficient."
    )


def size(ranking: MetricRanking) -> str:
    """Sentences about small numbers of systems or texts."""
    cs = [c for c in ranking.correlations if math.isfinite(c.value)]
    if not cs:
        return ""
    c = cs[0]
    if ranking.task.level == "system" and c.n < 15 and ranking.task.coefficient != "pairwise":
        t = t_quantile(0.975, c.n - 2)
        least = t / math.sqrt(c.n - 2 + t * t)
        return f"With {c.n} systems a coefficient must exceed about {number(least)} to differ from 0 at all."
    if c.units < 30 and ranking.task.level != "system":
        return f"{c.units} source texts are few; intervals are rough."
    return ""


def missing(ranking: MetricRanking) -> str:
    """A sentence about rated outputs that have no score."""
    lost = ranking.joined.unscored
    if not lost:
        return ""
    shown = ", ".join(f"{s}/{i}" for s, i in lost[:3])
    outputs = "1 rated output has" if len(lost) == 1 else f"{len(lost):,} rated outputs have"
    return f"{outputs} no score and {'is' if len(lost) == 1 else 'are'} left out ({shown}{', …' if len(lost) > 3 else ''})."


def consistent(evaluation: Evaluation) -> str:
    """Sentences about consistency under errors: guessing, failing, and ties that count as right."""
    parts = []
    for dimension, row in evaluation.consistencies.items():
        tied = [c for c in row if c.ties >= max(3, c.pairs / 20)]
        if tied:
            listed = names(
                [
                    f"{c.metric} {c.ties} ({number(c.released, 1)} as released, {number(c.strict, 1)} strictly)"
                    for c in tied
                ]
            )
            parts.append(
                f"{dimension}: of {tied[0].pairs} pairs these score the same, and released programs count them as right: {listed}."
            )
    worse = _listed(evaluation, lambda c: c.high < 50)
    if worse:
        parts.append(f"Prefers the perturbed text more often than not, or cannot tell: {worse}.")
    unsure = _listed(evaluation, lambda c: c.low <= 50 <= c.high)
    if unsure:
        parts.append(f"Not significantly better than chance: {unsure}.")
    return (
        " ".join(parts)
        or "Every metric prefers the unperturbed text more often than guessing would, under every error."
    )


def _listed(evaluation: Evaluation, condition: Callable[[Consistency], bool]) -> str:
    errors: dict[str, list[str]] = {}
    for dimension, row in evaluation.consistencies.items():
        for c in row:
            if condition(c):
                errors.setdefault(c.metric, []).append(dimension)
    return "; ".join(f"{metric} ({', '.join(dimensions)})" for metric, dimensions in errors.items())


def _value(c: Correlation) -> str:
    nouns = {"system": "systems", "item-means": "source texts", "item": "items"}
    noun = "pairs" if c.task.coefficient == "pairwise" else nouns.get(c.task.level, "outputs")
    interval = ""
    if math.isfinite(c.low):
        interval = f", {c.task.confidence:.0%} interval {number(c.low)} to {number(c.high)}"
    return f"{number(c.value, 3)}{interval}, {c.n:,} {noun}"
