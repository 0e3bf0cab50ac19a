"""Single words: their letters, their frequency, and whether two are spellings of the same word."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from ... import kernels, lexicon, wordlists

_UNLISTED = 10**6
# Words of the lexicon that, when capitalised, are almost always names.
_FIRST_OF_ALL_NAMES = frozenset(
    "smith jane jack john tom harry jones nato peter charlie macron google twitter facebook microsoft".split()
)


@lru_cache(50_000)
def fold(word: str) -> str:
    """A word in small letters without accents, stops and a possessive."""
    plain = unicodedata.normalize(
        "NFKD", word.casefold().replace("ø", "o").replace("ł", "l").replace("æ", "ae")
    )
    letters = "".join(c for c in plain if not unicodedata.combining(c) and c != ".")
    return letters or word


@lru_cache(50_000)
def part(word: str) -> str:
    """A word of a name in plain small letters; acronyms in the singular."""
    plain = fold(word)
    return plain[:-1] if plain.endswith("s") and word[-1] == "s" and is_acronym(word) else plain


@lru_cache(50_000)
def common(word: str) -> bool:
    """Whether a word (in lower case) is in general use, and so is not a name by itself."""
    return word not in _FIRST_OF_ALL_NAMES and lexicon.is_known(word)


def is_acronym(text: str) -> bool:
    """Whether a word is written like NATO, U.S., NSAIDs or mRNA."""
    bare = text.replace(".", "")
    if len(bare) > 2 and bare.endswith("s"):
        bare = bare[:-1]
    return len(bare) > 1 and (bare.isupper() or (bare[1:].upper() == bare[1:] and bare[-1].isupper()))


def alike(a: Sequence[object], b: Sequence[object]) -> bool:
    """Whether two names look like spellings of one: a letter inserted, deleted, replaced, or two letters exchanged."""
    if len(a) != len(b):
        return False
    differing = [(str(x), str(y)) for x, y in zip(a, b, strict=True) if x != y]
    if len(differing) != 1:
        return False
    first, second = differing[0]
    start = 0
    while start < min(len(first), len(second)) and first[start] == second[start]:
        start += 1
    end = 0
    while end < min(len(first), len(second)) - start and first[-1 - end] == second[-1 - end]:
        end += 1
    left, right = first[start : len(first) - end], second[start : len(second) - end]
    if len(left) == 2 and left == right[::-1]:
        return len(first) > 2
    longer = 3 if not left or not right else 4  # "Scot" and "Scott"
    return max(len(left), len(right)) <= 1 and min(len(first), len(second)) > longer and start > 0


@lru_cache(20_000)
def rank(word: str) -> int:
    """The rank of a word by frequency."""
    hashes = kernels.tokenize([word], "none").hashes
    place = int(wordlists.ranks(hashes)[0]) if len(hashes) else -1
    return place if place >= 0 else _UNLISTED
