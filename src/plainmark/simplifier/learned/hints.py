"""Hints from learned networks: the probabilities that annotators drop a word, and that they write the target of a rule.

The inputs of two small networks are a word or a rule in context: its features, cross-fitted counts, and the language model
on both sides. The decoder uses their probabilities as expected numbers of correctly dropped and added words, a form that
suits metrics of kept, deleted and added words.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ... import kernels
from ...kernels import Ints
from ...lm import LanguageModel
from ..arrays import Reals
from ..lattice.lattice import KEEP, Lattice, counted
from ..rules.table import RuleTable
from ..rules.word_facts import TAGS, WordFacts
from .network import Ensemble

DROP_OUTPUTS = ("drop", "drop_other")
ADD_OUTPUTS = ("any", "mean", "joint", "any_other", "mean_other", "joint_other")
LEARNED_FEATURES = (
    "Rewrites", "ExpectedDrops", "ExpectedDropsOther", "KeptDespite", "ExpectedAny", "ExpectedMean", "ExpectedJoint",
    "ExpectedAnyOther", "ExpectedMeanOther", "ExpectedJointOther", "LogAny", "LogJoint", "LmGain", "LmLoss",
    "NameRisk", "Guessed",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class HintNetworks:
    """The networks, and the drop rates of words; without networks, the only hint is the language model's."""

    drops: RuleTable
    drop_network: Ensemble | None = None
    add_network: Ensemble | None = None


@dataclass(frozen=True, eq=False)
class LatticeHints:
    """Probabilities of dropping each token (tokens, DROP_OUTPUTS) and of adding an edge's new words (edges, ADD_OUTPUTS)."""

    drop: Reals
    add: Reals
    gains: Reals  # of the language model, in log10
    risk: Reals | None = None  # probability that each token is part of a name
    guessed: NDArray[np.bool_] | None = None  # whether names were predicted there


def token_inputs(
    lattice: Lattice, facts: WordFacts, drops: RuleTable, model: LanguageModel, *, cross_fit: bool = False
) -> Reals:
    """The inputs of the first network for each word; `facts` are of the batch's vocabulary."""
    batch = lattice.batch
    ids = batch.ids
    n = len(ids)
    sentence = np.repeat(np.arange(len(batch.sentences)), np.diff(batch.offsets))
    place = np.arange(n) - batch.offsets[:-1][sentence]
    length = np.diff(batch.offsets)[sentence]
    logs = _log_probabilities(lattice, model)
    own = np.stack(
        [
            facts.letters[ids],
            facts.syllables[ids],
            facts.frequency[ids],
            facts.difficulty[ids],
            facts.rated[ids],
            facts.alphabetic[ids],
            facts.digits[ids],
            facts.common[ids],
            facts.name[ids],
            logs,
        ],
        axis=1,
    ).astype(np.float32)
    rates = _drop_rates(lattice, drops, cross_fit=cross_fit)
    offers = _offers(lattice, n)
    positions = np.stack(
        [
            np.minimum(place, 8),
            np.minimum(length - place, 8),
            np.log1p(length),
            place / np.maximum(length, 1),
            _in_brackets(lattice),
        ],
        axis=1,
    ).astype(np.float32)
    beside = np.concatenate([own, rates[:, :1]], axis=1)
    before, after = _shifted(beside, sentence, 1), _shifted(beside, sentence, -1)
    further, furthest = _shifted(own[:, 2:6], sentence, 2), _shifted(own[:, 2:6], sentence, -2)
    forms = form_bits(facts.forms[ids])
    around = [forms, _shifted(forms, sentence, 1), _shifted(forms, sentence, -1)]
    return np.concatenate([own, rates, offers, positions, before, after, further, furthest, *around], axis=1)


def edge_inputs(
    lattice: Lattice, table: RuleTable, facts: WordFacts, drop: Reals, gains: Reals
) -> tuple[Ints, Reals]:
    """The edges that are rules, and the inputs of the second network for each of them."""
    rows = np.flatnonzero(lattice.rules != KEEP)
    rules = lattice.rules[rows]
    counts, source_counts = lattice.counts[rows], lattice.source_counts[rows]
    first = lattice.batch.offsets[:-1][lattice.sentence[rows]] + lattice.starts[rows]
    last = first + (lattice.ends[rows] - lattice.starts[rows])
    share = counts / np.maximum(_per_span(lattice, rows, counts), 1e-3)
    bits = table.dropped[rules]
    dropped = _over_dropped(drop, first, bits)
    padded = np.concatenate([drop, np.zeros((1, drop.shape[1]), np.float32)])
    n = len(drop)
    ends = lattice.ends[rows] == np.diff(lattice.batch.offsets)[lattice.sentence[rows]]
    beside = [np.where(lattice.starts[rows] > 0, first - 1, n), np.where(ends, n, last)]
    before, after = (padded[b] for b in beside)
    # Origins that count sentences appear only as counts: their bits would reveal the sentence's own contribution.
    elsewhere = [k for k, name in enumerate(table.origins) if name not in table.sets]
    origins = (table.origin[rules][:, None] >> np.array(elsewhere, dtype=np.uint16)) & 1
    ids = np.append(lattice.batch.ids, 0)
    around = [np.where((b < n)[:, None], form_bits(facts.forms[ids[b]]), 0) for b in beside]
    around.append(
        np.where((table.sources.lengths[rules] == 1)[:, None], form_bits(facts.forms[ids[first]]), 0)
    )
    columns = [
        *around,
        table.features[rules],
        origins.astype(np.float32),
        np.log1p(20 * counts),
        counts / (source_counts + 0.5),
        np.log((counts + 0.02) / (source_counts + 1)),
        np.log1p(source_counts),
        share,
        dropped,
        dropped / np.maximum(table.dropped_counts[rules], 1)[:, None],
        before,
        after,
        gains[rows][:, None],
        np.maximum(gains[rows], -1)[:, None],
    ]
    return rows, np.concatenate(columns, axis=1).astype(np.float32)


def language_gains(lattice: Lattice, model: LanguageModel) -> Reals:
    """The gain in log10 probability by each edge alone."""
    arrays = lattice_arrays(lattice, np.zeros(len(lattice)))
    return kernels.context_gains(model.native, arrays, lattice.batch.ids, lattice.batch.offsets)


def lattice_arrays(lattice: Lattice, scores: NDArray[np.float64]) -> kernels.LatticeArrays:
    """A lattice as the kernels take it."""
    return (
        np.diff(lattice.batch.offsets),
        lattice.offsets,
        lattice.starts,
        lattice.ends,
        np.ascontiguousarray(scores, dtype=np.float64),
        lattice.targets.offsets,
        lattice.targets.ids,
        lattice.batch.lm_words,
    )


def predict_hints(
    hint_networks: HintNetworks,
    lattice: Lattice,
    table: RuleTable,
    facts: WordFacts,
    model: LanguageModel,
    *,
    cross_fit: bool = False,
) -> LatticeHints:
    """The hints of the networks for a lattice."""
    gains = language_gains(lattice, model)
    drop = np.full((len(lattice.batch.ids), len(DROP_OUTPUTS)), 0.2, np.float32)
    add = np.full((len(lattice), len(ADD_OUTPUTS)), 0.1, np.float32)
    if hint_networks.drop_network is not None:
        drop = hint_networks.drop_network(
            token_inputs(lattice, facts, hint_networks.drops, model, cross_fit=cross_fit)
        )
    if hint_networks.add_network is not None:
        rows, inputs = edge_inputs(lattice, table, facts, drop, gains)
        add[rows] = hint_networks.add_network(inputs)
    return LatticeHints(drop, add, gains)


def learned_features(lattice: Lattice, table: RuleTable, hints: LatticeHints) -> Reals:
    """The features of CONTEXT of each edge; 0 for unchanged words."""
    out = np.zeros((len(lattice), len(LEARNED_FEATURES)), np.float32)
    rows = np.flatnonzero(lattice.rules != KEEP)
    rules = lattice.rules[rows]
    first = lattice.batch.offsets[:-1][lattice.sentence[rows]] + lattice.starts[rows]
    dropped = _over_dropped(hints.drop, first, table.dropped[rules])
    new = table.new_counts[rules].astype(np.float32)[:, None]
    add = hints.add[rows]
    gains = hints.gains[rows]
    adds = new[:, 0] > 0
    out[rows, 0] = 1
    out[rows, 1:3] = dropped
    out[rows, 3] = table.dropped_counts[rules] - dropped[:, 0] - dropped[:, 1]
    out[rows, 4:10] = new * add
    out[rows, 10] = np.where(adds, np.log(add[:, 0] + 1e-3), 0)
    out[rows, 11] = np.where(adds, np.log(add[:, 2] + 1e-3), 0)
    out[rows, 12] = np.clip(gains, -6, 6)
    out[rows, 13] = np.clip(gains, -6, 0)
    if hints.risk is not None:
        out[rows, 14] = _over_dropped(hints.risk[:, None], first, table.dropped[rules])[:, 0]
    if hints.guessed is not None:
        out[rows, 15] = hints.guessed[first]
    return out


def form_bits(forms: NDArray[np.uint16]) -> Reals:
    """The forms of words, one column per form."""
    return ((forms[:, None] >> np.arange(len(TAGS), dtype=np.uint16)) & 1).astype(np.float32)


def _log_probabilities(lattice: Lattice, model: LanguageModel) -> Reals:
    texts = [" ".join(s) for s in lattice.batch.sentences]
    logs, offsets = model.token_scores(texts)
    keep = np.ones(len(logs), dtype=np.bool_)
    keep[offsets[1:] - 1] = False
    return logs[keep]


def _drop_rates(lattice: Lattice, drops: RuleTable, *, cross_fit: bool) -> Reals:
    """For each set: the drop rates of the word, of it after the previous word and before the next, and its count."""
    batch = lattice.batch
    matches = drops.find(batch.tokens)
    counts, source_counts = counted(batch, drops, matches, cross_fit=cross_fit)
    sets = counts.shape[1]
    out = np.full((len(batch.ids), 4, sets), -1.0, np.float32)
    out[:, 3] = 0
    prior = 0.2
    rate = (counts + prior * 2) / (source_counts + 2)
    at = batch.offsets[:-1][matches.sentences] + matches.starts
    single = matches.sizes == 1
    out[at[single], 0], out[at[single], 3] = rate[single], np.log1p(source_counts[single])
    out[:, 0] = np.where(out[:, 0] < 0, prior, out[:, 0])
    # the target shows which of two words is meant
    begins = drops.targets.ids[drops.targets.offsets[:-1][matches.rules]]
    second = np.array([w == "<>" for w in drops.words], dtype=np.bool_)[begins] & ~single
    first = ~second & ~single
    for k, rows, step in ((1, second, 1), (2, first, 0)):
        target = at[rows] + step
        base = out[target, 0]
        out[target, k] = (counts[rows] + base * 2) / (source_counts[rows] + 2)
        out[:, k] = np.where(out[:, k] < 0, out[:, 0], out[:, k])
    return out.reshape(len(batch.ids), 4 * sets)


def _offers(lattice: Lattice, n: int) -> Reals:
    """For each word: the share of each set's annotators that rewrote it alone, and the number of its rules."""
    rows = np.flatnonzero((lattice.rules != KEEP) & (lattice.ends - lattice.starts == 1))
    at = lattice.batch.offsets[:-1][lattice.sentence[rows]] + lattice.starts[rows]
    sets = lattice.counts.shape[1]
    out = np.zeros((n, sets + 1), np.float32)
    np.add.at(out[:, :sets], at, lattice.counts[rows] / (lattice.source_counts[rows] + 0.5))
    np.add.at(out[:, sets], at, 1)
    out[:, sets] = np.log1p(out[:, sets])
    return out


def _in_brackets(lattice: Lattice) -> Reals:
    batch = lattice.batch
    flags = [(w == "-lrb-") - (w == "-rrb-") for s in batch.sentences for w in s]
    depth = np.cumsum(flags, dtype=np.int64) if flags else np.zeros(0, np.int64)
    total = np.concatenate([[0], depth])
    inside = depth - np.repeat(total[batch.offsets[:-1]], np.diff(batch.offsets))
    result: Reals = np.clip(inside, 0, 1).astype(np.float32)
    return result


def _shifted(values: Reals, sentence: Ints, step: int) -> Reals:
    """The values of the word `step` before (or, if negative, after) each word; 0 where the sentence ends."""
    moved = np.roll(values, step, axis=0)
    moved[np.roll(sentence, step) != sentence] = 0
    if step > 0:
        moved[:step] = 0
    elif step < 0:
        moved[step:] = 0
    return moved


def _per_span(lattice: Lattice, rows: Ints, counts: Reals) -> Reals:
    """The sum of counts over all rules of the same words at the same place."""
    span = (lattice.sentence[rows] << 32) | (lattice.starts[rows].astype(np.int64) << 16) | lattice.ends[rows]
    _, which = np.unique(span, return_inverse=True)
    sums = np.zeros((which.max(initial=-1) + 1, counts.shape[1]), np.float32)
    np.add.at(sums, which, counts)
    return sums[which]


def _over_dropped(values: Reals, first: Ints, bits: NDArray[np.uint8]) -> Reals:
    """The sum of tokens' values over the words that an edge drops."""
    out = np.zeros((len(first), values.shape[1]), np.float32)
    for k in range(8):
        rows = np.flatnonzero(bits >> k & 1)
        out[rows] += values[first[rows] + k]
    return out
