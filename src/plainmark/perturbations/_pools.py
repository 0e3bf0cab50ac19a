"""Sentences to add: from a file of the user's, or from the other documents."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING

from ..errors import InputError
from ..reading import open_text
from . import sentence_spans
from ._tables import stamp

if TYPE_CHECKING:
    import numpy as np

    from . import Document, Edit


def sentences_of(path: str) -> tuple[str, ...]:
    """The sentences of a text file, each once; a line is at least one sentence."""
    return _sentences_of(path, stamp(path))


@cache
def _sentences_of(path: str, _: tuple[int, int]) -> tuple[str, ...]:
    with open_text(path) as lines:
        found = [line[a:b] for line in lines for a, b in sentence_spans(line)]
    if not found:
        raise InputError(f"{path}: no sentences, expected a text file with sentences to add.")
    return tuple(dict.fromkeys(found))


@cache
def embedded() -> tuple[str, ...]:
    """Sentences about research on language, which come with the package."""
    text = files(__package__).joinpath("out_of_domain.txt").read_text("utf-8")
    return tuple(line for line in text.split("\n") if line)


def digest(path: str) -> str:
    """A short hash of the sentences of a file."""
    text = "\n".join(sentences_of(path) if path else embedded())
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def additions(
    document: Document, pool: list[str] | tuple[str, ...], rng: np.random.Generator, count: int
) -> list[Edit]:
    """Up to `count` different sentences of the pool, each at a place of its own choosing."""
    from . import insertion, pick

    n = len(document.sentences)
    chosen: dict[int, int] = {}
    # Which sentences and where: both from a fixed number of draws, so that the same text gets the same ones.
    for _ in range(count):
        which, gap = pick(max(len(pool), 1), rng), pick(n + 1, rng)
        if len(chosen) < len(pool):
            while which in chosen:
                which = (which + 1) % len(pool)
            chosen[which] = gap
    return [(insertion(document, gap, pool[which]),) for which, gap in chosen.items()]
