"""House word lists: words to use instead, words never to use, and words to explain at first use.

A CSV file with a heading row:

    term,use instead,never use,explain
    utilise,use,,
    leverage,,yes,
    HMRC,,,the UK's tax office

Every row has a term and exactly one of the others. "never use" holds yes; "explain" holds the explanation to offer, or yes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from ..errors import InputError
from ..files import label, table_rows
from ..simplifier.rules.meaning import lexical_change
from ._findings import Finding, Rule, Suggestion, Text
from ._inflection import alike, cased

COLUMNS = ("term", "use instead", "never use", "explain")
_YES = ("yes", "y", "true", "1", "x")
_MOST = 20_000  # rows
_LONGEST = 200  # characters of a term


@dataclass(frozen=True)
class WordEntry:
    """A term of a house list: `use` instead of it, `never` use it, or explain it at first use by `explain`."""

    term: str
    use: str = ""
    never: bool = False
    explain: str = ""

    @property
    def kind(self) -> str:
        """What is asked for: use, never or explain."""
        return "use" if self.use else "never" if self.never else "explain"


@dataclass(frozen=True)
class WordList:
    """The terms of a house list."""

    entries: tuple[WordEntry, ...] = ()

    @classmethod
    def read(cls, path: str) -> WordList:
        """The list of a CSV file; a row that is not as expected is an error with its line."""
        entries: dict[str, tuple[str, WordEntry]] = {}
        for place, row in table_rows(path, COLUMNS):
            if len(entries) >= _MOST:
                raise InputError(f"{label(path)}: more than {_MOST:,} terms; expected a shorter word list.")
            entry = _entry(place, {name: (row[name] or "").strip() for name in COLUMNS})
            key = entry.term.lower()
            if key in entries:
                raise InputError(
                    f"{place}: {entry.term!r} is there twice, first at {entries[key][0].rpartition(', ')[2]};"
                    " expected every term once."
                )
            entries[key] = (place, entry)
        return cls(tuple(entry for _, entry in entries.values()))

    def __len__(self) -> int:
        return len(self.entries)

    @cached_property
    def pattern(self) -> re.Pattern[str] | None:
        """What finds the terms, the longest first; None for an empty list."""
        if not self.entries:
            return None
        stems = {re.escape(e.term.removesuffix("e")).replace(r"\ ", r"\s+"): e.term for e in self.entries}
        terms = [
            f"{stem}(?:es?|ed|ing)" if term.endswith("e") else f"{stem}(?:s|es|ed|ing)?"
            for stem, term in sorted(stems.items(), key=lambda row: len(row[0]), reverse=True)
        ]
        return re.compile(rf"(?<![\w-])(?:{'|'.join(terms)})(?![\w-])", re.IGNORECASE)

    @cached_property
    def _by_term(self) -> dict[str, WordEntry]:
        return {" ".join(entry.term.lower().split()): entry for entry in self.entries}

    def find(self, text: str) -> Iterator[tuple[int, int, WordEntry]]:
        """Start and end of each term in a text, with its entry; plurals and regular verb forms are found as well."""
        if self.pattern is None:
            return
        for match in self.pattern.finditer(text):
            written = " ".join(match.group().lower().split())
            if entry := self._entry_of(written):
                yield match.start(), match.end(), entry

    def _entry_of(self, written: str) -> WordEntry | None:
        if entry := self._by_term.get(written):
            return entry
        for ending, stem in (("ing", ""), ("ing", "e"), ("es", ""), ("s", ""), ("ed", ""), ("d", "")):
            if written.endswith(ending) and (entry := self._by_term.get(written[: -len(ending)] + stem)):
                return entry
        return None


def _entry(place: str, row: dict[str, str]) -> WordEntry:
    term, use, never, explain = (row[name] for name in COLUMNS)
    if not term or len(term) > _LONGEST or not any(map(str.isalnum, term)):
        raise InputError(
            f"{place}: the term is {term[:40]!r}, expected a word or phrase of at most {_LONGEST} characters."
        )
    filled = [name for name, value in zip(COLUMNS[1:], (use, never, explain), strict=True) if value]
    if len(filled) != 1:
        raise InputError(
            f"{place}: {term!r} has {' and '.join(filled) or 'nothing'}; expected exactly one of {', '.join(COLUMNS[1:])}."
        )
    if never and never.lower() not in _YES:
        raise InputError(f"{place}: never use is {never!r}, expected yes or nothing.")
    if use.lower() == term.lower():
        raise InputError(f"{place}: {term!r} becomes itself, expected another word.")
    return WordEntry(term, use, bool(never), explain)


def _house(text: Text, kind: str) -> Iterator[tuple[int, int, WordEntry]]:
    yield from (row for row in text.words.find(text.text) if row[2].kind == kind)


def _use_instead(text: Text) -> Iterable[Finding]:
    for start, end, entry in _house(text, "use"):
        written = text.text[start:end]
        better = cased(alike(written, entry.term, entry.use), written)
        yield Finding(
            "PM401",
            start,
            end,
            f"The house list says “{entry.use}” instead of “{entry.term}”.",
            # A list that turns a meaning round is not helped along.
            ()
            if lexical_change(entry.term.lower(), entry.use.lower())
            else (Suggestion(better, "word list"),),
            severity="limit",
        )


def _never(text: Text) -> Iterable[Finding]:
    for start, end, entry in _house(text, "never"):
        yield Finding(
            "PM402", start, end, f"The house list says never to use “{entry.term}”.", severity="limit"
        )


def _explain(text: Text) -> Iterable[Finding]:
    seen = set()
    for start, end, entry in _house(text, "explain"):
        if entry.term in seen:
            continue
        seen.add(entry.term)
        if is_explained(text.text, start, end):
            continue
        explanation = "" if entry.explain.lower() in _YES else entry.explain
        offers = (Suggestion(f"{text.text[start:end]} ({explanation})", "word list"),) if explanation else ()
        yield Finding(
            "PM403",
            start,
            end,
            f"The house list asks to explain “{entry.term}” where it is first used.",
            offers,
            severity="limit",
        )


_EXPLAINS = re.compile(r"\s*(?:\(|–|—|, (?:which|that is|or|also|a |an |the )|(?:is|are|means|stands for)\b)")

_OPENED = re.compile(r"\([“\"']{0,9}$")


def is_explained(text: str, start: int, end: int) -> bool:
    """Whether an explanation follows, or the term stands in brackets after its full form."""
    return (
        _EXPLAINS.match(text, end) is not None or _OPENED.search(text, max(start - 10, 0), start) is not None
    )


RULES = (
    Rule(
        "PM401",
        "house list: use instead",
        "The word list of your organisation has another word for this one. Replace it, or change the list.",
        "We utilise cookies.",
        "We use cookies.",
        text=_use_instead,
        english=False,
        options={"words": (WordEntry("utilise", use="use"),)},
    ),
    Rule(
        "PM402",
        "house list: never use",
        "The word list of your organisation rules this word out. Say it in another way.",
        "We leverage data.",
        "We use data.",
        text=_never,
        english=False,
        options={"words": (WordEntry("leverage", never=True),)},
    ),
    Rule(
        "PM403",
        "house list: explain at first use",
        "The word list of your organisation asks for an explanation of this term where a text first uses it: in brackets,"
        " after a dash or a comma, or in a sentence that says what it is.",
        "Write to HMRC.",
        "Write to HMRC (the UK's tax office).",
        text=_explain,
        english=False,
        options={"words": (WordEntry("HMRC", explain="the UK's tax office"),)},
    ),
)
