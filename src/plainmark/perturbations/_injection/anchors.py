"""Aligns words of a simplification with words of the source that say the same, without any code of the ledger.

An anchor is a word that both texts have, in sentences about the same thing: at least half of the content words of the
shorter sentence are in the other one, and the two sentences share content words near the word. The rule is strict on
purpose, so that an error inserted at an anchor contradicts the source.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’-][^\W\d_]+)*|[%°$£€]|[^\w\s]")
_ABBREVIATED = re.compile(r"(?:\b(?:Dr|Mr|Mrs|Ms|St|vs|etc|e\.g|i\.e|cf|al|No|approx|Fig|[A-Z]))\.$")
_END = re.compile(r"[.!?][\"”’')\]]*\s+(?=[\"“‘'(\[]?[A-Z0-9])")
_STOP = frozenset(
    """a an the this that these those it its they their them he she his her him we our us you your i my me who whom whose
    which what of in on at by for from to into with and or but nor so as than then if when while because although though
    is are was were be been being am has have had having do does did done will would can could may might must shall should
    not no never none also more most less least very such same other some any all each every both few many much only just
    there here how why where up down out over under about after before between during through one two three
    was's it's""".split()
)


@dataclass(frozen=True)
class Word:
    """A token of a text with its offsets."""

    text: str
    start: int
    end: int

    @cached_property
    def lower(self) -> str:
        return self.text.lower().replace("’", "'")

    @property
    def stem(self) -> str:
        return stem(self.lower)

    @property
    def content(self) -> bool:
        """Whether the token is a content word."""
        return len(self.lower) > 2 and self.text[0].isalpha() and self.lower not in _STOP


@dataclass(frozen=True)
class Sentence:
    """The tokens of a sentence."""

    words: tuple[Word, ...]

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(w.stem for w in self.words if w.content)

    @cached_property
    def lowers(self) -> frozenset[str]:
        return frozenset(w.lower for w in self.words)

    def near(self, first: int, last: int, reach: int) -> set[str]:
        """Stems of the content words at most `reach` tokens before `first` or after `last`."""
        around = (*self.words[max(0, first - reach) : first], *self.words[last + 1 : last + 1 + reach])
        return {w.stem for w in around if w.content}


@dataclass(frozen=True)
class Anchor:
    """A word of the output and the matching word of the source: their positions in their sentences."""

    sentence: Sentence
    index: int
    other: Sentence
    place: int

    @property
    def word(self) -> Word:
        return self.sentence.words[self.index]

    @property
    def source(self) -> Word:
        return self.other.words[self.place]

    def at(self, offset: int) -> str:
        """The token at this distance from the anchor in the output, in lower case; empty beyond the sentence."""
        k = self.index + offset
        return self.sentence.words[k].lower if 0 <= k < len(self.sentence.words) else ""

    def source_at(self, offset: int) -> str:
        """The token at this distance from the anchor in the source, in lower case; empty beyond the sentence."""
        k = self.place + offset
        return self.other.words[k].lower if 0 <= k < len(self.other.words) else ""


class Pair:
    """Two texts, their sentences, and the links between those about the same thing; `others` are outputs on other subjects."""

    def __init__(self, source: str, output: str, others: Sequence[str] = ()) -> None:
        self.source, self.output, self.others = source, output, others
        self.source_sentences, self.output_sentences = sentences(source), sentences(output)

    @cached_property
    def partners(self) -> list[tuple[Sentence, list[Sentence]]]:
        """The sentences of the output, each with its partners in the source."""
        return [(s, [t for t in self.source_sentences if _alike(s, t)]) for s in self.output_sentences]

    @cached_property
    def source_words(self) -> frozenset[str]:
        return frozenset(w.lower for s in self.source_sentences for w in s.words)

    def anchors(self, key: Callable[[Word], object], *, reach: int = 5, shared: int = 2) -> Iterator[Anchor]:
        """Words with equal keys in the context of the same content words; a word with the key None is no anchor."""
        for sentence, others in self.partners:
            for i, word in enumerate(sentence.words):
                word_key = key(word)
                if word_key is None:
                    continue
                best = max(
                    (
                        (len(sentence.near(i, i, reach) & other.near(j, j, reach + 2)), -j, other, j)
                        for other in others
                        for j, candidate in enumerate(other.words)
                        if key(candidate) == word_key
                    ),
                    key=lambda match: match[:2],
                    default=None,
                )
                if best and best[0] >= shared:
                    yield Anchor(sentence, i, best[2], best[3])


def sentences(text: str) -> list[Sentence]:
    """The sentences of a text by a simple rule; a wrong boundary only loses an anchor."""
    starts = [0]
    for end in _END.finditer(text):
        if not _ABBREVIATED.search(text[starts[-1] : end.start() + 1]):
            starts.append(end.end())
    spans = zip(starts, [*starts[1:], len(text)], strict=True)
    split = (
        Sentence(tuple(Word(m.group(), m.start(), m.end()) for m in _TOKEN.finditer(text, a, b)))
        for a, b in spans
    )
    return [s for s in split if s.words]


@lru_cache(65536)
def stem(word: str) -> str:
    """A word without its usual endings; good enough to compare two texts on one subject."""
    for ending in ("'s", "ing", "edly", "ed", "ies", "es", "ly", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word.removesuffix(ending)
    return word


def _alike(a: Sentence, b: Sentence) -> bool:
    shared, shorter = len(a.stems & b.stems), min(len(a.stems), len(b.stems))
    return shared >= 3 and shared >= 0.5 * shorter
