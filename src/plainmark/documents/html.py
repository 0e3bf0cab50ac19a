"""The prose of HTML that a reader sees, without scripts, styles and code. Nothing that a page refers to is opened."""

from __future__ import annotations

from html import unescape
from html.parser import HTMLParser

from .prose import Prose, ProseBuilder

_SKIPPED = frozenset(
    "script style template svg math code pre kbd samp var head noscript object iframe textarea select".split()
)
_BLOCKS = frozenset(
    "address article aside blockquote body br caption dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3"
    " h4 h5 h6 header hr html legend li main nav ol option p section summary table tbody td tfoot th thead tr ul".split()
)
_VOID = frozenset("br hr img input meta link area base col embed source track wbr".split())


class _Reader(HTMLParser):
    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=False)
        self.builder = ProseBuilder(source)
        self._source = source
        self._starts = [0]
        for i, c in enumerate(source):
            if c == "\n":
                self._starts.append(i + 1)
        self._skipped: list[str] = []
        self._link = -1

    @property
    def _place(self) -> int:
        line, column = self.getpos()
        return self._starts[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SKIPPED and tag not in _VOID:
            self._skipped.append(tag)
        elif tag in _BLOCKS:
            self.builder.end_paragraph(self._place)
        elif tag == "a":
            self._link = len(self.builder)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BLOCKS:
            self.builder.end_paragraph(self._place)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._skipped:
            while self._skipped.pop() != tag:
                pass
        elif tag in _BLOCKS:
            self.builder.end_paragraph(self._place)
        elif tag == "a" and self._link >= 0:
            self.builder.link(self._link)
            self._link = -1

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            self.builder.add(self._place, self._place + len(data))

    def handle_entityref(self, name: str) -> None:
        self._entity(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._entity(f"&#{name};")

    def _entity(self, text: str) -> None:
        if not self._skipped:
            self.builder.put(unescape(text).replace("\xa0", " "), self._place)


def prose(source: str) -> Prose:
    """The text of a page.

    >>> prose("<h1>Owls</h1><p>See <a href='x'>here</a> &amp; <code>x</code> there.</p>").text
    'Owls\\n\\nSee here &  there.\\n\\n'
    """
    reader = _Reader(source)
    reader.feed(source)
    reader.close()
    return reader.builder.build()
