"""Numbers of a text: digits and words, thousands, decimals, per cent, ordinals, decades, days and months.

Equal numbers have equal keys in every notation, such as "1,200", "1200", "1.2 thousand" and "twelve hundred". "One",
"first", "half", "both" and similar words are weak, because they are often not numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

_UNITS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
}
_TENS = {
    word: 10 * value
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
_SCALES = {"hundred": 10**2, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
    "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30, "fortieth": 40,
    "fiftieth": 50, "sixtieth": 60, "seventieth": 70, "eightieth": 80, "ninetieth": 90, "hundredth": 100,
}  # fmt: skip
_WEAK = {
    "half": ("percent", "50"),
    "quarter": ("percent", "25"),
    "dozen": ("number", "12"),
    "both": ("number", "2"),
    "pair": ("number", "2"),
    "couple": ("number", "2"),
    "twice": ("number", "2"),
    "once": ("number", "1"),
    "single": ("number", "1"),
}
# Too often not a number ("no one", "at first", "a second later").
_WEAK_ALONE = {"one", "first", "second", "third"}

_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = {name[:n]: i for i, name in enumerate(_MONTHS, 1) for n in (3, len(name))} | {"sept": 9}
_NAMES = "|".join(sorted(_MONTH, key=len, reverse=True))
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
# "May" and "March" are words too; without a day or a year they must follow a word that is common before months.
_AFTER = "|".join(rf"(?<=\b{w}\s)" for w in "in of since until by last next this late early".split())
_DATES = re.compile(
    rf"\b(?:(?P<iso>\d{{4}}-\d{{2}}-\d{{2}})"
    rf"|(?P<m1>{_NAMES})\b\.?\s+(?P<d1>{_DAY})(?!\d)(?![.,]\d)"
    rf"|(?P<d2>{_DAY})\s+(?:of\s+)?(?P<m2>{_NAMES})\b"
    rf"|(?P<m3>{_NAMES})\b\.?(?=,?\s+(?:of\s+)?\d{{4}}\b)"
    rf"|(?:{_AFTER})(?P<m4>{_NAMES})\b|(?P<m5>(?!march|may)(?:{'|'.join(_MONTHS)}))\b)",
    re.IGNORECASE,
)
_DIGITS = r"\d{1,3}(?:[,\u00a0\u202f\u2009]\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|(?<![\w.])\.\d+"
_TOKEN = re.compile(rf"(?P<digits>{_DIGITS})(?P<suffix>(?:st|nd|rd|th|s)\b)?|(?P<word>[A-Za-z]+)|(?P<mark>%)")
_GAP = re.compile(r"[\s-]+")
_PERCENT = re.compile(r"\s*(?:%|per\s?cent(?:age\s+points?)?\b)", re.IGNORECASE)


class Mention(NamedTuple):
    """A number in a text, normalised in `key`; a weak one may not be a number ("one")."""

    text: str
    start: int
    end: int
    key: tuple[str, ...]
    weak: bool = False


def numbers(text: str) -> list[Mention]:
    """The numbers and dates of a text, in order.

    >>> [(m.text, *m.key) for m in numbers("On 5 May, twenty-one of 1,050 people (2%) left.")]
    [('5 May', 'day', '5-5'), ('twenty-one', 'number', '21'), ('1,050', 'number', '1050'), ('2%', 'percent', '2')]
    """
    mentions: list[Mention] = []
    start = 0
    for date in _DATES.finditer(text):
        mentions += _plain_numbers(text, start, date.start())
        mentions += _date(date)
        start = date.end()
    return mentions + list(_plain_numbers(text, start, len(text)))


def _date(match: re.Match[str]) -> list[Mention]:
    if match["iso"]:
        year, month, day = match["iso"].split("-")
        return [
            Mention(year, match.start(), match.start() + 4, ("number", str(int(year)))),
            Mention(match.group()[5:], match.start() + 5, match.end(), ("day", f"{int(month)}-{int(day)}")),
        ]
    month = next(match[m] for m in ("m1", "m2", "m3", "m4", "m5") if match[m])
    number = _MONTH[month.lower()]
    day = match["d1"] or match["d2"]
    place = (match.group(), match.start(), match.end())
    if day:
        return [Mention(*place, ("day", f"{number}-{int(re.sub('[^0-9]', '', day))}"))]
    return [Mention(*place, ("month", str(number)))]


def _plain_numbers(text: str, start: int, stop: int) -> Iterator[Mention]:
    tokens = list(_TOKEN.finditer(text, start, stop))
    i = 0
    while i < len(tokens):
        mention, used = _number_at(text, tokens, i)
        if mention is not None:
            yield mention
        i += max(used, 1)


def _number_at(text: str, tokens: list[re.Match[str]], i: int) -> tuple[Mention | None, int]:
    """The number that begins with token i, and its length in tokens."""
    token = tokens[i]
    begin = token.start()
    if token["digits"]:
        value = Decimal(re.sub(r"[,\u00a0\u202f\u2009]", "", token["digits"]))
        kind = {"s": "decade", "": "number"}.get((token["suffix"] or "").lower(), "ordinal")
        used = 1
        if kind == "number":
            while (scale := _next_word(text, tokens, i + used)) in _SCALES:
                value *= _SCALES[scale]
                used += 1
    elif token["word"]:
        word = token["word"].lower()
        if word in _WEAK:
            return Mention(token.group(), begin, token.end(), _WEAK[word], weak=True), 1
        number, kind, used = _words_at(text, tokens, i)
        if used == 0:
            return None, 1
        value = Decimal(number)
    else:
        return None, 1
    end = tokens[i + used - 1].end()
    if kind == "number" and (percent := _PERCENT.match(text, end)):
        kind, end = "percent", percent.end()
        used += sum(1 for t in tokens[i + used :] if t.start() < end)
    weak = used == 1 and text[begin:end].lower() in _WEAK_ALONE
    return Mention(text[begin:end], begin, end, (kind, _plain(value)), weak=weak), used


def _words_at(text: str, tokens: list[re.Match[str]], i: int) -> tuple[int, str, int]:
    """Value, kind and number of tokens of a number in words; no tokens where there is none."""
    total = group = used = 0
    last = 10**15  # the size of the previous word; within a group, words become smaller
    while i + used < len(tokens):
        word = tokens[i + used]["word"] if used == 0 else _next_word(text, tokens, i + used)
        word = (word or "").lower()
        if word in _ORDINALS and _ORDINALS[word] < last and (used == 0 or group or total):
            return total + group + _ORDINALS[word], "ordinal", used + 1
        if word in _UNITS or word in _TENS:
            value = _UNITS.get(word, _TENS.get(word, 0))
            size = 10 if word in _TENS else 1
            if size >= last or (last == 10 and value >= 10):
                break
            group, last = group + value, size
        elif word == "hundred" and group:
            group, last = group * 100, 100
        elif word in _SCALES and word != "hundred" and group:
            total, group, last = total + group * _SCALES[word], 0, 1000
        elif (
            word == "and"
            and used
            and last >= 100
            and _next_word(text, tokens, i + used + 1) in _UNITS | _TENS
        ):
            pass  # two hundred and five
        elif word in ("a", "an") and used == 0 and _next_word(text, tokens, i + 1) in _SCALES:
            group, last = 1, 1
        else:
            break
        used += 1
    return total + group, "number", used


def _next_word(text: str, tokens: list[re.Match[str]], i: int) -> str:
    """Token i as a word, if nothing but spaces or a hyphen is between it and the one before."""
    if i >= len(tokens) or not tokens[i]["word"]:
        return ""
    between = text[tokens[i - 1].end() : tokens[i].start()]
    return tokens[i]["word"].lower() if _GAP.fullmatch(between) else ""


def _plain(value: Decimal) -> str:
    return format(value.normalize(), "f")
