"""The facts of a text and of its simplification: which are the same, changed, gone, new or to be checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike, fspath
from typing import Any

from .. import faithfulness
from ..documents import Prose, is_document, prose
from ..errors import InputError, OptionError, did_you_mean
from ..faithfulness.ledger import KINDS, VERDICTS, Entry, Ledger, Place
from ..files import label, read_lines
from ..languages import check_code
from ..report.facts import HEADINGS, by_tone, position, risk_sentence, verdict_counts
from ..report.formatting import short
from ..result import Result, Row, Titled
from ..table import Cell, Table

_WIDEST = 40  # longest text of a fact in a table, in characters
_MOST = 6  # largest number of facts named in a group


@dataclass(frozen=True, eq=False)
class FactLedger(Ledger, Result):
    """A ledger with its texts, which prints as tables.

    Alarms come first, then entries to be checked, then facts that are gone or new, grouped by kind; with
    `everything` these and the unchanged facts are listed one by one. JSON, CSV and TSV always have every
    entry.
    """

    documents: tuple[Prose, Prose] = field(default=(Prose.plain(""), Prose.plain("")), repr=False)
    sides: tuple[str, str] = ("original", "simplified")  # names of the texts
    kinds: tuple[str, ...] = KINDS  # the kinds of facts that were compared
    everything: bool = False

    title = "Facts"

    @property
    def source(self) -> str:
        """The original; the places of facts are offsets in it."""
        return self.documents[0].text

    @property
    def output(self) -> str:
        """The simplified text; the places of facts are offsets in it."""
        return self.documents[1].text

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
        """One row per entry, in the order of the texts; a fact that one of the texts lacks is None."""
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

        return page.render(self, self.documents, sides=self.sides, kinds=self.kinds)

    def _listed(self, entries: Sequence[Entry]) -> Table:
        headings = ["verdict", "kind", "original", "at", "simplified", "at", "confidence", "why"]
        before, after = self.documents
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
        before, after = self.documents
        groups: dict[tuple[str, str], list[str]] = {}
        for e in entries:
            place, document = (e.before, before) if e.before else (e.after, after)
            if place:
                groups.setdefault((e.verdict, e.kind), []).append(
                    f"{_quoted(place)} {position(document, place)}"
                )
        rows = []
        for (verdict, kind), texts in sorted(groups.items(), key=lambda item: item[0][0]):
            more = f" and {len(texts) - _MOST:,} more" if len(texts) > _MOST else ""
            shown = ", ".join(texts[:_MOST]) + more
            rows.append([Cell(verdict), Cell(kind), Cell(f"{len(texts):,}", len(texts)), Cell(shown)])
        return Table(["verdict", "kind", "facts", "which, and where"], rows, text_columns=(0, 1, 3))

    def _checked(self) -> Table:
        """The number of facts by kind and verdict, and what could not be checked."""
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

    `source` and `output` are texts, or files if they are paths (`pathlib.Path`); `kinds` restricts what is
    looked for. In languages other than English, only numbers and dates are compared; `language` is needed
    only if it cannot be detected in the output.

    >>> import plainmark as pm
    >>> ledger = pm.facts("Take 5 mg of the drug.", "Take 5 g of the drug.")
    >>> [(e.kind, e.before.text, e.after.text, e.verdict) for e in ledger.entries]
    [('number', '5 mg', '5 g', 'changed')]
    """
    selected = parse_kinds(kinds)
    sides = [
        Prose.plain(text) if isinstance(text, str) else read_document(fspath(text))
        for text in (source, output)
    ]
    return _compared(sides[0], sides[1], selected, check_code(language) if language else "")


def facts_of_files(
    source: str, output: str, kinds: tuple[str, ...] | None = None, language: str = ""
) -> FactLedger:
    """Compare the facts of two files, each of them one text; - is standard input."""
    code = check_code(language) if language else ""
    ledger = _compared(read_document(source), read_document(output), kinds, code)
    return replace(ledger, sides=(label(source), label(output)))


def _compared(source: Prose, output: Prose, kinds: tuple[str, ...] | None, language: str) -> FactLedger:
    ledger: Ledger = faithfulness.facts(source.text, output.text, kinds=kinds, language=language)
    checked = tuple(kind for kind in kinds or KINDS if kind not in ledger.unchecked)
    return FactLedger(
        ledger.entries,
        ledger.risk,
        ledger.notes,
        ledger.unchecked,
        documents=(source, output),
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


def read_document(path: str) -> Prose:
    """The text of a file, without the markup of Word, Markdown, HTML or PDF."""
    document = prose(path) if is_document(path) else Prose.plain("\n".join(read_lines(path)))
    if not document.text.strip():
        raise InputError(f"{label(path)}: no text in it, expected the whole text.")
    return document


def _quoted(place: Place) -> str:
    return f"“{short(' '.join(place.text.split()), _WIDEST)}”"


def _cells(place: Place | None, document: Prose) -> list[Cell]:
    return [Cell("–"), Cell("")] if place is None else [Cell(_quoted(place)), Cell(position(document, place))]


def _flat(side: str, place: Place | None) -> dict[str, Any]:
    return {
        side: place and place.text,
        f"{side}_start": place and place.start,
        f"{side}_end": place and place.end,
        f"{side}_sentence": place and place.sentence,
    }


__all__ = ["FactLedger", "facts"]
