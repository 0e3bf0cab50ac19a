"""Finds rules that would change the meaning, with the lexicon and the fact ledger.

Every rule is checked when a model is built. The tables are those of the lexicon (scripts/make_fact_lexicon.py: antonyms and
hypernyms of WordNet, denials by affix, directions) and the ledger's units; pairs that PPDB labels as exclusions can be
added.
"""

from __future__ import annotations

from collections.abc import Collection

from ... import lexicon
from ...faithfulness.kinds.number.units import UNITS
from ..truth import objections
from .constraints import NEGATIONS

# Words that negate or limit the following words without an affix.
_DENIALS = frozenset(
    "fail failed fails failing lack lacks lacked lacking without unless except but hardly scarcely barely rarely seldom "
    "neither nor deny denied denies refuse refused refuses reject rejected rejects avoid avoided prevent prevented "
    "prevents stop stopped forbid forbidden ban banned prohibit prohibited few little fewer less least".split()
)
_PERIODS = frozenset(
    "day days week weeks month months year years hour hours minute minutes second seconds decade decades century centuries "
    "fortnight daily weekly monthly yearly annual hourly night nights morning evening spring summer autumn winter".split()
)
# Sentences in which a rule is tried; the ledger compares them with and without it.
_FRAMES = (
    "It is {} that they saw it.",
    "They said the {} house was there.",
    "The people {} the plan in May.",
)


def meaning_change(source: str, target: str, exclusions: Collection[tuple[str, str]] = ()) -> str:
    """The meaning that a rule changes according to the lexicon or, in short sentences, the ledger; empty if none is known."""
    if reason := lexical_change(source, target, exclusions):
        return reason
    for frame in _FRAMES:
        if entries := objections(frame.format(source), frame.format(target)):
            return f"ledger: {entries[0].kind}"
    return ""


def lexical_change(source: str, target: str, exclusions: Collection[tuple[str, str]] = ()) -> str:
    """The meaning that a rule changes according to the lexicon, in one or two words; empty if none is known.

    >>> lexical_change("insufficient", "enough"), lexical_change("kilograms", "pounds"), lexical_change("purchase", "buy")
    ('negation', 'unit', '')
    """
    old, new = source.split(), target.split()
    for name, flagged in (
        ("negation", _denies),
        ("unit", UNITS.__contains__),
        ("period", _PERIODS.__contains__),
    ):
        if _bag(old, flagged) != _bag(new, flagged):
            return name
    if len(old) == len(new) == 1:
        return _related(old[0], new[0], exclusions)
    return ""


def _bag(words: list[str], flagged: object) -> list[str]:
    kinds = sorted(w for w in words if flagged(w))  # type: ignore[operator]
    # The kind of negation does not matter, but their number does.
    return ["not"] * len(kinds) if flagged is _denies else kinds


def _denies(word: str) -> bool:
    return word in NEGATIONS or word in _DENIALS or lexicon.negative(word) is not None


def _related(a: str, b: str, exclusions: Collection[tuple[str, str]]) -> str:
    relation = lexicon.related(a, b)
    if relation in ("antonym", "hyponym"):
        return relation
    if lexicon.opposite_direction(a, b):
        return "direction"
    if (lexicon.direction(a) is None) != (lexicon.direction(b) is None) and relation != "synonym":
        return "direction"
    if (a, b) in exclusions or (b, a) in exclusions:
        return "exclusion"
    if _second_order(a, b):
        return "second-order antonym"
    if lexicon.term_class(a) != lexicon.term_class(b):
        return "term"
    return ""


def _second_order(a: str, b: str) -> bool:
    """Whether a synonym of one word is an antonym of the other."""
    keys = {b, *lexicon.bases(b)}
    return any(keys & lexicon.antonyms(s) for s in lexicon.synonyms(a)) and not keys & lexicon.synonyms(a)
