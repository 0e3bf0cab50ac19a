"""Decoding with synchronous context-free grammars: rules with nonterminals, which may reorder phrases.

    score(output) = weights @ (sum of its rules' features, words, unknown words, pieces glued side by side, words copied,
                               log10 P of the language model)

Every word may stay unchanged. A sentence is one piece, or consecutive pieces (glue); rules span at most `span_limit` words.
Cube pruning considers `pop_limit` hypotheses per span; with 0 the search is exact. References: Chiang 2007; Huang and
Chiang 2005.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from ... import kernels
from ...errors import EmptyGrammarWarning, InputError, OptionError
from ...lm import LanguageModel
from ..arrays import Flags, Floats, Ints, Symbols, offsets_of
from ..decoding import SearchLimits
from .grammar import Grammar

# Features of an output as a whole, not of its rules.
OUTPUT_FEATURES = ("words", "unknown", "glue", "copies", "lm")
LONGEST = 2000


@dataclass(frozen=True)
class ChartLimits(SearchLimits):
    """Limits of cube pruning."""

    # largest number of source words that a rule may span, including its nonterminals; 0 for all
    span_limit: int = 20
    pop_limit: int = 100  # hypotheses considered per span; 0 for all, which makes the search exact
    # largest chain of rules whose source is a single nonterminal, which ends cycles among them
    unary_limit: int = 3

    def __post_init__(self) -> None:
        for name, most in (("span_limit", 10**9), ("pop_limit", 10**9), ("unary_limit", 100)):
            if not 0 <= getattr(self, name) <= most:
                raise OptionError(f"{name} {getattr(self, name)}, expected 0 to {most}.")


@dataclass(frozen=True)
class Output:
    """One output of a sentence, and its derivation."""

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
class ScfgBatch:
    """Sentences as numbers: words of the grammar first, then other words of the sentences."""

    others: tuple[str, ...]
    words: Symbols
    offsets: Ints
    copy_labels: Symbols  # labels of each word when it is copied
    label_offsets: Ints

    @classmethod
    def of(
        cls,
        grammar: Grammar,
        sentences: Sequence[Sequence[str]],
        labels: Sequence[Sequence[int]],
        protected: Flags | None = None,
    ) -> ScfgBatch:
        """`labels` has the indices of each word's labels, at least one; protected words are in no rule's source."""
        for number, row in enumerate(sentences, 1):
            if len(row) > LONGEST:
                raise InputError(
                    f"sentence {number} has {len(row):,} words, expected at most {LONGEST:,}; split the text into sentences."
                )
        known = grammar.vocabulary.numbers
        size = len(known)
        flags = [False] * sum(map(len, sentences)) if protected is None else protected.tolist()
        others: dict[tuple[str, bool], int] = {}
        ids = [
            known[w] if w in known and not fixed else others.setdefault((w, fixed), size + len(others))
            for w, fixed in zip(chain.from_iterable(sentences), flags, strict=True)
        ]
        return cls(
            tuple(w for w, _ in others),
            np.array(ids, dtype=np.int32),
            offsets_of(np.array([len(row) for row in sentences])),
            np.array([x for of_word in labels for x in of_word], dtype=np.int32),
            offsets_of(np.array([len(of_word) for of_word in labels])),
        )

    def part(self, start: int, stop: int) -> ScfgBatch:
        """Some of the sentences, with the same words."""
        a, b = self.offsets[start], self.offsets[stop]
        labels = self.label_offsets[a : b + 1]
        return ScfgBatch(
            self.others,
            self.words[a:b],
            self.offsets[start : stop + 1] - a,
            self.copy_labels[labels[0] : labels[-1]],
            labels - labels[0],
        )

    def __len__(self) -> int:
        return len(self.offsets) - 1


@dataclass(frozen=True, eq=False)
class NBest:
    """Outputs of many sentences as flat arrays: those of sentence i are sentences[i] to sentences[i + 1]."""

    grammar: Grammar
    others: tuple[str, ...]
    sentences: Ints
    scores: Floats
    own: Floats  # one column for each name in OWN
    words: Symbols
    word_offsets: Ints
    places: Symbols  # the source word that a word is a copy of, or -1
    rules: Symbols
    rule_offsets: Ints
    spans: Symbols  # of each rule: first word and end in the source, and in the output

    @cached_property
    def features(self) -> Floats:
        """Features of all outputs, in the order of grammar.feature_names and then OWN: scores are features @ weights."""
        sums = np.zeros((len(self.scores), len(self.grammar.feature_names)))
        owner = np.repeat(np.arange(len(self.scores)), np.diff(self.rule_offsets))
        for column, values in enumerate(self.grammar.features.T):
            sums[:, column] = np.bincount(owner, values[self.rules], len(self.scores))
        return np.hstack([sums, self.own])

    def all_words(self) -> list[tuple[str, ...]]:
        """The words of each output."""
        known = self.grammar.vocabulary.words
        size = len(known)
        flat = [known[w] if w < size else self.others[w - size] for w in self.words.tolist()]
        return [tuple(flat[a:b]) for a, b in pairwise(self.word_offsets.tolist())]

    def __len__(self) -> int:
        return len(self.sentences) - 1

    def __getitem__(self, sentence: int) -> list[Output]:
        start, stop = self.sentences[sentence], self.sentences[sentence + 1]
        return [self._output(int(i)) for i in range(start, stop)]

    def _output(self, i: int) -> Output:
        known = self.grammar.vocabulary.words
        ids = self.words[self.word_offsets[i] : self.word_offsets[i + 1]].tolist()
        rules = self.rules[self.rule_offsets[i] : self.rule_offsets[i + 1]]
        _, unknown, glue, copies, lm = self.own[i].tolist()
        return Output(
            tuple(known[w] if w < len(known) else self.others[w - len(known)] for w in ids),
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
    """The best outputs of sentences whose words are separated by spaces, for weights by feature name (the rules' and OWN).

    `labels` are those of each word when it is copied, such as its part of speech, in addition to X.

    >>> grammar = Grammar.parse(["[X] ||| big [X,1] ||| [X,1] of great size ||| p=1 ||| "])
    >>> [o.text for o in decode(grammar, None, {"p": 1}, ["big house"])[0]]
    ['house of great size']
    """
    limits = ChartLimits(span_limit, pop_limit, unary_limit)
    rows = [sentence.split() for sentence in sentences]
    if labels is not None and [len(row) for row in labels] != [len(row) for row in rows]:
        raise InputError("labels do not fit the sentences, expected one label for each word.")
    # A label that no rule has makes no difference.
    named = labels if labels is not None else [[""] * len(row) for row in rows]
    numbers = [grammar.label_ids.get(label, 0) for row in named for label in row]
    batch = ScfgBatch.of(grammar, rows, [[0, n] if n else [0] for n in numbers])
    return decode_batch(grammar, model, weights, batch, limits, nbest=nbest, unique=unique)


def decode_batch(
    grammar: Grammar,
    model: LanguageModel | None,
    weights: Mapping[str, float],
    batch: ScfgBatch,
    limits: ChartLimits,
    *,
    nbest: int = 1,
    unique: bool = True,
    threads: int = 1,
    rule_scores: Floats | None = None,
) -> NBest:
    """The best outputs of a batch; `rule_scores` are grammar.scores(weights) if they are already computed."""
    if not 1 <= nbest <= 10**9:
        raise OptionError(f"nbest {nbest}, expected 1 to {10**9}.")
    if not all(map(math.isfinite, weights.values())):
        raise OptionError("a weight is not a finite number.")
    if not len(grammar):
        warnings.warn(
            EmptyGrammarWarning("the grammar has no rules; sentences stay as they are."), stacklevel=3
        )
    known = _lm_words(grammar, model, batch.others)
    each = {name: float(weights.get(name, 0.0)) for name in OUTPUT_FEATURES}
    unknown = np.zeros(len(known)) if model is None else (known == 0).astype(float)
    word_scores = each["words"] + each["unknown"] * unknown
    scores = grammar.scores(weights) if rule_scores is None else rule_scores
    scores = scores + _of_targets(grammar, word_scores)

    def run(part: ScfgBatch) -> tuple[NDArray[np.generic], ...]:
        return kernels.decode_scfg(
            grammar.native,
            None if model is None else model.native,
            known,
            scores,
            part.words,
            part.offsets,
            word_scores[part.words] + each["copies"],
            part.copy_labels,
            part.label_offsets,
            each["lm"],
            each["glue"],
            limits.span_limit,
            limits.pop_limit,
            limits.unary_limit,
            nbest,
            unique,
        )

    edges = np.linspace(0, len(batch), min(threads, max(len(batch), 1)) + 1).astype(int).tolist()
    parts = [batch.part(a, b) for a, b in pairwise(edges)]
    _ = grammar.native  # created once, before the threads use it
    if len(parts) == 1:
        results = [run(parts[0])]
    else:
        with ThreadPoolExecutor(threads) as pool:
            results = list(pool.map(run, parts))
    return _joined(grammar, batch, unknown, results)


def _joined(
    grammar: Grammar, batch: ScfgBatch, unknown: Floats, results: list[tuple[NDArray[np.generic], ...]]
) -> NBest:
    """The kernels' results for parts of a batch, concatenated."""

    def flat(k: int) -> NDArray[np.generic]:
        return results[0][k] if len(results) == 1 else np.concatenate([f[k] for f in results])

    def ends(k: int) -> Ints:
        return offsets_of(np.concatenate([np.diff(f[k].astype(np.int64)) for f in results]))

    scores, lm, glue, copies, words, rules, places, spans = (flat(k) for k in (1, 2, 3, 4, 5, 7, 9, 10))
    word_offsets = ends(6)
    counts = np.diff(word_offsets)
    unknowns = np.bincount(np.repeat(np.arange(len(scores)), counts), unknown[words], len(scores))
    own = np.column_stack([counts, unknowns, glue, copies, lm]).astype(float)
    return NBest(
        grammar,
        batch.others,
        ends(0),
        scores.astype(np.float64),
        own,
        words.astype(np.int32),
        word_offsets,
        places.astype(np.int32),
        rules.astype(np.int32),
        ends(8),
        spans.astype(np.int32).reshape(-1, 4),
    )


def _lm_words(grammar: Grammar, model: LanguageModel | None, others: tuple[str, ...]) -> NDArray[np.uint32]:
    more = np.zeros(len(others), np.uint32) if model is None else model.ids(others)
    return np.concatenate([grammar.vocabulary.lm_words(model), more]).astype(np.uint32)


def _of_targets(grammar: Grammar, word_scores: Floats) -> Floats:
    """Sums over the words of each rule's target."""
    targets = grammar.words_of("targets")
    before = np.concatenate([[0.0], np.cumsum(word_scores[targets.ids])])
    sums: Floats = before[targets.offsets[1:]] - before[targets.offsets[:-1]]
    return sums
