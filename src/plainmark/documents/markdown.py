"""Markdown files. For simplification, lines stay lines, and code, headings, tables, quotations, front matter and HTML are
not changed; checks cover all prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..files import open_bytes, open_text
from . import Document, is_sentence
from .prose import Prose, ProseBuilder

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
# Parts that the output must contain unchanged: code, links, addresses.
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
    """Whether code, links and addresses are unchanged, and marks of emphasis still come in pairs."""
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


_INLINE = re.compile(
    r"""
      (?P<comment><!--.*?-->)
    | (?P<code>(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))
    | (?P<math>\$\$.+?\$\$)
    | (?P<image>!\[[^\]]*\](?:\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+"[^"]*")?\)|\[[^\]]*\])?)
    | \[(?P<text>(?:[^\[\]\\]|\\.|`[^`]*`)*)\](?:\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+["'][^"'\n]*["'])?\)|\[[^\]\n]*\])
    | (?P<role>\{[\w:+.-]+\}(?=`))
    | (?P<tag></?[A-Za-z][^<>\n]*>|<(?:https?|mailto):[^>\s]*>)
    | (?P<address>\b(?:https?|ftp)://[^\s<>)\]]+)
    | (?P<marks>\*{1,3}|~~|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w))
    | (?P<escape>\\(?=[!-/:-@\[-`{-~]))
    """,
    re.VERBOSE | re.DOTALL,
)
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+|[ \t]+#+[ \t]*$")
_LABEL = re.compile(r" {0,3}\[[^\]]+\]:\s")
_RULE = re.compile(r" {0,3}(?:(?:[-*_][ \t]*){3,}|=+[ \t]*|\|?[ \t:|-]+\|[ \t:|-]*)$")
_QUOTE = re.compile(r" {0,3}(?:>[ \t]?)+")
_RAW = re.compile(r" {0,3}<(script|style|pre)\b", re.IGNORECASE)


def prose(source: str) -> Prose:
    """The text of a Markdown file: headings, paragraphs, items, quotations and cells; no code and no addresses.

    >>> prose("# Owls\\n\\nSee [the *page*](x.md), not `code`.\\n").text
    'Owls\\n\\nSee the page, not .\\n\\n'
    """
    builder = ProseBuilder(source)
    fence, raw = "", ""
    front_matter = source.startswith("---\n")
    blank, at = True, 0
    block: list[tuple[int, int]] = []  # lines of the current paragraph

    def end_block() -> None:
        if block:
            _inline(builder, source, block)
            builder.end_paragraph(block[-1][1])
            block.clear()

    for number, line in enumerate(source.splitlines(keepends=True)):
        start, at = at, at + len(line)
        body = line.rstrip("\r\n")
        if front_matter:
            front_matter = number == 0 or body.rstrip() not in ("---", "...")
            continue
        if raw:
            raw = "" if f"</{raw}" in body.lower() else raw
            continue
        mark = _FENCE.match(body.lstrip() if fence or blank or block else body)
        if mark and (not fence or (mark[1].startswith(fence) and not body.strip(" `~"))):
            end_block()
            fence = "" if fence else mark[1]
            continue
        if fence:
            continue
        if not body.strip():
            end_block()
            blank = True
            continue
        if blank and not block and body.startswith(("    ", "\t")) and not _ITEM.match(body):
            continue  # code
        if opening := _RAW.match(body):
            end_block()
            raw = "" if f"</{opening[1].lower()}" in body.lower() else opening[1].lower()
            continue
        blank = False
        first = start + (quote.end() if (quote := _QUOTE.match(body)) else 0)
        rest = source[first : start + len(body)]
        if _RULE.match(rest) or _LABEL.match(rest):
            end_block()
            continue
        end = first + len(rest.rstrip())
        if heading := _HEADING.match(rest):
            end_block()
            block.append((first + heading.end(), first + len(rest.rstrip().rstrip("#").rstrip())))
            end_block()
        elif item := _ITEM.match(rest):
            end_block()
            block.append((first + item.end(), end))
        elif rest.lstrip().startswith("|"):
            end_block()
            for cell in re.finditer(r"(?:[^|`\\]|\\.|`[^`]*`)+", rest):
                block.append((first + cell.start(), first + cell.end()))
                end_block()
        else:
            block.append((first, end))
    end_block()
    return builder.build()


def _inline(builder: ProseBuilder, source: str, lines: Sequence[tuple[int, int]]) -> None:
    """Add the lines of a paragraph without their markup."""
    for k, (start, end) in enumerate(_joined(source, lines)):
        if k:
            builder.put("\n", start)
        _span(builder, source, start, end)


def _joined(source: str, lines: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The lines; those without markers between them are joined, because a link may begin on one and end on the next."""
    out: list[tuple[int, int]] = []
    for start, end in lines:
        start += len(source[start:end]) - len(source[start:end].lstrip())
        if out and not source[out[-1][1] : start].strip():
            out[-1] = (out[-1][0], end)
        else:
            out.append((start, end))
    return out


def _span(builder: ProseBuilder, source: str, start: int, end: int) -> None:
    at = start
    for match in _INLINE.finditer(source, start, end):
        if match.start() < at:
            continue
        builder.add(at, match.start())
        at = match.end()
        if match["text"] is not None:
            link = len(builder)
            _span(builder, source, *match.span("text"))
            builder.link(link)
    builder.add(at, end)
