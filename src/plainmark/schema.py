"""A typed layer for external data: definition files and requests are pydantic models, and each mistake is one line.

Only the extras `study` and `web` install pydantic, so only their modules may import this one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    TypeAdapter,
    ValidationError,
    model_validator,
)
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode
from pydantic_core import CoreSchema, ErrorDetails, PydanticCustomError, core_schema

from .errors import did_you_mean

Location = tuple[str | int, ...]

_UNKNOWN_KEY, _WRONG_TAG, _EXPECTED = "unknown_key", "wrong_tag", "expected"
_QUOTED = re.compile(r"'([^']*)'")
_TYPES = {
    "string_type": "a string",
    "string_unicode": "valid Unicode",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "dict_type": "keys and values",
    "model_type": "keys and values",
    "model_attributes_type": "keys and values",
}


class StrictModel(BaseModel):
    """A frozen model that rejects unknown keys with a message that lists the known ones."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown_keys(cls, data: Any) -> Any:
        if isinstance(data, Mapping):
            for key in data:
                if key not in cls.model_fields:
                    context = {"key": str(key), "allowed": sorted(cls.model_fields)}
                    raise PydanticCustomError(_UNKNOWN_KEY, "no such key", context)
        return data


@dataclass(frozen=True)
class Expected:
    """A description of allowed values in words, as part of a type: Annotated[int, Field(ge=1), Expected("a
    positive number")].

    It replaces pydantic's message about the value itself; mistakes inside it and in its length are reported
    unchanged.
    """

    words: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_wrap_validator_function(self.validate, handler(source))

    def validate(self, value: Any, handler: Callable[[Any], Any]) -> Any:
        try:
            return handler(value)
        except ValidationError as error:
            if any(e["loc"] or e["type"].endswith("too_long") for e in error.errors(include_url=False)):
                raise
            raise PydanticCustomError(_EXPECTED, "expected {words}", {"words": self.words}) from None


@dataclass(frozen=True)
class Tagged:
    """The key that chooses among the models of a union: Annotated[Mcq | Likert, Field(discriminator="type"),
    Tagged("type")].

    Lists the allowed words, which pydantic does not do if the key is missing.
    """

    key: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        words = [get_args(model.model_fields[self.key].annotation)[0] for model in get_args(source)]

        def check(value: Any) -> Any:
            if isinstance(value, Mapping) and str(value.get(self.key)) not in words:
                raise PydanticCustomError(_WRONG_TAG, "wrong tag", {"key": self.key, "allowed": words})
            return value

        return core_schema.no_info_before_validator_function(check, handler(source))


@dataclass(frozen=True)
class Mistake:
    """One mistake in data: its location and what is wrong. `too_long` marks a text that exceeds its limit."""

    location: Location
    message: str
    too_long: bool = False


def mistakes(error: ValidationError, describe: Callable[[Any], str]) -> list[Mistake]:
    """All mistakes of a failed validation; `describe` names the value at a location, such as "a list"."""
    missing: dict[Location, list[str]] = {}
    others: list[Mistake] = []
    for detail in error.errors(include_url=False):
        if detail["type"] == "missing":
            missing.setdefault(detail["loc"][:-1], []).append(repr(detail["loc"][-1]))
        else:
            others.append(_mistake(detail, describe))
    needed = [
        Mistake(location, f"no {', '.join(names)}; {'it is' if len(names) == 1 else 'they are'} needed.")
        for location, names in missing.items()
    ]
    return [*needed, *others]


def _mistake(detail: ErrorDetails, describe: Callable[[Any], str]) -> Mistake:
    location, kind, value, context = detail["loc"], detail["type"], detail["input"], detail.get("ctx", {})
    if kind == _UNKNOWN_KEY:
        key, allowed = context["key"], context["allowed"]
        hint = did_you_mean(key, allowed)
        return Mistake((*location, key), f"no such key.{hint} Allowed: {', '.join(allowed)}.")
    if kind == _WRONG_TAG:
        key, allowed = context["key"], context["allowed"]
        if key not in value:
            return Mistake(location, f"no {key!r}; expected one of {', '.join(allowed)}.")
        return Mistake((*location, key), _not_among(describe(value[key]), str(value[key]), allowed))
    if kind == "literal_error":
        return Mistake(
            location, _not_among(describe(value), str(value), _QUOTED.findall(context["expected"]))
        )
    if kind == "string_too_long":
        message = f"{len(value):,} characters, expected at most {context['max_length']:,}."
        return Mistake(location, message, too_long=True)
    if kind == "too_long":
        return Mistake(location, f"{len(value)} given, expected at most {context['max_length']}.")
    expected = context["words"] if kind == _EXPECTED else _TYPES.get(kind, "something else")
    return Mistake(location, f"{describe(value)}, expected {expected}.")


def _not_among(description: str, value: str, allowed: Sequence[str]) -> str:
    return f"{description}, expected one of {', '.join(allowed)}.{did_you_mean(value, allowed)}"


def location_text(location: Location) -> str:
    """A location as people write it: pages[1].questions[0].text"""
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


class _SchemaGenerator(GenerateJsonSchema):
    """JSON Schema without a title per property; output has all of its fields and no others."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def field_is_required(self, field: Any, total: bool) -> bool:
        return self.mode == "serialization" or super().field_is_required(field, total)

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> dict[str, Any]:
        return {**super().dataclass_schema(schema), "additionalProperties": False}


def json_schemas(
    types: Sequence[tuple[Any, JsonSchemaMode]], ref_template: str
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The JSON Schema of each type, for input ("validation") or output ("serialization"), and the parts they share."""
    inputs = [(str(number), mode, TypeAdapter(kind)) for number, (kind, mode) in enumerate(types)]
    schemas, shared = TypeAdapter.json_schemas(
        inputs, ref_template=ref_template, schema_generator=_SchemaGenerator
    )
    return [schemas[str(number), mode] for number, mode, _ in inputs], shared.get("$defs", {})


def json_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of a model; the key that chooses a model of a union is required."""
    schema = model.model_json_schema(schema_generator=_SchemaGenerator)
    for part in schema.get("$defs", {}).values():
        tags = [name for name, value in part.get("properties", {}).items() if "const" in value]
        part["required"] = [*tags, *part.get("required", [])]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
