"""Resolves pronouns of the output to words of the source.

A pronoun that is not aligned with a word of the source refers to something in the previous sentence: "he", "she"
and "they" for its first Participant, "it", "this" and "that" for any of its Participants and main relations. No gender or
number is looked up.
"""

from __future__ import annotations

from collections.abc import Sequence

from .alignment import WordLinks
from .graph import Scene

_PERSONS = frozenset("he she they him her them his hers their theirs himself herself themselves who".split())
_THINGS = frozenset("it its this that these those itself which".split())


def resolved(scenes: Sequence[Scene], sentences: Sequence[Sequence[str]], links: WordLinks) -> WordLinks:
    """The links and, as repetitions, pairs of a source word and a pronoun that refers to it."""
    participants = {i for s in scenes for part in s.participants for c in part.centres for i in c}
    relations = {i for s in scenes for part in s.main_relations for c in part.centres for i in c}
    sentence_of = [k for k, s in enumerate(sentences) for _ in s]
    words = [w.lower() for s in sentences for w in s]
    aligned = {j for _, j in links.pairs}
    more: list[tuple[int, int]] = []
    for j, word in enumerate(words):
        if j in aligned or (word not in _PERSONS and word not in _THINGS):
            continue
        before = sorted(
            (other, i)
            for i, other in (*links.pairs, *links.repeats, *more)
            if sentence_of[other] == sentence_of[j] - 1
        )
        if word in _PERSONS:
            more += [(i, j) for _, i in before if i in participants][:1]
        else:
            more += [(i, j) for _, i in before if i in participants or i in relations]
    return WordLinks(links.pairs, (*links.repeats, *dict.fromkeys(more)))
