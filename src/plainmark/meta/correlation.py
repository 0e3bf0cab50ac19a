"""How well a metric's scores go along with people's ratings, how sure that is, and which system carries it.

    pm.correlate(Task.parse("level=system coefficient=spearman"), scores, ratings)

Intervals: source texts are drawn with replacement, all outputs of a text together; the spread of Fisher's z of the
resampled coefficients gives z +- t s, with t of (source texts - 1) degrees. Where rows are systems, there are too few to
draw from: the interval is Fisher's own (Bonett and Wright 2000 for rho, Fieller et al. 1957 for tau).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..data import Corpus, Ratings
from ..errors import InputError
from ..metric import Floats, Metric
from ..result import Result, Row, Titled, finite
from ..table import Cell, Table
from .coefficients import coefficient, coefficients, p_value, tied_pairs
from .distributions import binomial_p, normal_quantile, share_interval, t_quantile, t_tail
from .estimates import Ratio, Rows, estimate, pairs, system_values
from .joining import Joined, join
from .scores import Scores
from .task import Task

Progress = Callable[[int, int], None]

# Resampling weights are made in pieces of at most this many numbers.
_PIECE = 4_000_000


@dataclass(frozen=True, eq=False)
class Correlation(Result):
    """A coefficient with everything that is needed to judge it; NaN values have a reason."""

    task: Task
    metric: str
    dimension: str
    value: float
    low: float
    high: float
    p: float  # two-sided, rows taken as independent
    n: int  # rows, pairs or samples
    units: int  # what the interval rests on
    method: str
    systems: int
    tied_scores: int  # pairs of rows with equal scores
    tied_ratings: int
    higher_is_better: bool | None = True
    reason: str = ""
    without: Mapping[str, float] = field(default_factory=dict)  # left-out system -> coefficient
    alone: Mapping[str, float] = field(default_factory=dict)  # system -> coefficient of "is it this system?"
    unscored: tuple[tuple[str, str], ...] = ()
    rows: Rows | None = None
    names: tuple[str, ...] = ()  # of systems, as rows number them
    right: float = math.nan  # pairs on which metric and people agree

    @property
    def p_one_sided(self) -> float:
        """P-value of the test in the direction that was found."""
        return self.p / 2

    @property
    def significant(self) -> bool:
        """Whether the interval leaves out 0."""
        return bool(self.low > 0 or self.high < 0)

    @property
    def good(self) -> float:
        """The value, turned around for metrics of which less is better; what neither is good at is as good as it is far from 0."""
        if self.higher_is_better is None:
            return abs(self.value)
        return self.value if self.higher_is_better else -self.value

    @property
    def carrier(self) -> str:
        """The system without which the coefficient changes most."""
        changes = {s: abs(v - self.value) for s, v in self.without.items() if math.isfinite(v)}
        return max(changes, key=lambda s: changes[s]) if changes else ""

    def tables(self) -> list[Titled]:
        headings = ["metric", "dimension", self.task.coefficient, "low", "high", "p", "n"]
        numbers = [f"{v:.3f}" if math.isfinite(v) else "–" for v in (self.value, self.low, self.high, self.p)]
        notes = [self.task.spec, *([self.reason] if self.reason else [f"[{self.method}]"])]
        row = [Cell(self.metric), Cell(self.dimension), *map(Cell, numbers), Cell(str(self.n))]
        return [("", Table(headings, [row], notes))]

    def records(self) -> list[Row]:
        """The coefficient with everything that is needed to judge it."""
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
) -> Correlation:
    """A metric against people. `scores` may be a metric when the corpora that were rated are given."""
    task = as_task(task)
    return correlation(task, join(task, [as_scores(scores, corpora)], ratings))


def as_task(task: Task | str) -> Task:
    """A task from its text."""
    return Task.parse(task) if isinstance(task, str) else task


def as_scores(scores: Scores | str | Metric, corpora: Mapping[str, Corpus] | None) -> Scores:
    """Scores from a metric and corpora."""
    if isinstance(scores, Scores):
        return scores
    if not corpora:
        raise InputError(
            f"{scores}: a metric needs texts to score; give corpora=, or scores made by Scores.of."
        )
    return Scores.of(scores, corpora)


def correlation(task: Task, joined: Joined, k: int = 0, *, leave_out: bool = True) -> Correlation:
    """Metric k of joined scores and ratings."""
    found = estimate(task, joined, k)
    scores = joined.scores[k]
    reason = why_undefined(task, found)
    value = math.nan if reason else found.value
    base = Correlation(
        task=task,
        metric=scores.name,
        dimension=joined.dimension,
        value=value,
        low=math.nan,
        high=math.nan,
        p=math.nan,
        n=len(found.x) if isinstance(found, Rows) else found.items,
        units=joined.units,
        method="",
        systems=len(joined.systems),
        tied_scores=found.tied_scores if isinstance(found, Ratio) else tied_pairs(found.x),
        tied_ratings=found.tied_ratings if isinstance(found, Ratio) else tied_pairs(found.y),
        higher_is_better=scores.higher_is_better,
        reason=reason,
        unscored=joined.unscored,
        rows=found if isinstance(found, Rows) else None,
        names=joined.systems,
        right=found.right if isinstance(found, Ratio) and task.coefficient == "pairwise" else math.nan,
    )
    if reason:
        return replace(base, method="none")
    low, high, units, method = interval(task, joined, k, found)
    return replace(
        base,
        low=low,
        high=high,
        units=units,
        method=method,
        p=_p(task, found),
        without=leave_one_out(task, joined, k) if leave_out else {},
        alone=indicators(task, joined) if leave_out else {},
    )


def why_undefined(task: Task, found: Rows | Ratio) -> str:
    """Why there is no coefficient, or nothing."""
    if isinstance(found, Rows):
        what = {"system": "systems", "document": "source texts"}.get(task.level, "outputs")
        if not np.isfinite(found.x).all():
            return f"the score of some {what} is undefined"
        if len(found.x) < 3:
            return f"{len(found.x)} {what} are both scored and rated; a correlation needs 3 or more"
        if np.ptp(found.x) == 0:
            return f"all scores are the same ({found.x[0]:.4g})"
        if np.ptp(found.y) == 0:
            return f"all ratings are the same ({found.y[0]:.4g})"
        return "" if math.isfinite(found.value) else "scores or ratings hardly vary"
    if found.items == 0 and task.coefficient == "pairwise":
        return (
            "no two outputs of one source text were rated differently"
            if not found.tied_scores
            else "all pairs have equal scores"
        )
    if found.items == 0:
        return "no sample has 3 systems whose scores and ratings vary"
    return ""


def interval(task: Task, joined: Joined, k: int, found: Rows | Ratio) -> tuple[float, float, int, str]:
    """Bounds, how many things they rest on, and how they were made."""
    count = len(joined.systems)
    if task.level == "system" and task.unit == "system":
        low, high = fisher_interval(task.coefficient, found.value, count, task.confidence)
        return low, high, count, f"Fisher's z, {count} systems"
    units = {"sample": joined.units, "system": count, "both": min(joined.units, count)}[task.unit]
    what = {"sample": f"{joined.units} source texts", "system": f"{count} systems"}.get(
        task.unit, f"{joined.units} source texts and {count} systems"
    )
    one_each = isinstance(found, Ratio) and joined.units == found.items
    if task.coefficient == "pairwise" and (one_each or abs(found.value) >= 1):
        # One pair a text, or all pairs alike: a share, for which Wilson's interval is better than a resampled one.
        low, high = share_interval(units * (found.value + 1) / 2, units, task.confidence)
        return 2 * low - 1, 2 * high - 1, units, f"Wilson, {what}"
    drawn = resampled(task, joined, [k])[0]
    low, high = spread_interval(found.value, drawn, units, task.confidence)
    return low, high, units, f"bootstrap over {what}, {task.resamples:,} resamples"


def resampled(task: Task, joined: Joined, metrics: Sequence[int]) -> Floats:
    """The coefficients of resampled data, the same resamples for every metric: (metrics, resamples)."""
    rng = np.random.default_rng(task.seed)
    found = [estimate(task, joined, k) for k in metrics]
    out = np.empty((len(metrics), task.resamples))
    width = (
        joined.there.size
        if task.level == "system"
        else max(len(f.x) if isinstance(f, Rows) else len(f.above) for f in found)
    )
    for start, stop in pieces(task.resamples, width):
        rows = stop - start
        units = draw(rng, rows, joined.units) if task.unit != "system" else None
        systems = draw(rng, rows, len(joined.systems)) if task.unit != "sample" else None
        for m, (k, one) in enumerate(zip(metrics, found, strict=True)):
            if isinstance(one, Ratio) and task.level != "system":
                assert units is not None
                out[m, start:stop] = one.at(units)
            elif task.level == "system":
                assert units is not None
                people, values = system_values(joined, k, units[:, joined.unit])
                out[m, start:stop] = _system_level(task, values, people)
            else:
                assert isinstance(one, Rows)
                weights = np.ones((rows, len(one.x)))
                if units is not None:
                    weights *= units[:, one.unit]
                if systems is not None:
                    weights *= systems[:, one.system]
                out[m, start:stop] = one.at(weights)
    return out


def _system_level(task: Task, values: Floats, people: Floats) -> Floats:
    if task.coefficient != "pairwise":
        return coefficients(task.coefficient, values, people)
    each = np.arange(len(values))
    return pairs(people.T, values.T, each, task.ties).at(np.eye(len(values)))


def draw(rng: np.random.Generator, rows: int, n: int) -> Floats:
    """How often each of n things is drawn in so many resamples of n: (rows, n)."""
    spots = rng.integers(0, n, (rows, n)) + n * np.arange(rows)[:, None]
    return np.bincount(spots.ravel(), minlength=rows * n).reshape(rows, n).astype(np.float64)


def pieces(resamples: int, width: int) -> list[tuple[int, int]]:
    """Resamples in pieces that fit into memory."""
    size = max(1, _PIECE // max(width, 1))
    return [(s, min(s + size, resamples)) for s in range(0, resamples, size)]


def spread_interval(value: float, drawn: Floats, units: int, level: float) -> tuple[float, float]:
    """The interval on Fisher's z scale, from the spread of resampled coefficients."""
    defined = drawn[np.isfinite(drawn)]
    if units < 3 or len(defined) < len(drawn) / 2 or abs(value) >= 1:
        return math.nan, math.nan
    z = np.arctanh(np.clip(defined, -0.999999, 0.999999))
    # Drawing n of n with replacement shrinks a variance by (n - 1) / n.
    half = t_quantile((1 + level) / 2, units - 1) * z.std(ddof=1) * math.sqrt(units / (units - 1))
    return math.tanh(math.atanh(value) - half), math.tanh(math.atanh(value) + half)


def fisher_interval(name: str, value: float, n: int, level: float) -> tuple[float, float]:
    """Fisher's interval of a coefficient of n independent rows."""
    room = n - 4 if name in ("kendall", "pairwise") else n - 3
    if room < 1 or abs(value) >= 1:
        return math.nan, math.nan
    variance = {"pearson": 1.0, "spearman": 1 + value * value / 2}.get(name, 0.437) / room
    half = normal_quantile((1 + level) / 2) * math.sqrt(variance)
    return math.tanh(math.atanh(value) - half), math.tanh(math.atanh(value) + half)


def leave_one_out(task: Task, joined: Joined, k: int) -> dict[str, float]:
    """The coefficient without each system in turn."""
    if len(joined.systems) < 2 or (task.coefficient == "pairwise" and len(joined.systems) == 2):
        return {}
    out = {}
    for i, system in enumerate(joined.systems):
        rest = joined.without(i)
        if rest.samples:
            found = estimate(task, rest, k)
            out[system] = math.nan if why_undefined(task, found) else found.value
    return out


def indicators(task: Task, joined: Joined) -> dict[str, float]:
    """How well "is it this system?" alone would go along with the ratings: what a metric gets for knowing one system."""
    if task.level != "sample" or task.coefficient == "pairwise" or len(joined.systems) < 2:
        return {}
    there = joined.there
    system, _ = np.nonzero(there)
    y = joined.people[there]
    return {
        name: coefficient(task.coefficient, (system == i).astype(np.float64), y)
        for i, name in enumerate(joined.systems)
    }


def _p(task: Task, found: Rows | Ratio) -> float:
    if isinstance(found, Rows):
        return p_value(task.coefficient, found.value, found.x, found.y)
    if task.coefficient == "pairwise":
        return binomial_p(found.right, found.items)
    means = found.above[found.below > 0] / found.below[found.below > 0]
    if len(means) < 2 or np.ptp(means) == 0:
        return math.nan
    t = means.mean() / (means.std(ddof=1) / math.sqrt(len(means)))
    return min(1.0, 2 * t_tail(abs(float(t)), len(means) - 1))
