"""Command line of the encoder's training; see the package's docstring."""

from __future__ import annotations

import argparse
from pathlib import Path

from evaluation.texts import data_folder

from plainmark import models
from plainmark.identity import sha256

from . import __doc__ as about


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m training.encoder",
        description=about,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    train = commands.add_parser("train")
    train.add_argument("folder", type=Path)
    train.add_argument("--steps", type=int, default=1000)
    train.add_argument("--seed", type=int, default=17)
    train.add_argument(
        "--from", dest="checkpoint", type=Path, help="a checkpoint of the first phase, to begin the second"
    )
    export = commands.add_parser("export")
    export.add_argument("checkpoint", type=Path)
    commands.add_parser("evaluate")
    options = parser.parse_args()
    start = models.find("minilm").path
    if options.command == "train":
        from .learning import train as run

        run(start, data_folder(), options.folder, options.steps, options.seed, options.checkpoint)
    elif options.command == "export":
        from .export import LAYERS
        from .export import export as write

        folder = write(start, options.checkpoint)
        print(f"{LAYERS}: sha256 {sha256(folder / LAYERS)}; put it into models/_locate.py")
    else:
        from .evaluation import evaluate

        evaluate(data_folder())


if __name__ == "__main__":
    main()
