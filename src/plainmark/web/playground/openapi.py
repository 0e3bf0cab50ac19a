"""The API in OpenAPI 3.1, made from the dataclasses that it takes and gives."""

from __future__ import annotations

import types
from dataclasses import MISSING, fields, is_dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from ...explanation import Alignment, Explanation
from ...explanation.scores import ExplainedScore
from ...metric import __version__
from .requests import (
    LONGEST,
    LONGEST_METRIC,
    MOST_METRICS,
    MOST_REFERENCES,
    AlignRequest,
    ExplainRequest,
    ScoreRequest,
)
from .served_metrics import METRIC_NAMES

_SOURCE = "The committee resolved to suspend the 12 licences. Nobody objected."
_OUTPUT = "The group decided to stop the 21 licences."
OPERATIONS: dict[str, tuple[str, type, Any, dict[str, Any]]] = {
    "score": (
        "Scores with their signatures, and what they mean",
        ScoreRequest,
        tuple[ExplainedScore, ...],
        {"source": _SOURCE, "output": _OUTPUT, "references": ["The group stopped 12 licences."], "metrics": ["sari", "fkgl"]},
    ),
    "align": (
        "Which sentence became which, and what became of every word",
        AlignRequest,
        Alignment,
        {"source": _SOURCE, "output": _OUTPUT},
    ),
    "explain": (
        "Everything that the page shows: sentences, words, facts, readability, hints, scores",
        ExplainRequest,
        Explanation,
        {"source": _SOURCE, "output": _OUTPUT},
    ),
}  # fmt: skip
PROBLEMS = {
    400: "the body is not JSON",
    401: "the token is missing",
    403: "the token is wrong, or a page elsewhere asks",
    413: "a text or the whole request is too long",
    415: "the body is not called application/json",
    421: "the Host header names another machine",
    422: "a field is missing, unknown or not what it must be; a metric is unknown or not served",
    429: "too many requests",
    503: "the work took too long, or too many others wait; Retry-After says when to come back",
}


def openapi() -> dict[str, Any]:
    """The document that /openapi.json serves."""
    parts: dict[str, Any] = {
        "Problem": {
            "type": "object",
            "properties": {"error": {"type": "string", "description": "one line: what was found, expected, to do"}},
            "required": ["error"],
        }
    }  # fmt: skip
    paths: dict[str, Any] = {}
    for name, (about, asked, given, example) in OPERATIONS.items():
        problems = {
            str(status): {
                "description": words,
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
            }
            for status, words in PROBLEMS.items()
        }
        paths[f"/api/{name}"] = {
            "post": {
                "operationId": name,
                "summary": about,
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {"schema": _schema(asked, parts, asking=True), "example": example}
                    },
                },
                "responses": {
                    "200": {
                        "description": about,
                        "content": {"application/json": {"schema": _schema(given, parts)}},
                    },
                    **problems,
                },
            }
        }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "plainmark",
            "version": __version__,
            "description": "Compare a text with its simplification. Nothing is stored, nothing leaves the machine.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "security": [{}, {"token": []}],
        "paths": paths,
        "components": {
            "schemas": parts,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _schema(hint: Any, parts: dict[str, Any], *, name: str = "", asking: bool = False) -> dict[str, Any]:
    """The JSON Schema of a type; dataclasses become named parts."""
    if get_origin(hint) is Annotated:
        inner, about = get_args(hint)[:2]
        return {**_schema(inner, parts, name=name, asking=asking), "description": about}
    if is_dataclass(hint):
        assert isinstance(hint, type)
        if hint.__name__ not in parts:
            parts[hint.__name__] = {}
            parts[hint.__name__] = _object(hint, parts, asking)
        return {"$ref": f"#/components/schemas/{hint.__name__}"}
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"type": "string", "enum": list(inside)}
    if origin is tuple:
        most = {"metrics": MOST_METRICS, "references": MOST_REFERENCES} if asking else {}
        limit = {"maxItems": most[name]} if name in most else {}
        return {"type": "array", "items": _schema(inside[0], parts, name=name, asking=asking), **limit}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(inside[1], parts)}
    if origin in (Union, types.UnionType):
        kinds = [_schema(a, parts, name=name, asking=asking) for a in inside if a is not type(None)]
        if type(None) in inside:
            kinds.append({"type": "null"})
        enums = [k["enum"] for k in kinds if set(k) == {"type", "enum"}]
        if len(enums) == len(kinds):
            return {"type": "string", "enum": [v for values in enums for v in values]}
        return {"anyOf": kinds}
    kind = {str: "string", int: "integer", float: "number", bool: "boolean"}[hint]
    if asking and hint is str:
        if name == "metrics":
            return {"type": kind, "maxLength": LONGEST_METRIC, "examples": METRIC_NAMES}
        return {"type": kind, "maxLength": LONGEST}
    return {"type": kind}


def _object(cls: type, parts: dict[str, Any], asking: bool) -> dict[str, Any]:
    hints = get_type_hints(cls, include_extras=True)
    required = [f.name for f in fields(cls) if not asking or f.default is MISSING]
    properties = {f.name: _schema(hints[f.name], parts, name=f.name, asking=asking) for f in fields(cls)}
    about = (cls.__doc__ or "").partition("\n")[0]
    return {
        "type": "object",
        "description": about,
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
