"""The decoder of synchronous grammars as tuning and simplifying use it: rules with nonterminals, reordering, glue.

A word that stays may fill the nonterminals that rules for the word itself are of, [CD] if it has a digit and [NNP] if it
is a name or has a capital; marks fill no nonterminal. Protected words are in no rule's source: they stay, but may be moved with the phrase that they are in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ...errors import InputError
from ...kernels import Ints
from ...lm import LanguageModel
from ..decoding import (
    CARRIERS,
    DAMAGED,
    LM,
    Flags,
    Ranked,
    Reals,
    Rewrite,
    read_arrays,
    reasons,
    write_arrays,
)
from ..rules.constraints import protected
from ..rules.word_facts import Lexicon
from ..surface import Piece, Words
from .grammar import Floats, Grammar
from .search import OWN, Batch, Limits, NBest, decode_batch

# Where tuning begins: few rules, those that PPDB thinks likely, common words, and fluent text.
START = {
    LM: 0.5, "words": 0.3, "PhrasePenalty": -1.0, "FrequencyDiff": 0.5, "p(e|f)": -0.1, "p(f|e)": -0.1, "AGigaSim": 0.5,
}  # fmt: skip
_CLITICS = frozenset(("'s", "'"))  # part of a name's mention, but not of the name
WHOLE = 300_000  # rules that are indexed once; of a larger grammar, those that fit a batch


@dataclass(frozen=True, eq=False)
class Prepared:
    """A batch, the rules that may fit it, and which of its words are names."""

    grammar: Grammar
    batch: Batch
    names: Flags

    def __len__(self) -> int:
        return len(self.grammar)


@dataclass(frozen=True, eq=False)
class Hypotheses:
    """The n best outputs of a batch."""

    prepared: Prepared
    nbest: NBest

    @property
    def offsets(self) -> Ints:
        return self.nbest.sentences

    @property
    def sentence(self) -> Ints:
        """The sentence of each output."""
        return np.repeat(np.arange(len(self.nbest)), np.diff(self.offsets))

    def features(self) -> Reals:
        """The features of each output, those of its rules first."""
        return self.nbest.features.astype(np.float32)

    def texts(self) -> list[str]:
        """The outputs' words with spaces between."""
        return [" ".join(w) for w in self.nbest.all_words()]


class ScfgDecoder:
    """A grammar and a language model, ready to decode."""

    kind = "scfg"
    default_search = Limits(pop_limit=30)
    start = START
    bolder: Mapping[str, float] = {"PhrasePenalty": 1.0}

    def __init__(self, grammar: Grammar, model: LanguageModel, lexicon: Lexicon) -> None:
        self.grammar = grammar
        self.model = model
        self.lexicon = lexicon
        self._scores: tuple[tuple[float, ...], Floats] | None = None

    def __len__(self) -> int:
        return len(self.grammar)

    @property
    def names(self) -> tuple[str, ...]:
        """The rules' features, and those of a whole output; the language model is the last."""
        return (*self.grammar.feature_names, *OWN)

    def names_among(self, words: Sequence[str]) -> Flags:
        """Which words are names whatever their case."""
        return self.lexicon.is_name(words)

    def search(self, width: int) -> Limits:
        """Limits that look at so many hypotheses for a span."""
        return replace(self.default_search, pop_limit=width)

    def prepare_for(self, texts: Sequence[Words], kinds: Sequence[str], search: Limits) -> Prepared:
        """Texts ready to decode, those words protected that are of these kinds."""
        return self.prepare(texts, [protected(t, kinds, self.names_among(t.words)) for t in texts])

    def prepare(self, texts: Sequence[Words], kept: Sequence[Flags]) -> Prepared:
        """The texts as numbers, what their words may be when they stay, and the rules for them."""
        flat = [w for t in texts for w in t.words]
        grammar = self.grammar if len(self.grammar) <= WHOLE else self.grammar.fitting(flat)
        flags = np.concatenate([np.zeros(0, np.bool_), *kept]).astype(np.bool_)
        flags &= np.array([w not in _CLITICS for w in flat], dtype=np.bool_)
        alphabetic = np.array([w[:1].isalpha() for w in flat], dtype=np.bool_)
        names = (self.names_among(flat) | flags) & alphabetic
        capital = np.array([t.text[s].isupper() for t in texts for s in t.starts], dtype=np.bool_)
        batch = Batch.of(grammar, [t.words for t in texts], _labels(grammar, flat, names | capital), flags)
        return Prepared(grammar, batch, names)

    def decode(
        self,
        prepared: Prepared,
        weights: Mapping[str, float],
        search: Limits | None = None,
        *,
        paths: int = 1,
        threads: int = 1,
    ) -> Hypotheses:
        """The best different outputs of each sentence."""
        found = decode_batch(
            prepared.grammar,
            self.model,
            weights,
            prepared.batch,
            search or self.default_search,
            nbest=paths,
            threads=threads,
            rule_scores=self._rule_scores(prepared.grammar, weights),
        )
        return Hypotheses(prepared, found)

    def _rule_scores(self, grammar: Grammar, weights: Mapping[str, float]) -> Floats:
        if grammar is not self.grammar:
            return grammar.scores(weights)
        key = tuple(weights.get(n, 0.0) for n in grammar.feature_names)
        if self._scores is None or self._scores[0] != key:
            self._scores = key, grammar.scores(weights)
        return self._scores[1]

    def rewriting(
        self, words: Words, found: Hypotheses, sentence: int, weights: Mapping[str, float]
    ) -> tuple[list[Piece], list[Rewrite]]:
        """The best output as pieces side by side, each with all that was moved in it, and the rules used, outer ones first."""
        nbest, grammar = found.nbest, found.prepared.grammar
        first = int(found.prepared.batch.offsets[sentence])
        names = set(np.flatnonzero(found.prepared.names[first : first + len(words.words)]).tolist())
        name = -1 - grammar.label_ids.get("NNP", len(grammar.labels))
        k = int(nbest.sentences[sentence])
        output = nbest[sentence][0].words
        places = nbest.places[nbest.word_offsets[k] : nbest.word_offsets[k + 1]].tolist()
        used = slice(nbest.rule_offsets[k], nbest.rule_offsets[k + 1])
        pieces: list[Piece] = []
        rewrites = []
        done = at = 0
        for rule, (start, end, begin, stop) in zip(
            nbest.rules[used].tolist(), nbest.spans[used].tolist(), strict=True
        ):
            new = output[begin:stop]
            if grammar.sources.ids[grammar.sources.offsets[rule]] == name:
                names.add(start)
            if start >= done:  # not within the piece before
                pieces += [Piece(i, i + 1, words.words[i : i + 1]) for i in places[at:begin]]
                pieces.append(Piece(start, end, new, tuple(places[begin:stop])))
                done, at = end, stop
            source, target = grammar.text(rule)
            if new != words.words[start:end] and source != target:
                score, why = reasons(grammar.feature_names, grammar.features[rule], weights)
                written = f"{source} -> {target}" if "[" in source else ""
                rewrites.append(
                    Rewrite(
                        start,
                        end,
                        " ".join(words.words[start:end]),
                        " ".join(new),
                        score,
                        (grammar.origins[grammar.origin[rule]],),
                        why,
                        written,
                    )
                )
        pieces += [Piece(i, i + 1, words.words[i : i + 1]) for i in places[at:]]
        kept = frozenset(names)
        return [replace(p, names=kept) if p.places else p for p in pieces], rewrites

    def rank(self, phrase: tuple[str, ...], weights: Mapping[str, float]) -> list[Ranked]:
        """The rules for just these words, against leaving them; the language model's part is the mean over five sentences."""
        grammar, numbers = self.grammar, self.grammar.vocabulary.numbers
        if not phrase or not all(w in numbers for w in phrase):
            return []
        rows = np.flatnonzero(grammar.sources.lengths == len(phrase))
        for k, word in enumerate(phrase):
            rows = rows[grammar.sources.ids[grammar.sources.offsets[:-1][rows] + k] == numbers[word]]
        part = grammar.subset(rows)
        own = {name: weights.get(name, 0.0) for name in OWN}
        scores = part.scores(weights)
        before = self._in_sentences(phrase, own)
        best: dict[str, Ranked] = {}
        for k in range(len(part)):
            target = part.text(k)[1]
            gain = self._in_sentences(tuple(target.split()), own) - before
            score = float(scores[k] + gain + own["glue"] * (1 - len(phrase)) - own["copies"] * len(phrase))
            origin = (part.origins[part.origin[k]],)
            if target != " ".join(phrase) and (target not in best or best[target].score < score):
                best[target] = Ranked(target, score, origin)
        return list(best.values())

    def _in_sentences(self, words: tuple[str, ...], own: Mapping[str, float]) -> float:
        texts = [" ".join((*a, *words, *b)) for a, b in CARRIERS]
        unknown = int((self.model.ids(words) == 0).sum()) if words else 0
        log = float(self.model.score(texts).mean())
        return own[LM] * log + own["words"] * len(words) + own["unknown"] * unknown

    def save(self, folder: Path, *, evidence: bool = False) -> None:
        """Write the grammar and the words' facts; rules have no evidence."""
        self.grammar.save(folder / "grammar.npz")
        write_arrays(folder / "words.npz", self.lexicon.arrays())

    @classmethod
    def load(cls, folder: Path, model: LanguageModel) -> ScfgDecoder:
        """What `save` wrote."""
        path = folder / "words.npz"
        try:
            lexicon = Lexicon.from_arrays(read_arrays(path))
        except KeyError:
            raise InputError(DAMAGED.format(path)) from None
        return cls(Grammar.load(folder / "grammar.npz"), model, lexicon)


def _labels(grammar: Grammar, words: Sequence[str], names: Flags) -> list[list[int]]:
    """What each word may be when it stays."""
    labels, offsets = grammar.copied_as
    numbers = grammar.vocabulary.numbers
    name, number = grammar.label_ids.get("NNP", 0), grammar.label_ids.get("CD", 0)
    out = []
    for word, is_name in zip(words, names.tolist(), strict=True):
        k = numbers.get(word, -1)
        of_word = {0, *labels[offsets[k] : offsets[k + 1]].tolist()} if k >= 0 else {0}
        if is_name:
            of_word.add(name)
        if any(map(str.isdigit, word)):
            of_word.add(number)
        # A mark that is put elsewhere leaves its partner behind.
        marks = not any(map(str.isalnum, word))
        out.append([grammar.no_label] if marks else sorted(of_word))
    return out
