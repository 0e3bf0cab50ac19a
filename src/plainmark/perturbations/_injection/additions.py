"""Additions that the source does not support: a reason, an event, a sentence or a number from a text on another subject.

The words come from simplifications of other documents of the same data set, so that style and vocabulary fit; few of their
content words are in the source. A clause is put before the full stop of a sentence that has a partner in the source, a
sentence after it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

from . import Edit
from .anchors import Pair, Sentence, sentences

_REASON = re.compile(r"\b(?:because|due to|owing to|since (?:it|they|the|he|she))\b.*")
_EVENT = re.compile(
    r"\b(?:and (?:was|were|had|has|did|will|died|won|lost|left|found|killed|caused|became|made|led)|"
    r"after (?:a|an|the|he|she|it|they)|so (?:it|they|the|he|she|people|patients)|leading to|which (?:led|caused|killed))\b.*"
)
_NUMBER = re.compile(
    r"\b\d[\d.,]*\d\b|\b\d\b|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|million)\b"
)
# Sentences that define or explain something, or that do not fit into another text.
_UNFIT = re.compile(
    r"[()\[\]\"“”;:?!]|\b(?:is|are) (?:a|an|the|when|called|known)\b|\bmeans?\b|\bcalled\b|\bthis review\b|\bexample\b|^(?:But|However|Also)",
    re.IGNORECASE,
)
_CLAUSE, _SENTENCE = (4, 14), (6, 20)  # smallest and largest number of words
_KNOWN = 0.34  # largest share of content words that the source may have
_TRIES = 60  # number of other texts that are searched
_EDITS = 3


def reason(pair: Pair, rng: random.Random) -> Iterator[Edit]:
    """A reason at the end of a sentence that gives none."""
    yield from _clauses(pair, rng, _REASON)


def event(pair: Pair, rng: random.Random) -> Iterator[Edit]:
    """A further event or a consequence at the end of a sentence."""
    yield from _clauses(pair, rng, _EVENT)


def sentence(pair: Pair, rng: random.Random) -> Iterator[Edit]:
    """A sentence without numbers."""
    yield from _sentences(pair, rng, lambda text: not _NUMBER.search(text))


def number(pair: Pair, rng: random.Random) -> Iterator[Edit]:
    """A sentence with a number that the source does not have."""
    known = set(_NUMBER.findall(pair.source.lower()))
    yield from _sentences(
        pair, rng, lambda text: bool(own := _NUMBER.findall(text.lower())) and not known & set(own)
    )


def _clauses(pair: Pair, rng: random.Random, pattern: re.Pattern[str]) -> Iterator[Edit]:
    hosts = [s for s in _hosts(pair) if not pattern.search(_text(pair.output, s))]
    for host in rng.sample(hosts, min(_EDITS, len(hosts))):
        for text, donor in _donors(pair, rng):
            match = pattern.search(text[donor.words[0].start : donor.words[-1].start])
            if match and _fits(match.group(), _CLAUSE, pair):
                end = host.words[-1].start
                yield Edit(((end, end, " " + match.group().strip()),), (), match.group())
                break


def _sentences(pair: Pair, rng: random.Random, accepts: Callable[[str], bool]) -> Iterator[Edit]:
    hosts = _hosts(pair)
    for host in rng.sample(hosts, min(_EDITS, len(hosts))):
        for text, donor in _donors(pair, rng):
            own = _text(text, donor)
            if own.endswith(".") and own[:1].isupper() and accepts(own) and _fits(own, _SENTENCE, pair):
                end = host.words[-1].end
                yield Edit(((end, end, " " + own),), (), own)
                break


def _hosts(pair: Pair) -> list[Sentence]:
    """Sentences of the output that end with a full stop and have a partner in the source."""
    return [s for s, others in pair.partners if others and s.words[-1].text == "." and len(s.words) >= 6]


def _donors(pair: Pair, rng: random.Random) -> Iterator[tuple[str, Sentence]]:
    """Sentences of other texts, each with its text, in random order."""
    for text in rng.sample(pair.others, min(_TRIES, len(pair.others))):
        candidates = [s for s in sentences(text) if s.words[-1].text == "."]
        rng.shuffle(candidates)
        yield from ((text, s) for s in candidates)


def _fits(text: str, length: tuple[int, int], pair: Pair) -> bool:
    """Whether words fit into another text and say something that its source does not."""
    parsed = sentences(text)
    if len(parsed) != 1 or _UNFIT.search(text) or not length[0] <= len(text.split()) <= length[1]:
        return False
    stems = parsed[0].stems
    known = frozenset(stem for s in pair.source_sentences for stem in s.stems)
    return len(stems) >= 2 and len(stems & known) <= _KNOWN * len(stems)


def _text(text: str, own: Sentence) -> str:
    return text[own.words[0].start : own.words[-1].end]
