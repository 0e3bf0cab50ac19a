"""Building a simplifier: rules, language model and references in, a decoder with fitted advice and tuned weights out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from ...data import Corpus
from ...errors import InputError
from ...lm import LanguageModel
from ..learned.hints import Advisor
from ..rules.building import RuleSource, build_table
from ..rules.constraints import allowed, wordnet_antonyms
from ..rules.features import Vectors, rule_features
from ..rules.forms import Forms
from ..rules.sources import thinned, wordnet_names, worth_keeping
from ..rules.word_facts import Lexicon, WordFacts
from .decoder import LatticeDecoder, Prepared
from .fitting import Fitted, Progress, References, Sentence, fit_advice


@dataclass(frozen=True)
class Ratings:
    """How hard people find words; see `Lexicon`."""

    words: Sequence[str] = ()
    difficulty: Sequence[float] = ()


def build_decoder(
    rules: Sequence[RuleSource],
    drops: Sequence[RuleSource],
    model: LanguageModel,
    *,
    ratings: Ratings | None = None,
    names: Collection[str] = (),
    antonyms: Collection[tuple[str, str]] = (),
    vectors: Vectors | None = None,
    most: int = 15,
) -> LatticeDecoder:
    """A decoder of all rules that pass the guards; its advice is not fitted yet."""
    if not any(len(source.pairs) for source in rules):
        raise InputError("no rules to build a simplifier from.")
    ratings = ratings or Ratings()
    vocabulary = sorted({w for s in rules for f, e in s.pairs for w in (*f, *e)})
    lexicon = (
        Lexicon.fit(ratings.words, ratings.difficulty, [*names, *wordnet_names(vocabulary)], model)
        if ratings.words
        else Lexicon.empty(wordnet_names(vocabulary))
    )
    kept = [s if s.extracted is not None else worth_keeping(s, model, lexicon, most=most) for s in rules]
    table = build_table(kept)
    facts = WordFacts.of(table.words, model, lexicon)
    table = rule_features(table, facts, Forms.of(table.words), vectors)
    opposite = {*antonyms, *wordnet_antonyms(table.words)}
    table = table.subset(np.flatnonzero(allowed(table, facts, opposite)))
    table = thinned(table)
    if not len(table):
        raise InputError("no rule passes the guards; nothing to build a simplifier from.")
    return LatticeDecoder(table, model, lexicon, Advisor(build_table(drops)), Forms.of(table.words).bits)


def fit(
    decoder: LatticeDecoder,
    sentences: Sequence[Sentence],
    references: References,
    others: References | None = None,
    *,
    seed: int = 1,
    members: int = 1,
    progress: Progress = lambda _: None,
) -> tuple[LatticeDecoder, Prepared, Fitted]:
    """The decoder with advice for new text, and the sentences themselves prepared with cross-fitted advice."""
    fitted = fit_advice(
        decoder,
        sentences,
        references,
        others,
        np.random.default_rng(seed),
        members=members,
        progress=progress,
    )
    ready = LatticeDecoder(decoder.table, decoder.model, decoder.lexicon, fitted.advisor, decoder.forms)
    return ready, ready.with_advice(fitted.lattice, fitted.advice), fitted


def tuning_corpus(sentences: Sequence[Sentence], references: References) -> Corpus:
    """A corpus of words between spaces, as the decoder writes them."""
    texts = [" ".join(s) for s in sentences]
    return Corpus(texts, texts, [[" ".join(r) for r in of_one] for of_one in references])
