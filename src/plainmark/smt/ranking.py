"""How a model ranks the rules for a phrase, as in Table 3 of paper 2."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .decoder import LM
from .lattice import KEEP
from .model import Simplifier
from .surface import split


@dataclass(frozen=True)
class Ranked:
    """A target, what it adds to an output's score, and where the rule comes from."""

    target: str
    score: float
    origins: tuple[str, ...]


def rank(simplifier: Simplifier, phrase: str) -> list[Ranked]:
    """The rules for a phrase, best first, and the phrase itself with a score of 0."""
    decoder = simplifier.decoder
    words = split(phrase).words
    prepared = decoder.prepare([words], offers=10_000)
    lattice = prepared.lattice
    weights = np.array([simplifier.weights.get(n, 0.0) for n in decoder.names])
    scores = prepared.features @ weights[:-1]
    whole = np.flatnonzero((lattice.rules != KEEP) & (lattice.starts == 0) & (lattice.ends == len(words)))
    texts = [decoder.table.text(int(r))[1] for r in lattice.rules[whole]]
    # Without context the language model knows frequencies only.
    lm = decoder.model.score([" ".join(words), *texts], sentence=False)
    found = [Ranked(" ".join(words), 0.0, ("as it is",))]
    for edge, text, gain in zip(whole.tolist(), texts, (lm[1:] - lm[0]).tolist(), strict=True):
        origin = decoder.table.origin[lattice.rules[edge]]
        origins = tuple(n for b, n in enumerate(decoder.table.origins) if origin >> b & 1)
        found.append(Ranked(text, float(scores[edge]) + simplifier.weights.get(LM, 0.0) * gain, origins))
    return sorted(found, key=lambda r: (-r.score, r.target))
