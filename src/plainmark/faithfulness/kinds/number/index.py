"""Finds equal numbers in a long text without comparing all of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from .. import Mention
from . import units
from .amounts import Amount, Label
from .dates import Date
from .equality import same

CLOSE_BY = 40  # largest number of equal numbers that are examined in a long text


class NumberIndex:
    """Finds the mentions of a text that may equal a given one, without comparing all of them."""

    def __init__(self, mentions: Sequence[Mention], *, is_source: bool) -> None:
        self.is_source = is_source
        self.by_key: dict[tuple[object, ...], list[Mention]] = {}
        self.known: dict[int, list[Mention]] = {}
        rows = []
        for m in mentions:
            for key in keys(m):
                self.by_key.setdefault(key, []).append(m)
            if isinstance(m.value, Amount) and m.value.form == "amount":
                rows.append((units.base_value(m.value.number, m.value.unit), m.start, m))
        rows.sort(key=lambda row: row[:2])
        self.rows = [row[2] for row in rows]
        self.values = [row[0] for row in rows]

    def equal(self, m: Mention) -> list[Mention]:
        """Mentions with an equal value, at most a few dozen."""
        known = self.known.get(id(m))
        if known is None:
            known = self.known[id(m)] = self._equal(m)
        return known

    def _equal(self, m: Mention) -> list[Mention]:
        equals: dict[int, Mention] = {}
        for key in keys(m):
            for other in self.by_key.get(key, ())[:CLOSE_BY]:
                equals[id(other)] = other
        if isinstance(m.value, Amount) and m.value.form == "amount":
            value = units.base_value(m.value.number, m.value.unit)
            low, high = sorted((value * 0.75, value * 1.34))
            start, stop = bisect_left(self.values, low), bisect_left(self.values, high)
            middle = bisect_left(self.values, value)
            for other in self.rows[max(start, middle - CLOSE_BY) : min(stop, middle + CLOSE_BY)]:
                equals[id(other)] = other
        if self.is_source:
            return [other for other in equals.values() if same(other.value, m.value)]
        return [other for other in equals.values() if same(m.value, other.value)]


def keys(m: Mention) -> list[tuple[object, ...]]:
    """Keys that equal numbers have in common."""
    value = m.value
    if isinstance(value, Amount):
        if value.form == "ordinal":
            return [("ordinal", value.number)]
        ends = [value.number] if value.second is None else [value.number, value.second]
        if value.of:
            ends += value.of
        return [("number", float(f"{x:.6g}")) for x in ends]
    if isinstance(value, Label):
        return [
            ("label", value.head.rstrip("s"), value.code),
            *([("number", float(value.code))] if value.code.isdecimal() and len(value.code) < 9 else []),
        ]
    if isinstance(value, Date):
        keys_of_parts: list[tuple[object, ...]] = []
        if value.first is not None and value.last is not None:
            keys_of_parts += [("year", value.first // 10), ("number", float(abs(value.first)))]
            if value.last - value.first > 9:
                keys_of_parts += [
                    ("year", decade)
                    for decade in range(value.first // 10, min(value.last // 10, value.first // 10 + 10) + 1)
                ]
        if value.month is not None:
            keys_of_parts.append(("month", value.month))
        if value.weekday is not None:
            keys_of_parts.append(("weekday", value.weekday))
        return keys_of_parts
    return [("time",)]
