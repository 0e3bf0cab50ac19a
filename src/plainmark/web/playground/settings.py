"""How the playground is served."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ...explanation import FAST
from .requests import Form


@dataclass(frozen=True)
class Settings:
    """What the playground is told."""

    token: str = ""
    folder: Path | None = None
    hosts: tuple[str, ...] = ()  # names besides localhost and addresses by which people may call it
    aligner: str = FAST
    given: Form = field(default_factory=Form)  # texts that the form holds at first
    requests_per_minute: int = 60_000
    largest_form: int = 4_000_000  # bytes
    workers: int = 2
    waiting: int = 500  # requests that may wait for a worker
    seconds: float = 20.0  # for a request to wait, and again to be worked on
    secure: bool = False
