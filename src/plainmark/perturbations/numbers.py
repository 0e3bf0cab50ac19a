"""Change numbers: every figure is wrong by a little.

To a number is added 1, 2, 3, 4 or 5, in the form in which it is written: 59 million -> 64 million, 1,998 -> 2,001,
3.7 % -> 5.7 %, twelve -> fifteen, 3rd -> 5th. Dates, years, identifiers (COVID-19, NCT0123, type 2, 1.2.3) and words that
are often no numbers ("one", "first") are not eligible. Strength is the share of the eligible numbers that were changed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from . import EditPerturbation, EditPlan, Replacement, TextDocument, pick, shuffled
from ._figures import numbers
from ._mentions import Mention

MOST = 5

_DIGITS = re.compile(r"\d[\d,\u00a0\u202f\u2009]*(?:\.\d+)?|\.\d+")
_SUFFIX = re.compile(r"(?:st|nd|rd|th)\b")
# What makes a number part of a name: a letter, or a letter and a hyphen, before it; a letter right after it.
_NAME_BEFORE = re.compile(r"[^\W\d_]['’]?[-‐‑–/_.]?$|[_#@/\\^]$|\d[./:]$|\$$^")
_NAME_AFTER = re.compile(r"[./:]\d|_|\^")
_LABEL = re.compile(
    r"\b(?:type|types|phase|figure|figures|fig|table|tables|section|chapter|version|stage|grade|class|level|number|no|nos"
    r"|step|appendix|equation|eq|page|pages|pp|vol|volume|issue|article|rule|route|room|group|arm|cohort|study|aim|doi"
    r"|pmid|isbn|omega)\.?\s*[(\[]?$",
    re.IGNORECASE,
)
_CITATION = re.compile(r"\[\s*\d+(?:\s*[,;–-]\s*\d+)*\s*\]")

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SCALES = {"trillion": 10**12, "billion": 10**9, "million": 10**6, "thousand": 1000, "hundred": 100}
_ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
             "twelve": "twelfth"}  # fmt: skip


@dataclass(frozen=True)
class Numbers(EditPerturbation):
    """Adds 1 to 5 to numbers, in figures and in words."""

    criterion = "faithfulness"

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        mentions = eligible(document.text)
        plus = [1 + pick(MOST, rng) for _ in mentions]
        edits = [(_changed(m, k),) for m, k in zip(mentions, plus, strict=True)]
        order = shuffled(len(edits), rng)
        return EditPlan(
            [edits[i] for i in order], len(edits), "" if edits else "no numbers that may be changed"
        )


def eligible(text: str) -> list[Mention]:
    """The numbers of a text that are figures and not dates, years or parts of names."""
    citations = [m.span() for m in _CITATION.finditer(text)]
    return [
        m for m in numbers(text) if _is_figure(text, m) and not any(a <= m.start < b for a, b in citations)
    ]


def _is_figure(text: str, mention: Mention) -> bool:
    if mention.weak or mention.key[0] not in ("number", "percent", "ordinal"):
        return False
    if not mention.text[0].isdigit() and mention.text[0] != ".":
        return True
    before, after = text[max(0, mention.start - 24) : mention.start], text[mention.end : mention.end + 2]
    if _NAME_BEFORE.search(before) or _NAME_AFTER.match(after) or _LABEL.search(before):
        return False
    written = _DIGITS.match(mention.text)
    if written is None or re.match(r"[^\W\d_]", text[mention.end : mention.end + 1]):
        return _UNIT.match(text, mention.end) is not None and written is not None
    plain = mention.text.isdigit()
    return not (plain and _is_year(mention.text)) and not (plain and len(mention.text) > 6)


# Units that people write without a space: 5mg, 10km, 3x.
_UNIT = re.compile(
    r"(?:[mkµun]?g|[mkc]?m|[mµd]?l|kcal|h|hr|hrs|min|s|ms|x|k|y|yr|yrs|°?C|mmHg|mm|IU|Hz|kHz|MHz|GB|MB)\b"
)


def _is_year(digits: str) -> bool:
    return len(digits) == 4 and 1500 <= int(digits) <= 2100


def _changed(mention: Mention, plus: int) -> Replacement:
    """The number with so much added."""
    written = _DIGITS.match(mention.text)
    if written is None:
        return _changed_words(mention, plus)
    old = written.group().rstrip(",\u00a0\u202f\u2009")
    end = mention.start + len(old)
    bare = re.sub(r"[,\u00a0\u202f\u2009]", "", old)
    value = Decimal(bare) + plus
    separator = next((c for c in old if c in ",\u00a0\u202f\u2009"), "")
    new = f"{value:,f}".replace(",", separator) if separator else f"{value:f}"
    if bare.isdigit() and bare.startswith("0") and len(bare) > 1:
        new = new.zfill(len(bare))
    suffix = _SUFFIX.match(mention.text, len(old))
    if suffix:
        new, end = new + _ordinal_suffix(int(value)), end + len(suffix.group())
    return Replacement(mention.start, end, new)


def _changed_words(mention: Mention, plus: int) -> Replacement:
    percent = re.search(r"\s*(?:%|per\s?cent.*)$", mention.text, re.IGNORECASE)
    words = mention.text[: percent.start()] if percent else mention.text
    value = int(Decimal(mention.key[1]))
    last = re.split(r"[\s-]+", words.lower())[-1]
    value += plus * _SCALES.get(last, 1)
    new = _spelt(value)
    if mention.key[0] == "ordinal":
        new = _ordinal(new)
    if words[0].isupper():
        new = new[0].upper() + new[1:]
    return Replacement(mention.start, mention.start + len(words), new)


def _spelt(value: int) -> str:
    """A whole number in words."""
    if value < 20:
        return _ONES[value]
    if value < 100:
        tens, ones = divmod(value, 10)
        return _TENS[tens - 2] + (f"-{_ONES[ones]}" if ones else "")
    name, scale = next((n, s) for n, s in _SCALES.items() if value >= s)
    many, rest = divmod(value, scale)
    joint = " and " if rest and rest < 100 and scale == 100 else " "
    return f"{_spelt(many)} {name}" + (f"{joint}{_spelt(rest)}" if rest else "")


def _ordinal(words: str) -> str:
    head, hyphen, last = words.rpartition("-") if "-" in words.split(" ")[-1] else words.rpartition(" ")
    if last in _ORDINALS:
        new = _ORDINALS[last]
    elif last.endswith("y"):
        new = f"{last[:-1]}ieth"
    else:
        new = f"{last}th"
    return f"{head}{hyphen}{new}"


def _ordinal_suffix(value: int) -> str:
    if value % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
