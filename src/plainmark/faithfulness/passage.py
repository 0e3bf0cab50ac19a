"""A text cut into sentences, clauses and words, once for all kinds of fact."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from .. import lexicon
from ..document import sentence_spans

# Hyphenated words are cut, so that "non-smokers" and "smokers" can be compared; "n't" and "'s" are words.
_TOKEN = re.compile(
    r"n['’]t\b|['’](?:s|re|ve|ll|d|m)\b"
    r"|[^\W\d_]+?(?=n['’]t\b)|(?:[^\W\d_]\.){2,}|[^\W\d_]+"
    r"|\d+(?:[.,\u00a0\u202f\u2009]\d+)*|[^\w\s]|_",
    re.IGNORECASE,
)
FUNCTION_WORDS = frozenset(
    "a an the this that these those it its itself he him his himself she her hers herself they them their theirs "
    "themselves we us our ours you your yours i me my mine there here who whom whose which what be is are was were been "
    "being am 's 're 'm ’s ’re ’m do does did done doing have has had having 've ’ve will would 'll ’ll 'd ’d can could may might "
    "shall should must ought to of in on at by for from with as and or but if then than so any each every such own same "
    "other another one ones up out about into over after before between through during under above below no not n't n’t "
    "never none nor neither without cannot while when where how why also too very just only even yet still although "
    "though because since until unless whether both either all some most many few more less much however therefore thus "
    "ca wo sha ai i.e e.g etc per via upon within among across against along around toward towards off onto".split()
)
# Longer sentences are tables, lists or text without full stops.
_LONGEST = 150
# Words that open a clause; a comma does so as well, because it ends the scope of most operators.
_OPENERS = frozenset(
    "because although though while whereas unless if when which who whom whose that but so until since whether after "
    "before where".split()
)
_CLAUSE_MARKS = frozenset(",;:()[]—–")


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A sentence, or pieces of it with a limited number of words."""
    if end - start > 2 * _LONGEST:  # a shorter text cannot have too many words
        starts = [m.start() for m in _TOKEN.finditer(text, start, end)][_LONGEST::_LONGEST]
        for following in starts:
            yield start, following
            start = following
    yield start, end


class Word(NamedTuple):
    """A word or a mark and its place; `base` is its base form in lower case, `clause` counts from 0 in the text."""

    text: str
    lower: str
    base: str
    start: int
    end: int
    sentence: int
    clause: int
    content: bool


class Passage:
    """A text with its sentences, clauses and words; overlong sentences are cut into pieces.

    >>> passage = Passage("Owls hunt, but they don't sing. Bats do.")
    >>> [w.text for w in passage.words if w.content], [w.clause for w in passage.words[:5]]
    (['Owls', 'hunt', 'sing', 'Bats'], [0, 0, 1, 1, 1])
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.sentences: list[tuple[int, int]] = []
        self.numbers: list[int] = []  # of each sentence in the text
        for number, span in enumerate(sentence_spans(text)):
            pieces = list(_pieces(text, *span))
            self.sentences += pieces
            self.numbers += [number] * len(pieces)
        self.words: list[Word] = []
        self.first_word: list[int] = []  # of each sentence
        clause = -1
        for number, (start, end) in enumerate(self.sentences):
            self.first_word.append(len(self.words))
            clause += 1
            for match in _TOKEN.finditer(text, start, end):
                word = match.group()
                lower = word.lower()
                if lower in _OPENERS or word in _CLAUSE_MARKS:
                    previous = self.words[-1] if len(self.words) > self.first_word[-1] else None
                    clause += previous is not None and previous.text not in _CLAUSE_MARKS
                letter = word[0].isalnum()
                content = letter and lower not in FUNCTION_WORDS and (len(word) > 1 or word.isdigit())
                base = lexicon.base(lower) if content else lower
                self.words.append(
                    Word(word, lower, base, match.start(), match.end(), number, clause, content)
                )
        self.first_word.append(len(self.words))

    @cached_property
    def has_capitals(self) -> bool:
        """Whether capitals distinguish names from other words: letters are neither all lower-case nor all capitals."""
        letters = [c for c in self.text if c.isalpha()]
        large = sum(c.isupper() for c in letters)
        return 0.004 * len(letters) < large < 0.5 * len(letters) or (0 < large < 0.5 * len(letters))

    @cached_property
    def _starts(self) -> list[int]:
        return [w.start for w in self.words]

    def word_at(self, position: int) -> int:
        """The index of the last word that starts at or before a character; 0 if there is none."""
        from bisect import bisect_right

        return max(bisect_right(self._starts, position) - 1, 0)

    def words_in(self, start: int, end: int) -> range:
        """The indices of the words that begin between two characters."""
        from bisect import bisect_left

        return range(bisect_left(self._starts, start), bisect_left(self._starts, end))

    def sentence_text(self, sentence: int) -> str:
        """The text of a sentence."""
        start, end = self.sentences[sentence]
        return self.text[start:end]

    def sentence_words(self, sentence: int) -> range:
        """The indices of the words of a sentence."""
        return range(self.first_word[sentence], self.first_word[sentence + 1])

    def near(self, index: int, reach: int = 4) -> list[tuple[int, int]]:
        """Content words around a word in its sentence: (index, distance in content words), the nearest first."""
        words = self.words
        sentence = words[index].sentence
        low, high = self.first_word[sentence], self.first_word[sentence + 1]
        out: list[tuple[int, int]] = []
        for step in (1, -1):
            distance, i = 0, index + step
            while low <= i < high and distance < reach:
                if words[i].content:
                    distance += 1
                    out.append((i, distance))
                i += step
        out.sort(key=lambda pair: pair[1])
        return out
