"""Builds a grammar with features and constraints from files: PPDB's rules with and without nonterminals, and pairs of
words.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import numpy as np

from ...errors import InputError
from ...lm import LanguageModel
from ..arrays import Flags, Reals
from ..rules.building import RuleSource
from ..rules.constraints import PROTECTED_KINDS, allowed_rules, wordnet_antonyms
from ..rules.features import rule_features
from ..rules.ppdb import Nonterminal, Rule, RuleStream, Symbol, read_rules, require
from ..rules.sources import SELECTION_FEATURES, best_rules, file_kind, read_rule_file, wordnet_names
from ..rules.table import Evidence, Phrases, RuleTable, phrase_hashes
from ..rules.word_facts import DifficultyLexicon, WordFacts, WordForms
from ..surface import split_at_spaces
from .decoder import PreparedScfg, ScfgDecoder
from .grammar import Grammar, GrammarBuilder

_LOG = logging.getLogger("plainmark")
_ROWS = 100_000  # rules processed in one batch


def has_nonterminals(path: str) -> bool:
    """Whether a file is a grammar with at least one nonterminal; it is read up to the first one."""
    if file_kind(path) != "grammar":
        return False
    return any(rule.nonterminals for rule in read_rules(path, keep=_has_gap))


def build_scfg(
    paths: Sequence[str],
    model: LanguageModel,
    *,
    words: Collection[str] | None = None,
    most: int = 15,
    common_words: Collection[str] | None = None,
) -> ScfgDecoder:
    """A decoder of all rules that meet the constraints; with `words`, only rules whose source has no others.

    Words that are not in `common_words` are hard (None: words of three or more syllables are).
    """
    builder = GrammarBuilder()
    rule_count = 0
    for path in paths:
        kind = file_kind(path)
        if kind == "extracted":
            raise InputError(
                f"{path}: extracted rules are for the lattice only; use --decoder lattice, or other rules."
            )
        if kind == "grammar":
            rule_count += _add_grammar(builder, path, words)
        else:
            rule_count += builder.add(_of_pairs(read_rule_file(path), words), "pairs")
    if not rule_count:
        fit = " that fit the words" if words is not None else ""
        raise InputError(f"no rules to build a simplifier from: none{fit} in {', '.join(paths)}.")
    grammar = builder.grammar().distinct()
    # The labels that rules give a word remain valid even if none of these rules is selected.
    grammar = replace(grammar, tagged=grammar.of_single_words())
    lexicon = DifficultyLexicon.empty(wordnet_names(grammar.vocabulary.words))
    grammar = _featured(grammar, model, lexicon, most, common_words)
    if not len(grammar):
        raise InputError(
            f"no rule of {', '.join(paths)} meets the constraints; nothing to build a simplifier from."
        )
    return ScfgDecoder(grammar, model, lexicon)


def prepare(decoder: ScfgDecoder, sentences: Sequence[Sequence[str]]) -> PreparedScfg:
    """Sentences for tuning weights, in which the same words are protected as in all texts."""
    texts = [split_at_spaces(" ".join(s)) for s in sentences]
    return decoder.prepare_texts(texts, PROTECTED_KINDS)


def _add_grammar(builder: GrammarBuilder, path: str, words: Collection[str] | None) -> int:
    known = None if words is None else frozenset(words)

    def fits(source: tuple[Symbol, ...]) -> bool:
        return known is None or all(isinstance(s, Nonterminal) or s.lower() in known for s in source)

    rules = read_rules(path, keep=None if known is None else fits)
    rule_count = builder.add(_lower(rules), "ppdb")
    require(rules, rule_count)
    if rules.problems:
        _LOG.warning(rules.problems)
    return rule_count


def _lower(rules: RuleStream) -> Iterator[Rule]:
    """The rules in lower case, without those that change the meaning according to PPDB 2.0."""
    for rule in rules:
        if rule.changes_meaning:
            continue
        source, target = (
            tuple(s if isinstance(s, Nonterminal) else s.lower() for s in side)
            for side in (rule.source, rule.target)
        )
        yield replace(rule, source=source, target=target)


def _of_pairs(source: RuleSource, words: Collection[str] | None) -> Iterator[Rule]:
    known = None if words is None else frozenset(words)
    for f, e in source.pairs:
        if known is None or known.issuperset(f):
            yield Rule("X", f, e)


def _has_gap(source: tuple[Symbol, ...]) -> bool:
    return any(isinstance(s, Nonterminal) for s in source)


def _featured(
    grammar: Grammar,
    model: LanguageModel,
    lexicon: DifficultyLexicon,
    most: int,
    common_words: Collection[str] | None,
) -> Grammar:
    """The grammar with all features, without rules that the constraints reject or that make a text harder."""
    words = grammar.vocabulary.words
    facts = WordFacts.of(words, model, lexicon, common_words=common_words)
    forms = WordForms.of(words)
    antonyms = wordnet_antonyms(words)
    names: tuple[str, ...] = ()
    selecting: tuple[str, ...] = ()
    good: list[Flags] = []
    features: list[Reals] = []
    decisive: list[Reals] = []
    for start in range(0, len(grammar), _ROWS):
        part = grammar.subset(np.arange(start, min(start + _ROWS, len(grammar))))
        table = rule_features(_as_table(part), facts, model, forms, gaps=_gaps(part))
        # A rule that changes nothing gives a phrase its label.
        good.append(allowed_rules(table, facts, antonyms) | _unchanged(part))
        names = table.names
        features.append(_with_form(table.features, names, part)[good[-1]])
        selecting = tuple(n for n in SELECTION_FEATURES if n in names)
        decisive.append(table.features[:, [names.index(n) for n in selecting]])
    table = _as_table(grammar).with_features(selecting, np.concatenate(decisive))
    plain = np.flatnonzero(~_gapped(grammar) & ~_unchanged(grammar))
    keep = np.ones(len(grammar), dtype=np.bool_)
    keep[plain] = False
    keep[best_rules(table, most, plain)] = True
    allowed_rows = np.flatnonzero(np.concatenate(good))
    selected = (
        replace(grammar.subset(allowed_rows), feature_names=names, features=np.concatenate(features))
        .subset(np.flatnonzero(keep[allowed_rows]))
        .tidied()
    )
    # Rounded as they are in the model's folder, so that decoding uses the values of tuning.
    rounded = np.clip(selected.features, -60_000, 60_000).astype(np.float16)
    return selected.with_features(names, rounded.astype(np.float32))


def _with_form(features: Reals, names: tuple[str, ...], grammar: Grammar) -> Reals:
    """Features including those of the rules' form, from the file or computed."""
    out = features.copy()
    for name, values in _structure(grammar).items():
        in_file = name in grammar.feature_names
        column = grammar.features[:, grammar.feature_names.index(name)] if in_file else values
        out[:, names.index(name)] = column
    return out


def _gapped(grammar: Grammar) -> Flags:
    """Which rules have nonterminals."""
    return grammar.sources.lengths > grammar.words_of("sources").lengths


def _gaps(grammar: Grammar) -> tuple[Flags, Flags]:
    """For each word of the sources and of the targets, whether a nonterminal precedes it in the rule."""

    def before_words(phrases: Phrases) -> Flags:
        follows = (
            np.concatenate([[False], phrases.ids[:-1] < 0]) if len(phrases.ids) else np.zeros(0, np.bool_)
        )
        follows[phrases.offsets[:-1][phrases.lengths > 0]] = False
        return follows[phrases.ids >= 0]

    return before_words(grammar.sources), before_words(grammar.targets)


def _as_table(grammar: Grammar) -> RuleTable:
    """The rules without their nonterminals, for the features and constraints of words."""
    sources, targets = grammar.words_of("sources"), grammar.words_of("targets")
    none = np.zeros((len(grammar), 0), np.float32)
    return RuleTable(
        grammar.vocabulary.words,
        sources,
        targets,
        grammar.feature_names,
        grammar.features,
        grammar.origins,
        grammar.origin.astype(np.uint16),
        (),
        none,
        none,
        Evidence.none(len(grammar)),
        phrase_hashes(grammar.vocabulary.words, sources),
    )


def _structure(grammar: Grammar) -> dict[str, np.ndarray]:
    """PPDB's features of a rule's form."""
    sources, targets = grammar.sources, grammar.targets
    rule = np.repeat(np.arange(len(grammar)), sources.lengths)
    inner = np.repeat(np.arange(len(grammar)), targets.lengths)
    gap = sources.ids < 0
    side_by_side = gap[1:] & gap[:-1] & (rule[1:] == rule[:-1])
    at = targets.ids < 0
    order, owner = targets.ids[at], inner[at]
    swapped = (order[1:] > order[:-1]) & (owner[1:] == owner[:-1])

    def any_of(rules: np.ndarray) -> np.ndarray:
        return np.bincount(rules, minlength=len(grammar)) > 0

    return {
        "Abstract": grammar.words_of("sources").lengths == 0,
        "Adjacent": any_of(rule[1:][side_by_side]),
        "ContainsX": any_of(rule[sources.ids == -1]) | (grammar.lhs == 0),
        "Identity": _unchanged(grammar),
        "Lexical": (sources.lengths == 1) & (targets.lengths == 1) & ~_gapped(grammar),
        "Monotonic": ~any_of(owner[1:][swapped]),
    }


def _unchanged(grammar: Grammar) -> Flags:
    """Which rules have the same words and nonterminals on both sides, in the same order."""
    f, e = grammar.sources, grammar.targets
    out = np.zeros(len(grammar), dtype=np.bool_)
    rows = np.flatnonzero(f.lengths == e.lengths)
    a, b = f.take(rows), e.take(rows)
    # The k-th nonterminal of the source is -1 - k, as in targets.
    gap = a.ids < 0
    counted = np.cumsum(gap)
    before = np.concatenate([[0], counted])[a.offsets[:-1]]
    numbered = np.where(gap, -(counted - np.repeat(before, a.lengths)), a.ids)
    if len(rows):
        out[rows] = np.logical_and.reduceat(numbered == b.ids, a.offsets[:-1])
    return out
