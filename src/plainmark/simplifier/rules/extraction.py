"""Extracts phrase pairs from parallel text: the words between those that two sentences share.

The anchors between a source and its simplification are their longest common subsequence; where the texts differ, the words
between two anchors form a rule (or a deletion, if nothing replaces them). Every rule stores the sentences it comes from,
with counts, so that a sentence that is rewritten or used for tuning can be excluded from its own evidence (cross-fitting).
Parallel text is read from JSON lines.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ... import kernels
from ...errors import InputError
from ...files import open_text
from ...kernels import Ints
from ..surface import split, split_at_spaces

MAX_WORDS = 5
MAX_DELETED = 7

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)

Phrase = tuple[str, ...]

# Targets of rules that are only counts: a word is dropped, or the first or second of two.
DROPPED: Phrase = ("<dropped>",)
DROPPED_FIRST: Phrase = ("<dropped>", "<>")
DROPPED_SECOND: Phrase = ("<>", "<dropped>")


@dataclass(frozen=True)
class ExtractedRules:
    """Rules of one set of pairs. Rule r was seen in sentences[k] by a share counts[k] of its references, for k in
    offsets[r]..offsets[r + 1]; shares of several places in a sentence are added.
    """

    sources: list[Phrase]
    targets: list[Phrase]
    offsets: Ints
    sentences: NDArray[np.uint64]
    counts: NDArray[np.float32]
    spans: tuple[
        NDArray[np.uint64], NDArray[np.float32]
    ]  # every phrase of the sources by its hash, and its number of occurrences

    @property
    def totals(self) -> NDArray[np.float32]:
        """The number of times each rule was seen."""
        return np.add.reduceat(self.counts, self.offsets[:-1]) if len(self.sources) else self.counts

    def __len__(self) -> int:
        return len(self.sources)


def sentence_hashes(sentences: Sequence[Sequence[str]]) -> NDArray[np.uint64]:
    """A number for each sentence, equal for equal words."""
    tokens = kernels.tokenize([" ".join(s) for s in sentences], "space")
    place = np.arange(len(tokens.hashes), dtype=np.uint64) - np.repeat(
        tokens.offsets[:-1].astype(np.uint64), tokens.lengths
    )
    mixed = tokens.hashes * (np.uint64(2) * place + np.uint64(1)) ^ (tokens.hashes >> np.uint64(29))
    before = np.concatenate([np.zeros(1, np.uint64), np.cumsum(mixed, dtype=np.uint64)])
    result: NDArray[np.uint64] = before[tokens.offsets[1:]] - before[tokens.offsets[:-1]]
    return result


def extract(
    sources: Sequence[Sequence[str]], references: Sequence[Sequence[Sequence[str]]]
) -> ExtractedRules:
    """Rules from sentences and the simplifications of each."""
    flat = [" ".join(r) for of_one in references for r in of_one]
    left = np.repeat(np.arange(len(sources)), [len(r) for r in references]).astype(np.int64)
    a = kernels.tokenize([" ".join(s) for s in sources], "space")
    b = kernels.tokenize(flat, "space")
    partners = kernels.lcs_match(a, b, left, np.arange(len(flat), dtype=np.int64))
    ends = np.cumsum(a.lengths[left])
    hashes = sentence_hashes(sources)
    seen: dict[tuple[Phrase, Phrase], dict[int, float]] = defaultdict(lambda: defaultdict(float))
    right = [r for of_one in references for r in of_one]
    for k, i in enumerate(left.tolist()):
        matched = partners[ends[k] - a.lengths[i] : ends[k]].tolist()
        share = 1.0 / len(references[i])
        for f, e in _pairs(sources[i], right[k], matched):
            seen[f, e][int(hashes[i])] += share
    return _collect(seen, sources)


def _pairs(
    source: Sequence[str], target: Sequence[str], matched: list[int]
) -> Iterable[tuple[Phrase, Phrase]]:
    """The phrases between the anchors; pairs of equal length also word by word."""
    begin = after = 0
    for j in [*[j for j, m in enumerate(matched) if m >= 0], len(source)]:
        stop = matched[j] if j < len(source) else len(target)
        f, e = tuple(source[begin:j]), tuple(target[after:stop])
        begin, after = j + 1, stop + 1
        if not f or len(f) > (MAX_WORDS if e else MAX_DELETED) or len(e) > MAX_WORDS + 1:
            continue
        yield f, e
        if len(f) == len(e) > 1:
            for x, y in zip(f, e, strict=True):
                if x.isalpha() and y.isalpha():
                    yield (x,), (y,)


def extract_drops(
    sources: Sequence[Sequence[str]], references: Sequence[Sequence[Sequence[str]]]
) -> ExtractedRules:
    """How often words, alone and after or before another one, are missing from the simplifications, as rules to DROPPED."""
    seen: dict[tuple[Phrase, Phrase], dict[int, float]] = defaultdict(lambda: defaultdict(float))
    hashes = sentence_hashes(sources)
    for sentence, simpler, number in zip(sources, references, hashes.tolist(), strict=True):
        for i, share in enumerate(drop_shares(sentence, simpler).tolist()):
            seen[(sentence[i],), DROPPED][number] += share
            if i:
                seen[(sentence[i - 1], sentence[i]), DROPPED_SECOND][number] += share
            if i + 1 < len(sentence):
                seen[(sentence[i], sentence[i + 1]), DROPPED_FIRST][number] += share
    return _collect(seen, sources)


def drop_shares(sentence: Sequence[str], simpler: Sequence[Sequence[str]]) -> NDArray[np.float32]:
    """For each word, the share of simplifications that have it less often than the sentence."""
    own = Counter(sentence)
    counts = [Counter(r) for r in simpler]
    share = {w: sum(c[w] < n for c in counts) / max(len(counts), 1) for w, n in own.items()}
    return np.array([share[w] for w in sentence], dtype=np.float32)


def _collect(
    seen: dict[tuple[Phrase, Phrase], dict[int, float]], sources: Sequence[Sequence[str]]
) -> ExtractedRules:
    rules = sorted(seen)
    return ExtractedRules(
        [f for f, _ in rules],
        [e for _, e in rules],
        np.concatenate([[0], np.cumsum([len(seen[r]) for r in rules], dtype=np.int64)]).astype(np.int64),
        np.array([h for r in rules for h in seen[r]], dtype=np.uint64),
        np.array([c for r in rules for c in seen[r].values()], dtype=np.float32),
        _spans(sources),
    )


def span_hashes(hashes: NDArray[np.uint64], longest: int) -> Iterable[tuple[int, NDArray[np.uint64]]]:
    """Hashes of the spans of 1, 2, ... words that begin at each token."""
    keys = np.zeros(len(hashes), np.uint64)
    for size in range(1, longest + 1):
        if len(hashes) < size:
            return
        keys = keys[: len(hashes) - size + 1] * MULTIPLIER + hashes[size - 1 :]
        yield size, keys ^ (keys >> np.uint64(31))


def _spans(sources: Sequence[Sequence[str]]) -> tuple[NDArray[np.uint64], NDArray[np.float32]]:
    tokens = kernels.tokenize([" ".join(s) for s in sources], "space")
    room = np.repeat(tokens.offsets[1:], tokens.lengths) - np.arange(len(tokens.hashes))
    keys = [k[room[: len(k)] >= size] for size, k in span_hashes(tokens.hashes, MAX_DELETED)]
    hashes, counts = np.unique(np.concatenate([np.zeros(0, np.uint64), *keys]), return_counts=True)
    return hashes, counts.astype(np.float32)


ParallelText = tuple[list[tuple[str, ...]], list[list[tuple[str, ...]]]]


def read_pairs(path: str, *, tokenized: bool = False) -> ParallelText:
    """Sources and references of a file with the fields source and references (a list, or one text; or output)."""
    sources, references = [], []
    cut = split_at_spaces if tokenized else split
    with open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            source, simpler = _fields(line, f"{path}, line {number}")
            sources.append(cut(source).words)
            references.append([cut(text).words for text in simpler])
    if not sources:
        raise InputError(f"{path}: empty, expected JSON lines with source and references.")
    return sources, references


def _fields(line: str, place: str) -> tuple[str, list[str]]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        raise InputError(f"{place}: not JSON, expected an object with source and references.") from None
    if not isinstance(record, dict):
        raise InputError(
            f"{place}: found {type(record).__name__}, expected an object with source and references."
        )
    source = record.get("source")
    simpler = next(
        (record[k] for k in ("references", "reference", "output") if record.get(k) is not None), None
    )
    texts = [simpler] if isinstance(simpler, str) else simpler
    if not isinstance(source, str):
        raise InputError(f"{place}: no text in the field source.")
    if not isinstance(texts, list) or not texts or not all(isinstance(t, str) for t in texts):
        raise InputError(f"{place}: no texts in the field references.")
    return source, texts
