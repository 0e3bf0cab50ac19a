"""Findings of checks as text, JSON, SARIF 2.1.0, annotations of GitHub Actions, and JUnit XML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Protocol
from urllib.parse import quote
from xml.etree import ElementTree

from ..checks import CheckResult, Finding, Rule
from ..identity import __version__
from . import html

FORMATS = ("text", "json", "sarif", "github", "junit")
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class PlacedFinding(Protocol):
    """A finding with its place in a file."""

    @property
    def path(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def end_line(self) -> int: ...
    @property
    def end_column(self) -> int: ...
    @property
    def page(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def finding(self) -> Finding: ...


class CheckedFile(Protocol):
    """A file and its findings."""

    @property
    def path(self) -> str: ...
    @property
    def result(self) -> CheckResult: ...
    @property
    def findings(self) -> Sequence[PlacedFinding]: ...
    def line_of(self, offset: int) -> int: ...


def render(files: Sequence[CheckedFile], rules: Sequence[Rule], form: str) -> str:
    """The findings of files in a format of FORMATS."""
    if form == "json":
        return json.dumps([_file(f) for f in files], ensure_ascii=False, indent=1) + "\n"
    if form == "sarif":
        return json.dumps(sarif(files, rules), ensure_ascii=False, indent=1) + "\n"
    lines = {"text": _text, "github": _github, "junit": _junit}[form](files)
    return "".join(f"{line}\n" for line in lines)


def _text(files: Sequence[CheckedFile]) -> Iterator[str]:
    for file in files:
        for placed in file.findings:
            finding = placed.finding
            offers = " or ".join(f"“{s.text}”" for s in finding.suggestions)
            page = f" (page {placed.page})" if placed.page else ""
            severity = "limit" if finding.severity == "limit" else "hint"
            yield (
                f"{placed.path}:{placed.line}:{placed.column}: {finding.rule} {severity}: {_one_line(finding.message)}"
                + (f" Try {_one_line(offers)}." if offers else "")
                + page
            )
            if finding.rule == "PM501":
                for costly in file.result.costly:
                    help_text = " ".join(costly.help) or "Say it in shorter words or sentences."
                    yield f"    line {file.line_of(costly.start)} adds {costly.cost:.1f}: {_one_line(help_text)}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _file(file: CheckedFile) -> dict[str, Any]:
    record = file.result.to_dict()
    record["findings"] = [
        p.finding.to_dict()
        | {
            "line": p.line,
            "column": p.column,
            "end_line": p.end_line,
            "end_column": p.end_column,
            "text": p.text,
            "fingerprint": p.fingerprint,
        }
        | ({"page": p.page} if p.page else {})
        for p in file.findings
    ]
    return {"path": file.path} | record


def sarif(files: Sequence[CheckedFile], rules: Sequence[Rule]) -> dict[str, Any]:
    """The findings as a SARIF log of one run."""
    index = {rule.id: k for k, rule in enumerate(rules)}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "plainmark",
                        "version": __version__,
                        "rules": [
                            {
                                "id": rule.id,
                                "name": "".join(w.capitalize() for w in re.findall(r"\w+", rule.name)),
                                "shortDescription": {"text": rule.name},
                                "fullDescription": {"text": rule.explanation},
                                "defaultConfiguration": {"level": "note"},
                            }
                            for rule in rules
                        ],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_sarif_result(p, index) for file in files for p in file.findings],
            }
        ],
    }


def _sarif_result(placed: PlacedFinding, index: dict[str, int]) -> dict[str, Any]:
    finding = placed.finding
    return {
        "ruleId": finding.rule,
        "ruleIndex": index[finding.rule],
        "level": "error" if finding.severity == "limit" else "note",
        "message": {"text": finding.message},
        "partialFingerprints": {"plainmark/v1": placed.fingerprint},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(PurePath(placed.path).as_posix(), safe="/")},
                    "region": {
                        "startLine": placed.line,
                        "startColumn": placed.column,
                        "endLine": placed.end_line,
                        "endColumn": placed.end_column,
                    },
                }
            }
        ],
    }


def _github(files: Sequence[CheckedFile]) -> Iterator[str]:
    for file in files:
        for p in file.findings:
            level = "error" if p.finding.severity == "limit" else "notice"
            place = f"file={_property(p.path)},line={p.line},col={p.column},endLine={p.end_line},endColumn={p.end_column}"
            yield f"::{level} {place},title={_property(p.finding.rule)}::{_data(p.finding.message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _junit(files: Sequence[CheckedFile]) -> Iterator[str]:
    failures = str(sum(len(f.findings) for f in files))
    cases = str(sum(max(len(f.findings), 1) for f in files))
    root = ElementTree.Element("testsuites", name="plainmark check", tests=cases, failures=failures)
    for file in files:
        name, number = _xml_text(file.path), len(file.findings)
        suite = ElementTree.SubElement(
            root, "testsuite", name=name, tests=str(max(number, 1)), failures=str(number)
        )
        if not file.findings:
            ElementTree.SubElement(suite, "testcase", classname=name, name="no findings")
        for p in file.findings:
            title = f"{p.finding.rule} line {p.line} column {p.column}"
            case = ElementTree.SubElement(suite, "testcase", classname=name, name=title)
            message = _xml_text(p.finding.message)
            ElementTree.SubElement(case, "failure", type=p.finding.severity, message=message)
    ElementTree.indent(root)
    yield ElementTree.tostring(root, encoding="unicode", xml_declaration=True)


def _xml_text(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)


@dataclass(frozen=True)
class _Piece:
    """A piece of the text, whether it is marked, and the number of the finding that ends with it (0: none)."""

    text: str
    marked: bool
    number: int = 0


def marked_page(title: str, text: str, findings: Sequence[PlacedFinding]) -> str:
    """A self-contained page of a text with its findings marked and listed."""
    pieces, at = [], 0
    for number, placed in enumerate(findings, 1):
        finding = placed.finding
        if finding.start >= at and finding.end > finding.start:
            pieces.append(_Piece(text[at : finding.start], marked=False))
            pieces.append(_Piece(text[finding.start : finding.end], marked=True, number=number))
            at = finding.end
        elif finding.start <= at:
            pieces.append(_Piece("", marked=False, number=number))
    pieces.append(_Piece(text[at:], marked=False))
    return html.page(
        "findings.html",
        title=title,
        styles=("page.css", "findings.css"),
        scripts=(),
        data={},
        pieces=pieces,
        findings=[p.finding for p in findings],
    )
