"""What all plots share: scales, ticks, axes, labels, markers and the svg element around them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .html import escape

Floats = NDArray[np.float64]

CHARACTER = 7.2  # width of a letter at the plots' font size, in wide fonts
SHAPES = ("circle", "square", "triangle", "diamond", "cross", "plus", "down", "ring")


@dataclass(frozen=True)
class Scale:
    """From values low..high to pixels start..end; with `log`, equal factors are equally far apart."""

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
        # What differs in its last bits is one value: no tick fits in between.
        spread = high - low > 1e-9 * max(abs(low), abs(high))
        room = margin * (high - low) if spread else 1.0
        return cls(low - room, high + room, start, end)

    def __call__(self, value: float) -> float:
        return float(self.all(value))

    def all(self, values: ArrayLike) -> Floats:
        places, low, high = np.asarray(values, dtype=np.float64), self.low, self.high
        if self.log:
            with np.errstate(divide="ignore", invalid="ignore"):  # what has no logarithm has no place
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
    found = [m * 10.0**n for n in range(first - 1, last + 1) for m in (1, 2, 5)]
    return [v for v in found if low * (1 - 1e-9) <= v <= high * (1 + 1e-9)]


def number(value: float, digits: int = 2) -> str:
    """A number as the plots and tables print it, with a real minus sign; undefined is a dash."""
    if not math.isfinite(value):
        return "–" if math.isnan(value) else ("∞" if value > 0 else "−∞")
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.removeprefix("-")
    return text.replace("-", "−")


def figure(
    width: float,
    height: float,
    body: str,
    *,
    title: str,
    description: str,
    kind: str,
    data: Mapping[str, float] | None = None,
) -> str:
    """The svg element around a plot's body; `data` are attributes for scripts."""
    extra = "".join(f' data-{k}="{at(v)}"' for k, v in (data or {}).items())
    return (
        f'<svg class="plot {kind}" viewBox="0 0 {at(width)} {at(height)}" width="{at(width)}" '
        f'height="{at(height)}" role="img"{extra}><title>{escape(title)}</title><desc>{escape(description)}</desc>'
        f"{body}</svg>"
    )


def bottom_axis(scale: Scale, top: float, bottom: float, label: str = "", count: int = 5) -> str:
    """Grid lines from top to bottom with tick labels below, and the axis label under them."""
    parts = []
    steps = scale.ticks(count)
    for step in steps:
        x = at(scale(step))
        parts.append(f'<path class="grid" d="M{x} {at(top)}V{at(bottom)}"/>')
        parts.append(
            f'<text class="tick" x="{x}" y="{at(bottom + 15)}" text-anchor="middle">{_tick(step, steps, scale.log)}</text>'
        )
    middle = at((scale.start + scale.end) / 2)
    if label:
        parts.append(
            f'<text class="label" x="{middle}" y="{at(bottom + 32)}" text-anchor="middle">{escape(label)}</text>'
        )
    return "".join(parts)


def left_axis(
    scale: Scale,
    left: float,
    right: float,
    label: str = "",
    count: int = 4,
    steps: Sequence[float] | None = None,
) -> str:
    """Grid lines from left to right with tick labels before them, and the axis label on top.

    Given `steps` are labelled with class tick-count, so that a script can change them.
    """
    parts = []
    kind = "tick" if steps is None else "tick tick-count"
    steps = scale.ticks(count) if steps is None else steps
    for step in steps:
        y = scale(step)
        parts.append(f'<path class="grid" d="M{at(left)} {at(y)}H{at(right)}"/>')
        parts.append(
            f'<text class="{kind}" x="{at(left - 6)}" y="{at(y + 4)}" text-anchor="end">{_tick(step, steps, scale.log)}</text>'
        )
    if label:
        parts.append(f'<text class="label" x="0" y="{at(scale.end - 9)}">{escape(label)}</text>')
    return "".join(parts)


def even_top(peak: float) -> float:
    """An even number at or above a count: 2, 4, 6, 8 or 10 times a power of ten (page.js does the same)."""
    power = 10.0 ** math.floor(math.log10(max(peak, 1)))
    return next(n * power for n in (2, 4, 6, 8, 10, 20) if n * power >= peak)


def marker(index: int, x: float, y: float, size: float = 4.5) -> str:
    """One of eight shapes that differ without colour."""
    shape, s = SHAPES[index % len(SHAPES)], size
    if shape in ("circle", "ring"):
        return f'<circle class="marker {shape}" cx="{at(x)}" cy="{at(y)}" r="{at(s)}"/>'
    paths = {
        "square": f"m{-s} {-s}h{2 * s}v{2 * s}h{-2 * s}Z",
        "triangle": f"m0 {-s * 1.2}l{s * 1.2} {s * 2.1}h{-s * 2.4}Z",
        "down": f"m0 {s * 1.2}l{s * 1.2} {-s * 2.1}h{-s * 2.4}Z",
        "diamond": f"m0 {-s * 1.4}l{s * 1.4} {s * 1.4}l{-s * 1.4} {s * 1.4}l{-s * 1.4} {-s * 1.4}Z",
        "cross": f"m{-s} {-s}l{2 * s} {2 * s}m0 {-2 * s}l{-2 * s} {2 * s}",
        "plus": f"m0 {-s * 1.2}v{s * 2.4}m{-s * 1.2} {-s * 1.2}h{s * 2.4}",
    }
    return f'<path class="marker {shape}" d="M{at(x)} {at(y)}{paths[shape]}"/>'


def at(value: float) -> str:
    """A position, to a tenth of a pixel."""
    return f"{value:.1f}".removesuffix(".0")


def _tick(step: float, steps: Sequence[float], log: bool = False) -> str:
    if log:
        unit = next(((u, name) for u, name in ((1e6, "M"), (1e3, "k")) if step >= u), (1.0, ""))
        return number(step / unit[0], max(0, -math.floor(math.log10(step) + 1e-9))) + unit[1]
    gap = steps[1] - steps[0] if len(steps) > 1 else max(abs(step), 1.0)
    return number(step, max(0, -math.floor(math.log10(gap) + 1e-9)))


def short(text: str, limit: int = 18) -> str:
    """A name that fits; what is left out is its middle, because names of one family differ at their ends."""
    return text if len(text) <= limit else f"{text[: (limit - 1) // 2]}…{text[-(limit // 2) :]}"


def label_width(names: Iterable[str]) -> float:
    """Room that the longest of the names takes."""
    return CHARACTER * max((len(short(n)) for n in names), default=0) + 6


def row_label(name: str, left: float, y: float) -> str:
    """A name to the left of its row."""
    return f'<text class="name" x="{at(left)}" y="{at(y + 4)}" text-anchor="end">{escape(short(name))}</text>'


def step_path(places: Floats, base: float, heights: Floats) -> str:
    """The outline of bars without gaps."""
    path = [f"M{at(places[0])} {at(base)}"]
    for right, height in zip(places[1:], heights, strict=True):
        path.append(f"V{at(base - height)}H{at(right)}")
    return "".join(path) + f"V{at(base)}Z"


def polyline(xs: Floats, ys: Floats) -> str:
    """A path through points."""
    points = [f"{at(a)} {at(b)}" for a, b in zip(xs, ys, strict=True)]
    return "M" + "L".join(points) if points else ""
