"""Decoding with synchronous context-free grammars: rules with nonterminals, which may put phrases in another order.

    score(output) = weights @ (sum of its rules' features, log10 P of the language model, words, unknown words,
                               pieces glued side by side, words copied)

Every word may stay as it is. A sentence is one piece, or pieces side by side (glue); rules reach over at most
`span_limit` words. Cube pruning looks at `pop_limit` hypotheses for each span; with 0 the search is exact. References:
Chiang 2007; Huang and Chiang 2005.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .. import kernels
from ..errors import EmptyGrammarWarning, InputError
from .language_model import LanguageModel
from .ppdb import Nonterminal, Rule, parse_rule

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Symbols = NDArray[np.int32]

# Features of an output that are not its rules'.
OWN = ("lm", "words", "unknown", "glue", "copies")
LONGEST = 2000
_COPIED = "X"


class Grammar:
    """Rules as arrays: words and labels are numbers, and each rule is found by its source.

    >>> grammar = Grammar.parse(["[X] ||| big [X,1] ||| [X,1] of great size ||| p=1 ||| "])
    >>> [o.text for o in decode(grammar, None, {"p": 1}, ["big house"])[0]]
    ['house of great size']
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        self.word_ids: dict[str, int] = {}
        self.label_ids: dict[str, int] = {_COPIED: 0}
        sources: list[int] = []
        targets: list[int] = []
        ends: tuple[list[int], list[int]] = ([0], [0])
        for rule in self.rules:
            places = {symbol: -1 - k for k, symbol in enumerate(rule.nonterminals)}
            for symbol in rule.source:
                if isinstance(symbol, Nonterminal):
                    sources.append(-1 - self.label_ids.setdefault(symbol.label, len(self.label_ids)))
                else:
                    sources.append(self.word_ids.setdefault(symbol, len(self.word_ids)))
            for symbol in rule.target:
                if isinstance(symbol, Nonterminal):
                    targets.append(places[symbol])
                else:
                    targets.append(self.word_ids.setdefault(symbol, len(self.word_ids)))
            ends[0].append(len(sources))
            ends[1].append(len(targets))
        lhs = [self.label_ids.setdefault(rule.lhs, len(self.label_ids)) for rule in self.rules]
        self.targets, self.target_offsets = _symbols(targets), np.array(ends[1], dtype=np.int64)
        try:
            self.native = kernels.Grammar(
                _symbols(lhs),
                _symbols(sources),
                np.array(ends[0], dtype=np.int64),
                self.targets,
                self.target_offsets,
                len(self.word_ids),
                len(self.label_ids),
            )
        except ValueError as problem:
            raise InputError(f"the grammar cannot be used: {problem}.") from None

    @classmethod
    def parse(cls, lines: Iterable[str]) -> Grammar:
        """The grammar of lines in the form of PPDB; each of them must be a rule."""
        return cls(map(parse_rule, lines))

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the rules' features, sorted."""
        return tuple(sorted({name for rule in self.rules for name in rule.features}))

    @cached_property
    def features(self) -> Floats:
        """The rules' features, shape (rules, names); those that a rule lacks are 0."""
        return np.array(
            [[rule.features.get(name, 0.0) for name in self.feature_names] for rule in self.rules],
            dtype=float,
        ).reshape(len(self.rules), len(self.feature_names))

    def scores(self, weights: Mapping[str, float]) -> Floats:
        """weights @ features of each rule; names that no rule has do not count."""
        chosen = np.array([weights.get(name, 0.0) for name in self.feature_names], dtype=float)
        found: Floats = self.features @ chosen
        return found

    def __len__(self) -> int:
        return len(self.rules)


@dataclass(frozen=True)
class Output:
    """One output of a sentence, and how it came about."""

    words: tuple[str, ...]
    score: float
    lm: float
    unknown: int
    glue: int
    copies: int
    rules: tuple[int, ...]

    @property
    def text(self) -> str:
        return " ".join(self.words)


@dataclass(frozen=True, eq=False)
class NBest:
    """Outputs of many sentences as flat arrays: those of sentence i are sentences[i] to sentences[i + 1]."""

    grammar: Grammar
    vocabulary: tuple[str, ...]
    sentences: Ints
    scores: Floats
    own: Floats  # one column for each name in OWN
    words: Symbols
    word_offsets: Ints
    rules: Symbols
    rule_offsets: Ints

    @cached_property
    def features(self) -> Floats:
        """Features of all outputs, in the order of grammar.feature_names and then OWN: scores are features @ weights."""
        sums = np.zeros((len(self.scores), len(self.grammar.feature_names)))
        owner = np.repeat(np.arange(len(self.scores)), np.diff(self.rule_offsets))
        for column, values in enumerate(self.grammar.features.T):
            sums[:, column] = np.bincount(owner, values[self.rules], len(self.scores))
        return np.hstack([sums, self.own])

    def __len__(self) -> int:
        return len(self.sentences) - 1

    def __getitem__(self, sentence: int) -> list[Output]:
        start, stop = self.sentences[sentence], self.sentences[sentence + 1]
        return [self._output(int(i)) for i in range(start, stop)]

    def _output(self, i: int) -> Output:
        ids = self.words[self.word_offsets[i] : self.word_offsets[i + 1]]
        rules = self.rules[self.rule_offsets[i] : self.rule_offsets[i + 1]]
        lm, _, unknown, glue, copies = self.own[i].tolist()
        return Output(
            tuple(self.vocabulary[w] for w in ids),
            float(self.scores[i]),
            lm,
            int(unknown),
            int(glue),
            int(copies),
            tuple(rules.tolist()),
        )


def decode(
    grammar: Grammar,
    model: LanguageModel | None,
    weights: Mapping[str, float],
    sentences: Sequence[str],
    *,
    labels: Sequence[Sequence[str]] | None = None,
    nbest: int = 1,
    span_limit: int = 20,
    pop_limit: int = 100,
    unary_limit: int = 3,
    unique: bool = True,
) -> NBest:
    """The best outputs of sentences of words between spaces, by weights of features by name (the rules' and OWN).

    labels: what each word is when it is copied, such as its part of speech, beside X; unary_limit: how many rules whose
    source is a single nonterminal may stand on each other, which ends cycles among them.
    """
    if not len(grammar):
        warnings.warn(
            EmptyGrammarWarning("the grammar has no rules; sentences stay as they are."), stacklevel=2
        )
    rows = [sentence.split() for sentence in sentences]
    for number, row in enumerate(rows, 1):
        if len(row) > LONGEST:
            raise InputError(
                f"sentence {number} has {len(row):,} words, expected at most {LONGEST:,}; split the text into sentences."
            )
    ids = dict(grammar.word_ids)
    flat = _symbols([ids.setdefault(word, len(ids)) for row in rows for word in row])
    lengths = np.array([len(row) for row in rows], dtype=np.int64)
    vocabulary = tuple(ids)
    known = np.zeros(len(ids), dtype=np.uint32) if model is None else model.ids(vocabulary)
    each = {name: float(weights.get(name, 0.0)) for name in OWN}
    unknown = np.zeros(len(ids)) if model is None else (known == 0).astype(float)
    word_scores = each["words"] + each["unknown"] * unknown
    copy_labels, label_offsets = _copy_labels(grammar, rows, labels)
    found = kernels.decode_scfg(
        grammar.native,
        None if model is None else model.native,
        known,
        grammar.scores(weights) + _of_targets(grammar, word_scores),
        flat,
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        word_scores[flat] + each["copies"],
        copy_labels,
        label_offsets,
        each["lm"],
        each["glue"],
        span_limit,
        pop_limit,
        unary_limit,
        nbest,
        unique,
    )
    ends, scores, lm, glue, copies, words, word_offsets, rules, rule_offsets = found
    unknowns = np.bincount(
        np.repeat(np.arange(len(scores)), np.diff(word_offsets)), unknown[words], len(scores)
    )
    own = np.column_stack([lm, np.diff(word_offsets), unknowns, glue, copies]).astype(float)
    return NBest(grammar, vocabulary, ends, scores, own, words, word_offsets, rules, rule_offsets)


def _copy_labels(
    grammar: Grammar, rows: Sequence[Sequence[str]], labels: Sequence[Sequence[str]] | None
) -> tuple[Symbols, Ints]:
    """The numbers of the labels that words have when they are copied, and where those of each word begin."""
    if labels is None:
        total = sum(map(len, rows))
        return np.zeros(total, dtype=np.int32), np.arange(total + 1, dtype=np.int64)
    if [len(row) for row in labels] != [len(row) for row in rows]:
        raise InputError("labels do not fit the sentences, expected one label for each word.")
    found: list[int] = []
    offsets = [0]
    for row in labels:
        for label in row:
            number = grammar.label_ids.get(label, 0)  # a label that no rule has changes nothing
            found += [0, number] if number else [0]
            offsets.append(len(found))
    return _symbols(found), np.array(offsets, dtype=np.int64)


def _of_targets(grammar: Grammar, word_scores: Floats) -> Floats:
    """Sums over the words of each rule's target."""
    rule = np.repeat(np.arange(len(grammar)), np.diff(grammar.target_offsets))
    is_word = grammar.targets >= 0
    return np.bincount(rule[is_word], word_scores[grammar.targets[is_word]], len(grammar)).astype(float)


def _symbols(values: Sequence[int]) -> Symbols:
    return np.array(values, dtype=np.int32)
