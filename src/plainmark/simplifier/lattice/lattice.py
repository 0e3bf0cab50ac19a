"""The lattice of a batch of sentences: an edge for each unchanged word, and one for each rule that fits.

Counts of rules are evidence from other sentences: with `cross_fit`, the evidence of the sentence itself is subtracted, and
a rule that only this sentence supports is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ... import kernels
from ...kernels import Ints, Tokens
from ...lm import LanguageModel
from ..arrays import Reals
from ..rules.extraction import sentence_hashes
from ..rules.table import Phrases, RuleMatches, RuleTable

KEEP = -1  # the rule of an edge that leaves a word unchanged


@dataclass(frozen=True, eq=False)
class LatticeBatch:
    """Sentences as numbers: first the words of the rules, then other words of the sentences."""

    sentences: list[tuple[str, ...]]
    tokens: Tokens
    ids: NDArray[np.int32]
    offsets: Ints
    others: list[str]
    lm_words: NDArray[np.uint32]

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]], table: RuleTable, model: LanguageModel) -> LatticeBatch:
        """A batch; words must have no spaces in them."""
        lists = [tuple(s) for s in sentences]
        known = table.numbers
        others: dict[str, int] = {}
        flat = [w for s in lists for w in s]
        ids = [known[w] if w in known else others.setdefault(w, len(known) + len(others)) for w in flat]
        offsets = np.concatenate([[0], np.cumsum([len(s) for s in lists])]).astype(np.int64)
        tokens = kernels.tokenize([" ".join(s) for s in lists], "space")
        extra = list(others)
        lm_words = np.concatenate([table.lm_words(model), model.ids(extra)])
        return cls(lists, tokens, np.array(ids, dtype=np.int32), offsets, extra, lm_words.astype(np.uint32))


@dataclass(frozen=True, eq=False)
class Lattice:
    """Edges of a batch, sentence by sentence, from left to right; `rules` has KEEP for unchanged words."""

    batch: LatticeBatch
    offsets: Ints
    starts: NDArray[np.int32]
    ends: NDArray[np.int32]
    rules: Ints
    targets: Phrases
    counts: Reals  # counts of rules, with cross_fit excluding the evidence of the sentence itself; shape (edges, sets)
    source_counts: Reals

    @property
    def sentence(self) -> Ints:
        """The sentence of each edge."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    def __len__(self) -> int:
        return len(self.starts)

    def take(self, keep: NDArray[np.bool_]) -> Lattice:
        """The lattice without the edges that are not flagged."""
        rows = np.flatnonzero(keep)
        before = np.concatenate([[0], np.cumsum(keep)])
        return Lattice(
            self.batch,
            before[self.offsets].astype(np.int64),
            self.starts[rows],
            self.ends[rows],
            self.rules[rows],
            self.targets.take(rows),
            self.counts[rows],
            self.source_counts[rows],
        )


def build_lattice(
    sentences: Sequence[Sequence[str]], table: RuleTable, model: LanguageModel, *, cross_fit: bool = False
) -> Lattice:
    """All edges of the sentences."""
    batch = LatticeBatch.of(sentences, table, model)
    matches = table.find(batch.tokens)
    counts, source_counts = counted(batch, table, matches, cross_fit=cross_fit)
    if cross_fit:
        # A rule from elsewhere (PPDB, WordNet, a set without this sentence) stays without counts.
        elsewhere = (table.origin[matches.rules] & ~np.uint16(table.counting_bits)) != 0
        rows = np.flatnonzero((counts.sum(axis=1) > 0) | elsewhere)
        matches = RuleMatches(
            matches.sentences[rows], matches.starts[rows], matches.sizes[rows], matches.rules[rows]
        )
        counts, source_counts = counts[rows], source_counts[rows]
    sentence = np.repeat(np.arange(len(batch.sentences)), np.diff(batch.offsets))
    place = np.arange(len(sentence)) - batch.offsets[:-1][sentence]
    n = len(sentence)
    sets = counts.shape[1]
    none = np.zeros((n, sets), np.float32)
    all_sentences = np.concatenate([sentence, matches.sentences])
    starts = np.concatenate([place, matches.starts])
    rules = np.concatenate([np.full(n, KEEP, np.int64), matches.rules])
    order = np.lexsort((np.arange(len(rules)), starts, all_sentences))
    ends = np.concatenate([place + 1, matches.starts + matches.sizes])
    from_rules = table.targets.take(matches.rules)
    targets = Phrases(
        np.concatenate([batch.ids, from_rules.ids]),
        np.concatenate([np.arange(n), n + from_rules.offsets]).astype(np.int64),
    )
    return Lattice(
        batch,
        np.searchsorted(all_sentences[order], np.arange(len(batch.sentences) + 1)).astype(np.int64),
        starts[order].astype(np.int32),
        ends[order].astype(np.int32),
        rules[order],
        targets.take(order),
        np.concatenate([none, counts])[order],
        np.concatenate([none, source_counts])[order],
    )


def counted(
    batch: LatticeBatch, table: RuleTable, matches: RuleMatches, *, cross_fit: bool
) -> tuple[Reals, Reals]:
    """Counts of matching rules and of their sources; with `cross_fit`, excluding the evidence of the sentence itself."""
    counts, source_counts = table.counts[matches.rules], table.source_counts[matches.rules]
    if not cross_fit or not len(matches.rules):
        return counts, source_counts
    counts = np.maximum(counts - own_counts(batch, table, matches), 0)
    counts[counts < 1e-4] = 0
    within = table.has(sentence_hashes(batch.sentences))[matches.sentences]
    source_counts = np.maximum(source_counts - np.where(within, _places(matches)[:, None], 0), 0)
    return counts.astype(np.float32), source_counts.astype(np.float32)


def own_counts(batch: LatticeBatch, table: RuleTable, matches: RuleMatches) -> Reals:
    """The part of each rule's evidence that comes from the sentence it applies to: shape (matches, sets)."""
    own = np.zeros((len(matches.rules), len(table.sets)), np.float32)
    evidence = table.evidence
    many = np.diff(evidence.offsets)[matches.rules]
    at = np.repeat(np.arange(len(matches.rules)), many)
    inner = np.arange(len(at)) - np.repeat(np.cumsum(many) - many, many)
    k = evidence.offsets[:-1][matches.rules][at] + inner
    mine = evidence.sentences[k] == sentence_hashes(batch.sentences)[matches.sentences[at]]
    np.add.at(own, (at[mine], evidence.sets[k[mine]]), evidence.counts[k[mine]])
    return own


def _places(matches: RuleMatches) -> Ints:
    """The number of places of its sentence at which each rule fits."""
    pairs = np.stack([matches.sentences, matches.rules], axis=1)
    _, which, many = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
    result: Ints = many[which.reshape(-1)]
    return result
