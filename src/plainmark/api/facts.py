"""The facts of a text and of its simplification: what is the same, changed, gone, new or to be checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike, fspath
from typing import Any

from .. import faithfulness
from ..errors import InputError, OptionError, did_you_mean
from ..faithfulness.ledger import KINDS, VERDICTS, Entry, Ledger, Place
from ..files import label, read_lines
from ..languages import check_code
from ..report.facts import HEADINGS, Lines, by_tone, risk_sentence, verdict_counts
from ..report.formatting import short
from ..result import Result, Row, Titled
from ..table import Cell, Table

_WIDEST = 40  # characters of a fact in a table
_MOST = 6  # facts that are named in a group


@dataclass(frozen=True, eq=False)
class FactLedger(Ledger, Result):
    """A ledger with its texts, which prints as tables.

    Alarms come first, then what is to be checked, then what is gone or new by kind; `everything` lists these, and what
    is the same, one by one. JSON, CSV and TSV always have every entry.
    """

    source: str = field(default="", repr=False)
    output: str = field(default="", repr=False)
    sides: tuple[str, str] = ("original", "simplified")  # names of the texts
    kinds: tuple[str, ...] = KINDS  # that were looked for
    everything: bool = False

    title = "Facts"

    def tables(self) -> list[Titled]:
        groups = by_tone(self)
        singly = ("alarm", "check", "listed", "same") if self.everything else ("alarm", "check")
        tables = [
            (HEADINGS[key], self._listed(groups[key])) for key in groups if key in singly and groups[key]
        ]
        if groups["listed"] and not self.everything:
            tables.append((HEADINGS["listed"], self._grouped(groups["listed"])))
        return [*tables, ("What was checked", self._checked())]

    def records(self) -> list[Row]:
        """One row per entry, in the order of the texts; a fact that a text does not have is None there."""
        return [
            {
                "kind": e.kind,
                "verdict": e.verdict,
                "confidence": e.confidence,
                "alarm": e.red,
                **_flat("before", e.before),
                **_flat("after", e.after),
                "reason": e.reason,
            }
            for e in self.entries
        ]

    def to_html(self) -> str:
        """A page with both texts side by side and every fact marked in its place."""
        from ..report import facts as page

        return page.render(self, self.source, self.output, sides=self.sides, kinds=self.kinds)

    def _listed(self, entries: Sequence[Entry]) -> Table:
        headings = ["verdict", "kind", "original", "at", "simplified", "at", "confidence", "why"]
        before, after = Lines(self.source), Lines(self.output)
        rows = [
            [
                Cell(e.verdict),
                Cell(e.kind),
                *_cells(e.before, before),
                *_cells(e.after, after),
                Cell(f"{e.confidence:.0%}", e.confidence) if e.red else Cell("–"),
                Cell(e.reason),
            ]
            for e in entries
        ]
        return Table(headings, rows, text_columns=(0, 1, 2, 3, 4, 5, 7))

    def _grouped(self, entries: Sequence[Entry]) -> Table:
        before, after = Lines(self.source), Lines(self.output)
        groups: dict[tuple[str, str], list[str]] = {}
        for e in entries:
            place, lines = (e.before, before) if e.before else (e.after, after)
            if place:
                groups.setdefault((e.verdict, e.kind), []).append(f"{_quoted(place)} {lines.at(place)}")
        rows = []
        for (verdict, kind), texts in sorted(groups.items(), key=lambda item: item[0][0]):
            more = f" and {len(texts) - _MOST:,} more" if len(texts) > _MOST else ""
            shown = ", ".join(texts[:_MOST]) + more
            rows.append([Cell(verdict), Cell(kind), Cell(f"{len(texts):,}", len(texts)), Cell(shown)])
        return Table(["verdict", "kind", "facts", "which, and where"], rows, text_columns=(0, 1, 3))

    def _checked(self) -> Table:
        """How many facts of each kind have which verdict, and what could not be checked."""
        counts = verdict_counts(self)
        rows = [
            [Cell(kind), *(Cell(f"{counts[kind][v]:,}", counts[kind][v]) for v in VERDICTS)]
            for kind in counts
        ]
        unmentioned = [kind for kind in self.kinds if kind not in counts]
        notes = (
            [f"none found in either text, and so not compared: {', '.join(unmentioned)}"]
            if unmentioned
            else []
        )
        notes += [f"could not be checked: {note}" for note in self.notes]
        return Table(["kind", *VERDICTS], rows, [*notes, risk_sentence(self)])


def facts(
    source: str | PathLike[str],
    output: str | PathLike[str],
    *,
    kinds: str | Iterable[str] | None = None,
    language: str = "",
) -> FactLedger:
    """Compare the facts of a text with those of its simplification.

    `source` and `output` are texts, or files if they are paths (`pathlib.Path`); `kinds` restricts what is looked for.
    In other languages than English only numbers and dates are compared; `language` is that of the output, if not plain.

    >>> import plainmark as pm
    >>> ledger = pm.facts("Take 5 mg of the drug.", "Take 5 g of the drug.")
    >>> [(e.kind, e.before.text, e.after.text, e.verdict) for e in ledger.entries]
    [('number', '5 mg', '5 g', 'changed')]
    """
    selected = parse_kinds(kinds)
    texts = [text if isinstance(text, str) else read_text(fspath(text)) for text in (source, output)]
    return _compared(texts[0], texts[1], selected, check_code(language) if language else "")


def facts_of_files(
    source: str, output: str, kinds: tuple[str, ...] | None = None, language: str = ""
) -> FactLedger:
    """The facts of two files, each of them one text; - is standard input."""
    ledger = _compared(read_text(source), read_text(output), kinds, check_code(language) if language else "")
    return replace(ledger, sides=(label(source), label(output)))


def _compared(source: str, output: str, kinds: tuple[str, ...] | None, language: str) -> FactLedger:
    ledger: Ledger = faithfulness.facts(source, output, kinds=kinds, language=language)
    checked = tuple(kind for kind in kinds or KINDS if kind not in ledger.unchecked)
    return FactLedger(
        ledger.entries,
        ledger.risk,
        ledger.notes,
        ledger.unchecked,
        source=source,
        output=output,
        kinds=checked,
    )


def parse_kinds(kinds: str | Iterable[str] | None) -> tuple[str, ...] | None:
    """Kinds of facts by their names, each once; None stands for all.

    >>> parse_kinds("number,negation")
    ('number', 'negation')
    """
    if kinds is None:
        return None
    texts = [kinds] if isinstance(kinds, str) else kinds
    selected = tuple(dict.fromkeys(name.strip() for text in texts for name in text.split(",")))
    for name in selected:
        if name not in KINDS:
            raise OptionError(
                f"no kind of fact is called {name!r}.{did_you_mean(name, KINDS)} Expected one of {', '.join(KINDS)}."
            )
    return selected or None


def read_text(path: str) -> str:
    """The whole text of a file, with its lines."""
    text = "\n".join(read_lines(path))
    if not text.strip():
        raise InputError(f"{label(path)}: no text in it, expected the whole text as plain text.")
    return text


def _quoted(place: Place) -> str:
    return f"“{short(' '.join(place.text.split()), _WIDEST)}”"


def _cells(place: Place | None, lines: Lines) -> list[Cell]:
    return [Cell("–"), Cell("")] if place is None else [Cell(_quoted(place)), Cell(lines.at(place))]


def _flat(side: str, place: Place | None) -> dict[str, Any]:
    return {
        side: place and place.text,
        f"{side}_start": place and place.start,
        f"{side}_end": place and place.end,
        f"{side}_sentence": place and place.sentence,
    }


__all__ = ["FactLedger", "facts"]
