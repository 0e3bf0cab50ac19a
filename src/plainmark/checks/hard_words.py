"""Hard words and wordy phrases, with plainer ones if the simplifier's list has any for the context."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

import numpy as np

from .. import kernels, lexicon, wordlists
from ..syllables import syllables
from . import glossary
from ._analysis import difficulty, is_name
from ._findings import Finding, Phrase, Rule, Sentence, Suggestion
from ._inflection import cased, with_article

_RATED = 3.5  # difficulty, from 1 to 6, from which on a word counts as hard
_KNOWN_BY_MOST = 3000  # rank among the commonest words up to which no word is hard, whatever its rating
_RARE = 15_000  # rank from which on a word that nobody rated is rare
_BEATS = 3  # syllables of such a word
_COMMON = 5000  # rank up to which the stem of a word makes the word easy
_MOST_OFFERS = 3
_SPACED_MARK = re.compile(r" (?=[,.;:!?])")  # distance between two words of the list
_ENDINGS = ("'s", "’s", "s", "es", "d", "ed", "ing", "ly")


def is_hard(word: str) -> bool:
    """Whether a word, in lower case, is hard: by people's ratings, or rare and long where nobody rated it.

    >>> is_hard("ubiquitous"), is_hard("hospital"), is_hard("owls")
    (True, False, False)
    """
    return bool(_hardness(word))


@lru_cache(1 << 16)
def _hardness(word: str) -> str:
    """The reason why a word is hard; empty for others."""
    if len(word) <= 4 or not word.isascii() or not word.replace("-", "").isalpha():
        return ""
    if "-" in word:
        return next(filter(None, map(_hardness, word.split("-"))), "")
    if not lexicon.is_known(word):
        return ""
    rating = difficulty(word)
    if rating is not None:
        return "people rate it as hard" if rating >= _RATED and _rank(word) >= _KNOWN_BY_MOST else ""
    beats = int(syllables([word])[0])
    if beats < _BEATS or _rank(word) < _RARE or _rank(*_stems(word)) < _COMMON:
        return ""
    return f"a rare word of {beats} syllables"


def _stems(word: str) -> set[str]:
    """The rest of a word without a prefix or a suffix: "treatment" of "mistreatment"."""
    ends = (
        "ness",
        "less",
        "ful",
        "ment",
        "ing",
        "ed",
        "er",
        "ers",
        "or",
        "ly",
        "able",
        "ish",
        "al",
        "ity",
        "isation",
        "ization",
    )
    starts = (
        "un",
        "mis",
        "re",
        "over",
        "non",
        "pre",
        "semi",
        "anti",
        "super",
        "sub",
        "inter",
        "multi",
        "co",
        "fore",
        "out",
    )
    bodies = [word, *(word.removeprefix(p) for p in starts if word.startswith(p))]
    cut = {body.removesuffix(e) for body in bodies for e in ends if body.endswith(e)}
    return {stem for stem in {*bodies, *cut, *(f"{c}e" for c in cut)} if len(stem) > 3}


def _rank(*words: str) -> float:
    """The rank of the most common of these words and their stems; infinite if none is listed."""
    forms: set[str] = set()
    for word in words:
        stems = [word[: -len(e)] for e in _ENDINGS if word.endswith(e) and len(word) > len(e) + 2]
        forms |= {word, *stems, *(f"{stem}e" for stem in stems), *lexicon.bases(word)}
    hashes = kernels.tokenize(list(forms), "space").hashes
    ranks = wordlists.ranks(hashes).astype(np.float64)
    return float(np.where(ranks >= 0, ranks, np.inf).min())


def _offers(sentence: Sentence, phrases: Iterable[Phrase]) -> tuple[int, tuple[Suggestion, ...]]:
    """The start of the replacement, and the suggestions, the likeliest first."""
    ranked = sorted(phrases, key=lambda p: -p.probability)[:_MOST_OFFERS]
    start = ranked[0].start
    texts = [cased(_SPACED_MARK.sub("", p.target), sentence.text[p.start : p.end]) for p in ranked]
    changed = [with_article(sentence.text, start, t) for t in texts]
    first = min(place for place, _ in changed)
    lead = sentence.text[first:start]
    return first, tuple(
        Suggestion(t if place == first else lead + t, "plain phrases") for place, t in changed
    )


def _spans(sentence: Sentence) -> Iterator[list[Phrase]]:
    """The phrases at each place, the longest first; those that overlap a longer one are left out."""
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
    covered += [
        (words.starts[i], words.ends[j - 1]) for i, j, _ in glossary.terms(words)
    ]  # such phrases are jargon
    for i, word in enumerate(words.lower):
        if not (reason := _hardness(word)):
            continue
        start, end = words.starts[i], words.ends[i]
        written = words.written(i)
        if not written.islower() and not (i == 0 and written[1:].islower() and not is_name(word)):
            continue  # a name, or an abbreviation
        if all(end <= a or b <= start for a, b in covered):
            yield Finding("PM101", start, end, f"“{written}” may be hard: {reason}.")


RULES = (
    Rule(
        "PM101",
        "hard word",
        "A rare or long word where a common one may do. Readers stop at words that they do not know. Use the plainer word if it"
        " says the same here; if the word is needed, say what it means.",
        "We will purchase the land.",
        "We will buy the land.",
        sentence=_hard,
        judged=(81, 100),
    ),
    Rule(
        "PM102",
        "wordy phrase",
        "Several words where fewer or plainer ones say the same.",
        "They left prior to the meeting.",
        "They left before the meeting.",
        sentence=_wordy,
        judged=(98, 100),
    ),
)
