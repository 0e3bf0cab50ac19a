"""What all pages of a study have in common."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from ...study.store.store import Store
from ..rendering import Renderer
from .settings import Secrets, Settings
from .work import Work


@dataclass
class Site:
    """A study's store, and how its pages are made."""

    store: Store
    work: Work
    renderer: Renderer
    settings: Settings
    keys: Secrets
    clock: Callable[[], float] = time.time

    def __post_init__(self) -> None:
        """What one kind of pages needs besides."""
