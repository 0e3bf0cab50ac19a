"""Metrics and the fact ledger for simplifiers on the sentences of TurkCorpus test, which ASSET test has with capitals.

    python -m evaluation.simplifiers default default+split models/simplifier
    python -m evaluation.simplifiers models/simplifier --examples 10

SARI and BLEU of TurkCorpus are on the released tokens, those of ASSET on plain text. The ledger is applied to the outputs
in plain text, because it recognises names by their capitals: alarms are changed facts, checks are entries to check, both
per 100 sentences. MODEL+split splits sentences first (`simplify --split`).
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import replace

import plainmark as pm
from evaluation import ledgers
from evaluation.tables import Table
from evaluation.texts import data_folder

SPLIT = "+split"


def outputs(name: str, texts: Sequence[str], *, tokenized: bool) -> list[str]:
    """The simplifications of texts by a model, after splitting if its name says so."""
    sources = list(texts)
    if name.endswith(SPLIT):
        from plainmark.simplifier import structure

        sources = [s.output for s in structure.split(sources)]
    model = pm.load_simplifier(name.removesuffix(SPLIT))
    return [s.output for s in model.simplify(sources, tokenized=tokenized)]


def row(name: str, turkcorpus: pm.Corpus, asset: pm.Corpus, examples: int) -> list[str]:
    """One model's figures; some of its alarms are printed."""
    tokens = turkcorpus.with_outputs(outputs(name, turkcorpus.texts("source"), tokenized=True))
    plain = asset.with_outputs(outputs(name, asset.texts("source"), tokenized=False))
    scores = [
        *(pm.metric(f"{m}(tokenizer='none')").score(tokens).value for m in ("sari", "bleu")),
        *(pm.metric(m).score(plain).value for m in ("sari", "bleu")),
    ]
    facts = ledgers.load()
    compared = [(s, facts(s.source, s.output)) for s in plain]
    red = [(s, e) for s, ledger in compared for e in ledgers.red(ledger)]
    checks = sum(len(ledgers.check(ledger)) for _, ledger in compared)
    sentences = sum(bool(ledgers.red(ledger)) for _, ledger in compared)
    for sample, entry in random.Random(0).sample(red, min(examples, len(red))):
        print(f"{name}: {entry.kind}, {entry.reason}\n  {sample.source}\n  {sample.output}")
    unchanged = sum(s.source == s.output for s in tokens)
    counts = (100 * n / len(asset) for n in (len(red), sentences, checks))
    return [name, *(f"{x:.2f}" for x in scores), str(unchanged), *(f"{x:.1f}" for x in counts)]


def _corpus(spec: str) -> pm.Corpus:
    """The sources and references of a data set."""
    return next(iter(replace(pm.dataset(spec), folder=str(data_folder())).corpora().values()))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("models", nargs="*", default=["default"], metavar="MODEL")
    parser.add_argument("--examples", type=int, default=0, metavar="N", help="alarms of each model to print")
    options = parser.parse_args(arguments)
    turkcorpus, asset = (
        _corpus(spec) for spec in ("turkcorpus(split='test', tokens='tok')", "asset(split='test')")
    )
    columns = ["model", "SARI", "BLEU", "ASSET SARI", "BLEU", "unchanged", "alarms", "sentences", "checks"]
    rows = [row(name, turkcorpus, asset, options.examples) for name in options.models]
    print(
        Table(
            "TurkCorpus test and ASSET test; alarms, sentences with alarms and checks per 100", columns, rows
        )
    )


if __name__ == "__main__":
    main()
