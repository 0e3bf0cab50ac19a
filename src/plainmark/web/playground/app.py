"""The editor and the comparison page as one ASGI application.

GET  /                  the editor: see web/editor/pages.py
GET  /compare           the comparison form; ?example=NAME fills it in
POST /compare           the form with its result; /part returns only the result, for the script
POST /export.html       the result as one file; /export.json as data
GET  /reports           finished reports and studies of a folder; /reports/NAME is one of them
GET  /api               documentation of the API; /openapi.json for programs
POST /api/score         and /api/align, /api/explain
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from anyio import to_thread
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from ...errors import InputError
from ...report import html as report
from ..addresses import client_network
from ..editor.documents import formats
from ..editor.form import EditorForm
from ..editor.pages import EditorPages
from ..rendering import Renderer
from ..security import RequestTooLargeError, RequestTooSlowError, SecurityMiddleware, content_type
from .auth import AuthMiddleware
from .cost import TooMuchWorkError
from .examples import EXAMPLES
from .jobs import JobResult, failure, has_samsa
from .openapi import ERRORS, OPERATIONS, openapi
from .queue import BusyError, ClientBusyError
from .reports import REPORT_POLICY, ReportFolder
from .requests import MAX_REFERENCES, MAX_TEXT, ComparisonForm, TextTooLongError, parse, read_form
from .served_metrics import METRIC_NAMES
from .settings import PlaygroundSettings
from .workers import JobStoppedError, WorkerPool

TOO_LARGE = (
    f"This is more than the playground takes at once: at most {MAX_TEXT:,} characters per text. "
    "Give a part of it; the commands `plainmark score` and `plainmark align` take texts of any length."
)
_BUSY = "Too many texts are being compared at this moment. Please try again in a few seconds."
_CLIENT_BUSY = (
    "Your earlier requests are still being worked on. Please try again when you have their results."
)
_STOPPED = "This took too long and was stopped. Please try shorter texts."
_RETRY_SECONDS = 5
_NO_STORE = {"cache-control": "no-store"}
_FIELD_NAMES = {"source": "The original", "output": "The simplified text", "second": "The second version"}
_HEADINGS = {404: "Not found", 413: "Too long", 401: "Who are you?", 403: "Not allowed", 429: "One moment"}


class Playground:
    """The pages and the API."""

    def __init__(self, settings: PlaygroundSettings, workers: WorkerPool) -> None:
        self.settings, self.workers = settings, workers
        self.folder = ReportFolder(settings.folder) if settings.folder else None
        styles = "".join(map(report.asset, ("page.css", "ribbons.css", "explanation.css", "quality.css")))
        self.renderer = Renderer(
            package=__package__,
            base="",
            also=["plainmark.web.editor"],
            static_files={
                "report.css": styles.encode(),
                "ribbons.js": report.asset("ribbons.js").encode(),
            },
            has_library=self.folder is not None,
            local=settings.local,
        )
        form = EditorForm(settings.form.output, settings.form.source, name=settings.name)
        self.editor = EditorPages(self.renderer, self._run_job, form=form, formats=formats())
        self.samsa = has_samsa()
        self.specification = openapi()

    @property
    def routes(self) -> list[Route]:
        """The routes of the pages and of the API."""
        return [
            *self.editor.routes,
            Route("/compare", self.form),
            Route("/compare", self.show, methods=["POST"]),
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

    # Pages for users.

    async def form(self, request: Request) -> Response:
        """The form: empty, with an example, or with the texts of the command line."""
        example = EXAMPLES.get(request.query_params.get("example", ""))
        form = example[1] if example else self.settings.form
        if form.source and form.output:
            return await self._result_page(request, form)
        return self._form_page(form)

    async def show(self, request: Request) -> Response:
        """The form with the result for its texts."""
        form, problem, status = await self._read(request)
        if problem:
            return self._form_page(form, problem=problem, status=status)
        return await self._result_page(request, form)

    async def part(self, request: Request) -> Response:
        """Only the result, without the form."""
        form, problem, status = await self._read(request)
        if problem:
            return self.renderer.page("problem.html", status, _NO_STORE, problem=problem)
        result = await self._run(request, "part", form)
        if result.status != 200:
            return self.renderer.page("problem.html", result.status, _headers(result), problem=_error(result))
        html = Markup(result.body.decode())  # noqa: S704 - report/explanation.py escapes every text
        return self.renderer.page("result.html", 200, _NO_STORE, result=html)

    async def export(self, request: Request) -> Response:
        """The result as a file to download."""
        form, problem, status = await self._read(request)
        if problem:
            return self._form_page(form, problem=problem, status=status)
        suffix = request.scope["path"].rpartition(".")[2]
        result = await self._run(request, suffix, form)
        if result.status != 200:
            return self._form_page(form, problem=_error(result), status=result.status)
        headers = {**_NO_STORE, "content-disposition": f'attachment; filename="plainmark.{suffix}"'}
        if suffix == "html":
            headers["content-security-policy"] = REPORT_POLICY
        return Response(result.body, media_type=result.media, headers=headers)

    async def reports(self, request: Request) -> Response:
        """The reports and studies of the folder."""
        if self.folder is None:
            message = "Start with the folder that holds your reports: plainmark serve FOLDER"
            return self.message(request, 404, message)
        return self.renderer.page(
            "reports.html",
            place="reports",
            folder=self.folder.folder.name or str(self.folder.folder),
            reports=await to_thread.run_sync(self.folder.reports),
            studies=await to_thread.run_sync(self.folder.studies),
        )

    async def report(self, request: Request) -> Response:
        """A listed report, in a sandboxed frame."""
        name = request.path_params["name"]
        path = await to_thread.run_sync(self.folder.find, name) if self.folder else None
        if path is None:
            return self.message(request, 404, "No report of this name is in the folder.")
        return FileResponse(path, media_type="text/html", headers={"content-security-policy": REPORT_POLICY})

    async def about(self, request: Request) -> Response:
        """The documentation of the API."""
        schemas = self.specification["components"]["schemas"]
        operations = [
            (name, o.summary, json.dumps(o.example, indent=2), schemas[o.request.__name__])
            for name, o in OPERATIONS.items()
        ]
        return self.renderer.page(
            "api.html",
            place="api",
            operations=operations,
            problems=ERRORS,
            metrics=METRIC_NAMES,
            token=bool(self.settings.token),
            address=f"{request.url.scheme}://{request.url.netloc}",
        )

    # Endpoints for programs.

    async def call(self, request: Request) -> Response:
        """One request of the API."""
        kind = content_type(request)
        if kind != "application/json":
            message = f"found a body of type {kind[:60] or 'none'!r}, expected application/json; say so in Content-Type."
            return self.message(request, 415, message)
        result = await self._run_job(request, request.scope["path"].rpartition("/")[2], await request.body())
        return Response(result.body, result.status, headers=_headers(result), media_type=result.media)

    async def openapi(self, request: Request) -> Response:
        """The OpenAPI document."""
        return JSONResponse(self.specification)

    async def static(self, request: Request) -> Response:
        """Styles and scripts."""
        return self.renderer.static(request.path_params["name"])

    async def health(self, request: Request) -> Response:
        """Whether the server is running."""
        return Response("ok", media_type="text/plain")

    def message(self, request: Request, status: int, message: str, retry_after: int = 0) -> Response:
        """A message: a page for users, JSON for programs."""
        headers = {"retry-after": str(retry_after)} if retry_after else {}
        if request.scope["path"].startswith(("/api/", "/editor/")):
            return JSONResponse({"error": message}, status, headers)
        if request.scope["path"] == "/part":
            return self.renderer.page("problem.html", status, headers, problem=message)
        heading = _HEADINGS.get(status, "Not possible")
        return self.renderer.page("message.html", status, headers, place="", heading=heading, message=message)

    async def _read(self, request: Request) -> tuple[ComparisonForm, str, int]:
        """The form of a request, the error in it, and the status code of the error."""
        form = ComparisonForm()
        try:
            data = await read_form(request)
            # Texts that are too long or otherwise wrong are shown again, so that nothing is lost.
            form = ComparisonForm.model_construct(**data)
            form = parse(ComparisonForm, data)
        except TextTooLongError as error:
            return form, _with_field_name(str(error)), 413
        except InputError as error:
            return form, str(error), 422
        if not (form.source.strip() and form.output.strip()):
            empty = "original" if not form.source.strip() else "simplified text"
            return form, f"The {empty} is empty. Paste it, or choose a text file.", 422
        return form, "", 200

    async def _result_page(self, request: Request, form: ComparisonForm) -> Response:
        result = await self._run(request, "part", form)
        if result.status != 200:
            return self._form_page(form, problem=_error(result), status=result.status)
        return self._form_page(form, result=Markup(result.body.decode()))  # noqa: S704 - as above

    def _form_page(
        self, form: ComparisonForm, *, result: Markup | str = "", problem: str = "", status: int = 200
    ) -> Response:
        return self.renderer.page(
            "page.html",
            status,
            _NO_STORE,
            place="compare",
            form=form,
            result=result,
            problem=problem,
            samsa=self.samsa,
            longest=MAX_TEXT,
            max_references=MAX_REFERENCES,
            examples=[(name, title) for name, (title, _) in EXAMPLES.items()],
        )

    async def _run(self, request: Request, operation: str, form: ComparisonForm) -> JobResult:
        return await self._run_job(request, operation, form.model_dump_json().encode())

    async def _run_job(self, request: Request, operation: str, body: bytes) -> JobResult:
        try:
            # Marks do not wait for the facts of the same user.
            lane = " check" if operation == "check" else ""
            return await self.workers.run(operation, body, client_network(request) + lane)
        except ClientBusyError:
            return failure(429, _CLIENT_BUSY)
        except BusyError:
            return failure(503, _BUSY)
        except JobStoppedError:
            return failure(503, _STOPPED)
        except TooMuchWorkError as error:
            return failure(
                413,
                f"This would take about {error.seconds:.0f} s, expected at most {self.settings.seconds:g} s. Give a part of it;"
                " `plainmark score` and `plainmark align` take texts of any length.",
            )


def make_app(settings: PlaygroundSettings, workers: WorkerPool) -> ASGIApp:
    """The pages and the API behind authentication and the security middleware."""
    playground = Playground(settings, workers)

    async def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        messages = {
            404: "There is nothing at this address.",
            405: "This address is not for that.",
            415: "Expected the page's form.",
        }
        default = "The form could not be read. Please go back and try again."
        message = messages.get(error.status_code, default)
        response = playground.message(request, error.status_code, message)
        response.headers.update(error.headers or {})
        return response

    async def too_large(request: Request, error: Exception) -> Response:
        return playground.message(request, 413, TOO_LARGE)

    async def too_slow(request: Request, error: Exception) -> Response:
        return playground.message(request, 408, "The texts took too long to arrive. Please try again.")

    async def server_error(request: Request, error: Exception) -> Response:
        return playground.message(request, 500, "Something went wrong here. Please try again.")

    app = Starlette(
        routes=playground.routes,
        exception_handlers={
            HTTPException: http_error,
            RequestTooLargeError: too_large,
            RequestTooSlowError: too_slow,
            Exception: server_error,
        },
    )
    return SecurityMiddleware(
        AuthMiddleware(app, settings, playground.message),
        settings,
        too_large=TOO_LARGE,
        error_page=playground.message,
    )


def _with_field_name(message: str) -> str:
    """A message about a field, with the field's name on the page."""
    name, _, rest = message.partition(":")
    return f"{_FIELD_NAMES.get(name, 'A reference')} has {rest.strip()}" if rest else message


def _error(result: JobResult) -> str:
    return str(json.loads(result.body)["error"])


def _headers(result: JobResult) -> Mapping[str, str]:
    return {**_NO_STORE, **({"retry-after": str(_RETRY_SECONDS)} if result.status in (429, 503) else {})}
