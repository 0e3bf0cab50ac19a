"""The API in OpenAPI 3.1, generated from the models that it takes and the dataclasses that it returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...explanation import Alignment, Explanation
from ...explanation.scores import ExplainedScore
from ...metric import __version__
from ...schema import StrictModel, json_schemas
from .requests import AlignRequest, ExplainRequest, ScoreRequest

_SOURCE = "The committee resolved to suspend the 12 licences. Nobody objected."
_OUTPUT = "The group decided to stop the 21 licences."
_REFERENCES = ["The group stopped 12 licences."]


@dataclass(frozen=True)
class Operation:
    """One operation of the API."""

    summary: str
    request: type[StrictModel]
    response: Any
    example: dict[str, Any]


OPERATIONS = {
    "score": Operation(
        "Scores with their signatures, and what they mean",
        ScoreRequest,
        tuple[ExplainedScore, ...],
        {"source": _SOURCE, "output": _OUTPUT, "references": _REFERENCES, "metrics": ["sari", "fkgl"]},
    ),
    "align": Operation(
        "The alignment of sentences, and the operation on every word",
        AlignRequest,
        Alignment,
        {"source": _SOURCE, "output": _OUTPUT},
    ),
    "explain": Operation(
        "Everything that the page shows: sentences, words, facts, readability, hints, scores",
        ExplainRequest,
        Explanation,
        {"source": _SOURCE, "output": _OUTPUT},
    ),
}
ERRORS = {
    400: "the body is not JSON",
    401: "the token is missing",
    403: "the token is wrong, or the request comes from a page of another site",
    413: "a text or the whole request is too long",
    415: "the Content-Type is not application/json",
    421: "the Host header names another machine",
    422: "a field is missing, unknown or invalid; a metric is unknown or not served",
    429: "too many requests",
    503: "the work took too long, or too many requests are waiting; Retry-After says when to try again",
}
_ERROR = {
    "type": "object",
    "properties": {
        "error": {"type": "string", "description": "one line: what was found, what was expected, what to do"}
    },
    "required": ["error"],
}


def openapi() -> dict[str, Any]:
    """The document that /openapi.json serves."""
    requests, shared = json_schemas(
        [
            *((o.request, "validation") for o in OPERATIONS.values()),
            *((o.response, "serialization") for o in OPERATIONS.values()),
        ],
        "#/components/schemas/{model}",
    )
    responses = requests[len(OPERATIONS) :]
    errors = {
        str(status): {
            "description": meaning,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
        }
        for status, meaning in ERRORS.items()
    }
    paths = {}
    for (name, operation), request, response in zip(OPERATIONS.items(), requests, responses, strict=False):
        body = {"application/json": {"schema": request, "example": operation.example}}
        success = {
            "description": operation.summary,
            "content": {"application/json": {"schema": response}},
        }
        paths[f"/api/{name}"] = {
            "post": {
                "operationId": name,
                "summary": operation.summary,
                "requestBody": {"required": True, "content": body},
                "responses": {"200": success, **errors},
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
            "schemas": {**shared, "Error": _ERROR},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }
