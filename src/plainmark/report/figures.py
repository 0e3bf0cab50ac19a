"""The figures of a report: intervals, distributions, pairs of systems, and what goes along with a score."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..metric import Floats
from ..significance import Comparison
from .facts import Facts
from .formatting import digits, label, number, p_short, p_text
from .html import escape
from .samples import Indices
from .svg import binning, plots
from .svg.binning import finite

POINTS = 40_000  # drawn at most in all scatter plots of a page together


def arrow(comparison: Comparison) -> str:
    """Which way is better, for headings."""
    return {True: " ↑", False: " ↓", None: ""}[comparison.metric.higher_is_better]


def interval_plots(comparisons: Sequence[Comparison]) -> str:
    """Scores with their intervals, one plot a metric."""
    out = []
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
        drawn = plots.dot_intervals(
            rows,
            title=f"{label(c.metric)} with {c.level:.0%} intervals",
            description=described,
            digits=places,
        )
        out.append(_figure(drawn, f"{label(c.metric)}{arrow(c)}"))
    return _grid(out)


def distribution_plots(comparisons: Sequence[Comparison]) -> str:
    """Distributions of per-sample scores, one plot a metric."""
    out = []
    for c in comparisons:
        rows = [(c.systems[i], c.samples[i]) for i in c.order()]
        described = "; ".join(f"{name}: {binning.spread(finite(values))}" for name, values in rows)
        drawn = plots.ridges(
            rows, title=f"{label(c.metric)} of single samples", description=described, digits=digits(c.metric)
        )
        out.append(_figure(drawn, f"{label(c.metric)}{arrow(c)}"))
    return _grid(out)


def trade_off_plot(comparison: Comparison, other: Comparison) -> str:
    """Systems as points: one metric against another."""
    a, b = label(other.metric), label(comparison.metric)
    drawn = plots.scatter(
        other.values,
        comparison.values,
        labels=comparison.systems,
        title=f"{b} against {a}, every system",
        description="; ".join(
            f"{s}: {a} {number(x)}, {b} {number(y)}"
            for s, x, y in zip(comparison.systems, other.values, comparison.values, strict=True)
        ),
        x_label=f"{a}{arrow(other)}",
        y_label=f"{b}{arrow(comparison)}",
        width=plots.WIDTH,
        height=270,
    )
    return _figure(drawn, f"{b} against {a}")


@dataclass(frozen=True, eq=False)
class Pairs:
    """Per-sample differences of every pair of systems under one metric, counted in bins of one width."""

    edges: Floats
    counts: dict[tuple[int, int], Floats]  # i < j; the differences are those of i minus j
    outcomes: dict[tuple[int, int], tuple[int, int, int]]  # i higher, equal, j higher

    @classmethod
    def of(cls, comparison: Comparison) -> Pairs:
        samples = comparison.samples
        systems = range(len(samples))
        differences = {(i, j): finite(samples[i] - samples[j]) for i in systems for j in systems if i < j}
        sizes = np.abs(np.concatenate([*differences.values(), np.empty(0)]))
        reach = float(np.percentile(sizes, 99.5)) if len(sizes) else 1.0
        reach = reach or 1.0
        bins = (
            binning.bin_count(samples.shape[1], 31) // 2 * 2 + 1
        )  # odd: one bin is centred on "no difference"
        edges = np.linspace(-reach, reach, bins + 1)
        return cls(
            edges,
            {
                k: np.histogram(np.clip(d, -reach, reach), edges)[0].astype(np.float64)
                for k, d in differences.items()
            },
            {
                k: (int((d > 0).sum()), int((d == 0).sum()), int((d < 0).sum()))
                for k, d in differences.items()
            },
        )

    def as_data(self, comparison: Comparison) -> dict[str, Any]:
        """What the script needs to show another pair."""
        k = len(comparison.systems)
        index = [(i, j) for i in range(k) for j in range(i + 1, k)]
        values = comparison.values
        return {
            "reach": round(float(self.edges[-1]), 4),
            "counts": [self.counts[p].astype(int).tolist() for p in index],
            "outcomes": [self.outcomes[p] for p in index],
            "differences": [_signed(values[i] - values[j], digits(comparison.metric)) for i, j in index],
            "p": [p_text(comparison.p_values[i, j]) for i, j in index],
            "significant": [comparison.significant(i, j) for i, j in index],
        }


def pair_plots(comparison: Comparison, pairs: Pairs) -> str:
    """The matrix of differences and the distribution for the best two systems."""
    c, places = comparison, digits(comparison.metric)
    order = c.order()
    sign = -1.0 if c.metric.higher_is_better is False else 1.0
    values = c.values
    matrix = np.array([[values[i] - values[j] if i != j else np.nan for j in order] for i in order])

    def texts(i: int, j: int) -> tuple[str, str]:
        return _signed(matrix[i, j], places), p_short(c.p_values[order[i], order[j]])

    def said(i: int, j: int) -> str:
        a, b = c.systems[order[i]], c.systems[order[j]]
        p = c.p_values[order[i], order[j]]
        verdict = "significant" if c.significant(order[i], order[j]) else "not significant"
        return f"{a} minus {b}: {_signed(matrix[i, j], places)}, {p_text(p)}, {verdict}"

    name = label(c.metric)
    shown = [c.systems[i] for i in order]
    told = [said(i, j) for i in range(len(order)) for j in range(i + 1, len(order))]
    heat = plots.heat_map(
        sign * matrix,
        shown,
        shown,
        texts=texts,
        titles=said,
        marked=lambda i, j: c.significant(order[i], order[j]),
        title=f"Differences in {name} between systems",
        description="; ".join(told[:60]),
        keys=order,
    )
    a, b = sorted(order[:2])
    counts = pairs.counts[a, b]
    bars = plots.histogram(
        counts,
        pairs.edges,
        diverging=True,
        reverse=sign < 0,
        title=f"Differences in {name} of single samples",
        description="How many samples have which difference between the two systems chosen above.",
        label=f"difference in {name}",
        digits=places,
    )
    caption = f"{c.systems[a]} minus {c.systems[b]}, sample by sample"
    return (
        f'<div class="wide">{heat}</div>'
        f"<figure data-bars><figcaption>{escape(caption)}</figcaption>{bars}</figure>"
    )


@dataclass(frozen=True)
class Against:
    """Something of every output that a score may go along with."""

    key: str
    name: str
    values: Floats  # (systems, samples)


def companions(facts: Facts) -> list[Against]:
    """Length, compression and grade level, as far as they are known."""
    found = [Against("words", "words in the output", facts.words.astype(np.float64))]
    if facts.ratio is not None:
        found.append(Against("ratio", "length of the output / source", facts.ratio))
    if facts.grade is not None:
        found.append(Against("grade", "FKGL (school grade)", facts.grade))
    return found


def drawn_points(comparisons: Sequence[Comparison], facts: Facts, random: Indices) -> Indices:
    """The samples drawn in scatter plots: all, or as many of the random ones as keep the page small."""
    panels = len(comparisons) * len(comparisons[0].systems) * len(companions(facts))
    most = max(min(1000, POINTS // panels), 100)
    if len(random) <= most:
        return random
    return random[np.linspace(0, len(random) - 1, most).astype(np.int64)]


def scatter_panels(
    comparisons: Sequence[Comparison], facts: Facts, drawn: Indices
) -> Iterator[tuple[int, str, str]]:
    """Small scatter plots, one a system, for every metric and companion: (metric, companion's key, HTML)."""
    for m, c in enumerate(comparisons):
        y_range = _padded(binning.central_range([finite(s) for s in c.samples]))
        for other in companions(facts):
            if other.key == "grade" and c.metric.name == "fkgl":
                continue
            x_range = _padded(binning.central_range([finite(v) for v in other.values]))
            panels = []
            for i in c.order():
                x, y = other.values[i], c.samples[i]
                r = correlation(x, y)
                said = f"r = {number(r)}" if math.isfinite(r) else "r undefined"
                panel = plots.scatter(
                    x[drawn],
                    y[drawn],
                    x_range=x_range,
                    y_range=y_range,
                    trend=binning.group_means(x, y),
                    title=f"{c.systems[i]}: {label(c.metric)} against {other.name}",
                    description=f"{len(finite(x + y)):,} samples, correlation {said}.",
                    x_label=other.name,
                    y_label=label(c.metric),
                )
                heading = f'{escape(c.systems[i])} <span class="aside">{said}</span>'
                panels.append(f'<figure data-system="{i}"><figcaption>{heading}</figcaption>{panel}</figure>')
            yield m, other.key, f'<div class="grid small">{"".join(map(str, panels))}</div>'


def correlation(x: Floats, y: Floats) -> float:
    """Pearson's r of the defined pairs."""
    defined = np.isfinite(x) & np.isfinite(y)
    x, y = x[defined], y[defined]
    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return math.nan
    return float(np.corrcoef(x, y)[0, 1])


def _figure(drawn: str, caption: str) -> str:
    return f"<figure><figcaption>{escape(caption)}</figcaption>{drawn}</figure>"


def _grid(drawn: Sequence[str]) -> str:
    return f'<div class="grid">{"".join(map(str, drawn))}</div>'


def _padded(span: tuple[float, float]) -> tuple[float, float]:
    room = 0.04 * (span[1] - span[0])
    return span[0] - room, span[1] + room


def _signed(value: float, places: int) -> str:
    return ("+" if round(value, places) > 0 else "") + number(value, places)
