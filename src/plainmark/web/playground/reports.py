"""The finished reports and the studies of a folder. Only listed files are served, so that no URL leads out of it."""

from __future__ import annotations

import html
import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

# Reports have their own scripts and styles and no other rights, not even to this site.
REPORT_POLICY = (
    "sandbox allow-scripts allow-downloads allow-popups; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_MAX_DEPTH = 3
_MAX_REPORTS = 500
_MAX_ENTRIES = 20_000  # files and folders that are searched
_HEAD_BYTES = 4096
_GENERATOR_MARKS = (
    '<meta name="generator" content="plainmark ',
    "default-src &#x27;none&#x27;; style-src &#x27;sha256-",
)
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)


@dataclass(frozen=True)
class ReportFile:
    """A report that plainmark wrote."""

    name: str  # path relative to the folder
    title: str
    modified: datetime
    path: Path


@dataclass(frozen=True)
class StudyFolder:
    """A folder with a study's definition."""

    name: str
    title: str
    command: str


@dataclass(frozen=True)
class ReportFolder:
    """A folder of reports and studies."""

    folder: Path

    def reports(self) -> list[ReportFile]:
        """The reports, newest first."""
        reports: list[ReportFile] = []
        for path in self._files():
            if (
                path.suffix.lower() in (".html", ".htm")
                and len(reports) < _MAX_REPORTS
                and (head := _head(path))
            ):
                if not any(mark in head for mark in _GENERATOR_MARKS):
                    continue
                title = _TITLE.search(head)
                modified = datetime.fromtimestamp(path.stat().st_mtime, UTC)
                reports.append(
                    ReportFile(
                        self._name(path),
                        html.unescape(title[1])[:200] if title else path.name,
                        modified,
                        path,
                    )
                )
        return sorted(reports, key=lambda r: (-r.modified.timestamp(), r.name))

    def studies(self) -> list[StudyFolder]:
        """The studies, by name."""
        studies = []
        for path in self._files():
            if path.name == "study.yaml":
                title = re.search(r"^title:[ \t]*['\"]?(.*?)['\"]?[ \t]*$", _head(path), re.MULTILINE)
                command = f"plainmark study serve {shlex.quote(str(path.parent))}"
                name = self._name(path.parent)
                studies.append(
                    StudyFolder(
                        name if name != "." else path.parent.name, title[1][:200] if title else "", command
                    )
                )
        return sorted(studies, key=lambda s: s.name)

    def find(self, name: str) -> Path | None:
        """The path of a listed report, or None."""
        return next((r.path for r in self.reports() if r.name == name), None)

    def _name(self, path: Path) -> str:
        return path.relative_to(self.folder).as_posix()

    def _files(self) -> Iterator[Path]:
        """Files down to a limited depth, without hidden files and symbolic links, which might lead out of the folder."""
        entries_left = _MAX_ENTRIES
        pending = [(self.folder, 0)]
        while pending:
            folder, depth = pending.pop()
            try:
                with os.scandir(folder) as scan:
                    entries = sorted(scan, key=lambda e: e.name)
            except OSError:
                continue
            for entry in entries:
                entries_left -= 1
                if entries_left < 0:
                    return
                if entry.name.startswith(".") or entry.is_symlink() or not entry.name.isprintable():
                    continue
                if entry.is_dir():
                    if depth + 1 < _MAX_DEPTH:
                        pending.append((Path(entry.path), depth + 1))
                elif entry.is_file():
                    yield Path(entry.path)


def _head(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
