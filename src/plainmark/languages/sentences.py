"""Sentences of a text: it is split after . ! ? … unless the sentence continues after an abbreviation, an initial or an
ordinal.

A split needs white space after the mark (and after closing quotation marks), and no lower-case letter after that. A blank
line ends a sentence too. docs/laboratory.md says how often that is right.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import Language

_PARAGRAPH = re.compile(r"\n\s*\n")
_CLOSING = "\"'”’»«“)]›‹"
_MARK = re.compile(rf"([.!?…]+)[{re.escape(_CLOSING)}]*(\s+)(?=\S)")
_TOKEN = re.compile(r"[^\s(\[„“\"«»‚‘–—]+$")
_OPENING = re.compile(r"[\s\"'“”„«»‚‘’(\[¿¡–—‹›-]*")
_ORDINAL = re.compile(r"\d{1,2}|[IVX]+")
_AFTER_QUOTE = tuple("とっなのはがをにでも、")  # marks that connect a quotation with the sentence around it
_LONGEST = 400  # longest sentence in Japanese or Chinese, in characters
_LIST_ITEM = re.compile(r"\s*(?:\d{1,3}|[A-Za-z])")
# Abbreviations only before a number; elsewhere they are words: "Art. 5", but "Fragen dieser Art. Sie".
_BEFORE_NUMBERS = frozenset(("art", "mar", "no", "par", "wo"))
# After these, a sentence usually ends if a capital letter follows.
_OFTEN_LAST = frozenset(("etc", "ecc", "enz", "usw", "usf", "т.д", "т.п", "др"))


def split(text: str, language: Language) -> list[str]:
    """The sentences of a text, without the white space around them."""
    sentences = []
    for paragraph in _PARAGRAPH.split(text):
        start = 0
        for match in _MARK.finditer(paragraph):
            if _is_end(paragraph, start, match, language):
                sentences.append(paragraph[start : match.start(2)].strip())
                start = match.end(2)
        sentences.append(paragraph[start:].strip())
    return [sentence for sentence in sentences if any(map(str.isalnum, sentence))]


# Japanese and Chinese: marks that end a sentence, and brackets inside which they do not.
_FULL_STOP = re.compile("[。！？!?｡]+[」』）)”’〉》】]*")
_BRACKETS = {**dict.fromkeys("「『（(“〈《【", 1), **dict.fromkeys("」』）)”〉》】", -1)}


def split_unspaced(text: str) -> list[str]:
    """The sentences of a text without spaces; text in quotation marks belongs to the sentence around it."""
    sentences = []
    for line in text.splitlines():
        start = depth = seen = 0
        for match in _FULL_STOP.finditer(line):
            depth += sum(_BRACKETS.get(c, 0) for c in line[seen : match.end()])
            seen = match.end()
            # A bracket that is never closed must not hide the rest.
            goes_on = line[match.end() : match.end() + 1] in _AFTER_QUOTE and match[0][-1] not in "。！？!?｡"
            if (depth <= 0 and not goes_on) or match.end() - start > _LONGEST:
                sentences.append(line[start : match.end()].strip())
                start, depth = match.end(), 0
        sentences.append(line[start:].strip())
    return [sentence for sentence in sentences if any(map(str.isalnum, sentence))]


def _is_end(text: str, start: int, match: re.Match[str], language: Language) -> bool:
    """Whether a sentence ends at a mark."""
    opening = _OPENING.match(text, match.end())
    place = opening.end() if opening else match.end()
    follower = text[place : place + 1]
    if follower.islower():
        return False
    if match[1] in ("…", "...") and text[match.end() : match.end() + 1] in "–—-,;:/)>":  # "Format… – Absatz"
        return False
    if match[1] != ".":
        return True
    match_before = _TOKEN.search(text, start, match.start())
    token = match_before[0].lstrip("'’") if match_before else ""
    lower = token.lower()
    if lower in _OFTEN_LAST:
        return follower.isupper()
    if lower in _BEFORE_NUMBERS:
        return not follower.isdigit()
    if lower in language.abbreviations and not (len(token) > 1 and token.isupper()):  # "OK" is not "ok."
        return False
    if re.fullmatch(r"(?:[^\W\d_]{1,4}\.)+[^\W\d_]{1,4}", token):  # z.B, u.s.w
        return False
    if _LIST_ITEM.fullmatch(text, start, match.start()):  # "1. Introduction"
        return False
    # "am 3. Mai": a period makes an ordinal of a number.
    return not (language.rules.get("ordinals", False) and _ORDINAL.fullmatch(token))
