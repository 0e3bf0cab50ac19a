"""The editor's pages and endpoints.

GET  /                  the editor, with the texts of the command line if there are any
POST /                  the same as a form, for browsers without JavaScript
POST /editor/check      findings, measures and targets of a text
POST /editor/facts      the alignment of sentences, and every fact of both texts
POST /editor/quality    what each sentence and word does to the metric quality
POST /editor/checklist  the facts as a list to sign
POST /editor/open       the text of an uploaded document
POST /editor/save       a text as a document, or put back into its Word document
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

from markupsafe import Markup
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...checks import CEFR_LEVELS
from ...explanation.scores import ALONE
from ...models import missing as missing_model
from ...report.quality import SHOWN
from ...report.quality import legend as quality_legend
from ..playground.examples import EXAMPLES
from ..playground.jobs import JobResult
from ..playground.requests import MAX_TEXT
from ..rendering import Renderer
from ..security import CONTENT_SECURITY_POLICY, content_type
from .form import EditorForm, FormResult, read_form, show_result

RunJob = Callable[[Request, str, bytes], Awaitable[JobResult]]

_MAX_PART = 4_000_000  # bytes; the middleware refuses larger bodies before
NO_STORE = {"cache-control": "no-store"}
_MEDIA = {
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "md": "text/markdown",
    "html": "text/html",
    "txt": "text/plain",
    "csv": "text/csv",
}
_OPERATIONS = ("check", "facts", "quality", "checklist", "open", "save")


class EditorPages:
    """The editor's request handlers; `run_job` runs an operation in a worker."""

    def __init__(
        self, renderer: Renderer, run_job: RunJob, *, form: EditorForm, formats: tuple[str, ...]
    ) -> None:
        self.renderer, self.run_job, self.form, self.formats = renderer, run_job, form, formats
        self.has_levels = not missing_model("plain")

    @property
    def routes(self) -> list[Route]:
        """The routes of the editor."""
        return [
            Route("/", self.page),
            Route("/", self.submit, methods=["POST"]),
            *(Route(f"/editor/{name}", self.answer, methods=["POST"]) for name in _OPERATIONS),
        ]

    async def page(self, request: Request) -> Response:
        """The editor."""
        example = EXAMPLES.get(request.query_params.get("example", ""))
        form = EditorForm(text=example[1].output, original=example[1].source) if example else self.form
        return self._page(form)

    async def submit(self, request: Request) -> Response:
        """The editor as a form."""
        form, status = await read_form(request, self.run_job)
        if form.problem:
            return self._page(form, status=status)
        result = await show_result(form, lambda name, body: self.run_job(request, name, body))
        return self._page(form, result, 200 if not result.problem else 422)

    async def answer(self, request: Request) -> Response:
        """Answer one of the editor's requests."""
        name = request.scope["path"].rpartition("/")[2]
        body = await _body(request, name)
        result = await self.run_job(request, name, body)
        headers = dict(NO_STORE)
        if result.status != 200 or result.media == "application/json":
            return Response(result.body, result.status, headers=headers, media_type="application/json")
        asked = json.loads(body.partition(b"\0")[0])
        stem = "facts" if name == "checklist" else file_name(asked.get("name", ""))
        headers["content-disposition"] = f'attachment; filename="{stem}.{result.media}"'
        headers["content-security-policy"] = "sandbox; default-src 'none'; style-src 'unsafe-inline'"
        return Response(result.body, headers=headers, media_type=_MEDIA[result.media])

    def _page(self, form: EditorForm, result: FormResult | None = None, status: int = 200) -> Response:
        # CodeMirror writes its own style sheet; the policy allows only one with this nonce.
        nonce = secrets.token_urlsafe(16)
        policy = CONTENT_SECURITY_POLICY.replace("style-src 'self'", f"style-src 'self' 'nonce-{nonce}'")
        return self.renderer.page(
            "editor.html",
            status,
            {**NO_STORE, "content-security-policy": policy},
            place="editor",
            form=form,
            result=result or FormResult(),
            nonce=nonce,
            longest=MAX_TEXT,
            levels=CEFR_LEVELS if self.has_levels else (),
            formats=self.formats,
            metrics=" ".join(ALONE),
            quality_parts=SHOWN,
            legend=Markup(quality_legend()),  # noqa: S704 - a template of the report without texts
            examples=[(name, title) for name, (title, _) in EXAMPLES.items()],
        )


def file_name(name: Any) -> str:
    """A safe file name for a download, without its suffix."""
    letters = re.sub(r"[^\w.-]+", "-", str(name), flags=re.ASCII).strip("-.")
    return letters[:60] or "text"


async def _body(request: Request, name: str) -> bytes:
    """The body for a worker: the JSON as received, or JSON or a file's name, a zero byte, and the file."""
    kind = content_type(request)
    expected = {"open": ("multipart/form-data",), "save": ("application/json", "multipart/form-data")}
    if kind not in expected.get(name, ("application/json",)):
        raise HTTPException(415, f"expected {' or '.join(expected.get(name, ('application/json',)))}")
    if kind == "application/json":
        return await request.body()
    async with request.form(max_files=1, max_fields=1, max_part_size=_MAX_PART) as fields:
        file = fields.get("file")
        if not isinstance(file, UploadFile):
            raise HTTPException(422, "expected a file")
        before = fields.get("request", "") if name == "save" else file.filename or "the file"
        return str(before).replace("\0", "").encode("utf-8", "replace") + b"\0" + await file.read()
