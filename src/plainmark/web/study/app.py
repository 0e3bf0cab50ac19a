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
from ..rendering import Renderer
from ..security import Guard, TooLargeError
from .admin import Admin
from .participant import Participant, reason_of
from .settings import Secrets, Settings
from .work import Work


def make_app(
    store: Store,
    settings: Settings,
    *,
    keys: Secrets | None = None,
    clock: Callable[[], float] = time.time,
) -> ASGIApp:
    """Everything that a study serves, behind its guard. The store was begun before."""
    definition = store.study.definition
    keys = keys or Secrets.of(study_key(store.study.folder), definition.id)
    renderer = Renderer(
        package=__package__,
        base=settings.base,
        study_title=definition.title,
        language=definition.language,
        contact=definition.privacy.contact,
        pilot=definition.mode == "pilot",
    )
    work = Work(store.database)
    participant = Participant(store, work, renderer, settings, keys, clock)
    admin = Admin(store, work, renderer, settings, keys, clock)

    async def static(request: Request) -> Response:
        return renderer.static(request.path_params["name"])

    async def health(request: Request) -> Response:
        await work.do(lambda: store.paused)
        return PlainTextResponse("ok")

    async def not_stored(request: Request, problem: Exception) -> Response:
        return participant.not_stored(request, reason_of(problem))

    async def refused(request: Request, problem: Exception) -> Response:
        assert isinstance(problem, HTTPException)
        words = {404: "There is nothing at this address.", 405: "This address is not for that."}
        return participant.message(
            "Not found" if problem.status_code == 404 else "Not possible",
            words.get(problem.status_code, "The study cannot take this request."),
            problem.status_code,
        )

    async def too_large(request: Request, problem: Exception) -> Response:
        return participant.message("Too large", "This is more than the study takes at once.", 413)

    async def fault(request: Request, problem: Exception) -> Response:
        words = "Nothing that was stored is lost. Please reload the page."
        return participant.message("Something went wrong here", words, 500)

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
            HTTPException: refused,
            TooLargeError: too_large,
            Exception: fault,
        },
    )
    return Guard(app, settings, session_cookie=participant.cookie)
