"""Change numbers: every figure becomes slightly wrong, but remains possible.

A number is increased by 1, 2, 3, 4 or 5 in the notation of the text: 59 million -> 64 million, 1,998 -> 2,001,
3.7 kg -> 5.7 kg, twelve -> fifteen. A number that would become impossible changes in its last digit, or is decreased: a
share or a p-value stays below 1 (0.56 -> 0.59), a percentage at most 100, the ends of a range move apart and an estimate
stays within its confidence interval. Not eligible are dates, years, ordinals, ratios, levels of confidence, the number 1
("1 patient"), numbers in names (COVID-19, NCT0123, type 2, 5-HT, 12-lead) and words that are often not numbers ("one").
Strength is the share of the eligible numbers that were changed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from .. import lexicon
from . import EditPerturbation, EditPlan, Replacement, TextDocument, pick, shuffled
from ._figures import Mention, numbers

MOST = 5

_SEPARATORS = ",\u00a0\u202f\u2009"
_DIGITS = re.compile(rf"\d[\d{_SEPARATORS}]*(?:\.\d+)?|\.\d+")
# A letter, or a letter and a mark, directly before a number makes it part of a name.
_NAME_BEFORE = re.compile(
    r"(?:[^\W\d_]['’]?|\))[-‐‑–/_.+]?$|[_#@/\\^*×+]\s?$|\b[xX]\s$|\d[./:]$|\d\s?:\s?$|\d['′’]-?$"
)
_NAME_AFTER = re.compile(r"[A-Z]\s?(?:→|>|-->)|[./:]\d|,[A-Z]|\s?:\s?\d|[_^(\[*+'′]|\s?[×x*]\s?10|[⁰-⁹²³¹]")
_LABEL = re.compile(
    r"\b(?:types?|phases?|figures?|fig|tables?|sections?|chapters?|versions?|stages?|grades?|class|classes|levels?|numbers?|nos?"
    r"|steps?|appendix|equation|eq|pages?|pp|vol|volume|issue|article|rule|route|room|groups?|arms?|cohorts?|stud(?:y|ies)|aims?"
    r"|doi|pmid|isbn|omega|experiments?|cases?|parts?|models?|questions?|hypothes[ie]s|factors?|chromosomes?|exons?|rounds?|waves?"
    r"|dimension|axis|trials?|objectives?|category|categories|tiers?|zones?|lines?|series|sars|covid|coronavirus|cov|vitamins?"
    r"|serotype|subtype|genotypes?|interleukin|coenzyme|base|ph|receptors?|helper|proteins?|kinases?|antigens?|genes?|markers?|isoforms?"
    r"|caspase|peptides?|domains?|variants?|subunits?|virus|complex|channels?|ligands?|claudin|cytokeratin|transporter|exposure|dose"
    r"|channel|collagen|apolipoprotein|sterile|schedule|criterion|criteria|item|items|patient|subject|visit|world war|title|block)\.?\s*[(\[]?(?:\d+\s*(?:,|and|or|to|[-–/])\s*(?:and\s+)?)*$",
    re.IGNORECASE,
)
# Abbreviations that a figure follows; after others ("CA 125", "SF 36"), a number is part of the name.
_STATISTICS = frozenset(
    "HR OR RR CI SD SE SMD MD WMD IQR AUC BMI PPV NPV IRR AOR AHR ROR CV ICC VAS NNT AND TO N P".split()
)
_ABBREVIATION = re.compile(r"\b([A-Z][A-Za-z]*[A-Z][A-Za-z]*)\s+\(?$")
# A name inside a sentence that contains a number: "the Noor 2 plant".
_NAMED = re.compile(r"\b(?:the|a|an|of|in|at|from|on)\s+[A-Z][a-z]+\s+$")
_CITATION = re.compile(r"\[\s*\d+(?:\s*[,;–-]\s*\d+)*\s*\]")
_ENUMERATION = re.compile(r"(?:^|[\s(;,])\(?$")
_CONFIDENCE = re.compile(
    r"\s*(?:%|per\s?cent)?\s*[-‐‑–]?\s*\(?(?:CIs?\b|C\.I\.|confidence|credible|CrIs?\b|prediction)",
    re.IGNORECASE,
)
# Hyphenated words that a figure counts; all others ("5-HT", "12-lead") form a name.
_COUNTED = (
    r"(?:(?:milli|kilo|centi)?(?:second|minute|hour|day|night|week|month|year|meter|metre|gram|gramme|liter|litre|mile|fold|mg|g|kg|ml"
    r"|mm|cm|km|h|min|point|item|bed|patient|person|dose|session)s?)\b"
)
_UNIT = re.compile(
    r"(?:[mkµμun]?g|[mkc]?m|[mµμd]?[lL]|kcal|h|hr|hrs|min|s|ms|k|y|yr|yrs|°?C|mmHg|mm|IU|Hz|kHz|MHz|GB|MB)\b"
)
_COUNTED_AFTER = re.compile(rf"[-‐‑]{_COUNTED}", re.IGNORECASE)
_COMPOUND_AFTER = re.compile(r"[-‐‑–—](?=[^\W\d_]|\d*[^\W\d_])|['’]")
# The base of a rate ("per 1000 people", "one in 10,000"), and a note after the last word ("severe disease 1-4.").
_BASIS = re.compile(r"\bper\s+$|\b(?:one|1)\s+(?:in|out of|of)\s+$", re.IGNORECASE)
_NOTE = re.compile(r"\b([a-z]{4,})\s(?:\d{1,2}\s?[-–,]\s?)*$")
_NOTE_END = re.compile(r"(?:\s?[-–,]\s?\d{1,2})*\.(?:\s|$)")
_SHARED_PERCENT = re.compile(r"(?:\s*(?:,|and|or|to|vs\.?|versus|[-–])\s*\d+(?:\.\d+)?)*\s?%")
_BETWEEN = re.compile(r"\b(?:between|from|range[ds]?|CI|CrI|IQR|interval)\b[^.;]{0,12}$", re.IGNORECASE)
_P_VALUE = re.compile(r"\bp(?:\s*-?\s*values?)?(?:\s+of)?\s*[=<>≤≥⩽⩾]*\s*$", re.IGNORECASE)
_ESTIMATE_CI = re.compile(
    r"\s*%?\s*[,;(\[]+\s*(?:9[059](?:\.\d)?\s*%\s*)?(?:CI|confidence|CrI)", re.IGNORECASE
)
_TESLA = re.compile(r"\s*-?T(?:esla)?\b")

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SCALES = {"trillion": 10**12, "billion": 10**9, "million": 10**6, "thousand": 1000, "hundred": 100}


@dataclass(frozen=True)
class Numbers(EditPerturbation):
    """Changes numbers by 1 to 5, in digits and in words, so that they remain possible."""

    criterion = "faithfulness"

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        mentions = eligible(document.text)
        edits = []
        for mention in mentions:
            step = 1 + pick(MOST, rng)
            if edit := _changed(document.text, mention, mentions, step):
                edits.append((edit,))
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
    if mention.weak or mention.key[0] not in ("number", "percent"):
        return False
    before, after = text[max(0, mention.start - 40) : mention.start], text[mention.end : mention.end + 24]
    if _CONFIDENCE.match(after) or _LABEL.search(before) or _COMPOUND_AFTER.match(after):
        return (
            bool(_COUNTED_AFTER.match(after))
            and not _LABEL.search(before)
            and not _NAME_BEFORE.search(before)
        )
    if _BASIS.search(before) or _is_note(before, after):
        return False
    if not mention.text[0].isdigit() and mention.text[0] != ".":
        return mention.key[1] not in ("0", "1") and not re.search(r"[-‐‑]$", before)
    if _NAME_BEFORE.search(before) or _NAME_AFTER.match(after) or _TESLA.match(after):
        return False
    if before[-1:] in "-‐‑−–" and not re.search(r"\d\s*%?[-‐‑−–]$", before):
        return False  # a sign
    if _NAMED.search(before):
        return False
    abbreviation = _ABBREVIATION.search(before)
    if abbreviation and abbreviation[1].upper() not in _STATISTICS:
        return False
    if re.match(r"[^\W\d_]", after) and not _UNIT.match(after):
        return False
    written = _DIGITS.match(mention.text)
    if written is None or not mention.text.isdigit():
        return written is not None
    if (
        after[:1] in (")", ".")
        and _ENUMERATION.search(before)
        and int(mention.text) < 10
        and before.rstrip()[-1:] not in "=<>"
    ):
        return False  # (1), 2)
    return not _is_year(mention.text) and len(mention.text) <= 6 and mention.text != "1"


def _is_note(before: str, after: str) -> bool:
    """Whether a number is the mark of a footnote that is no longer in superscript."""
    word = _NOTE.search(before)
    return bool(word and _NOTE_END.match(after) and lexicon.is_noun(word[1]) and not lexicon.is_verb(word[1]))


def _is_year(digits: str) -> bool:
    return len(digits) == 4 and 1500 <= int(digits) <= 2100


def _changed(text: str, mention: Mention, mentions: list[Mention], step: int) -> Replacement | None:
    """The number, changed by `step`; None if no change leaves it possible."""
    written = _DIGITS.match(mention.text)
    if written is None:
        return _changed_words(text, mention, mentions, step)
    old = written.group().rstrip(_SEPARATORS)
    bare = re.sub(f"[{_SEPARATORS}]", "", old)
    value = Decimal(bare)
    new = _possible(text, mention, mentions, value, step)
    if new is None or new == value:
        return None
    separator = next((c for c in old if c in _SEPARATORS), "")
    digits = f"{new:,f}".replace(",", separator) if separator else f"{new:f}"
    if bare.startswith("."):
        digits = digits.removeprefix("0")
    if bare.isdigit() and bare.startswith("0") and len(bare) > 1:
        digits = digits.zfill(len(bare))
    return Replacement(mention.start, mention.start + len(old), digits)


def _possible(
    text: str, mention: Mention, mentions: list[Mention], value: Decimal, step: int
) -> Decimal | None:
    """Another value that is possible at this place."""
    before, after = text[max(0, mention.start - 30) : mention.start], text[mention.end : mention.end + 40]
    exponent = value.as_tuple().exponent
    last = Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)
    small = value < 1 or bool(_P_VALUE.search(before))
    unit = last if small else Decimal(1)
    place = mentions.index(mention)
    lower = upper = None
    if place + 1 < len(mentions) and _joins(text, mention, mentions[place + 1]):
        lower = True
    if place and _joins(text, mentions[place - 1], mention):
        upper = True
    if lower and not upper:
        new = value - step * unit
        return new if new > 1 or (0 < new < 1 and value < 1) else None
    percent = mention.key[0] == "percent" or _SHARED_PERCENT.match(after)
    top = Decimal(1) - last if value < 1 else Decimal(100) if percent else None
    bounds = _interval(text, mention, mentions[place + 1 :]) if _ESTIMATE_CI.match(after) else None
    if bounds:
        for new in (value + step * unit, value - step * unit, value + step * last, value - step * last):
            if bounds[0] <= new <= bounds[1]:
                return new
        return None
    new = value + step * unit
    if top is not None and new > top:
        new = value - step * unit
    return new if new > 0 else None


def _joins(text: str, first: Mention, second: Mention) -> bool:
    """Whether two numbers are the ends of a range."""
    between = text[first.end : second.start]
    if re.fullmatch(r"\s*%?\s*(?:[-‐‑–—−]|to)\s*", between, re.IGNORECASE):
        return True
    return bool(
        re.fullmatch(r"\s*%?\s*(?:and|,|;)\s*", between)
        and _BETWEEN.search(text[max(0, first.start - 30) : first.start])
    )


def _interval(text: str, estimate: Mention, rest: list[Mention]) -> tuple[Decimal, Decimal] | None:
    """The ends of the interval that follows an estimate."""
    ends = [m for m in rest[:2] if m.start - estimate.end < 60]
    if len(ends) < 2:
        return Decimal(0), Decimal(0)
    low, high = (Decimal(m.key[1]) for m in ends)
    return low, high


def _changed_words(text: str, mention: Mention, mentions: list[Mention], step: int) -> Replacement | None:
    percent = re.search(r"\s*(?:%|per\s?cent.*)$", mention.text, re.IGNORECASE)
    words = mention.text[: percent.start()] if percent else mention.text
    value = int(Decimal(mention.key[1]))
    last = re.split(r"[\s-]+", words.lower())[-1]
    change = step * _SCALES.get(last, 1)
    place = mentions.index(mention)
    if place + 1 < len(mentions) and _joins(text, mention, mentions[place + 1]):
        if value - change < 2:
            return None
        change = -change  # the ends of a range move apart
    new = _spelt(value - change if percent and value + change > 100 else value + change)
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
