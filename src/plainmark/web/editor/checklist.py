"""The facts of two texts as a list to sign: HTML, CSV or DOCX, with room for the name of the person who checked each one."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from ...errors import MissingResourceError
from ...faithfulness import VERDICTS, Entry
from ...report import html

TITLE = "Facts to check"
NOTE = (
    "Facts were found by rules, which do not see every change of meaning. “Confirmed” is what was ticked in the editor; sign"
    " where you have compared the two texts yourself."
)
COLUMNS = ("No.", "Verdict", "Kind", "Original", "Your text", "Why", "Confirmed", "Checked by", "Date")
_VERDICTS = {
    "changed": "changed",
    "check": "perhaps changed",
    "gone": "not in your text",
    "new": "not in the original",
    "same": "the same",
}
# Names of the ledger's kinds for editors, where they differ.
KIND_NAMES = {
    "negation": "not, no",
    "direction": "more or less",
    "modality": "must, may, can",
    "quantifier": "how many",
    "condition": "if, unless",
    "role": "who does what",
    "addition": "added",
}
# a spreadsheet treats a cell that begins like this as a formula
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class ChecklistRow:
    """A row of the list; who checked it and when is left blank."""

    number: int
    verdict: str
    kind: str
    before: str
    after: str
    reason: str
    confirmed: str

    @property
    def cells(self) -> tuple[str, ...]:
        """One cell per column."""
        return (
            str(self.number),
            self.verdict,
            self.kind,
            self.before,
            self.after,
            self.reason,
            self.confirmed,
            "",
            "",
        )


def checklist(entries: Sequence[Entry], confirmed: Collection[int], form: str) -> bytes:
    """The list in one of the formats; `confirmed` has indices of entries."""
    order = sorted(range(len(entries)), key=lambda i: VERDICTS.index(entries[i].verdict))
    rows = [
        ChecklistRow(
            number,
            _VERDICTS[entry.verdict],
            KIND_NAMES.get(entry.kind, entry.kind),
            entry.before.text if entry.before else "",
            entry.after.text if entry.after else "",
            entry.reason,
            "yes" if i in confirmed else "",
        )
        for number, (i, entry) in enumerate(((i, entries[i]) for i in order), 1)
    ]
    return _WRITERS[form](rows)


def _html(rows: Sequence[ChecklistRow]) -> bytes:
    page = html.page(
        "checklist.html",
        title=TITLE,
        styles=("page.css", "checklist.css"),
        scripts=(),
        data={},
        note=NOTE,
        columns=COLUMNS,
        rows=rows,
    )
    return page.encode("utf-8", "replace")


def _csv(rows: Sequence[ChecklistRow]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow([f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in row.cells])
    return out.getvalue().encode(
        "utf-8-sig", "replace"
    )  # with the byte order mark by which spreadsheets recognise UTF-8


def _docx(rows: Sequence[ChecklistRow]) -> bytes:
    try:
        from docx import Document
        from docx.enum.section import WD_ORIENT
    except ImportError:
        raise MissingResourceError(
            "a Word document needs python-docx; to install: pip install 'plainmark[documents]'."
        ) from None
    document = Document()
    section = document.sections[0]
    section.orientation = WD_ORIENT.LANDSCAPE
    section.page_width, section.page_height = section.page_height, section.page_width
    document.add_heading(TITLE, 1)
    document.add_paragraph(NOTE)
    table = document.add_table(rows=1, cols=len(COLUMNS), style="Table Grid")
    for cell, name in zip(table.rows[0].cells, COLUMNS, strict=True):
        cell.paragraphs[0].add_run(name).bold = True
    for row in rows:
        for cell, text in zip(table.add_row().cells, row.cells, strict=True):
            cell.text = "".join(c if c.isprintable() else " " for c in text)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


_WRITERS: dict[str, Callable[[Sequence[ChecklistRow]], bytes]] = {"html": _html, "csv": _csv, "docx": _docx}
