"""The editor's jobs, in a worker process: checking, comparing, reading and writing documents.

A checker caches sentences, and a worker keeps the most recent checkers, so that after an edit only changed sentences are
analysed.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...checks import Checker, Finding, WordList, all_rules
from ...errors import InputError, PlainmarkError
from ...explanation import Explanation, explain
from .checklist import KIND_NAMES, checklist
from .documents import open_document, save_document
from .requests import ChecklistRequest, CheckRequest, FactsRequest, SaveRequest

_KEPT = 4  # number of checkers that a worker keeps
# Facts and targets of the whole text have panels of their own; marks are for findings at one place.
_PANEL_RULES = ("PM5", "PM6")
_HOUSE_RULES = "PM4"
_WORD_LIST = "word list"


class Checkers:
    """The most recent checkers, by targets and word list."""

    def __init__(self) -> None:
        self._checkers: OrderedDict[object, Checker] = OrderedDict()

    def get(self, request: CheckRequest) -> Checker:
        """The checker for a request; InputError if its word list has a mistake."""
        words = request.words.strip()
        key = request.targets, hashlib.sha256(words.encode("utf-8", "replace")).digest()
        if key not in self._checkers:
            rules = [rule for rule in all_rules() if not rule.id.startswith(_PANEL_RULES)]
            self._checkers[key] = Checker(request.targets.targets(), read_words(words), rules)
        self._checkers.move_to_end(key)
        while len(self._checkers) > _KEPT:
            self._checkers.popitem(last=False)
        return self._checkers[key]


_CHECKERS = Checkers()


def read_words(words: str) -> WordList:
    """The word list that the user pasted or chose."""
    if not words:
        return WordList()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{_WORD_LIST}.csv"
        path.write_text(words + "\n", "utf-8", "replace")
        try:
            return WordList.read(str(path))
        except InputError as error:
            raise InputError(
                str(error).replace(str(path), _WORD_LIST).replace(path.name, _WORD_LIST)
            ) from None


def check(request: CheckRequest) -> dict[str, Any]:
    """The findings, measures and targets of a text; a faulty word list is reported and ignored."""
    checker, problem = _checker(request)
    result = checker.check(request.text)
    findings = _without_doubles(result.findings)
    used = {finding.rule for finding in findings}
    return {
        "findings": [f.to_dict() for f in findings],
        "measures": result.measures.to_dict(),
        "targets": [vars(t) for t in result.targets],
        "costly": [vars(c) | {"help": list(c.help)} for c in result.costly],
        "notes": list(result.notes),
        "rules": {r.id: {"name": r.name, "explanation": r.explanation} for r in all_rules() if r.id in used},
        "word_problem": problem,
    }


def _checker(request: CheckRequest) -> tuple[Checker, str]:
    """The checker of a request, and the error in its word list, if any."""
    try:
        return _CHECKERS.get(request), ""
    except PlainmarkError as error:
        return _CHECKERS.get(request.model_copy(update={"words": ""})), str(error)


def _without_doubles(findings: Sequence[Finding]) -> list[Finding]:
    """Findings in which those of the house word list replace other findings about the same words."""
    house = {(f.start, f.end) for f in findings if f.rule.startswith(_HOUSE_RULES)}
    return [f for f in findings if f.rule.startswith(_HOUSE_RULES) or (f.start, f.end) not in house]


def facts(request: FactsRequest, aligner: str) -> dict[str, Any]:
    """The alignment of sentences, and every fact of both texts."""
    explanation = _explained(request, aligner)
    alignment = explanation.alignment
    return {
        "source": [[s.start, s.end, s.group] for s in alignment.source],
        "output": [[s.start, s.end, s.group] for s in alignment.output],
        "groups": [vars(group) for group in alignment.groups],
        "entries": [
            e.to_dict() | {"red": e.red, "label": KIND_NAMES.get(e.kind, e.kind)}
            for e in explanation.ledger.entries
        ],
        "notes": [*explanation.notes, *explanation.ledger.notes],
    }


def write_checklist(request: ChecklistRequest, aligner: str) -> bytes:
    """The facts as a list to sign."""
    entries = _explained(request, aligner).ledger.entries
    return checklist(entries, frozenset(request.confirmed), request.format)


def read_document(body: bytes) -> dict[str, Any]:
    """The text of a document: its name, a zero byte and its content."""
    name, _, data = body.partition(b"\0")
    return open_document(data, name.decode("utf-8", "replace"))


def write_document(request: SaveRequest, document: bytes) -> bytes:
    """A text as a document, or put back into the Word document that it was opened from."""

    def findings(text: str) -> list[Finding]:
        return _without_doubles(_checker(request)[0].check(text).findings)

    return save_document(request, document, findings)


def prepare() -> None:
    """Load the resources that every check needs."""
    check(CheckRequest(text="We will utilise the facility. The form was signed by nobody."))


def _explained(request: FactsRequest, aligner: str) -> Explanation:
    return explain(request.source, request.output, metrics=(), aligner=aligner)
