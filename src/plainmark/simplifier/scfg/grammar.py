"""Synchronous grammars as arrays: words, labels and rules are numbers, and rules are looked up by their source.

A grammar of millions of rules stays in these arrays; the kernels search only the rules that fit an input.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike

import numpy as np
from numpy.typing import NDArray

from ... import kernels
from ...errors import InputError
from ...lm import LanguageModel
from ..arrays import Floats, Ints, Reals, Symbols, damaged, offsets_of, read_arrays, write_arrays
from ..rules.extraction import MULTIPLIER
from ..rules.ppdb import Nonterminal, Rule, parse_rule
from ..rules.table import Phrases

COPIED = "X"  # the label of every word that is left unchanged
_FORMAT = 1
_CONTENT = "a grammar"
_LARGEST = 1e30  # a feature
_ROWS = 200_000  # rules processed in one batch


@dataclass(frozen=True, eq=False)
class GrammarVocabulary:
    """The words of a grammar and of its parts."""

    words: tuple[str, ...]
    _lm: dict[LanguageModel, NDArray[np.uint32]] = field(default_factory=dict, repr=False)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each word."""
        return {w: i for i, w in enumerate(self.words)}

    def lm_words(self, model: LanguageModel | None) -> NDArray[np.uint32]:
        """The number of each word in a language model."""
        if model is None:
            return np.zeros(len(self.words), np.uint32)
        if model not in self._lm:
            self._lm[model] = model.ids(self.words)
        return self._lm[model]


@dataclass(frozen=True, eq=False)
class Grammar:
    """Immutable rules; in sources -1 - label is a nonterminal, in targets -1 - k the source's k-th one.

    >>> grammar = Grammar.parse(["[X] ||| big [X,1] ||| [X,1] of great size ||| p=1 ||| "])
    >>> len(grammar), grammar.text(0)
    (1, ('big [X,1]', '[X,1] of great size'))
    """

    vocabulary: GrammarVocabulary
    labels: tuple[str, ...]  # the first one is COPIED
    lhs: Symbols
    sources: Phrases
    targets: Phrases
    feature_names: tuple[str, ...]
    features: Reals  # shape (rules, names); missing features are 0
    origins: tuple[str, ...] = ("rules",)
    origin: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, np.uint8))
    tagged: Symbols = field(
        default_factory=lambda: np.zeros((0, 2), np.int32)
    )  # words and their labels, in addition to those of rules

    @classmethod
    def of(cls, rules: Iterable[Rule]) -> Grammar:
        """The grammar of rules."""
        builder = GrammarBuilder()
        builder.add(rules, "rules")
        return builder.grammar()

    @classmethod
    def parse(cls, lines: Iterable[str]) -> Grammar:
        """The grammar of lines in the format of PPDB; each of them must be a rule."""
        return cls.of(map(parse_rule, lines))

    def __len__(self) -> int:
        return len(self.lhs)

    @cached_property
    def native(self) -> kernels.Grammar:
        """The object that the kernels search."""
        try:
            return kernels.Grammar(
                self.lhs,
                self.sources.ids,
                self.sources.offsets,
                self.targets.ids,
                self.targets.offsets,
                len(self.vocabulary.words),
                len(self.labels) + 1,
            )
        except ValueError as problem:
            raise InputError(f"the grammar cannot be used: {problem}.") from None

    @property
    def no_label(self) -> int:
        """The number of a label that no rule has."""
        return len(self.labels)

    @cached_property
    def label_ids(self) -> dict[str, int]:
        """The number of each label."""
        return {label: i for i, label in enumerate(self.labels)}

    @cached_property
    def copied_as(self) -> tuple[Symbols, Ints]:
        """The labels of each word when it is copied, besides COPIED: the labels, and the index of each word's first one."""
        pairs = np.unique(np.concatenate([self.tagged, self.of_single_words()]), axis=0)
        counts = np.bincount(pairs[:, 0], minlength=len(self.vocabulary.words))
        return pairs[:, 1].astype(np.int32), offsets_of(counts)

    def of_single_words(self) -> Symbols:
        """Words and labels of the rules for single words, if some nonterminal has the label: shape (n, 2)."""
        symbols = self.sources.ids
        requested = np.zeros(len(self.labels), dtype=np.bool_)
        requested[-1 - symbols[symbols < 0]] = True
        requested[0] = False
        single = np.flatnonzero((self.sources.lengths == 1) & requested[self.lhs])
        word = symbols[self.sources.offsets[:-1][single]]
        return np.unique(np.stack([word, self.lhs[single]], axis=1)[word >= 0], axis=0)

    def scores(self, weights: Mapping[str, float]) -> Floats:
        """weights @ features of each rule; names that no rule has are ignored."""
        vector = np.array([weights.get(name, 0.0) for name in self.feature_names], dtype=float)
        out = np.zeros(len(self))
        for start in range(0, len(self), _ROWS):
            part = slice(start, start + _ROWS)
            out[part] = self.features[part].astype(np.float64) @ vector
        return out

    def subset(self, rows: Ints) -> Grammar:
        """These rules only, with the same vocabulary."""
        return replace(
            self,
            lhs=self.lhs[rows],
            sources=self.sources.take(rows),
            targets=self.targets.take(rows),
            features=self.features[rows],
            origin=self.origin[rows],
        )

    def distinct(self) -> Grammar:
        """The rules without those that equal an earlier one except for features."""
        keys = self.lhs.astype(np.uint64)
        for side in (self.sources, self.targets):
            lengths = side.lengths
            keys = (keys * MULTIPLIER) ^ lengths.astype(np.uint64)
            for k in range(int(lengths.max(initial=0))):
                rows = np.flatnonzero(lengths > k)
                symbols = side.ids[side.offsets[:-1][rows] + k].astype(np.int64).astype(np.uint64)
                mixed = (keys[rows] ^ symbols) * MULTIPLIER
                keys[rows] = mixed ^ (mixed >> np.uint64(29))
        return self.subset(np.sort(np.unique(keys, return_index=True)[1]))

    def tidied(self) -> Grammar:
        """The same rules, without unused words."""
        sides = (s.ids[s.ids >= 0] for s in (self.sources, self.targets))
        used = np.unique(np.concatenate([*sides, self.tagged[:, 0]]))
        words = GrammarVocabulary(tuple(self.vocabulary.words[w] for w in used))

        def renumbered(side: Phrases) -> Phrases:
            ids = np.where(side.ids >= 0, np.searchsorted(used, side.ids), side.ids)
            return Phrases(ids.astype(np.int32), side.offsets)

        return replace(
            self,
            vocabulary=words,
            sources=renumbered(self.sources),
            targets=renumbered(self.targets),
            tagged=np.stack([np.searchsorted(used, self.tagged[:, 0]), self.tagged[:, 1]], axis=1).astype(
                np.int32
            ),
        )

    def fitting(self, words: Iterable[str]) -> Grammar:
        """The rules whose source has only these words."""
        known = np.zeros(len(self.vocabulary.words), dtype=np.bool_)
        numbers = self.vocabulary.numbers
        known[[numbers[w] for w in set(words) if w in numbers]] = True
        if not len(self):
            return self
        symbols = self.sources.ids
        good = symbols < 0
        good[~good] = known[symbols[~good]]
        return self.subset(np.flatnonzero(np.logical_and.reduceat(good, self.sources.offsets[:-1])))

    def words_of(self, side: str) -> Phrases:
        """The words of the sources or targets, without nonterminals."""
        phrases: Phrases = getattr(self, side)
        before = np.concatenate([[0], np.cumsum(phrases.ids >= 0)]).astype(np.int64)
        return Phrases(phrases.ids[phrases.ids >= 0], before[phrases.offsets])

    def with_features(self, names: Sequence[str], features: Reals) -> Grammar:
        """The same rules with other features."""
        return replace(self, feature_names=tuple(names), features=np.asarray(features, np.float32))

    def text(self, rule: int) -> tuple[str, str]:
        """Source and target of a rule as text."""
        words = self.vocabulary.words
        f, e = (p.ids[p.offsets[rule] : p.offsets[rule + 1]].tolist() for p in (self.sources, self.targets))
        gaps = [self.labels[-1 - s] for s in f if s < 0]
        numbers = iter(range(1, len(gaps) + 1))
        source = (words[s] if s >= 0 else f"[{self.labels[-1 - s]},{next(numbers)}]" for s in f)
        target = (words[s] if s >= 0 else f"[{gaps[-1 - s]},{-s}]" for s in e)
        return " ".join(source), " ".join(target)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the grammar as a compressed archive of arrays; features keep three digits."""
        arrays = {
            "format": np.array([_FORMAT]),
            "words": _packed(self.vocabulary.words),
            "labels": _packed(self.labels),
            "lhs": self.lhs,
            "sources": self.sources.ids,
            "source_lengths": self.sources.lengths.astype(np.uint16),
            "targets": self.targets.ids,
            "target_lengths": self.targets.lengths.astype(np.uint16),
            "names": _packed(self.feature_names),
            "features": self.features.astype(np.float16),
            "origins": _packed(self.origins),
            "origin": self.origin,
            "tagged": self.tagged,
        }
        write_arrays(path, arrays)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Grammar:
        """Read a grammar that `save` wrote."""
        arrays = read_arrays(path, _CONTENT)
        try:
            if arrays["format"].tolist() != [_FORMAT]:
                raise ValueError("another format")
            grammar = cls(
                GrammarVocabulary(_unpacked(arrays["words"])),
                _unpacked(arrays["labels"]),
                arrays["lhs"].astype(np.int32),
                Phrases(arrays["sources"].astype(np.int32), offsets_of(arrays["source_lengths"])),
                Phrases(arrays["targets"].astype(np.int32), offsets_of(arrays["target_lengths"])),
                _unpacked(arrays["names"]),
                arrays["features"].astype(np.float32),
                _unpacked(arrays["origins"]),
                arrays["origin"].astype(np.uint8),
                arrays["tagged"].astype(np.int32),
            )
            grammar._check()
        except (ValueError, KeyError, IndexError):
            raise damaged(path, _CONTENT) from None
        return grammar

    def _check(self) -> None:
        rules = len(self)
        fit = len(self.sources) == len(self.targets) == len(self.origin) == rules
        fit &= self.features.shape == (rules, len(self.feature_names))
        fit &= bool(np.isfinite(self.features).all()) and self.labels[:1] == (COPIED,)
        fit &= bool((self.origin < max(len(self.origins), 1)).all())
        if not fit:
            raise ValueError("arrays of different sizes")
        for side in (self.sources, self.targets):
            if len(side.ids) != side.offsets[-1]:
                raise ValueError("lengths that do not fit the symbols")
        words, labels = len(self.vocabulary.words), len(self.labels)
        if self.tagged.shape[1:] != (2,) or (self.tagged < 0).any() or (self.tagged >= (words, labels)).any():
            raise ValueError("words that are nothing")
        if (self.sources.lengths == 0).any() or (self.sources.ids < -labels).any():
            raise ValueError("sources that are none")
        if any((side.ids >= words).any() for side in (self.sources, self.targets)):
            raise ValueError("words that do not exist")
        if ((self.lhs < 0) | (self.lhs >= labels)).any():
            raise ValueError("labels that do not exist")


class GrammarBuilder:
    """Collects rules in flat arrays as they are read, and builds a grammar of them."""

    def __init__(self) -> None:
        self._words: dict[str, int] = {}
        self._labels: dict[str, int] = {COPIED: 0}
        self._names: dict[str, int] = {}
        self._origins: dict[str, int] = {}
        self._lhs, self._origin = array("i"), array("B")
        self._sides = (array("i"), array("i"))
        self._lengths = (array("i"), array("i"))
        self._columns, self._values, self._many = array("i"), array("f"), array("i")

    def add(self, rules: Iterable[Rule], origin: str) -> int:
        """Add rules of one origin and return their number."""
        number = min(self._origins.setdefault(origin, len(self._origins)), 255)
        before = len(self._lhs)
        for rule in rules:
            places = {symbol: -1 - k for k, symbol in enumerate(rule.nonterminals)}
            for symbol in rule.source:
                self._sides[0].append(
                    -1 - self._labels.setdefault(symbol.label, len(self._labels))
                    if isinstance(symbol, Nonterminal)
                    else self._words.setdefault(symbol, len(self._words))
                )
            for symbol in rule.target:
                self._sides[1].append(
                    places[symbol]
                    if isinstance(symbol, Nonterminal)
                    else self._words.setdefault(symbol, len(self._words))
                )
            self._lengths[0].append(len(rule.source))
            self._lengths[1].append(len(rule.target))
            self._lhs.append(self._labels.setdefault(rule.lhs, len(self._labels)))
            self._origin.append(number)
            for name, value in rule.features.items():
                self._columns.append(self._names.setdefault(name, len(self._names)))
                self._values.append(min(max(value, -_LARGEST), _LARGEST))
            self._many.append(len(rule.features))
        return len(self._lhs) - before

    def grammar(self) -> Grammar:
        """All rules that were added."""
        names = sorted(self._names)
        place = np.empty(len(names), np.int64)
        place[[self._names[n] for n in names]] = np.arange(len(names))
        features = np.zeros((len(self._lhs), len(names)), np.float32)
        rows = np.repeat(np.arange(len(self._lhs)), np.array(self._many, np.int64))
        features[rows, place[np.array(self._columns, np.int64)]] = np.array(self._values, np.float32)
        sources, targets = (
            Phrases(np.array(ids, np.int32), offsets_of(np.array(lengths, np.int64)))
            for ids, lengths in zip(self._sides, self._lengths, strict=True)
        )
        return Grammar(
            GrammarVocabulary(tuple(self._words)),
            tuple(self._labels),
            np.array(self._lhs, np.int32),
            sources,
            targets,
            tuple(names),
            features,
            tuple(self._origins)[:256],
            np.array(self._origin, np.uint8),
        )


def _packed(texts: Sequence[str]) -> NDArray[np.uint8]:
    return np.frombuffer("".join(t + "\n" for t in texts).encode("utf-8", "surrogatepass"), np.uint8)


def _unpacked(data: NDArray[np.generic]) -> tuple[str, ...]:
    return tuple(data.astype(np.uint8).tobytes().decode("utf-8", "surrogatepass").split("\n")[:-1])
