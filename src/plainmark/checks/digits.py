"""Numbers in words that would be quicker to read as digits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..faithfulness.kinds.number.numerals import TENS, UNITS
from ._findings import Finding, Rule, Sentence, Suggestion

_LEAST = 10  # smaller numbers read well as words
_SMALL = {word: n for word, n in UNITS.items() if n}
_TEEN = "|".join(w for w, n in _SMALL.items() if n >= 10)
_UNIT = "|".join(w for w, n in _SMALL.items() if n < 10)
_TEN = "|".join(TENS)
_BELOW_HUNDRED = rf"(?:{_TEEN}|(?:{_TEN})(?:[-‐‑ ](?:{_UNIT}))?|{_UNIT})"
_BELOW_THOUSAND = rf"(?:{_BELOW_HUNDRED}\s+hundred(?:\s+(?:and\s+)?{_BELOW_HUNDRED})?|{_BELOW_HUNDRED})"
_NUMBER = re.compile(
    rf"(?<![\w-])({_BELOW_THOUSAND})(?:\s+(thousand|million|billion|trillion)(?:\s+(?:and\s+)?({_BELOW_THOUSAND}))?)?"
    r"(?![\w’']|[-‐‑](?!year|month|week|day|hour|minute|mile|point|page|person|bed|storey|story|foot|metre|meter|percent))",
    re.IGNORECASE,
)
# "one thousand and twenty" is one number; before these it is part of an expression.
_NOT_BEFORE = re.compile(
    r"\s*(?:[-‐‑]?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|hundred|thousand|million|something|odd|fold|"
    r"thirds|quarters|fifths|tenths|hundredths|past|to (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)|o['’]clock)\b)"
)
_NOT_AFTER = re.compile(
    r"(?:\b(?:nineteen|eighteen|seventeen|sixteen|fifteen|twenty|hundred|hundreds|thousands|catch|number|point|one|or|in|by)|[-‐‑&])\s*$",
    re.IGNORECASE,
)
_RANGE = re.compile(
    rf"\b(?:{_UNIT}|{_TEEN}|{_TEN})\s+(?:and|to|or)\s+$", re.IGNORECASE
)  # a text with one of two numbers in digits looks odd
_SIGNS = (
    "eleven",
    "twelve",
    "teen",
    "ty",
    "hundred",
    "thousand",
    "illion",
)  # every number above ten contains one of these words
_AND = re.compile(r"\band\b|[-‐‑\s]+")


def _value(text: str) -> int:
    total = current = 0
    for word in filter(None, _AND.split(text.lower())):
        if word == "hundred":
            current *= 100
        else:
            current += _SMALL.get(word) or TENS.get(word, 0)
    return total + current


def _digits(sentence: Sentence) -> Iterator[Finding]:
    text = sentence.text
    if not any(sign in text for sign in _SIGNS):
        return
    opening = len(text) - len(text.lstrip(" \t“\"'‘(["))
    for match in _NUMBER.finditer(text):
        # A capital marks a name, or the beginning of a sentence that a heading may hide.
        if match.start() <= opening or not match.group().islower() or _NOT_BEFORE.match(text, match.end()):
            continue
        if _NOT_AFTER.search(text, max(match.start() - 12, 0), match.start()):
            continue
        if _RANGE.search(text, max(match.start() - 20, 0), match.start()):
            continue
        small, scale, rest = match.groups()
        value = _value(small)
        if scale:
            if rest or (scale == "thousand" and value >= 1000):
                value = value * 1000 + _value(rest) if scale == "thousand" and rest else -1
                if value < 0:
                    continue
                written = f"{value:,}"
            else:
                written = f"{value * 1000:,}" if scale == "thousand" else f"{value} {scale}"
        elif value < _LEAST + 1:
            continue
        else:
            written = f"{value:,}"
        yield Finding(
            "PM302",
            *match.span(),
            f"“{match.group()}” is quicker to read as {written}.",
            (Suggestion(written, "rule"),),
        )


RULES = (
    Rule(
        "PM302",
        "number in words",
        f"A number above {_LEAST} in words. Digits are quicker to read and to find. At the beginning of a sentence words are"
        " left alone.",
        "The trial had forty-two patients.",
        "The trial had 42 patients.",
        sentence=_digits,
        judged=(43, 51),
    ),
)
