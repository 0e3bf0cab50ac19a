"""The lattice decoder: finds the best outputs by weights for rules, hints and the language model.

    score(output) = sum over its rules of weights . features + weight of "lm" * log10 P(output)

The search is monotone; paths keep the rules they use, so that rescoring with other weights is a matrix product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...lm import LanguageModel
from ..arrays import Flags, Reals, damaged, rank_in_group, read_arrays, write_arrays
from ..decoding import (
    AS_IT_IS,
    CONTEXT_TEMPLATES,
    LM,
    WORDS,
    Decoder,
    Ranked,
    SearchLimits,
    Weights,
)
from ..learned.context_filter import ContextFilter, KnownWords, WordContexts, agreement
from ..learned.hints import (
    LEARNED_FEATURES,
    HintNetworks,
    LatticeHints,
    form_bits,
    learned_features,
    predict_hints,
)
from ..learned.network import Ensemble
from ..plain.conditions import PhraseConditions, Place
from ..rules.constraints import protected
from ..rules.table import RuleTable
from ..rules.word_facts import TAGS, DifficultyLexicon, WordFacts
from ..surface import SplitText
from .hypotheses import PreparedLattice
from .lattice import KEEP, Lattice, build_lattice

# Initial weights for tuning: make the rewrites that annotators would probably make, and prefer fluent text.
START = {
    LM: 0.3, "Rewrites": -2.0, "ExpectedJoint": 4.0, "ExpectedAny": 1.0, "ExpectedDrops": 2.0, "Dropped": -0.7,
}  # fmt: skip
_UNSEEN = 1e-3  # probability of a form that the context filter does not expect
_AGREEING = 0.1  # lowest probability that a word has a form that its replacement can have


@dataclass(frozen=True)
class BeamLimits(SearchLimits):
    """Beam-search limits."""

    beam: int = 30  # hypotheses kept after each word
    threshold: float = 12.0  # largest difference from the best one
    offers: int = 12  # rules kept that begin at a word


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
        conditions: PhraseConditions | None = None,
    ) -> None:
        self.table = table
        self.model = model
        self.lexicon = lexicon
        self.hint_networks = hint_networks
        self.forms = np.zeros(len(table.words), np.uint16) if forms is None else forms
        self.context_filter = context_filter
        self.conditions = conditions or PhraseConditions()
        self._conditions = self.conditions.of_rules(table)
        self._facts = WordFacts.of(table.words, model, lexicon, self.forms)

    def __len__(self) -> int:
        return len(self.table)

    @property
    def names(self) -> tuple[str, ...]:
        """The features, in the order of the columns; the language model is the last."""
        return (*self.table.names, *LEARNED_FEATURES, LM)

    def are_names(self, words: Sequence[str]) -> Flags:
        """Whether words are names whatever their case."""
        return self.lexicon.is_name(words)

    @property
    def vocabulary(self) -> KnownWords:
        """The decoder's information about words."""
        return KnownWords(self.table, self.forms, self.lexicon, self.model)

    def read(self, sentences: Sequence[Sequence[str]]) -> WordContexts | None:
        """Names and forms of the words of sentences in context, if there is a context filter."""
        return None if self.context_filter is None else self.context_filter(sentences, self.vocabulary)

    def forms_of(self, sentences: Sequence[Sequence[str]]) -> WordContexts | None:
        """Variant of `read` without names."""
        return (
            None
            if self.context_filter is None
            else self.context_filter.only_forms(sentences, self.vocabulary)
        )

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
        if self._conditions:
            fit &= ~self._out_of_place(lattice, self._possible_forms(lattice, context))
        return fit

    def _possible_forms(self, lattice: Lattice, context: WordContexts | None) -> Reals:
        """The probabilities of the forms that each word can have."""
        known = np.append(self.forms, np.uint16(0))
        own = form_bits(known[np.minimum(lattice.batch.ids, len(self.forms))])
        past, participle = TAGS.index("VBD"), TAGS.index("VBN")
        # The lists of forms have participles for irregular verbs only.
        own[:, participle] = np.maximum(own[:, participle], own[:, past])
        told = np.ones_like(own) if context is None else context.forms
        likely = (told + _UNSEEN) * own
        total = likely.sum(axis=1, keepdims=True)
        result: Reals = np.where(total > 0, likely / np.maximum(total, _UNSEEN), told)
        return result

    def _out_of_place(self, lattice: Lattice, forms: Reals) -> Flags:
        """The edges whose rules have conditions that do not hold at their place."""
        out = np.zeros(len(lattice), dtype=np.bool_)
        sentence, offsets = lattice.sentence, lattice.batch.offsets
        for edge in np.flatnonzero(lattice.rules != KEEP).tolist():
            conditions = self._conditions.get(int(lattice.rules[edge]))
            if conditions is None:
                continue
            words = lattice.batch.sentences[sentence[edge]]
            first = int(offsets[sentence[edge]])
            mine = forms[first : first + len(words)]
            place = Place(words, int(lattice.starts[edge]), int(lattice.ends[edge]), mine)
            out[edge] = not any(condition.holds(place) for condition in conditions)
        return out

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
        """The lattice with the features that depend on hints, and with the best rules only."""
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
                context.name[mine], context.guessed[mine] = (
                    0,
                    False,
                )  # capitals are more reliable than predicted names
            flags.append(protected(text, kinds, names[mine], None if context is None else context.name[mine]))
            at = mine.stop
        return self.prepare(sentences, flags, context=context, offers=self.limits.offers)

    def rank(self, phrase: tuple[str, ...], weights: Weights) -> list[Ranked]:
        """The rules for a phrase, each with the mean of its effect on the score in five plain sentences."""
        prepared = self.prepare([(*a, *phrase, *b) for a, b in CONTEXT_TEMPLATES], offers=10_000)
        lattice = prepared.lattice
        vector = np.array([weights.get(n, 0.0) for n in self.names])
        gains = vector[-1] * prepared.hints.gains
        scores = prepared.features @ vector[:-1] + gains
        starts = np.array([len(a) for a, _ in CONTEXT_TEMPLATES])[lattice.sentence]
        whole = (lattice.rules != KEEP) & (lattice.starts == starts) & (lattice.ends == starts + len(phrase))
        ranked = [Ranked(" ".join(phrase), 0.0, AS_IT_IS)]
        for rule in np.unique(lattice.rules[whole]).tolist():
            edges = whole & (lattice.rules == rule)
            score, lm = float(scores[edges].mean()), float(gains[edges].mean())
            ranked.append(Ranked(self.table.text(rule)[1], score, self.table.origins_of(rule), lm))
        return ranked

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
        arrays |= self.conditions.arrays()
        write_arrays(folder / "words.npz", arrays)

    @classmethod
    def load(cls, folder: Path, model: LanguageModel) -> LatticeDecoder:
        """Load a decoder that `save` wrote."""
        table, drops = RuleTable.load(folder / "rules.npz"), RuleTable.load(folder / "drops.npz")
        path = folder / "words.npz"
        arrays = read_arrays(path, WORDS)
        try:
            lexicon = DifficultyLexicon.from_arrays(arrays)
            forms = arrays["forms"].astype(np.uint16)
            networks = {p: Ensemble.from_arrays(p, arrays) for p in ("drop", "add")}
            context_filter = ContextFilter.from_arrays(arrays)
            conditions = PhraseConditions.from_arrays(arrays)
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
            conditions,
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
    """The edges that replace a word with one that is unlikely to have its form (a noun for a verb)."""
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
    """The edges that keep words, and for each word the most likely rules that begin with it."""
    column = {name: k for k, name in enumerate(LEARNED_FEATURES)}
    merit = sum(context[:, column[n]] for n in ("ExpectedAny", "ExpectedJoint", "ExpectedDrops"))
    merit = merit / np.maximum(lattice.ends - lattice.starts, 1)
    keep: Flags = lattice.rules == KEEP
    rows = np.flatnonzero(~keep)
    place = lattice.batch.offsets[:-1][lattice.sentence[rows]] + lattice.starts[rows]
    order = np.lexsort((rows, -merit[rows], place))
    keep[rows[order[rank_in_group(place[order]) < offers]]] = True
    return keep
