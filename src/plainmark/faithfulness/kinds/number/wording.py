"""Messages for editors about changed numbers."""

from __future__ import annotations

from ...alignment import Pair
from .. import Mention
from . import units
from .amounts import Amount


def reason(pair: Pair, a: Mention, b: Mention, pattern: str) -> str:
    """One or two sentences about the change of number a."""
    before, after = pair.source.text[a.start : a.end], pair.output.text[b.start : b.end]
    said = f"The original says {before}; the simplified text says {after}"
    if pattern == "exchanged":
        return f"{said}. Both numbers are in the original, but they seem to have changed places."
    if pattern == "order":
        return f"{said}: the two numbers are in the opposite order."
    if pattern == "moved":
        return f"The original has {before}, but of something else."
    if pattern == "currency":
        return f"{said}: the currency differs, and whether the sum was converted correctly cannot be checked."
    if pattern == "sign":
        return f"{said}: the sign differs."
    if pattern == "label":
        return f"{said}, which names something else."
    times = _times(a, b)
    return f"{said}, {times}." if times else f"{said}."


def _times(a: Mention, b: Mention) -> str:
    """The factor by which an amount grew or shrank, if it is informative."""
    x, y = a.value, b.value
    if not isinstance(x, Amount) or not isinstance(y, Amount) or x.unit.dimension != y.unit.dimension:
        return ""
    if (
        x.unit.dimension in ("", "temperature", "money", "?money")
        or x.form == "ordinal"
        or x.second is not None
    ):
        return ""
    p, q = units.base_value(x.number, x.unit), units.base_value(y.number, y.unit)
    if p <= 0 or q <= 0:
        return ""
    ratio = q / p
    words = {
        1000.0: "a thousand times",
        1e6: "a million times",
        10.0: "ten times",
        100.0: "a hundred times",
        2.0: "twice",
    }
    for large, phrase in words.items():
        if abs(ratio - large) < 1e-6 * large:
            return f"{phrase} as much"
        if abs(ratio * large - 1) < 1e-6:
            part = {1000.0: "thousandth", 1e6: "millionth", 10.0: "tenth", 100.0: "hundredth", 2.0: "half"}[
                large
            ]
            return "half as much" if part == "half" else f"a {part} of it"
    return ""
