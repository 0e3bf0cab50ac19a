"""Plots: dots with intervals, ridges, histograms, scatter plots, lines, heat maps and bars."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..formatting import number, short
from .axes import (
    CHARACTER,
    Scale,
    bottom_axis,
    dot,
    even_top,
    figure,
    horizontal,
    label_width,
    left_axis,
    marker,
    polyline,
    row_label,
    slanted_height,
    slanted_label,
    step_path,
    vertical,
)
from .binning import bin_count, central_range, finite, spread
from .elements import Element, at, element, group, path, text
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
) -> Element:
    """A dot and a whisker per row, with the value written beside it; ratios have a line at 1 and equal steps for factors."""
    left = label_width(r.label for r in rows)
    right = WIDTH - 12 - CHARACTER * max((len(number(r.value, digits)) for r in rows), default=4)
    bottom = 8 + ROW * len(rows)
    values = [v for r in rows for v in (r.value, r.low, r.high)] + ([1.0] if ratios else [])
    scale = Scale.around(values, left + 8, right - 4, log=ratios)
    marks = bottom_axis(scale, 6, bottom, label)
    if ratios:
        marks.append(path("zero", vertical(scale(1), 6, bottom)))
    for i, row in enumerate(rows):
        y = 8 + ROW * (i + 0.5)
        value = number(row.value, digits)
        described = f"{row.label}: {value}"
        parts = [_row_area(y - ROW / 2), row_label(row.label, left, y)]
        if math.isfinite(row.low) and math.isfinite(row.high):
            described += f" ({number(row.low, digits)} to {number(row.high, digits)})"
            ends = "".join(f"M{at(scale(x))} {at(y - 4)}v8" for x in (row.low, row.high))
            parts.append(path("whisker", horizontal(y, scale(row.low), scale(row.high)) + ends))
        if math.isfinite(row.value):
            parts.append(dot(scale(row.value), y))
        parts.append(text("value", value, WIDTH - 2, y + 4, "end"))
        marks.append(group(parts, title=described, class_="row strong" if row.strong else "row"))
    return _rows_figure(bottom, marks, label, title=title, description=description, kind="intervals")


def bars(
    rows: Sequence[tuple[str, float]], *, title: str, description: str, label: str = "", digits: int = 2
) -> Element:
    """A horizontal bar per row, from 0."""
    left = label_width(name for name, _ in rows)
    right = WIDTH - 12 - CHARACTER * max((len(number(v, digits)) for _, v in rows), default=4)
    bottom = 8 + ROW * len(rows)
    values = [v for _, v in rows if math.isfinite(v)]
    low, high = min([0.0, *values]), max([0.0, *values])
    scale = Scale(low, high if high > low else low + 1, left + 8, right - 4)
    marks = bottom_axis(scale, 6, bottom, label)
    for i, (name, value) in enumerate(rows):
        y = 8 + ROW * (i + 0.5)
        parts = [_row_area(y - ROW / 2), row_label(name, left, y)]
        if math.isfinite(value):
            start, end = sorted((scale(0), scale(value)))
            side = "bar negative" if value < 0 else "bar positive"
            parts.append(element("rect", class_=side, x=start, y=y - 7, width=end - start, height=14))
        parts.append(text("value", number(value, digits), WIDTH - 2, y + 4, "end"))
        marks.append(group(parts, title=f"{name}: {number(value, digits)}", class_="row"))
    return _rows_figure(bottom, marks, label, title=title, description=description, kind="bars")


def ridges(
    rows: Sequence[tuple[str, ArrayLike]],
    *,
    title: str,
    description: str,
    label: str = "",
    digits: int = 1,
) -> Element:
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
    marks = bottom_axis(scale, 6, bottom, label)
    for i, ((name, _), values, share) in enumerate(zip(rows, samples, shares, strict=True)):
        base = 16 + step * (i + 1)
        parts = [_row_area(base - step + 8, step), row_label(name, left, base - 6)]
        if len(values):
            heights = share / unit * (step - 14)
            parts.append(path("ridge", step_path(scale.all(edges), base, heights)))
            a, m, b = (scale(float(np.clip(q, low, high))) for q in np.percentile(values, (25, 50, 75)))
            parts.append(path("middle", horizontal(base, a, b)))
            parts.append(dot(m, base, 3.5))
        marks.append(group(parts, title=f"{name}: {spread(values, digits)}", class_="row"))
    return _rows_figure(bottom, marks, label, title=title, description=description, kind="ridges")


def _row_area(top: float, height: float = ROW) -> Element:
    """The area of the whole row, so that its title shows wherever the pointer is."""
    return element("rect", class_="hit", x=0, y=top, width=WIDTH, height=height)


def _rows_figure(
    bottom: float, marks: Sequence[Element], label: str, *, title: str, description: str, kind: str
) -> Element:
    height = bottom + (38 if label else 22)
    return figure(WIDTH, height, marks, title=title, description=description, kind=kind)


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
) -> Element:
    """Bars of counts between edges; diverging bars above and below 0 look different (`reverse`: below is good)."""
    heights, bounds = np.asarray(counts, dtype=np.float64), np.asarray(edges, dtype=np.float64)
    left, top, bottom = 40, 26, 170
    x = Scale(float(bounds[0]), float(bounds[-1]), left, WIDTH - 10)
    y = Scale(0.0, even_top(float(heights.max(initial=0))), bottom, top)
    marks = left_axis(y, left, WIDTH - 10, "samples", steps=[0, y.high / 2, y.high])
    marks += bottom_axis(x, bottom, bottom + 4, label)
    places = x.all(bounds)
    for i, height in enumerate(heights):
        kind = "bar"
        if diverging:
            middle = (bounds[i] + bounds[i + 1]) * (-1 if reverse else 1)
            kind = "bar positive" if middle > 1e-9 else "bar negative" if middle < -1e-9 else "bar"
        described = f"{number(bounds[i], digits)} to {number(bounds[i + 1], digits)}: {height:.0f}"
        tip = y(float(height))
        marks.append(
            element(
                "rect",
                element("title", described),
                class_=kind,
                x=places[i] + 0.5,
                width=max(places[i + 1] - places[i] - 1, 0.5),
                y=tip,
                height=bottom - tip,
            )
        )
    if diverging and bounds[0] < 0 < bounds[-1]:
        marks.append(path("zero", vertical(x(0), top - 6, bottom)))
    return figure(
        WIDTH,
        bottom + 40,
        marks,
        title=title,
        description=description,
        kind="histogram",
        top=top,
        bottom=bottom,
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
) -> Element:
    """Points, as one light path when they are many; with labels each is a dot with its name. The trend is a line,
    the band (x, low, high) an area around it.

    Points outside the ranges are drawn on the edge. Ranges are in data attributes for scripts that search for points.
    """
    xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    left, top, right, bottom = 42, 24, width - 10, height - 40
    across = Scale(*x_range, left, right) if x_range else Scale.around(xs, left, right)
    up = Scale(*y_range, bottom, top) if y_range else Scale.around(ys, bottom, top)
    frame = element(
        "rect",
        class_="frame",
        x=left,
        y=top,
        width=right - left,
        height=bottom - top,
        data_x=f"{across.low:.6g} {across.high:.6g}",
        data_y=f"{up.low:.6g} {up.high:.6g}",
    )
    marks = [frame, *left_axis(up, left, right, y_label), *bottom_axis(across, top, bottom, x_label)]
    defined = np.isfinite(xs) & np.isfinite(ys)
    px = across.all(np.clip(xs, across.low, across.high))
    py = up.all(np.clip(ys, up.low, up.high))
    if band is not None:
        bx, low, high = (np.asarray(b, dtype=np.float64) for b in band)
        edge = np.concatenate([low, high[::-1]])
        around = across.all(np.concatenate([bx, bx[::-1]])), up.all(np.clip(edge, up.low, up.high))
        marks.append(path("band", f"{polyline(*around)}Z"))
    if labels is None:
        points = [f"M{at(a)} {at(b)}h0" for a, b in zip(px[defined], py[defined], strict=True)]
        marks.append(path("points", "".join(points)))
    else:
        shown = np.flatnonzero(defined).tolist()
        dots = [(float(px[i]), float(py[i])) for i in shown]
        names = beside([labels[i] for i in shown], dots, right)
        for i, place, name in zip(shown, dots, names, strict=True):
            described = f"{labels[i]}: {number(xs[i])}, {number(ys[i])}"
            marks.append(group([dot(*place), name], title=described))
    if trend is not None:
        tx, ty = (np.asarray(t, dtype=np.float64) for t in trend)
        inside = np.isfinite(tx) & np.isfinite(ty)
        line = across.all(np.clip(tx, across.low, across.high)), up.all(np.clip(ty, up.low, up.high))
        marks.append(path("trend", polyline(line[0][inside], line[1][inside])))
    return figure(width, height, marks, title=title, description=description, kind="scatter")


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
) -> Element:
    """Lines on one pair of axes, distinguished by marker, dash and colour and named at their ends; guides are horizontal
    lines.

    `log` names the axes (x, y, xy) with a logarithmic scale; `least` is a value that the y axis must include.
    """
    margin = CHARACTER * max((len(short(s.label)) for s in series if not s.guide), default=0) + 20
    left, top, right, bottom = 42, 24, WIDTH - min(margin, WIDTH / 3), 200
    places = np.concatenate([np.asarray(s.x, dtype=np.float64) for s in series])
    across = Scale.around(places, left, right, log="x" in log)
    values = [np.asarray(v, dtype=np.float64) for s in series for v in (s.y, s.low, s.high) if v is not None]
    up = Scale.around(np.concatenate([*values, [g for g, _ in guides], [least]]), bottom, top, log="y" in log)
    marks = [*left_axis(up, left, right, y_label), *bottom_axis(across, top, bottom, x_label)]
    for level, described in guides:
        marks.append(_guide(horizontal(up(level), left, right), described))
    ends: list[tuple[float, int]] = []
    for i, line in enumerate(series):
        xs, ys = np.asarray(line.x, dtype=np.float64), np.asarray(line.y, dtype=np.float64)
        defined = np.isfinite(xs) & np.isfinite(ys)
        xs, ys = xs[defined], ys[defined]
        if line.guide:
            marks.append(_guide(polyline(across.all(xs), up.all(ys)), line.label))
            continue
        parts = []
        if line.low is not None and line.high is not None:
            low, high = (up.all(np.asarray(v, dtype=np.float64)[defined]) for v in (line.low, line.high))
            known = np.isfinite(low) & np.isfinite(
                high
            )  # an interval may be undefined although the value is defined
            places, low, high = across.all(xs)[known], low[known], high[known]
            around = np.concatenate([places, places[::-1]]), np.concatenate([low, high[::-1]])
            if len(places):
                parts.append(path("band", f"{polyline(*around)}Z"))
        parts.append(path("line", polyline(across.all(xs), up.all(ys))))
        for a, b in zip(xs, ys, strict=True):
            described = f"{line.label}: {number(a, digits)}, {number(b, digits)}"
            parts.append(group([marker(i, across(a), up(b))], title=described))
        marks.append(group(parts, class_=f"series s{i % 8}"))
        if len(ys):
            ends.append((up(float(ys[-1])), i))
    for y, (_, i) in zip(apart([e[0] for e in ends], 14), ends, strict=True):
        marks.append(group([marker(i, right + 9, y)], class_=f"series s{i % 8}"))
        marks.append(text("name", short(series[i].label), right + 17, y + 4))
    return figure(WIDTH, bottom + 40, marks, title=title, description=description, kind="lines")


def _guide(d: str, described: str) -> Element:
    return group([path("zero", d)], title=described, class_="guide")


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
) -> Element:
    """Cells shaded by size and sign, each with two lines of text; unmarked cells are faint, NaN cells empty.

    `keys` number rows and columns for scripts (data-row, data-column) when they are not in order.
    """
    table = np.asarray(values, dtype=np.float64)
    cell, left, top = 54, label_width(rows) + 8, slanted_height(columns)
    sizes = np.abs(table[np.isfinite(table)])
    largest = float(sizes.max()) if len(sizes) and sizes.max() > 0 else 1.0
    numbers = keys or range(max(table.shape))
    marks = [slanted_label(name, left + cell * (j + 0.5) - 4, top - 7) for j, name in enumerate(columns)]
    for i, name in enumerate(rows):
        y = top + cell * i
        marks.append(row_label(name, left - 8, y + cell / 2))
        for j in range(len(columns)):
            x, value = left + cell * j, table[i, j]
            box = {"x": x + 1, "y": y + 1, "width": cell - 2, "height": cell - 2, "rx": 4}
            if not math.isfinite(value):
                marks.append(element("rect", class_="empty", **box))
                continue
            side = "positive" if value > 0 else "negative" if value < 0 else "none"
            shade = 0.1 + 0.65 * abs(value) / largest if value else 0.06
            upper, lower = texts(i, j)
            parts = [
                element("rect", class_=side, fill_opacity=f"{shade:.2f}", **box),
                text("cell-value", upper, x + cell / 2, y + cell / 2 - 1),
                text("cell-note", lower, x + cell / 2, y + cell / 2 + 14),
            ]
            kind = "cell" if marked(i, j) else "cell faint"
            place = {"data_row": numbers[i], "data_column": numbers[j]}
            marks.append(group(parts, title=titles(i, j), class_=kind, **place))
    # The last column's slanted name needs room to the right.
    last = CHARACTER * len(short(columns[-1])) * 0.77 - cell / 2 if columns else 0
    width = left + cell * len(columns) + max(last, 2)
    return figure(width, top + cell * len(rows) + 2, marks, title=title, description=description, kind="heat")
