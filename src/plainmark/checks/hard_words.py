"""Hard words and wordy phrases, with plainer ones where the simplifier's list has them for this place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

import numpy as np

from .. import kernels, lexicon, wordlists
from ..syllables import syllables
from ._findings import Finding, Phrase, Rule, Sentence, Suggestion
from ._inflection import cased, with_article

_COMMON = 5000  # of the 30,000 words that are ranked
_LESS_COMMON = 15_000  # for words of two syllables
_MOST_OFFERS = 3
_ENDINGS = ("'s", "’s", "s", "es", "d", "ed", "ing", "ly")


def is_hard(word: str) -> bool:
    """Whether a word, in lower case, is rare and has two syllables or more.

    >>> is_hard("ubiquitous"), is_hard("hospital"), is_hard("owls")
    (True, False, False)
    """
    return bool(_hardness(word))


@lru_cache(1 << 16)
def _hardness(word: str) -> int:
    """The number of syllables of a hard word; 0 for others."""
    if len(word) <= 4 or not word.replace("-", "").isalpha() or not word.isascii():
        return 0
    if "-" in word:  # as hard as its hardest part
        return max(map(_hardness, word.split("-")))
    beats = int(syllables([word])[0])
    if beats < 2 or not lexicon.is_known(word):
        return 0
    return beats if _rank(word) >= (_COMMON if beats > 2 else _LESS_COMMON) else 0


def _rank(word: str) -> float:
    """The place of a word among the commonest, or that of its stem if it is commoner; infinite if neither is listed."""
    forms = [word, *(word[: -len(e)] for e in _ENDINGS if word.endswith(e) and len(word) > len(e) + 2)]
    forms += [f"{form}e" for form in forms[1:]]
    forms += [b for b in lexicon.bases(word) if b not in forms]
    hashes = kernels.tokenize(forms, "space").hashes
    ranks = wordlists.ranks(hashes).astype(np.float64)
    return float(np.where(ranks >= 0, ranks, np.inf).min())


def _offers(sentence: Sentence, phrases: Iterable[Phrase]) -> tuple[int, tuple[Suggestion, ...]]:
    """Where the replacement begins, and the suggestions, the likeliest first."""
    ranked = sorted(phrases, key=lambda p: -p.probability)[:_MOST_OFFERS]
    start = ranked[0].start
    texts = [cased(p.target, sentence.text[p.start : p.end]) for p in ranked]
    changed = [with_article(sentence.text, start, t) for t in texts]
    first = min(place for place, _ in changed)
    lead = sentence.text[first:start]
    return first, tuple(
        Suggestion(t if place == first else lead + t, "plain phrases") for place, t in changed
    )


def _spans(sentence: Sentence) -> Iterator[list[Phrase]]:
    """The phrases of each place, the longest first; those that overlap a longer one are left out."""
    by_span: dict[tuple[int, int], list[Phrase]] = {}
    for phrase in sentence.phrases:
        by_span.setdefault((phrase.start, phrase.end), []).append(phrase)
    taken: list[tuple[int, int]] = []
    for span in sorted(by_span, key=lambda s: (s[0] - s[1], s)):
        if all(span[1] <= a or b <= span[0] for a, b in taken):
            taken.append(span)
            yield by_span[span]


def _wordy(sentence: Sentence) -> Iterator[Finding]:
    for phrases in _spans(sentence):
        if phrases[0].size > 1:
            start, offers = _offers(sentence, phrases)
            end = phrases[0].end
            yield Finding(
                "PM102", start, end, f"“{sentence.text[start:end]}” can be shorter or plainer.", offers
            )


def _hard(sentence: Sentence) -> Iterator[Finding]:
    covered = []
    for phrases in _spans(sentence):
        covered.append((phrases[0].start, phrases[0].end))
        if phrases[0].size == 1:
            start, offers = _offers(sentence, phrases)
            end = phrases[0].end
            yield Finding("PM101", start, end, f"“{sentence.text[start:end]}” has a plainer word.", offers)
    words = sentence.words
    for i, word in enumerate(words.lower):
        start, end = words.starts[i], words.ends[i]
        written = words.written(i)
        if not written.islower() and not (i == 0 and written[1:].islower()):
            continue  # a name, or an abbreviation
        if (beats := _hardness(word)) and all(end <= a or b <= start for a, b in covered):
            yield Finding("PM101", start, end, f"“{written}” is a rare word of {beats} syllables.")


RULES = (
    Rule(
        "PM101",
        "hard word",
        "A rare or long word where a common one may do. Readers stop at words that they do not know. Use the plainer word if it"
        " says the same here; if the word is needed, say what it means.",
        "We will purchase the land.",
        "We will buy the land.",
        sentence=_hard,
    ),
    Rule(
        "PM102",
        "wordy phrase",
        "Several words where fewer or plainer ones say the same.",
        "They left prior to the meeting.",
        "They left before the meeting.",
        sentence=_wordy,
    ),
)
