"""What readers answered in ATS-EVAL, with the options they had and the words of what they read."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property

from ..data import Corpus
from ..datasets import dataset
from ..datasets.ats_eval import FILE, QUESTIONS, Answer, ATSEval
from ..errors import InputError
from ..files import table_rows
from ..treebank import word_tokenize

DATA = "ats_eval"
HUMAN = ("Original", "Elementary")


@dataclass(frozen=True, eq=False)
class Answers:
    """Every answer with the letter of its option and the passage that was read."""

    corpora: dict[str, Corpus]
    answers: tuple[Answer, ...]
    letters: tuple[str, ...]  # A (right) to D, or "" for "not supported by the passage"
    passages: tuple[str, ...]

    def share(self, system: str, letter: str) -> float:
        """The percentage of a system's answers that have this letter."""
        own = [found for a, found in zip(self.answers, self.letters, strict=True) if a.system == system]
        return 100 * own.count(letter) / len(own)

    def accuracy(self, system: str) -> float:
        return self.share(system, "A")

    @cached_property
    def passage_words(self) -> list[tuple[str, ...]]:
        """The words of every answer's passage."""
        known = {text: words(text) for text in dict.fromkeys(self.passages)}
        return [known[text] for text in self.passages]

    def automatic(self, but: tuple[str, ...] = ()) -> list[str]:
        """The systems that are not people."""
        return [s for s in self.corpora if s not in (*HUMAN, *but)]


def read_answers() -> Answers:
    """The answers of the released file."""
    data = dataset(DATA)
    assert isinstance(data, ATSEval)
    found, corpora, options = data.answers(), data.corpora(), _options(data.path(FILE))
    if len(found) != len(options):
        raise InputError(f"{FILE}: {len(found)} answers, but options of {len(options)} questions.")
    texts = {(s, i): text for s, c in corpora.items() for i, text in zip(c.ids, c.outputs, strict=True)}
    letters = [_letter(a, o) for a, o in zip(found, options, strict=True)]
    return Answers(corpora, tuple(found), tuple(letters), tuple(texts[a.system, a.sample] for a in found))


def _letter(answer: Answer, options: list[str]) -> str:
    if not answer.is_given:
        return ""
    given = answer.given.strip()
    # Options stand in the order A to D; the right one is compared with the answer itself, as spaces differ.
    return "A" if answer.is_right else "ABCD"[options.index(given)] if given in options[:4] else "?"


def _options(path: str) -> list[list[str]]:
    columns = [f"all_options_{k}" for k in QUESTIONS]
    found = []
    for where, row in table_rows(path, columns):
        for column in columns:
            try:
                listed = ast.literal_eval(row[column])
                found.append([str(option).strip() for option in listed])
            except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
                raise InputError(f"{where}: {column} is not a list of options.") from None
    return found


def words(text: str) -> tuple[str, ...]:
    """NLTK's words of the lower-cased text."""
    return tuple(word_tokenize(text.lower()))
