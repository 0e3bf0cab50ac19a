"""A study as one ASGI application."""

from __future__ import annotations

import time
from collections.abc import Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from ...errors import StoreFullError, StoreUnavailableError
from ...study.keys import study_key
from ...study.store.store import Store
from .. import markdown
from ..logs import RequestLog
from ..rendering import Renderer
from ..security import RequestTooLargeError, RequestTooSlowError, SecurityMiddleware
from .admin import AdminPages
from .pages import DatabaseThreads
from .participant import ParticipantPages
from .settings import Secrets, StudySettings
from .withdrawal import WithdrawalPages

# Messages by status.
_ERRORS = {
    404: "error.not_found",
    408: "error.too_slow",
    413: "error.too_large",
    429: "error.too_many",
    500: "error.failed",
}


def make_app(
    store: Store,
    settings: StudySettings,
    *,
    secrets: Secrets | None = None,
    clock: Callable[[], float] = time.time,
) -> ASGIApp:
    """All pages of a study behind the security middleware. `store.begin` must have been called."""
    definition = store.study.definition
    secrets = secrets or Secrets.derive(study_key(store.study.folder), definition.id)
    renderer = Renderer(
        package=__package__,
        base=settings.base,
        study_title=definition.title,
        language=definition.language,
        t=store.study.messages,
        contact=definition.privacy.contact,
        pilot=definition.mode == "pilot",
        preview={},
    )
    renderer.environment.filters["markdown"] = markdown.render
    threads = DatabaseThreads(store.database)
    participant = ParticipantPages(store, threads, renderer, settings, secrets, clock)
    admin = AdminPages(store, threads, renderer, settings, secrets, clock)

    withdrawal = WithdrawalPages(store, threads, renderer, settings, secrets, clock)

    async def static(request: Request) -> Response:
        return renderer.static(request.path_params["name"])

    async def health(request: Request) -> Response:
        """Whether the server and its database work: 200, or 503."""
        ok = await threads.run(store.database.responds)
        data = {"status": "ok" if ok else "unavailable", "database": "ok" if ok else "does not answer"}
        return JSONResponse(data, 200 if ok else 503, {"cache-control": "no-store"})

    async def not_stored(request: Request, error: Exception) -> Response:
        return participant.not_stored(request, error)

    async def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        status = error.status_code
        if status == 429:  # only the pages of administrators, which are in English
            message = "Too many wrong tokens came from your address. Please wait before you try again."
            response = participant.message("Not possible", message, status)
        else:
            response = participant.say(_ERRORS.get(status, "error.not_possible"), status)
        response.headers.update(error.headers or {})
        return response

    async def too_large(request: Request, error: Exception) -> Response:
        return participant.say("error.too_large", 413)

    async def too_slow(request: Request, error: Exception) -> Response:
        return participant.say("error.too_slow", 408)

    async def server_error(request: Request, error: Exception) -> Response:
        return participant.say("error.failed", 500)

    routes = [
        *participant.routes,
        *withdrawal.routes,
        *admin.routes,
        Route("/static/{name}", static),
        Route("/health", health),
    ]
    app = Starlette(
        routes=routes,
        exception_handlers={
            StoreFullError: not_stored,
            StoreUnavailableError: not_stored,
            HTTPException: http_error,
            RequestTooLargeError: too_large,
            RequestTooSlowError: too_slow,
            Exception: server_error,
        },
    )

    def refused(request: Request, status: int, message: str, retry_after: int = 0) -> Response:
        text = store.study.messages(f"{_ERRORS.get(status, 'error.not_possible')}.text")
        headers = {"retry-after": str(retry_after)} if retry_after else None
        return PlainTextResponse(text, status, headers)

    protected = SecurityMiddleware(app, settings, session_cookie=participant.cookie, error_page=refused)
    return RequestLog(protected, routes)
