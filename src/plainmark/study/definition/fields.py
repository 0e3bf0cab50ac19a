"""The types of the fields of study.yaml: what they accept, and how that is said."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from ...schema import Expected
from .yaml_reader import YamlScalar

MAX_TEXT = 20_000  # characters


def _scalar(
    schema: CoreSchema, expected: str, kinds: tuple[str, ...], convert: Callable[[str], Any]
) -> CoreSchema:
    """A scalar that is written as one of these kinds of YAML; what cannot be converted is refused by the schema."""
    check = Expected(expected).validate

    def validate(value: Any, handler: Callable[[Any], Any]) -> Any:
        if isinstance(value, YamlScalar) and value.kind in kinds:
            with suppress(ValueError, OverflowError):
                value = convert(value.text)
        return check(value, handler)

    return core_schema.no_info_wrap_validator_function(validate, schema)


def _text(schema: CoreSchema, expected: str) -> CoreSchema:
    """Text, also where YAML sees a number, a truth value or a date: yes, 1.10 and 2024-01-01 are words here."""
    return _scalar(schema, expected, ("int", "float", "bool", "timestamp"), str)


class _PlainText:
    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return _text(core_schema.str_schema(max_length=MAX_TEXT), "text")

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> Any:
        return {"type": ["string", "number", "boolean"]}


class _TrueOrFalse:
    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = core_schema.bool_schema(strict=True)
        return _scalar(schema, "true or false", ("bool",), lambda text: text.lower() in ("yes", "true", "on"))


@dataclass(frozen=True)
class Range:
    """What a number may be, as part of its type: Annotated[int, Range(1, 100)]."""

    low: int
    high: float

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        limits = f"from {self.low} to {self.high}"
        if source is int:
            whole = core_schema.int_schema(ge=self.low, le=int(self.high), strict=True)
            return _scalar(whole, f"a whole number {limits}", ("int",), lambda t: int(t.replace("_", "")))
        number = core_schema.float_schema(ge=self.low, le=self.high, strict=True)
        return _scalar(number, f"a number {limits}", ("int", "float"), lambda t: float(t.replace("_", "")))


@dataclass(frozen=True)
class Matching:
    """What text must look like, as part of its type: Annotated[str, Matching("[a-z]+", "lower-case letters")]."""

    pattern: str
    words: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return _text(core_schema.str_schema(pattern=f"^(?:{self.pattern})$"), self.words)


@dataclass(frozen=True)
class AddedKey:
    """Marks a key that older versions did not have: while it has its default, it is no part of a definition's hash."""


class OneOrMore:
    """A list that may be written as its only element: Annotated[tuple[Text, ...], OneOrMore()]."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        def as_list(value: Any) -> Any:
            return [value] if isinstance(value, (str, YamlScalar)) else value

        return core_schema.no_info_before_validator_function(as_list, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> Any:
        array = handler(schema)
        return {"anyOf": [array["items"], array]}


Text = Annotated[str, _PlainText()]
Flag = Annotated[bool, _TrueOrFalse()]
Texts = Annotated[tuple[Text, ...], OneOrMore()]
Word = Annotated[
    str, Matching(r"[A-Za-z][A-Za-z0-9_-]{0,39}", "a word of letters, digits, - and _ (at most 40)")
]
Name = Annotated[
    str, Matching(r"[^\s|\[\]][^|\[\]\n]{0,79}", "a name of at most 80 characters without | [ ]")
]
Names = Annotated[tuple[Name, ...], OneOrMore()]
