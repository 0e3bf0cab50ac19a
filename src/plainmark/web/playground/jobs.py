"""What a worker process does: reads a request, does the work, and answers with bytes that go out as they are.

A worker has no network: an audit hook refuses every connection, whatever a metric or a library may try.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from ...errors import InputError, MissingResourceError, PlainmarkError
from ...explanation import FAST, align, compare, explain
from ...explanation.scores import ALONE, WITH_REFERENCES, score
from ...metric import METRICS, metric
from ...report import explanation as explanation_page
from .requests import AlignRequest, ExplainRequest, Form, ScoreRequest, TooLongError, build, read
from .served_metrics import allowed_metric

_FORBIDDEN = (
    "socket.connect",
    "socket.getaddrinfo",
    "socket.bind",
    "subprocess.Popen",
    "os.system",
    "os.exec",
)
SAMSA_SENTENCES = 15  # in the original; more would take too long


@dataclass(frozen=True)
class Answer:
    """A status and a body."""

    status: int
    body: bytes
    media: str = "application/json"

    def pack(self) -> bytes:
        """As it goes through a pipe."""
        return f"{self.status} {self.media}\n".encode() + self.body

    @classmethod
    def unpack(cls, data: bytes) -> Answer:
        """From a pipe."""
        head, _, body = data.partition(b"\n")
        status, _, media = head.decode().partition(" ")
        return cls(int(status), body, media)


def problem(status: int, words: str) -> Answer:
    """A complaint in one line."""
    return Answer(status, _json({"error": " ".join(words.split())}))


def perform(data: bytes, aligner: str = FAST) -> Answer:
    """The answer to a job: its kind, a line end, its body."""
    kind, _, body = data.partition(b"\n")
    try:
        return _KINDS[kind.decode()](body, aligner)
    except TooLongError as found:
        return problem(413, str(found))
    except InputError as found:
        return problem(400 if "is not JSON" in str(found) else 422, str(found))
    except PlainmarkError as found:
        return problem(422, str(found))
    except MemoryError:
        return problem(503, "These texts need more memory than there is. Give shorter ones.")


def has_samsa() -> bool:
    """Whether this machine can compute SAMSA."""
    return not metric("samsa").missing()


def begin() -> None:
    """Load what every job needs, then close the door to the network."""
    explain("The feline slept. It rained.", "The cat slept.", ["The cat slept."])
    METRICS.names()
    sys.addaudithook(_refuse)


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event.startswith(_FORBIDDEN):
        raise MissingResourceError(
            "this needs the network or another program, and the playground uses neither."
        )


def _score(body: bytes, aligner: str) -> Answer:
    asked = read(ScoreRequest, body)
    chosen = [allowed_metric(spec) for spec in asked.metrics]
    return Answer(
        200, _json([asdict(score(asked.source, asked.output, asked.references, m)) for m in chosen])
    )


def _align(body: bytes, aligner: str) -> Answer:
    asked = read(AlignRequest, body)
    return Answer(200, _json(asdict(align(asked.source, asked.output, aligner=aligner))))


def _explain(body: bytes, aligner: str) -> Answer:
    asked = read(ExplainRequest, body)
    chosen = None if asked.metrics is None else [allowed_metric(spec) for spec in asked.metrics]
    found = explain(asked.source, asked.output, asked.references, metrics=chosen, aligner=aligner)
    return Answer(200, _json(asdict(found)))


def _part(body: bytes, aligner: str) -> Answer:
    return Answer(200, explanation_page.sections(_compared(body, aligner)).encode(), "text/html")


def _html(body: bytes, aligner: str) -> Answer:
    return Answer(200, explanation_page.page(_compared(body, aligner)).encode(), "text/html")


def _export(body: bytes, aligner: str) -> Answer:
    form = _form(body)
    found = asdict(_compared(body, aligner))
    return Answer(200, _json({"texts": asdict(form), **found}, indent=2))


def _form(body: bytes) -> Form:
    return build(Form, json.loads(body))


def _compared(body: bytes, aligner: str) -> Any:
    form = _form(body)
    chosen: list[str] | None = None
    if form.samsa:
        if len(align(form.source, "").source) > SAMSA_SENTENCES:
            raise InputError(
                f"SAMSA is computed here for originals of at most {SAMSA_SENTENCES} sentences. Untick it."
            )
        chosen = [*(WITH_REFERENCES if form.references else ()), *ALONE, "samsa"]
    return compare(form.source, form.output, form.second, form.references, metrics=chosen, aligner=aligner)


_KINDS: dict[str, Callable[[bytes, str], Answer]] = {
    "score": _score,
    "align": _align,
    "explain": _explain,
    "part": _part,
    "html": _html,
    "json": _export,
}


def _json(data: object, indent: int | None = None) -> bytes:
    return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=indent).encode("utf-8", "replace")
