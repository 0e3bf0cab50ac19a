"""Rewrites that change what is said are taken back: the fact ledger is asked about every output that was rewritten.

If the ledger objects to an output, each rewrite is tried alone and those that it objects to are undone; if it still objects
to the rest, the least certain rewrites go one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..faithfulness import Entry, facts
from .decoding import Rewrite

# Additions and roles are judged on whole sentences that were reworded; single rewrites do not make them.
KINDS = ("number", "name", "term", "negation", "direction", "modality", "quantifier", "condition", "quotation")
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
    accepted = list(rewrites)
    if not accepted or not (found := objections(source, rewritten(accepted))):
        return accepted, []
    undone: list[TakenBack] = []
    if len(accepted) > 1:
        for rewrite in rewrites:
            if alone := objections(source, rewritten([rewrite])):
                accepted.remove(rewrite)
                undone.append(TakenBack(rewrite, _reason(alone)))
        found = objections(source, rewritten(accepted)) if accepted else []
    while found:
        last = min(accepted, key=lambda r: r.score)
        accepted.remove(last)
        undone.append(TakenBack(last, _reason(found)))
        found = objections(source, rewritten(accepted)) if accepted else []
    return accepted, undone


def _reason(entries: Sequence[Entry]) -> str:
    return f"{entries[0].kind}: {entries[0].reason}"
