"""Common parts of figures: scales, ticks, axes, labels, markers, paths and the svg element around them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..formatting import number, short
from .elements import Element, at, element, path, text

Floats = NDArray[np.float64]

CHARACTER = 7.2  # width of a letter at the figures' font size, in wide fonts
SHAPES = ("circle", "square", "triangle", "diamond", "cross", "plus", "down", "ring")


@dataclass(frozen=True)
class Scale:
    """A map from values low..high to pixels start..end; with `log`, equal factors have equal distances."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    @classmethod
    def around(
        cls, values: ArrayLike, start: float, end: float, *, margin: float = 0.06, log: bool = False
    ) -> Scale:
        """A scale that holds all finite values with some room; a single value gets a unit on each side."""
        finite = np.asarray(values, dtype=np.float64).ravel()
        finite = finite[np.isfinite(finite) & ((finite > 0) | (not log))]
        if len(finite) == 0:
            return cls(1.0, 10.0, start, end, log) if log else cls(0.0, 1.0, start, end)
        low, high = float(finite.min()), float(finite.max())
        if log:
            room = (high / low) ** margin if high > low else 10.0
            return cls(low / room, high * room, start, end, log)
        # Values that differ only in their last bits count as one: no tick fits between them.
        spread = high - low > 1e-9 * max(abs(low), abs(high))
        room = margin * (high - low) if spread else 1.0
        return cls(low - room, high + room, start, end)

    def __call__(self, value: float) -> float:
        return float(self.all(value))

    def all(self, values: ArrayLike) -> Floats:
        """The positions of many values."""
        places, low, high = np.asarray(values, dtype=np.float64), self.low, self.high
        if self.log:
            with np.errstate(
                divide="ignore", invalid="ignore"
            ):  # a value without a logarithm has no position
                places = np.log10(places)
            low, high = math.log10(low), math.log10(high)
        share = (places - low) / (high - low)
        return self.start + share * (self.end - self.start)

    def ticks(self, count: int = 5) -> list[float]:
        """Round values inside the scale, about `count` of them; powers of ten on a scale of factors."""
        return powers(self.low, self.high, count) if self.log else ticks(self.low, self.high, count)


def ticks(low: float, high: float, count: int = 5) -> list[float]:
    """Multiples of 1, 2 or 5 times a power of ten between low and high."""
    if not (math.isfinite(low) and math.isfinite(high)) or high <= low:
        return [low] if math.isfinite(low) else []
    rough = (high - low) / max(count, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(i * step, 12) + 0.0 for i in range(first, last + 1)]


def powers(low: float, high: float, count: int = 5) -> list[float]:
    """Powers of ten between low and high, every second or third if there are many; with 2 and 5 times if there are few."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    if last - first >= 2:
        return [10.0**n for n in range(first, last + 1, math.ceil((last - first + 1) / (count + 1)))]
    values = [m * 10.0**n for n in range(first - 1, last + 1) for m in (1, 2, 5)]
    return [v for v in values if low * (1 - 1e-9) <= v <= high * (1 + 1e-9)]


def figure(
    width: float,
    height: float,
    marks: Iterable[Element],
    *,
    title: str,
    description: str,
    kind: str,
    **data: float,
) -> Element:
    """The svg element around a figure's marks; `data` are data attributes for scripts."""
    return element(
        "svg",
        element("title", title),
        element("desc", description),
        *marks,
        class_=f"plot {kind}",
        viewBox=f"0 0 {at(width)} {at(height)}",
        width=width,
        height=height,
        role="img",
        **{f"data_{name}": value for name, value in data.items()},
    )


def bottom_axis(scale: Scale, top: float, bottom: float, label: str = "", count: int = 5) -> list[Element]:
    """Grid lines from top to bottom with tick labels below, and the axis label under them."""
    marks = []
    steps = scale.ticks(count)
    for step in steps:
        x = scale(step)
        marks.append(path("grid", vertical(x, top, bottom)))
        marks.append(text("tick", _tick(step, steps, scale.log), x, bottom + 15, "middle"))
    if label:
        marks.append(text("label", label, (scale.start + scale.end) / 2, bottom + 32, "middle"))
    return marks


def left_axis(
    scale: Scale,
    left: float,
    right: float,
    label: str = "",
    count: int = 4,
    steps: Sequence[float] | None = None,
) -> list[Element]:
    """Grid lines from left to right with tick labels before them, and the axis label on top.

    If `steps` are given, their labels have the class tick-count, so that a script can change them.
    """
    marks = []
    kind = "tick" if steps is None else "tick tick-count"
    steps = scale.ticks(count) if steps is None else steps
    for step in steps:
        y = scale(step)
        marks.append(path("grid", horizontal(y, left, right)))
        marks.append(text(kind, _tick(step, steps, scale.log), left - 6, y + 4, "end"))
    if label:
        marks.append(text("label", label, 0, scale.end - 9))
    return marks


def even_top(peak: float) -> float:
    """An even number at or above a count: 2, 4, 6, 8 or 10 times a power of ten (figures.js does the same)."""
    power = 10.0 ** math.floor(math.log10(max(peak, 1)))
    return next(n * power for n in (2, 4, 6, 8, 10, 20) if n * power >= peak)


def dot(x: float, y: float, radius: float = 4.5) -> Element:
    """A filled circle."""
    return element("circle", class_="dot", cx=x, cy=y, r=radius)


def marker(index: int, x: float, y: float, size: float = 4.5) -> Element:
    """One of eight shapes that differ without colour."""
    shape, s = SHAPES[index % len(SHAPES)], size
    if shape in ("circle", "ring"):
        return element("circle", class_=f"marker {shape}", cx=x, cy=y, r=s)
    paths = {
        "square": f"m{-s} {-s}h{2 * s}v{2 * s}h{-2 * s}Z",
        "triangle": f"m0 {-s * 1.2}l{s * 1.2} {s * 2.1}h{-s * 2.4}Z",
        "down": f"m0 {s * 1.2}l{s * 1.2} {-s * 2.1}h{-s * 2.4}Z",
        "diamond": f"m0 {-s * 1.4}l{s * 1.4} {s * 1.4}l{-s * 1.4} {s * 1.4}l{-s * 1.4} {-s * 1.4}Z",
        "cross": f"m{-s} {-s}l{2 * s} {2 * s}m0 {-2 * s}l{-2 * s} {2 * s}",
        "plus": f"m0 {-s * 1.2}v{s * 2.4}m{-s * 1.2} {-s * 1.2}h{s * 2.4}",
    }
    return path(f"marker {shape}", f"M{at(x)} {at(y)}{paths[shape]}")


def label_width(labels: Iterable[str]) -> float:
    """The width of the longest label."""
    return CHARACTER * max((len(short(n)) for n in labels), default=0) + 6


def row_label(name: str, left: float, y: float) -> Element:
    """A name to the left of its row."""
    return text("name", short(name), left, y + 4, "end")


def slanted_label(name: str, x: float, y: float) -> Element:
    """A name above its column."""
    return element("text", short(name), class_="name", transform=f"translate({at(x)} {at(y)}) rotate(-40)")


def slanted_height(labels: Sequence[str]) -> float:
    """The height of slanted names above their columns."""
    return 16 + min(CHARACTER * max((len(short(n)) for n in labels), default=0) * 0.74, 110)


def vertical(x: float, top: float, bottom: float) -> str:
    """Path data of a vertical line."""
    return f"M{at(x)} {at(top)}V{at(bottom)}"


def horizontal(y: float, left: float, right: float) -> str:
    """Path data of a horizontal line."""
    return f"M{at(left)} {at(y)}H{at(right)}"


def step_path(places: Floats, base: float, heights: Floats) -> str:
    """Path data of the outline of bars without gaps."""
    steps = [f"V{at(base - height)}H{at(right)}" for right, height in zip(places[1:], heights, strict=True)]
    return f"M{at(places[0])} {at(base)}{''.join(steps)}V{at(base)}Z"


def polyline(xs: Floats, ys: Floats) -> str:
    """Path data of a line through points."""
    points = [f"{at(a)} {at(b)}" for a, b in zip(xs, ys, strict=True)]
    return "M" + "L".join(points) if points else ""


def _tick(step: float, steps: Sequence[float], log: bool = False) -> str:
    if log:
        unit, name = next(((u, name) for u, name in ((1e6, "M"), (1e3, "k")) if step >= u), (1.0, ""))
        return number(step / unit, max(0, -math.floor(math.log10(step) + 1e-9))) + name
    gap = steps[1] - steps[0] if len(steps) > 1 else max(abs(step), 1.0)
    return number(step, max(0, -math.floor(math.log10(gap) + 1e-9)))
