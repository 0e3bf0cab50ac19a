"""Shared by metrics of questions and answers: comparing answers as SQuAD does, and finding them with spaCy."""

from __future__ import annotations

import re
import string
from collections import Counter
from typing import Any, Literal, NamedTuple

Kind = Literal["np-chunks", "max-np", "ner", "all"]

# A parse with more words than this under one noun is seldom right, the authors of QAEval found.
LONGEST_PHRASE = 7
NAMES = frozenset({"PERSON", "NORP", "FAC", "ORG", "GPE", "LOC", "EVENT", "WORK_OF_ART"})


def answer_em(gold: str, predicted: str) -> float:
    """Whether two answers are the same but for case, punctuation and articles."""
    return float(_words(gold) == _words(predicted))


def answer_f1(gold: str, predicted: str) -> float:
    """F1 of the words of two answers without case, punctuation and articles, as SQuAD has it."""
    a, b = _words(gold), _words(predicted)
    if not a or not b:
        return float(a == b)
    same = sum((Counter(a) & Counter(b)).values())
    return 2 * same / (len(a) + len(b))


class Marked(NamedTuple):
    """An answer in its sentence, from character `start` to `end`."""

    sentence: str
    start: int
    end: int

    @property
    def answer(self) -> str:
        return self.sentence[self.start : self.end]


def answers_of(document: Any, text: str, kind: Kind) -> list[Marked]:
    """The answers that a text offers, in the order of its sentences."""
    out = []
    for sentence in document.sents:
        start, end = sentence.start_char, sentence.end_char
        out += [Marked(text[start:end], a - start, b - start) for a, b in _places(document, sentence, kind)]
    return out


def _places(document: Any, sentence: Any, kind: Kind) -> list[tuple[int, int]]:
    if kind == "all":
        parts: tuple[Kind, ...] = ("np-chunks", "max-np", "ner")
        return sorted({place for part in parts for place in _places(document, sentence, part)})
    if kind == "np-chunks":
        spans = list(sentence.noun_chunks)
    elif kind == "ner":
        spans = [e for e in sentence.ents if e.label_ in NAMES]
    else:
        spans = _largest_phrases(document, sentence.root)
    return [(s.start_char, s.end_char) for s in spans]


def _largest_phrases(document: Any, root: Any) -> list[Any]:
    """Nouns with all that depends on them, from the top of the tree down, unless that is too long."""
    found, waiting = [], [root]
    while waiting:
        token = waiting.pop()
        first, last = token.left_edge.i, token.right_edge.i
        if token.pos_ in ("NOUN", "PROPN") and last - first < LONGEST_PHRASE:
            found.append(document[first : last + 1])
        else:
            waiting += token.children
    return sorted(found, key=lambda span: span.start_char)


def _words(text: str) -> list[str]:
    plain = "".join(c for c in text.lower() if c not in string.punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", plain).split()
