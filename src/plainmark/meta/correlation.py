"""Correlation of a metric's scores with human ratings, its confidence interval and the influence of single systems.

    pm.correlate(Task.parse("level=system coefficient=spearman"), scores, ratings)

Intervals: source texts are drawn with replacement, all outputs of a text together; the spread s of Fisher's z of the
resampled coefficients gives z +- t s, with t of (source texts - 1) degrees of freedom. If rows are systems, there are too
few to resample: the interval is Fisher's (Bonett and Wright 2000 for rho, Fieller et al. 1957 for tau).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..data import Corpus, Ratings
from ..distributions import binomial_p, normal_quantile, share_interval, t_tail
from ..errors import InputError
from ..metric import Floats, Metric
from ..resampling import batches, bootstrap_weights, t_half_width
from ..result import Result, Row, Titled, finite
from ..table import Cell, Table
from .coefficients import coefficient, coefficients, p_value, tied_pairs
from .estimates import Ratio, Rows, estimate, pairs, system_controls, system_values
from .joined import JoinedScores, join
from .scores import Scores
from .task import Task

Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Correlation(Result):
    """A coefficient with the numbers needed to judge it; `reason` says why it is NaN."""

    task: Task
    metric: str
    dimension: str
    value: float
    low: float
    high: float
    p: float  # two-sided, treating rows as independent
    n: int  # rows, pairs or items
    units: int  # the number of resampling units behind the interval
    method: str
    systems: int
    tied_scores: int  # pairs of rows with equal scores
    tied_ratings: int
    higher_is_better: bool | None = True
    reason: str = ""
    without: Mapping[str, float] = field(default_factory=dict)  # left-out system -> coefficient
    system_identity: Mapping[str, float] = field(
        default_factory=dict
    )  # system -> coefficient of "is it this system?"
    unscored: tuple[tuple[str, str], ...] = ()
    rows: Rows | None = None
    names: tuple[str, ...] = ()  # of the systems, in the order of Rows.system
    right: float = math.nan  # pairs on which metric and raters agree

    @property
    def p_one_sided(self) -> float:
        """P-value of the one-sided test in the observed direction."""
        return self.p / 2

    @property
    def significant(self) -> bool:
        """Whether the interval excludes 0."""
        return bool(self.low > 0 or self.high < 0)

    @property
    def oriented_value(self) -> float:
        """The value, positive if better scores go with better ratings; its size if neither direction is better."""
        sign = expected_sign(self.task, self.higher_is_better)
        return sign * self.value if sign else abs(self.value)

    @property
    def most_influential(self) -> str:
        """The system whose removal changes the coefficient most."""
        changes = {s: abs(v - self.value) for s, v in self.without.items() if math.isfinite(v)}
        return max(changes, key=lambda s: changes[s]) if changes else ""

    def tables(self) -> list[Titled]:
        headings = ["metric", "dimension", self.task.coefficient, "low", "high", "p", "n"]
        numbers = [f"{v:.3f}" if math.isfinite(v) else "–" for v in (self.value, self.low, self.high, self.p)]
        notes = [self.task.spec, *([self.reason] if self.reason else [f"[{self.method}]"])]
        row = [Cell(self.metric), Cell(self.dimension), *map(Cell, numbers), Cell(str(self.n))]
        return [("", Table(headings, [row], notes))]

    def records(self) -> list[Row]:
        """The coefficient with the numbers needed to judge it, one row."""
        return [
            {
                "metric": self.metric,
                "dimension": self.dimension,
                "measure": self.task.coefficient,
                "task": self.task.spec,
                "value": finite(self.value),
                "low": finite(self.low),
                "high": finite(self.high),
                "p": finite(self.p),
                "n": self.n,
                "units": self.units,
                "systems": self.systems,
                "method": self.method,
                "tied_scores": self.tied_scores,
                "tied_ratings": self.tied_ratings,
                "reason": self.reason,
            }
        ]

    def __str__(self) -> str:
        if not math.isfinite(self.value):
            return f"{self.metric} {self.dimension}: undefined ({self.reason})"
        interval = f" [{self.low:.3f}, {self.high:.3f}]" if math.isfinite(self.low) else ""
        return f"{self.metric} {self.dimension}: {self.value:.3f}{interval}, n = {self.n} ({self.method})"


def correlate(
    task: Task | str,
    scores: Scores | str | Metric,
    ratings: Ratings,
    *,
    corpora: Mapping[str, Corpus] | None = None,
    controls: Sequence[Scores | str | Metric] = (),
) -> Correlation:
    """Correlate a metric with human ratings. `scores` may be a metric if `corpora` holds the rated texts.

    `controls` are the scores that the task controls for (partial), by name.
    """
    task = as_task(task)
    taken_out = [as_scores(c, corpora) for c in controls]
    return correlation(task, join(task, [as_scores(scores, corpora)], ratings, taken_out))


def as_task(task: Task | str) -> Task:
    """A task, parsed if it is text."""
    return Task.parse(task) if isinstance(task, str) else task


def as_scores(scores: Scores | str | Metric, corpora: Mapping[str, Corpus] | None) -> Scores:
    """Scores unchanged, or computed by a metric on corpora."""
    if isinstance(scores, Scores):
        return scores
    if not corpora:
        raise InputError(f"{scores}: a metric needs texts to score; pass corpora=, or scores from Scores.of.")
    return Scores.of(scores, corpora)


def expected_sign(task: Task, higher_is_better: bool | None) -> float:
    """The sign of the coefficient if better scores go with better ratings; 0 if neither direction is better."""
    if higher_is_better is None:
        return 0.0
    return 1.0 if higher_is_better == (task.better == "higher") else -1.0


def correlation(task: Task, joined: JoinedScores, k: int = 0, *, leave_out: bool = True) -> Correlation:
    """The correlation of metric k."""
    metric_estimate = estimate(task, joined, k)
    scores = joined.scores[k]
    reason = why_undefined(task, metric_estimate)
    value = math.nan if reason else metric_estimate.value
    base = Correlation(
        task=task,
        metric=scores.name,
        dimension=joined.dimension,
        value=value,
        low=math.nan,
        high=math.nan,
        p=math.nan,
        n=len(metric_estimate.x) if isinstance(metric_estimate, Rows) else metric_estimate.count,
        units=joined.units,
        method="",
        systems=len(joined.systems),
        tied_scores=metric_estimate.tied_scores
        if isinstance(metric_estimate, Ratio)
        else tied_pairs(metric_estimate.x),
        tied_ratings=metric_estimate.tied_ratings
        if isinstance(metric_estimate, Ratio)
        else tied_pairs(metric_estimate.y),
        higher_is_better=scores.higher_is_better,
        reason=reason,
        unscored=joined.unscored,
        rows=metric_estimate if isinstance(metric_estimate, Rows) else None,
        names=joined.systems,
        right=metric_estimate.right
        if isinstance(metric_estimate, Ratio) and task.coefficient == "pairwise"
        else math.nan,
    )
    if reason:
        return replace(base, method="none")
    low, high, units, method = interval(task, joined, k, metric_estimate)
    return replace(
        base,
        low=low,
        high=high,
        units=units,
        method=method,
        p=_p(task, metric_estimate),
        without=leave_one_out(task, joined, k) if leave_out else {},
        system_identity=system_identity_baselines(task, joined) if leave_out else {},
    )


def why_undefined(task: Task, metric_estimate: Rows | Ratio) -> str:
    """Why the coefficient is undefined; empty if it is defined."""
    if isinstance(metric_estimate, Rows):
        what = {"system": "systems", "item-means": "source texts"}.get(task.level, "outputs")
        if not np.isfinite(metric_estimate.x).all():
            return f"the score of some {what} is undefined"
        least = 3 + len(metric_estimate.controls)
        if len(metric_estimate.x) < least:
            return f"{len(metric_estimate.x)} {what} are both scored and rated; a correlation needs {least} or more"
        if np.ptp(metric_estimate.x) == 0:
            return f"all scores are the same ({metric_estimate.x[0]:.4g})"
        if np.ptp(metric_estimate.y) == 0:
            return f"all ratings are the same ({metric_estimate.y[0]:.4g})"
        if math.isfinite(metric_estimate.value):
            return ""
        if metric_estimate.controls:
            return f"nothing remains after controlling for {', '.join(task.partial)}"
        return "scores or ratings hardly vary"
    if metric_estimate.count == 0 and task.coefficient == "pairwise":
        return (
            "no two outputs of one source text were rated differently"
            if not metric_estimate.tied_scores
            else "all pairs are ties"
        )
    if metric_estimate.count == 0:
        least = 3 + len(task.partial)
        return f"no item has {least} systems whose scores and ratings vary"
    return ""


def interval(
    task: Task, joined: JoinedScores, k: int, metric_estimate: Rows | Ratio
) -> tuple[float, float, int, str]:
    """Lower and upper bound, number of resampling units, and the method."""
    count = len(joined.systems)
    if task.level == "system" and task.unit == "system":
        free = count - len(task.partial)
        low, high = fisher_interval(task.coefficient, metric_estimate.value, free, task.confidence)
        return low, high, count, f"Fisher's z, {count} systems"
    units = {"item": joined.units, "system": count, "both": min(joined.units, count)}[task.unit]
    what = {"item": f"{joined.units} source texts", "system": f"{count} systems"}.get(
        task.unit, f"{joined.units} source texts and {count} systems"
    )
    one_pair_per_text = isinstance(metric_estimate, Ratio) and joined.units == metric_estimate.count
    if task.coefficient == "pairwise" and (one_pair_per_text or abs(metric_estimate.value) >= 1):
        # With one pair per text, or only equal pairs, it is a proportion, for which Wilson's interval is better than a
        # bootstrap.
        low, high = share_interval(units * (metric_estimate.value + 1) / 2, units, task.confidence)
        return 2 * low - 1, 2 * high - 1, units, f"Wilson, {what}"
    drawn = resampled(task, joined, [k])[0]
    low, high = spread_interval(metric_estimate.value, drawn, units, task.confidence)
    return low, high, units, f"bootstrap over {what}, {task.resamples:,} resamples"


def resampled(task: Task, joined: JoinedScores, metrics: Sequence[int]) -> Floats:
    """Coefficients on resampled data, with the same resamples for every metric: (metrics, resamples)."""
    rng = np.random.default_rng(task.seed)
    estimates = [estimate(task, joined, k) for k in metrics]
    out = np.empty((len(metrics), task.resamples))
    width = (
        joined.complete.size
        if task.level == "system"
        else max(len(f.x) if isinstance(f, Rows) else len(f.numerator) for f in estimates)
    )
    for start, stop in batches(task.resamples, width):
        rows = stop - start
        units = bootstrap_weights(rng, rows, joined.units) if task.unit != "system" else None
        systems = bootstrap_weights(rng, rows, len(joined.systems)) if task.unit != "item" else None
        for m, (k, metric_estimate) in enumerate(zip(metrics, estimates, strict=True)):
            if isinstance(metric_estimate, Ratio) and task.level != "system":
                assert units is not None
                out[m, start:stop] = metric_estimate.weighted(units)
            elif task.level == "system":
                assert units is not None
                weights = units[:, joined.unit]
                ratings, values = system_values(joined, k, weights)
                controls = system_controls(joined, weights)
                out[m, start:stop] = _system_level(task, values, ratings, controls)
            else:
                assert isinstance(metric_estimate, Rows)
                weights = np.ones((rows, len(metric_estimate.x)))
                if units is not None:
                    weights *= units[:, metric_estimate.unit]
                if systems is not None:
                    weights *= systems[:, metric_estimate.system]
                out[m, start:stop] = metric_estimate.weighted(weights)
    return out


def _system_level(task: Task, values: Floats, ratings: Floats, controls: Sequence[Floats]) -> Floats:
    if task.coefficient != "pairwise":
        return coefficients(task.coefficient, values, ratings, controls)
    each = np.arange(len(values))
    return pairs(ratings.T, values.T, each, task.ties).weighted(np.eye(len(values)))


def spread_interval(value: float, drawn: Floats, units: int, level: float) -> tuple[float, float]:
    """The interval from the spread of resampled coefficients on Fisher's z scale."""
    defined = drawn[np.isfinite(drawn)]
    if units < 3 or len(defined) < len(drawn) / 2 or abs(value) >= 1:
        return math.nan, math.nan
    z = np.arctanh(np.clip(defined, -0.999999, 0.999999))
    half = float(t_half_width(z, units, level))
    return math.tanh(math.atanh(value) - half), math.tanh(math.atanh(value) + half)


def fisher_interval(name: str, value: float, n: int, level: float) -> tuple[float, float]:
    """Fisher's interval of a coefficient of n independent rows."""
    freedom = n - 4 if name in ("kendall", "pairwise") else n - 3
    if freedom < 1 or abs(value) >= 1:
        return math.nan, math.nan
    variance = {"pearson": 1.0, "spearman": 1 + value * value / 2}.get(name, 0.437) / freedom
    half = normal_quantile((1 + level) / 2) * math.sqrt(variance)
    return math.tanh(math.atanh(value) - half), math.tanh(math.atanh(value) + half)


def leave_one_out(task: Task, joined: JoinedScores, k: int) -> dict[str, float]:
    """The coefficient without each system in turn."""
    if len(joined.systems) < 2 or (task.coefficient == "pairwise" and len(joined.systems) == 2):
        return {}
    out = {}
    for i, system in enumerate(joined.systems):
        rest = joined.without(i)
        if rest.samples:
            metric_estimate = estimate(task, rest, k)
            out[system] = math.nan if why_undefined(task, metric_estimate) else metric_estimate.value
    return out


def system_identity_baselines(task: Task, joined: JoinedScores) -> dict[str, float]:
    """The coefficient of "is the output by this system?" with the ratings, for each system."""
    if task.level != "segment" or task.coefficient == "pairwise" or len(joined.systems) < 2:
        return {}
    complete = joined.complete
    system, _ = np.nonzero(complete)
    y = joined.ratings[complete]
    controls = [c[complete] for c in joined.control_values]
    return {
        name: coefficient(task.coefficient, (system == i).astype(np.float64), y, controls)
        for i, name in enumerate(joined.systems)
    }


def _p(task: Task, metric_estimate: Rows | Ratio) -> float:
    if isinstance(metric_estimate, Rows):
        x, y, controls = metric_estimate.x, metric_estimate.y, len(metric_estimate.controls)
        return p_value(task.coefficient, metric_estimate.value, x, y, controls)
    if task.coefficient == "pairwise":
        return binomial_p(metric_estimate.right, metric_estimate.count)
    means = (
        metric_estimate.numerator[metric_estimate.denominator > 0]
        / metric_estimate.denominator[metric_estimate.denominator > 0]
    )
    if len(means) < 2 or np.ptp(means) == 0:
        return math.nan
    t = means.mean() / (means.std(ddof=1) / math.sqrt(len(means)))
    return min(1.0, 2 * t_tail(abs(float(t)), len(means) - 1))
