"""Rewrite rules in flat arrays: a source phrase, a target phrase, named features, and origins.

Rules are sorted by the hash of their source phrase, so that all rules for all phrases of a batch of sentences are found
by one binary search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import kernels
from ...errors import InputError
from ...lm import LanguageModel
from ..arrays import Hashes, Ints, Reals, damaged, offsets_of, read_arrays, write_arrays
from .extraction import MULTIPLIER, span_hashes

LONGEST = 7  # longest source phrase in words
_FORMAT = 1
_CONTENT = "a table of rules"


@dataclass(frozen=True, eq=False)
class Phrases:
    """Word numbers of many phrases: phrase i is ids[offsets[i]:offsets[i + 1]]."""

    ids: NDArray[np.int32]
    offsets: Ints

    @property
    def lengths(self) -> Ints:
        return np.diff(self.offsets)

    def take(self, rows: Ints) -> Phrases:
        """The phrases at these rows."""
        lengths = self.lengths[rows]
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        places = np.arange(offsets[-1]) + np.repeat(self.offsets[:-1][rows] - offsets[:-1], lengths)
        return Phrases(self.ids[places], offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1


@dataclass(frozen=True, eq=False)
class Evidence:
    """The sentences in which rules were seen: rule r in sentences[k], counts[k] times, for k in offsets[r]..offsets[r + 1]."""

    offsets: Ints
    sentences: Hashes
    sets: NDArray[np.uint8]
    counts: Reals

    @classmethod
    def none(cls, rules: int) -> Evidence:
        return cls(
            np.zeros(rules + 1, np.int64),
            np.zeros(0, np.uint64),
            np.zeros(0, np.uint8),
            np.zeros(0, np.float32),
        )


@dataclass(frozen=True, eq=False)
class RuleMatches:
    """The places where rules apply: sentence, first word, number of words, rule."""

    sentences: Ints
    starts: Ints
    sizes: Ints
    rules: Ints


@dataclass(frozen=True, eq=False)
class RuleTable:
    """Immutable rules. `counts[r, s]` is how often rule r was seen in set s, `source_counts[r, s]` how often its source
    was.
    """

    words: tuple[str, ...]
    sources: Phrases
    targets: Phrases
    names: tuple[str, ...]
    features: Reals
    origins: tuple[str, ...]  # names of the bits of `origin`
    origin: NDArray[np.uint16]
    sets: tuple[str, ...]
    counts: Reals
    source_counts: Reals
    evidence: Evidence
    keys: Hashes = field(repr=False)

    def __len__(self) -> int:
        return len(self.sources)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The index of each word."""
        return {w: i for i, w in enumerate(self.words)}

    def lm_words(self, model: LanguageModel) -> NDArray[np.uint32]:
        """The index of each word in a language model."""
        if model not in self._lm_words:
            self._lm_words[model] = model.ids(self.words)
        return self._lm_words[model]

    @cached_property
    def _lm_words(self) -> dict[LanguageModel, NDArray[np.uint32]]:
        return {}

    @property
    def counting_bits(self) -> int:
        """The bits of `origin` of sets in which sentences were counted."""
        return sum(1 << k for k, name in enumerate(self.origins) if name in self.sets)

    def has(self, sentences: Hashes) -> NDArray[np.bool_]:
        """Which sets have each sentence: shape (sentences, sets)."""
        own = [self.evidence.sentences[self.evidence.sets == s] for s in range(len(self.sets))]
        return (
            np.stack([np.isin(sentences, o) for o in own], axis=1)
            if own
            else np.zeros((len(sentences), 0), bool)
        )

    @cached_property
    def _changes(self) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        return _dropped_and_new(self.sources, self.targets)

    @property
    def dropped(self) -> NDArray[np.uint8]:
        """The source words that the target lacks, as bits from the first word on."""
        return self._changes[0]

    @property
    def is_dropped(self) -> NDArray[np.bool_]:
        """For each of the sources' words, whether the target lacks it."""
        lengths = self.sources.lengths
        place = np.arange(len(self.sources.ids)) - np.repeat(self.sources.offsets[:-1], lengths)
        return (np.repeat(self.dropped.astype(np.int64), lengths) >> np.minimum(place, 8) & 1) > 0

    @property
    def is_new(self) -> NDArray[np.bool_]:
        """For each of the targets' words, whether the source lacks it."""
        return self._changes[1]

    @cached_property
    def new_counts(self) -> NDArray[np.uint8]:
        """The number of target words that the source lacks."""
        before = np.concatenate([[0], np.cumsum(self.is_new)])
        new = before[self.targets.offsets[1:]] - before[self.targets.offsets[:-1]]
        counts: NDArray[np.uint8] = np.minimum(new, 255).astype(np.uint8)
        return counts

    @cached_property
    def dropped_counts(self) -> NDArray[np.uint8]:
        """The number of source words that the target lacks."""
        return ones(self.dropped)

    def find(self, tokens: kernels.Tokens) -> RuleMatches:
        """All rules whose source occurs in the sentences."""
        parts: list[tuple[Ints, Ints, Ints, Ints]] = []
        sentence = np.repeat(np.arange(len(tokens)), tokens.lengths)
        room = tokens.offsets[1:][sentence] - np.arange(len(sentence))
        for size, keys in span_hashes(tokens.hashes, LONGEST):
            places = np.flatnonzero(room[: len(keys)] >= size)
            low = np.searchsorted(self.keys, keys[places], "left")
            many = np.searchsorted(self.keys, keys[places], "right") - low
            hit = np.repeat(np.arange(len(places)), many)
            within = np.arange(len(hit)) - np.repeat(np.cumsum(many) - many, many)
            at = places[hit]
            start = at - tokens.offsets[:-1][sentence[at]]
            parts.append((sentence[at], start, np.full(len(hit), size, np.int64), low[hit] + within))
        none = np.zeros(0, np.int64)
        joined = [np.concatenate([none, *(p[k] for p in parts)]) for k in range(4)]
        order = np.lexsort((joined[3], joined[2], joined[1], joined[0]))
        return RuleMatches(*(j[order] for j in joined))

    def text(self, rule: int) -> tuple[str, str]:
        """Source and target of a rule as text."""
        sides = (self.sources, self.targets)
        f, e = (" ".join(self.words[w] for w in p.ids[p.offsets[rule] : p.offsets[rule + 1]]) for p in sides)
        return f, e

    def origins_of(self, rule: int) -> tuple[str, ...]:
        """The names of a rule's origins."""
        return tuple(name for bit, name in enumerate(self.origins) if self.origin[rule] >> bit & 1)

    def with_features(self, names: Sequence[str], features: Reals) -> RuleTable:
        """The same rules with other features."""
        return replace(self, names=tuple(names), features=np.asarray(features, np.float32))

    def subset(self, rows: Ints) -> RuleTable:
        """These rules only; rows must ascend."""
        lengths = np.diff(self.evidence.offsets)[rows]
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        at = np.arange(offsets[-1]) + np.repeat(self.evidence.offsets[:-1][rows] - offsets[:-1], lengths)
        evidence = Evidence(
            offsets, self.evidence.sentences[at], self.evidence.sets[at], self.evidence.counts[at]
        )
        sources, targets = self.sources.take(rows), self.targets.take(rows)
        used = np.unique(np.concatenate([sources.ids, targets.ids]))
        return replace(
            self,
            words=tuple(self.words[w] for w in used),
            sources=Phrases(np.searchsorted(used, sources.ids).astype(np.int32), sources.offsets),
            targets=Phrases(np.searchsorted(used, targets.ids).astype(np.int32), targets.offsets),
            features=self.features[rows],
            origin=self.origin[rows],
            counts=self.counts[rows],
            source_counts=self.source_counts[rows],
            evidence=evidence,
            keys=self.keys[rows],
        )

    def without_evidence(self) -> RuleTable:
        """The same rules for use on new text only, without the sentences they come from."""
        return replace(self, evidence=Evidence.none(len(self)))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the table as a compressed archive of arrays."""
        text = "\n".join(self.words).encode("utf-8", "surrogatepass")
        arrays = {
            "format": np.array([_FORMAT]),
            "words": np.frombuffer(text, np.uint8),
            "source_ids": self.sources.ids,
            "source_lengths": self.sources.lengths.astype(np.uint8),
            "target_ids": self.targets.ids,
            "target_lengths": self.targets.lengths.astype(np.uint8),
            "names": np.array(self.names, dtype="U"),
            "features": self.features.astype(np.float16),
            "origins": np.array(self.origins, dtype="U"),
            "origin": self.origin,
            "sets": np.array(self.sets, dtype="U"),
            "counts": self.counts,
            "of": self.source_counts,
            "evidence_lengths": np.diff(self.evidence.offsets).astype(np.uint16),
            "evidence_sentences": self.evidence.sentences,
            "evidence_sets": self.evidence.sets,
            "evidence_counts": self.evidence.counts,
        }
        write_arrays(path, arrays)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> RuleTable:
        """Read a table that `save` wrote."""
        arrays = read_arrays(path, _CONTENT)
        try:
            if int(arrays["format"][0]) != _FORMAT:
                raise InputError(f"{path}: rules of another version of plainmark; rebuild them.")
            return cls._from_arrays(arrays)
        except (KeyError, ValueError, IndexError):
            raise damaged(path, _CONTENT) from None

    @classmethod
    def _from_arrays(cls, arrays: dict[str, NDArray[np.generic]]) -> RuleTable:
        text = arrays["words"].tobytes().decode("utf-8", "surrogatepass")
        words = tuple(text.split("\n"))
        sources = Phrases(arrays["source_ids"].astype(np.int32), offsets_of(arrays["source_lengths"]))
        targets = Phrases(arrays["target_ids"].astype(np.int32), offsets_of(arrays["target_lengths"]))
        rules = len(sources)
        features = arrays["features"].astype(np.float32)
        counts, source_counts = arrays["counts"].astype(np.float32), arrays["of"].astype(np.float32)
        evidence = Evidence(
            offsets_of(arrays["evidence_lengths"]),
            arrays["evidence_sentences"].astype(np.uint64),
            arrays["evidence_sets"].astype(np.uint8),
            arrays["evidence_counts"].astype(np.float32),
        )
        ids = np.concatenate([sources.ids, targets.ids, [0]])
        sizes = (
            len(targets) == rules
            and sources.offsets[-1] == len(sources.ids)
            and targets.offsets[-1] == len(targets.ids)
            and len(features) == len(counts) == len(source_counts) == len(arrays["origin"]) == rules
            and len(evidence.offsets) == rules + 1
            and evidence.offsets[-1] == len(evidence.sentences) == len(evidence.sets) == len(evidence.counts)
            and 0 <= ids.min() <= ids.max() < len(words)
        )
        if not sizes:
            raise ValueError("arrays do not fit together")
        table = cls(
            words,
            sources,
            targets,
            tuple(map(str, arrays["names"])),
            features,
            tuple(map(str, arrays["origins"])),
            arrays["origin"].astype(np.uint16),
            tuple(map(str, arrays["sets"])),
            counts,
            source_counts,
            evidence,
            phrase_hashes(words, sources),
        )
        if np.any(table.keys[1:] < table.keys[:-1]):
            raise ValueError("rules are not in order")
        return table


def _dropped_and_new(f: Phrases, e: Phrases) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """The source words that the target lacks, as bits from the first word on, and which target words are new."""
    nf, ne = f.lengths, e.lengths
    dropped = np.zeros(len(f), np.uint8)
    kept_in_target = np.zeros(len(e.ids), dtype=np.bool_)
    for k in range(int(nf.max(initial=0))):
        rows = np.flatnonzero(nf > k)
        word = f.ids[f.offsets[:-1][rows] + k]
        is_kept = np.zeros(len(rows), dtype=np.bool_)
        for j in range(int(ne[rows].max(initial=0))):
            has = np.flatnonzero(ne[rows] > j)
            at = e.offsets[:-1][rows[has]] + j
            same = e.ids[at] == word[has]
            is_kept[has] |= same
            kept_in_target[at] |= same
        dropped[rows] |= np.where(is_kept, 0, 1 << k).astype(np.uint8)
    return dropped, ~kept_in_target


def ones(bits: NDArray[np.unsignedinteger[Any]]) -> NDArray[np.uint8]:
    """The number of set bits in each number."""
    result: NDArray[np.uint8] = np.unpackbits(bits[:, None].view(np.uint8), axis=1).sum(
        axis=1, dtype=np.uint8
    )
    return result


def phrase_hashes(words: Sequence[str], phrases: Phrases) -> Hashes:
    """The hash of each phrase, computed like `span_hashes`."""
    if not words:
        return np.zeros(len(phrases), np.uint64)
    of_word = kernels.tokenize(words, "space")
    if np.any(of_word.lengths != 1):
        raise ValueError("words with spaces")
    keys = np.zeros(len(phrases), np.uint64)
    lengths = phrases.lengths
    for k in range(int(lengths.max(initial=0))):
        rows = np.flatnonzero(lengths > k)
        keys[rows] = keys[rows] * MULTIPLIER + of_word.hashes[phrases.ids[phrases.offsets[:-1][rows] + k]]
    return keys ^ (keys >> np.uint64(31))
