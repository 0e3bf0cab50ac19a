"""The options of a metric, an aligner, ...: their types, their allowed values, and how values are written and read.

Options are the fields of a frozen dataclass: `order: Annotated[int, Between(1, 100), "longest n-gram"] = 4`.
"""

from __future__ import annotations

import ast
import math
import re
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from .errors import OptionError
from .identity import digest


@dataclass(frozen=True)
class Between:
    """The range of a number, as part of an option's type: Annotated[int, Between(1, 100)]."""

    low: float
    high: float = math.inf

    def __str__(self) -> str:
        return f"of at least {self.low}" if self.high == math.inf else f"from {self.low} to {self.high}"


@dataclass(frozen=True)
class Content:
    """Marks an option that names a file, a folder or a model: Annotated[str, FILE].

    Signatures and caches then identify its content by the digest that this function returns for the option's
    value. The digest is empty for a part of plainmark, which needs none, and for what does not exist.
    """

    digest: Callable[[str], str]


FILE = Content(digest)


def option_types(cls: type) -> dict[str, Any]:
    """The declared type of each option, without its help text."""
    return {name: _without_help(hint) for name, hint in _hints(cls).items()}


def option_help(cls: type) -> dict[str, str]:
    """The help text of each option, from Annotated[type, "help"]."""
    return {
        name: next((mark for mark in _marks(hint) if isinstance(mark, str)), "")
        for name, hint in _hints(cls).items()
    }


def option_contents(cls: type) -> dict[str, Content]:
    """The options that name files or models."""
    return {
        name: mark
        for name, hint in _hints(cls).items()
        for part in (hint, *get_args(_plain(hint)))  # also the X of X | None
        for mark in _marks(part)
        if isinstance(mark, Content)
    }


def check_option(owner: str, name: str, value: object, hint: Any) -> None:
    """Raise OptionError unless the type allows the value."""
    if not _fits(value, hint):
        raise OptionError(
            f"{owner}: option {name}={shorten(repr(value))} is not allowed; expected {describe_type(hint)}."
        )


def describe_type(hint: Any) -> str:
    """A type in words: "one of 'a', 'b'", "a whole number from 1 to 100"."""
    if limits := _limits(hint):
        return " ".join([describe_type(_plain(hint)), *map(str, limits)])
    hint = _plain(hint)
    if get_origin(hint) is Literal:
        return "one of " + ", ".join(repr(c) for c in get_args(hint))
    if get_origin(hint) in (Union, types.UnionType):
        parts = [describe_type(a) for a in get_args(hint) if a is not type(None)]
        if all(part.startswith("one of ") for part in parts):
            return ", ".join([parts[0], *(part.removeprefix("one of ") for part in parts[1:])])
        return " or ".join(parts)
    if get_origin(hint) is tuple:
        return "a list"
    named = {bool: "True or False", int: "a whole number", float: "a number", str: "text"}
    return named.get(hint, getattr(hint, "__name__", str(hint)).lower())


def choices(hint: Any) -> Iterator[Any]:
    """The values that a type lists; empty if it lists none."""
    hint = _plain(hint)
    if get_origin(hint) is Literal:
        yield from get_args(hint)
    elif get_origin(hint) in (Union, types.UnionType):
        for part in get_args(hint):
            yield from choices(part)


def literal(value: object) -> str:
    """A value in the notation of a specification: Python's, in which infinity is a number too large to write."""
    if isinstance(value, float) and math.isinf(value):
        return "1e999" if value > 0 else "-1e999"
    return repr(value)


def signed(value: object, hint: Any) -> str:
    """A value in the notation of a signature: yes and no, bare words, else as in a specification; never with a "|"."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) and (
        value in choices(hint) or (re.fullmatch(r"[\w.+-]+", value) and unsigned(value, hint) == value)
    ):
        return value
    return literal(value).replace("|", "\\x7c")


def unsigned(text: str, hint: Any) -> Any:
    """The value of an option in a signature."""
    if text in choices(hint) or (hint is str and not text.startswith(("'", '"'))):
        return text
    if text in ("yes", "no"):
        return text == "yes"
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def shorten(text: str) -> str:
    """At most 80 characters of a text, for messages."""
    return text if len(text) <= 80 else text[:77] + "..."


def _fits(value: object, hint: Any) -> bool:
    limits = _limits(hint)
    hint = _plain(hint)
    if limits:
        # A comparison with NaN is false, so NaN is outside all limits.
        within = isinstance(value, (int, float)) and all(x.low <= value <= x.high for x in limits)
        return within and _fits(value, hint)
    origin = get_origin(hint)
    if origin is Literal:
        return any(value == c and type(value) is type(c) for c in get_args(hint))
    if origin in (Union, types.UnionType):
        return any(_fits(value, a) for a in get_args(hint))
    if origin is tuple:
        return isinstance(value, tuple)
    if hint is Any:
        return True
    if hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, hint)


def _marks(hint: Any) -> tuple[Any, ...]:
    marks: tuple[Any, ...] = getattr(hint, "__metadata__", ())
    return marks


def _limits(hint: Any) -> list[Between]:
    return [mark for mark in _marks(hint) if isinstance(mark, Between)]


def _without_help(hint: Any) -> Any:
    plain = _plain(hint)
    for limit in _limits(hint):
        plain = Annotated[plain, limit]
    return plain


def _plain(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


@cache
def _hints(cls: type) -> dict[str, Any]:
    hints = get_type_hints(cls, include_extras=True)
    return {f.name: hints[f.name] for f in fields(cls)}
