"""Undoes rewrites that change the meaning: the fact ledger checks every rewritten output.

If the ledger objects to an output, its rewrites are tried in halves, and those to which it objects individually are undone;
if it still objects to the others together, the least certain rewrites are undone one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..faithfulness import Entry, facts, ledger
from .decoding import Rewrite

# Additions and roles are judged on whole reworded sentences; single rewrites do not cause them.
KINDS = tuple(kind for kind in ledger.KINDS if kind not in ("addition", "role"))
_FIXED = frozenset(
    ("number", "name", "negation", "condition", "quotation")
)  # kinds that must be in both texts


@dataclass(frozen=True)
class TakenBack:
    """A rewrite that was undone, and the ledger's objection."""

    rewrite: Rewrite
    reason: str


def objections(source: str, output: str) -> list[Entry]:
    """The changed facts, and the numbers, names, negations, conditions and quotations that only one text has."""
    return [
        e
        for e in facts(source, output, KINDS).entries
        if e.verdict == "changed" or (e.verdict != "same" and e.kind in _FIXED)
    ]


def truthful(
    source: str, rewrites: Sequence[Rewrite], rewritten: Callable[[Sequence[Rewrite]], str]
) -> tuple[list[Rewrite], list[TakenBack]]:
    """The rewrites that the ledger accepts together, and the others; `rewritten` applies some of them."""
    if not rewrites or not objections(source, rewritten(rewrites)):
        return list(rewrites), []
    undone: list[TakenBack] = []

    def accepted(some: Sequence[Rewrite]) -> list[Rewrite]:
        if not some or not (objection := objections(source, rewritten(some))):
            return list(some)
        if len(some) == 1:
            undone.append(TakenBack(some[0], _reason(objection)))
            return []
        half = len(some) // 2
        return accepted(some[:half]) + accepted(some[half:])

    half = len(rewrites) // 2
    together = accepted(rewrites[:half]) + accepted(rewrites[half:])
    while together and (objection := objections(source, rewritten(together))):
        # If there are many, several are undone at once, so that a long text does not need one check per rewrite.
        worst = sorted(together, key=lambda r: r.score)[: 1 + len(together) // 4]
        together = [r for r in together if r not in worst]
        undone += (TakenBack(r, _reason(objection)) for r in worst)
    return together, undone


def _reason(entries: Sequence[Entry]) -> str:
    return f"{entries[0].kind}: {entries[0].reason}"
