"""Words, sentences and syllables as counted by TextDescriptives 2.8.4 with spaCy's blank English pipeline.

Words are spaCy's tokens, including white space, except punctuation and tokens with an apostrophe; sentences are those of
its sentencizer; syllables are the pieces that Pyphen's first English dictionary hyphenates a token into.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import Any

from ..errors import MissingResourceError
from ..syllables import hyphenation

NO_SPACY = "needs the package spacy for TextDescriptives' words. To install: pip install 'plainmark[textdescriptives]'"


def has_spacy() -> bool:
    """Whether spaCy is installed."""
    return find_spec("spacy") is not None


def count_words(texts: list[str]) -> list[dict[str, int]]:
    """The counts of each text by name."""
    counts = []
    for doc in _pipeline().pipe(texts):
        words = _words(doc)
        counts.append(
            {
                "words": len(words),
                "sentences": sum(1 for _ in doc.sents),
                "syllables": sum(n for _, n in words),
                "letters": sum(len(word) for word, _ in words),
                "characters": sum(len(word) for word, _ in words),
                "polysyllables": sum(n >= 3 for _, n in words),
                "complex_words": sum(n >= 3 for _, n in words),
            }
        )
    return counts


def words_of(text: str) -> list[tuple[str, int]]:
    """The words of a text, and the syllables of each."""
    return _words(_pipeline()(text))


def _words(doc: Any) -> list[tuple[str, int]]:
    pieces = hyphenation("en").pieces
    return [
        (token.text, pieces(token.lower_, hyphens=True))
        for token in doc
        if not token.is_punct and "'" not in token.text
    ]


@cache
def _pipeline() -> Any:
    try:
        import spacy
    except ImportError:
        raise MissingResourceError(f"this {NO_SPACY}") from None
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    pipeline.max_length = 2**62  # the limit is meant for parsers
    return pipeline
