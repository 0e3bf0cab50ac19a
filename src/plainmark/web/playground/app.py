"""The playground as one ASGI application.

GET  /                  the form; ?example=NAME fills it in
POST /                  the form with what became of the texts; /part gives only that, for the script
POST /export.html       the same as one file; /export.json as data
GET  /reports           finished reports and studies of a folder; /reports/NAME is one of them
GET  /api               how programs use it; /openapi.json says it to them
POST /api/score         and /api/align, /api/explain
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict

from anyio import to_thread
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Scope

from ...errors import InputError
from ...report import html as report
from ..rendering import Renderer
from ..security import Guard, TooLargeError
from .auth import Door
from .examples import EXAMPLES
from .forms import read_form
from .jobs import Answer, has_samsa
from .openapi import OPERATIONS, PROBLEMS, openapi
from .reports import POLICY, Library
from .requests import LONGEST, MOST_REFERENCES, Form, TooLongError, build
from .served_metrics import METRIC_NAMES
from .settings import Settings
from .workers import BusyError, SlowError, Workers

TOO_LARGE = (
    f"This is more than the playground takes at once: at most {LONGEST:,} characters a text. "
    "Give a part of it; the commands `plainmark score` and `plainmark align` take texts of any length."
)
_BUSY = "Too many texts are being compared at this moment. Please try again in a few seconds."
_SLOW = "This took too long and was stopped. Please try shorter texts."
_RETRY = 5  # seconds


class Playground:
    """The pages and the API."""

    def __init__(self, settings: Settings, workers: Workers) -> None:
        self.settings, self.workers = settings, workers
        self.library = Library(settings.folder) if settings.folder else None
        styles = "".join(map(report.asset, ("page.css", "ribbons.css", "explanation.css")))
        self.renderer = Renderer(
            base="",
            package=__package__,
            made={
                "report.css": styles.encode(),
                "ribbons.js": report.asset("ribbons.js").encode(),
            },
            has_library=self.library is not None,
        )
        self.samsa = has_samsa()
        self.specification = openapi()

    @property
    def routes(self) -> list[Route]:
        """Where everything is."""
        return [
            Route("/", self.form),
            Route("/", self.show, methods=["POST"]),
            Route("/part", self.part, methods=["POST"]),
            Route("/export.html", self.export, methods=["POST"]),
            Route("/export.json", self.export, methods=["POST"]),
            Route("/reports", self.reports),
            Route("/reports/{name:path}", self.report),
            Route("/api", self.about),
            *(Route(f"/api/{name}", self.call, methods=["POST"], name=name) for name in OPERATIONS),
            Route("/openapi.json", self.openapi),
            Route("/static/{name}", self.static),
            Route("/health", self.health),
        ]

    # Pages for people.

    async def form(self, request: Request) -> Response:
        """The form, empty, or with an example, or with the texts that the command was given."""
        chosen = EXAMPLES.get(request.query_params.get("example", ""))
        form = chosen[1] if chosen else self.settings.given
        if form.source and form.output:
            return await self._page(form)
        return self._render(form)

    async def show(self, request: Request) -> Response:
        """What became of the texts of the form."""
        form, problem, status = await self._read(request)
        return self._render(form, problem=problem, status=status) if problem else await self._page(form)

    async def part(self, request: Request) -> Response:
        """The same without the form."""
        form, problem, status = await self._read(request)
        if problem:
            return self.renderer.page("problem.html", status, _NOT_KEPT, problem=problem)
        answer = await self._work("part", form)
        if answer.status != 200:
            return self.renderer.page("problem.html", answer.status, _retry(answer), problem=_words(answer))
        result = Markup(answer.body.decode())  # noqa: S704 - rendered by report/explanation.py, which escapes every text
        return self.renderer.page("result.html", 200, _NOT_KEPT, result=result)

    async def export(self, request: Request) -> Response:
        """A file to keep."""
        form, problem, status = await self._read(request)
        if problem:
            return self._render(form, problem=problem, status=status)
        kind = request.scope["path"].rpartition(".")[2]
        answer = await self._work(kind, form)
        if answer.status != 200:
            return self._render(form, problem=_words(answer), status=answer.status)
        headers = {**_NOT_KEPT, "content-disposition": f'attachment; filename="plainmark.{kind}"'}
        if kind == "html":
            headers["content-security-policy"] = POLICY
        return Response(answer.body, media_type=answer.media, headers=headers)

    async def reports(self, request: Request) -> Response:
        """What the folder holds."""
        if self.library is None:
            words = "Start with the folder that holds your reports: plainmark serve FOLDER"
            return self.message(request, 404, words)
        return self.renderer.page(
            "reports.html",
            place="reports",
            folder=self.library.folder.name or str(self.library.folder),
            reports=await to_thread.run_sync(self.library.reports),
            studies=await to_thread.run_sync(self.library.studies),
        )

    async def report(self, request: Request) -> Response:
        """A listed report, in a sandbox."""
        name = request.path_params["name"]
        found = await to_thread.run_sync(self.library.find, name) if self.library else None
        if found is None:
            return self.message(request, 404, "No report of this name is in the folder.")
        return FileResponse(found, media_type="text/html", headers={"content-security-policy": POLICY})

    async def about(self, request: Request) -> Response:
        """How programs use it."""
        operations = [
            (
                name,
                about,
                json.dumps(example, indent=2),
                self.specification["components"]["schemas"][asked.__name__],
            )
            for name, (about, asked, _, example) in OPERATIONS.items()
        ]
        return self.renderer.page(
            "api.html",
            place="api",
            operations=operations,
            problems=PROBLEMS,
            metrics=METRIC_NAMES,
            token=bool(self.settings.token),
            address=f"{request.url.scheme}://{request.url.netloc}",
        )

    # For programs.

    async def call(self, request: Request) -> Response:
        """One request of the API."""
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            words = f"found a body of type {kind[:60] or 'none'!r}, expected application/json; say so in Content-Type."
            return self.message(request, 415, words)
        answer = await self._do(request.scope["path"].rpartition("/")[2], await request.body())
        return Response(answer.body, answer.status, headers=_retry(answer), media_type=answer.media)

    async def openapi(self, request: Request) -> Response:
        """The API, for programs that write programs."""
        return JSONResponse(self.specification)

    async def static(self, request: Request) -> Response:
        """Styles and scripts."""
        return self.renderer.static(request.path_params["name"])

    async def health(self, request: Request) -> Response:
        """Whether it is there."""
        return Response("ok", media_type="text/plain")

    def message(self, request: Request, status: int, words: str, retry: int = 0) -> Response:
        """A few words: a page for people, JSON for programs."""
        headers = {"retry-after": str(retry)} if retry else {}
        if request.scope["path"].startswith("/api/"):
            return JSONResponse({"error": words}, status, headers)
        heading = {
            404: "Not found",
            413: "Too long",
            401: "Who are you?",
            403: "Not allowed",
            429: "One moment",
        }
        if request.scope["path"] == "/part":
            return self.renderer.page("problem.html", status, headers, problem=words)
        return self.renderer.page(
            "message.html",
            status,
            headers,
            place="",
            heading=heading.get(status, "Not possible"),
            words=words,
        )

    async def _read(self, request: Request) -> tuple[Form, str, int]:
        """The form of a request, what is wrong with it, and the status that says so."""
        form = Form()
        try:
            form = await read_form(request)
            build(Form, asdict(form))
        except TooLongError as problem:
            return form, _for_people(str(problem)), 413
        except InputError as problem:
            return form, str(problem), 422
        if not (form.source.strip() and form.output.strip()):
            lacking = "original" if not form.source.strip() else "simplified text"
            return form, f"The {lacking} is empty. Paste it, or choose a text file.", 422
        return form, "", 200

    async def _page(self, form: Form) -> Response:
        answer = await self._work("part", form)
        if answer.status != 200:
            return self._render(form, problem=_words(answer), status=answer.status)
        return self._render(form, result=Markup(answer.body.decode()))  # noqa: S704 - as above

    def _render(
        self, form: Form, *, result: Markup | str = "", problem: str = "", status: int = 200
    ) -> Response:
        return self.renderer.page(
            "page.html",
            status,
            _NOT_KEPT,
            place="compare",
            form=form,
            result=result,
            problem=problem,
            samsa=self.samsa,
            longest=LONGEST,
            most_references=MOST_REFERENCES,
            examples=[(name, title) for name, (title, _) in EXAMPLES.items()],
        )

    async def _work(self, kind: str, form: Form) -> Answer:
        return await self._do(kind, json.dumps(asdict(form)).encode())

    async def _do(self, kind: str, body: bytes) -> Answer:
        try:
            return await self.workers.do(kind, body)
        except (BusyError, SlowError) as problem:
            words = _BUSY if isinstance(problem, BusyError) else _SLOW
            return Answer(503, json.dumps({"error": words}).encode())


def make_app(settings: Settings, workers: Workers) -> ASGIApp:
    """Everything, behind its door and its guard."""
    playground = Playground(settings, workers)

    async def refused(request: Request, problem: Exception) -> Response:
        assert isinstance(problem, HTTPException)
        words = {
            404: "There is nothing at this address.",
            405: "This address is not for that.",
            415: "Expected the page's form.",
        }
        said = words.get(problem.status_code, "The form could not be read. Please go back and try again.")
        answer = playground.message(request, problem.status_code, said)
        answer.headers.update(problem.headers or {})
        return answer

    async def too_large(request: Request, problem: Exception) -> Response:
        return playground.message(request, 413, TOO_LARGE)

    async def fault(request: Request, problem: Exception) -> Response:
        return playground.message(request, 500, "Something went wrong here. Please try again.")

    app = Starlette(
        routes=playground.routes,
        exception_handlers={HTTPException: refused, TooLargeError: too_large, Exception: fault},
    )

    def refusal(scope: Scope, status: int, words: str, retry: int) -> ASGIApp:
        return playground.message(Request(scope), status, words, retry)

    return Guard(
        Door(app, settings, playground.message),
        settings,
        session_cookie="",
        too_large=TOO_LARGE,
        refusal=refusal,
    )


_NOT_KEPT = {"cache-control": "no-store"}
_FIELDS = {"source": "The original", "output": "The simplified text", "second": "The second version"}


def _for_people(words: str) -> str:
    """A complaint about a field, in the names of the page."""
    name, _, rest = words.partition(":")
    return f"{_FIELDS.get(name, 'A reference')} has {rest.strip()}" if rest else words


def _words(answer: Answer) -> str:
    return str(json.loads(answer.body)["error"])


def _retry(answer: Answer) -> Mapping[str, str]:
    return {**_NOT_KEPT, **({"retry-after": str(_RETRY)} if answer.status == 503 else {})}
