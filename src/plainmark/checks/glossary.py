"""Terms of health care and government that many readers do not know, with a plain word and a definition for each.

glossary.csv was written for plainmark. Its column "use" says how the plain word can be used: "replace" the term, "explain"
it in brackets after it, or only "define" it, because neither would read well in a sentence.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ._analysis import Words
from ._findings import Finding, Rule, Sentence, Suggestion, Text
from ._inflection import cased, plural, with_article
from .word_list import is_explained

FILE = Path(__file__).with_name("glossary.csv")
_IRREGULAR = {
    "is": "es",
    "us": "i",
    "um": "a",
}  # endings of Greek and Latin plurals: metastases, thrombi, errata
_NEAR = 120  # distance in characters within which the plain word explains the term


@dataclass(frozen=True)
class GlossaryEntry:
    """A term, a plain word for it, how that word can be used, and a definition."""

    term: str
    plain: str
    use: str
    area: str
    definition: str


@cache
def entries() -> tuple[GlossaryEntry, ...]:
    """The glossary, sorted by area and term.

    >>> [e.plain for e in entries() if e.term == "hypertension"]
    ['high blood pressure']
    """
    with FILE.open(encoding="utf-8", newline="") as file:
        return tuple(GlossaryEntry(**row) for row in csv.DictReader(file))


@cache
def _by_first_word() -> dict[str, list[tuple[tuple[str, ...], GlossaryEntry]]]:
    """The terms and their plurals as words, by the first word, the longest first."""
    out: dict[str, list[tuple[tuple[str, ...], GlossaryEntry]]] = {}
    own = {entry.term for entry in entries()}
    for entry in entries():
        forms = {entry.term}
        if entry.use != "define":
            ending = entry.term[-2:]
            form = entry.term[:-2] + _IRREGULAR[ending] if ending in _IRREGULAR else plural(entry.term)
            forms |= {form} - own  # a plural with an entry of its own is not replaced
        for form in forms:
            words = tuple(form.split())
            out.setdefault(words[0], []).append((words, entry))
    for rows in out.values():
        rows.sort(key=lambda row: -len(row[0]))
    return out


def terms(words: Words) -> Iterator[tuple[int, int, GlossaryEntry]]:
    """The first word of each term of a sentence, the word after it, and its entry."""
    known = _by_first_word()
    end = 0
    for i, word in enumerate(words.lower):
        if word not in known or i < end:
            continue
        for form, entry in known[word]:
            if words.lower[i : i + len(form)] == form and _is_plain(words, i):
                end = i + len(form)
                yield i, end, entry
                break


def _is_plain(words: Words, i: int) -> bool:
    """Whether a word is not written as a name; the first word of a sentence may have a capital."""
    if words.written(i).islower():
        return True
    titled = len(words) > 1 and words.written(1)[:1].isupper()  # "Lieutenant General"
    return i == 0 and words.written(i)[1:].islower() and not titled


def _jargon(text: Text) -> Iterator[Finding]:
    seen: dict[
        str, Finding | None
    ] = {}  # by plain word: the place where the term is first used, or could first be explained
    for k, ((offset, _), sentence) in enumerate(zip(text.spans, text.sentences, strict=True)):
        for i, j, entry in terms(sentence.words):
            earlier = seen.get(entry.plain)
            if entry.plain in seen and (earlier is None or earlier.suggestions):
                continue
            start, end = sentence.words.starts[i], sentence.words.ends[j - 1]
            if any(p.start < end and start < p.end for p in sentence.phrases):
                continue  # a plain phrase is suggested for it
            around = text.text[max(offset + start - _NEAR, 0) : offset + end + _NEAR].lower()
            if entry.plain in around or is_explained(text.text, offset + start, offset + end):
                seen.setdefault(entry.plain, None)
                continue
            first, offers = _offers(sentence, i, j, entry)
            if earlier is None or offers:
                seen[entry.plain] = Finding(
                    "PM103",
                    offset + first,
                    offset + end,
                    f"Not every reader knows “{sentence.text[start:end]}”: {entry.plain}.",
                    offers,
                    sentence=k,
                    explanation=entry.definition,
                )
    yield from filter(None, seen.values())


def _offers(sentence: Sentence, i: int, j: int, entry: GlossaryEntry) -> tuple[int, tuple[Suggestion, ...]]:
    """The start of the replacement, and the suggestions."""
    words = sentence.words
    start, end = words.starts[i], words.ends[j - 1]
    written = sentence.text[start:end]
    if entry.use == "replace":
        plain = cased(_numbered(written, entry) or entry.plain, written)
        if words.lower[i - 1 : i] and words.lower[i - 1] in _DETERMINERS:
            plain = plain.removeprefix("a ").removeprefix("an ")
        first, better = with_article(sentence.text, start, plain)
        return first, (Suggestion(better, "glossary", entry.definition),)
    plain = _numbered(written, entry)
    # A bracket would separate the term from a noun after it.
    before_noun = j < len(words) and (
        words.lower[j] == "controlled"
        or words.lower[j].endswith("ing")
        or (words.lower[j].isalpha() and words.nouns[j] >= _NOUN)
    )
    if entry.use == "define" or before_noun or not plain:
        return start, ()
    return start, (Suggestion(f"{written} ({plain})", "glossary", entry.definition),)


_NOUN = 0.4  # probability
_DETERMINERS = frozenset("a an the this that his her its their my your our no any some severe".split())


def _numbered(written: str, entry: GlossaryEntry) -> str:
    """The plain word in the number of the term; empty for plurals of longer explanations."""
    if written.lower() == entry.term:
        return entry.plain
    bare = entry.plain.removeprefix("a ").removeprefix("an ")
    head, space, rest = bare.partition(" of ")
    if len(head.split()) > _SHORT or not _LINKS.isdisjoint(head.split()):
        return ""
    return plural(head) + space + rest


_SHORT = 3  # the lengths, in words, of explanations that can be put into the plural
_LINKS = frozenset("a an the with that in by for from to than out up on worse getting being".split())


RULES = (
    Rule(
        "PM103",
        "jargon",
        "A term of health care or government that many readers do not know. Use the plain word, or explain the term where you first"
        " use it. Terms that the text explains are left alone.",
        "Patients with dyspnoea should rest.",
        "Patients who are short of breath should rest.",
        text=_jargon,
        judged=(91, 100),
    ),
)
