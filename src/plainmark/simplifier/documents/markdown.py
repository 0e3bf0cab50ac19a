"""Markdown: lines stay lines; code, headings, tables, quotations, front matter and HTML are left alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...files import open_bytes, open_text
from . import Document, is_sentence

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ALONE = re.compile(
    r"""\s*(?:
      \#{1,6}(?:\s|$) | > | \| | <[/!a-zA-Z] | \[[^\]]+\]:\s | !\[          # heading, quotation, table, HTML, definition, picture
    | (?:[-*_]\s*){3,}$ | =+\s*$                                            # rules and underlines
    )""",
    re.VERBOSE,
)
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)\s*$")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?")
# What must be in the output as it was: code, links, addresses.
_FIXED = re.compile(r"`+[^`]+`+|!?\[[^\]]*\]\([^)\s]*[^)]*\)|\[[^\]]+\]\[[^\]]*\]|<[^>\s]+>|https?://\S+")


class MarkdownDocument(Document):
    """A Markdown file."""

    def __init__(self, path: str) -> None:
        with open_bytes(path) as raw:
            end = "\r\n" if raw.readline().endswith(b"\r\n") else "\n"
        with open_text(path) as lines:
            self._lines = [line.removesuffix("\n") + end if line.endswith("\n") else line for line in lines]
        self._places = list(_places(self._lines))
        self.texts = [self._lines[i][start:end] for i, start, end in self._places]

    def render(self, outputs: Sequence[str]) -> bytes:
        lines = list(self._lines)
        for (i, start, end), before, after in zip(self._places, self.texts, outputs, strict=True):
            if after != before and not _safe(before, after):
                self.left_alone += 1
            else:
                lines[i] = lines[i][:start] + after + lines[i][end:]
        return "".join(lines).encode("utf-8")


def _safe(before: str, after: str) -> bool:
    """Whether code, links and addresses are as they were, and marks of emphasis still come in pairs."""
    fixed = _FIXED.findall(before)
    return _FIXED.findall(after) == fixed and all(before.count(m) == after.count(m) for m in "*_`~")


def _places(lines: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Line, start and end of each text that may be simplified."""
    fence = ""
    front_matter = bool(lines) and lines[0].rstrip() == "---"
    blank = True
    for i, line in enumerate(lines):
        body = line.rstrip("\r\n")
        if front_matter:
            front_matter = i == 0 or body.rstrip() not in ("---", "...")
            continue
        mark = _FENCE.match(body)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1][:3]
            continue
        indented = body.startswith(("    ", "\t")) and not _ITEM.match(body)
        code = fence or (indented and blank)
        was_blank, blank = blank, not body.strip() or bool(code)
        following = lines[i + 1] if i + 1 < len(lines) else ""
        title = _UNDERLINE.match(following) and was_blank
        if code or not body.strip() or title or _ALONE.match(body) or "|" in body or "$$" in body:
            continue
        item = _ITEM.match(body)
        start = item.end() if item else len(body) - len(body.lstrip())
        end = len(body.rstrip())
        if not item or is_sentence(body[start:end]):
            yield i, start, end
