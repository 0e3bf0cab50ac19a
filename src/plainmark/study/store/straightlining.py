"""Straightlining: how often a person chose the same place, whatever was asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from ..definition.questions import Question

FEWEST = 5  # answers to one question, below which nothing can be said
CLOSED = ("mcq", "likert", "slider", "pairwise", "yesno")


def straightline(
    given: Iterable[tuple[str, int | None, str]], questions: Mapping[str, Question]
) -> list[tuple[str, float, int]]:
    """For each closed question (id, place on the screen, value): the share of its most frequent place, and how many.

    Options that are shuffled are compared by their place on the screen, scales by their value. Multiple-choice
    questions of one page are taken together, as a person goes down the page.
    """
    places: dict[str, Counter[str]] = {}
    for name, shown, value in given:
        kind = questions[name].tag if name in questions else ""
        if kind in CLOSED:
            group = "mcq" if kind == "mcq" else name
            places.setdefault(group, Counter())[str(shown) if kind in ("mcq", "pairwise") else value] += 1
    totals = {name: count.total() for name, count in places.items()}
    return [
        (name, count.most_common(1)[0][1] / totals[name], totals[name])
        for name, count in places.items()
        if totals[name] >= FEWEST
    ]
