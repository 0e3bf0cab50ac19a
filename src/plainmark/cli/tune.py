"""Tune a simplifier toward a metric: from rules, a language model and references to a folder with a model.

examples:
  plainmark tune --rules ppdb.gz --rules extracted.tsv --lm lm.arpa --train tune.jsonl --objective sari -o model/
  plainmark tune --rules ppdb.gz --lm lm.arpa --train tune.jsonl --objective fkbleu --method hopkins-may -o model/
  plainmark tune --rules ppdb-syntactic.gz --decoder scfg --lm lm.arpa --train tune.jsonl -o model/
  plainmark tune --rules ppdb-syntactic.gz --weights joshua.config --rounds 0 --lm lm.arpa --train tune.jsonl -o model/
Rules are PPDB's files, pairs of words, or what `plainmark rules extract` wrote. A part of the sentences is held out to
choose the weights. An interrupted run is resumed when it is started again with the same -o.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import InputError, OptionError
from ..metric import metric
from ..writing import write_atomically
from ._arguments import add_seed, add_threads, check_threads

if TYPE_CHECKING:
    from ..lm import LanguageModel
    from ..simplifier.decoding import Decoder, Prepared

Sentence = tuple[str, ...]


def add_arguments(arguments: argparse.ArgumentParser) -> None:
    arguments.add_argument(
        "--rules", action="append", required=True, metavar="FILE", help="a file of rules; may be repeated"
    )
    arguments.add_argument(
        "--decoder",
        default="auto",
        choices=("auto", "lattice", "scfg"),
        help="lattice of phrases, or synchronous grammar (scfg) for rules with nonterminals; auto is scfg if a file has "
        "such rules, else lattice (default: auto)",
    )
    arguments.add_argument(
        "--for",
        dest="texts",
        action="append",
        metavar="FILE",
        help="keep only rules for the words of --train and of these texts, where a grammar is too large to keep whole "
        "(scfg); may be repeated",
    )
    arguments.add_argument(
        "--common-words",
        metavar="FILE",
        help="a list of common words, one per line: any other word is hard (default: words of three syllables or more are)",
    )
    arguments.add_argument(
        "--lm", required=True, metavar="FILE", help="a language model (.arpa or .lm, packed or not)"
    )
    arguments.add_argument(
        "--train", required=True, metavar="FILE", help="JSON lines with source and references to tune on"
    )
    arguments.add_argument(
        "--tokenized", action="store_true", help="the texts of --train are already split at spaces"
    )
    arguments.add_argument(
        "--objective",
        default="sari(tokenizer='none')",
        metavar="METRIC",
        help="any metric; outputs are words between spaces (default: sari(tokenizer='none'))",
    )
    arguments.add_argument(
        "--method",
        default="expected",
        choices=("expected", "joshua", "hopkins-may"),
        help="how weights are tuned (default: expected)",
    )
    arguments.add_argument(
        "--weights",
        metavar="FILE",
        help="weights to begin with: a configuration of Joshua's, or the model.json of a model",
    )
    arguments.add_argument(
        "--rounds",
        type=int,
        metavar="N",
        help="the maximum number of rounds; 0 uses --weights unchanged (default: that of the method)",
    )
    add_seed(arguments, "the sampling and of the held-out part")
    add_threads(arguments)
    arguments.add_argument(
        "-o", "--output", required=True, metavar="FOLDER", help="the folder to write the model to"
    )


def run(options: argparse.Namespace) -> int:
    from ..lm import LanguageModel
    from ..report.tuning import page
    from ..simplifier.lattice.building import tuning_corpus
    from ..simplifier.model import Simplifier
    from ..simplifier.rules.extraction import read_pairs
    from ..simplifier.tuning.tune import settings_for, tune
    from ..simplifier.tuning.weights import read_weights

    least = 0 if options.weights else 1
    if options.rounds is not None and options.rounds < least:
        more = "" if options.weights else "; 0 needs --weights"
        raise OptionError(f"--rounds {options.rounds}: expected {least} or more{more}.")
    check_threads(options)
    objective = metric(_on_words(options.objective))
    sentences, references = read_pairs(options.train, tokenized=options.tokenized)
    model = LanguageModel.load(options.lm)
    weights = read_weights(options.weights) if options.weights else None
    changes = {"seed": options.seed, "threads": options.threads}
    rounds = {} if options.rounds is None else {"rounds": max(options.rounds, 1)}
    settings = settings_for(options.method, **changes, **rounds)
    kind = _decoder(options)
    build = _scfg if kind == "scfg" else _lattice
    # All errors in the input are reported before the folder is created.
    decoder, prepared, losses = build(options, sentences, references, model)
    folder = Path(options.output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise InputError(f"{folder}: cannot make this folder ({problem.strerror}).") from None
    tuned = tune(
        decoder,
        prepared,
        tuning_corpus(sentences, references),
        objective,
        settings,
        folder=folder,
        start=weights,
        progress=lambda r: print(
            f"round {r.number + 1}: train {r.train:.2f}, held out {r.held_out:.2f}, unchanged {100 * r.unchanged:.0f}%"
        ),
    )
    best = tuned.rounds[tuned.best]
    about = {
        "objective": objective.spec,
        "method": "none" if options.rounds == 0 else options.method,
        "decoder": kind,
        "seed": options.seed,
        "held out": best.held_out,
        "samples": len(sentences),
        "rules": len(decoder),
    }
    Simplifier(decoder, tuned.weights, name=str(folder), about=about).save(folder, _card(about, options))
    write_atomically(folder / "tuning.html", page(tuned, objective.spec, options.method, losses))
    print(
        f"{folder}: round {tuned.best + 1} is best, held out {best.held_out:.2f} ({tuned.stopped}); see tuning.html"
    )
    return 0


def _decoder(options: argparse.Namespace) -> str:
    """The decoder that --decoder names, or the one that the rules need."""
    from ..simplifier.rules.sources import file_kind
    from ..simplifier.scfg.building import has_nonterminals

    kind: str = options.decoder
    if kind == "auto":
        gapped = next((path for path in options.rules if has_nonterminals(path)), None)
        extracted = any(file_kind(path) == "extracted" for path in options.rules)
        kind = "lattice" if gapped is None or extracted else "scfg"
        if kind == "scfg":
            print(f"{gapped} has rules with nonterminals: --decoder scfg")
    if options.texts and kind == "lattice":
        raise OptionError("--for is for synchronous grammars; use --decoder scfg, or leave it out.")
    return kind


def _lattice(
    options: argparse.Namespace,
    sentences: list[Sentence],
    references: list[list[Sentence]],
    model: LanguageModel,
) -> tuple[Decoder, Prepared, Mapping[str, float]]:
    from ..simplifier.lattice.building import build_decoder, fit
    from ..simplifier.rules.extraction import extract_drops
    from ..simplifier.rules.sources import from_extracted, read_rule_file

    rules = [read_rule_file(path) for path in options.rules]
    drops = [from_extracted("train", extract_drops(sentences, references))]
    decoder = build_decoder(rules, drops, model, common_words=_common_words(options))
    decoder, prepared, fitted = fit(decoder, sentences, references, seed=options.seed, progress=print)
    return decoder, prepared, fitted.held_out_loss


def _scfg(
    options: argparse.Namespace,
    sentences: list[Sentence],
    references: list[list[Sentence]],
    model: LanguageModel,
) -> tuple[Decoder, Prepared, Mapping[str, float]]:
    from ..files import open_text
    from ..simplifier.scfg.building import build_scfg, prepare
    from ..simplifier.surface import split, split_at_spaces

    words: set[str] | None = None
    if options.texts:
        words = {w for s in sentences for w in s}
        cut = split_at_spaces if options.tokenized else split
        for path in options.texts:
            with open_text(path) as lines:
                for line in lines:
                    words.update(cut(line).words)
    decoder = build_scfg(options.rules, model, words=words, common_words=_common_words(options))
    print(f"{len(decoder):,} rules, {len(decoder.grammar.labels):,} labels")
    return decoder, prepare(decoder, sentences), {}


def _common_words(options: argparse.Namespace) -> frozenset[str] | None:
    """The words of --common-words, in lower case."""
    from ..files import open_text

    if options.common_words is None:
        return None
    with open_text(options.common_words) as lines:
        words = frozenset(word for line in lines for word in line.lower().split())
    if not words:
        raise InputError(f"{options.common_words}: empty, expected common words, one per line.")
    return words


def _on_words(spec: str) -> str:
    """The specification of a metric on words between spaces: a plain name that takes a tokenizer gets 'none'."""
    named = metric(spec)
    takes = getattr(named, "tokenizer", None) is not None
    return f"{spec}(tokenizer='none')" if takes and "(" not in spec else spec


def _card(about: dict[str, object], options: argparse.Namespace) -> str:
    rows = "\n".join(f"- {k}: {v}" for k, v in about.items())
    files = "\n".join(f"- {Path(p).name}" for p in (*options.rules, options.lm, options.train))
    return f"# A simplifier tuned by plainmark\n\n{rows}\n\nMade from\n\n{files}\n"
