"""Check files for plain language: findings with their places, suppressions, and a baseline of known findings.

>>> from plainmark.api.checks import check_text
>>> [(f.line, f.column, f.finding.rule) for f in check_text("We will purchase the land.", "a.txt").findings]
[(1, 9, 'PM101')]
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..checks import Checker, CheckResult, Finding
from ..documents import Prose, prose
from ..errors import InputError
from ..files import STANDARD_INPUT, read_json
from ..writing import write_atomically

_FORMAT = "plainmark check baseline"


@dataclass(frozen=True)
class PlacedFinding:
    """A finding with the line and the column of its file; `page` is that of a PDF file, else 0."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    finding: Finding
    text: str
    page: int = 0

    @property
    def fingerprint(self) -> str:
        """What identifies the finding when line numbers change: its file, rule and words."""
        words = " ".join(self.text.split())
        return hashlib.sha256(f"{_name(self.path)}\0{self.finding.rule}\0{words}".encode()).hexdigest()[:20]


@cache
def _name(path: str) -> str:
    return Path(path).as_posix()


@dataclass(frozen=True)
class CheckedFile:
    """A file with its findings, and the number of findings that its comments or the baseline suppressed."""

    path: str
    prose: Prose
    result: CheckResult
    findings: tuple[PlacedFinding, ...]
    suppressed: int = 0

    @property
    def broken(self) -> tuple[PlacedFinding, ...]:
        """The findings that break a limit."""
        return tuple(f for f in self.findings if f.finding.severity == "limit")

    def line_of(self, offset: int) -> int:
        """The line of a character of the prose."""
        return self.prose.locate(offset).line


def check_file(path: str, checker: Checker | None = None, original: str | None = None) -> CheckedFile:
    """Check a .docx, .md, .html, .txt or PDF file; `original` is the text of the original."""
    return _checked(path, prose(path), checker or Checker(), original)


def check_text(text: str, name: str = STANDARD_INPUT, checker: Checker | None = None) -> CheckedFile:
    """Check a text that is not in a file; `name` appears in its findings."""
    return _checked(name, Prose.plain(text), checker or Checker(), None)


def _checked(path: str, document: Prose, checker: Checker, original: str | None) -> CheckedFile:
    result = checker.check(document.text, original, document.links)
    findings, suppressed = [], 0
    for finding in result.findings:
        first = document.locate(finding.start)
        if document.suppressions.covers(finding.rule, first.line):
            suppressed += 1
            continue
        last = document.locate(max(finding.end - 1, finding.start))
        findings.append(
            PlacedFinding(
                path,
                first.line,
                first.column,
                last.line,
                last.column + 1,
                finding,
                document.text[finding.start : finding.end],
                first.page,
            )
        )
    return CheckedFile(path, document, result, tuple(findings), suppressed)


def read_baseline(path: str) -> Counter[str]:
    """The number of known findings by fingerprint."""
    data = read_json(path)
    known = data.get("findings") if isinstance(data, dict) and data.get("format") == _FORMAT else None
    if not isinstance(known, dict) or not all(
        isinstance(k, str) and type(v) is int and v > 0 for k, v in known.items()
    ):
        raise InputError(f"{path}: not a baseline; write one with --update-baseline.")
    return Counter(known)


def write_baseline(path: str, files: Sequence[CheckedFile]) -> int:
    """Record all findings of files as known, and return their number."""
    known = Counter(f.fingerprint for file in files for f in file.findings)
    record = {"format": _FORMAT, "version": 1, "findings": dict(sorted(known.items()))}
    write_atomically(path, json.dumps(record, indent=1) + "\n")
    return known.total()


def without_known(file: CheckedFile, known: Mapping[str, int]) -> CheckedFile:
    """A file without the findings in a baseline, each removed as many times as the baseline has it."""
    left = Counter(known)
    findings = []
    for finding in file.findings:
        if left[finding.fingerprint] > 0:
            left[finding.fingerprint] -= 1
        else:
            findings.append(finding)
    return CheckedFile(
        file.path,
        file.prose,
        file.result,
        tuple(findings),
        file.suppressed + len(file.findings) - len(findings),
    )
