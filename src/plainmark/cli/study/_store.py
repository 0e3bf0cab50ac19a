"""What the verbs share that look into a study's database."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

from ...study import load, open_store

if TYPE_CHECKING:
    from ...study.definition.loading import Study
    from ...study.store.store import Store


def add_study(parser: argparse.ArgumentParser) -> None:
    """The folder and the database."""
    parser.add_argument("study", metavar="FOLDER", help="a study's folder, or its study.yaml")
    parser.add_argument(
        "--database",
        metavar="URL",
        default="",
        help="postgresql://user@host/name (default: answers.db in the folder)",
    )


def opened(options: argparse.Namespace, *, create: bool = False) -> tuple[Study, Store]:
    """The study and its store, which must exist unless `create`."""
    study = load(options.study)
    return study, open_store(study, options.database, create=create)


def now() -> float:
    """The only clock of these verbs."""
    return time.time()
