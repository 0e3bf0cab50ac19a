"""Straightlining: a participant who gives the same answer, or the same place on the screen, again and again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from .definition.questions import Question

_MIN_ANSWERS = 5  # to one question
_CLOSED = ("mcq", "likert", "matrix", "slider", "pairwise", "yesno")


def straightlining(
    answers_given: Iterable[tuple[str, int | None, str]], questions: Mapping[str, Question]
) -> list[tuple[str, float, int]]:
    """The share of the most frequent answer to each closed question, and how many answers there are.

    `answers_given` has the question's id, the place on the screen and the value of each answer. Options that are shuffled are
    compared by their place on the screen, scales by their value. Multiple-choice questions of one page are taken together,
    as a person goes down the page.
    """
    places: dict[str, Counter[str]] = {}
    for name, place, value in answers_given:
        kind = questions[name].type if name in questions else ""
        if kind in _CLOSED:
            group = "mcq" if kind == "mcq" else name
            places.setdefault(group, Counter())[str(place) if kind in ("mcq", "pairwise") else value] += 1
    totals = {name: count.total() for name, count in places.items()}
    return [
        (name, count.most_common(1)[0][1] / totals[name], totals[name])
        for name, count in places.items()
        if totals[name] >= _MIN_ANSWERS
    ]
