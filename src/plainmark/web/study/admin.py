"""The pages for those who run the study. Every page needs the administrator's token; every action is logged.

GET  /admin?token=…        the link that `study serve` prints: sets a cookie
GET  /admin                progress by cell, participants, flags, timing
GET  /admin/progress.json  the same as data, also with the header Authorization: Bearer TOKEN
POST /admin/pause          stops or resumes the admission of new participants
POST /admin/release        gives back places of people who have answered nothing
GET  /admin/export/FORM    csv, jsonl, references
GET  /admin/review         the first answers of each participant; POST accepts or rejects
GET  /admin/payments       whom the recruiter should pay; also payments.csv
GET  /admin/audit          the log of administrators' actions
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ... import table
from ...errors import InputError, StoreError, StoreFullError, StoreUnavailableError
from ...study.store import admin_actions, import_export, monitoring, payments
from ...study.store.flags import flags as flags_of
from ..addresses import LockOut, client_network
from ..logs import EVENTS
from ..security import bearer_token, cookies_of, is_cross_site, read_form
from .pages import StudyPages

_COOKIE_SECONDS = 7 * 86_400
_EXPORTS = {"csv": "text/csv", "jsonl": "application/x-ndjson", "references": "application/x-ndjson"}
_MAX_PARTICIPANTS = 200  # rows on the page; the export has everyone
_MAX_CELLS = 20_000
_MAX_LOG_ENTRIES = 1000
_GHOST_MINUTES = 10  # without an answer, after which a place can be given back together with others

Endpoint = Callable[[Request], Awaitable[Response]]


class AdminPages(StudyPages):
    """The pages of a study for administrators."""

    def __post_init__(self) -> None:
        self.cookie = self.cookie_name(f"admin-{self.store.study.definition.id}")
        self._lock_out = LockOut()

    @property
    def routes(self) -> list[Route]:
        """The routes of these pages."""
        return [
            Route("/admin", self.enter),
            Route("/admin/progress.json", self._protected(self.progress)),
            Route("/admin/pause", self._protected(self.pause), methods=["POST"]),
            Route("/admin/release", self._protected(self.release), methods=["POST"]),
            Route("/admin/export/{form}", self._protected(self.export)),
            Route("/admin/review", self._protected(self.review)),
            Route("/admin/review", self._protected(self.decide), methods=["POST"]),
            Route("/admin/payments", self._protected(self.payments)),
            Route("/admin/payments.csv", self._protected(self.payments_file)),
            Route("/admin/audit", self._protected(self.audit)),
        ]

    def _protected(self, endpoint: Endpoint) -> Endpoint:
        """Require the administrator's token: 401 without one, 403 with a wrong one."""

        async def check(request: Request) -> Response:
            return self._refusal(request) or await endpoint(request)

        return check

    def _refusal(self, request: Request) -> Response | None:
        token = bearer_token(request)
        cookie = cookies_of(request.scope).get(self.cookie, "")
        if token:
            return None if self._is_token(request, token) else self._refuse(403)
        if cookie:
            request.state.actor = self.secrets.administrator(cookie=cookie)
            return None if request.state.actor else self._refuse(403)
        return self._refuse(401)

    def _is_token(self, request: Request, token: str) -> bool:
        address = client_network(request)
        wait = self._lock_out.seconds_left(address)
        name = "" if wait else self.secrets.administrator(token=token)
        if name:
            request.state.actor = name
            self._lock_out.succeed(address)
            return True
        wait = wait or self._lock_out.fail(address)
        if wait:
            raise HTTPException(429, headers={"retry-after": str(int(wait) + 1)})
        return False

    def _refuse(self, status: int) -> Response:
        response = self.message(
            "Who are you?" if status == 401 else "That is not the key",
            "Open the admin link that “plainmark study serve” printed when it started.",
            status,
        )
        if status == 401:
            response.headers["www-authenticate"] = 'Bearer realm="plainmark"'
        return response

    async def enter(self, request: Request) -> Response:
        """The dashboard; a token in the link becomes a cookie first, so that it leaves the address bar."""
        token = request.query_params.get("token", "")
        if token:
            if not self._is_token(request, token):
                return self._refuse(403)
            await self._note(request, "enter", "")
            response = self.redirect("/admin")
            self.set_cookie(response, self.cookie, self.secrets.cookie_of(token), _COOKIE_SECONDS)
            return response
        return self._refusal(request) or await self.dashboard(request)

    async def _note(self, request: Request, action: str, detail: str) -> None:
        """Log what an administrator did, in the study's database and for programs that read logs."""
        actor = request.state.actor
        await self.threads.run(self.store.note, action, detail, self.clock(), actor=actor)
        EVENTS.info("administrator", extra={"action": action, "actor": actor})

    async def dashboard(self, request: Request) -> Response:
        """Progress, participants and flags."""
        now = self.clock()
        study = self.store.study
        progress = await self.threads.run(monitoring.progress, self.store, now)
        flags = await self.threads.run(flags_of, self.store)
        participants = await self.threads.run(monitoring.participant_list, self.store, now)
        arms = [a.id for a in study.arms]
        items = [i.id for i in study.items]
        flagged: dict[str, list[str]] = {}
        for flag in flags:
            flagged.setdefault(flag.participant, []).append(f"{flag.kind}: {flag.detail}")
        shown = items[: max(1, _MAX_CELLS // len(arms))]
        return self.renderer.page(
            "admin.html",
            progress=progress,
            arms=arms,
            rows=[(item, [progress.by_cell.get((item, arm)) for arm in arms]) for item in shown],
            hidden_items=len(items) - len(shown),
            people=participants[:_MAX_PARTICIPANTS],
            hidden_people=max(0, len(participants) - _MAX_PARTICIPANTS),
            ghosts=sum(p.ghost for p in participants),
            idle_ghosts=sum(p.ghost and p.idle_minutes >= _GHOST_MINUTES for p in participants),
            ghost_minutes=_GHOST_MINUTES,
            flags=flags,
            flagged=flagged,
            revisions=await self.threads.run(monitoring.revision_list, self.store),
            unreviewed=await self._unreviewed(),
            rewriting=any(getattr(q, "rewrite", None) for q in study.definition.block_questions),
            **self._frame("dashboard"),
        )

    async def _unreviewed(self) -> int:
        """How many participants wait for a review."""
        if not self.store.study.definition.checks.review:
            return 0
        return sum(not r.review for r in await self.threads.run(monitoring.reviews, self.store))

    def _frame(self, place: str) -> dict[str, Any]:
        """Template values that all admin pages need."""
        return {
            "place": place,
            "csrf": self.secrets.csrf_token(self.secrets.admin_cookie),
            "reviews": self.store.study.definition.checks.review,
        }

    async def progress(self, request: Request) -> Response:
        """Progress, participants and flags as data."""
        progress = await self.threads.run(monitoring.progress, self.store, self.clock())
        flags = await self.threads.run(flags_of, self.store)
        data = asdict(progress)
        data["by_cell"] = [
            {"item": item, "arm": arm, "answered": answered, "wanted": wanted}
            for (item, arm), (answered, wanted) in progress.by_cell.items()
        ]
        return JSONResponse({**data, "flags": [asdict(f) for f in flags]})

    async def pause(self, request: Request) -> Response:
        """Stop admitting new participants, or resume."""
        form = await read_form(request)
        if not self._is_own_form(request, form):
            return self._refuse(403)
        paused = form.get("paused") == "yes"
        await self.threads.run(self.store.pause, paused, self.clock(), actor=request.state.actor)
        return self.redirect("/admin")

    async def export(self, request: Request) -> Response:
        """All answers of the study's mode."""
        form = request.path_params["form"]
        if form not in _EXPORTS:
            return self.message("Not found", f"Exports: {', '.join(_EXPORTS)}.", 404)
        try:
            text, count = await self.threads.run(import_export.as_text, self.store, form)
        except InputError as error:
            return self.message("Not found", str(error), 404)
        await self._note(request, "export", f"{form}, {count} rows")
        study = self.store.study.definition
        name = f"{study.id}-{study.mode}" + (".csv" if form == "csv" else f"-{form}.jsonl")
        headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
        return Response(text.encode("utf-8", "replace"), media_type=_EXPORTS[form], headers=headers)

    async def release(self, request: Request) -> Response:
        """Give back the place of one participant who has answered nothing, or of all who are idle."""
        form = await read_form(request)
        if not self._is_own_form(request, form):
            return self._refuse(403)
        number = form.get("participant", "")
        if number and not _is_number(number):
            return self.message("Not possible", "No such participant.", 400)
        await self.threads.run(
            admin_actions.release,
            self.store,
            self.clock(),
            idle=0.0 if number else 60.0 * _GHOST_MINUTES,
            participant=int(number) if number else None,
            actor=request.state.actor,
        )
        return self.redirect("/admin")

    async def review(self, request: Request) -> Response:
        """The first answers of each participant, beside what they were shown."""
        reviews = await self.threads.run(monitoring.reviews, self.store)
        return self.renderer.page("review.html", waiting=reviews, **self._frame("review"))

    async def decide(self, request: Request) -> Response:
        """Accept or reject a participant's work."""
        form = await read_form(request)
        number, verdict = form.get("participant", ""), form.get("verdict", "")
        if not self._is_own_form(request, form):
            return self._refuse(403)
        if not _is_number(number) or verdict not in ("accept", "reject"):
            return self.message("Not possible", "No such decision.", 400)
        accepted = verdict == "accept"
        try:
            await self.threads.run(
                admin_actions.review,
                self.store,
                int(number),
                accepted,
                self.clock(),
                reason="" if accepted else " ".join(form.get("reason", "").split())[:400],
                actor=request.state.actor,
            )
        except (StoreFullError, StoreUnavailableError):
            raise
        except StoreError as error:
            return self.message("Not found", str(error), 404)
        return self.redirect("/admin/payments" if form.get("back") == "payments" else "/admin/review")

    async def payments(self, request: Request) -> Response:
        """Whom the recruiter should pay."""
        session = self._session_of(request)
        lines = await self.threads.run(payments.payments, self.store, self.clock(), session)
        return self.renderer.page(
            "payments.html",
            session=session,
            sessions=len(self.store.study.definition.sessions) + 1,
            lines=lines[:_MAX_PARTICIPANTS],
            hidden=max(0, len(lines) - _MAX_PARTICIPANTS),
            counts=Counter(line.decision for line in lines),
            **self._frame("payments"),
        )

    async def payments_file(self, request: Request) -> Response:
        """The same as a CSV file."""
        session = self._session_of(request)
        lines = await self.threads.run(payments.payments, self.store, self.clock(), session)
        await self._note(request, "payment list", f"{len(lines)} people")
        names = ["participant", "decision", "reason", "minutes"]
        text = table.csv_text([names, *([p.id, p.decision, p.reason, p.minutes] for p in lines)])
        name = f"{self.store.study.definition.id}-{self.store.mode}-payments.csv"
        headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
        return Response(text.encode("utf-8", "replace"), media_type="text/csv", headers=headers)

    def _session_of(self, request: Request) -> int:
        """The session that a page of payments is about."""
        wanted = request.query_params.get("session", "1")
        count = len(self.store.study.definition.sessions) + 1
        return int(wanted) if _is_number(wanted) and 1 <= int(wanted) <= count else 1

    async def audit(self, request: Request) -> Response:
        """The log of administrators' actions."""
        log = await self.threads.run(monitoring.audit_log, self.store)
        return self.renderer.page("audit.html", log=log[:_MAX_LOG_ENTRIES], **self._frame("audit"))

    def _is_own_form(self, request: Request, form: dict[str, str]) -> bool:
        own = self.secrets.is_csrf_token(self.secrets.admin_cookie, form.get("csrf", ""))
        return own and not is_cross_site(request, compare_origin=False)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10
