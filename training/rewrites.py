"""Builds the default simplifier: the rules of plainmark's list of phrases, and the estimate of how likely a rewrite is
right.

    python -m training.rewrites DATA      fit the estimate to human choices, print its reliability, and build
    python -m training.rewrites           after an edit of the list: rebuild the rules, keep the estimate

The list is src/plainmark/simplifier/plain/phrases.txt. Language model, difficulty of words and context filter are those of
the existing default model.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

import plainmark as pm
from plainmark.simplifier.lattice.decoder import LatticeDecoder
from plainmark.simplifier.lattice.lattice import KEEP
from plainmark.simplifier.learned.hints import HintNetworks
from plainmark.simplifier.model import BUILT_IN, Simplifier
from plainmark.simplifier.plain.phrases import digest, objectionable, phrase_conditions, read_phrases
from plainmark.simplifier.rules.building import RuleSource, build_table
from plainmark.simplifier.rules.constraints import PROTECTED_KINDS
from plainmark.simplifier.rules.features import rule_features
from plainmark.simplifier.rules.table import Phrases, RuleTable
from plainmark.simplifier.rules.word_facts import WordFacts, WordForms
from plainmark.simplifier.surface import split_at_spaces
from training import logistic
from training.people import Choices, read_choices

# The inputs of the estimate: the language model's features of the rewrite in context, and comparisons of its words.
READ = ("LmGain", "LmLoss", "RarestDiff", "HardestDiff", "SourceFrequency", "SourceWords", "TargetWords")
CAUTION = 0.5  # of the default
FOLDS = 5
PENALTY = 30.0  # the strongest at which the cross-fitted cross-entropy is hardly above the least (0.5046, 0.5042 at 10)
EDGES = (0.0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 1.01)


def build(base: LatticeDecoder) -> LatticeDecoder:
    """The decoder of the list's rules, without networks for hints."""
    phrases = read_phrases()
    if problems := objectionable(phrases):
        raise SystemExit(
            "\n".join(["phrases that may change what is said; correct them, or add “; reviewed”:", *problems])
        )
    conditions = phrase_conditions(phrases)
    pairs = [(tuple(f.split()), tuple(e.split())) for f, e in sorted(conditions.by_rule)]
    table, forms = _with_vocabulary(build_table([RuleSource("plain", pairs)]), base)
    table = rule_features(
        table, WordFacts.of(table.words, base.model, base.lexicon), base.model, WordForms(forms)
    )
    columns = [table.names.index(name) for name in READ if name in table.names]
    table = table.with_features([table.names[k] for k in columns], table.features[:, columns])
    return LatticeDecoder(
        table,
        base.model,
        base.lexicon,
        HintNetworks(build_table([])),
        forms,
        base.context_filter,
        conditions,
    )


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


@dataclass(frozen=True)
class Examples:
    """Places where a rule fits: the inputs of the estimate, whether people chose the rule there, and the sentence."""

    features: np.ndarray
    labels: np.ndarray
    sentences: np.ndarray


def examples(decoder: LatticeDecoder, choices: Choices) -> Examples:
    """The places of rules about which human choices are informative."""
    prepared = decoder.prepare_texts([split_at_spaces(s) for s in choices.sentences], PROTECTED_KINDS)
    lattice = prepared.lattice
    columns = [decoder.names.index(name) for name in READ]
    edges = np.flatnonzero(lattice.rules != KEEP).tolist()
    rules = [decoder.table.text(int(lattice.rules[e])) for e in edges]
    owner = lattice.sentence
    labels = [choices.label(int(owner[e]), *rule) for e, rule in zip(edges, rules, strict=True)]
    told = [(e, label) for e, label in zip(edges, labels, strict=True) if label is not None]
    rows = [e for e, _ in told]
    features = prepared.features[rows][:, columns].astype(np.float64)
    return Examples(features, np.array([label for _, label in told]), owner[rows])


def cross_fitted(data: Examples, seed: int = 1) -> np.ndarray:
    """The log odds of each example by an estimate that was not fitted to its sentence."""
    fold = logistic.folds(data.sentences, FOLDS, seed)
    odds = np.zeros(len(data.labels))
    for k in range(FOLDS):
        weights, bias = logistic.fit(data.features[fold != k], data.labels[fold != k], penalty=PENALTY)
        odds[fold == k] = data.features[fold == k] @ weights + bias
    return odds


def reliability(odds: np.ndarray, labels: np.ndarray) -> list[tuple[float, float, int]]:
    """Mean estimate, share of right ones, and number of the estimates between the edges."""
    estimate = 1 / (1 + np.exp(-odds))
    rows = []
    for low, high in pairwise(EDGES):
        mine = (estimate >= low) & (estimate < high)
        if mine.any():
            rows.append((float(estimate[mine].mean()), float(labels[mine].mean()), int(mine.sum())))
    return rows


def estimate(decoder: LatticeDecoder, data: Path) -> dict[str, float]:
    """The weights of the estimate; its quality on held-out sentences is printed."""
    data_points = examples(decoder, read_choices(data))
    print(
        f"{len(data_points.labels)} places, {100 * data_points.labels.mean():.0f} % right by people's choices"
    )
    print("estimate  right  places (cross-fitted)")
    for mean, right, number in reliability(cross_fitted(data_points), data_points.labels):
        print(f"{mean:8.2f}{right:7.2f}{number:8}")
    weights, bias = logistic.fit(data_points.features, data_points.labels, penalty=PENALTY)
    return dict(zip(READ, weights.tolist(), strict=True)) | {"Rewrites": bias}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, nargs="?", help="folder with turkcorpus/")
    parser.add_argument("--output", type=Path, default=BUILT_IN)
    options = parser.parse_args(arguments)
    base = pm.load_simplifier()
    assert isinstance(base.decoder, LatticeDecoder)
    decoder = build(base.decoder)
    weights = base.weights if options.data is None else estimate(decoder, options.data)
    about = {"phrases": len(read_phrases()), "rules": len(decoder.table), "list": digest()}
    caution = CAUTION if base.caution is None else base.caution
    card = (BUILT_IN / "README.md").read_text("utf-8")
    Simplifier(decoder, weights, base.protect, "default", about, caution).save(options.output, card)
    print(f"{about['phrases']} phrases, {about['rules']} rules written to {options.output}")


if __name__ == "__main__":
    main()
