"""The decoder of synchronous grammars: rules with nonterminals, reordering, glue.

An unchanged word can fill the nonterminals of the rules for the word itself, [CD] if it has a digit and [NNP] if it is a
name or capitalised; punctuation fills no nonterminal. Protected words match no rule's source: they stay, but may be moved
with the phrase that contains them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from ...lm import LanguageModel
from ..arrays import Flags, Floats, Ints, Reals, damaged, read_arrays, write_arrays
from ..decoding import (
    AS_IT_IS,
    CONTEXT_TEMPLATES,
    LM,
    WORDS,
    Decoder,
    Derivation,
    Hypotheses,
    Prepared,
    Ranked,
    Rewrite,
    Weights,
    lm_gains,
    reasons,
    summed,
)
from ..rules.constraints import protected
from ..rules.word_facts import DifficultyLexicon
from ..surface import OutputPiece, SplitText
from .grammar import Grammar
from .search import OUTPUT_FEATURES, ChartLimits, NBest, ScfgBatch, decode_batch

# Initial weights for tuning: few rules, those that are likely in PPDB, common words, and fluent text.
START = {
    LM: 0.5, "words": 0.3, "PhrasePenalty": -1.0, "FrequencyDiff": 0.5, "p(e|f)": -0.1, "p(f|e)": -0.1, "AGigaSim": 0.5,
}  # fmt: skip
_CLITICS = frozenset(("'s", "'"))  # part of a name's mention, but not of the name
WHOLE = 300_000  # number of rules that are indexed at once; for a larger grammar, the rules that fit a batch are indexed


@dataclass(frozen=True, eq=False)
class PreparedScfg(Prepared):
    """A batch, the rules that may fit it, and which of its words are names."""

    decoder: ScfgDecoder
    grammar: Grammar
    batch: ScfgBatch
    names: Flags

    def __len__(self) -> int:
        return len(self.grammar)

    def decode(
        self, weights: Weights, *, width: int | None = None, paths: int = 1, threads: int = 1
    ) -> ScfgHypotheses:
        """The best different outputs of each sentence."""
        limits = self.decoder.limits
        nbest = decode_batch(
            self.grammar,
            self.decoder.model,
            weights,
            self.batch,
            limits if width is None else replace(limits, pop_limit=width),
            nbest=paths,
            threads=threads,
            rule_scores=self.decoder.rule_scores(self.grammar, weights),
        )
        return ScfgHypotheses(self, nbest)


@dataclass(frozen=True, eq=False)
class ScfgHypotheses(Hypotheses):
    """The n best outputs of a batch."""

    prepared: PreparedScfg
    nbest: NBest

    @property
    def offsets(self) -> Ints:
        return self.nbest.sentences

    def features(self) -> Reals:
        """The features of each output, those of its rules first."""
        return self.nbest.features.astype(np.float32)

    def words(self) -> list[tuple[str, ...]]:
        """The words of each output."""
        return self.nbest.all_words()

    def derivation(self, hypothesis: int, source: SplitText, weights: Weights) -> Derivation:
        """An output as consecutive pieces, each including everything moved within it, and the rules used, outer ones first.

        Scores are differences from leaving every word unchanged. A rule gets the parts of its own words; the parts of the
        language model and `glue` for a piece belong to its first rule that changes something.
        """
        nbest, grammar = self.nbest, self.prepared.grammar
        words = source.words
        k = hypothesis
        sentence = int(np.searchsorted(nbest.sentences, k, side="right")) - 1
        first = int(self.prepared.batch.offsets[sentence])
        names = set(np.flatnonzero(self.prepared.names[first : first + len(words)]).tolist())
        name = -1 - grammar.label_ids.get("NNP", len(grammar.labels))
        output = nbest[sentence][k - int(nbest.sentences[sentence])].words
        places = nbest.places[nbest.word_offsets[k] : nbest.word_offsets[k + 1]].tolist()
        used = slice(nbest.rule_offsets[k], nbest.rule_offsets[k + 1])
        pieces: list[OutputPiece] = []
        applied: list[tuple[int, Rewrite | None, list[tuple[str, float]]]] = []  # piece, rewrite, parts
        replaced: list[tuple[int, int, Sequence[str]]] = []
        done = at = 0
        for rule, (start, end, begin, stop) in zip(
            nbest.rules[used].tolist(), nbest.spans[used].tolist(), strict=True
        ):
            new = output[begin:stop]
            if grammar.sources.ids[grammar.sources.offsets[rule]] == name:
                names.add(start)
            own = [
                *reasons(grammar.feature_names, grammar.features[rule], weights)[1],
                *self._own(rule, weights),
            ]
            if start >= done:  # not within the piece before
                replaced.append((start, end, new))
                own.append(("glue", weights.get("glue", 0.0) * (1 - (end - start))))
                pieces += [OutputPiece(i, i + 1, words[i : i + 1]) for i in places[at:begin]]
                pieces.append(OutputPiece(start, end, new, tuple(places[begin:stop])))
                done, at = end, stop
            rule_source, rule_target = grammar.text(rule)
            rewrite = Rewrite(
                start,
                end,
                " ".join(words[start:end]),
                " ".join(new),
                0.0,
                (grammar.origins[grammar.origin[rule]],),
                (),
                f"{rule_source} -> {rule_target}" if "[" in rule_source else "",
            )
            changes = new != words[start:end] and rule_source != rule_target
            applied.append((len(replaced) - 1, rewrite if changes else None, own))
        pieces += [OutputPiece(i, i + 1, words[i : i + 1]) for i in places[at:]]
        cased = frozenset(names)
        gains = lm_gains(words, replaced, self.prepared.decoder.model)
        return Derivation(
            [replace(p, names=cased) if p.places else p for p in pieces],
            *_scored(applied, [weights.get(LM, 0.0) * gain for gain in gains]),
        )

    def _own(self, rule: int, weights: Weights) -> list[tuple[str, float]]:
        """The part of a rule's own words in the score, minus that of copying its source's words."""
        grammar = self.prepared.grammar
        known = grammar.vocabulary.lm_words(self.prepared.decoder.model)
        before, after = (
            ids[ids >= 0]
            for ids in (
                p.ids[p.offsets[rule] : p.offsets[rule + 1]] for p in (grammar.sources, grammar.targets)
            )
        )
        unknown = int((known[after] == 0).sum()) - int((known[before] == 0).sum())
        counts = {"words": len(after) - len(before), "unknown": unknown, "copies": -len(before)}
        return [(name, weights.get(name, 0.0) * n) for name, n in counts.items()]


def _scored(
    applied: Sequence[tuple[int, Rewrite | None, list[tuple[str, float]]]], gains: Sequence[float]
) -> tuple[list[Rewrite], float]:
    """The rewrites with their scores, and the part of rules that change nothing; `gains` are the language model's, by
    piece.
    """
    rewrites: list[Rewrite] = []
    unchanged = 0.0
    left = dict(enumerate(gains))
    for piece, rewrite, parts in applied:
        if rewrite is None:
            unchanged += sum(value for _, value in parts)
            continue
        score, strongest = summed([*parts, (LM, left.pop(piece, 0.0))])
        rewrites.append(replace(rewrite, score=score, reasons=strongest))
    return rewrites, unchanged


class ScfgDecoder(Decoder):
    """A grammar and a language model, ready to decode."""

    kind = "scfg"
    start = START
    more_rewrites: ClassVar[Weights] = {"PhrasePenalty": 1.0}
    limits: ChartLimits = ChartLimits(pop_limit=30)

    def __init__(self, grammar: Grammar, model: LanguageModel, lexicon: DifficultyLexicon) -> None:
        self.grammar = grammar
        self.model = model
        self.lexicon = lexicon
        self._scores: tuple[tuple[float, ...], Floats] | None = None

    def __len__(self) -> int:
        return len(self.grammar)

    @property
    def names(self) -> tuple[str, ...]:
        """The rules' features, and those of a whole output; the language model is the last."""
        return (*self.grammar.feature_names, *OUTPUT_FEATURES)

    def are_names(self, words: Sequence[str]) -> Flags:
        """Which words are names whatever their case."""
        return self.lexicon.is_name(words)

    def prepare_texts(self, texts: Sequence[SplitText], kinds: Sequence[str]) -> PreparedScfg:
        """Texts ready to decode, in which words of these kinds are protected."""
        return self.prepare(texts, [protected(t, kinds, self.are_names(t.words)) for t in texts])

    def prepare(self, texts: Sequence[SplitText], protected_words: Sequence[Flags]) -> PreparedScfg:
        """The texts as numbers, the labels of their words if they stay, and the rules for them."""
        flat = [w for t in texts for w in t.words]
        grammar = self.grammar if len(self.grammar) <= WHOLE else self.grammar.fitting(flat)
        flags = np.concatenate([np.zeros(0, np.bool_), *protected_words]).astype(np.bool_)
        flags &= np.array([w not in _CLITICS for w in flat], dtype=np.bool_)
        alphabetic = np.array([w[:1].isalpha() for w in flat], dtype=np.bool_)
        names = (self.are_names(flat) | flags) & alphabetic
        capital = np.array([t.text[s].isupper() for t in texts for s in t.starts], dtype=np.bool_)
        batch = ScfgBatch.of(
            grammar, [t.words for t in texts], _labels(grammar, flat, names | capital), flags
        )
        return PreparedScfg(self, grammar, batch, names)

    def rule_scores(self, grammar: Grammar, weights: Weights) -> Floats:
        """The scores of a grammar's rules; those of the whole grammar are cached until the weights change."""
        if grammar is not self.grammar:
            return grammar.scores(weights)
        key = tuple(weights.get(n, 0.0) for n in grammar.feature_names)
        if self._scores is None or self._scores[0] != key:
            self._scores = key, grammar.scores(weights)
        return self._scores[1]

    def rank(self, phrase: tuple[str, ...], weights: Weights) -> list[Ranked]:
        """The rules for just these words, and copying them; the language model's part is the mean over five sentences."""
        grammar, numbers = self.grammar, self.grammar.vocabulary.numbers
        own = {name: weights.get(name, 0.0) for name in OUTPUT_FEATURES}
        copying = self._of_words(phrase, own) + (own["glue"] + own["copies"]) * len(phrase)
        best = {" ".join(phrase): Ranked(" ".join(phrase), copying, AS_IT_IS)}
        if not phrase or not all(w in numbers for w in phrase):
            return list(best.values())
        rows = np.flatnonzero(grammar.sources.lengths == len(phrase))
        for k, word in enumerate(phrase):
            rows = rows[grammar.sources.ids[grammar.sources.offsets[:-1][rows] + k] == numbers[word]]
        part = grammar.subset(rows)
        scores = part.scores(weights)
        before = self._in_sentences(phrase)
        for k in range(len(part)):
            target = part.text(k)[1]
            words = tuple(target.split())
            lm = own[LM] * (self._in_sentences(words) - before)
            score = float(scores[k]) + self._of_words(words, own) + own["glue"] + lm
            if target not in best or best[target].score < score:
                best[target] = Ranked(target, score, (part.origins[part.origin[k]],), lm)
        return list(best.values())

    def _of_words(self, words: tuple[str, ...], own: Weights) -> float:
        """The part of words in a score, whatever rule they belong to."""
        unknown = int((self.model.ids(words) == 0).sum()) if words else 0
        return own["words"] * len(words) + own["unknown"] * unknown

    def _in_sentences(self, words: tuple[str, ...]) -> float:
        """The mean log10 P of plain sentences with these words in them."""
        texts = [" ".join((*a, *words, *b)) for a, b in CONTEXT_TEMPLATES]
        return float(self.model.score(texts).mean())

    def save(self, folder: Path, *, evidence: bool = False) -> None:
        """Write the grammar and the words' facts; rules have no evidence."""
        self.grammar.save(folder / "grammar.npz")
        write_arrays(folder / "words.npz", self.lexicon.arrays())

    @classmethod
    def load(cls, folder: Path, model: LanguageModel) -> ScfgDecoder:
        """What `save` wrote."""
        path = folder / "words.npz"
        try:
            lexicon = DifficultyLexicon.from_arrays(read_arrays(path, WORDS))
        except KeyError:
            raise damaged(path, WORDS) from None
        return cls(Grammar.load(folder / "grammar.npz"), model, lexicon)


def _labels(grammar: Grammar, words: Sequence[str], names: Flags) -> list[list[int]]:
    """The labels that each word may have when it stays."""
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
        # A mark that is moved would be separated from its partner.
        marks = not any(map(str.isalnum, word))
        out.append([grammar.no_label] if marks else sorted(of_word))
    return out
