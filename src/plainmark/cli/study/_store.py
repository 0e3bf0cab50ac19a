"""Arguments of the study commands, and how they open the database."""

from __future__ import annotations

import argparse
import getpass
import time
from typing import TYPE_CHECKING

from ...study import load, open_store

if TYPE_CHECKING:
    from ...study.definition.loading import Study
    from ...study.store.store import Store


def add_folder(parser: argparse.ArgumentParser) -> None:
    """Add the study's folder."""
    parser.add_argument("study", metavar="FOLDER", help="a study's folder, or its study.yaml")


def add_study(parser: argparse.ArgumentParser) -> None:
    """Add the study's folder and its database."""
    add_folder(parser)
    add_database(parser)


def add_database(parser: argparse.ArgumentParser) -> None:
    """Add --database."""
    parser.add_argument(
        "--database",
        metavar="URL",
        default="",
        help="postgresql://user@host/name (default: answers.db in the folder)",
    )


def add_mode(parser: argparse.ArgumentParser) -> None:
    """Add --pilot and --live: whose answers are read."""
    mode = parser.add_mutually_exclusive_group()
    for name in ("pilot", "live"):
        mode.add_argument(
            f"--{name}",
            action="store_const",
            const=name,
            dest="mode",
            help=f"the answers that were collected as {name} (default: the definition's mode)",
        )


def opened(options: argparse.Namespace, *, create: bool = False) -> tuple[Study, Store]:
    """The study and its store, which must exist unless `create`."""
    study = load(options.study)
    mode = getattr(options, "mode", None)
    study = study.in_mode(mode) if mode else study
    return study, open_store(study, options.database, create=create)


def now() -> float:
    """The current time; the study commands read no other clock."""
    return time.time()


def actor() -> str:
    """Who uses the command line, for the log of administrators' actions."""
    try:
        return f"{getpass.getuser()} (command line)"
    except (KeyError, OSError):  # a container may have no name for its user
        return "command line"
