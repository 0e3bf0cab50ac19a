"""A safe subset of Markdown for the texts of a study: consent, instructions, help, feedback.

Headings (#), lists (-, *, 1.), quotations (>), **bold**, *italic*, `code`, [links](https://example.org) and
<https://example.org>; \\* is a plain asterisk. Everything else is plain text: there is no HTML, there are no images, and
links may only use http, https or mailto. Single line breaks are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from markupsafe import Markup, escape

from .rendering import clean

_SCHEMES = ("http", "https", "mailto")
_MAX_DEPTH = 3  # depth of nesting, as for bold in italic in a link
_HEADING = re.compile(r"(#{1,3})[ \t]+(\S.*)")
_BULLET = re.compile(r"[ ]{0,3}[-*+][ \t]+(\S.*)")
_NUMBERED = re.compile(r"[ ]{0,3}(\d{1,4})[.)][ \t]+(\S.*)")
_QUOTED = re.compile(r"[ ]{0,3}>[ ]?(.*)")
# Every repetition is bounded, so that no text takes long to match.
_INLINE = re.compile(
    r"\\(?P<escaped>[\\`*_\[\]()<>#+.!-])"
    r"|`(?P<code>[^`\n]{1,500})`"
    r"|\*\*(?=\S)(?P<strong>[^\n]{0,1000}?\S)\*\*(?!\*)"
    r"|\*(?=[^\s*])(?P<emphasis>[^*\n]{0,1000}?[^*\s])\*"
    r"|(?<!\w)_(?=[^\s_])(?P<underlined>[^_\n]{0,1000}?[^_\s])_(?!\w)"
    r"|\[(?P<label>[^\[\]\n]{1,300})\]\((?P<target>[^\s()<>]{1,1000})\)"
    r"|<(?P<address>https?://[^\s<>]{1,1000})>"
)


def render(text: str) -> Markup:
    """Render Markdown as HTML that has only the tags above."""
    return Markup("").join(_blocks(clean(text).split("\n")))


def _blocks(lines: list[str], depth: int = 0) -> Iterator[Markup]:
    index = 0
    while index < len(lines):
        line = lines[index]
        if not line.strip():
            index += 1
        elif heading := _HEADING.fullmatch(line.rstrip()):
            level = len(heading[1]) + 1  # h1 is the title of the page
            yield Markup('<h{0} dir="auto">{1}</h{0}>').format(level, _inline(heading[2].rstrip("# ")))
            index += 1
        elif depth < _MAX_DEPTH and _QUOTED.fullmatch(line):
            quoted: list[str] = []
            while index < len(lines) and (match := _QUOTED.fullmatch(lines[index])):
                quoted.append(match[1])
                index += 1
            inner = Markup("").join(_blocks(quoted, depth + 1))
            yield Markup("<blockquote>{}</blockquote>").format(inner)
        elif _BULLET.fullmatch(line) or _NUMBERED.fullmatch(line):
            marker = _BULLET if _BULLET.fullmatch(line) else _NUMBERED
            numbered = _NUMBERED.fullmatch(line)
            entries, index = _entries(lines, index, marker)
            items = Markup("").join(Markup('<li dir="auto">{}</li>').format(_inline(e)) for e in entries)
            if numbered is None:
                yield Markup("<ul>{}</ul>").format(items)
            elif int(numbered[1]) == 1:
                yield Markup("<ol>{}</ol>").format(items)
            else:
                yield Markup('<ol start="{}">{}</ol>').format(int(numbered[1]), items)
        else:
            paragraph = [line]
            index += 1
            while index < len(lines) and lines[index].strip() and not _begins_block(lines[index]):
                paragraph.append(lines[index])
                index += 1
            yield Markup('<p dir="auto">{}</p>').format(_inline("\n".join(paragraph).strip("\n")))


def _entries(lines: list[str], index: int, marker: re.Pattern[str]) -> tuple[list[str], int]:
    """The entries of a list, with their continuation lines, and the index of the line after it."""
    entries: list[str] = []
    while index < len(lines):
        if match := marker.fullmatch(lines[index]):
            entries.append(match[match.lastindex or 1])
        elif entries and lines[index].startswith("  ") and lines[index].strip():
            entries[-1] += f"\n{lines[index].strip()}"
        elif not lines[index].strip() and index + 1 < len(lines) and marker.fullmatch(lines[index + 1]):
            pass  # an empty line between two entries
        else:
            break
        index += 1
    return entries, index


def _begins_block(line: str) -> bool:
    """Whether a line ends the paragraph before it; a number does so only if it is 1, because a line may begin with a year."""
    numbered = _NUMBERED.fullmatch(line)
    return bool(
        _HEADING.fullmatch(line.rstrip())
        or _BULLET.fullmatch(line)
        or _QUOTED.fullmatch(line)
        or (numbered and numbered[1] == "1")
    )


def _inline(text: str, depth: int = 0) -> Markup:
    parts, end = [], 0
    for match in _INLINE.finditer(text):
        parts += [escape(text[end : match.start()]), _span(match, depth)]
        end = match.end()
    return Markup("").join([*parts, escape(text[end:])])


def _span(match: re.Match[str], depth: int) -> Markup:
    kind, content = str(match.lastgroup), match[str(match.lastgroup)]
    if kind == "escaped":
        return escape(content)
    if kind == "code":
        return Markup("<code>{}</code>").format(content)
    if kind in ("target", "address"):
        if depth >= _MAX_DEPTH or not _is_allowed(content):
            return escape(match[0])
        # the label of a link must not contain another link
        shown = escape(content) if kind == "address" else _inline(match["label"], _MAX_DEPTH)
        link = Markup('<a href="{}" rel="noopener noreferrer" target="_blank">{}</a>')
        return link.format(content, shown)
    if depth >= _MAX_DEPTH:
        return escape(match[0])
    tag = "strong" if kind == "strong" else "em"
    return Markup("<{0}>{1}</{0}>").format(tag, _inline(content, depth + 1))


def _is_allowed(target: str) -> bool:
    """Whether a link may have this target: an address with a scheme that runs nothing."""
    if any(ord(c) <= 32 or ord(c) == 127 for c in target) or "\\" in target:
        return False
    try:
        parts = urlsplit(target)
    except ValueError:
        return False
    return parts.scheme in _SCHEMES and bool(parts.netloc or parts.scheme == "mailto")
