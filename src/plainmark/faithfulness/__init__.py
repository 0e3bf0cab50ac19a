"""Facts that a simplification must preserve: numbers, negations and names, found by rules, with their positions.

>>> from plainmark.faithfulness import check
>>> checked = check("numbers", "It sold 1,200 copies in 1998.", "It sold twelve hundred copies in 1989.")
>>> [(m.text, m.kept) for m in checked.source], [(m.text, m.kept) for m in checked.output]
([('1,200', True), ('1998', False)], [('twelve hundred', True), ('1989', False)])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from ._mention import Checked, Mention
from .alignment import Pair
from .comparison import facts
from .entities import entities, match_entities
from .ledger import KINDS, Entry, Ledger, Place, Verdict
from .negations import match_negations, negations
from .numbers import match_numbers, numbers
from .passage import Passage

Kind = Literal["numbers", "negations", "entities"]

_FINDERS: dict[str, Callable[[str], list[Mention]]] = {
    "numbers": numbers,
    "negations": negations,
    "entities": entities,
}
_MATCHERS: dict[str, Callable[[str, list[Mention], str, list[Mention]], Checked]] = {
    "numbers": match_numbers,
    "negations": match_negations,
    "entities": match_entities,
}


def find(kind: Kind, text: str) -> list[Mention]:
    """The numbers, negations or names of a text, in order."""
    return _FINDERS[kind](text)


def match(
    kind: Kind, source: str, of_source: list[Mention], output: str, of_output: list[Mention]
) -> Checked:
    """Which mentions of either text the other one has; weak mentions are evidence only and not in the result."""
    return _MATCHERS[kind](source, of_source, output, of_output)


def check(kind: Kind, source: str, output: str) -> Checked:
    """The mentions of a source and of its simplification, and whether the other text has them."""
    return match(kind, source, find(kind, source), output, find(kind, output))


__all__ = [
    "KINDS", "Checked", "Entry", "Kind", "Ledger", "Mention", "Pair", "Passage", "Place", "Verdict",
    "check", "entities", "facts", "find", "match", "negations", "numbers",
]  # fmt: skip
