"""Tune a simplifier toward a metric: rules, a language model and references in, a model's folder out.

examples:
  plainmark tune --rules ppdb.gz --rules extracted.tsv --lm lm.arpa --train tune.jsonl --objective sari -o model/
  plainmark tune --rules ppdb.gz --lm lm.arpa --train tune.jsonl --objective fkbleu --method hopkins-may -o model/
Rules are PPDB's files, pairs of words, or what `plainmark rules extract` wrote. A part of the sentences is held out to
choose the weights. A run that was interrupted goes on where it was when it is started again with the same -o.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ..errors import InputError, OptionError
from ..metric import metric
from ..writing import write_atomically


def add_arguments(arguments: argparse.ArgumentParser) -> None:
    arguments.add_argument(
        "--rules", action="append", required=True, metavar="FILE", help="a file of rules; may be given again"
    )
    arguments.add_argument(
        "--lm", required=True, metavar="FILE", help="a language model (.arpa or .lm, packed or not)"
    )
    arguments.add_argument(
        "--train", required=True, metavar="FILE", help="JSON lines with source and references to tune on"
    )
    arguments.add_argument(
        "--tokenized", action="store_true", help="the texts of --train are split at spaces already"
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
        help="how weights are found (default: expected)",
    )
    arguments.add_argument(
        "--rounds", type=int, metavar="N", help="at most so many rounds (default: the method's)"
    )
    arguments.add_argument(
        "--seed", type=int, default=1, help="of sampling and of the held-out part (default: 1)"
    )
    arguments.add_argument(
        "--threads", type=int, default=1, metavar="N", help="cores to decode on (default: 1)"
    )
    arguments.add_argument("-o", "--output", required=True, metavar="FOLDER", help="where the model goes")


def run(options: argparse.Namespace) -> int:
    from ..report.tuning import page
    from ..smt.building import build_decoder, fit, tuning_corpus
    from ..smt.extraction import extract_drops
    from ..smt.language_model import LanguageModel
    from ..smt.model import Simplifier
    from ..smt.pairs import read_pairs
    from ..smt.rule_sources import from_extracted, read_rule_file
    from ..smt.tuning import settings_for, tune

    if options.rounds is not None and options.rounds < 1:
        raise OptionError(f"--rounds {options.rounds}: expected 1 or more.")
    if not 1 <= options.threads <= 256:
        raise OptionError(f"--threads {options.threads}: expected 1 to 256.")
    objective = metric(_on_words(options.objective))
    sentences, references = read_pairs(options.train, tokenized=options.tokenized)
    model = LanguageModel.load(options.lm)
    rules = [read_rule_file(path) for path in options.rules]
    changes = {"seed": options.seed, "threads": options.threads}
    settings = settings_for(
        options.method, **changes, **({"rounds": options.rounds} if options.rounds else {})
    )
    folder = Path(options.output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise InputError(f"{folder}: cannot make this folder ({problem.strerror}).") from None
    drops = [from_extracted("train", extract_drops(sentences, references))]
    decoder = build_decoder(rules, drops, model)
    decoder, prepared, fitted = fit(decoder, sentences, references, seed=options.seed, progress=print)
    tuned = tune(
        decoder,
        prepared,
        tuning_corpus(sentences, references),
        objective,
        settings,
        folder=folder,
        progress=lambda r: print(
            f"round {r.number + 1}: train {r.train:.2f}, held out {r.held_out:.2f}, unchanged {100 * r.unchanged:.0f}%"
        ),
    )
    best = tuned.rounds[tuned.best]
    about = {
        "objective": objective.spec,
        "method": options.method,
        "seed": options.seed,
        "held out": best.held_out,
        "samples": len(sentences),
        "rules": {r.origin: len(r.pairs) for r in rules},
    }
    Simplifier(decoder, tuned.weights, name=str(folder), about=about).save(folder, _card(about, options))
    write_atomically(
        folder / "tuning.html", page(tuned, objective.spec, options.method, fitted.held_out_loss)
    )
    print(
        f"{folder}: round {tuned.best + 1} is best, held out {best.held_out:.2f} ({tuned.stopped}); see tuning.html"
    )
    return 0


def _on_words(spec: str) -> str:
    """Outputs are words between spaces: a plain name that takes a tokenizer gets the one that leaves them alone."""
    named = metric(spec)
    takes = getattr(named, "tokenizer", None) is not None
    return f"{spec}(tokenizer='none')" if takes and "(" not in spec else spec


def _card(about: dict[str, object], options: argparse.Namespace) -> str:
    rows = "\n".join(f"- {k}: {v}" for k, v in about.items())
    files = "\n".join(f"- {Path(p).name}" for p in (*options.rules, options.lm, options.train))
    return f"# A simplifier tuned by plainmark\n\n{rows}\n\nMade from\n\n{files}\n"
