"""Plots as inline SVG: small, without colour where possible, legible in print and in the dark.

Every figure is one string with a title and a description; marks carry hover titles. Colours are classes, so that the
page's style sheet decides (page.css holds a palette that colour-blind readers can tell apart). Positions are pixels.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .html import escape

Floats = NDArray[np.float64]

WIDTH = 380
ROW = 26
CHARACTER = 6.7  # mean width of a letter at the plots' font size
SHAPES = ("circle", "square", "triangle", "diamond", "cross", "plus", "down", "ring")


@dataclass(frozen=True)
class Scale:
    """From values low..high to pixels start..end."""

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def around(cls, values: ArrayLike, start: float, end: float, *, margin: float = 0.06) -> Scale:
        """A scale that holds all finite values with some room; a single value gets a unit on each side."""
        finite = np.asarray(values, dtype=np.float64).ravel()
        finite = finite[np.isfinite(finite)]
        if len(finite) == 0:
            return cls(0.0, 1.0, start, end)
        low, high = float(finite.min()), float(finite.max())
        room = margin * (high - low) if high > low else 1.0
        return cls(low - room, high + room, start, end)

    def __call__(self, value: float) -> float:
        return float(self.all(value))

    def all(self, values: ArrayLike) -> Floats:
        share = (np.asarray(values, dtype=np.float64) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self, count: int = 5) -> list[float]:
        """Round values inside the scale, about `count` of them."""
        return ticks(self.low, self.high, count)


def ticks(low: float, high: float, count: int = 5) -> list[float]:
    """Multiples of 1, 2 or 5 times a power of ten between low and high."""
    if not (math.isfinite(low) and math.isfinite(high)) or high <= low:
        return [low] if math.isfinite(low) else []
    rough = (high - low) / max(count, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(i * step, 12) + 0.0 for i in range(first, last + 1)]


def number(value: float, digits: int = 2) -> str:
    """A number as the plots and tables print it, with a real minus sign; undefined is a dash."""
    if not math.isfinite(value):
        return "–" if math.isnan(value) else ("∞" if value > 0 else "−∞")
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.removeprefix("-")
    return text.replace("-", "−")


def figure(width: float, height: float, body: str, *, title: str, description: str, kind: str) -> str:
    """The svg element around a plot's body."""
    return (
        f'<svg class="plot {kind}" viewBox="0 0 {_at(width)} {_at(height)}" width="{_at(width)}" '
        f'height="{_at(height)}" role="img"><title>{escape(title)}</title><desc>{escape(description)}</desc>'
        f"{body}</svg>"
    )


def bottom_axis(scale: Scale, top: float, bottom: float, label: str = "", count: int = 5) -> str:
    """Grid lines from top to bottom with tick labels below, and the axis label under them."""
    parts = []
    steps = scale.ticks(count)
    for step in steps:
        x = _at(scale(step))
        parts.append(f'<path class="grid" d="M{x} {_at(top)}V{_at(bottom)}"/>')
        parts.append(
            f'<text class="tick" x="{x}" y="{_at(bottom + 15)}" text-anchor="middle">{_tick(step, steps)}</text>'
        )
    middle = _at((scale.start + scale.end) / 2)
    if label:
        parts.append(
            f'<text class="label" x="{middle}" y="{_at(bottom + 32)}" text-anchor="middle">{escape(label)}</text>'
        )
    return "".join(parts)


def left_axis(scale: Scale, left: float, right: float, label: str = "", count: int = 4) -> str:
    """Grid lines from left to right with tick labels before them, and the axis label on top."""
    parts = []
    steps = scale.ticks(count)
    for step in steps:
        y = scale(step)
        parts.append(f'<path class="grid" d="M{_at(left)} {_at(y)}H{_at(right)}"/>')
        parts.append(
            f'<text class="tick" x="{_at(left - 6)}" y="{_at(y + 4)}" text-anchor="end">{_tick(step, steps)}</text>'
        )
    if label:
        parts.append(f'<text class="label" x="0" y="{_at(scale.end - 9)}">{escape(label)}</text>')
    return "".join(parts)


@dataclass(frozen=True)
class Interval:
    """A labelled value with its bounds; NaN where unknown."""

    label: str
    value: float
    low: float = math.nan
    high: float = math.nan
    strong: bool = False


def dot_intervals(
    rows: Sequence[Interval], *, title: str, description: str, label: str = "", digits: int = 2
) -> str:
    """A dot and a whisker per row, with the value written beside it."""
    left = _label_width(r.label for r in rows)
    right = WIDTH - 12 - CHARACTER * max((len(number(r.value, digits)) for r in rows), default=4)
    bottom = 8 + ROW * len(rows)
    scale = Scale.around([(r.value, r.low, r.high) for r in rows], left + 8, right - 4)
    parts = [bottom_axis(scale, 6, bottom, label)]
    for i, row in enumerate(rows):
        y = 8 + ROW * (i + 0.5)
        strong = " strong" if row.strong else ""
        said = number(row.value, digits)
        if math.isfinite(row.low) and math.isfinite(row.high):
            said += f" ({number(row.low, digits)} to {number(row.high, digits)})"
        parts.append(f'<g class="row{strong}"><title>{escape(f"{row.label}: {said}")}</title>')
        parts.append(f'<rect class="hit" x="0" y="{_at(y - ROW / 2)}" width="{WIDTH}" height="{ROW}"/>')
        parts.append(_row_label(row.label, left, y))
        if math.isfinite(row.low) and math.isfinite(row.high):
            a, b = _at(scale(row.low)), _at(scale(row.high))
            parts.append(
                f'<path class="whisker" d="M{a} {_at(y)}H{b}M{a} {_at(y - 4)}v8M{b} {_at(y - 4)}v8"/>'
            )
        if math.isfinite(row.value):
            parts.append(f'<circle class="dot" cx="{_at(scale(row.value))}" cy="{_at(y)}" r="4.5"/>')
        parts.append(
            f'<text class="value" x="{WIDTH - 2}" y="{_at(y + 4)}" text-anchor="end">{number(row.value, digits)}</text></g>'
        )
    height = bottom + (38 if label else 22)
    return figure(WIDTH, height, "".join(parts), title=title, description=description, kind="intervals")


def ridges(
    rows: Sequence[tuple[str, ArrayLike]],
    *,
    title: str,
    description: str,
    label: str = "",
    bins: int = 36,
    digits: int = 1,
) -> str:
    """A histogram per row on one axis; a line marks the middle half of the values and a dot the median."""
    samples = [_finite(values) for _, values in rows]
    left, step = _label_width(name for name, _ in rows), 44
    low, high = central_range(samples)
    scale = Scale(low, high, left + 8, WIDTH - 10)
    edges = np.linspace(low, high, bins + 1)
    bottom = 8 + step * len(rows)
    counts = [np.histogram(np.clip(v, low, high), edges)[0] for v in samples]
    # One vertical scale for all rows, so that areas are shares of the samples.
    peak = max((float(c.max()) / max(len(v), 1) for c, v in zip(counts, samples, strict=True)), default=1.0)
    parts = [bottom_axis(scale, 6, bottom, label)]
    for i, ((name, _), values, count) in enumerate(zip(rows, samples, counts, strict=True)):
        base = 8 + step * (i + 1) - 8
        parts.append(f'<g class="row"><title>{escape(f"{name}: {spread(values, digits)}")}</title>')
        parts.append(f'<rect class="hit" x="0" y="{base - step + 8}" width="{WIDTH}" height="{step}"/>')
        parts.append(_row_label(name, left, base - 6))
        if len(values):
            heights = count / len(values) / (peak or 1.0) * (step - 10)
            parts.append(f'<path class="ridge" d="{_steps(scale.all(edges), base, heights)}"/>')
            a, m, b = (scale(float(np.clip(q, low, high))) for q in np.percentile(values, (25, 50, 75)))
            parts.append(f'<path class="middle" d="M{_at(a)} {base}H{_at(b)}"/>')
            parts.append(f'<circle class="dot" cx="{_at(m)}" cy="{base}" r="3.5"/>')
        parts.append("</g>")
    height = bottom + (38 if label else 22)
    return figure(WIDTH, height, "".join(parts), title=title, description=description, kind="ridges")


def histogram(
    counts: ArrayLike,
    edges: ArrayLike,
    *,
    title: str,
    description: str,
    label: str = "",
    diverging: bool = False,
    digits: int = 1,
) -> str:
    """Bars of counts between edges; diverging bars left and right of 0 look different."""
    heights, bounds = np.asarray(counts, dtype=np.float64), np.asarray(edges, dtype=np.float64)
    left, top, bottom = 40, 26, 170
    x = Scale(float(bounds[0]), float(bounds[-1]), left, WIDTH - 10)
    y = Scale(0.0, max(float(heights.max(initial=0)), 1.0), bottom, top)
    parts = [left_axis(y, left, WIDTH - 10, "samples"), bottom_axis(x, bottom, bottom + 4, label)]
    places = x.all(bounds)
    for i, height in enumerate(heights):
        side = ""
        if diverging:
            middle = bounds[i] + bounds[i + 1]
            side = " positive" if middle > 1e-9 else " negative" if middle < -1e-9 else ""
        said = f"{number(bounds[i], digits)} to {number(bounds[i + 1], digits)}: {height:.0f}"
        tip = y(float(height))
        parts.append(
            f'<rect class="bar{side}" x="{_at(places[i] + 0.5)}" width="{_at(max(places[i + 1] - places[i] - 1, 0.5))}" '
            f'y="{_at(tip)}" height="{_at(bottom - tip)}"><title>{said}</title></rect>'
        )
    if diverging and bounds[0] < 0 < bounds[-1]:
        parts.append(f'<path class="zero" d="M{_at(x(0))} {top - 6}V{bottom}"/>')
    return figure(WIDTH, bottom + 40, "".join(parts), title=title, description=description, kind="histogram")


def scatter(
    x: ArrayLike,
    y: ArrayLike,
    *,
    title: str,
    description: str,
    x_label: str = "",
    y_label: str = "",
    x_range: tuple[float, float] | None = None,
    y_range: tuple[float, float] | None = None,
    labels: Sequence[str] | None = None,
    trend: tuple[ArrayLike, ArrayLike] | None = None,
    width: float = 300,
    height: float = 220,
) -> str:
    """Points, as one light path when they are many; with labels each is a dot with its name. The trend is a line.

    Points outside given ranges are drawn on the rim. Ranges stand in data attributes for scripts that find points.
    """
    xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    left, top, right, bottom = 42, 24, width - 10, height - 40
    across = Scale(*x_range, left, right) if x_range else Scale.around(xs, left, right)
    up = Scale(*y_range, bottom, top) if y_range else Scale.around(ys, bottom, top)
    parts = [left_axis(up, left, right, y_label), bottom_axis(across, top, bottom, x_label)]
    defined = np.isfinite(xs) & np.isfinite(ys)
    px = across.all(np.clip(xs, across.low, across.high))
    py = up.all(np.clip(ys, up.low, up.high))
    if labels is None:
        points = "".join(f"M{_at(a)} {_at(b)}h0" for a, b in zip(px[defined], py[defined], strict=True))
        parts.append(f'<path class="points" d="{points}"/>')
    else:
        places = [(float(a), float(b)) for a, b in zip(px, py, strict=True)]
        for i in np.flatnonzero(defined):
            a, b = places[i]
            said = escape(f"{labels[i]}: {number(xs[i])}, {number(ys[i])}")
            parts.append(f'<g><title>{said}</title><circle class="dot" cx="{_at(a)}" cy="{_at(b)}" r="4.5"/>')
            others = [p for j, p in enumerate(places) if j != i and defined[j]]
            parts.append(_beside(labels[i], a, b, others, right) + "</g>")
    if trend is not None:
        tx, ty = (np.asarray(t, dtype=np.float64) for t in trend)
        inside = np.isfinite(tx) & np.isfinite(ty)
        line = across.all(np.clip(tx, across.low, across.high)), up.all(np.clip(ty, up.low, up.high))
        parts.append(f'<path class="trend" d="{_polyline(line[0][inside], line[1][inside])}"/>')
    domain = (
        f'<rect class="frame" x="{left}" y="{top}" width="{_at(right - left)}" height="{_at(bottom - top)}" '
        f'data-x="{across.low:.6g} {across.high:.6g}" data-y="{up.low:.6g} {up.high:.6g}"/>'
    )
    return figure(
        width, height, domain + "".join(parts), title=title, description=description, kind="scatter"
    )


@dataclass(frozen=True)
class Series:
    """A named line; the band between low and high is optional."""

    label: str
    x: ArrayLike
    y: ArrayLike
    low: ArrayLike | None = None
    high: ArrayLike | None = None


def lines(
    series: Sequence[Series],
    *,
    title: str,
    description: str,
    x_label: str = "",
    y_label: str = "",
    digits: int = 2,
) -> str:
    """Lines over one pair of axes, told apart by marker, dash and colour and named at their ends."""
    named = CHARACTER * max((len(_short(s.label)) for s in series), default=0) + 20
    left, top, right, bottom = 42, 24, WIDTH - min(named, WIDTH / 3), 200
    across = Scale.around(np.concatenate([np.asarray(s.x, dtype=np.float64) for s in series]), left, right)
    held = [np.asarray(v, dtype=np.float64) for s in series for v in (s.y, s.low, s.high) if v is not None]
    up = Scale.around(np.concatenate(held), bottom, top)
    parts = [left_axis(up, left, right, y_label), bottom_axis(across, top, bottom, x_label)]
    ends: list[tuple[float, str]] = []
    for i, one in enumerate(series):
        xs, ys = np.asarray(one.x, dtype=np.float64), np.asarray(one.y, dtype=np.float64)
        defined = np.isfinite(xs) & np.isfinite(ys)
        xs, ys = xs[defined], ys[defined]
        parts.append(f'<g class="series s{i % 8}">')
        if one.low is not None and one.high is not None:
            low, high = (up.all(np.asarray(v, dtype=np.float64)[defined]) for v in (one.low, one.high))
            around = np.concatenate([across.all(xs), across.all(xs)[::-1]])
            parts.append(f'<path class="band" d="{_polyline(around, np.concatenate([low, high[::-1]]))}Z"/>')
        parts.append(f'<path class="line" d="{_polyline(across.all(xs), up.all(ys))}"/>')
        for a, b in zip(xs, ys, strict=True):
            said = escape(f"{one.label}: {number(a, digits)}, {number(b, digits)}")
            parts.append(f"<g><title>{said}</title>{marker(i, across(a), up(b))}</g>")
        parts.append("</g>")
        if len(ys):
            ends.append((up(float(ys[-1])), one.label))
    for y, (_, name) in zip(_apart([e[0] for e in ends], 14), ends, strict=True):
        which = [s.label for s in series].index(name) % 8
        parts.append(
            f'<g class="series s{which}">{marker(which, right + 9, y)}</g>'
            f'<text class="name" x="{_at(right + 17)}" y="{_at(y + 4)}">{escape(_short(name))}</text>'
        )
    return figure(WIDTH, bottom + 40, "".join(parts), title=title, description=description, kind="lines")


def heat_map(
    values: ArrayLike,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    texts: Callable[[int, int], tuple[str, str]],
    titles: Callable[[int, int], str],
    title: str,
    description: str,
    marked: Callable[[int, int], bool] = lambda i, j: True,
) -> str:
    """Cells shaded by size and sign, each with two lines of text; unmarked cells are hatched. NaN cells stay empty."""
    table = np.asarray(values, dtype=np.float64)
    cell, left = 54, _label_width(rows)
    tall = 12 + min(CHARACTER * max((len(_short(c)) for c in columns), default=0) * 0.72, 96)
    finite = np.abs(table[np.isfinite(table)])
    largest = float(finite.max()) if len(finite) and finite.max() > 0 else 1.0
    parts = []
    for j, name in enumerate(columns):
        x = left + cell * (j + 0.5) - 4
        parts.append(
            f'<text class="name" transform="translate({_at(x)} {_at(tall - 7)}) rotate(-40)">'
            f"{escape(_short(name))}</text>"
        )
    for i, name in enumerate(rows):
        y = tall + cell * i
        parts.append(_row_label(name, left, y + cell / 2))
        for j in range(len(columns)):
            x, value = left + cell * j, table[i, j]
            box = f'x="{_at(x + 1)}" y="{_at(y + 1)}" width="{cell - 2}" height="{cell - 2}" rx="4"'
            if not math.isfinite(value):
                parts.append(f'<rect class="empty" {box}/>')
                continue
            side = "positive" if value > 0 else "negative" if value < 0 else "none"
            shade = 0.1 + 0.65 * abs(value) / largest if value else 0.06
            upper, lower = texts(i, j)
            faint = "" if marked(i, j) else " faint"
            parts.append(
                f'<g class="cell{faint}" data-row="{i}" data-column="{j}"><title>{escape(titles(i, j))}</title>'
                f'<rect class="{side}" fill-opacity="{shade:.2f}" {box}/>'
                f'<text class="cell-value" x="{_at(x + cell / 2)}" y="{_at(y + cell / 2 - 1)}">{escape(upper)}</text>'
                f'<text class="cell-note" x="{_at(x + cell / 2)}" y="{_at(y + cell / 2 + 14)}">{escape(lower)}</text></g>'
            )
    # The last column's slanted name needs room to the right.
    last = CHARACTER * len(_short(columns[-1])) * 0.77 - cell / 2 if columns else 0
    width = left + cell * len(columns) + max(last, 2)
    return figure(
        width, tall + cell * len(rows) + 2, "".join(parts), title=title, description=description, kind="heat"
    )


def bars(
    rows: Sequence[tuple[str, float]], *, title: str, description: str, label: str = "", digits: int = 2
) -> str:
    """A horizontal bar per row, from 0."""
    left = _label_width(name for name, _ in rows)
    right = WIDTH - 12 - CHARACTER * max((len(number(v, digits)) for _, v in rows), default=4)
    bottom = 8 + ROW * len(rows)
    finite = [v for _, v in rows if math.isfinite(v)]
    low, high = min([0.0, *finite]), max([0.0, *finite])
    scale = Scale(low, high if high > low else low + 1, left + 8, right - 4)
    parts = [bottom_axis(scale, 6, bottom, label)]
    for i, (name, value) in enumerate(rows):
        y = 8 + ROW * (i + 0.5)
        parts.append(f'<g class="row"><title>{escape(f"{name}: {number(value, digits)}")}</title>')
        parts.append(f'<rect class="hit" x="0" y="{_at(y - ROW / 2)}" width="{WIDTH}" height="{ROW}"/>')
        parts.append(_row_label(name, left, y))
        if math.isfinite(value):
            a, b = sorted((scale(0), scale(value)))
            side = "negative" if value < 0 else "positive"
            parts.append(
                f'<rect class="bar {side}" x="{_at(a)}" y="{_at(y - 7)}" width="{_at(b - a)}" height="14"/>'
            )
        parts.append(
            f'<text class="value" x="{WIDTH - 2}" y="{_at(y + 4)}" text-anchor="end">{number(value, digits)}</text></g>'
        )
    height = bottom + (38 if label else 22)
    return figure(WIDTH, height, "".join(parts), title=title, description=description, kind="bars")


def marker(index: int, x: float, y: float, size: float = 4.5) -> str:
    """One of eight shapes that differ without colour."""
    shape, s = SHAPES[index % len(SHAPES)], size
    if shape in ("circle", "ring"):
        return f'<circle class="marker {shape}" cx="{_at(x)}" cy="{_at(y)}" r="{_at(s)}"/>'
    paths = {
        "square": f"m{-s} {-s}h{2 * s}v{2 * s}h{-2 * s}Z",
        "triangle": f"m0 {-s * 1.2}l{s * 1.2} {s * 2.1}h{-s * 2.4}Z",
        "down": f"m0 {s * 1.2}l{s * 1.2} {-s * 2.1}h{-s * 2.4}Z",
        "diamond": f"m0 {-s * 1.4}l{s * 1.4} {s * 1.4}l{-s * 1.4} {s * 1.4}l{-s * 1.4} {-s * 1.4}Z",
        "cross": f"m{-s} {-s}l{2 * s} {2 * s}m0 {-2 * s}l{-2 * s} {2 * s}",
        "plus": f"m0 {-s * 1.2}v{s * 2.4}m{-s * 1.2} {-s * 1.2}h{s * 2.4}",
    }
    return f'<path class="marker {shape}" d="M{_at(x)} {_at(y)}{paths[shape]}"/>'


def central_range(samples: Sequence[Floats]) -> tuple[float, float]:
    """A range that holds all but the outermost half per cent of the values on each side."""
    pooled = np.concatenate([*samples, np.empty(0)])
    if len(pooled) == 0:
        return 0.0, 1.0
    low, high = (float(q) for q in np.percentile(pooled, (0.5, 99.5)))
    return (low, high) if high > low else (low - 1, high + 1)


def group_means(x: Floats, y: Floats, groups: int = 8) -> tuple[Floats, Floats]:
    """Mean x and y of groups of equal size in the order of x: a trend that assumes no shape."""
    defined = np.isfinite(x) & np.isfinite(y)
    order = np.flatnonzero(defined)[np.argsort(x[defined], kind="stable")]
    pieces = [p for p in np.array_split(order, max(min(groups, len(order) // 5), 1)) if len(p)]
    return np.array([x[p].mean() for p in pieces]), np.array([y[p].mean() for p in pieces])


def spread(values: Floats, digits: int = 1) -> str:
    """A distribution in words."""
    if len(values) == 0:
        return "no defined values"
    low, middle, high = (number(float(q), digits) for q in np.percentile(values, (25, 50, 75)))
    return f"median {middle}, middle half {low} to {high}, {len(values):,} samples"


def _finite(values: ArrayLike) -> Floats:
    flat = np.asarray(values, dtype=np.float64).ravel()
    return flat[np.isfinite(flat)]


def _at(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _tick(step: float, steps: Sequence[float]) -> str:
    gap = steps[1] - steps[0] if len(steps) > 1 else max(abs(step), 1.0)
    return number(step, max(0, -math.floor(math.log10(gap) + 1e-9)))


def _short(text: str, limit: int = 18) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _label_width(names: object) -> float:
    longest = max((len(_short(str(n))) for n in names), default=0)  # type: ignore[attr-defined]
    return float(CHARACTER * longest + 6)


def _row_label(name: str, left: float, y: float) -> str:
    return (
        f'<text class="name" x="{_at(left)}" y="{_at(y + 4)}" text-anchor="end">{escape(_short(name))}</text>'
    )


def _steps(places: Floats, base: float, heights: Floats) -> str:
    path = [f"M{_at(places[0])} {_at(base)}"]
    for right, height in zip(places[1:], heights, strict=True):
        path.append(f"V{_at(base - height)}H{_at(right)}")
    return "".join(path) + f"V{_at(base)}Z"


def _polyline(xs: Floats, ys: Floats) -> str:
    points = [f"{_at(a)} {_at(b)}" for a, b in zip(xs, ys, strict=True)]
    return "M" + "L".join(points) if points else ""


def _beside(text: str, x: float, y: float, others: Sequence[tuple[float, float]], right: float) -> str:
    """A label to the right of a dot; to its left, above or below where that would hide another dot."""
    text = _short(text)
    wide = CHARACTER * len(text)
    spots = [(x + 8, y + 4, x + 8), (x - 8 - wide, y + 4, x - 8 - wide)]
    spots += [(x - wide / 2, y - 9, x - wide / 2), (x - wide / 2, y + 17, x - wide / 2)]

    def crowded(spot: tuple[float, float, float]) -> float:
        start, base, _ = spot
        hidden = sum(start - 6 < a < start + wide + 6 and base - 13 < b < base + 6 for a, b in others)
        return hidden + (3 if start + wide > right + 8 or start < 30 else 0)

    start, base, _ = min(spots, key=crowded)
    return f'<text class="name" x="{_at(start)}" y="{_at(base)}">{escape(text)}</text>'


def _apart(places: Sequence[float], gap: float) -> list[float]:
    """The places, moved so that neighbours are at least `gap` apart."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    moved = list(places)
    for before, here in zip(order, order[1:], strict=False):
        moved[here] = max(moved[here], moved[before] + gap)
    return moved
