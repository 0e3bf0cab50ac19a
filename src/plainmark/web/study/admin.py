"""What those see who run the study. Every page wants the administrator's token; what they do is written down.

GET  /admin?token=…        the link that `study serve` prints: becomes a cookie
GET  /admin                progress by cell, people, flags, timing
GET  /admin/progress.json  the same as data, also with the header Authorization: Bearer TOKEN
POST /admin/pause          lets no new people in, or lets them in again
GET  /admin/export/FORM    csv, jsonl, references
GET  /admin/review         a worker's first answers; POST accepts or rejects
GET  /admin/audit          what administrators did
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from ...errors import InputError, StoreError, StoreFullError, StoreUnavailableError
from ...study.store import admin_actions, import_export, monitoring
from ...study.store.people import people
from ..forms import from_elsewhere, read_form
from ..security import Rate, network_of
from .participant import cookie_name, set_cookie
from .settings import same
from .site import Site

_KEPT = 7 * 86_400
_FORMS = {"csv": "text/csv", "jsonl": "application/x-ndjson", "references": "application/x-ndjson"}
_MOST_PEOPLE = 200  # rows on the page; the export has everyone
_MOST_CELLS = 20_000

Endpoint = Callable[[Request], Awaitable[Response]]


class Admin(Site):
    """The pages of a study for those who run it."""

    def __post_init__(self) -> None:
        self.cookie = cookie_name(self.settings, f"admin-{self.store.study.definition.id}")
        self._guesses = Rate(10, 10)

    @property
    def routes(self) -> list[Route]:
        """Where everything is."""
        return [
            Route("/admin", self.enter),
            Route("/admin/progress.json", self._known(self.progress)),
            Route("/admin/pause", self._known(self.pause), methods=["POST"]),
            Route("/admin/export/{form}", self._known(self.export)),
            Route("/admin/review", self._known(self.review)),
            Route("/admin/review", self._known(self.decide), methods=["POST"]),
            Route("/admin/audit", self._known(self.audit)),
        ]

    def _known(self, endpoint: Endpoint) -> Endpoint:
        """Let administrators through and no one else: 401 without a token, 403 with a wrong one."""

        async def check(request: Request) -> Response:
            refusal = self._refusal(request)
            return refusal or await endpoint(request)

        return check

    def _refusal(self, request: Request) -> Response | None:
        scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
        cookie = request.cookies.get(self.cookie, "")
        given = bearer.strip() if scheme.lower() == "bearer" else ""
        if given:
            return None if self._is_token(request, given) else self._refuse(403)
        if cookie:
            return None if same(cookie, self.keys.admin_cookie) else self._refuse(403)
        return self._refuse(401)

    def _is_token(self, request: Request, token: str) -> bool:
        address = network_of(request.client.host if request.client else "")
        if same(token, self.keys.admin_token):
            return True
        if not self._guesses.allows(address):
            raise HTTPException(429)
        return False

    def _refuse(self, status: int) -> Response:
        words = "Open the admin link that “plainmark study serve” printed when it started."
        heading = "Who are you?" if status == 401 else "That is not the key"
        answer = self.renderer.page("message.html", status, heading=heading, words=words)
        if status == 401:
            answer.headers["www-authenticate"] = 'Bearer realm="plainmark"'
        return answer

    async def enter(self, request: Request) -> Response:
        """The dashboard; with the token in the link, a cookie first, so that the token leaves the address bar."""
        token = request.query_params.get("token", "")
        if token:
            if not self._is_token(request, token):
                return self._refuse(403)
            await self.work.do(self.store.note, "enter", "", self.clock())
            answer = RedirectResponse(f"{self.settings.base}/admin", 303)
            set_cookie(answer, self.settings, self.cookie, self.keys.admin_cookie, _KEPT)
            return answer
        return self._refusal(request) or await self.dashboard(request)

    async def dashboard(self, request: Request) -> Response:
        """How far the study is."""
        now = self.clock()
        study = self.store.study
        found = await self.work.do(monitoring.progress, self.store, now)
        flags = await self.work.do(monitoring.flags, self.store)
        everyone = await self.work.do(people, self.store, now)
        arms = [a.id for a in study.arms]
        items = [i.id for i in study.items]
        flagged: dict[int, list[str]] = {}
        for flag in flags:
            flagged.setdefault(flag.participant, []).append(f"{flag.kind}: {flag.detail}")
        shown = items[: max(1, _MOST_CELLS // len(arms))]
        return self.renderer.page(
            "admin.html",
            progress=found,
            arms=arms,
            rows=[(item, [found.by_cell.get((item, arm)) for arm in arms]) for item in shown],
            hidden_items=len(items) - len(shown),
            people=everyone[:_MOST_PEOPLE],
            hidden_people=max(0, len(everyone) - _MOST_PEOPLE),
            flags=flags,
            flagged=flagged,
            revisions=await self.work.do(monitoring.revision_list, self.store),
            unreviewed=await self._unreviewed(),
            rewriting=any(getattr(q, "rewrite", None) for q in study.definition.block.questions),
            **self._frame("dashboard"),
        )

    async def _unreviewed(self) -> int:
        """People whose first answers nobody has looked at."""
        if not self.store.study.definition.checks.review:
            return 0
        return sum(not w.review for w in await self.work.do(monitoring.to_review, self.store))

    def _frame(self, place: str) -> dict[str, Any]:
        """What all admin pages need."""
        return {
            "place": place,
            "csrf": self.keys.seal(self.keys.admin_cookie),
            "reviews": self.store.study.definition.checks.review,
        }

    async def progress(self, request: Request) -> Response:
        """Progress, people and flags as data."""
        found = await self.work.do(monitoring.progress, self.store, self.clock())
        flags = await self.work.do(monitoring.flags, self.store)
        data = asdict(found)
        data["by_cell"] = [
            {"item": i, "arm": a, "answered": n, "wanted": of} for (i, a), (n, of) in found.by_cell.items()
        ]
        return JSONResponse({**data, "flags": [asdict(f) for f in flags]})

    async def pause(self, request: Request) -> Response:
        """Turn new people away, or let them in again."""
        form = await read_form(request)
        if not self._is_ours(request, form):
            return self._refuse(403)
        await self.work.do(self.store.pause, form.get("paused") == "yes", self.clock())
        return RedirectResponse(f"{self.settings.base}/admin", 303)

    async def export(self, request: Request) -> Response:
        """All answers of the study's mode."""
        form = request.path_params["form"]
        if form not in _FORMS:
            return self.renderer.page(
                "message.html", 404, heading="Not found", words=f"Exports: {', '.join(_FORMS)}."
            )
        try:
            text, count = await self.work.do(import_export.as_text, self.store, form)
        except InputError as problem:
            return self.renderer.page("message.html", 404, heading="Not found", words=str(problem))
        await self.work.do(self.store.note, "export", f"{form}, {count} rows", self.clock())
        study = self.store.study.definition
        name = f"{study.id}-{study.mode}" + (".csv" if form == "csv" else f"-{form}.jsonl")
        headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
        return Response(text.encode("utf-8", "replace"), media_type=_FORMS[form], headers=headers)

    async def review(self, request: Request) -> Response:
        """First answers of each person, beside what they were given."""
        found = await self.work.do(monitoring.to_review, self.store)
        return self.renderer.page("review.html", waiting=found, **self._frame("review"))

    async def decide(self, request: Request) -> Response:
        """Accept or reject a person's work."""
        form = await read_form(request)
        person, verdict = form.get("participant", ""), form.get("verdict", "")
        if not self._is_ours(request, form):
            return self._refuse(403)
        if not (person.isascii() and person.isdigit() and len(person) < 10) or verdict not in (
            "accept",
            "reject",
        ):
            return self.renderer.page("message.html", 400, heading="Not possible", words="No such decision.")
        try:
            await self.work.do(
                admin_actions.review, self.store, int(person), verdict == "accept", self.clock()
            )
        except (StoreFullError, StoreUnavailableError):
            raise
        except StoreError as problem:
            return self.renderer.page("message.html", 404, heading="Not found", words=str(problem))
        return RedirectResponse(f"{self.settings.base}/admin/review", 303)

    async def audit(self, request: Request) -> Response:
        """What administrators did."""
        found = await self.work.do(monitoring.audit_log, self.store)
        return self.renderer.page("audit.html", log=found[:1000], **self._frame("audit"))

    def _is_ours(self, request: Request, form: dict[str, str]) -> bool:
        sealed = self.keys.is_sealed(self.keys.admin_cookie, form.get("csrf", ""))
        return sealed and not from_elsewhere(request)
