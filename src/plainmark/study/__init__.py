"""Studies of simplified texts with people: definition, assignment, store, analysis. No HTTP in here.

study = load("my-study")                    study.yaml and its items, read and checked
store = open_store(study)                   answers.db beside it, or a PostgreSQL address
ratings("my-study")                         the answers as Ratings
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import MissingResourceError
from .analysis.responses import ratings
from .definition.loading import Study, load

if TYPE_CHECKING:
    from .store.store import Store


def open_store(study: Study, url: str = "", **options: Any) -> Store:
    """The store of a study; see Store.open. Says what to install when the packages are missing."""
    try:
        from .store.store import Store
    except ImportError as problem:
        raise MissingResourceError(
            f"a study's database needs {problem.name}; to install: pip install 'plainmark[study]'."
        ) from None
    return Store.open(study, url, **options)


__all__ = ["Study", "load", "open_store", "ratings"]
