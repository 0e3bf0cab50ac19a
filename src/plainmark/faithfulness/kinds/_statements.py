"""Statements: sentences cut into clauses, each with its relation to the rest of its sentence (a reason, a result, a time)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ... import lexicon
from ..passage import Passage, Word
from ._cues import Phrases, phrases, plain

_JOINTS = phrases(
    {
        "cause": "because of|because|due to|owing to|thanks to|as a result of|since|on account of|on the grounds that|"
        "on the grounds of",
        "result": "so that|so|leading to|resulting in|as a result|as a consequence|consequently|therefore|thus|causing|"
        "hence|which is why|that is why|this is why|for this reason|which led to|which caused|which resulted in",
        "time": "after|before|when|while|until|once|as soon as|following",
        "condition": "if|unless|in case|otherwise|as long as|provided that|even if",
        "contrast": "although|though|even though|whereas|despite|however",
        "relative": "which|who|whom|whose|where",
        "purpose": "in order to",
        "example": "such as|including|like|for example|for instance|e.g|e.g.|i.e|i.e.|that is|namely|called|known as|"
        "meaning|also called|also known as|in other words",
    }
)
_LINKING = frozenset(("and", "but", "or"))
_SKIPPED = frozenset(
    "then also later even soon now still finally again eventually sometimes often usually".split()
)
# Words that begin a clause after "and", "but" or "so".
_BEGINNINGS = frozenset(
    "i you he she it we they this that these those there the a an his her its their some many most all no people "
    "is are was were has have had will would can could may might must should do does did cannot".split()
)
# What is no joint of its own.
_PLAIN = ("sentence", "mark", "aside")
MARKS = frozenset(',;:()[]—–-"“”')
# All words and marks that may open a clause.
_OPENERS = frozenset(_JOINTS.single) | {first for first, _ in _JOINTS.several} | _LINKING | MARKS | {"to"}
_FINITE_PAST = frozenset("was were had did".split())
_FINITE_PRESENT = frozenset(
    "is are am 's 're do does has have can could may might will would shall should must cannot 'll wo ca".split()
)
_MONTHS = frozenset(
    "january february march april may june july august september october november december".split()
)
_RULES = frozenset("must will 'll shall wo".split())
_PRONOUNS = frozenset("i you he she it we they who which that this these those".split())


class Statement(NamedTuple):
    """The words from `first` to `last`, their relation to the previous words, and the content words among them."""

    sentence: int
    first: int
    last: int
    joint: str
    content: tuple[int, ...]


def statements(passage: Passage) -> Iterator[Statement]:
    """The clauses of a text, in order; text in brackets is an "aside"."""
    words = passage.words
    for sentence in range(len(passage.sentences)):
        inside = passage.sentence_words(sentence)
        first, joint, depth = inside.start, "sentence", 0
        content: list[int] = []
        i = inside.start
        while i < inside.stop:
            word = words[i]
            opening = _opening(words, i, inside, _JOINTS) if word.lower in _OPENERS else None
            if opening is None:
                if word.content:
                    content.append(i)
                i += 1
                continue
            label, length = opening
            empty = not content
            if content:
                yield Statement(sentence, first, i - 1, joint, tuple(content))
                content = []
            mark = word.text
            depth = depth + 1 if mark in "([" else max(depth - 1, 0) if mark in ")]" else depth
            if depth:
                label = "aside"
            # The comma after "As a result" opens nothing, and neither does the infinitive after "if not, you will have".
            if not (empty and (label == "purpose" or (label == "mark" and joint not in _PLAIN))):
                first, joint = i, label
            i += length
        if content:
            yield Statement(sentence, first, inside.stop - 1, joint, tuple(content))


def _opening(words: Sequence[Word], i: int, inside: range, table: Phrases) -> tuple[str, int] | None:
    """The joint that begins at a word, and its length in words."""
    word = words[i]
    if word.text in MARKS:
        # A hyphen joins words, unless there is a space.
        return None if word.text == "-" and words[i - 1].end == word.start else ("mark", 1)
    lower = plain(word.lower)
    following = words[i + 1].lower if i + 1 < inside.stop else ""
    if following:
        for rest, label in table.several.get((lower, following), ()):
            end = i + 2 + len(rest)
            if end <= inside.stop and all(words[i + 2 + k].lower == w for k, w in enumerate(rest)):
                return label, end - i
    if lower in _LINKING:
        return _linking(words, i, inside)
    label = table.single.get(lower, "")
    if lower == "so":
        previous = words[i - 1].text if i > inside.start else ","
        joins = previous in MARKS or following in _BEGINNINGS
        return (label, 1) if joins and following not in ("far", "long") else None
    if lower == "since" and (following[:1].isdigit() or following == "then" or following in _MONTHS):
        return "time", 1
    if label:
        return label, 1
    if lower == "to" and i > inside.start and words[i - 1].lower != "up" and is_base_verb(following):
        return "purpose", 1
    return None


def _linking(words: Sequence[Word], i: int, inside: range) -> tuple[str, int] | None:
    """What "and", "but" or "or" opens: a clause, another name for the previous words, or nothing."""
    if words[i].lower == "or" and i > inside.start and words[i - 1].text in ",(":
        return "example", 1
    k = i + 1
    while k < inside.stop and words[k].lower in _SKIPPED:
        k += 1
    if k < inside.stop and (words[k].lower in _BEGINNINGS or is_past(words[k].lower)):
        return "and", 1
    return None


def tells_past(words: Sequence[Word], first: int, last: int, *, main: bool = False) -> bool:
    """Whether the clause between two words reports an event: it has a verb in the past and none in the present.

    A form in -ed after a noun may be a participle ("drugs used in hospitals"); in a main clause without any other verb it
    is none.
    """
    told = False
    for i in range(first, last + 1):
        lower = plain(words[i].lower)
        if lower in _FINITE_PAST:
            return True
        if lower in _FINITE_PRESENT:
            return False
        if not told and is_past(lower):
            previous = plain(words[i - 1].lower) if i > first else ""
            told = (
                previous in _PRONOUNS
                or (previous in _LINKING and i - 1 == first)
                or (main and i > first and words[i - 1].content)
            )
    return told


def begins_predicate(words: Sequence[Word], first: int, last: int) -> bool:
    """Whether the clause between two words is a linking word with a verb in the present."""
    return (
        first < last and words[first].lower in _LINKING and plain(words[first + 1].lower) in _FINITE_PRESENT
    )


def tells_rule(words: Sequence[Word], first: int, last: int) -> bool:
    """Whether the clause between two words states what must or will be."""
    return any(plain(words[i].lower) in _RULES for i in range(first, last + 1))


@lru_cache(20_000)
def is_past(word: str) -> bool:
    """Whether a word may be a verb in the past or a past participle."""
    if word in _FINITE_PAST:
        return True
    if word.endswith(("s", "ing")) or not lexicon.is_verb(word):
        return False
    return word.endswith("ed") or lexicon.base(word) != word


@lru_cache(20_000)
def is_base_verb(word: str) -> bool:
    """Whether a word may be the base form of a verb."""
    return bool(word) and lexicon.is_verb(word) and word in lexicon.bases(word)
