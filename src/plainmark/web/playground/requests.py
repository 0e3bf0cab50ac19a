"""What programs may ask, as dataclasses from which the schema is made, and reading it from JSON."""

from __future__ import annotations

import json
import re
import types
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from ...errors import InputError, did_you_mean

LONGEST = 100_000  # characters of a text
MOST_REFERENCES = 10
MOST_METRICS = 20
LONGEST_METRIC = 200

T = TypeVar("T")
_SURROGATE = re.compile("[\ud800-\udfff]")


class TooLongError(InputError):
    """A text is longer than the playground takes."""


@dataclass(frozen=True)
class ScoreRequest:
    """A simplified text to score."""

    output: Annotated[str, "the simplified text"]
    source: Annotated[str, "the original; metrics that compare with it need it"] = ""
    references: Annotated[tuple[str, ...], "simplifications by others, for SARI, BLEU and the like"] = ()
    metrics: Annotated[tuple[str, ...], "names or specifications, such as sari(variant='hf')"] = ("fkgl",)


@dataclass(frozen=True)
class AlignRequest:
    """Two texts whose sentences and words are to be joined."""

    source: Annotated[str, "the original"]
    output: Annotated[str, "the simplified text"]


@dataclass(frozen=True)
class ExplainRequest:
    """Two texts to compare in every way."""

    source: Annotated[str, "the original"]
    output: Annotated[str, "the simplified text"]
    references: Annotated[tuple[str, ...], "simplifications by others, for SARI, BLEU and the like"] = ()
    metrics: Annotated[tuple[str, ...] | None, "which scores; those that the texts allow, unless given"] = (
        None
    )


@dataclass(frozen=True)
class Form:
    """What the page's form holds."""

    source: str = ""
    output: str = ""
    second: str = ""
    references: tuple[str, ...] = ()
    samsa: bool = False


def read(kind: type[T], body: bytes) -> T:
    """A request from its JSON; complaints are one line."""
    try:
        data = json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as problem:
        reason = (
            "nested too deeply" if isinstance(problem, RecursionError) else str(problem).partition(":")[0]
        )
        raise InputError(
            f"the body is not JSON ({reason[:80]}); expected an object such as {_example(kind)}."
        ) from None
    if not isinstance(data, dict):
        raise InputError(f"found {_kind_of(data)}, expected an object such as {_example(kind)}.")
    return build(kind, data)


def build(kind: type[T], data: Mapping[str, Any]) -> T:
    """A request from plain data."""
    hints = get_type_hints(kind)
    known = {f.name: f for f in fields(kind)}  # type: ignore[arg-type]
    for name in data:
        if name not in known:
            raise InputError(
                f"no field {name[:40]!r}.{did_you_mean(name, known)} Fields: {', '.join(known)}."
            )
    given = {}
    for name, one in known.items():
        if name in data:
            given[name] = _value(name, data[name], hints[name])
        elif one.default is MISSING:
            raise InputError(f"{name}: missing; expected an object such as {_example(kind)}.")
    return kind(**given)


def tidy(text: str) -> str:
    """A text with \\n at the ends of its lines and without halves of characters."""
    return _SURROGATE.sub("\ufffd", text).replace("\r\n", "\n").replace("\r", "\n")


def _value(name: str, value: Any, hint: Any) -> Any:
    if get_origin(hint) in (Union, types.UnionType):
        if value is None:
            return None
        hint = next(a for a in get_args(hint) if a is not type(None))
    if get_origin(hint) is tuple:
        most, longest = (MOST_METRICS, LONGEST_METRIC) if name == "metrics" else (MOST_REFERENCES, LONGEST)
        if not isinstance(value, (list, tuple)):
            raise InputError(f"{name}: found {_kind_of(value)}, expected a list of strings.")
        if len(value) > most:
            raise InputError(f"{name}: {len(value)} given, expected at most {most}.")
        return tuple(_text(f"{name}[{i}]", one, longest) for i, one in enumerate(value))
    if hint is bool:
        if not isinstance(value, bool):
            raise InputError(f"{name}: found {_kind_of(value)}, expected true or false.")
        return value
    return _text(name, value, LONGEST)


def _text(name: str, value: Any, longest: int) -> str:
    if not isinstance(value, str):
        raise InputError(f"{name}: found {_kind_of(value)}, expected a string.")
    if len(value) > longest:
        raise TooLongError(
            f"{name}: {len(value):,} characters, expected at most {longest:,}. Give a part of it; `plainmark score` and "
            "`plainmark align` take texts of any length."
        )
    return tidy(value)


def _kind_of(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def _example(kind: type) -> str:
    wanted = [f.name for f in fields(kind) if f.default is MISSING]
    return json.dumps(dict.fromkeys(wanted, "Some words."))


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")
