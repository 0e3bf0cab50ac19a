"""Puts an edited text back into its Word document: only the edits are changed, directly or as tracked changes.

`read_word_text` gives the paragraphs of a document to edit: its text with lists and tables, then footnotes and endnotes,
then headers and footers. `revised_word_document` takes the edited text, aligns the paragraphs, and changes the runs in
which words differ; pictures, notes, links, styles and every other file of the archive stay. Tracked changes are w:ins and
w:del elements, which can be accepted or rejected in Word.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count
from typing import Any

from ..errors import InputError, MissingResourceError
from . import runs
from .differences import edits, matched
from .word_file import STYLES, Reader, Styles, is_read, main_part, unpack

AUTHOR = "plainmark"
_NOTES = re.compile(r"word/(?:footnotes|endnotes)\.xml")
_MARGINS = re.compile(r"word/(?:header|footer)\d*\.xml")
_BLANK = re.compile(r"\n[ \t]*\n\s*")
_NOT_SHOWN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
_ID = re.compile(rb'\bid="(\d{1,9})"')
_HEADING = re.compile(r"(?:heading |title$)(\d?)", re.I)
_KEEPS = frozenset("p pPr r proofErr lastRenderedPageBreak ins del t delText tab br rPr".split())


@dataclass(frozen=True)
class WordParagraph:
    """A paragraph to edit: its place, its text in the editor, and its kind."""

    part: str
    number: int  # index among the paragraphs of its part
    text: str
    heading: int = 0  # 1 to 9
    item: bool = False
    cell: tuple[int, int, int] | None = None  # table, row and column
    twins: tuple[tuple[str, int], ...] = ()  # a second copy of the same text in the document


def read_word_text(path: str) -> list[WordParagraph]:
    """The paragraphs of a document for readers, those of the main text first."""
    files = unpack(path)
    styles = Styles(files[STYLES][1]).names if STYLES in files else {}
    main = main_part(path, files)
    names = [main, *sorted(filter(_NOTES.fullmatch, files), reverse=True)]
    names += sorted(filter(_MARGINS.fullmatch, files), reverse=True)
    out: list[WordParagraph] = []
    margins: dict[str, int] = {}  # headers are for the first page, for even pages and for all others
    for name in names:
        boxes: dict[str, int] = {}
        for number, paragraph in enumerate(Reader(files[name][1], f"{path}, {name}").paragraphs):
            text = shown(paragraph.text)
            known = boxes if paragraph.repeats else margins if _MARGINS.fullmatch(name) else {}
            has_words = str.isalpha if _MARGINS.fullmatch(name) else str.isalnum  # page numbers are not text
            if not any(map(has_words, text)) or (not paragraph.repeats and not is_read(paragraph, styles)):
                continue
            if text in known:
                twin = out[known[text]]
                out[known[text]] = replace(twin, twins=(*twin.twins, (name, number)))
                continue
            if paragraph.repeats:
                continue
            boxes[text] = margins[text] = len(out)
            style = styles.get(paragraph.style, paragraph.style)
            level = _HEADING.match(style)
            heading = int(level[1] or 1) if level else 0
            item = paragraph.item or style.lower().startswith("list ")
            out.append(WordParagraph(name, number, text, heading, item, paragraph.cell))
    return out


def shown(text: str) -> str:
    """A paragraph as shown in the editor, with the same length: without characters that editors do not show, and without
    empty
    lines.
    """
    text = _NOT_SHOWN.sub("\ufffd", text.replace("\r", "\n"))
    return _BLANK.sub(lambda m: " " * (len(m.group()) - 1) + "\n", text)


def joined(paragraphs: Sequence[WordParagraph]) -> str:
    """The text to edit, with an empty line between paragraphs."""
    return "\n\n".join(p.text.strip() for p in paragraphs) + "\n"


def split(text: str) -> list[str]:
    """The paragraphs of an edited text."""
    return [part for p in re.split(r"\n[ \t]*\n", text) if (part := p.strip())]


def revised_word_document(
    path: str, text: str, *, track: bool = False, when: datetime | None = None
) -> bytes:
    """The document with its edited text and no other changes; with `track`, as changes to accept or reject."""
    try:
        from lxml import etree  # type: ignore[import-untyped]
    except ImportError:
        raise MissingResourceError(
            f"{path}: saving a Word document needs python-docx; to install: pip install 'plainmark[documents]'."
        ) from None
    before, after = read_word_text(path), split(_NOT_SHOWN.sub("\ufffd", text))
    pairs = matched([p.text.strip() for p in before], after)
    files = unpack(path)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    date = (when or datetime.now(UTC)).strftime("%Y-%m-%dT%H:%M:%SZ")
    numbers = (n for name, (_, data) in files.items() if name.endswith(".xml") for n in _ID.findall(data))
    ids = count(max(map(int, numbers), default=0) + 1)
    parts: dict[str, _Part] = {}

    def place(part: str, number: int) -> tuple[_Part, Any]:
        if part not in parts:
            parts[part] = _Part(etree.fromstring(files[part][1], parser), track, date, ids)
        return parts[part], parts[part].paragraphs[number]

    if not before and after:  # only pictures
        main = main_part(path, files)
        if not Reader(files[main][1], f"{path}, {main}").paragraphs:
            raise InputError(f"{path}: no paragraph in it, expected a Word document with text.")
        before = [WordParagraph(main, 0, "")]
    for k, (i, j) in enumerate(pairs):
        if i is not None or j is None:
            continue
        previous = next((before[p] for p, _ in reversed(pairs[:k]) if p is not None), None)
        following = next((before[p] for p, _ in pairs[k:] if p is not None), None)
        anchor, ahead = _anchor(previous, following, place) if previous or following else (before[0], False)
        part, paragraph = place(anchor.part, anchor.number)
        part.insert(paragraph, after[j], ahead=ahead, heading=bool(anchor.heading))
    for i, j in pairs:
        if i is None:
            continue
        old = before[i]
        new = after[j] if j is not None else ""
        if new == old.text.strip():
            continue
        for copy in ((old.part, old.number), *old.twins):
            part, paragraph = place(*copy)
            if shown(runs.text(paragraph)) != old.text:
                raise InputError(f"{path}: a paragraph of {copy[0]} cannot be found again; it is refused.")
            lead = len(old.text) - len(old.text.lstrip())
            part.change(paragraph, lead, old.text.strip(), new)
            if j is None:
                part.remove(paragraph)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, (info, data) in files.items():
            if name in parts:
                data = etree.tostring(
                    parts[name].root, xml_declaration=True, encoding="UTF-8", standalone=True
                )
            archive.writestr(info, data)
    return target.getvalue()


def _anchor(
    previous: WordParagraph | None, following: WordParagraph | None, place: Any
) -> tuple[WordParagraph, bool]:
    """The paragraph beside which a new one is inserted, and whether before it: not in a cell if the next one is outside."""
    if previous is None or following is None:
        neighbour = previous or following
        assert neighbour is not None
        return neighbour, previous is None
    if previous.part != following.part:
        return previous, False
    depths = [sum(1 for _ in place(p.part, p.number)[1].iterancestors()) for p in (previous, following)]
    return (following, True) if depths[1] < depths[0] else (previous, False)


class _Part:
    """The tree of one file of the archive, which can be changed."""

    def __init__(self, root: Any, track: bool, date: str, ids: Iterator[int]) -> None:
        self.root, self.track, self.date = root, track, date
        self.paragraphs = runs.paragraphs(root)
        self._ids = ids
        self._last: dict[Any, Any] = {}  # paragraphs that were inserted after others

    def change(self, paragraph: Any, lead: int, old: str, new: str) -> None:
        """Change the text of a paragraph from its `lead`-th character on."""
        runs.set_apart(paragraph)
        for start, end, words in reversed(edits(old, new)):
            self._replace(paragraph, lead + start, lead + end, words)

    def _replace(self, paragraph: Any, start: int, end: int, words: str) -> None:
        old = runs.runs_between(paragraph, start, end) if start < end else []
        model, place = (old[0], old[-1]) if old else self._beside(paragraph, start)
        if words:
            new = self._run(model, words)
            place.addnext(self._mark("ins", new) if self.track else new)
        if not len(place):  # an empty placeholder
            place.getparent().remove(place)
        for run in old:
            if not self.track:
                run.getparent().remove(run)
                continue
            wrapper = self._mark("del")
            run.addprevious(wrapper)
            wrapper.append(run)
            for child in run:
                if runs.local(child) == "t":
                    child.tag = runs.named(run, "delText")

    def _beside(self, paragraph: Any, at: int) -> tuple[Any, Any]:
        """The run whose format new words at a character get, and the element after which they are inserted."""
        runs.cut(paragraph, at)
        pieces = runs.pieces(paragraph)
        before = next((p.run for p in reversed(pieces) if p.end <= at), None)
        following = next((p.run for p in pieces if p.start >= at), None)
        if before is None:  # at the beginning: after an empty run
            empty = paragraph.makeelement(runs.named(paragraph, "r"))
            _top(following, paragraph).addprevious(empty)
            return following, empty
        if before.getparent() is paragraph:
            return before, before
        inside = following is not None and following.getparent() is before.getparent()
        if inside:
            return before, before
        # Words after a link do not belong to it.
        model = following if following is not None else before
        return model, _top(before, paragraph)

    def _run(self, model: Any, words: str) -> Any:
        """A run with the format of another one."""
        run = model.makeelement(runs.named(model, "r"))
        for child in model:
            if runs.local(child) == "rPr":
                format_ = deepcopy(child)
                for element in list(format_):
                    if runs.local(element) in ("rPrChange", "ins", "del", "moveFrom", "moveTo"):
                        format_.remove(element)
                run.append(format_)
        for part in re.findall(r"[^\n\t]+|\n|\t", words):
            name = {"\n": "br", "\t": "tab"}.get(part, "t")
            element = run.makeelement(runs.named(run, name))
            if name == "t":
                element.text = part
                element.set(runs.SPACE, "preserve")
            run.append(element)
        return run

    def _mark(self, name: str, *children: Any) -> Any:
        """An element of a tracked change."""
        element = self.root.makeelement(runs.named(self.root, name))
        for key, value in (("id", str(next(self._ids))), ("author", AUTHOR), ("date", self.date)):
            element.set(runs.named(self.root, key), value)
        element.extend(children)
        return element

    def _mark_end(self, paragraph: Any, name: str) -> None:
        """Mark the end of a paragraph as inserted or deleted."""
        properties = _child(paragraph, "pPr", first=True)
        format_ = next((c for c in properties if runs.local(c) == "rPr"), None)
        if format_ is None:
            format_ = properties.makeelement(runs.named(properties, "rPr"))
            later = [c for c in properties if runs.local(c) in ("sectPr", "pPrChange")]
            later[0].addprevious(format_) if later else properties.append(format_)
        format_.insert(0, self._mark(name))

    def remove(self, paragraph: Any) -> None:
        """Remove a paragraph whose text was deleted, unless it contains something else or must stay."""
        following, previous = _neighbour(paragraph, 1), _neighbour(paragraph, -1)
        if any(runs.local(e) == "sectPr" for e in paragraph.iter()):
            return
        if self.track:
            if following is not None:
                self._mark_end(paragraph, "del")
            return
        held = any(runs.local(e) not in _KEEPS and not _within_format(e, paragraph) for e in paragraph.iter())
        if not held and (following is not None or previous is not None):
            paragraph.getparent().remove(paragraph)

    def insert(self, paragraph: Any, words: str, *, ahead: bool, heading: bool) -> None:
        """A new paragraph beside another one, in its format."""
        place = paragraph if ahead else self._last.get(paragraph, paragraph)
        model = _neighbour(place, 1) if heading and not ahead else paragraph
        new = paragraph.makeelement(paragraph.tag)
        if model is not None:
            for child in model:
                if runs.local(child) == "pPr":
                    new.append(_plain(child))
        texts = runs.pieces(model) if model is not None else []
        longest = max(texts, key=lambda p: p.end - p.start).run if texts else None
        run = self._run(longest if longest is not None else new, words)
        new.append(self._mark("ins", run) if self.track else run)
        following = place if ahead else _neighbour(place, 1)
        place.addprevious(new) if ahead else place.addnext(new)
        if self.track:  # the end of the last paragraph cannot be new, so that of the previous one is
            self._mark_end(new if following is not None else place, "ins")
        if not ahead:
            self._last[paragraph] = new


def _child(element: Any, name: str, *, first: bool) -> Any:
    known = next((c for c in element if runs.local(c) == name), None)
    if known is None:
        known = element.makeelement(runs.named(element, name))
        element.insert(0, known) if first else element.append(known)
    return known


def _plain(properties: Any) -> Any:
    """The format of a paragraph for another one, without section ends and tracked changes."""
    out = deepcopy(properties)
    for element in list(out.iter()):
        if runs.local(element) in ("sectPr", "pPrChange", "rPrChange", "ins", "del") and element is not out:
            element.getparent().remove(element)
    return out


def _neighbour(paragraph: Any, step: int) -> Any:
    """The paragraph directly after (or before) this one, or None."""
    sibling = paragraph.getnext() if step > 0 else paragraph.getprevious()
    return sibling if sibling is not None and sibling.tag == paragraph.tag else None


def _top(element: Any, paragraph: Any) -> Any:
    """The child of a paragraph that contains an element."""
    while element.getparent() is not paragraph:
        element = element.getparent()
    return element


def _within_format(element: Any, paragraph: Any) -> bool:
    for ancestor in element.iterancestors():
        if runs.local(ancestor) in ("pPr", "rPr"):
            return True
        if ancestor is paragraph:
            return False
    return False
