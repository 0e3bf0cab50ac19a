"""Words, sentences and syllables as counted by textstat 0.7.13.

Words are the pieces between white space, after punctuation has been removed; apostrophes stay before the endings of
contractions. A sentence ends at . ! or ?, and pieces of one or two words do not count. Syllables are those of the first
pronunciation in CMUdict 0.7a, and for other words one more than the number of places where Pyphen may hyphenate. Every
occurrence of a difficult word counts, whereas textstat 0.7.3 counts each such word once.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from ..kernels import tokenize
from ..syllables import hyphenation, syllables
from ..wordlists import are_pronounced, table

_NO_CONTRACTION = re.compile(r"'(?![tsd]|ve|ll|re)")
_PUNCTUATION = re.compile(r"[^\w\s']")
_SENTENCE = re.compile(r"\b[^.!?]+[.!?]*")
_MARK = re.compile(r"[^\w\s]")
_SAMPLE = 100  # number of words that Linsear Write uses


def count_words(texts: list[str]) -> list[dict[str, int]]:
    """The counts of each text by name; none for a text without words."""
    tokenised = [_words(text) for text in texts]
    known = _syllables({word for words in tokenised for word in words})
    listed = list(known)
    familiar = {
        word
        for word, is_familiar in zip(
            listed, table("familiar").holds(tokenize(listed, "space").hashes), strict=True
        )
        if is_familiar
    }
    return [
        _counts(text, words, known, familiar) if words else {}
        for text, words in zip(texts, tokenised, strict=True)
    ]


def words_of(text: str) -> list[tuple[str, int]]:
    """The words of a text in lower case, and the syllables of each.

    >>> words_of("Don't hyphenate 'well-known' words.")  # doctest: +SKIP
    [("don't", 1), ('hyphenate', 3), ('wellknown', 2), ('words', 1)]
    """
    words = _words(text)
    known = _syllables(set(words))
    return [(word, known[word]) for word in words]


def _counts(
    text: str, words: list[str], known: Mapping[str, int], familiar: Collection[str]
) -> dict[str, int]:
    tokens = text.split()
    sample, end = words, len(tokens)
    if len(tokens) > _SAMPLE:
        sample, end = [], 0
        while end < len(tokens) and len(sample) < _SAMPLE:
            sample += _words(tokens[end])
            end += 1
    spoken, unfamiliar = [known[w] for w in words], [known[w] for w in words if w not in familiar]
    return {
        "words": len(words),
        "tokens": len(tokens),
        "sentences": _sentences(text),
        "syllables": sum(spoken),
        "letters": len(_MARK.sub("", "".join(tokens))),
        "characters": sum(map(len, tokens)),
        "polysyllables": sum(n >= 3 for n in spoken),
        "unfamiliar": len(unfamiliar),
        "unfamiliar_types": sum(n >= 2 for n in unfamiliar),
        "complex_words": sum(n >= 3 for n in unfamiliar),
        "sample_easy": sum(0 < known[w] < 3 for w in sample),
        "sample_hard": sum(known[w] >= 3 for w in sample),
        "sample_sentences": _sentences(" ".join(tokens[:end])),
    }


def _words(text: str) -> list[str]:
    return [word.lower() for word in _PUNCTUATION.sub("", _NO_CONTRACTION.sub("", text)).split()]


def _sentences(text: str) -> int:
    return max(1, sum(len(_words(piece)) > 2 for piece in _SENTENCE.findall(text)))


def _syllables(words: Collection[str]) -> dict[str, int]:
    listed = list(words)
    pieces = hyphenation("en_US").pieces
    return {
        word: int(spoken) if is_pronounced else pieces(word)
        for word, spoken, is_pronounced in zip(listed, syllables(listed), are_pronounced(listed), strict=True)
    }
