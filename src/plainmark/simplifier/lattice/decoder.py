"""The lattice decoder: the outputs that score best under weights for rules, hints and the language model.

    score(output) = sum over its rules of weights . features + weight of "lm" * log10 P(output)

The search is monotone; paths give the rules they use, so that a change of weights is a matrix product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ... import kernels
from ...kernels import Ints
from ...lm import LanguageModel
from ..arrays import Flags, Reals, damaged, rank_in_group, read_arrays, write_arrays
from ..decoding import (
    CONTEXT_TEMPLATES,
    LM,
    WORDS,
    Decoder,
    Derivation,
    Hypotheses,
    Prepared,
    Ranked,
    Rewrite,
    SearchLimits,
    Weights,
    reasons,
)
from ..learned.context_filter import ContextFilter, KnownWords, WordContexts, agreement
from ..learned.hints import (
    LEARNED_FEATURES,
    HintNetworks,
    LatticeHints,
    lattice_arrays,
    learned_features,
    predict_hints,
)
from ..learned.network import Ensemble
from ..rules.constraints import protected
from ..rules.table import RuleTable
from ..rules.word_facts import DifficultyLexicon, WordFacts
from ..surface import OutputPiece, SplitText
from .lattice import KEEP, Lattice, build_lattice

# The weights that tuning begins with: rewrite what annotators probably would, and prefer fluent text.
START = {
    LM: 0.3, "Rewrites": -2.0, "ExpectedJoint": 4.0, "ExpectedAny": 1.0, "ExpectedDrops": 2.0, "Dropped": -0.7,
}  # fmt: skip
_AGREEING = 0.1  # least probability that a word has a form that its substitute can have


@dataclass(frozen=True)
class BeamLimits(SearchLimits):
    """Beam-search limits."""

    beam: int = 30  # hypotheses kept after each word
    threshold: float = 12.0  # how far behind the best one they may be
    offers: int = 12  # rules kept that begin at a word


@dataclass(frozen=True, eq=False)
class PreparedLattice(Prepared):
    """Lattices of sentences with the features of their edges."""

    decoder: LatticeDecoder
    lattice: Lattice
    features: Reals
    hints: LatticeHints

    def __len__(self) -> int:
        return len(self.lattice)

    def decode(
        self, weights: Weights, *, width: int | None = None, paths: int = 1, threads: int = 1
    ) -> LatticeHypotheses:
        """The best different outputs of each sentence."""
        limits = self.decoder.limits
        vector = np.array([weights.get(n, 0.0) for n in self.decoder.names])
        sentences, _, lm, offsets, edges = kernels.best_paths(
            self.decoder.model.native,
            float(vector[-1]),
            lattice_arrays(self.lattice, self.features @ vector[:-1]),
            beam=limits.beam if width is None else width,
            threshold=limits.threshold,
            paths=paths,
            threads=threads,
        )
        return LatticeHypotheses(self, sentences, lm, offsets, edges)


class LatticeHypotheses(Hypotheses):
    """Outputs of a lattice, each a path of edges."""

    def __init__(
        self,
        prepared: PreparedLattice,
        offsets: Ints,
        lm: NDArray[np.float64],
        path_offsets: Ints,
        edges: Ints,
    ) -> None:
        self.prepared, self.lm = prepared, lm
        self._offsets, self.path_offsets, self.edges = offsets, path_offsets, edges

    @property
    def offsets(self) -> Ints:
        return self._offsets

    def __len__(self) -> int:
        return len(self.lm)

    def path(self, hypothesis: int) -> Ints:
        """The edges of a hypothesis, from left to right."""
        return self.edges[self.path_offsets[hypothesis] : self.path_offsets[hypothesis + 1]]

    def features(self) -> Reals:
        """What the rules of each hypothesis add up to, and its log10 probability in the last column."""
        edge = self.prepared.features
        out = np.zeros((len(self), edge.shape[1] + 1), np.float32)
        owner = np.repeat(np.arange(len(self)), np.diff(self.path_offsets))
        used = self.prepared.lattice.rules[self.edges] != KEEP
        owner, edges = owner[used], self.edges[used]
        for start in range(0, len(edges), 100_000):
            part = slice(start, start + 100_000)
            first = np.flatnonzero(np.diff(owner[part], prepend=-1))
            sums = np.add.reduceat(edge[edges[part]], first, axis=0) if len(first) else edge[:0]
            out[owner[part][first], :-1] += sums
        out[:, -1] = self.lm
        return out

    def words(self) -> list[tuple[str, ...]]:
        """The words of each hypothesis."""
        lattice = self.prepared.lattice
        vocabulary, others = self.prepared.decoder.table.words, lattice.batch.others
        known = len(vocabulary)
        flat = lattice.targets.take(self.edges)
        ends = np.concatenate([[0], np.cumsum(flat.lengths)])[self.path_offsets].tolist()
        text = [vocabulary[w] if w < known else others[w - known] for w in flat.ids.tolist()]
        return [tuple(text[a:b]) for a, b in pairwise(ends)]

    def derivation(self, sentence: int, source: SplitText, weights: Weights) -> Derivation:
        """The best path of a sentence as pieces of the source, and the rules on it."""
        lattice, decoder = self.prepared.lattice, self.prepared.decoder
        known, others = decoder.table.words, lattice.batch.others
        pieces = []
        rewrites = []
        for edge in self.path(int(self.offsets[sentence])).tolist():
            start, end = int(lattice.starts[edge]), int(lattice.ends[edge])
            rule = int(lattice.rules[edge])
            old = source.words[start:end]
            if rule == KEEP:
                pieces.append(OutputPiece(start, end, old))
                continue
            ids = lattice.targets.ids[lattice.targets.offsets[edge] : lattice.targets.offsets[edge + 1]]
            new = tuple(known[w] if w < len(known) else others[w - len(known)] for w in ids)
            score, strongest = reasons(decoder.names, self.prepared.features[edge], weights)
            origins = decoder.table.origins_of(rule)
            rewrites.append(Rewrite(start, end, " ".join(old), " ".join(new), score, origins, strongest))
            pieces.append(OutputPiece(start, end, new))
        return Derivation(pieces, rewrites)


class LatticeDecoder(Decoder):
    """Rules, a language model and the networks that give hints, ready to decode."""

    kind = "lattice"
    start = START
    more_rewrites: ClassVar[Weights] = {"Rewrites": 1.0}
    limits: BeamLimits = BeamLimits()

    def __init__(
        self,
        table: RuleTable,
        model: LanguageModel,
        lexicon: DifficultyLexicon,
        hint_networks: HintNetworks,
        forms: NDArray[np.uint16] | None = None,
        context_filter: ContextFilter | None = None,
    ) -> None:
        self.table = table
        self.model = model
        self.lexicon = lexicon
        self.hint_networks = hint_networks
        self.forms = np.zeros(len(table.words), np.uint16) if forms is None else forms
        self.context_filter = context_filter
        self._facts = WordFacts.of(table.words, model, lexicon, self.forms)

    def __len__(self) -> int:
        return len(self.table)

    @property
    def names(self) -> tuple[str, ...]:
        """The features, in the order of the columns; the language model is the last."""
        return (*self.table.names, *LEARNED_FEATURES, LM)

    def are_names(self, words: Sequence[str]) -> Flags:
        """Which words are names whatever their case."""
        return self.lexicon.is_name(words)

    @property
    def vocabulary(self) -> KnownWords:
        """What the decoder knows of words."""
        return KnownWords(self.table, self.forms, self.lexicon, self.model)

    def read(self, sentences: Sequence[Sequence[str]]) -> WordContexts | None:
        """Names and forms of the words of sentences in context, if there is a context filter."""
        return None if self.context_filter is None else self.context_filter(sentences, self.vocabulary)

    def facts(self, lattice: Lattice) -> WordFacts:
        """Facts of all words of a batch."""
        return self._facts.followed_by(WordFacts.of(lattice.batch.others, self.model, self.lexicon))

    def lattice(
        self,
        sentences: Sequence[Sequence[str]],
        protected: Sequence[Flags] | None = None,
        *,
        context: WordContexts | None = None,
        cross_fit: bool = False,
    ) -> Lattice:
        """The lattice of sentences, without the rules that drop a protected word or do not agree with the context."""
        lattice = build_lattice(sentences, self.table, self.model, cross_fit=cross_fit)
        return lattice.take(self.fitting(lattice, protected, context))

    def fitting(
        self, lattice: Lattice, protected: Sequence[Flags] | None, context: WordContexts | None
    ) -> Flags:
        """The edges that drop no protected word and whose words agree with the context."""
        fit = np.ones(len(lattice), dtype=np.bool_)
        if protected is not None:
            flags = np.concatenate([np.zeros(0, np.bool_), *protected]).astype(np.bool_)
            fit &= ~_touching(lattice, self.table, flags)
        if context is not None:
            fit &= ~_disagreeing(lattice, self.table, self.forms, context.forms)
        return fit

    def prepare(
        self,
        sentences: Sequence[Sequence[str]],
        protected: Sequence[Flags] | None = None,
        *,
        context: WordContexts | None = None,
        offers: int = BeamLimits.offers,
        cross_fit: bool = False,
    ) -> PreparedLattice:
        """Lattices and features of sentences."""
        lattice = self.lattice(sentences, protected, context=context, cross_fit=cross_fit)
        hints = predict_hints(
            self.hint_networks, lattice, self.table, self.facts(lattice), self.model, cross_fit=cross_fit
        )
        if context is not None:
            hints = replace(hints, risk=context.name, guessed=context.guessed)
        return self.with_hints(lattice, hints, offers=offers)

    def with_hints(
        self, lattice: Lattice, hints: LatticeHints, *, offers: int = BeamLimits.offers
    ) -> PreparedLattice:
        """Lattices with the features that follow from hints, and with the best rules only."""
        context = learned_features(lattice, self.table, hints)
        keep = _most_likely(lattice, context, offers)
        lattice = lattice.take(keep)
        rules = lattice.rules
        static = np.where((rules != KEEP)[:, None], self.table.features[np.maximum(rules, 0)], 0)
        if not len(self.table):
            static = np.zeros((len(rules), len(self.table.names)), np.float32)
        features = np.concatenate([static, context[keep]], axis=1)
        return PreparedLattice(
            self,
            lattice,
            features.astype(np.float32),
            replace(hints, add=hints.add[keep], gains=hints.gains[keep]),
        )

    def prepare_texts(self, texts: Sequence[SplitText], kinds: Sequence[str]) -> PreparedLattice:
        """Lattices and features of texts, with as many rules for each word as the limits allow."""
        sentences = [t.words for t in texts]
        names = self.are_names([w for s in sentences for w in s])
        context = self.read(sentences)
        flags = []
        at = 0
        for text in texts:
            mine = slice(at, at + len(text.words))
            if context is not None and ("names" not in kinds or not text.text.islower()):
                context.name[mine], context.guessed[mine] = 0, False  # capitals are more reliable
            flags.append(protected(text, kinds, names[mine], None if context is None else context.name[mine]))
            at = mine.stop
        return self.prepare(sentences, flags, context=context, offers=self.limits.offers)

    def rank(self, phrase: tuple[str, ...], weights: Weights) -> list[Ranked]:
        """The rules for a phrase, each with the mean of what it adds over five plain sentences."""
        prepared = self.prepare([(*a, *phrase, *b) for a, b in CONTEXT_TEMPLATES], offers=10_000)
        lattice = prepared.lattice
        vector = np.array([weights.get(n, 0.0) for n in self.names])
        scores = prepared.features @ vector[:-1] + vector[-1] * prepared.hints.gains
        starts = np.array([len(a) for a, _ in CONTEXT_TEMPLATES])[lattice.sentence]
        whole = (lattice.rules != KEEP) & (lattice.starts == starts) & (lattice.ends == starts + len(phrase))
        return [
            Ranked(
                self.table.text(rule)[1],
                float(scores[whole & (lattice.rules == rule)].mean()),
                self.table.origins_of(rule),
            )
            for rule in np.unique(lattice.rules[whole]).tolist()
        ]

    def save(self, folder: Path, *, evidence: bool = False) -> None:
        """Write rules, words and networks; `evidence` keeps which sentences rules come from."""
        drops = self.hint_networks.drops
        (self.table if evidence else self.table.without_evidence()).save(folder / "rules.npz")
        (drops if evidence else drops.without_evidence()).save(folder / "drops.npz")
        arrays = {**self.lexicon.arrays(), "forms": self.forms}
        for prefix, network in (
            ("drop", self.hint_networks.drop_network),
            ("add", self.hint_networks.add_network),
        ):
            arrays |= network.arrays(prefix) if network is not None else {}
        arrays |= self.context_filter.arrays() if self.context_filter is not None else {}
        write_arrays(folder / "words.npz", arrays)

    @classmethod
    def load(cls, folder: Path, model: LanguageModel) -> LatticeDecoder:
        """What `save` wrote."""
        table, drops = RuleTable.load(folder / "rules.npz"), RuleTable.load(folder / "drops.npz")
        path = folder / "words.npz"
        arrays = read_arrays(path, WORDS)
        try:
            lexicon = DifficultyLexicon.from_arrays(arrays)
            forms = arrays["forms"].astype(np.uint16)
            networks = {p: Ensemble.from_arrays(p, arrays) for p in ("drop", "add")}
            context_filter = ContextFilter.from_arrays(arrays)
        except (ValueError, KeyError):
            raise damaged(path, WORDS) from None
        if len(forms) != len(table.words):
            raise ValueError("forms of other words")
        return cls(
            table,
            model,
            lexicon,
            HintNetworks(drops, networks["drop"], networks["add"]),
            forms,
            context_filter,
        )


def _touching(lattice: Lattice, table: RuleTable, flags: Flags) -> Flags:
    """The edges that drop a flagged word."""
    rows = np.flatnonzero(lattice.rules != KEEP)
    first = lattice.batch.offsets[:-1][lattice.sentence[rows]] + lattice.starts[rows]
    bits = table.dropped[lattice.rules[rows]]
    out = np.zeros(len(lattice), dtype=np.bool_)
    for k in range(8):
        has = np.flatnonzero(bits >> k & 1)
        out[rows[has]] |= flags[first[has] + k]
    return out


def _disagreeing(lattice: Lattice, table: RuleTable, forms: NDArray[np.uint16], context: Reals) -> Flags:
    """The edges that replace a word by one that hardly has its form there (a noun for a verb)."""
    out = np.zeros(len(lattice), dtype=np.bool_)
    rows = np.flatnonzero(lattice.rules != KEEP)
    rules = lattice.rules[rows]
    single = (table.sources.lengths[rules] == 1) & (table.targets.lengths[rules] == 1)
    rows, rules = rows[single], rules[single]
    place = lattice.batch.offsets[:-1][lattice.sentence[rows]] + lattice.starts[rows]
    a, b = (p.ids[p.offsets[:-1][rules]] for p in (table.sources, table.targets))
    out[rows] = agreement(context[place], forms[a], forms[b]) < _AGREEING
    return out


def _most_likely(lattice: Lattice, context: Reals, offers: int) -> Flags:
    """The edges that keep words, and for each word the rules from it on that annotators would most likely use."""
    column = {name: k for k, name in enumerate(LEARNED_FEATURES)}
    merit = sum(context[:, column[n]] for n in ("ExpectedAny", "ExpectedJoint", "ExpectedDrops"))
    merit = merit / np.maximum(lattice.ends - lattice.starts, 1)
    keep: Flags = lattice.rules == KEEP
    rows = np.flatnonzero(~keep)
    place = lattice.batch.offsets[:-1][lattice.sentence[rows]] + lattice.starts[rows]
    order = np.lexsort((rows, -merit[rows], place))
    keep[rows[order[rank_in_group(place[order]) < offers]]] = True
    return keep
