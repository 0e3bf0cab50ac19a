"""The figures of a report: intervals, distributions, pairs of systems, and covariates of a score."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..metric import Floats
from ..significance import Comparison
from .formatting import digits, label, number, p_short, p_text, signed
from .samples import Indices, OutputFacts
from .svg import binning, plots
from .svg.binning import finite
from .svg.elements import Element, Figure

POINTS = 40_000  # points drawn in all scatter plots of a page together
ARROWS = {True: "↑", False: "↓", None: ""}


def heading(comparison: Comparison) -> str:
    """The metric's label, with an arrow in the better direction."""
    return f"{label(comparison.metric)} {ARROWS[comparison.metric.higher_is_better]}".rstrip()


def interval_figures(comparisons: Sequence[Comparison]) -> list[Figure]:
    """Scores with their intervals, one figure per metric."""
    figures = []
    for c in comparisons:
        places = digits(c.metric)
        order = c.order()
        rows = [
            plots.Interval(
                c.systems[i], c.values[i], c.intervals[i, 0], c.intervals[i, 1], k == 0 < len(order) - 1
            )
            for k, i in enumerate(order)
        ]
        described = "; ".join(
            f"{r.label} {number(r.value, places)} ({number(r.low, places)} to {number(r.high, places)})"
            for r in rows
        )
        drawing = plots.dot_intervals(
            rows,
            title=f"{label(c.metric)} with {c.level:.0%} intervals",
            description=described,
            digits=places,
        )
        figures.append(Figure(drawing, heading(c)))
    return figures


def distribution_figures(comparisons: Sequence[Comparison]) -> list[Figure]:
    """Distributions of per-sample scores, one figure per metric."""
    figures = []
    for c in comparisons:
        rows = [(c.systems[i], c.samples[i]) for i in c.order()]
        described = "; ".join(f"{name}: {binning.spread(finite(values))}" for name, values in rows)
        drawing = plots.ridges(
            rows, title=f"{label(c.metric)} of single samples", description=described, digits=digits(c.metric)
        )
        figures.append(Figure(drawing, heading(c)))
    return figures


def trade_off_figure(comparison: Comparison, other: Comparison) -> Figure:
    """Systems as points: one metric against another."""
    a, b = label(other.metric), label(comparison.metric)
    drawing = plots.scatter(
        other.values,
        comparison.values,
        labels=comparison.systems,
        title=f"{b} against {a}, every system",
        description="; ".join(
            f"{s}: {a} {number(x)}, {b} {number(y)}"
            for s, x, y in zip(comparison.systems, other.values, comparison.values, strict=True)
        ),
        x_label=heading(other),
        y_label=heading(comparison),
        width=plots.WIDTH,
        height=270,
    )
    return Figure(drawing, f"{b} against {a}")


@dataclass(frozen=True, eq=False)
class PairDifferences:
    """Per-sample differences of every pair of systems under one metric, counted in bins of one width."""

    edges: Floats
    counts: dict[tuple[int, int], Floats]  # i < j; the differences are those of i minus j
    # samples where i is higher, equal samples, samples where j is higher
    outcomes: dict[tuple[int, int], tuple[int, int, int]]

    @classmethod
    def of(cls, comparison: Comparison) -> PairDifferences:
        """The differences of a comparison's per-sample scores."""
        samples = comparison.samples
        systems = range(len(samples))
        differences = {(i, j): finite(samples[i] - samples[j]) for i in systems for j in systems if i < j}
        sizes = np.abs(np.concatenate([*differences.values(), np.empty(0)]))
        reach = float(np.percentile(sizes, 99.5)) if len(sizes) else 1.0
        reach = reach or 1.0
        # An odd number of bins: one of them is centred on "no difference".
        bins = binning.bin_count(samples.shape[1], 31) // 2 * 2 + 1
        edges = np.linspace(-reach, reach, bins + 1)
        counts = {
            k: np.histogram(np.clip(d, -reach, reach), edges)[0].astype(np.float64)
            for k, d in differences.items()
        }
        outcomes = {
            k: (int((d > 0).sum()), int((d == 0).sum()), int((d < 0).sum())) for k, d in differences.items()
        }
        return cls(edges, counts, outcomes)

    def as_data(self, comparison: Comparison) -> dict[str, Any]:
        """The data that the script needs to show another pair."""
        k = len(comparison.systems)
        index = [(i, j) for i in range(k) for j in range(i + 1, k)]
        values = comparison.values
        return {
            "reach": round(float(self.edges[-1]), 4),
            "counts": [self.counts[p].astype(int).tolist() for p in index],
            "outcomes": [self.outcomes[p] for p in index],
            "samples": comparison.samples.shape[1],
            "differences": [signed(values[i] - values[j], digits(comparison.metric)) for i, j in index],
            "p": [p_text(comparison.p_values[i, j]) for i, j in index],
            "significant": [comparison.significant(i, j) for i, j in index],
        }


@dataclass(frozen=True)
class PairPanel:
    """All pairs of systems under one metric, and the best two sample by sample."""

    heading: str
    matrix: Element
    best_two: Figure


def pair_panel(comparison: Comparison, pairs: PairDifferences) -> PairPanel:
    """The matrix of differences and the distribution for the best two systems."""
    c, places = comparison, digits(comparison.metric)
    order = c.order()
    sign = -1.0 if c.metric.higher_is_better is False else 1.0
    values = c.values
    matrix = np.array([[values[i] - values[j] if i != j else np.nan for j in order] for i in order])

    def texts(i: int, j: int) -> tuple[str, str]:
        return signed(matrix[i, j], places), p_short(c.p_values[order[i], order[j]])

    def described(i: int, j: int) -> str:
        a, b = c.systems[order[i]], c.systems[order[j]]
        p = c.p_values[order[i], order[j]]
        verdict = "significant" if c.significant(order[i], order[j]) else "not significant"
        return f"{a} minus {b}: {signed(matrix[i, j], places)}, {p_text(p)}, {verdict}"

    name = label(c.metric)
    systems = [c.systems[i] for i in order]
    upper = [described(i, j) for i in range(len(order)) for j in range(i + 1, len(order))]
    heat = plots.heat_map(
        sign * matrix,
        systems,
        systems,
        texts=texts,
        titles=described,
        marked=lambda i, j: c.significant(order[i], order[j]),
        title=f"Differences in {name} between systems",
        description="; ".join(upper[:60]),
        keys=order,
    )
    a, b = sorted(order[:2])
    bars = plots.histogram(
        pairs.counts[a, b],
        pairs.edges,
        diverging=True,
        reverse=sign < 0,
        title=f"Differences in {name} of single samples",
        description="How many samples have which difference between the two systems chosen above.",
        label=f"difference in {name}",
        digits=places,
    )
    return PairPanel(name, heat, Figure(bars, f"{c.systems[a]} minus {c.systems[b]}, sample by sample"))


@dataclass(frozen=True)
class Covariate:
    """A property of every output that scores may correlate with."""

    key: str
    name: str
    values: Floats  # (systems, samples)


def covariates(facts: OutputFacts) -> list[Covariate]:
    """Length, compression and grade level, if available."""
    known = [Covariate("words", "words in the output", facts.words.astype(np.float64))]
    if facts.ratio is not None:
        known.append(Covariate("ratio", "length of the output / source", facts.ratio))
    if facts.grade is not None:
        known.append(Covariate("grade", "FKGL (school grade)", facts.grade))
    return known


def drawn_points(comparisons: Sequence[Comparison], facts: OutputFacts, random: Indices) -> Indices:
    """The samples drawn in scatter plots: all, or as many random ones as keep the page small."""
    panels = len(comparisons) * len(comparisons[0].systems) * len(covariates(facts))
    most = max(min(1000, POINTS // panels), 100)
    if len(random) <= most:
        return random
    return random[np.linspace(0, len(random) - 1, most).astype(np.int64)]


@dataclass(frozen=True)
class ScatterPanel:
    """Small scatter plots of one metric against one covariate, one per system."""

    key: str
    heading: str
    figures: Sequence[tuple[int, Figure]]  # system


def scatter_panels(
    comparisons: Sequence[Comparison], facts: OutputFacts, drawn: Indices
) -> Iterator[ScatterPanel]:
    """One panel per metric and covariate; the samples `drawn` are points."""
    for m, c in enumerate(comparisons):
        y_range = _padded(binning.central_range([finite(s) for s in c.samples]))
        for covariate in covariates(facts):
            if covariate.key == "grade" and c.metric.name == "fkgl":
                continue
            x_range = _padded(binning.central_range([finite(v) for v in covariate.values]))
            name = f"{label(c.metric)} against {covariate.name}"
            figures = []
            for i in c.order():
                x, y = covariate.values[i], c.samples[i]
                r = correlation(x, y)
                value = f"r = {number(r)}" if math.isfinite(r) else "r undefined"
                drawing = plots.scatter(
                    x[drawn],
                    y[drawn],
                    x_range=x_range,
                    y_range=y_range,
                    trend=binning.group_means(x, y),
                    title=f"{c.systems[i]}: {name}",
                    description=f"{len(finite(x + y)):,} samples, correlation {value}.",
                    x_label=covariate.name,
                    y_label=label(c.metric),
                )
                figures.append((i, Figure(drawing, c.systems[i], value)))
            yield ScatterPanel(f"{m} {covariate.key}", name, figures)


def correlation(x: Floats, y: Floats) -> float:
    """Pearson's r of the defined pairs."""
    defined = np.isfinite(x) & np.isfinite(y)
    x, y = x[defined], y[defined]
    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return math.nan
    return float(np.corrcoef(x, y)[0, 1])


def _padded(span: tuple[float, float]) -> tuple[float, float]:
    room = 0.04 * (span[1] - span[0])
    return span[0] - room, span[1] + room
