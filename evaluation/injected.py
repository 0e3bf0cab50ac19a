"""Recall on injected errors: how often the ledger flags the place of an error, compared with the text before the error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from . import ledgers
from .injection import Injected
from .intervals import share
from .tables import Table
from .texts import Text


def table(
    cases: Mapping[str, Sequence[Injected]], facts: ledgers.Facts, known: Mapping[Text, object]
) -> tuple[Table, list[Injected]]:
    """One row per kind of error, and the errors that were missed; `known` has ledgers of texts without errors."""
    rows, missed = [], []
    for kind, own in cases.items():
        red = either = before = any_entry = 0
        for case in own:
            ledger = facts(case.text.source, case.output)
            alarms = ledgers.at(ledgers.red(ledger), case.places, case.source_places)
            checks = ledgers.at(ledgers.check(ledger), case.places, case.source_places)
            red += bool(alarms)
            either += bool(alarms or checks)
            if not (alarms or checks):
                missed.append(case)
            any_entry += bool(
                ledgers.at(
                    [e for e in ledger.entries if e.verdict != "same"], case.places, case.source_places
                )
            )
            clean = known.get(case.text) or facts(case.text.source, case.text.output)
            flags = ledgers.red(clean) + ledgers.check(clean)
            before += bool(ledgers.at(flags, case.originals, case.source_places))
        n = len(own)
        rows.append([kind, n, share(red, n), share(either, n), share(before, n), share(any_entry, n)])
    recall = Table(
        "Injected errors: % flagged at the place of the error",
        ["error", "n", "red", "red or check", "flagged before", "any entry but same"],
        rows,
        ["flagged before: red or check at the same place of the faithful text; subtract it"],
    )
    return recall, missed
