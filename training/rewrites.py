"""Build the rules of the default simplifier and its estimate of how likely a rewrite is right.

    python -m training.rewrites DATA [--output FOLDER] [--judgements FILE] [--report]

Rules are our own phrases (simplifier/plain/phrases.txt) and word pairs of PPDB that people chose when they simplified:
annotators of TurkCorpus tune, ASSET valid and SWiPE. Language model, difficulty of words and context filter are those of the
default model as it stands. `phrases` alone rebuilds what follows from the list, without the data.
"""

from __future__ import annotations

import argparse
import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import plainmark as pm
from plainmark.simplifier.lattice.decoder import LatticeDecoder
from plainmark.simplifier.learned.hints import HintNetworks
from plainmark.simplifier.model import BUILT_IN, Simplifier
from plainmark.simplifier.plain.phrases import FILE, phrase_conditions, read_phrases
from plainmark.simplifier.rules.building import RuleSource, build_table
from plainmark.simplifier.rules.features import rule_features
from plainmark.simplifier.rules.meaning import meaning_change
from plainmark.simplifier.rules.table import Phrases, RuleTable
from plainmark.simplifier.rules.word_facts import WordFacts, WordForms
from training.people import Choices, read_choices

PLAIN, CHOSEN = "plain", "people"
"""Origins of rules, and the features that tell how much speaks for them."""
FEATURES = ("Plain", "Chosen")


@dataclass(frozen=True)
class RuleSet:
    """The rules that a model is built of."""

    plain: Sequence[tuple[str, str]]
    chosen: dict[tuple[str, str], float]  # with the evidence for each


def chosen_rules(choices: Choices, taken: frozenset[str]) -> dict[tuple[str, str], float]:
    """Pairs of words that people chose, with how much speaks for each; not for words that the list has."""
    out = {}
    for pair in choices.pairs:
        source, target = pair
        evidence = choices.evidence(pair)
        if source in taken or evidence.people < 2 or meaning_change(source, target, choices.exclusions):
            continue
        out[pair] = evidence.log_odds
    return out


def rule_table(rules: RuleSet, base: LatticeDecoder) -> tuple[RuleTable, np.ndarray]:
    """The table of the rules with the features that the estimate reads, and the forms of its words."""

    def source(origin: str, pairs: Sequence[tuple[str, str]], values: Sequence[tuple[float, float]]) -> RuleSource:
        split = [(tuple(f.split()), tuple(e.split())) for f, e in pairs]
        return RuleSource(origin, split, FEATURES, np.array(values, np.float32).reshape(-1, len(FEATURES)))

    chosen = list(rules.chosen.items())
    table = build_table(
        [
            source(PLAIN, list(rules.plain), [(1.0, 0.0)] * len(rules.plain)),
            source(CHOSEN, [pair for pair, _ in chosen], [(0.0, value) for _, value in chosen]),
        ]
    )
    table, forms = _with_vocabulary(table, base)
    facts = WordFacts.of(table.words, base.model, base.lexicon)
    return rule_features(table, facts, WordForms(forms)), forms


def _with_vocabulary(table: RuleTable, base: LatticeDecoder) -> tuple[RuleTable, np.ndarray]:
    """The table with all words whose forms the context filter knows, and these forms."""
    known = dict(zip(base.table.words, base.forms.tolist(), strict=True))
    new = [w for w in table.words if w not in known]
    known |= dict(zip(new, WordForms.of(new).bits.tolist(), strict=True))
    words = tuple(sorted(known))
    number = {w: i for i, w in enumerate(words)}
    place = np.array([number[w] for w in table.words], dtype=np.int32)

    def renumbered(phrases: Phrases) -> Phrases:
        return Phrases(place[phrases.ids], phrases.offsets)

    return (
        replace(table, words=words, sources=renumbered(table.sources), targets=renumbered(table.targets)),
        np.array([known[w] for w in words], dtype=np.uint16),
    )


def build(rules: RuleSet, base: Simplifier) -> LatticeDecoder:
    """The decoder of the rules; it has no networks that give hints."""
    decoder = base.decoder
    assert isinstance(decoder, LatticeDecoder)
    table, forms = rule_table(rules, decoder)
    return LatticeDecoder(
        table,
        decoder.model,
        decoder.lexicon,
        HintNetworks(build_table([])),
        forms,
        decoder.context_filter,
        phrase_conditions(read_phrases()),
    )


def digest() -> str:
    """What identifies the list of phrases that a model was built of."""
    return hashlib.sha256(FILE.read_bytes()).hexdigest()[:16]
