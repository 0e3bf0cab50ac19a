"""Builds a lattice decoder with fitted networks from rules, a language model and references.

The networks predict which words annotators drop and which they write. Counts exclude the sentence itself, and weights are
tuned on hints from networks that were not trained on the sentence (one set per fold); the networks of the finished decoder
are trained on all sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...data import Corpus
from ...errors import InputError
from ...kernels import Ints
from ...lm import LanguageModel
from ..arrays import Reals, look_up
from ..learned.hints import (
    ADD_OUTPUTS,
    DROP_OUTPUTS,
    HintNetworks,
    LatticeHints,
    edge_inputs,
    language_gains,
    token_inputs,
)
from ..learned.network import Ensemble, train_ensemble
from ..rules.building import RuleSource, build_table
from ..rules.constraints import allowed_rules, wordnet_antonyms
from ..rules.extraction import drop_shares
from ..rules.features import WordVectors, rule_features
from ..rules.sources import without_harder_rules, without_rare_rules, wordnet_names
from ..rules.table import Phrases, RuleTable
from ..rules.word_facts import DifficultyLexicon, WordFacts, WordForms
from .decoder import LatticeDecoder
from .hypotheses import PreparedLattice
from .lattice import Lattice

Masks = NDArray[np.uint64]
Sentence = Sequence[str]
References = Sequence[Sequence[Sentence]]
Progress = Callable[[str], None]

_MASKED = 32  # largest number of references that are used per set


@dataclass(frozen=True)
class WordRatings:
    """Words and their difficulty ratings; see `DifficultyLexicon`."""

    words: Sequence[str] = ()
    difficulty: Sequence[float] = ()


def build_decoder(
    rules: Sequence[RuleSource],
    drops: Sequence[RuleSource],
    model: LanguageModel,
    *,
    ratings: WordRatings | None = None,
    names: Collection[str] = (),
    antonyms: Collection[tuple[str, str]] = (),
    vectors: WordVectors | None = None,
    most: int = 15,
    common_words: Collection[str] | None = None,
) -> LatticeDecoder:
    """A decoder of all rules that meet the constraints; its networks are not fitted yet.

    Words that are not in `common_words` are hard (None: words of three or more syllables are).
    """
    if not any(len(source.pairs) for source in rules):
        raise InputError("no rules to build a simplifier from.")
    ratings = ratings or WordRatings()
    vocabulary = sorted({w for s in rules for f, e in s.pairs for w in (*f, *e)})
    lexicon = (
        DifficultyLexicon.fit(ratings.words, ratings.difficulty, [*names, *wordnet_names(vocabulary)], model)
        if ratings.words
        else DifficultyLexicon.empty(wordnet_names(vocabulary))
    )
    selected = [
        s if s.extracted is not None else without_harder_rules(s, model, lexicon, most=most) for s in rules
    ]
    table = build_table(selected)
    facts = WordFacts.of(table.words, model, lexicon, common_words=common_words)
    table = rule_features(table, facts, model, WordForms.of(table.words), vectors)
    opposite = {*antonyms, *wordnet_antonyms(table.words)}
    table = table.subset(np.flatnonzero(allowed_rules(table, facts, opposite)))
    table = without_rare_rules(table)
    if not len(table):
        raise InputError("no rule meets the constraints; nothing to build a simplifier from.")
    return LatticeDecoder(
        table, model, lexicon, HintNetworks(build_table(drops)), WordForms.of(table.words).bits
    )


def fit(
    decoder: LatticeDecoder,
    sentences: Sequence[Sentence],
    references: References,
    others: References | None = None,
    *,
    seed: int = 1,
    members: int = 1,
    progress: Progress = lambda _: None,
) -> tuple[LatticeDecoder, PreparedLattice, FittedHints]:
    """The decoder with networks for new text, and the sentences themselves prepared with cross-fitted hints."""
    fitted = fit_hints(
        decoder,
        sentences,
        references,
        others,
        np.random.default_rng(seed),
        members=members,
        progress=progress,
    )
    ready = LatticeDecoder(decoder.table, decoder.model, decoder.lexicon, fitted.hint_networks, decoder.forms)
    return ready, ready.with_hints(fitted.lattice, fitted.hints), fitted


def tuning_corpus(sentences: Sequence[Sentence], references: References) -> Corpus:
    """A corpus of words between spaces, as the decoder writes them."""
    texts = [" ".join(s) for s in sentences]
    return Corpus(texts, texts, [[" ".join(r) for r in of_one] for of_one in references])


@dataclass(frozen=True, eq=False)
class FittedHints:
    """Networks for new text, and cross-fitted hints for the sentences themselves."""

    hint_networks: HintNetworks
    lattice: Lattice
    hints: LatticeHints
    held_out_loss: dict[str, float]  # cross-entropy of each output, and that of its mean


def fit_hints(
    decoder: LatticeDecoder,
    sentences: Sequence[Sentence],
    references: References,
    others: References | None,
    rng: np.random.Generator,
    *,
    folds: int = 3,
    members: int = 1,
    progress: Progress = lambda _: None,
) -> FittedHints:
    """Networks for the references of sentences; `others` are references of another kind (None: the same ones)."""
    both = [references, references if others is None else others]
    drops = decoder.hint_networks.drops
    lattice = decoder.lattice(sentences, cross_fit=True)
    facts = decoder.facts(lattice)
    gains = language_gains(lattice, decoder.model)
    fold = rng.permutation(len(sentences)) % folds

    progress("hints: words")
    inputs = token_inputs(lattice, facts, drops, decoder.model, cross_fit=True)
    targets = token_targets(sentences, both)
    of_token = fold[np.repeat(np.arange(len(sentences)), np.diff(lattice.batch.offsets))]
    drop, drop_network = _cross_fit(inputs, targets, of_token, folds, rng, members, epochs=10)

    progress("hints: rules")
    rows, inputs = edge_inputs(lattice, decoder.table, facts, drop, gains)
    targets_of_edges = edge_targets(lattice, decoder.table, rows, both)
    new = decoder.table.new_counts[lattice.rules[rows]] > 0
    predicted, network = _cross_fit(
        inputs[new], targets_of_edges[new], fold[lattice.sentence[rows]][new], folds, rng, members, epochs=4
    )
    add = np.full((len(lattice), len(ADD_OUTPUTS)), 0.1, np.float32)
    add[rows[new]] = predicted
    losses = _losses(DROP_OUTPUTS, drop, targets) | _losses(ADD_OUTPUTS, predicted, targets_of_edges[new])
    return FittedHints(
        HintNetworks(drops, drop_network, network), lattice, LatticeHints(drop, add, gains), losses
    )


def _cross_fit(
    inputs: Reals, targets: Reals, fold: Ints, folds: int, rng: np.random.Generator, members: int, epochs: int
) -> tuple[Reals, Ensemble]:
    """Predictions for each row by networks that were not trained on its fold, and networks trained on all rows."""
    predicted = np.zeros_like(targets)
    for k in range(folds):
        mine = fold == k
        if mine.all():  # too few sentences for folds
            break
        if mine.any():
            seen = train_ensemble(inputs[~mine], targets[~mine], rng, members, epochs)
            predicted[mine] = seen(inputs[mine])
    return predicted, train_ensemble(inputs, targets, rng, members, epochs)


def _losses(names: Sequence[str], predicted: Reals, targets: Reals) -> dict[str, float]:
    def loss(p: Reals) -> Reals:
        p = np.clip(p, 1e-5, 1 - 1e-5)
        result: Reals = -(targets * np.log(p) + (1 - targets) * np.log(1 - p)).mean(axis=0)
        return result

    if not len(targets):
        return {}
    networks, mean = loss(predicted), loss(np.broadcast_to(targets.mean(axis=0), targets.shape))
    named = {n: float(v) for n, v in zip(names, networks, strict=True)}
    return named | {f"{n} (mean)": float(v) for n, v in zip(names, mean, strict=True)}


def token_targets(sentences: Sequence[Sentence], sets: Sequence[References]) -> Reals:
    """The proportion of each set's references that drop each word."""
    columns = [
        np.concatenate([drop_shares(s, r) for s, r in zip(sentences, references, strict=True)])
        for references in sets
    ]
    return np.stack(columns, axis=1)


def edge_targets(lattice: Lattice, table: RuleTable, rows: Ints, sets: Sequence[References]) -> Reals:
    """For each set: the share of new words that some reference adds, the share that the mean one adds, and the share of
    references that add all of them and drop all that the rule drops.
    """
    numbers = table.numbers
    rules, sentence = lattice.rules[rows], lattice.sentence[rows]
    columns: list[NDArray[np.float64]] = []
    for references in sets:
        size = np.array([max(min(len(r), _MASKED), 1) for r in references], dtype=np.float32)[sentence]
        added, dropped = _changed(lattice.batch.sentences, references, numbers)
        owner, words = _flat(table.targets, rules)
        fresh = _not_in(table.targets, table.sources, rules)
        masks = look_up(*added, sentence[owner] << 32 | words)
        total = np.maximum(np.bincount(owner, fresh, len(rows)), 1)
        some = np.bincount(owner, fresh & (masks != 0), len(rows)) / total
        mean = np.bincount(owner, fresh * _popcount(masks), len(rows)) / total / size
        all_in = np.where(fresh, masks, ~np.uint64(0))
        joint = _and_by(owner, all_in, len(rows))
        owner, words = _flat(table.sources, rules)
        gone = _not_in(table.sources, table.targets, rules)
        joint &= _and_by(
            owner, np.where(gone, look_up(*dropped, sentence[owner] << 32 | words), ~np.uint64(0)), len(rows)
        )
        joint[table.new_counts[rules] == 0] = 0
        columns += [some, mean, _popcount(joint) / size]
    return np.stack(columns, axis=1).astype(np.float32)


def _changed(
    sentences: Sequence[Sentence], references: References, numbers: dict[str, int]
) -> tuple[tuple[Ints, Masks], tuple[Ints, Masks]]:
    """Which references have a word more often, and which less often, than the sentence: keys and bits."""
    more: dict[int, int] = {}
    less: dict[int, int] = {}
    for s, (sentence, of_one) in enumerate(zip(sentences, references, strict=True)):
        own = Counter(sentence)
        for bit, reference in enumerate(of_one[:_MASKED]):
            reference_counts = Counter(reference)
            for word, n in reference_counts.items():
                if n > own[word] and word in numbers:
                    key = s << 32 | numbers[word]
                    more[key] = more.get(key, 0) | 1 << bit
            for word, n in own.items():
                if n > reference_counts[word] and word in numbers:
                    key = s << 32 | numbers[word]
                    less[key] = less.get(key, 0) | 1 << bit
    return _sorted(more), _sorted(less)


def _sorted(masks: dict[int, int]) -> tuple[Ints, Masks]:
    keys = np.array(sorted(masks), dtype=np.int64)
    return keys, np.array([masks[k] for k in keys.tolist()], dtype=np.uint64)


def _flat(phrases: Phrases, rules: Ints) -> tuple[Ints, NDArray[np.int32]]:
    taken = phrases.take(rules)
    return np.repeat(np.arange(len(rules)), taken.lengths), taken.ids


def _not_in(phrases: Phrases, other: Phrases, rules: Ints) -> NDArray[np.bool_]:
    """For each word of the phrases, whether it is missing from the other phrase of the rule."""
    owner, words = _flat(phrases, rules)
    beside = other.take(rules)
    lacking = np.ones(len(words), dtype=np.bool_)
    for k in range(int(beside.lengths.max(initial=0))):
        has = np.flatnonzero(beside.lengths[owner] > k)
        lacking[has] &= beside.ids[beside.offsets[:-1][owner[has]] + k] != words[has]
    return lacking


def _and_by(owner: Ints, masks: Masks, n: int) -> Masks:
    out = np.full(n, ~np.uint64(0))
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    if len(first):
        out[owner[first]] = np.bitwise_and.reduceat(masks, first)
    return out


def _popcount(masks: Masks) -> NDArray[np.float64]:
    low = (masks & np.uint64(2**_MASKED - 1)).astype(np.uint32)
    result: NDArray[np.float64] = (
        np.unpackbits(low[:, None].view(np.uint8), axis=1).sum(axis=1).astype(np.float64)
    )
    return result
