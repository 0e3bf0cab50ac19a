"""Checks of a rewritten sentence: length, copying and splitting, with messages for the writer.

Copying is the length of the longest common subsequence of words, as a share of the source's words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from ..languages import LANGUAGES, language
from ..punkt import split_sentences
from .definition.questions import RewriteRules
from .messages import ENGLISH, Messages

_WORD = re.compile(r"\w+(?:['’-]\w+)*")


def rewrite_problems(source: str, text: str, rules: RewriteRules, messages: Messages = ENGLISH) -> list[str]:
    """What is wrong with a rewriting, in the order in which a writer would correct it."""
    before, after = words(source), words(text)
    if not after:
        return [messages("rewriting.empty")]
    if after == before:
        return [messages("rewriting.same")]
    problems = []
    written, given = (messages("rewriting.words", count=len(found)) for found in (after, before))
    if before and len(after) < rules.shortest * len(before):
        problems.append(messages("rewriting.short", written=written, given=given))
    if before and len(after) > rules.longest * len(before):
        problems.append(messages("rewriting.long", written=written, given=given))
    if before and common_subsequence(before, after) > rules.copying * len(before):
        problems.append(messages("rewriting.copied"))
    sentences = [_sentences(passage.strip(), messages.language) for passage in (text, source)]
    if not rules.splitting and sentences[0] > max(1, sentences[1]):
        problems.append(messages("rewriting.split"))
    return problems


def _sentences(text: str, tag: str) -> int:
    code = tag.lower().split("-")[0]
    rules = language(code) if code in LANGUAGES and code != "en" else None
    return len(rules.sentences(text) if rules else split_sentences(text))


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
