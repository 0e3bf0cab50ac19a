"""Parts of speech, and base forms of words by their spelling."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Parts of speech; function words have only their own base forms and synonyms.
NOUN, VERB, ADJECTIVE, ADVERB, FUNCTION, ANY = 1, 2, 4, 8, 16, 31
# Bits for parts of speech in numbers that also contain other data.
SHIFT = 5
# Endings of inflected forms, their replacements in the base form, and the parts of speech they belong to.
_ENDINGS = (
    *(("ies", "y", NOUN | VERB), ("sses", "ss", NOUN | VERB), ("ves", "f", NOUN), ("ves", "fe", NOUN)),
    *(("men", "man", NOUN), ("es", "e", NOUN | VERB), ("s", "", NOUN | VERB), ("es", "", NOUN | VERB)),
    *(("ied", "y", VERB), ("ed", "e", VERB), ("ed", "", VERB), ("ing", "e", VERB), ("ing", "", VERB)),
    *(("ier", "y", ADJECTIVE), ("iest", "y", ADJECTIVE), ("er", "e", ADJECTIVE), ("est", "e", ADJECTIVE)),
    *(("er", "", ADJECTIVE), ("est", "", ADJECTIVE)),
)
_DOUBLED = re.compile(r"(.*[aeiouy]([bdfgklmnprtvz]))\2(ed|ing|er|est)")
# Spellings of words that the lexicon may have in another form.
_SPELLINGS = (("is", "iz"), ("our", "or"), ("ae", "e"), ("oe", "e"), ("ll", "l"), ("-", ""))


def by_rule(word: str, flag: Flags) -> Iterator[tuple[str, int]]:
    """Base forms by their spelling, with their parts of speech.

    The word itself comes first if it is a base form, then the rest without an ending.
    """
    own = flag(word)
    if own:
        yield word, own
        if own & FUNCTION:
            return
    doubled = _DOUBLED.fullmatch(word)
    if doubled:
        parts = flag(doubled[1]) & (VERB if doubled[3] in ("ed", "ing") else ADJECTIVE)
        if parts:
            yield doubled[1], parts
    seen = {word}
    for ending, new, possible in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            form = word[: -len(ending)] + new
            parts = flag(form)
            if (
                parts & possible
                and form not in seen
                # "Owner" is not the comparative of "own"; comparatives that are also other words are in the table of forms.
                and not (own and possible == ADJECTIVE)
                and not parts & FUNCTION
                and not (ending == "s" and form[-1] == "s")
            ):
                seen.add(form)
                yield form, parts & possible


class Flags:
    """Parts of speech by word, 0 for words that are not listed."""

    def __init__(self, number: dict[str, int], flags: bytes) -> None:
        self._number = number
        self._flags = flags

    def __call__(self, word: str) -> int:
        number = self._number.get(word)
        return 0 if number is None else self._flags[number]


def respelled(word: str) -> Iterator[str]:
    """Other spellings of a word."""
    for old, new in _SPELLINGS:
        if old in word[1:]:
            yield word[0] + word[1:].replace(old, new)


def singular(word: str) -> str:
    """A word that is not in the lexicon, without a plural ending."""
    if len(word) < 4 or not word.isalpha() or word.endswith(("ss", "us", "is")) or word[-1] != "s":
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("sses", "xes", "ches", "shes")) else word[:-1]
