"""Sends many requests to an endpoint in one run, with a cache, progress and the cost; also reads the built-in prompts."""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Protocol, TypeVar

from . import models
from .errors import InputError, UnknownNameError
from .judge import KEYS, Endpoint, ReplyError, Usage, is_local, key_for, parse_url

Task = TypeVar("Task", bound=Hashable)
T = TypeVar("T")

VERSION = "v1"
_LOG = logging.getLogger("plainmark.judge")


class Connection(Protocol):
    """The options of an endpoint: its address, the rate of requests, and its prices."""

    @property
    def model(self) -> str: ...
    @property
    def url(self) -> str: ...
    @property
    def timeout(self) -> float: ...
    @property
    def per_minute(self) -> float: ...
    @property
    def threads(self) -> int: ...
    @property
    def price_in(self) -> float: ...
    @property
    def price_out(self) -> float: ...


def missing(connection: Connection, example: str) -> str:
    """What a connection lacks ("needs ..."); empty if it is complete."""
    absent = [name for name in ("url", "model") if not getattr(connection, name)]
    if absent:
        return f"needs {' and '.join(absent)} of an OpenAI-compatible endpoint: {example}"
    url = connection.url
    if parse_url(url).scheme == "https" and not is_local(url) and not key_for(url):
        return f"needs a key for the endpoint in the environment variable {KEYS[0]}"
    return ""


def ask_all(
    connection: Connection,
    tasks: Sequence[Task],
    ask: Callable[[Endpoint, Task], T],
    *,
    label: str,
    patience: int = 0,
) -> tuple[dict[Task, T], dict[Task, str], Usage]:
    """The result of `ask` for every task, the reasons for missing answers, and the cost; equal tasks are sent once.

    Each reply is stored in the cache folder when it arrives, so that a second run requests only the missing
    ones. The run ends after `patience` failures in a row, because an endpoint that is down usually stays
    down.
    """
    settings = models.settings()
    usage = Usage(price_in=connection.price_in, price_out=connection.price_out)
    endpoint = Endpoint(
        connection.url,
        connection.model,
        timeout=connection.timeout,
        per_minute=connection.per_minute,
        threads=connection.threads,
        cache=settings.cache,
        usage=usage,
    )
    answers: dict[Task, T] = {}
    failed: dict[Task, str] = {}
    unique = list(dict.fromkeys(tasks))
    in_a_row = 0

    def work(task: Task) -> None:
        nonlocal in_a_row
        try:
            answers[task] = ask(endpoint, task)
            in_a_row = 0
        except ReplyError as problem:
            failed[task] = str(problem)
            in_a_row += 1
            if patience and in_a_row >= patience:
                advice = (
                    "replies so far are stored, and the same command resumes from there"
                    if settings.cache is not None
                    else "set PLAINMARK_CACHE to a folder, so that replies are stored"
                )
                raise InputError(
                    f"{label}: {in_a_row} requests in a row had no usable reply, the last because {problem}; {advice}."
                ) from None
        if settings.progress is not None:
            settings.progress(len(answers) + len(failed), len(unique))

    try:
        endpoint.run(work, unique)
    finally:
        endpoint.close()
        _LOG.info("%s: %s", label, usage)
    return answers, failed, usage


@cache
def built_in_prompt(name: str, version: str = VERSION) -> str:
    """The text of a prompt that comes with the package."""
    folder = files("plainmark") / "prompts"
    try:
        return (folder / f"{name}.{version}.txt").read_text("utf-8")
    except OSError:
        raise UnknownNameError(f"no prompt is called {name!r}.") from None


def read_prompt(path: str, places: Sequence[str], spelled: Mapping[str, str] = MappingProxyType({})) -> str:
    """The text of a prompt in a file, which has these places for texts; `spelled` are other ways to write a place."""
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, ValueError) as problem:
        raise InputError(
            f"{path}: cannot be read ({type(problem).__name__}); expected the name of a built-in prompt or a prompt file in UTF-8."
        ) from None
    for other, place in spelled.items():
        text = text.replace(other, place)
    absent = [place for place in places if place not in text]
    if absent:
        raise InputError(
            f"{path}: no {' and no '.join(absent)}; expected a prompt with places for the texts."
        )
    return text
