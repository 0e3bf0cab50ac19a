"""A sentence with its words, their tags, and the units of its UCCA parse.

Operations cut a sentence between words and never inside a quotation or brackets. New sentences have the style of the old
one: without capitals if it has none, and with a space before marks if it is tokenised.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ... import tagger
from ...lexicon import is_known
from ...tagger import TaggedToken
from ...ucca import UccaGraph
from ...ucca.constituency import punctuation
from ...ucca.graph import PUNCTUATION, Terminal, terminals

# Marks of tokenised text, replaced by the same number of characters, so that offsets stay valid.
_BRACKETS = str.maketrans({"[": "(", "]": ")", "{": "(", "}": ")"})
_WRITTEN_BRACKETS = re.compile(r"-(?:(l)|r)[rsc]b-", re.IGNORECASE)
_QUOTES = {"“": '"', "”": '"', "«": '"', "»": '"', "„": '"'}
_JOINT = re.compile(r"[-–—/]")


@dataclass(frozen=True)
class Unit:
    """A unit of the parse: the first word, the end of the last one, and its child units."""

    category: str
    start: int
    end: int
    children: tuple[Unit, ...] = ()
    remote_subject: bool = False  # shares a participant with another clause
    whole: bool = True  # no word between start and end belongs to another unit

    @property
    def is_scene(self) -> bool:
        """Whether the unit has a main relation."""
        return any(c.category in ("P", "S") for c in self.children)

    def below(self) -> Iterator[Unit]:
        """The unit and all units in it, in the order of the text."""
        yield self
        for child in self.children:
            yield from child.below()


@dataclass(frozen=True)
class Sentence:
    """A sentence of a text: its words with tags, and the top-level units of its parse."""

    text: str
    tokens: tuple[TaggedToken, ...]
    units: tuple[Unit, ...] = field(default=(), repr=False)

    def __len__(self) -> int:
        return len(self.tokens)

    def word(self, i: int) -> str:
        """A word in lower case; empty outside the sentence."""
        return self.tokens[i].text.lower() if 0 <= i < len(self.tokens) else ""

    def tag(self, i: int) -> str:
        """The tag of a word; empty outside the sentence."""
        return self.tokens[i].tag if 0 <= i < len(self.tokens) else ""

    def span(self, start: int, end: int) -> str:
        """The original text of some words."""
        return self.text[self.tokens[start].start : self.tokens[end - 1].end] if start < end else ""

    @cached_property
    def stop(self) -> int:
        """The index of the full stop that ends the sentence; -1 if it ends otherwise."""
        last = len(self.tokens) - 1
        return last if last > 0 and self.tokens[last].text == "." else -1

    @cached_property
    def is_tokenized(self) -> bool:
        """Whether marks are separated by spaces."""
        return re.search(r"\w [.,](?:\s|$)", self.text) is not None

    @cached_property
    def has_capitals(self) -> bool:
        """Whether the sentence begins with a capital, or with a number and a capital."""
        letters = [c for c in self.text if c.isalpha()]
        return bool(letters) and (
            letters[0].isupper() or (self.text[0].isdigit() and any(map(str.isupper, letters)))
        )

    @cached_property
    def enclosed(self) -> tuple[bool, ...]:
        """For each word, whether it is in quotation marks or brackets, including the marks."""
        inside = [False] * len(self.tokens)
        depth, opened = 0, -1
        for i, token in enumerate(self.tokens):
            mark = _QUOTES.get(token.text, token.text)
            depth += mark == "("
            inside[i] = depth > 0 or opened >= 0
            depth -= mark == ")"
            if depth < 0:
                break
            if mark == '"':
                inside[i] = True
                opened = i if opened < 0 else -1
        if opened >= 0 or depth:  # never closed, so the extent is unknown
            return (True,) * len(self.tokens)
        return tuple(inside)

    def is_name(self, i: int) -> bool:
        """Whether a word has a capital that its position does not explain."""
        text = self.tokens[i].text
        if not text[:1].isupper():
            return False
        return i > 0 or self.tokens[i].tag == "NNP" or not text[1:].islower() or not is_known(text.lower())

    @cached_property
    def all_units(self) -> tuple[Unit, ...]:
        """All units of the parse, in the order of the text."""
        return tuple(u for top in self.units for u in top.below())

    def starting(self, i: int) -> list[Unit]:
        """Units that begin with this word, the longest first."""
        return sorted((u for u in self.all_units if u.start == i), key=lambda u: -u.end)


def plain(text: str) -> str:
    """The text with round brackets instead of all kinds of brackets, character by character."""
    return _WRITTEN_BRACKETS.sub(lambda m: "  (  " if m[1] else "  )  ", text.translate(_BRACKETS))


def tagged(text: str) -> tuple[TaggedToken, ...]:
    """The words of a sentence with their tags."""
    return tuple(tagger.tag(plain(text)))


def words_to_parse(tokens: Sequence[TaggedToken]) -> tuple[tuple[Terminal, ...], list[int]]:
    """The words as the parser expects them, with hyphens and slashes separated, and the token of each word."""
    words: list[str] = []
    owners: list[int] = []
    for i, token in enumerate(tokens):
        parts = [token.text] if len(token.text) < 3 else _JOINT.sub(r" \g<0> ", token.text).split()
        words += parts
        owners += [i] * len(parts)
    return terminals(words, punctuation(words)), owners


def parsed(text: str, tokens: tuple[TaggedToken, ...], graph: UccaGraph, owners: Sequence[int]) -> Sentence:
    """The sentence with the units of a parse of its words."""
    units = tuple(u for root in graph.roots for u in _children(graph, root, owners, tokens))
    return Sentence(text, _retagged(tokens, units), units)


def _retagged(tokens: tuple[TaggedToken, ...], units: Sequence[Unit]) -> tuple[TaggedToken, ...]:
    """The tags, corrected where the parse is more reliable about verbs: a Scene has one, and a Participant is none."""
    out = list(tokens)
    for unit in (u for top in units for u in top.below() if u.is_scene):
        for child in unit.children:
            if child.category == "A" and not any(u.is_scene for u in child.below()):
                for i in range(child.start, child.end):
                    if out[i].tag in ("VBZ", "VBP", "VBD") and child.whole and i > child.start:
                        noun = "NNS" if out[i].tag == "VBZ" else "VBN" if out[i].tag == "VBD" else "NN"
                        out[i] = out[i]._replace(tag=noun, lemma="")
        relation = next(c for c in unit.children if c.category in ("P", "S"))
        own = [i for c in unit.children if c.category in "PSFD" for i in range(c.start, c.end)]
        subject = max(
            (c.end for c in unit.children if c.category == "A" and c.end <= relation.start), default=-1
        )
        at = relation.start
        if any(out[i].tag in tagger.FINITE for i in own):
            continue
        if subject < 0:  # "has a port and ranks second"
            if unit.remote_subject and at > 0 and out[at - 1].tag == "CC" and out[at].tag == "NNS":
                form = _finite_form(out[at], out[at - 1]._replace(tag="NN"))
                out[at] = (
                    out[at]._replace(tag=form, lemma=tagger.lemma(out[at].text, form)) if form else out[at]
                )
            continue
        if all(out[i].tag == "RB" for i in range(subject, at)):
            form = _finite_form(out[at], out[subject - 1])
            if form:
                out[at] = out[at]._replace(tag=form, lemma=tagger.lemma(out[at].text, form))
    return tuple(out)


def _finite_form(word: TaggedToken, before: TaggedToken) -> str:
    """The finite form that a word may be after the last word of its subject; empty if there is none."""
    forms = {form for form, _ in tagger.verb_forms(word.text.lower())}
    singular = before.tag in ("PRP3", "NN", "NNP", "CD")
    plural = before.tag in ("PRPX", "NNS")
    if word.tag in ("VBN", "JJ") and "VBD" in forms:
        return "VBD"
    if word.tag == "NNS" and "VBZ" in forms and singular:
        return "VBZ"
    return "VBP" if word.tag in ("NN", "VB") and "VBP" in forms and plural else ""


def _children(
    graph: UccaGraph, name: str, owners: Sequence[int], tokens: Sequence[TaggedToken]
) -> tuple[Unit, ...]:
    units = []
    for edge in graph.unit[name].edges:
        unit = graph.unit.get(edge.child)
        positions = graph.positions.get(edge.child, ())
        if edge.remote or unit is None or unit.kind == PUNCTUATION or not positions:
            continue
        inside = {owners[p] for p in positions if not graph.terminals[p].punctuation}
        if not inside:
            continue
        start, end = min(inside), max(inside) + 1
        whole = all(i in inside or tokens[i].tag == "PU" for i in range(start, end))
        remote = any(e.remote and "A" in e.categories for e in unit.edges)
        below = _children(graph, edge.child, owners, tokens)
        units.append(Unit(edge.category, start, end, below, remote, whole))
    return tuple(sorted(units, key=lambda u: (u.start, -u.end)))
