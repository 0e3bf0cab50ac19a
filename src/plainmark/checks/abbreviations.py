"""Abbreviations that a text uses without explaining them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from .. import kernels, lexicon, wordlists
from ._findings import Finding, Rule, Text

_ABBREVIATION = re.compile(r"(?<![\w@/.&'’#-])[A-Z][A-Za-z]?[A-Z]{1,5}s?(?![\w@/&-]|\.\w|['’]?[a-z]{2})")
# Abbreviations that readers know without the full form, and words that only look like abbreviations.
_KNOWN = frozenset(
    "UK US USA EU UN UNICEF UNESCO CERN BBC NASA NATO TV PC CD DVD DNA RNA HIV AIDS PDF ID OK AM PM BC AD BCE CE GMT UTC FBI CIA CNN GPS USB SMS "
    "URL HTML FAQ CEO VIP SOS UFO IQ MP MPs PhD MD BA MA DIY ATM PIN UV NHS NBA NFL FIFA UEFA MTV NBC CBS ABC ESPN HBO IBM "
    "BMW DJ MC TNT LED LCD RAM XML HTTP HTTPS API CSS JSON CSV SQL OS IT LA NYC DC WWI WWII PR HR VAT COVID SARS AND THE "
    "MEDLINE EMBASE CINAHL GRADE CENTRAL PsycINFO LILACS MSNBC CTV PBS ITV TLC CW CBC NPR AMC NHL MLB NCAA PGA "
    "NOT FOR YOU ALL NO YES TO OF IN ON OR IF IS IT DO BE WE MY ME HE AS AT BY UP SO GO".split()
)
_ROMAN = re.compile(r"[IVXLCDM]+s?")
_INTRODUCED = re.compile(
    r"(?:[(\[](?:[A-Z][A-Za-z]*[,;]\s)*\s?|[(\[](?:the|or|also|called|known as|abbreviated(?: as| to)?|hereafter|i\.e\.,?)\s+)[“\"'‘]?$"
)
_CALLED = re.compile(
    r"(?:known as|called|abbreviated(?: as| to)?|short(?:ened)? (?:for|to)|or|acronym)[ ,:]*(?:the )?[“\"'‘]?$"
)
_EXPLAINED = re.compile(
    r"[”\"'’]?\s*(?:[(\[]\s*(?:[A-Za-z][\w'’/-]*[\s,]+){1,}|(?:,\s+)?(?:which\s+)?(?:stands|stood|is short|means|refers)\b|,\s+or\s+|,\s+(?:the|an?)\s|[–—:=]\s*[A-Za-z])"
)
_WORD = re.compile(r"[A-Za-z][a-z'’]+|[A-Z]+")
_SMALL = frozenset("of the and for in to on a an de la et with by at or from".split())
_SHOUTED = re.compile(r"\b[A-Z]{2,}\b\W+\b[A-Z]{4,}\b|\b[A-Z]{4,}\b\W+\b[A-Z]{2,}\b")


def _unexplained(text: Text) -> Iterator[Finding]:
    seen: set[str] = set()
    for k, (start, end) in enumerate(text.spans):
        for match in _ABBREVIATION.finditer(text.text, start, end):
            short = match.group().removesuffix("s")
            if short in seen:
                continue
            if short in _KNOWN or match.group() in _KNOWN or _ROMAN.fullmatch(match.group()):
                continue
            if _is_name_part(text.text, match.start(), match.end(), start) or _is_word(short):
                continue
            if _is_shouted(
                text.text[max(match.start() - 30, start) : min(match.end() + 30, end)], match.group()
            ):
                continue
            seen.add(short)
            if _is_explained(text.text, match.start(), match.end(), short):
                continue
            yield Finding(
                "PM104",
                match.start(),
                match.end(),
                f"“{match.group()}” is not explained where it is first used. Write out what it stands for.",
                sentence=k,
            )


_STATES = frozenset(
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD "
    "TN TX UT VT VA WA WV WI WY DC ON BC QC AB NSW".split()
)
_CAPITALISED = re.compile(r"\s[A-Z][a-z]+")
_NAMED = re.compile(r"(?:[A-Z][\w’'-]*|\b(?:code|symbol|symbols|abbreviation))[ \xa0]$")
_EASY = 1500  # rank of the commonest words up to which a word in capitals is an emphasised word
_SPELT = 5  # letters from which on a word of the lexicon is a word or a name rather than an abbreviation
_NOT_WORDS = frozenset("WHO ART AIM".split())


def _is_name_part(text: str, start: int, end: int, first: int) -> bool:
    """Whether it is part of a name ("FC Porto"), or a state or an honour after a comma."""
    if start > first and _CAPITALISED.match(text, end):
        return True
    if start > first and _NAMED.search(text, max(start - 30, first), start):
        return True
    return text.endswith(", ", 0, start) and (text[start:end] in _STATES or text[end : end + 1] == ",")


def _is_word(short: str) -> bool:
    """Whether it is a common word in capitals, such as STOP."""
    if short in _NOT_WORDS or len(short) < 3:
        return False
    if len(short) >= _SPELT and lexicon.is_known(short.lower()):
        return True
    rank = int(wordlists.ranks(kernels.tokenize([short.lower()], "space").hashes)[0])
    return 0 <= rank < _EASY


def _is_shouted(around: str, word: str) -> bool:
    """Whether a word is part of a text in capitals."""
    return any(word in shouted.group() for shouted in _SHOUTED.finditer(around))


def _is_explained(text: str, start: int, end: int, short: str) -> bool:
    before = text[max(start - 40, 0) : start]
    if _INTRODUCED.search(before) or _CALLED.search(before) or _EXPLAINED.match(text, end):
        return True
    return _spelled_out(text[max(start - 5000, 0) : start], short) or _spelled_out(
        text[end : end + 80], short
    )


@lru_cache(1024)
def _spelled_out(text: str, short: str) -> bool:
    """Whether the text contains words whose first letters form the abbreviation, with or without small words."""
    letters = short.lower()
    words = [w.lower() for w in _WORD.findall(text)]
    for candidates in (words, [w for w in words if w not in _SMALL]):
        if letters in "".join(w[0] for w in candidates):
            return True
    return False


RULES = (
    Rule(
        "PM104",
        "abbreviation not explained",
        "An abbreviation that the text does not spell out where it first uses it. Write the full form first and the abbreviation in"
        " brackets, or do without it. Some that everybody knows, such as UK or DNA, are left alone.",
        "Patients with COPD felt better.",
        "Patients with chronic obstructive pulmonary disease (COPD) felt better.",
        text=_unexplained,
        judged=(86, 100),
    ),
)
