"""The playground as one ASGI application.

GET  /                  the form; ?example=NAME fills it in
POST /                  the form with what became of the texts; /part gives only that, for the script
POST /export.html       the same as one file; /export.json as data
GET  /reports           finished reports and studies of a folder; /reports/NAME is one of them
GET  /api               how programs use it; /openapi.json says it to them
POST /api/score         and /api/align, /api/explain
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from anyio import to_thread
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from ...errors import InputError
from ...explanation import FAST
from ...report import html as report
from ..guard import Guard, Rate, TooLargeError, network_of
from ..rendering import Renderer
from .allowed import METRIC_NAMES
from .asked import LONGEST, MOST_REFERENCES, Form, TooLongError, build, tidy
from .examples import EXAMPLES
from .jobs import Answer, has_samsa
from .library import POLICY, Library
from .schema import OPERATIONS, PROBLEMS, openapi
from .workers import BusyError, SlowError, Workers

COOKIE = "plainmark"
TOO_LARGE = (
    f"This is more than the playground takes at once: at most {LONGEST:,} characters a text. "
    "Give a part of it; the commands `plainmark score` and `plainmark align` take texts of any length."
)
_BUSY = "Too many texts are being compared at this moment. Please try again in a few seconds."
_SLOW = "This took too long and was stopped. Please try shorter texts."
_RETRY = 5  # seconds
_LARGEST_PART = 8_000_000  # bytes; the guard refuses before that
_KEPT = 7 * 86_400  # seconds that a browser knows the token
_OPEN = ("/static/", "/health")  # without a token


@dataclass(frozen=True)
class Settings:
    """What the playground is told."""

    token: str = ""
    folder: Path | None = None
    hosts: tuple[str, ...] = ()  # names besides localhost and addresses by which people may call it
    aligner: str = FAST
    given: Form = field(default_factory=Form)  # texts that the form holds at first
    requests_per_minute: int = 60_000
    largest_form: int = 4_000_000  # bytes
    workers: int = 2
    waiting: int = 500  # requests that may wait for a worker
    seconds: float = 20.0  # for a request to wait, and again to be worked on
    secure: bool = False


class Playground:
    """The pages and the API."""

    def __init__(self, settings: Settings, workers: Workers) -> None:
        self.settings, self.workers = settings, workers
        self.library = Library(settings.folder) if settings.folder else None
        styles = "".join(map(report.asset, ("page.css", "ribbons.css", "explained.css")))
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
        result = Markup(answer.body.decode())  # noqa: S704 - made by report/explained.py, which escapes every text
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


class Door:
    """Lets in who calls the machine by its own name, from its own pages, and knows the token."""

    def __init__(self, app: ASGIApp, settings: Settings, playground: Playground) -> None:
        self.app, self.settings, self.playground = app, settings, playground
        self._guesses = Rate(20, 20)
        self._cookie = hashlib.sha256(b"plainmark cookie\0" + settings.token.encode()).hexdigest()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        answer = self._refusal(request)
        await (answer or self.app)(scope, receive, send)

    def _refusal(self, request: Request) -> Response | None:
        say = self.playground.message
        if not self._is_host(request.headers.get("host", "")):
            words = "This machine has another name. Open the address that `plainmark serve` printed, or start it with --allow-host NAME."
            return say(request, 421, words)
        if request.method == "POST" and _from_elsewhere(request):
            return say(request, 403, "A page of another site may not ask this.")
        if not self.settings.token or request.scope["path"].startswith(_OPEN):
            return None
        return self._stranger(request)

    def _stranger(self, request: Request) -> Response | None:
        """None for those who know the token; a link with the token becomes a cookie."""
        scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
        link = request.query_params.get("token", "")
        given = bearer.strip() if scheme.lower() == "bearer" else link
        if given:
            if not _same(given, self.settings.token):
                address = network_of(request.client.host if request.client else "")
                wait = not self._guesses.allows(address)
                return self.playground.message(
                    request, 429 if wait else 403, "That is not the token of this server.", 60 if wait else 0
                )
            if link and request.method == "GET":
                entered = RedirectResponse("/", 303)
                entered.set_cookie(COOKIE, self._cookie, httponly=True, samesite="strict", max_age=_KEPT)
                return entered
            return None
        if _same(request.cookies.get(COOKIE, ""), self._cookie):
            return None
        words = "Open the link with the token that `plainmark serve` printed; programs send Authorization: Bearer TOKEN."
        answer = self.playground.message(request, 401, words)
        answer.headers["www-authenticate"] = 'Bearer realm="plainmark"'
        return answer

    def _is_host(self, host: str) -> bool:
        """Addresses and names that are known; any other name may be a page elsewhere that points its name here."""
        try:
            name = urlsplit(f"//{host}").hostname if _is_plain(host) else None
        except ValueError:
            return False
        if not name:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name == "localhost" or name in self.settings.hosts
        return True


async def read_form(request: Request) -> Form:
    """The fields and files of the page's form."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in ("multipart/form-data", "application/x-www-form-urlencoded"):
        raise HTTPException(415, "expected a form")
    texts: dict[str, list[str]] = {}
    async with request.form(max_files=20, max_fields=40, max_part_size=_LARGEST_PART) as fields:
        for name, value in fields.multi_items():
            if isinstance(value, UploadFile):
                if value.filename or value.size:
                    texts.setdefault(name.removesuffix("_file"), []).append(
                        decode(await value.read(), value.filename or "the file")
                    )
            elif name.endswith("_file"):
                continue
            else:
                texts.setdefault(name, []).append(tidy(value))

    def last(name: str) -> str:
        return next((t for t in reversed(texts.get(name, [])) if t.strip()), "")

    return Form(
        last("source"),
        last("output"),
        last("second"),
        tuple(t for t in texts.get("reference", []) if t.strip())[:MOST_REFERENCES],
        last("samsa") == "yes",
    )


def decode(data: bytes, name: str) -> str:
    """The text of a file: UTF-8, UTF-16 with its mark, or what Windows calls ANSI."""
    encodings = ["utf-16"] if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not any(c < " " and c not in "\t\n\r\f\v" for c in text):
            return tidy(text)
        break
    shown = "".join(c if c.isprintable() else "\ufffd" for c in name[-80:])
    raise InputError(f"{shown}: not a plain text. Save it as .txt (UTF-8), or copy the words and paste them.")


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
        Door(app, settings, playground),
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


def _from_elsewhere(request: Request) -> bool:
    """Whether the browser says that another site made this request; ours send no referrer, so their origin may be null."""
    site = request.headers.get("sec-fetch-site", "")
    if site:
        return site not in ("same-origin", "none")
    origin = request.headers.get("origin", "")
    return bool(origin) and origin.partition("://")[2] != request.headers.get("host", "")


def _is_plain(host: str) -> bool:
    return bool(host) and all(c.isalnum() or c in ".:-[]_" for c in host)


def _same(one: str, other: str) -> bool:
    """Equality that takes the same time wherever the two differ."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))
