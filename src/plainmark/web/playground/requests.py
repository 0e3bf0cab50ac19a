"""Defines requests: the models of the API and of the page's form, and how they are read from JSON, forms and files."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, Field, ValidationError
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from ...errors import InputError
from ...schema import Expected, StrictModel, location_text, mistakes
from ..security import content_type
from .served_metrics import METRIC_NAMES

MAX_TEXT = 100_000  # longest text, in characters
MAX_SENTENCES = 500  # sentences of a text; each is compared with each one of the other text
MAX_REFERENCES = 10
MAX_METRICS = 20
_MAX_SPEC = 200  # longest specification of a metric, in characters
_MAX_PART = 8_000_000  # bytes; the middleware refuses larger bodies before

Model = TypeVar("Model", bound=StrictModel)
_SURROGATE = re.compile("[\ud800-\udfff]")


class TextTooLongError(InputError):
    """A text is longer than the playground allows."""


class NotJSONError(InputError):
    """A body is not JSON."""


def normalize(text: Any) -> Any:
    r"""A text with \n as line end and without lone surrogates; other values are unchanged."""
    if not isinstance(text, str):
        return text
    return _SURROGATE.sub("\ufffd", text).replace("\r\n", "\n").replace("\r", "\n")


Text = Annotated[str, Field(max_length=MAX_TEXT), BeforeValidator(normalize)]
Spec = Annotated[str, Field(max_length=_MAX_SPEC, examples=METRIC_NAMES)]
_LIST = Expected("a list of strings")
_References = Annotated[
    tuple[Text, ...],
    Field(max_length=MAX_REFERENCES, description="simplifications by others, for SARI, BLEU and the like"),
    _LIST,
]
_Source = Annotated[Text, Field(description="the original")]
_Output = Annotated[Text, Field(description="the simplified text")]


class ScoreRequest(StrictModel):
    """A simplified text to score."""

    output: _Output
    source: Annotated[Text, Field(description="the original; metrics that compare with it need it")] = ""
    references: _References = ()
    metrics: Annotated[
        tuple[Spec, ...],
        Field(max_length=MAX_METRICS, description="names or specifications, such as sari(variant='hf')"),
        _LIST,
    ] = ("fkgl",)


class AlignRequest(StrictModel):
    """Two texts whose sentences and words are to be aligned."""

    source: _Source
    output: _Output


class ExplainRequest(StrictModel):
    """Two texts to compare by all methods."""

    source: _Source
    output: _Output
    references: _References = ()
    metrics: Annotated[
        Annotated[tuple[Spec, ...], Field(max_length=MAX_METRICS), _LIST] | None,
        Field(description="which scores; without it, all that the texts allow"),
    ] = None


class ComparisonForm(StrictModel):
    """The form of the page."""

    source: Text = ""
    output: Text = ""
    second: Text = ""
    references: _References = ()
    samsa: bool = False


def parse_json(model: type[Model], body: bytes) -> Model:
    """A request from its JSON."""
    try:
        data = json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error).partition(":")[0]
        raise NotJSONError(
            f"the body is not JSON ({reason[:80]}); expected an object such as {_example(model)}."
        ) from None
    if not isinstance(data, dict):
        raise InputError(f"{_describe(data)}, expected an object such as {_example(model)}.")
    return parse(model, data)


def parse(model: type[Model], data: dict[str, Any]) -> Model:
    """A request from plain data; the first mistake becomes a one-line error."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        mistake = mistakes(error, _describe)[0]
    place = f"{location_text(mistake.location)}: " if mistake.location else ""
    message = " ".join(f"{place}{mistake.message}".split())
    if mistake.too_long:
        advice = "Give a part of it; `plainmark score` and `plainmark align` take texts of any length."
        raise TextTooLongError(f"{message} {advice}")
    raise InputError(message)


def _describe(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return f"found {names.get(type(value), 'a number')}"


def _example(model: type[StrictModel]) -> str:
    required = [name for name, field in model.model_fields.items() if field.is_required()]
    return json.dumps(dict.fromkeys(required, "Some words."))


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


async def read_form(request: Request) -> dict[str, Any]:
    """The fields and files of the page's form, as data of a ComparisonForm."""
    if content_type(request) not in ("multipart/form-data", "application/x-www-form-urlencoded"):
        raise HTTPException(415, "expected a form")
    texts: dict[str, list[str]] = {}
    async with request.form(max_files=20, max_fields=40, max_part_size=_MAX_PART) as fields:
        for name, value in fields.multi_items():
            if isinstance(value, UploadFile):
                if value.filename or value.size:
                    text = decode_file(await value.read(), value.filename or "the file")
                    texts.setdefault(name.removesuffix("_file"), []).append(text)
            elif not name.endswith("_file"):
                texts.setdefault(name, []).append(value)

    def last(name: str) -> str:
        return next((t for t in reversed(texts.get(name, [])) if t.strip()), "")

    return {
        "source": last("source"),
        "output": last("output"),
        "second": last("second"),
        "references": [t for t in texts.get("reference", []) if t.strip()][:MAX_REFERENCES],
        "samsa": last("samsa") == "yes",
    }


def decode_file(data: bytes, name: str) -> str:
    """The text of a file: UTF-8, UTF-16 with a byte order mark, or Windows-1252."""
    encodings = ["utf-16"] if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not any(c < " " and c not in "\t\n\r\f\v" for c in text):
            return str(normalize(text))
        break
    shown = "".join(c if c.isprintable() else "\ufffd" for c in name[-80:])
    raise InputError(f"{shown}: not a plain text. Save it as .txt (UTF-8), or copy the words and paste them.")
