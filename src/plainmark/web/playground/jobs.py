"""The jobs of a worker process: parse a request, do the work, and return the bytes of the response.

A worker has no network: an audit hook refuses every connection that a metric or a library may try to open.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from ...data import Corpus
from ...document import sentence_spans
from ...errors import InputError, MissingResourceError, PlainmarkError
from ...explanation import FAST, align, compare, explain
from ...explanation.scores import ALONE, WITH_REFERENCES, score
from ...metric import METRICS, metric
from ...report import explanation as explanation_page
from ..editor import work as editor
from ..editor.quality import explain_quality
from ..editor.requests import ChecklistRequest, CheckRequest, FactsRequest, QualityRequest, SaveRequest
from .requests import (
    MAX_SENTENCES,
    AlignRequest,
    ComparisonForm,
    ExplainRequest,
    NotJSONError,
    ScoreRequest,
    TextTooLongError,
    parse_json,
)
from .served_metrics import served_metric

LOG = logging.getLogger("plainmark.web")

_FORBIDDEN_EVENTS = (
    "socket.connect",
    "socket.getaddrinfo",
    "socket.bind",
    "subprocess.Popen",
    "os.system",
    "os.exec",
)
MAX_SAMSA_SENTENCES = 15  # in the original; more would take too long


@dataclass(frozen=True)
class JobResult:
    """The status and the body of a response."""

    status: int
    body: bytes
    media: str = "application/json"


def failure(status: int, message: str) -> JobResult:
    """An error message of one line."""
    return JobResult(status, _json({"error": " ".join(message.split())}))


def perform(operation: str, body: bytes, aligner: str = FAST) -> JobResult:
    """Perform one operation on the body of a request."""
    try:
        return _OPERATIONS[operation](body, aligner)
    except TextTooLongError as error:
        return failure(413, str(error))
    except NotJSONError as error:
        return failure(400, str(error))
    except PlainmarkError as error:
        return failure(422, str(error))
    except MemoryError:
        return failure(503, "These texts need more memory than there is. Give shorter ones.")
    except Exception as error:  # the message of the error may contain a user's text
        LOG.error("%s in a worker", type(error).__name__)
        return failure(500, "Something went wrong here. Other texts may work.")


def check_sentences(*texts: str) -> None:
    """Refuse texts with more sentences than can be compared in time."""
    for text in texts:
        if (
            text.count("\n") + sum(map(text.count, ".!?")) < MAX_SENTENCES
        ):  # a text cannot have more sentences than this
            continue
        if (count := len(sentence_spans(text))) > MAX_SENTENCES:
            raise TextTooLongError(
                f"found {count:,} sentences in a text, expected at most {MAX_SENTENCES}. Give a part of it; `plainmark score`"
                " and `plainmark align` take texts of any length."
            )


def has_samsa() -> bool:
    """Whether this machine can compute SAMSA."""
    return not metric("samsa").missing()


def prepare() -> None:
    """Load the resources that every job needs, then cut off the network."""
    explain("The feline slept. It rained.", "The cat slept.", ["The cat slept."])
    editor.prepare()
    METRICS.names()
    sys.addaudithook(_refuse)


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event.startswith(_FORBIDDEN_EVENTS):
        raise MissingResourceError(
            "this needs the network or another program, and the playground uses neither."
        )


def _score(body: bytes, aligner: str) -> JobResult:
    request = parse_json(ScoreRequest, body)
    check_sentences(request.source, request.output, *request.references)
    metrics = [served_metric(spec) for spec in request.metrics]
    references = [list(request.references)] if request.references else None
    corpus = Corpus([request.source], [request.output], references)
    return JobResult(200, _json([asdict(score(corpus, m)) for m in metrics]))


def _align(body: bytes, aligner: str) -> JobResult:
    request = parse_json(AlignRequest, body)
    check_sentences(request.source, request.output)
    return JobResult(200, _json(asdict(align(request.source, request.output, aligner=aligner))))


def _explain(body: bytes, aligner: str) -> JobResult:
    request = parse_json(ExplainRequest, body)
    check_sentences(request.source, request.output, *request.references)
    metrics = None if request.metrics is None else [served_metric(spec) for spec in request.metrics]
    explanation = explain(
        request.source, request.output, request.references, metrics=metrics, aligner=aligner
    )
    return JobResult(200, _json(asdict(explanation)))


def _part(body: bytes, aligner: str) -> JobResult:
    comparison = _compare(parse_json(ComparisonForm, body), aligner)
    return JobResult(200, explanation_page.sections(comparison).encode(), "text/html")


def _html(body: bytes, aligner: str) -> JobResult:
    comparison = _compare(parse_json(ComparisonForm, body), aligner)
    return JobResult(200, explanation_page.page(comparison).encode(), "text/html")


def _export(body: bytes, aligner: str) -> JobResult:
    form = parse_json(ComparisonForm, body)
    comparison = asdict(_compare(form, aligner))
    return JobResult(200, _json({"texts": form.model_dump(), **comparison}, indent=2))


def _compare(form: ComparisonForm, aligner: str) -> Any:
    check_sentences(form.source, form.output, form.second, *form.references)
    metrics: list[str] | None = None
    if form.samsa:
        if len(align(form.source, "").source) > MAX_SAMSA_SENTENCES:
            raise InputError(
                f"SAMSA is computed here for originals of at most {MAX_SAMSA_SENTENCES} sentences. Untick it."
            )
        metrics = [*(WITH_REFERENCES if form.references else ()), *ALONE, "samsa"]
    return compare(form.source, form.output, form.second, form.references, metrics=metrics, aligner=aligner)


def _check(body: bytes, aligner: str) -> JobResult:
    return JobResult(200, _json(editor.check(parse_json(CheckRequest, body))))


def _facts(body: bytes, aligner: str) -> JobResult:
    request = parse_json(FactsRequest, body)
    check_sentences(request.source, request.output)
    return JobResult(200, _json(editor.facts(request, aligner)))


def _quality(body: bytes, aligner: str) -> JobResult:
    request = parse_json(QualityRequest, body)
    check_sentences(request.source, request.output)
    return JobResult(200, _json(explain_quality(request)))


def _checklist(body: bytes, aligner: str) -> JobResult:
    request = parse_json(ChecklistRequest, body)
    check_sentences(request.source, request.output)
    return JobResult(200, editor.write_checklist(request, aligner), request.format)


def _open(body: bytes, aligner: str) -> JobResult:
    return JobResult(200, _json(editor.read_document(body)))


def _save(body: bytes, aligner: str) -> JobResult:
    asked, _, document = body.partition(b"\0")  # JSON never contains a zero byte
    request = parse_json(SaveRequest, asked)
    return JobResult(200, editor.write_document(request, document), request.suffix)


_OPERATIONS: dict[str, Callable[[bytes, str], JobResult]] = {
    "score": _score,
    "align": _align,
    "explain": _explain,
    "part": _part,
    "html": _html,
    "json": _export,
    "check": _check,
    "facts": _facts,
    "quality": _quality,
    "checklist": _checklist,
    "open": _open,
    "save": _save,
}


def _json(data: object, indent: int | None = None) -> bytes:
    return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=indent).encode("utf-8", "replace")
