"""Sentences to add: from a file of the user's, or from the other documents."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING

from ..errors import InputError
from ..files import open_text
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
    document: Document, size: int, sentence: Callable[[int], str], rng: np.random.Generator, count: int
) -> list[Edit]:
    """Up to `count` different sentences of a pool, each at a place of its own choosing.

    `sentence(i)` is the pool's i-th of `size`, or nothing if it may not be used; then the next one is tried.
    """
    from . import insertion, pick

    n = len(document.sentences)
    used = {document.sentence(i) for i in range(n)}
    chosen: list[tuple[int, str]] = []
    for _ in range(count):
        first, gap = pick(max(size, 1), rng), pick(n + 1, rng)
        if len(chosen) < size:
            found = next(
                (s for k in range(size) if (s := sentence((first + k) % size)) and s not in used), ""
            )
            if not found:
                break
            used.add(found)
            chosen.append((gap, found))
    return [(insertion(document, gap, s),) for gap, s in chosen]
