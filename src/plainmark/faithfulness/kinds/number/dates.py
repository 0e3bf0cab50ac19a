"""Dates, years, decades, centuries and times of day, with their parts in every usual order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ...passage import Passage, Word
from . import numerals
from .eras import LEADING, era, year_with_era

_MONTH_NAMES = "january february march april may june july august september october november december".split()
MONTHS = {name[:n]: i for i, name in enumerate(_MONTH_NAMES, 1) for n in (3, len(name))} | {"sept": 9}
WEEKDAYS = {w: n for n, w in enumerate("monday tuesday wednesday thursday friday saturday sunday".split(), 1)}
WEEKDAYS |= {w + "s": n for w, n in list(WEEKDAYS.items())}
# "May" and "March" are words as well: alone, they need a word before them that is common before months.
_BEFORE_MONTH = frozenset(
    "in of since until till by last next this late early mid during from to before after".split()
)
DECADES = {w[:-1] + "ies": n for w, n in numerals.TENS.items()}
_NAMES = "|".join(sorted(MONTHS, key=len, reverse=True))
_SUFFIX = r"(?:\s?(?:st|nd|rd|th))?"
_YEAR = r"(?:1\d{3}|20\d{2})(?![\d,.]\d|\d)"
_DAY = rf"(?:[12]\d|3[01]|0?[1-9])(?!\d|[.,:]\d){_SUFFIX}"
_DAY_MONTH = re.compile(
    rf"(?:the\s+)?(?P<d>{_DAY})(?:\s*[-–/]\s*(?P<e>{_DAY}))?\s*[-\s]\s*(?:of\s+)?(?P<m>{_NAMES})\b\.?"
    rf"(?:(?:\s*,\s*|\s+|-)(?P<y>{_YEAR}))?",
    re.IGNORECASE,
)
_MONTH_DAY = re.compile(
    rf"(?P<m>{_NAMES})\b\.?(?:\s+(?:the\s+)?(?P<d>{_DAY})(?![\w%])(?!\s*(?:%|per|mg|patients|people)))?"
    rf"(?:,?\s+(?:of\s+)?(?P<y>{_YEAR}))?",
    re.IGNORECASE,
)
# A typing error may give a day or a year that no calendar has. With day, month and year, it still counts as a date.
_ANY_YEAR = r"(?P<y>\d{3,5})(?=\s*(?:[),.;?—–-]|$|(?:at|in|on|as|to|until)\b))(?![,.]\d)"
_IMPOSSIBLE = (
    re.compile(rf"(?P<d>\d{{1,3}})\s+(?:of\s+)?(?P<m>{_NAMES})\b\.?\s*,?\s*{_ANY_YEAR}", re.IGNORECASE),
    re.compile(rf"(?P<m>{_NAMES})\b\.?\s+(?P<d>\d{{1,3}})\s*,\s*{_ANY_YEAR}", re.IGNORECASE),
)
_NUMERIC = re.compile(
    r"(?P<a>\d{1,4})(?P<s>[-/.])(?P<b>\d{1,2})(?P=s)(?P<c>\d{4}|\d{2})(?!\d|[-/.]\d)",
)
_CLOCK = re.compile(
    r"(?P<h>[01]?\d|2[0-4])(?:[:.](?P<m>[0-5]\d))?(?::[0-5]\d)?\s?(?P<half>a\.?m\b\.?|p\.?m\b\.?|o['’]clock|noon\b|h(?:ours|rs)\b(?=\s+on))|"
    r"(?P<h2>[01]?\d|2[0-4]):(?P<m2>[0-5]\d)(?!\d|:\d)(?!\s*(?:ratio|odds))",
    re.IGNORECASE,
)


class Date(NamedTuple):
    """A day, a month or a span of years; missing parts are None.

    `swapped` is the other reading of 05/06/2019; only the last two digits of a `short` year are known.
    """

    form: str
    first: int | None
    last: int | None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    swapped: bool = False
    short: bool = False


class Clock(NamedTuple):
    """A time of day in minutes; `half` is "" if 3:00 could be in the morning or in the afternoon."""

    form: str
    minutes: int
    half: str


class Found(NamedTuple):
    """The value, its first character and the one after its last, and whether it is weak."""

    value: Date | Clock
    start: int
    end: int
    weak: bool = False


def year(first: int | None, last: int | None = None) -> Date:
    """A year, or a span of years."""
    return Date("date", first, first if last is None else last)


def date_at(passage: Passage, i: int) -> Found | None:
    """The date or time of day that begins at word i."""
    text, words = passage.text, passage.words
    word = words[i]
    if (word.text[0].isdecimal() or word.lower in LEADING) and (dated := year_with_era(words, i)):
        value, after = dated
        return Found(year(value), word.start, words[after - 1].end)
    if slip := _impossible(text, word):
        return slip
    if word.text[0].isdecimal():
        return (
            _numeric(text, word.start)
            or _day_month(text, word.start)
            or _clock(text, word.start)
            or _years(words, i)
        )
    if word.lower in MONTHS:
        return _month(text, words, i)
    if word.lower in WEEKDAYS:
        return Found(Date("date", None, None, weekday=WEEKDAYS[word.lower]), word.start, word.end, weak=True)
    if word.lower in ("noon", "midday", "midnight"):
        return Found(
            Clock("time", 0 if word.lower == "midnight" else 720, "pm"), word.start, word.end, weak=True
        )
    if word.lower in DECADES:
        return _spoken_decade(words, i)
    if word.lower in ("'", "’", "‘") and i + 1 < len(words):
        return _short_year(words, i)
    return None


def _numeric(text: str, start: int) -> Found | None:
    match = _NUMERIC.match(text, start)
    if not match or (start and text[start - 1] in "-/."):
        return None
    a, b, c = int(match["a"]), int(match["b"]), int(match["c"])
    if len(match["a"]) == 4:
        if 1 <= b <= 12 and 1 <= c <= 31 and a >= 1000:
            return Found(Date("date", a, a, b, c), start, match.end())
        return None
    if len(match["a"]) > 2 or (match["s"] == "-" and len(match["c"]) == 2):
        return None
    short = len(match["c"]) == 2
    full = c if not short else 2000 + c if c < 50 else 1900 + c
    if not 1000 <= full <= 2200:
        return None
    for day, month, other in ((a, b, b <= 31 and a <= 12), (b, a, False)):
        if 1 <= month <= 12 and 1 <= day <= 31:
            return Found(Date("date", full, full, month, day, swapped=other, short=short), start, match.end())
    return None


def _number(day: str | None) -> int | None:
    return int(re.sub(r"\D", "", day)) if day else None


def _end(match: re.Match[str]) -> int:
    """The end of a date without the full stop of a sentence."""
    return match.end() - match.group().endswith(".")


def _day_month(text: str, start: int) -> Found | None:
    match = _DAY_MONTH.match(text, start)
    if not match or (
        match["m"].lower() in ("mar", "may", "dec", "sep") and not text[match.start("m")].isupper()
    ):
        return None
    y = _number(match["y"])
    return Found(Date("date", y, y, MONTHS[match["m"].lower()], _number(match["d"])), start, _end(match))


def _impossible(text: str, word: Word) -> Found | None:
    """A date with an impossible day or year: 38 May 1970, July 31, 18800."""
    if not word.text[0].isdecimal() and word.lower not in MONTHS:
        return None
    match = _IMPOSSIBLE[not word.text[0].isdecimal()].match(text, word.start)
    if not match:
        return None
    day, y = int(match["d"]), int(match["y"])
    if (1 <= day <= 31 and 1000 <= y < 2100) or not text[match.start("m")].isupper():
        return None
    return Found(Date("date", y, y, MONTHS[match["m"].lower()], day), word.start, match.end())


def _month(text: str, words: Sequence[Word], i: int) -> Found | None:
    word = words[i]
    match = _MONTH_DAY.match(text, word.start)
    if not match:
        return None
    y, d = _number(match["y"]), _number(match["d"])
    month = MONTHS[word.lower]
    if y is None and d is None:
        before = words[i - 1].lower if i else ""
        short = word.lower not in _MONTH_NAMES
        doubtful = short or word.lower in ("may", "march", "august", "june", "april")
        if short or not word.text[0].isupper() or (doubtful and before not in _BEFORE_MONTH):
            return None
        return Found(Date("date", None, None, month), word.start, word.end)
    if d is not None and y is None and word.lower in ("may", "march", "mar") and not word.text[0].isupper():
        return None
    return Found(Date("date", y, y, month, d), word.start, _end(match))


def _clock(text: str, start: int) -> Found | None:
    match = _CLOCK.match(text, start)
    if not match or (start and text[start - 1] in ":.,/-–$£€"):
        return None
    if match["h2"]:
        hour, minute, half = int(match["h2"]), int(match["m2"]), ""
        if hour < 10 and len(match["h2"]) == 1 and text[match.end() : match.end() + 1] == "-":
            return None
        half = "pm" if hour > 12 else ""
        return Found(Clock("time", hour * 60 + minute, half), start, match.end())
    hour, minute = int(match["h"]), int(match["m"] or 0)
    half = {"a": "am", "p": "pm"}.get(match["half"][0].lower(), "")
    if half == "pm" and hour == 0:  # 10: 00 pm
        return None
    if half == "pm" and hour < 12:
        hour += 12
    elif half == "am" and hour == 12:
        hour = 0
    return Found(Clock("time", hour * 60 + minute, half or ("pm" if hour > 12 else "")), start, match.end())


def _years(words: Sequence[Word], i: int) -> Found | None:
    """Decades and centuries: 1990s, 1800s, 1990's, 19th century."""
    word = words[i]
    if i + 1 >= len(words) or not word.text.isdecimal():
        return None
    after = words[i + 1]
    glued = after.start == word.end
    value = int(word.text)
    if (
        glued
        and after.lower in ("s", "'s", "’s")
        and len(word.text) == 4
        and value % 10 == 0
        and 1000 <= value < 2200
    ):
        century = value % 100 == 0 and value < 2000
        return Found(year(value, value + (99 if century else 9)), word.start, after.end)
    if glued and after.lower in ("st", "nd", "rd", "th") and value <= 30:
        return _century(words, i, i + 2, value)
    return None


def _century(words: Sequence[Word], i: int, k: int, value: int) -> Found | None:
    while k < len(words) and words[k].lower in ("-", "early", "late", "mid"):
        k += 1
    if k >= len(words) or words[k].lower not in ("century", "centuries") or value < 1:
        return None
    sign = era(words, k + 1)
    end = words[k + 1].end if sign else words[k].end
    if sign < 0:
        return Found(year(-100 * value, -100 * value + 99), words[i].start, end)
    return Found(year(100 * value - 100, 100 * value - 1), words[i].start, end)


def century_in_words(words: Sequence[Word], i: int, after: int, value: int) -> Found | None:
    """A century whose number is in words: "the nineteenth century"."""
    return _century(words, i, after, value)


def _spoken_decade(words: Sequence[Word], i: int) -> Found | None:
    word, tens = words[i], DECADES[words[i].lower]
    before = words[i - 1].lower if i else ""
    if before in ("his", "her", "their", "my", "your", "our"):
        return None
    first = 1900 + tens
    start = word.start
    if before in ("nineteen", "eighteen"):
        start, first = words[i - 1].start, 100 * numerals.UNITS[before] + tens
    return Found(year(first, first + 9), start, word.end, weak=True)


def _short_year(words: Sequence[Word], i: int) -> Found | None:
    """A year or a decade without its century: '98, the '90s."""
    mark, number = words[i : i + 2]
    if mark.end != number.start or len(number.text) != 2 or not number.text.isdecimal():
        return None
    value = int(number.text)
    first = value + (1900 if value >= 20 else 2000)
    letter = words[i + 2] if i + 2 < len(words) and words[i + 2].start == number.end else None
    if letter and letter.lower in ("s", "'s", "’s"):
        return Found(year(first, first + 9), mark.start, letter.end) if value % 10 == 0 else None
    if (i and words[i - 1].end == mark.start) or (letter and letter.text not in ",.;:)"):  # 5'10, '98'
        return None
    return Found(Date("date", first, first, short=True), mark.start, number.end)


def same_date(a: Date, b: Date) -> bool | None:
    """Whether two dates agree in all parts that both have; None if they have no part in common."""
    common = False
    if a.first is not None and b.first is not None and a.last is not None and b.last is not None:
        common = True
        if a.short or b.short:
            if (a.first - b.first) % 100 or (a.last - b.last) % 100:
                return False
        elif not (a.first <= b.first <= b.last <= a.last or b.first <= a.first <= a.last <= b.last):
            return False
    pairs = [(a.month, b.month), (a.day, b.day)]
    if (a.swapped or b.swapped) and None not in (a.month, a.day, b.month, b.day) and a.month == b.day:
        pairs = [(a.month, b.day), (a.day, b.month)]
    for x, y in (*pairs, (a.weekday, b.weekday)):
        if x is not None and y is not None:
            common = True
            if x != y:
                return False
    return True if common else None


def same_clock(a: Clock, b: Clock) -> bool:
    """Whether two times agree; without a.m. or p.m., a difference of twelve hours does not count."""
    if a.half and b.half:
        return a.minutes % 1440 == b.minutes % 1440
    return a.minutes % 720 == b.minutes % 720
