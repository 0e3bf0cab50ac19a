"""Alarms on faithful human pairs: how many there are, in how many texts, and how many of those that were judged are right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from . import ledgers
from .intervals import share
from .judgements import Judgement, match
from .tables import Table
from .texts import DATASETS, Text


@dataclass(frozen=True)
class Run:
    """A pair of texts and its ledger."""

    text: Text
    ledger: Any


def run(texts: Sequence[Text], facts: ledgers.Facts) -> list[Run]:
    """The ledgers of faithful pairs."""
    return [Run(text, facts(text.source, text.output)) for text in texts]


def tables(runs: Sequence[Run]) -> list[Table]:
    """Red alarms and checks by kind of fact, for each data set and for all of them."""
    sections = []
    for name in (*DATASETS, "all"):
        own = [r for r in runs if name in ("all", r.text.dataset)]
        if own:
            sections.append(_table(name, own))
    return sections


def _table(name: str, runs: Sequence[Run]) -> Table:
    words = sum(len(r.text.source.split()) for r in runs)
    rows = []
    for kind in (*ledgers.KINDS, "all"):
        reds = [[e for e in ledgers.red(r.ledger) if kind in ("all", e.kind)] for r in runs]
        checks = [[e for e in ledgers.check(r.ledger) if kind in ("all", e.kind)] for r in runs]
        red, check = sum(map(len, reds)), sum(map(len, checks))
        texts = sum(map(bool, reds))
        rows.append(
            [
                kind,
                red,
                round(1000 * red / words, 2),
                check,
                round(1000 * check / words, 2),
                texts,
                share(texts, len(runs)),
                sum(bool(a or b) for a, b in zip(reds, checks, strict=True)),
            ]
        )
    return Table(
        f"Faithful pairs, {name}: {len(runs)} texts, {words:,} words of source",
        ["kind", "red", "per 1,000", "check", "per 1,000", "texts with red", "% of texts", "texts flagged"],
        rows,
    )


def precision(runs: Sequence[Run], judgements: Sequence[Judgement]) -> Table:
    """Of the red alarms that are still raised, how many of the judged ones were right."""
    judged = [(e, match(r.text, e, judgements)) for r in runs for e in ledgers.red(r.ledger)]
    rows = []
    for kind in (*ledgers.KINDS, "all"):
        own = [j for e, j in judged if kind in ("all", e.kind)]
        known = [j for j in own if j is not None]
        right = sum(j.right for j in known)
        rows.append([kind, len(own), len(known), right, share(right, len(known))])
    false = {
        r.text.key
        for r in runs
        for e in ledgers.red(r.ledger)
        if (j := match(r.text, e, judgements)) and not j.right
    }
    return Table(
        f"Judged: red alarms on {len(runs)} texts; {len(false)} texts have a false one ({share(len(false), len(runs))} %)",
        ["kind", "red", "judged", "right", "% right"],
        rows,
    )
