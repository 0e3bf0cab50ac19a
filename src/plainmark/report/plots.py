"""Plots as inline SVG: small, readable without colour, in print and in the dark.

Every figure is one string with a title and a description; marks carry hover titles. Colours are classes, so that the
page's style sheet decides (page.css holds a palette that colour-blind readers can tell apart). Positions are pixels.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .axes import (
    CHARACTER,
    Scale,
    at,
    bottom_axis,
    even_top,
    figure,
    label_width,
    left_axis,
    marker,
    number,
    polyline,
    row_label,
    short,
    step_path,
)
from .binning import bin_count, central_range, finite, spread
from .html import escape
from .labels import apart, beside

WIDTH = 380
ROW = 26


@dataclass(frozen=True)
class Interval:
    """A labelled value with its bounds; NaN where unknown."""

    label: str
    value: float
    low: float = math.nan
    high: float = math.nan
    strong: bool = False


def dot_intervals(
    rows: Sequence[Interval],
    *,
    title: str,
    description: str,
    label: str = "",
    digits: int = 2,
    ratios: bool = False,
) -> str:
    """A dot and a whisker per row, with the value written beside it; ratios have a line at 1 and equal steps for factors."""
    left = label_width(r.label for r in rows)
    right = WIDTH - 12 - CHARACTER * max((len(number(r.value, digits)) for r in rows), default=4)
    bottom = 8 + ROW * len(rows)
    held = [v for r in rows for v in (r.value, r.low, r.high)] + ([1.0] if ratios else [])
    scale = Scale.around(held, left + 8, right - 4, log=ratios)
    parts = [bottom_axis(scale, 6, bottom, label)]
    if ratios:
        parts.append(f'<path class="zero" d="M{at(scale(1))} 6V{bottom}"/>')
    for i, row in enumerate(rows):
        y = 8 + ROW * (i + 0.5)
        strong = " strong" if row.strong else ""
        said = number(row.value, digits)
        if math.isfinite(row.low) and math.isfinite(row.high):
            said += f" ({number(row.low, digits)} to {number(row.high, digits)})"
        parts.append(f'<g class="row{strong}"><title>{escape(f"{row.label}: {said}")}</title>')
        parts.append(f'<rect class="hit" x="0" y="{at(y - ROW / 2)}" width="{WIDTH}" height="{ROW}"/>')
        parts.append(row_label(row.label, left, y))
        if math.isfinite(row.low) and math.isfinite(row.high):
            a, b = at(scale(row.low)), at(scale(row.high))
            parts.append(f'<path class="whisker" d="M{a} {at(y)}H{b}M{a} {at(y - 4)}v8M{b} {at(y - 4)}v8"/>')
        if math.isfinite(row.value):
            parts.append(f'<circle class="dot" cx="{at(scale(row.value))}" cy="{at(y)}" r="4.5"/>')
        parts.append(
            f'<text class="value" x="{WIDTH - 2}" y="{at(y + 4)}" text-anchor="end">{number(row.value, digits)}</text></g>'
        )
    height = bottom + (38 if label else 22)
    return figure(WIDTH, height, "".join(parts), title=title, description=description, kind="intervals")


def ridges(
    rows: Sequence[tuple[str, ArrayLike]],
    *,
    title: str,
    description: str,
    label: str = "",
    digits: int = 1,
) -> str:
    """A histogram per row on one axis; a line marks the middle half of the values and a dot the median."""
    samples = [finite(values) for _, values in rows]
    left, step = label_width(name for name, _ in rows), 44
    low, high = central_range(samples)
    scale = Scale(low, high, left + 8, WIDTH - 10)
    edges = np.linspace(low, high, bin_count(max(map(len, samples), default=0), 36) + 1)
    bottom = 24 + step * len(rows)
    counts = [np.histogram(np.clip(v, low, high), edges)[0] for v in samples]
    shares = [c / max(len(v), 1) for c, v in zip(counts, samples, strict=True)]
    # One vertical scale for all rows, so that areas are shares of the samples; single peaks may rise into the row above.
    pooled = np.concatenate([*shares, np.zeros(1)])
    unit = max(float(np.percentile(pooled, 97)), float(pooled.max()) / 1.8) or 1.0
    parts = [bottom_axis(scale, 6, bottom, label)]
    for i, ((name, _), values, share) in enumerate(zip(rows, samples, shares, strict=True)):
        base = 16 + step * (i + 1)
        parts.append(f'<g class="row"><title>{escape(f"{name}: {spread(values, digits)}")}</title>')
        parts.append(f'<rect class="hit" x="0" y="{base - step + 8}" width="{WIDTH}" height="{step}"/>')
        parts.append(row_label(name, left, base - 6))
        if len(values):
            heights = share / unit * (step - 14)
            parts.append(f'<path class="ridge" d="{step_path(scale.all(edges), base, heights)}"/>')
            a, m, b = (scale(float(np.clip(q, low, high))) for q in np.percentile(values, (25, 50, 75)))
            parts.append(f'<path class="middle" d="M{at(a)} {base}H{at(b)}"/>')
            parts.append(f'<circle class="dot" cx="{at(m)}" cy="{base}" r="3.5"/>')
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
    reverse: bool = False,
    digits: int = 1,
) -> str:
    """Bars of counts between edges; diverging bars above and below 0 look different (`reverse`: below is good)."""
    heights, bounds = np.asarray(counts, dtype=np.float64), np.asarray(edges, dtype=np.float64)
    left, top, bottom = 40, 26, 170
    x = Scale(float(bounds[0]), float(bounds[-1]), left, WIDTH - 10)
    y = Scale(0.0, even_top(float(heights.max(initial=0))), bottom, top)
    parts = [
        left_axis(y, left, WIDTH - 10, "samples", steps=[0, y.high / 2, y.high]),
        bottom_axis(x, bottom, bottom + 4, label),
    ]
    places = x.all(bounds)
    for i, height in enumerate(heights):
        side = ""
        if diverging:
            middle = (bounds[i] + bounds[i + 1]) * (-1 if reverse else 1)
            side = " positive" if middle > 1e-9 else " negative" if middle < -1e-9 else ""
        said = f"{number(bounds[i], digits)} to {number(bounds[i + 1], digits)}: {height:.0f}"
        tip = y(float(height))
        parts.append(
            f'<rect class="bar{side}" x="{at(places[i] + 0.5)}" width="{at(max(places[i + 1] - places[i] - 1, 0.5))}" '
            f'y="{at(tip)}" height="{at(bottom - tip)}"><title>{said}</title></rect>'
        )
    if diverging and bounds[0] < 0 < bounds[-1]:
        parts.append(f'<path class="zero" d="M{at(x(0))} {top - 6}V{bottom}"/>')
    return figure(
        WIDTH,
        bottom + 40,
        "".join(parts),
        title=title,
        description=description,
        kind="histogram",
        data={"top": top, "bottom": bottom},
    )


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
    band: tuple[ArrayLike, ArrayLike, ArrayLike] | None = None,
    width: float = 300,
    height: float = 220,
) -> str:
    """Points, as one light path when they are many; with labels each is a dot with its name. The trend is a line,
    the band (x, low, high) an area around it.

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
    if band is not None:
        bx, low, high = (np.asarray(b, dtype=np.float64) for b in band)
        edge = np.concatenate([low, high[::-1]])
        around = across.all(np.concatenate([bx, bx[::-1]])), up.all(np.clip(edge, up.low, up.high))
        parts.append(f'<path class="band" d="{polyline(*around)}Z"/>')
    if labels is None:
        points = "".join(f"M{at(a)} {at(b)}h0" for a, b in zip(px[defined], py[defined], strict=True))
        parts.append(f'<path class="points" d="{points}"/>')
    else:
        dots = [(float(a), float(b)) for a, b in zip(px, py, strict=True)]
        shown = [i for i in range(len(dots)) if defined[i]]
        texts = beside([labels[i] for i in shown], [dots[i] for i in shown], right)
        for i, text in zip(shown, texts, strict=True):
            said = escape(f"{labels[i]}: {number(xs[i])}, {number(ys[i])}")
            dot = f'<circle class="dot" cx="{at(dots[i][0])}" cy="{at(dots[i][1])}" r="4.5"/>'
            parts.append(f"<g><title>{said}</title>{dot}{text}</g>")
    if trend is not None:
        tx, ty = (np.asarray(t, dtype=np.float64) for t in trend)
        inside = np.isfinite(tx) & np.isfinite(ty)
        line = across.all(np.clip(tx, across.low, across.high)), up.all(np.clip(ty, up.low, up.high))
        parts.append(f'<path class="trend" d="{polyline(line[0][inside], line[1][inside])}"/>')
    domain = (
        f'<rect class="frame" x="{left}" y="{top}" width="{at(right - left)}" height="{at(bottom - top)}" '
        f'data-x="{across.low:.6g} {across.high:.6g}" data-y="{up.low:.6g} {up.high:.6g}"/>'
    )
    return figure(
        width, height, domain + "".join(parts), title=title, description=description, kind="scatter"
    )


@dataclass(frozen=True)
class Series:
    """A named line; the band between low and high is optional; a guide is a thin line without marks or name."""

    label: str
    x: ArrayLike
    y: ArrayLike
    low: ArrayLike | None = None
    high: ArrayLike | None = None
    guide: bool = False


def lines(
    series: Sequence[Series],
    *,
    title: str,
    description: str,
    x_label: str = "",
    y_label: str = "",
    digits: int = 2,
    guides: Sequence[tuple[float, str]] = (),
    log: str = "",
    least: float = math.nan,
) -> str:
    """Lines over one pair of axes, told apart by marker, dash and colour and named at their ends; guides are levels.

    `log` names the axes (x, y, xy) on which equal factors are equally far apart; `least` is a value that y must show.
    """
    named = CHARACTER * max((len(short(s.label)) for s in series if not s.guide), default=0) + 20
    left, top, right, bottom = 42, 24, WIDTH - min(named, WIDTH / 3), 200
    places = np.concatenate([np.asarray(s.x, dtype=np.float64) for s in series])
    across = Scale.around(places, left, right, log="x" in log)
    held = [np.asarray(v, dtype=np.float64) for s in series for v in (s.y, s.low, s.high) if v is not None]
    up = Scale.around(np.concatenate([*held, [g for g, _ in guides], [least]]), bottom, top, log="y" in log)
    parts = [left_axis(up, left, right, y_label), bottom_axis(across, top, bottom, x_label)]
    for level, said in guides:
        parts.append(
            f'<g class="guide"><title>{escape(said)}</title><path class="zero" d="M{at(left)} {at(up(level))}H{at(right)}"/></g>'
        )
    ends: list[tuple[float, str]] = []
    for i, one in enumerate(series):
        xs, ys = np.asarray(one.x, dtype=np.float64), np.asarray(one.y, dtype=np.float64)
        defined = np.isfinite(xs) & np.isfinite(ys)
        xs, ys = xs[defined], ys[defined]
        if one.guide:
            line = f'<path class="zero" d="{polyline(across.all(xs), up.all(ys))}"/>'
            parts.append(f'<g class="guide"><title>{escape(one.label)}</title>{line}</g>')
            continue
        parts.append(f'<g class="series s{i % 8}">')
        if one.low is not None and one.high is not None:
            low, high = (up.all(np.asarray(v, dtype=np.float64)[defined]) for v in (one.low, one.high))
            around = np.concatenate([across.all(xs), across.all(xs)[::-1]])
            parts.append(f'<path class="band" d="{polyline(around, np.concatenate([low, high[::-1]]))}Z"/>')
        parts.append(f'<path class="line" d="{polyline(across.all(xs), up.all(ys))}"/>')
        for a, b in zip(xs, ys, strict=True):
            said = escape(f"{one.label}: {number(a, digits)}, {number(b, digits)}")
            parts.append(f"<g><title>{said}</title>{marker(i, across(a), up(b))}</g>")
        parts.append("</g>")
        if len(ys):
            ends.append((up(float(ys[-1])), one.label))
    for y, (_, name) in zip(apart([e[0] for e in ends], 14), ends, strict=True):
        which = [s.label for s in series].index(name) % 8
        parts.append(
            f'<g class="series s{which}">{marker(which, right + 9, y)}</g>'
            f'<text class="name" x="{at(right + 17)}" y="{at(y + 4)}">{escape(short(name))}</text>'
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
    keys: Sequence[int] | None = None,
) -> str:
    """Cells shaded by size and sign, each with two lines of text; unmarked cells are faint, NaN cells empty.

    `keys` number rows and columns for scripts (data-row, data-column) when they are not in order.
    """
    table = np.asarray(values, dtype=np.float64)
    cell, left = 54, label_width(rows) + 8
    tall = 16 + min(CHARACTER * max((len(short(c)) for c in columns), default=0) * 0.74, 110)
    finite = np.abs(table[np.isfinite(table)])
    largest = float(finite.max()) if len(finite) and finite.max() > 0 else 1.0
    numbers = keys or range(max(table.shape))
    parts = []
    for j, name in enumerate(columns):
        x = left + cell * (j + 0.5) - 4
        parts.append(
            f'<text class="name" transform="translate({at(x)} {at(tall - 7)}) rotate(-40)">'
            f"{escape(short(name))}</text>"
        )
    for i, name in enumerate(rows):
        y = tall + cell * i
        parts.append(row_label(name, left - 8, y + cell / 2))
        for j in range(len(columns)):
            x, value = left + cell * j, table[i, j]
            box = f'x="{at(x + 1)}" y="{at(y + 1)}" width="{cell - 2}" height="{cell - 2}" rx="4"'
            if not math.isfinite(value):
                parts.append(f'<rect class="empty" {box}/>')
                continue
            side = "positive" if value > 0 else "negative" if value < 0 else "none"
            shade = 0.1 + 0.65 * abs(value) / largest if value else 0.06
            upper, lower = texts(i, j)
            faint = "" if marked(i, j) else " faint"
            parts.append(
                f'<g class="cell{faint}" data-row="{numbers[i]}" data-column="{numbers[j]}"><title>{escape(titles(i, j))}</title>'
                f'<rect class="{side}" fill-opacity="{shade:.2f}" {box}/>'
                f'<text class="cell-value" x="{at(x + cell / 2)}" y="{at(y + cell / 2 - 1)}">{escape(upper)}</text>'
                f'<text class="cell-note" x="{at(x + cell / 2)}" y="{at(y + cell / 2 + 14)}">{escape(lower)}</text></g>'
            )
    # The last column's slanted name needs room to the right.
    last = CHARACTER * len(short(columns[-1])) * 0.77 - cell / 2 if columns else 0
    width = left + cell * len(columns) + max(last, 2)
    return figure(
        width, tall + cell * len(rows) + 2, "".join(parts), title=title, description=description, kind="heat"
    )


def bars(
    rows: Sequence[tuple[str, float]], *, title: str, description: str, label: str = "", digits: int = 2
) -> str:
    """A horizontal bar per row, from 0."""
    left = label_width(name for name, _ in rows)
    right = WIDTH - 12 - CHARACTER * max((len(number(v, digits)) for _, v in rows), default=4)
    bottom = 8 + ROW * len(rows)
    finite = [v for _, v in rows if math.isfinite(v)]
    low, high = min([0.0, *finite]), max([0.0, *finite])
    scale = Scale(low, high if high > low else low + 1, left + 8, right - 4)
    parts = [bottom_axis(scale, 6, bottom, label)]
    for i, (name, value) in enumerate(rows):
        y = 8 + ROW * (i + 0.5)
        parts.append(f'<g class="row"><title>{escape(f"{name}: {number(value, digits)}")}</title>')
        parts.append(f'<rect class="hit" x="0" y="{at(y - ROW / 2)}" width="{WIDTH}" height="{ROW}"/>')
        parts.append(row_label(name, left, y))
        if math.isfinite(value):
            a, b = sorted((scale(0), scale(value)))
            side = "negative" if value < 0 else "positive"
            parts.append(
                f'<rect class="bar {side}" x="{at(a)}" y="{at(y - 7)}" width="{at(b - a)}" height="14"/>'
            )
        parts.append(
            f'<text class="value" x="{WIDTH - 2}" y="{at(y + 4)}" text-anchor="end">{number(value, digits)}</text></g>'
        )
    height = bottom + (38 if label else 22)
    return figure(WIDTH, height, "".join(parts), title=title, description=description, kind="bars")
