"""The page of `plainmark facts`: both texts side by side with their facts marked, and a verdict for each fact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from ..documents import Prose
from ..faithfulness.ledger import KINDS, VERDICTS, Entry, Ledger, Place
from . import html
from .formatting import count, names

Tone = Literal["alarm", "check", "listed", "same"]
TONES: tuple[Tone, ...] = ("alarm", "check", "listed", "same")
HEADINGS: dict[Tone, str] = {
    "alarm": "Alarms",
    "check": "To check",
    "listed": "Gone or new",
    "same": "The same in both texts",
}
_SURE = 0.95  # the largest contribution of one entry; a higher risk is only called higher
MEANINGS: dict[Tone, str] = {
    "alarm": "the simplified text seems to say something else",
    "check": "it may say something else: read both",
    "listed": "is in one of the texts only, which is common in simplification",
    "same": "both texts have it",
}


def tone(entry: Entry) -> Tone:
    """The urgency of an entry, which decides its colour and its place in tables."""
    if entry.red:
        return "alarm"
    if entry.verdict in ("changed", "check"):
        return "check"
    return "same" if entry.verdict == "same" else "listed"


def by_tone(ledger: Ledger) -> dict[Tone, list[Entry]]:
    """The entries by urgency, each list in the order of the texts."""
    groups: dict[Tone, list[Entry]] = {key: [] for key in TONES}
    for entry in ledger.entries:
        groups[tone(entry)].append(entry)
    return groups


def headline(ledger: Ledger) -> str:
    """The result in one sentence."""
    if not ledger.entries:
        return "No fact of these kinds was found in either text, so nothing was compared."
    groups = by_tone(ledger)
    verdicts = Counter(entry.verdict for entry in groups["listed"])
    parts = [count(len(groups["alarm"]), "alarm") if groups["alarm"] else "no alarm"]
    parts += [f"{len(groups['check']):,} to check"] if groups["check"] else []
    parts += [f"{verdicts[v]:,} {v}" for v in ("gone", "new") if verdicts[v]]
    text = f"{names(parts)}; {count(len(groups['same']), 'fact')} the same in both texts."
    return text[0].upper() + text[1:] + (" Only numbers and dates were compared." if ledger.unchecked else "")


def risk_sentence(ledger: Ledger) -> str:
    """A sentence with the estimated risk."""
    if ledger.risk is None:
        return "The risk that the meaning was altered is not estimated, because the estimate is for English."
    risk = f"{ledger.risk:.0%}" if ledger.risk < _SURE else f"over {_SURE:.0%}"
    return f"Estimated risk that the meaning was altered: {risk}."


def verdict_counts(ledger: Ledger) -> dict[str, Counter[str]]:
    """The number of facts by kind and verdict, for kinds that occur."""
    counts: dict[str, Counter[str]] = {}
    for entry in ledger.entries:
        counts.setdefault(entry.kind, Counter())[entry.verdict] += 1
    return {kind: counts[kind] for kind in sorted(counts, key=_kind_order)}


def _kind_order(kind: str) -> int:
    return KINDS.index(kind) if kind in KINDS else len(KINDS)


def position(document: Prose, place: Place) -> str:
    """Line and column of a place in its file, both counted from 1, as in editors: "2:14"."""
    location = document.locate(place.start)
    return f"{location.line}:{location.column}"


@dataclass(frozen=True)
class Label:
    """The visible name of a marked fact, which leads to its row."""

    number: int
    text: str
    tone: Tone


@dataclass(frozen=True)
class Piece:
    """A piece of text within the same facts; `labels` are those of the facts that end with it."""

    text: str
    tone: Tone | None
    hint: str
    labels: tuple[Label, ...]


@dataclass(frozen=True)
class FactRow:
    """An entry with its number and its positions in both texts."""

    number: int
    entry: Entry
    tone: Tone
    before: str
    after: str


def render(
    ledger: Ledger, documents: tuple[Prose, Prose], *, sides: Sequence[str], kinds: Sequence[str]
) -> str:
    """The page as text; `sides` are the names of the two documents, `kinds` the kinds of facts that were compared."""
    groups = by_tone(ledger)
    listed = [entry for key in TONES[:3] for entry in groups[key]]
    numbers = {id(entry): number for number, entry in enumerate(listed, 1)}
    source, output = (document.text for document in documents)
    sections = [
        (
            HEADINGS[key],
            MEANINGS[key],
            [_row(numbers[id(entry)], entry, documents) for entry in groups[key]],
        )
        for key in TONES[:3]
        if groups[key]
    ]
    counts = verdict_counts(ledger)
    texts = [
        (side, heading, pieces(text, places, numbers))
        for side, heading, text, places in (
            ("before", sides[0], source, [(e, e.before) for e in ledger.entries if e.before]),
            ("after", sides[1], output, [(e, e.after) for e in ledger.entries if e.after]),
        )
    ]
    return html.page(
        "facts.html",
        title=f"Facts of {sides[0]} and {sides[1]}",
        styles=("page.css", "facts.css"),
        data={},
        lede=headline(ledger),
        risk=risk_sentence(ledger),
        links=[
            ("texts", "Texts"),
            *([("facts", "Facts")] if sections else []),
            ("checked", "What was checked"),
        ],
        legend=[(key, HEADINGS[key], MEANINGS[key]) for key in TONES if groups[key]],
        texts=texts,
        sections=sections,
        verdicts=VERDICTS,
        counts=[(kind, [row[v] for v in VERDICTS]) for kind, row in counts.items()],
        unmentioned=[kind for kind in kinds if kind not in counts],
        notes=ledger.notes,
    )


def _row(number: int, entry: Entry, documents: tuple[Prose, Prose]) -> FactRow:
    before, after = (
        place and position(document, place)
        for place, document in zip((entry.before, entry.after), documents, strict=True)
    )
    return FactRow(number, entry, tone(entry), before or "", after or "")


def pieces(text: str, places: Iterable[tuple[Entry, Place]], numbers: dict[int, int]) -> list[Piece]:
    """The text, cut at the boundaries of facts, which may overlap; the most urgent fact determines a piece's colour."""
    begins: dict[int, list[Entry]] = {}
    ends: dict[int, list[Entry]] = {}
    for entry, place in places:
        start, end = max(place.start, 0), min(place.end, len(text))
        if start < end:
            begins.setdefault(start, []).append(entry)
            ends.setdefault(end, []).append(entry)
    inside: dict[int, Entry] = {}
    out = []
    cuts = sorted({0, len(text), *begins, *ends})
    for start, end in pairwise(cuts):
        for entry in ends.get(start, ()):
            inside.pop(id(entry), None)
        for entry in begins.get(start, ()):
            inside[id(entry)] = entry
        covering = sorted(inside.values(), key=lambda e: TONES.index(tone(e)))
        hint = "; ".join(f"{e.kind}: {e.verdict}. {e.reason}" for e in covering)
        labels = tuple(
            Label(numbers[id(e)], e.verdict, tone(e)) for e in ends.get(end, ()) if id(e) in numbers
        )
        out.append(Piece(text[start:end], tone(covering[0]) if covering else None, hint, labels))
    return out
