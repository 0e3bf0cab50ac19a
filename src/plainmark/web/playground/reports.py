"""The finished reports and the studies of a folder. Only what is listed is served, so no address leads out of it."""

from __future__ import annotations

import html
import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

# Reports have scripts and styles of their own, and no right to anything else: not even to this site.
POLICY = (
    "sandbox allow-scripts allow-downloads allow-popups; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_DEPTH = 3
_MOST = 500
_LOOKED_AT = 20_000  # files and folders
_HEAD = 4096
_OURS = (
    '<meta name="generator" content="plainmark ',
    "default-src &#x27;none&#x27;; style-src &#x27;sha256-",
)
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)


@dataclass(frozen=True)
class Report:
    """A page that plainmark wrote."""

    name: str  # path below the folder
    title: str
    when: datetime
    path: Path


@dataclass(frozen=True)
class StudyFolder:
    """A folder with a study's definition."""

    name: str
    title: str
    command: str


@dataclass(frozen=True)
class Library:
    """A folder to list."""

    folder: Path

    def reports(self) -> list[Report]:
        """The reports, the newest first."""
        found: list[Report] = []
        for path in self._files():
            if path.suffix.lower() in (".html", ".htm") and len(found) < _MOST and (head := _head(path)):
                if not any(mark in head for mark in _OURS):
                    continue
                title = _TITLE.search(head)
                when = datetime.fromtimestamp(path.stat().st_mtime, UTC)
                found.append(
                    Report(
                        self._name(path), html.unescape(title[1])[:200] if title else path.name, when, path
                    )
                )
        return sorted(found, key=lambda r: (-r.when.timestamp(), r.name))

    def studies(self) -> list[StudyFolder]:
        """The studies, by name."""
        found = []
        for path in self._files():
            if path.name == "study.yaml":
                title = re.search(r"^title:[ \t]*['\"]?(.*?)['\"]?[ \t]*$", _head(path), re.MULTILINE)
                command = f"plainmark study serve {shlex.quote(str(path.parent))}"
                name = self._name(path.parent)
                found.append(
                    StudyFolder(
                        name if name != "." else path.parent.name, title[1][:200] if title else "", command
                    )
                )
        return sorted(found, key=lambda s: s.name)

    def find(self, name: str) -> Path | None:
        """A listed report, or nothing."""
        return next((r.path for r in self.reports() if r.name == name), None)

    def _name(self, path: Path) -> str:
        return path.relative_to(self.folder).as_posix()

    def _files(self) -> Iterator[Path]:
        """Files down to a depth, without hidden ones and without links, which might lead out of the folder."""
        left = _LOOKED_AT
        waiting = [(self.folder, 0)]
        while waiting:
            folder, depth = waiting.pop()
            try:
                with os.scandir(folder) as entries:
                    found = sorted(entries, key=lambda e: e.name)
            except OSError:
                continue
            for entry in found:
                left -= 1
                if left < 0:
                    return
                if entry.name.startswith(".") or entry.is_symlink() or not entry.name.isprintable():
                    continue
                if entry.is_dir():
                    if depth + 1 < _DEPTH:
                        waiting.append((Path(entry.path), depth + 1))
                elif entry.is_file():
                    yield Path(entry.path)


def _head(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD).decode("utf-8", "replace")
    except OSError:
        return ""
