"""Conditions on the place of a rewrite: the words that may be next to it, and the form that its first word must have.

A condition is written as in phrases.txt: "before WORDS", "not after WORDS", and so on; words in capitals are classes.
Several conditions of one entry must all hold; an entry with several lines holds if one of them does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Reals
from ..rules.table import RuleTable
from ..rules.word_facts import TAGS

RELATIONS = ("before", "after", "near", "with")
_NEAR = 6  # number of following words that "near" covers
_SURE = 0.5  # lowest probability of a form
_MARKS = frozenset(", . ; : ! ? -lrb- -rrb- - -- – — \" ' `` '' …".split())
BE = frozenset("be is are was were been being am 's 're isn't aren't".split())
HAVE = frozenset("have has had having 've".split())
_DETERMINERS = frozenset(
    "the a an this that these those his her its their our my your each every some any no such both all another".split()
)
_NUMBERS = frozenset(
    "one two three four five six seven eight nine ten eleven twelve thirteen fifteen twenty thirty forty fifty sixty "
    "seventy eighty ninety hundred thousand million billion dozen half".split()
)
_COMPARATIVES = frozenset("better worse more less fewer further farther".split())
_TAG = {tag: k for k, tag in enumerate(TAGS)}
_GROUPS = {
    "NOUN": ("NN", "NNS"),
    "PLURAL": ("NNS",),
    "VERB": ("VB", "VBP", "VBZ", "VBD", "VBN", "VBG"),
    "ADJ": ("JJ", "JJR", "JJS"),
    "ADV": ("RB", "RBR", "RBS"),
    "PARTICIPLE": ("VBN",),
    **{tag: (tag,) for tag in TAGS},
}
_WORD_CLASSES: dict[str, Callable[[str], bool]] = {
    "NUMBER": lambda w: w in _NUMBERS or any(map(str.isdigit, w)),
    "YEAR": lambda w: len(w) == 4 and w.isdecimal() and "1000" <= w < "2100",
    "DET": _DETERMINERS.__contains__,
    "BE": BE.__contains__,
    "HAVE": HAVE.__contains__,
    "MARK": _MARKS.__contains__,
    "SEMICOLON": lambda w: w == ";",
    "START": ("", ".", "!", "?").__contains__,
    "END": ("", ".", "!", "?", ";").__contains__,
    "COMPARATIVE": lambda w: w in _COMPARATIVES or (len(w) > 4 and w.endswith("er")),
}
CLASSES = frozenset(_GROUPS) | frozenset(_WORD_CLASSES)


@dataclass(frozen=True)
class Place:
    """Words start..end of a sentence; `forms` are the probabilities of each word's forms (words, TAGS)."""

    words: Sequence[str]
    start: int
    end: int
    forms: Reals

    def word(self, i: int) -> str:
        """The word at a position; empty outside the sentence."""
        return self.words[i] if 0 <= i < len(self.words) else ""

    def has_form(self, i: int, tags: Sequence[str]) -> bool:
        """Whether the word at a position probably has one of these forms."""
        if not self.word(i)[:1].isalpha():
            return False
        return float(sum(self.forms[i, _TAG[tag]] for tag in tags)) >= _SURE

    def matches(self, i: int, alternatives: frozenset[str]) -> bool:
        """Whether the word at a position is one of these words or in one of these classes."""
        word = self.word(i)
        if word in alternatives:
            return True
        for name in alternatives & CLASSES:
            if name in _WORD_CLASSES:
                if _WORD_CLASSES[name](word):
                    return True
            elif self.has_form(i, _GROUPS[name]):
                return True
        return False


@dataclass(frozen=True)
class Test:
    """One condition: a relation, the words that it needs, and whether they must or must not be there."""

    relation: str
    words: frozenset[str]
    negative: bool

    def holds(self, place: Place) -> bool:
        """Whether a place meets the condition."""
        if self.relation == "before":
            present = place.matches(place.end, self.words)
        elif self.relation == "after":
            present = place.matches(_in_front(place), self.words) or place.matches(
                place.start - 1, self.words
            )
        elif self.relation == "near":
            present = any(place.matches(i, self.words) for i in range(place.end, _clause_end(place)))
        else:
            present = not self.words.isdisjoint(place.words)
        return present != self.negative


@dataclass(frozen=True)
class Condition:
    """The requirements on a place: a form of its first (or last) word, and tests of the words around it."""

    tags: tuple[str, ...] = ()
    tests: tuple[Test, ...] = ()
    head: int = 0  # the index of the source word that has the form

    def holds(self, place: Place) -> bool:
        """Whether the place has the form and meets all tests."""
        if self.tags and not self._has_form(place):
            return False
        return all(test.holds(place) for test in self.tests)

    def _has_form(self, place: Place) -> bool:
        i = place.start + self.head if self.head >= 0 else place.end + self.head
        past = [tag for tag in self.tags if tag in ("VBD", "VBN")]
        if len(past) == 1:  # the target has different words for the past tense and for the participle
            return place.has_form(i, ("VBD", "VBN")) and _past(place, i, past == ["VBN"])
        if past:
            return place.has_form(i, ("VBD", "VBN")) and not _attributive(place, i)
        return place.has_form(i, self.tags)

    def to_text(self) -> str:
        """The condition in one line, for a file."""
        tests = [
            f"{'not ' if t.negative else ''}{t.relation} {' '.join(sorted(t.words))}" for t in self.tests
        ]
        return " ; ".join([f"{' '.join(self.tags)}@{self.head}", *tests])

    @classmethod
    def from_text(cls, text: str) -> Condition:
        """Parse the output of `to_text`."""
        form, *tests = text.split(" ; ")
        tags, _, head = form.partition("@")
        if not set(tags.split()) <= set(TAGS):
            raise ValueError(f"{tags!r} are not forms of words")
        return cls(tuple(tags.split()), tuple(map(parse_test, tests)), int(head))


def parse_test(text: str) -> Test:
    """Parse a test in a part of a line, such as "not before to that".

    >>> parse_test("not before to that").relation
    'before'
    """
    words = text.split()
    negative = words[:1] == ["not"]
    relation, *rest = words[1:] if negative else [*words, ""][: max(len(words), 1)]
    if relation not in RELATIONS or not rest:
        raise ValueError(
            f"{text.strip()!r} is not a condition; expected one of {', '.join(RELATIONS)} and words"
        )
    unknown = [w for w in rest if w.isalpha() and w.isupper() and w not in CLASSES]
    if unknown:
        raise ValueError(
            f"no class of words is called {unknown[0]}; expected some of {', '.join(sorted(CLASSES))}"
        )
    return Test(relation, frozenset(rest), negative)


@dataclass(frozen=True)
class PhraseConditions:
    """The conditions of rules, by their source and target; rules without an entry can be used everywhere."""

    by_rule: Mapping[tuple[str, str], tuple[Condition, ...]] = field(default_factory=dict)

    def of_rules(self, table: RuleTable) -> dict[int, tuple[Condition, ...]]:
        """The conditions by the index of a rule in a table."""
        if not self.by_rule:
            return {}
        texts = (table.text(rule) for rule in range(len(table)))
        return {rule: self.by_rule[text] for rule, text in enumerate(texts) if text in self.by_rule}

    def to_lines(self) -> list[str]:
        """One line per rule and condition, for a file."""
        return [
            f"{source}\t{target}\t{condition.to_text()}"
            for (source, target), conditions in sorted(self.by_rule.items())
            for condition in conditions
        ]

    @classmethod
    def from_lines(cls, lines: Sequence[str]) -> PhraseConditions:
        """Parse the output of `to_lines`."""
        rules: dict[tuple[str, str], list[Condition]] = {}
        for line in lines:
            source, target, text = line.split("\t")
            rules.setdefault((source, target), []).append(Condition.from_text(text))
        return cls({rule: tuple(conditions) for rule, conditions in rules.items()})

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The conditions as a named array, for a file; empty if there are none."""
        text = "\n".join(self.to_lines()).encode("utf-8")
        return {"conditions": np.frombuffer(text, np.uint8)} if text else {}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> PhraseConditions:
        """Read the output of `arrays`."""
        text = arrays["conditions"].tobytes().decode("utf-8") if "conditions" in arrays else ""
        return cls.from_lines(text.splitlines())


def _in_front(place: Place) -> int:
    """The word before a place, ignoring adverbs."""
    i = place.start - 1
    while i > 0 and place.words[i].endswith("ly") and place.has_form(i, _GROUPS["ADV"]):
        i -= 1
    return i


def _clause_end(place: Place) -> int:
    for i in range(place.end, min(place.end + _NEAR, len(place.words))):
        if place.words[i] in _MARKS:
            return i
    return min(place.end + _NEAR, len(place.words))


_PREPOSITIONS = frozenset(
    "by in at on with from to for of as during after before into through between , . ;".split()
)
_BETWEEN = frozenset("not n't also never often still now then been".split())
_POSSIBLE = 0.3
_AUXILIARIES = BE | HAVE | frozenset("get gets got getting".split())


def _past(place: Place, i: int, participle: bool) -> bool:
    """Whether a word in -ed is a participle and not a past tense, by its neighbours; adjectives are neither."""
    before = i - 1
    while before >= 0 and (
        place.words[before] in _BETWEEN
        or (place.words[before].endswith("ly") and place.has_form(before, _GROUPS["ADV"]))
    ):
        before -= 1
    auxiliary = place.word(before) in _AUXILIARIES or place.word(i - 1) == "been"
    # A verb that takes an object has one after a past tense; a participle after its noun ("the goods bought by them") is
    # followed by a preposition.
    preposition = place.word(i + 1) in _PREPOSITIONS
    if not participle:
        return not auxiliary and not preposition and place.has_form(i, ("VBD",))
    return auxiliary or (preposition and float(place.forms[i, _TAG["VBN"]]) > _POSSIBLE)


def _attributive(place: Place, i: int) -> bool:
    """Whether a participle precedes its noun ("the bought goods")."""
    return place.word(i - 1) in _DETERMINERS and place.has_form(i + 1, (*_GROUPS["NOUN"], "JJ"))
