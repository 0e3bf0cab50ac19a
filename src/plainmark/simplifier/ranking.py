"""How a model ranks the rules for a phrase, as in Table 3 of paper 2."""

from __future__ import annotations

from .decoding import Ranked
from .model import Simplifier
from .surface import split


def rank(simplifier: Simplifier, phrase: str) -> list[Ranked]:
    """The rules for a phrase, best first, and the phrase itself with a score of 0; the mean over five plain sentences."""
    words = split(phrase).words
    found = [
        Ranked(" ".join(words), 0.0, ("as it is",)),
        *simplifier.decoder.rank(words, simplifier.weights),
    ]
    return sorted(found, key=lambda r: (-r.score, r.target))
