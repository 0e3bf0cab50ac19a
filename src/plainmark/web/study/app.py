"""A study as one ASGI application."""

from __future__ import annotations

import time
from collections.abc import Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from ...errors import StoreFullError, StoreUnavailableError
from ...study.keys import study_key
from ...study.store.store import Store
from .. import markdown
from ..rendering import Renderer
from ..security import RequestTooLargeError, RequestTooSlowError, SecurityMiddleware
from .admin import AdminPages
from .pages import DatabaseThreads
from .participant import ParticipantPages, storage_failure
from .settings import Secrets, StudySettings


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
        contact=definition.privacy.contact,
        pilot=definition.mode == "pilot",
    )
    renderer.environment.filters["markdown"] = markdown.render
    threads = DatabaseThreads(store.database)
    participant = ParticipantPages(store, threads, renderer, settings, secrets, clock)
    admin = AdminPages(store, threads, renderer, settings, secrets, clock)

    async def static(request: Request) -> Response:
        return renderer.static(request.path_params["name"])

    async def health(request: Request) -> Response:
        await threads.run(lambda: store.paused)
        return PlainTextResponse("ok")

    async def not_stored(request: Request, error: Exception) -> Response:
        return participant.not_stored(request, storage_failure(error))

    async def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        messages = {
            404: "There is nothing at this address.",
            405: "This address is not for that.",
            429: "Too many wrong tokens came from your address. Please wait before you try again.",
        }
        response = participant.message(
            "Not found" if error.status_code == 404 else "Not possible",
            messages.get(error.status_code, "The study cannot take this request."),
            error.status_code,
        )
        response.headers.update(error.headers or {})
        return response

    async def too_large(request: Request, error: Exception) -> Response:
        return participant.message("Too large", "This is more than the study takes at once.", 413)

    async def too_slow(request: Request, error: Exception) -> Response:
        return participant.message(
            "Too slow", "Your answer took too long to arrive. Please send it again.", 408
        )

    async def server_error(request: Request, error: Exception) -> Response:
        message = "Nothing that was stored is lost. Please reload the page."
        return participant.message("Something went wrong here", message, 500)

    app = Starlette(
        routes=[
            *participant.routes,
            *admin.routes,
            Route("/static/{name}", static),
            Route("/health", health),
        ],
        exception_handlers={
            StoreFullError: not_stored,
            StoreUnavailableError: not_stored,
            HTTPException: http_error,
            RequestTooLargeError: too_large,
            RequestTooSlowError: too_slow,
            Exception: server_error,
        },
    )
    return SecurityMiddleware(app, settings, session_cookie=participant.cookie)
