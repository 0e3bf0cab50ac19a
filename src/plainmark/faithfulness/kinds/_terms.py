"""Finds the terms of a text and their classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from ... import lexicon
from ..passage import Passage, Word
from . import Mention
from ._spelling import is_acronym
from ._term_words import ADJECTIVES, CLASSES, GENERAL, LETTERED, LEXICON, REGIONS, STEMS

_PHRASE = 3
_SHORT_DRUG = 7


def terms(passage: Passage) -> list[Mention]:
    """The terms of a text in order; those inside longer ones are weak."""
    words = passage.words
    out: list[Mention] = []
    i = 0
    while i < len(words):
        term = _term_at(passage, i)
        if term is None:
            i += 1
            continue
        end, value = term
        out.append(Mention(words[i].start, words[end - 1].end, i, end - 1, value))
        if end - i > 1 and not value[0].endswith("…"):
            out += _nested(words, range(i, end))
        i = end
    return out


def _term_at(passage: Passage, i: int) -> tuple[int, tuple[str, str]] | None:
    """The term that begins at a word: the index after it, its class and its base form."""
    words = passage.words
    word = words[i]
    if not word.content or not word.text[0].isalpha():
        return None
    if word.lower in LETTERED and (term := _lettered(words, i)):
        return term
    if is_acronym(word.text) or (
        word.text[0].isupper() and i > passage.first_word[word.sentence] and _is_name(words, i)
    ):
        return None
    parts = [word.lower]
    for k in range(i + 1, min(i + _PHRASE, len(words))):
        if words[k].sentence != word.sentence or not words[k].text[0].isalpha() or words[k].text[0].isupper():
            break
        parts.append(words[k].lower)
    for n in range(len(parts), 0, -1):
        if words[i + n - 1].content and (value := _classified(" ".join(parts[:n]))):
            return i + n, value
    return None


def _nested(words: Sequence[Word], within: range) -> Iterator[Mention]:
    """Terms inside a longer one: "heart" in "heart failure". They are compared but not listed."""
    for i in within:
        if value := _classified(words[i].lower):
            yield Mention(words[i].start, words[i].end, i, i, value, weak=True)


def _is_name(words: Sequence[Word], i: int) -> bool:
    """Whether a neighbour is capitalised as well."""
    return any(0 <= k < len(words) and words[k].text[0].isupper() for k in (i - 1, i + 1))


def _lettered(words: Sequence[Word], i: int) -> tuple[int, tuple[str, str]] | None:
    """Terms with a letter: hepatitis B, vitamin B12, group A."""
    if i + 1 >= len(words) or words[i + 1].sentence != words[i].sentence:
        return None
    letter = words[i + 1].text
    if (
        len(letter) > 1
        or not letter.isupper()
        or (letter == "A" and words[i].lower not in ("vitamin", "hepatitis", "influenza"))
    ):
        return None
    end, name = i + 2, letter.lower()
    if end < len(words) and words[end].text.isdigit() and words[end].start == words[end - 1].end:
        name += words[end].text
        end += 1
    return end, (f"{words[i].lower} …", f"{words[i].lower} {name}")


@lru_cache(50_000)
def _classified(term: str) -> tuple[str, str] | None:
    """The class of a term and its base form; None for words in general use."""
    plain = lexicon.base(term)
    plain = ADJECTIVES.get(plain, plain)
    if plain in CLASSES:
        return CLASSES[plain], plain
    if plain in GENERAL or term in GENERAL:
        return None
    term_class = LEXICON.get(lexicon.term_class(plain if term in ADJECTIVES else term) or "")
    if term_class is None and len(plain) > _SHORT_DRUG and " " not in plain and plain.endswith(STEMS):
        term_class = "substance"
    return None if term_class is None or plain.split()[-1] in REGIONS else (term_class, plain)
