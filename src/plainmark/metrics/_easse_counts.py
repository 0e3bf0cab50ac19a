"""Words, sentences and syllables as counted by EASSE for its FKGL.

Texts are lowercased and tokenised (13a). Every token is a word, including punctuation, and a sentence ends at every full
stop, question mark and exclamation mark that is a token: "u . s ." is two sentences. Syllables are groups of vowels with
corrections, a rule and a list of words that come from Greg Fast's Perl module Lingua::EN::Syllable by way of NLTK's
contributed code; a token without a vowel has none.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..punkt import Punkt
from ..text import words

_LISTED = {
    word: syllables
    for syllables, listed in {
        1: "brutes chummed flapped foamed gaped h'm lb mimes ms peeped sheered st the",
        2: """60 bepatched capered caressed clattered deafened dr effaced effaces fringed gravesend greyish jr mangroves
            messieurs motioned moustaches mr mrs pencilled poleman quivered reclined shivered sidespring slandered sombre sr
            stammered suavely tottered trespassed truckle unstained""",
        3: "discoloured disinterred hemispheres manoeuvred sepulchre shamefully unexpressed veriest",
        4: "etc sailmaker satiated sententiously",
        5: "particularized unostentatious",
        6: "propitiatory",
    }.items()
    for word in listed.split()
}
_VOWELS = re.compile("[aeiouy]+")
# Each adds (or subtracts) one syllable if it occurs at least once; the final e's have been removed before.
_MORE = [
    re.compile(pattern)
    for pattern in (
        "ia", "riet", "dien", "iu", "io", "ii", "[aeiouy]bl$", "mbl$", "[aeiou]{3}", "^mc", "ism$", "[^l]llien", "dnt$",
        "^coad.", "^coag.", "^coal.", "^coax.", r"(.)(?!\1)([aeiouy])\2l$", r"(.)(?!\1)[gq]ua(.)(?!\2)[aeiou]",
    )
]  # fmt: skip
_FEWER = [
    re.compile(pattern) for pattern in ("cial", "tia", "cius", "cious", "gui", "ion", "iou", "sia$", ".ely$")
]
# Full stops are separate tokens in 13a, so Punkt decides without its lists of words.
_PUNKT = Punkt("13a", frozenset(), frozenset(), frozenset(), {})


def count_words(texts: list[str]) -> list[dict[str, int]]:
    """Words, sentences and syllables of each text."""
    return [
        {
            "words": len(tokens),
            "sentences": len(_PUNKT.spans(" ".join(tokens))),
            "syllables": sum(map(count_syllables, tokens)),
        }
        for tokens in words(texts, "13a", lowercase=True)
    ]


def words_of(text: str) -> list[tuple[str, int]]:
    """The tokens of a text, and the syllables of each."""
    return [(token, count_syllables(token)) for token in words([text], "13a", lowercase=True)[0]]


@lru_cache(maxsize=100_000)
def count_syllables(word: str) -> int:
    """The syllables of a token in lower case: 0 for a token without a vowel; the corrections may make others negative.

    >>> [count_syllables(word) for word in ("simplification", "mr", "6,000", ".")]
    [5, 2, 0, 0]
    """
    if word in _LISTED:
        return _LISTED[word]
    stem = word.rstrip("e")
    more = sum(pattern.search(stem) is not None for pattern in _MORE)
    fewer = sum(pattern.search(stem) is not None for pattern in _FEWER)
    return len(_VOWELS.findall(stem)) + more - fewer
