"""The choice of sentences for crowd references: those whose simple counterpart has a similar length.

Xu et al. 2016 collected references for sentences whose aligned simple sentence differs by at most 20 % in its number of
tokens, so that the task is to paraphrase rather than to split or to delete.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..data import Sample
from ..errors import OptionError
from ..text import words

WITHIN = 0.2


def difference(source: str, simple: str) -> float:
    """The difference in length, as a share of the source's tokens; infinite for an empty source."""
    long, short = (len(tokens) for tokens in words([source, simple], "13a"))
    return abs(long - short) / long if long else float("inf")


def similar(samples: Iterable[Sample], within: float = WITHIN) -> Iterator[Sample]:
    """The samples with a counterpart (a reference, or the output if there is none) of similar length, each source once."""
    if not 0 <= within < float("inf"):
        raise OptionError(f"within {within}: expected a share of the length, such as 0.2.")
    seen: set[str] = set()
    for sample in samples:
        counterparts = sample.references or (sample.output,)
        if sample.source not in seen and any(
            difference(sample.source, c) <= within for c in counterparts if c
        ):
            seen.add(sample.source)
            yield sample
