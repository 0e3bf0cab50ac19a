"""Writes alarms to be judged, and reads the judgements.

A judgement names a text by data set, document and variant, and a finding by its kind and its places in source and output;
the texts themselves are not stored. A finding matches a judged one if it has the same kind and overlaps it in each text in
which both have a place.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from . import ledgers
from .texts import Text

FILE = Path(__file__).resolve().parents[1] / "tests" / "golden" / "facts_judgements.json"
_REACH = 160


@dataclass(frozen=True)
class Judgement:
    """A judgement of an alarm: whether the meaning was altered as the alarm says."""

    dataset: str
    document: str
    variant: str
    kind: str
    pattern: str
    verdict: str
    before: tuple[int, int] | None
    after: tuple[int, int] | None
    right: bool | None = None
    note: str = ""
    still_red: bool = False  # known to be false, and still raised


def read(path: Path = FILE) -> list[Judgement]:
    """The judgements of a file, none if there is no file."""
    if not path.exists():
        return []
    return [
        Judgement(
            **entry | {side: tuple(entry[side]) if entry[side] else None for side in ("before", "after")}
        )
        for entry in json.loads(path.read_text("utf-8"))
    ]


def match(text: Text, entry: Any, judgements: Sequence[Judgement]) -> Judgement | None:
    """The judgement of an entry of a text's ledger, if there is one."""
    for judgement in judgements:
        if (judgement.dataset, judgement.document, judgement.variant) == text.key and (
            judgement.right is not None
            and judgement.kind == entry.kind
            and _same(judgement.before, entry.before)
            and _same(judgement.after, entry.after)
            and (_both(judgement.before, entry.before) or _both(judgement.after, entry.after))
        ):
            return judgement
    return None


def sample(
    runs: Sequence[Any], entries: str, number: int, seed: int = 0
) -> list[tuple[Text, Any, Judgement]]:
    """A number of the red alarms (or checks, or both) of faithful texts, drawn at random, in the order of the texts."""
    entries_of = {
        "red": ledgers.red,
        "check": ledgers.check,
        "both": lambda ledger: [*ledgers.red(ledger), *ledgers.check(ledger)],
    }[entries]
    alarms = [(run.text, entry) for run in runs for entry in entries_of(run.ledger)]
    indices = sorted(random.Random(seed).sample(range(len(alarms)), min(number, len(alarms))))
    return [(*alarms[k], _unjudged(*alarms[k])) for k in indices]


def write(rows: Sequence[tuple[Text, Any, Judgement]], path: Path, sheet: Path) -> None:
    """Write a file to fill in `right` (true or false), and a sheet with the texts around each alarm."""
    path.write_text(json.dumps([asdict(j) for _, _, j in rows], ensure_ascii=False, indent=1) + "\n", "utf-8")
    lines = []
    for number, (text, entry, _) in enumerate(rows):
        lines += [
            f"## {number}  {text.dataset} {text.document} {text.variant}",
            f"{entry.kind} / {entry.pattern} / {entry.verdict}: {entry.reason}",
            f"SOURCE  {_around(text.source, entry.before)}",
            f"OUTPUT  {_around(text.output, entry.after)}",
            "",
        ]
    sheet.write_text("\n".join(lines), "utf-8")


def _unjudged(text: Text, entry: Any) -> Judgement:
    places = [(p.start, p.end) if p else None for p in (entry.before, entry.after)]
    return Judgement(*text.key, entry.kind, entry.pattern, entry.verdict, *places)


def _around(text: str, place: Any) -> str:
    if place is None:
        return text if len(text) < 3000 else "(nowhere)"
    a, b = max(0, place.start - _REACH), min(len(text), place.end + _REACH)
    return f"{text[a : place.start]}[[{text[place.start : place.end]}]]{text[place.end : b]}"


def _same(judged: tuple[int, int] | None, place: Any) -> bool:
    return judged is None or place is None or (place.start < judged[1] and judged[0] < place.end)


def _both(judged: tuple[int, int] | None, place: Any) -> bool:
    return judged is not None and place is not None
