"""Inflects words by rule, so that a suggestion has the form of the word that it replaces."""

from __future__ import annotations

import re

_VOWELS = "aeiou"
_AN = re.compile(r"[aeiou]|hour|honest|honou?r|heir", re.IGNORECASE)
_A = re.compile(r"uni(?!n|m)|use|usu|uti|eu|one\b|once|ubiq|ura|uk\b|us\b", re.IGNORECASE)
_ARTICLE = re.compile(r"(?<![\w'’-])(an?)(\s+)$", re.IGNORECASE)


def plural(noun: str) -> str:
    """The regular plural of the last word of a noun.

    >>> plural("study"), plural("illness"), plural("side effect"), plural("person")
    ('studies', 'illnesses', 'side effects', 'people')
    """
    *before, last = noun.split(" ")
    if last == "person":
        last = "people"
    elif last.endswith(("s", "x", "z", "ch", "sh")):
        last += "es"
    elif last.endswith("y") and last[-2:-1] not in _VOWELS:
        last = last[:-1] + "ies"
    else:
        last += "s"
    return " ".join([*before, last])


def alike(written: str, term: str, better: str) -> str:
    """`better` in the form of `term` that the text has (`written`): a plural, or a regular form of a verb.

    >>> alike("utilised", "utilise", "use"), alike("apparatuses", "apparatus", "machine"), alike("Owls", "owl", "bird")
    ('used', 'machines', 'birds')
    """
    old, base = written.lower(), term.lower()
    if old == base:
        return better
    first, _, rest = better.partition(" ")
    rest = f" {rest}" if rest else ""
    if old.endswith("ing"):
        stem = first[:-1] if first.endswith("e") and not first.endswith("ee") else first
        return f"{stem}ing{rest}"
    if old.endswith("d") and not base.endswith("d"):
        return (
            first + "d"
            if first.endswith("e")
            else first[:-1] + "ied"
            if first.endswith("y") and first[-2:-1] not in _VOWELS
            else first + "ed"
        ) + rest
    return plural(better) if old.endswith("s") else better


def cased(better: str, written: str) -> str:
    """`better` with the capitals of what it replaces: all of them, or the first.

    >>> cased("use", "Utilise"), cased("use", "UTILISE"), cased("UK", "britain")
    ('Use', 'USE', 'UK')
    """
    letters = [c for c in written if c.isalpha()]
    if len(letters) > 3 and all(map(str.isupper, letters)) and better.islower():
        return better.upper()
    return better[:1].upper() + better[1:] if written[:1].isupper() else better


def article(word: str) -> str:
    """The article that precedes a word."""
    return "an" if _AN.match(word) and not _A.match(word) else "a"


def with_article(text: str, start: int, better: str) -> tuple[int, str]:
    """Where a replacement begins, and its text, if the article in front of it must change: "an individual", "a person".

    >>> with_article("See an individual.", 7, "person")
    (4, 'a person')
    """
    match = _ARTICLE.search(text, max(start - 10, 0), start)
    if not match or not better[:1].isalpha():
        return start, better
    right = article(better)
    if right == match[1].lower():
        return start, better
    return match.start(), cased(right, match[1]) + match[2] + better
