"""The lattice of phrases: outputs that score best under weights for rules, for context and for the language model.

    score(output) = sum over its rules of weights . features + weight of "lm" * log10 P(output)

The search is monotone; paths give the rules they use, so that a change of weights is a matrix product.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ... import kernels
from ...errors import InputError
from ...kernels import Ints
from ...lm import LanguageModel
from ..decoding import CARRIERS, DAMAGED, LM, Ranked, Rewrite, read_arrays, reasons, write_arrays
from ..learned.context_filter import Context, Reader, Vocabulary, agreement
from ..learned.hints import CONTEXT, Advice, Advisor, advise, context_features, lattice_arrays
from ..learned.network import Committee
from ..rules.constraints import protected
from ..rules.table import RuleTable
from ..rules.word_facts import Lexicon, WordFacts
from ..surface import Piece, Words
from .lattice import KEEP, Lattice, build_lattice

Reals = NDArray[np.float32]
Flags = NDArray[np.bool_]

# Where tuning begins: rewrite what annotators probably would, and prefer fluent text.
START = {
    LM: 0.3, "Rewrites": -2.0, "ExpectedJoint": 4.0, "ExpectedAny": 1.0, "ExpectedDrops": 2.0, "Dropped": -0.7,
}  # fmt: skip
_AGREEING = 0.1  # how likely a word must stand in a form that its substitute can have


@dataclass(frozen=True)
class Search:
    """How hard to look."""

    beam: int = 30  # hypotheses kept after each word
    threshold: float = 12.0  # how far behind the best one they may be
    offers: int = 12  # rules kept that begin at a word


@dataclass(frozen=True, eq=False)
class Prepared:
    """Lattices of sentences with the features of their edges."""

    lattice: Lattice
    features: Reals
    advice: Advice

    def __len__(self) -> int:
        return len(self.lattice)


@dataclass(frozen=True, eq=False)
class Hypotheses:
    """Outputs of a batch, best first: those of sentence i are offsets[i]..offsets[i + 1]."""

    prepared: Prepared
    vocabulary: Sequence[str]
    offsets: Ints
    lm: NDArray[np.float64]
    path_offsets: Ints
    edges: Ints

    def __len__(self) -> int:
        return len(self.lm)

    @property
    def sentence(self) -> Ints:
        """The sentence of each hypothesis."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

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

    def texts(self) -> list[str]:
        """The words of each hypothesis with spaces between."""
        return [" ".join(w) for w in self.words()]

    def words(self) -> list[tuple[str, ...]]:
        """The words of each hypothesis."""
        vocabulary = self.vocabulary
        lattice = self.prepared.lattice
        others = lattice.batch.others
        known = len(vocabulary)
        flat = lattice.targets.take(self.edges)
        ends = np.concatenate([[0], np.cumsum(flat.lengths)])[self.path_offsets].tolist()
        text = [vocabulary[w] if w < known else others[w - known] for w in flat.ids.tolist()]
        return [tuple(text[a:b]) for a, b in pairwise(ends)]


class LatticeDecoder:
    """Rules, a language model and advice, ready to decode."""

    kind = "lattice"
    default_search = Search()

    def __init__(
        self,
        table: RuleTable,
        model: LanguageModel,
        lexicon: Lexicon,
        advisor: Advisor,
        forms: NDArray[np.uint16] | None = None,
        reader: Reader | None = None,
    ) -> None:
        self.table = table
        self.model = model
        self.lexicon = lexicon
        self.advisor = advisor
        self.forms = np.zeros(len(table.words), np.uint16) if forms is None else forms
        self.reader = reader
        self._facts = WordFacts.of(table.words, model, lexicon, self.forms)
        self.start = START
        self.bolder = {"Rewrites": 1.0}

    def __len__(self) -> int:
        return len(self.table)

    @property
    def names(self) -> tuple[str, ...]:
        """The features, in the order of the columns; the language model is the last."""
        return (*self.table.names, *CONTEXT, LM)

    def names_among(self, words: Sequence[str]) -> Flags:
        """Which words are names whatever their case."""
        return self.lexicon.is_name(words)

    @property
    def vocabulary(self) -> Vocabulary:
        """What is known of words."""
        return Vocabulary(self.table, self.forms, self.lexicon, self.model)

    def read(self, sentences: Sequence[Sequence[str]]) -> Context | None:
        """The words of sentences in their place, if the model can read."""
        return None if self.reader is None else self.reader(sentences, self.vocabulary)

    def facts(self, lattice: Lattice) -> WordFacts:
        """Facts of all words of a batch."""
        return self._facts.followed_by(WordFacts.of(lattice.batch.others, self.model, self.lexicon))

    def lattice(
        self,
        sentences: Sequence[Sequence[str]],
        protected: Sequence[Flags] | None = None,
        *,
        context: Context | None = None,
        cross_fit: bool = False,
    ) -> Lattice:
        """The lattice of sentences, without the rules that drop a protected word or do not agree with the context."""
        lattice = build_lattice(sentences, self.table, self.model, cross_fit=cross_fit)
        return lattice.take(self.fitting(lattice, protected, context))

    def fitting(self, lattice: Lattice, protected: Sequence[Flags] | None, context: Context | None) -> Flags:
        """The edges that drop no protected word and put no word where its forms cannot stand."""
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
        context: Context | None = None,
        offers: int = Search.offers,
        cross_fit: bool = False,
    ) -> Prepared:
        """Lattices and features of sentences."""
        lattice = self.lattice(sentences, protected, context=context, cross_fit=cross_fit)
        advice = advise(
            self.advisor, lattice, self.table, self.facts(lattice), self.model, cross_fit=cross_fit
        )
        if context is not None:
            advice = replace(advice, risk=context.name, guessed=context.guessed)
        return self.with_advice(lattice, advice, offers=offers)

    def with_advice(self, lattice: Lattice, advice: Advice, *, offers: int = Search.offers) -> Prepared:
        """Lattices with the features that follow from advice, and with the best rules only."""
        context = context_features(lattice, self.table, advice)
        keep = _most_likely(lattice, context, offers)
        lattice = lattice.take(keep)
        rules = lattice.rules
        static = np.where((rules != KEEP)[:, None], self.table.features[np.maximum(rules, 0)], 0)
        if not len(self.table):
            static = np.zeros((len(rules), len(self.table.names)), np.float32)
        features = np.concatenate([static, context[keep]], axis=1)
        return Prepared(
            lattice,
            features.astype(np.float32),
            replace(advice, add=advice.add[keep], gains=advice.gains[keep]),
        )

    def decode(
        self,
        prepared: Prepared,
        weights: Mapping[str, float],
        search: Search | None = None,
        *,
        paths: int = 1,
        threads: int = 1,
    ) -> Hypotheses:
        """The best different outputs of each sentence."""
        search = search or Search()
        vector = np.array([weights.get(n, 0.0) for n in self.names])
        scores = prepared.features @ vector[:-1]
        sentences, _, lm, offsets, edges = kernels.best_paths(
            self.model.native,
            float(vector[-1]),
            lattice_arrays(prepared.lattice, scores),
            beam=search.beam,
            threshold=search.threshold,
            paths=paths,
            threads=threads,
        )
        return Hypotheses(prepared, self.table.words, sentences, lm, offsets, edges)

    def search(self, width: int) -> Search:
        """A search with a beam of this width."""
        return Search(beam=width)

    def prepare_for(self, texts: Sequence[Words], kinds: Sequence[str], search: Search) -> Prepared:
        """Lattices and features of texts, with as many rules for a word as the search takes."""
        sentences = [t.words for t in texts]
        names = self.names_among([w for s in sentences for w in s])
        context = self.read(sentences)
        flags = []
        at = 0
        for text in texts:
            mine = slice(at, at + len(text.words))
            if context is not None and ("names" not in kinds or not text.text.islower()):
                context.name[mine], context.guessed[mine] = 0, False  # capitals tell more
            flags.append(protected(text, kinds, names[mine], None if context is None else context.name[mine]))
            at = mine.stop
        return self.prepare(sentences, flags, context=context, offers=search.offers)

    def rewriting(
        self, words: Words, found: Hypotheses, sentence: int, weights: Mapping[str, float]
    ) -> tuple[list[Piece], list[Rewrite]]:
        """The best path of a sentence as pieces of the source, and the rules on it."""
        lattice = found.prepared.lattice
        known, others = self.table.words, lattice.batch.others
        pieces = []
        rewrites = []
        for edge in found.path(int(found.offsets[sentence])).tolist():
            start, end = int(lattice.starts[edge]), int(lattice.ends[edge])
            rule = int(lattice.rules[edge])
            if rule == KEEP:
                pieces.append(Piece(start, end, words.words[start:end]))
                continue
            ids = lattice.targets.ids[lattice.targets.offsets[edge] : lattice.targets.offsets[edge + 1]]
            new = tuple(known[w] if w < len(known) else others[w - len(known)] for w in ids)
            score, why = reasons(self.names, found.prepared.features[edge], weights)
            source = " ".join(words.words[start:end])
            rewrites.append(Rewrite(start, end, source, " ".join(new), score, self._origins(rule), why))
            pieces.append(Piece(start, end, new))
        return pieces, rewrites

    def rank(self, phrase: tuple[str, ...], weights: Mapping[str, float]) -> list[Ranked]:
        """The rules for a phrase, each with the mean of what it adds over five plain sentences."""
        prepared = self.prepare([(*a, *phrase, *b) for a, b in CARRIERS], offers=10_000)
        lattice = prepared.lattice
        vector = np.array([weights.get(n, 0.0) for n in self.names])
        scores = prepared.features @ vector[:-1] + vector[-1] * prepared.advice.gains
        starts = np.array([len(a) for a, _ in CARRIERS])[lattice.sentence]
        whole = (lattice.rules != KEEP) & (lattice.starts == starts) & (lattice.ends == starts + len(phrase))
        return [
            Ranked(
                self.table.text(rule)[1],
                float(scores[whole & (lattice.rules == rule)].mean()),
                self._origins(rule),
            )
            for rule in np.unique(lattice.rules[whole]).tolist()
        ]

    def save(self, folder: Path, *, evidence: bool = False) -> None:
        """Write rules, words and networks; `evidence` keeps which sentences rules come from."""
        drops = self.advisor.drops
        (self.table if evidence else self.table.without_evidence()).save(folder / "rules.npz")
        (drops if evidence else drops.without_evidence()).save(folder / "drops.npz")
        arrays = {**self.lexicon.arrays(), "forms": self.forms}
        for prefix, network in (("drop", self.advisor.drop_network), ("add", self.advisor.add_network)):
            arrays |= network.arrays(prefix) if network is not None else {}
        arrays |= self.reader.arrays() if self.reader is not None else {}
        write_arrays(folder / "words.npz", arrays)

    @classmethod
    def load(cls, folder: Path, model: LanguageModel) -> LatticeDecoder:
        """What `save` wrote."""
        table, drops = RuleTable.load(folder / "rules.npz"), RuleTable.load(folder / "drops.npz")
        path = folder / "words.npz"
        arrays = read_arrays(path)
        try:
            lexicon = Lexicon.from_arrays(arrays)
            forms = arrays["forms"].astype(np.uint16)
            networks = {p: Committee.from_arrays(p, arrays) for p in ("drop", "add")}
            reader = Reader.from_arrays(arrays)
        except (ValueError, KeyError):
            raise InputError(DAMAGED.format(path)) from None
        if len(forms) != len(table.words):
            raise ValueError("forms of other words")
        return cls(table, model, lexicon, Advisor(drops, networks["drop"], networks["add"]), forms, reader)

    def _origins(self, rule: int) -> tuple[str, ...]:
        return tuple(n for b, n in enumerate(self.table.origins) if self.table.origin[rule] >> b & 1)


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
    """The edges that put one word for another whose form it can hardly have there (a noun for a verb)."""
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
    column = {name: k for k, name in enumerate(CONTEXT)}
    merit = sum(context[:, column[n]] for n in ("ExpectedAny", "ExpectedJoint", "ExpectedDrops"))
    merit = merit / np.maximum(lattice.ends - lattice.starts, 1)
    keep: Flags = lattice.rules == KEEP
    rows = np.flatnonzero(~keep)
    place = lattice.batch.offsets[:-1][lattice.sentence[rows]] + lattice.starts[rows]
    order = np.lexsort((rows, -merit[rows], place))
    sorted_place = place[order]
    rank = np.arange(len(order)) - np.searchsorted(sorted_place, sorted_place, "left")
    keep[rows[order[rank < offers]]] = True
    return keep
