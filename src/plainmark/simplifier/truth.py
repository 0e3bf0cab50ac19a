"""Rewrites that change what is said are taken back: the fact ledger is asked about every output that was rewritten.

If the ledger objects to an output, its rewrites are tried in halves, and those that it objects to alone are undone; if it
still objects to the rest together, the least certain rewrites go one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..faithfulness import Entry, facts, ledger
from .decoding import Rewrite

# Additions and roles are judged on whole sentences that were reworded; single rewrites do not make them.
KINDS = tuple(kind for kind in ledger.KINDS if kind not in ("addition", "role"))
_FIXED = frozenset(("number", "name", "negation", "condition", "quotation"))  # must be in both texts


@dataclass(frozen=True)
class TakenBack:
    """A rewrite that was undone, and what the ledger says about it."""

    rewrite: Rewrite
    reason: str


def objections(source: str, output: str) -> list[Entry]:
    """What the ledger calls changed, and the numbers, names, negations, conditions and quotations that only one text has."""
    return [
        e
        for e in facts(source, output, KINDS).entries
        if e.verdict == "changed" or (e.verdict != "same" and e.kind in _FIXED)
    ]


def truthful(
    source: str, rewrites: Sequence[Rewrite], rewritten: Callable[[Sequence[Rewrite]], str]
) -> tuple[list[Rewrite], list[TakenBack]]:
    """The rewrites that the ledger accepts together, and those that it does not; `rewritten` applies some of them."""
    if not rewrites or not objections(source, rewritten(rewrites)):
        return list(rewrites), []
    undone: list[TakenBack] = []

    def accepted(some: Sequence[Rewrite]) -> list[Rewrite]:
        if not some or not (found := objections(source, rewritten(some))):
            return list(some)
        if len(some) == 1:
            undone.append(TakenBack(some[0], _reason(found)))
            return []
        half = len(some) // 2
        return accepted(some[:half]) + accepted(some[half:])

    half = len(rewrites) // 2
    together = accepted(rewrites[:half]) + accepted(rewrites[half:])
    while together and (found := objections(source, rewritten(together))):
        # Of many, several at once: a long text is not asked about as often as it has rewrites.
        worst = sorted(together, key=lambda r: r.score)[: 1 + len(together) // 4]
        together = [r for r in together if r not in worst]
        undone += (TakenBack(r, _reason(found)) for r in worst)
    return together, undone


def _reason(entries: Sequence[Entry]) -> str:
    return f"{entries[0].kind}: {entries[0].reason}"
