"""Logs for programs: one JSON object per line, without personal data.

A request is logged by its route (never by its address, which may contain an id), method, status and duration. Logs have no
addresses, cookies, ids, codes or answers; an error is identified by its type and location.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import IO

from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

EVENTS = logging.getLogger("plainmark.events")  # requests and administrators' actions
EVENTS.disabled = True  # silent until a handler is added
_FIELDS = ("method", "route", "status", "milliseconds", "action", "actor")


class JsonFormatter(logging.Formatter):
    """Formats a log record as one line of JSON, with only those fields that never have personal data."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, object] = {"time": moment, "level": record.levelname.lower(), "process": os.getpid()}
        # Messages of other libraries may quote their input, so only their location is logged.
        own = record.name.startswith("plainmark")
        line["event"] = record.getMessage() if own else f"{record.name} in {record.funcName}"
        line |= {name: getattr(record, name) for name in _FIELDS if hasattr(record, name)}
        return json.dumps(line, ensure_ascii=True)


def log_as_json(stream: IO[str] | None = None) -> logging.Handler:
    """Write all logs of this process as JSON lines, by default to standard error."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter())
    for logger in (logging.getLogger(), logging.getLogger("plainmark")):
        for other in [h for h in logger.handlers if type(h) is logging.StreamHandler]:
            logger.removeHandler(other)  # the plain-text log of the command line
    logging.getLogger().addHandler(handler)
    EVENTS.disabled = False
    EVENTS.setLevel(logging.INFO)
    return handler


class RequestLog:
    """An ASGI application that wraps another one and logs its requests, if a handler listens."""

    def __init__(self, app: ASGIApp, routes: Sequence[Route]) -> None:
        self.app, self.routes = app, routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not EVENTS.isEnabledFor(logging.INFO):
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        async def note_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, note_status)
        finally:
            path = scope["path"]
            route = next((r.path for r in self.routes if r.path_regex.match(path)), "other")
            method = scope["method"] if scope["method"] in ("GET", "HEAD", "POST") else "other"
            milliseconds = round(1000 * (time.perf_counter() - began), 1)
            fields = {"method": method, "route": route, "status": status, "milliseconds": milliseconds}
            EVENTS.info("request", extra=fields)
