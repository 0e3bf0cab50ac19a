"""Rewrite rules in flat arrays: a source phrase, a target phrase, named features, where they come from.

Rules are sorted by the hash of their source phrase, so that all rules for all phrases of a batch of sentences are found
by one binary search.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import kernels
from ..errors import InputError
from ..kernels import Ints
from ..writing import write_bytes_atomically
from .extraction import MULTIPLIER, Extracted, Phrase, span_hashes
from .language_model import LanguageModel

Reals = NDArray[np.float32]
Hashes = NDArray[np.uint64]

LONGEST = 7  # words of a source phrase
_FORMAT = 1


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
    """In which sentences rules were seen: rule r in sentences[k], counts[k] times, for k in offsets[r]..offsets[r + 1]."""

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
class Found:
    """Where rules fit: sentence, first word, number of words, rule."""

    sentences: Ints
    starts: Ints
    sizes: Ints
    rules: Ints


@dataclass(frozen=True, eq=False)
class RuleTable:
    """Rules that do not change. `counts[r, s]` is how often rule r was seen in set s, `of[r, s]` how often its source was."""

    words: tuple[str, ...]
    sources: Phrases
    targets: Phrases
    names: tuple[str, ...]
    features: Reals
    origins: tuple[str, ...]  # names of the bits of `origin`
    origin: NDArray[np.uint16]
    sets: tuple[str, ...]
    counts: Reals
    of: Reals
    evidence: Evidence
    keys: Hashes = field(repr=False)

    def __len__(self) -> int:
        return len(self.sources)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each word."""
        return {w: i for i, w in enumerate(self.words)}

    def lm_words(self, model: LanguageModel) -> NDArray[np.uint32]:
        """What each word is to a language model."""
        if model not in self._lm_words:
            self._lm_words[model] = model.ids(self.words)
        return self._lm_words[model]

    @cached_property
    def _lm_words(self) -> dict[LanguageModel, NDArray[np.uint32]]:
        return {}

    @property
    def counting_bits(self) -> int:
        """The bits of `origin` for sets that sentences were counted in."""
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
    def _changes(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        return _dropped_and_new(self.sources, self.targets)

    @property
    def dropped(self) -> NDArray[np.uint8]:
        """Which source words the target lacks, as bits from the first word on."""
        return self._changes[0]

    @property
    def new_counts(self) -> NDArray[np.uint8]:
        """How many words of the target the source lacks."""
        return self._changes[1]

    @cached_property
    def dropped_counts(self) -> NDArray[np.uint8]:
        """How many source words the target lacks."""
        return ones(self.dropped)

    def find(self, tokens: kernels.Tokens) -> Found:
        """All rules whose source is somewhere in the sentences."""
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
        return Found(*(j[order] for j in joined))

    def text(self, rule: int) -> tuple[str, str]:
        """Source and target of a rule as people read them."""
        sides = (self.sources, self.targets)
        f, e = (" ".join(self.words[w] for w in p.ids[p.offsets[rule] : p.offsets[rule + 1]]) for p in sides)
        return f, e

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
            of=self.of[rows],
            evidence=evidence,
            keys=self.keys[rows],
        )

    def without_evidence(self) -> RuleTable:
        """The same rules for use on new text only: they no longer know the sentences they come from."""
        return replace(self, evidence=Evidence.none(len(self)))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the table as a compressed archive of arrays."""
        text = "\n".join(self.words).encode("utf-8", "surrogatepass")
        buffer = io.BytesIO()
        np.savez_compressed(
            buffer,
            format=np.array([_FORMAT]),
            words=np.frombuffer(text, np.uint8),
            source_ids=self.sources.ids,
            source_lengths=self.sources.lengths.astype(np.uint8),
            target_ids=self.targets.ids,
            target_lengths=self.targets.lengths.astype(np.uint8),
            names=np.array(self.names, dtype="U"),
            features=self.features.astype(np.float16),
            origins=np.array(self.origins, dtype="U"),
            origin=self.origin,
            sets=np.array(self.sets, dtype="U"),
            counts=self.counts,
            of=self.of,
            evidence_lengths=np.diff(self.evidence.offsets).astype(np.uint16),
            evidence_sentences=self.evidence.sentences,
            evidence_sets=self.evidence.sets,
            evidence_counts=self.evidence.counts,
        )
        write_bytes_atomically(path, buffer.getvalue())

    @classmethod
    def load(cls, path: str | PathLike[str]) -> RuleTable:
        """Read a table that `save` wrote."""
        try:
            data = Path(path).read_bytes()
        except OSError as problem:
            raise InputError(f"{path}: cannot read the rules ({problem.strerror}).") from None
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as held:
                arrays = {name: held[name] for name in held.files}
            if int(arrays["format"][0]) != _FORMAT:
                raise InputError(f"{path}: rules of another version of plainmark; make them anew.")
            return cls._from_arrays(arrays)
        except (KeyError, ValueError, IndexError, OSError, EOFError, zipfile.BadZipFile):
            raise InputError(f"{path}: not a table of rules (or a damaged one); make it anew.") from None

    @classmethod
    def _from_arrays(cls, arrays: dict[str, NDArray[np.generic]]) -> RuleTable:
        text = arrays["words"].tobytes().decode("utf-8", "surrogatepass")
        words = tuple(text.split("\n"))
        sources = Phrases(arrays["source_ids"].astype(np.int32), _offsets(arrays["source_lengths"]))
        targets = Phrases(arrays["target_ids"].astype(np.int32), _offsets(arrays["target_lengths"]))
        rules = len(sources)
        features = arrays["features"].astype(np.float32)
        counts, of = arrays["counts"].astype(np.float32), arrays["of"].astype(np.float32)
        evidence = Evidence(
            _offsets(arrays["evidence_lengths"]),
            arrays["evidence_sentences"].astype(np.uint64),
            arrays["evidence_sets"].astype(np.uint8),
            arrays["evidence_counts"].astype(np.float32),
        )
        ids = np.concatenate([sources.ids, targets.ids, [0]])
        sizes = (
            len(targets) == rules
            and sources.offsets[-1] == len(sources.ids)
            and targets.offsets[-1] == len(targets.ids)
            and len(features) == len(counts) == len(of) == len(arrays["origin"]) == rules
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
            of,
            evidence,
            phrase_hashes(words, sources),
        )
        if np.any(table.keys[1:] < table.keys[:-1]):
            raise ValueError("rules are not in order")
        return table


def _dropped_and_new(f: Phrases, e: Phrases) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Which source words the target lacks, as bits from the first word on, and how many target words are new."""
    nf, ne = f.lengths, e.lengths
    dropped = np.zeros(len(f), np.uint8)
    kept_in_target = np.zeros(len(e.ids), dtype=np.bool_)
    for k in range(int(nf.max(initial=0))):
        rows = np.flatnonzero(nf > k)
        word = f.ids[f.offsets[:-1][rows] + k]
        found = np.zeros(len(rows), dtype=np.bool_)
        for j in range(int(ne[rows].max(initial=0))):
            has = np.flatnonzero(ne[rows] > j)
            at = e.offsets[:-1][rows[has]] + j
            same = e.ids[at] == word[has]
            found[has] |= same
            kept_in_target[at] |= same
        dropped[rows] |= np.where(found, 0, 1 << k).astype(np.uint8)
    before = np.concatenate([[0], np.cumsum(~kept_in_target)])
    new = before[e.offsets[1:]] - before[e.offsets[:-1]]
    return dropped, np.minimum(new, 255).astype(np.uint8)


def ones(bits: NDArray[np.unsignedinteger[Any]]) -> NDArray[np.uint8]:
    """How many bits are set in each number."""
    result: NDArray[np.uint8] = np.unpackbits(bits[:, None].view(np.uint8), axis=1).sum(
        axis=1, dtype=np.uint8
    )
    return result


def _offsets(lengths: NDArray[np.generic]) -> Ints:
    return np.concatenate([[0], np.cumsum(lengths.astype(np.int64))]).astype(np.int64)


def phrase_hashes(words: Sequence[str], phrases: Phrases) -> Hashes:
    """The hash of each phrase, as `span_hashes` has it."""
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


def phrase_keys(phrases: Sequence[Phrase]) -> Hashes:
    """The hashes of phrases that are given as words."""
    words = sorted({w for p in phrases for w in p})
    return phrase_hashes(words, _phrases(phrases, {w: i for i, w in enumerate(words)}))


@dataclass(frozen=True, eq=False)
class RuleSource:
    """Rules of one origin, before they are put into a table; `names` and `features` are what the origin itself says."""

    origin: str
    pairs: Sequence[tuple[Phrase, Phrase]]
    names: tuple[str, ...] = ()
    features: Reals | None = None
    extracted: Extracted | None = None  # of the same pairs, in the same order


def build_table(sources: Sequence[RuleSource]) -> RuleTable:
    """One table of all rules; a rule of several origins is there once and keeps what each says of it."""
    rows: dict[tuple[Phrase, Phrase], int] = {}
    for source in sources:
        for f, e in source.pairs:
            if f != e and 0 < len(f) <= LONGEST and len(e) <= 255:
                rows.setdefault((f, e), len(rows))
    rules = list(rows)
    words = tuple(sorted({w for f, e in rules for w in (*f, *e)}))
    number = {w: i for i, w in enumerate(words)}
    f_side = _phrases([f for f, _ in rules], number)
    e_side = _phrases([e for _, e in rules], number)
    keys = phrase_hashes(words, f_side)
    by_text = sorted(range(len(rules)), key=rules.__getitem__)
    rank = np.empty(len(rules), np.int64)
    rank[by_text] = np.arange(len(rules))
    order = np.lexsort((rank, keys)).astype(np.int64)
    place = np.empty(len(rules), np.int64)
    place[order] = np.arange(len(rules))

    names = tuple(dict.fromkeys(n for s in sources for n in s.names))
    features = np.zeros((len(rules), len(names)), np.float32)
    origins = tuple(dict.fromkeys(s.origin for s in sources))
    origin = np.zeros(len(rules), np.uint16)
    sets = tuple(dict.fromkeys(s.origin for s in sources if s.extracted is not None))
    counts = np.zeros((len(rules), len(sets)), np.float32)
    of = np.zeros((len(rules), len(sets)), np.float32)
    seen: list[tuple[Ints, Hashes, int, Reals]] = []
    for source in sources:
        kept = [k for k, pair in enumerate(source.pairs) if pair in rows]
        at = place[[rows[source.pairs[k]] for k in kept]] if kept else np.zeros(0, np.int64)
        origin[at] |= np.uint16(1 << origins.index(source.origin))
        if source.features is not None:
            columns = np.array([names.index(n) for n in source.names])
            features[np.ix_(at, columns)] = source.features[kept]
        if source.extracted is not None:
            column = sets.index(source.origin)
            counts[at, column] += source.extracted.totals[kept]
            # For all rules, seen in the set or not: that a phrase was met and not rewritten so is evidence too.
            of[:, column] += _look_up(source.extracted.spans, keys[order])
            lengths = np.diff(source.extracted.offsets)[kept]
            inner = _offsets(lengths)
            k = np.arange(inner[-1]) + np.repeat(source.extracted.offsets[:-1][kept] - inner[:-1], lengths)
            seen.append(
                (np.repeat(at, lengths), source.extracted.sentences[k], column, source.extracted.counts[k])
            )
    return RuleTable(
        words,
        f_side.take(order),
        e_side.take(order),
        names,
        features,
        origins,
        origin,
        sets,
        counts,
        of,
        _evidence(seen, len(rules)),
        keys[order],
    )


def _look_up(spans: tuple[Hashes, Reals], keys: Hashes) -> Reals:
    known, many = spans
    if not len(known):
        return np.zeros(len(keys), np.float32)
    at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return np.where(known[at] == keys, many[at], 0).astype(np.float32)


def _phrases(phrases: Sequence[Phrase], number: dict[str, int]) -> Phrases:
    ids = np.array([number[w] for p in phrases for w in p], dtype=np.int32)
    return Phrases(ids, _offsets(np.array([len(p) for p in phrases], dtype=np.int64)))


def _evidence(seen: list[tuple[Ints, Hashes, int, Reals]], rules: int) -> Evidence:
    if not seen:
        return Evidence.none(rules)
    rule = np.concatenate([s[0] for s in seen])
    sets = np.concatenate([np.full(len(s[0]), s[2], np.uint8) for s in seen])
    order = np.argsort(rule, kind="stable")
    return Evidence(
        _offsets(np.bincount(rule, minlength=rules)),
        np.concatenate([s[1] for s in seen])[order],
        sets[order],
        np.concatenate([s[3] for s in seen])[order],
    )
