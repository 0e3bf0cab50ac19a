"""Formats numbers, p-values, counts, names and dates for tables, figures and sentences."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..metric import Metric


@dataclass(frozen=True)
class ScoreCell:
    """A formatted value with its interval, and the full value for sorting; letters are None if nothing is compared.

    `extent` says on how many samples the value is defined, if that is not all of them.
    """

    full: str
    text: str
    interval: str
    letters: str | None
    best: bool
    extent: str = ""


def score_cell(
    value: float, low: float, high: float, digits: tuple[int, int], letters: str | None, best: bool
) -> ScoreCell:
    """A cell with this number of digits for the value and its bounds; unknown bounds are left out."""
    full = f"{value:.12g}" if math.isfinite(value) else ""
    bounds = f"[{number(low, digits[1])}, {number(high, digits[1])}]" if math.isfinite(low) else ""
    return ScoreCell(full, number(value, digits[0]), bounds, letters, best)


def number(value: float, digits: int = 2) -> str:
    """A number with a real minus sign; undefined is a dash."""
    if not math.isfinite(value):
        return "–" if math.isnan(value) else ("∞" if value > 0 else "−∞")
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.removeprefix("-")
    return text.replace("-", "−")


def signed(value: float, digits: int = 2) -> str:
    """A number with its sign, even if it is positive."""
    return ("+" if round(value, digits) > 0 else "") + number(value, digits)


def count(amount: int, noun: str) -> str:
    """A number with its noun: "1 sample", "2,000 samples"."""
    return f"{amount:,} {noun}{'' if amount == 1 else 's'}"


def short(text: str, limit: int = 18) -> str:
    """A name shortened in the middle, because similar names differ at their ends."""
    return text if len(text) <= limit else f"{text[: (limit - 1) // 2]}…{text[-(limit // 2) :]}"


def names(items: Sequence[str]) -> str:
    """A list in words: "A, B and C"."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def label(metric: Metric) -> str:
    """A metric's name for readers: the paper's spelling, and the options that are not the default."""
    return type(metric).__name__ + metric.spec.removeprefix(metric.name)


def digits(metric: Metric) -> int:
    """The number of decimals worth printing: two on a scale to 100, three on a scale to 1."""
    low, high = metric.bounds
    return 3 if high - low <= 2 else 2


def p_short(p: float) -> str:
    """A p-value in the usual style: ".023", "<.001"; undefined is a dash."""
    if math.isnan(p):
        return "–"
    return "<.001" if p < 0.001 else "1" if p >= 0.9995 else f"{p:.3f}"[1:]


def p_text(p: float) -> str:
    """A p-value for a sentence: "p = .023", "p < .001"; it does not break across lines."""
    text = p_short(p)
    value = f"= {text}" if text[0] in ".1" else f"< {text[1:]}" if text[0] == "<" else "undefined"
    return f"p {value}".replace(" ", "\u00a0")


def long_date(date: datetime.date) -> str:
    """A date in words: "9 February 2024"."""
    return f"{date.day} {date:%B %Y}"


def today() -> datetime.date:
    """Today's date in the local time zone."""
    return datetime.datetime.now(tz=datetime.UTC).astimezone().date()
