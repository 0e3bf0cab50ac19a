"""How a model ranks the rules for a phrase, as in Table 3 of paper 2."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .lattice import KEEP
from .model import Simplifier
from .surface import split

# Advice and language model need something to look at; these say little, and no one of them decides.
_SENTENCES = (
    (("they", "are", "the"), ("ones", "in", "the", "area", ".")),
    (("it", "has", "a"), ("part", "in", "this", ".")),
    (("the",), ("people", "live", "there", ".")),
    (("he", "was"), (".",)),
    (("this", "is", "a"), ("one", ".")),
)


@dataclass(frozen=True)
class Ranked:
    """A target, what it adds to an output's score, and where the rule comes from."""

    target: str
    score: float
    origins: tuple[str, ...]


def rank(simplifier: Simplifier, phrase: str) -> list[Ranked]:
    """The rules for a phrase, best first, and the phrase itself with a score of 0; the mean over five plain sentences."""
    decoder = simplifier.decoder
    words = split(phrase).words
    prepared = decoder.prepare([(*a, *words, *b) for a, b in _SENTENCES], offers=10_000)
    lattice = prepared.lattice
    weights = np.array([simplifier.weights.get(n, 0.0) for n in decoder.names])
    scores = prepared.features @ weights[:-1] + weights[-1] * prepared.advice.gains
    starts = np.array([len(a) for a, _ in _SENTENCES])[lattice.sentence]
    whole = (lattice.rules != KEEP) & (lattice.starts == starts) & (lattice.ends == starts + len(words))
    found = [Ranked(" ".join(words), 0.0, ("as it is",))]
    for rule in np.unique(lattice.rules[whole]).tolist():
        origin = decoder.table.origin[rule]
        origins = tuple(n for b, n in enumerate(decoder.table.origins) if origin >> b & 1)
        score = float(scores[whole & (lattice.rules == rule)].mean())
        found.append(Ranked(decoder.table.text(rule)[1], score, origins))
    return sorted(found, key=lambda r: (-r.score, r.target))
