"""The pages for participants. The database decides which page that is; the URL never does.

GET  /            the recruiter's link, or none: starts or resumes
POST /start       starts without a recruiter
GET  /study       the participant's current page, or the end
POST /study       submits a page; the response comes only after the commit
GET  /practised   the feedback of a practice page
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...errors import StoreError, StoreFullError, StoreUnavailableError
from ...study.pages import Page, Problem
from ...study.store.steps import Finished
from ...study.store.store import Session
from ..security import is_cross_site, read_form
from .pages import StudyPages
from .question_fields import question_groups

_SESSION_SECONDS = 30 * 86_400

NOTES = {
    "repeated": "That page had been answered before; what you sent first counts. This is where you are now.",
    "unknown": "That page is not one of yours any more, so nothing of it was stored. This is where you are now.",
    "outdated": "The study was changed while you were on that page. What you sent is kept; this is where you are now.",
    "late": "That answer is stored. It came late, so someone else may have been asked the same.",
}
ENDS = {
    "complete": ("Thank you!", "You have finished. All of your answers are stored."),
    "screened_out": (
        "Thank you for your interest",
        "This study looks for other participants. Your answers are stored.",
    ),
    "no_consent": (
        "You did not agree to take part",
        "That is fine, and nothing more is asked. You may close this page.",
    ),
    "full": ("There is nothing left to do", "All places in this study are taken. Thank you for coming."),
    "failed_checks": (
        "The end",
        "All of your answers are stored. Some of the control questions were not answered as the text asked.",
    ),
    "paused": (
        "The study is taking a break",
        "No one can begin at the moment. Please come back later with the same link.",
    ),
}


class ParticipantPages(StudyPages):
    """The pages of a study for participants."""

    def __post_init__(self) -> None:
        self.definition = self.store.study.definition
        self.cookie = self.cookie_name(f"study-{self.definition.id}")
        self._visit_cookie = self.cookie_name(f"visit-{self.definition.id}")

    @property
    def routes(self) -> list[Route]:
        """The routes of these pages."""
        return [
            Route("/", self.arrive),
            Route("/start", self.start, methods=["POST"]),
            Route("/study", self.show),
            Route("/study", self.submit, methods=["POST"]),
            Route("/practised", self.feedback),
        ]

    async def arrive(self, request: Request) -> Response:
        """Someone opened the study's link."""
        names = self.definition.recruit.parameters
        external_id = request.query_params.get(names.participant, "").strip()
        if external_id and request.method == "GET":
            return await self._enrol(external_id, request.query_params.get(names.study, ""))
        if request.cookies.get(self.cookie) and await self._session(request):
            return self.redirect("/study")
        if self.definition.recruit.required:
            return self.message(
                "Please come by the recruiter's link",
                "This study needs to know whom to pay. Open it from the recruiter's page, where you found it.",
                400,
            )
        visit = request.cookies.get(self._visit_cookie, "")[:64] or secrets.token_urlsafe(24)
        csrf = self.secrets.csrf_token(visit)
        response = self.renderer.page("start.html", title=self.definition.title, csrf=csrf)
        self.set_cookie(response, self._visit_cookie, visit, _SESSION_SECONDS)
        return response

    async def start(self, request: Request) -> Response:
        """Start without a recruiter: the visit's cookie is all that identifies the participant."""
        form = await read_form(request)
        visit = request.cookies.get(self._visit_cookie, "")[:64]
        if not visit or not self._is_own_form(request, form, visit):
            return self._no_cookies()
        return await self._enrol(f"visit {visit}", "")

    async def _enrol(self, external_id: str, recruiter_study: str) -> Response:
        try:
            session = await self.threads.run(
                self.store.enrol,
                external_id,
                self.clock(),
                recruiter_study=recruiter_study[:80].replace("\x00", ""),
            )
        except (StoreFullError, StoreUnavailableError):
            raise
        except StoreError:
            return self.message(
                "This link is not complete", "The participant's id in it is empty or too long.", 400
            )
        if not session.token:
            return self._end(self.store.finished(session.outcome))
        response = self.redirect("/study")
        self.set_cookie(response, self.cookie, session.token, _SESSION_SECONDS)
        return response

    async def show(self, request: Request) -> Response:
        """The participant's current page."""
        token = request.cookies.get(self.cookie, "")[:64]
        if not token:
            return self._no_cookies()
        try:
            page = await self.threads.run(self.store.next_page, token, self.clock())
        except (StoreFullError, StoreUnavailableError):
            raise
        except StoreError:  # no such session
            return self._no_cookies()
        if isinstance(page, Finished):
            return self._end(page)
        note = NOTES.get(request.query_params.get("note", ""), "")
        return self._page(token, page, note=note)

    async def submit(self, request: Request) -> Response:
        """Store a submitted page. Whatever the response says was committed before."""
        form = await read_form(request)
        token = request.cookies.get(self.cookie, "")[:64]
        if not token:
            return self._no_cookies()
        if not self._is_own_form(request, form, token):
            return self._go_to("/study", note="unknown")
        page_token = form.get("page", "")[:64]
        result = await self.threads.run(
            self.store.submit,
            token,
            page_token,
            form,
            self.clock(),
            client_seconds=_seconds(form.get("seconds", "")),
            advance=True,
        )
        if result.status == "invalid" and result.page is not None:
            return self._page(token, result.page, form, result.problems)
        if result.status in ("unknown", "outdated"):
            return self._go_to("/study", note=result.status)
        if result.feedback:
            return self._go_to("/practised", page=page_token)
        if result.status == "repeated":
            return self._go_to("/study", note="repeated")
        return self._go_to("/study", note="late") if result.late else self.redirect("/study")

    async def feedback(self, request: Request) -> Response:
        """The feedback of a practice page."""
        session = await self._session(request)
        if session is None:
            return self._no_cookies()
        page_token = request.query_params.get("page", "")[:64]
        feedback = await self.threads.run(self.store.feedback, session.token, page_token)
        return (
            self.renderer.page("practised.html", feedback=feedback) if feedback else self.redirect("/study")
        )

    async def _session(self, request: Request) -> Session | None:
        token = request.cookies.get(self.cookie, "")[:64]
        return await self.threads.run(self.store.session, token) if token else None

    def _is_own_form(self, request: Request, form: Mapping[str, str], cookie: str) -> bool:
        own = self.secrets.is_csrf_token(cookie, form.get("csrf", ""))
        return own and not is_cross_site(request, compare_origin=False)

    def _page(
        self,
        token: str,
        page: Page,
        form: Mapping[str, str] | None = None,
        problems: Sequence[Problem] = (),
        note: str = "",
    ) -> Response:
        title = page.title or (self.definition.block.title if page.kind == "attention" else "")
        return self.renderer.page(
            "page.html",
            422 if problems else 200,
            page=page,
            heading=title or self.definition.title,
            groups=question_groups(page, form or {}, problems),
            problems=problems,
            note=note,
            csrf=self.secrets.csrf_token(token),
            button="Continue" if page.questions else "I have read this",
        )

    def _end(self, end: Finished) -> Response:
        heading, message = ENDS[end.outcome]
        code = "" if end.outcome == "paused" else getattr(self.definition.recruit.codes, end.outcome)
        status = 503 if end.outcome == "paused" else 200
        return self.renderer.page(
            "end.html", status, heading=heading, message=message, url=end.url, code=code
        )

    def not_stored(self, request: Request, reason: str) -> Response:
        """Say that the database could not store the form, and keep what was typed for another try."""
        form: Mapping[str, str] = getattr(request.state, "form", {})
        return self.renderer.page(
            "again.html",
            503,
            {"retry-after": "10"},
            form=form if request.method == "POST" else {},
            action=request.url.path if request.method == "POST" else "",
            reason=reason,
        )

    def _no_cookies(self) -> Response:
        return self.message(
            "Please open the study's link again",
            "Your browser did not say who you are: it may refuse cookies, or too much time went by. Nothing that was stored"
            " is lost; the link brings you back to where you were.",
            403,
        )

    def _go_to(self, path: str, **query: str) -> Response:
        return self.redirect(f"{path}?{urlencode(query)}")


def _seconds(text: str) -> float | None:
    try:
        seconds = float(text[:20])
    except ValueError:
        return None
    return seconds if 0 <= seconds < 1e7 else None


def storage_failure(error: Exception) -> str:
    """Why nothing can be stored, in words for a participant."""
    return "There is no room left where answers are stored." if isinstance(error, StoreFullError) else ""
