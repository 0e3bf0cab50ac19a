"""Years with their era: 312 BC, AD 312, 44 BCE, 300 to 200 B.C. Years BC are negative."""

from __future__ import annotations

from collections.abc import Sequence

from ...passage import Word
from .numerals import digits

_BEFORE = frozenset(("bc", "b.c.", "bce", "b.c.e."))
_SINCE = frozenset(("ad", "a.d.", "ce", "c.e."))
# Words that may also precede the year.
LEADING = _SINCE | {"bc", "bce"}
_JOINS = frozenset(("-", "–", "—", "to", "and", "or", "until", "till"))
_ABOUT = frozenset(("c", ".", "c.", "ca", "circa", "about", "around", "approximately", "the", "year"))


def era(words: Sequence[Word], k: int) -> int:
    """-1 if word k means BC, 1 for AD, 0 for any other word."""
    if not 0 <= k < len(words):
        return 0
    text, lower = words[k].text, words[k].lower
    if lower in _BEFORE and (text.isupper() or text.islower()):
        return -1
    return 1 if lower in _SINCE and text.isupper() else 0


def year_with_era(words: Sequence[Word], i: int) -> tuple[int, int] | None:
    """The year at word i and the word after it; None if no era is given."""
    if era(words, i) and not words[i].text[0].isdecimal():
        value = _year(words, i + 1)
        return None if value is None or era(words, i + 2) else (value * era(words, i), i + 2)
    value = _year(words, i)
    if value is None:
        return None
    if sign := era(words, i + 1):
        return sign * value, i + 2
    sign = _later(words, i + 1)
    return (sign * value, i + 1) if sign else None


def _later(words: Sequence[Word], k: int) -> int:
    """The era of a range that is given after its second year, as 1 or -1, if word k joins the two years; 0 if there is
    none.
    """
    if k >= len(words) or words[k].lower not in _JOINS:
        return 0
    k += 1
    while k < len(words) and words[k].lower in _ABOUT:
        k += 1
    return era(words, k + 1) if _year(words, k) is not None else 0


def _year(words: Sequence[Word], k: int) -> int | None:
    if k >= len(words) or not words[k].text[0].isdecimal():
        return None
    value = digits(words[k].text)
    if value is None or value[1] < 1 or not 0 < value[0] < 100_000:
        return None
    return int(value[0])
