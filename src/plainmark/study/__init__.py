"""Studies of simplified texts with people: definition, assignment, store, analysis. No HTTP in here.

study = load("my-study")                    study.yaml and its items, read and checked
store = open_store(study)                   answers.db beside it, or a PostgreSQL address
ratings("my-study")                         the answers as Ratings

definition/ has the models of study.yaml, assignment.py decides who sees what, pages.py draws a page, store/ has the
database, analysis/ the statistics.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import MissingResourceError

if TYPE_CHECKING:
    from ..data import Ratings
    from .definition.loading import Study
    from .store.store import Store


def load(folder: str | Path) -> Study:
    """Read and check a study: a folder with study.yaml, or the file itself."""
    with _needs_extra("a study"):
        import yaml  # noqa: F401 - read later

        from .definition import loading
    return loading.load(folder)


def open_store(study: Study, url: str = "", **options: Any) -> Store:
    """The store of a study; see Store.open."""
    with _needs_extra("a study's database"):
        from .store.store import Store
    return Store.open(study, url, **options)


def ratings(folder: str | Path, *, url: str = "") -> Ratings:
    """The answers of a study as Ratings."""
    with _needs_extra("a study"):
        from .analysis import responses
    return responses.ratings(folder, url=url)


@contextmanager
def _needs_extra(subject: str) -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise MissingResourceError(
            f"{subject} needs {error.name}; to install: pip install 'plainmark[study]'."
        ) from None


__all__ = ["load", "open_store", "ratings"]
