"""Checks of a rewritten sentence: length, copying and splitting, with messages for the writer.

Copying is the length of the longest common subsequence of words, as a share of the source's words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from ..punkt import split_sentences
from .definition.questions import RewriteRules

_WORD = re.compile(r"\w+(?:['’-]\w+)*")


def rewrite_problems(source: str, text: str, rules: RewriteRules) -> list[str]:
    """What is wrong with a rewriting, in the order in which a writer would correct it."""
    before, after = words(source), words(text)
    if not after:
        return ["Please write the sentence in simpler words."]
    if after == before:
        return ["This is the sentence itself. Please use simpler words."]
    problems = []
    if before and len(after) < rules.shortest * len(before):
        problems.append(
            f"This has {len(after)} words, the sentence has {len(before)}. Please keep all of its information."
        )
    if before and len(after) > rules.longest * len(before):
        problems.append(
            f"This has {len(after)} words, the sentence has {len(before)}. Please make it shorter."
        )
    if before and common_subsequence(before, after) > rules.copying * len(before):
        problems.append("This is almost the sentence itself. Please use simpler words.")
    if not rules.splitting and len(split_sentences(text.strip())) > max(
        1, len(split_sentences(source.strip()))
    ):
        problems.append("Please write one sentence; do not split it.")
    return problems


@dataclass(frozen=True)
class Rewritten:
    """Statistics of the rewritings of a question; shares are of the source's words."""

    question: str
    rewritings: int
    people: int
    fewest: int  # for one source
    sources: int
    length: float
    kept: float  # words in the source's order
    alike: int  # equal to an earlier rewriting of the same source


def summary(question: str, written: Mapping[str, Sequence[tuple[str, str]]], people: int) -> Rewritten:
    """Statistics of (source, rewriting) by item, including items that nobody rewrote."""
    pairs = [(words(source), words(text)) for texts in written.values() for source, text in texts]
    return Rewritten(
        question,
        len(pairs),
        people,
        min(map(len, written.values())),
        len(written),
        fmean(len(after) / max(len(before), 1) for before, after in pairs),
        fmean(common_subsequence(before, after) / max(len(before), 1) for before, after in pairs),
        sum(n - 1 for g in written.values() for n in Counter(" ".join(words(t)) for _, t in g).values()),
    )


def words(text: str) -> list[str]:
    """The words of a text, in lower case."""
    return _WORD.findall(text.lower())


def common_subsequence(before: list[str], after: list[str]) -> int:
    """Length of the longest common subsequence of words."""
    row = [0] * (len(after) + 1)
    for word in before:
        previous = 0
        for j, other in enumerate(after, 1):
            above = row[j]
            row[j] = previous + 1 if word == other else max(row[j], row[j - 1])
            previous = above
    return row[-1]
