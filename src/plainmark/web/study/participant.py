"""What people who take part see. The database decides which page that is; an address never does.

GET  /            comes from the recruiter, or without one: begins or goes on
POST /start       begins without a recruiter
GET  /study       the page a person is at, or the end
POST /study       takes a page; answered only after its commit
GET  /practised   what a practice page says to the answers given
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ...errors import StoreError, StoreFullError, StoreUnavailableError
from ...study.pages import Page, Problem
from ...study.store.steps import Finished
from ...study.store.store import Session
from ..forms import from_elsewhere, read_form
from .question_fields import groups_of
from .settings import Settings
from .site import Site

_KEPT = 30 * 86_400  # seconds that a browser keeps its session

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


class Participant(Site):
    """The pages of a study for those who take part."""

    def __post_init__(self) -> None:
        self.definition = self.store.study.definition
        self.cookie = cookie_name(self.settings, f"study-{self.definition.id}")
        self._visit = cookie_name(self.settings, f"visit-{self.definition.id}")

    @property
    def routes(self) -> list[Route]:
        """Where everything is."""
        return [
            Route("/", self.arrive),
            Route("/start", self.start, methods=["POST"]),
            Route("/study", self.show),
            Route("/study", self.take, methods=["POST"]),
            Route("/practised", self.practised),
        ]

    async def arrive(self, request: Request) -> Response:
        """Someone came by the link."""
        names = self.definition.recruit.parameters
        person = request.query_params.get(names.participant, "").strip()
        if person and request.method == "GET":
            study = request.query_params.get(names.study, "")
            return await self._enrol(person, study)
        if request.cookies.get(self.cookie) and await self._session(request):
            return self._go("/study")
        if self.definition.recruit.required:
            return self.message(
                "Please come by the recruiter's link",
                "This study needs to know whom to pay. Open it from the recruiter's page, where you found it.",
                400,
            )
        visit = request.cookies.get(self._visit, "")[:64] or secrets.token_urlsafe(24)
        answer = self.renderer.page("start.html", title=self.definition.title, csrf=self.keys.seal(visit))
        self._set(answer, self._visit, visit)
        return answer

    async def start(self, request: Request) -> Response:
        """Begin without a recruiter: the visit's cookie is all that a person is known by."""
        form = await read_form(request)
        visit = request.cookies.get(self._visit, "")[:64]
        if from_elsewhere(request) or not visit or not self.keys.is_sealed(visit, form.get("csrf", "")):
            return self._no_cookies()
        return await self._enrol(f"visit {visit}", "")

    async def _enrol(self, person: str, study: str) -> Response:
        try:
            session = await self.work.do(
                self.store.enrol, person, self.clock(), recruiter_study=study[:80].replace("\x00", "")
            )
        except (StoreFullError, StoreUnavailableError):
            raise
        except StoreError:
            return self.message(
                "This link is not complete", "The participant's id in it is empty or too long.", 400
            )
        if not session.token:
            return self._end(self.store.finished(session.outcome))
        answer = self._go("/study")
        self._set(answer, self.cookie, session.token)
        return answer

    async def show(self, request: Request) -> Response:
        """The page a person is at."""
        token = request.cookies.get(self.cookie, "")[:64]
        if not token:
            return self._no_cookies()
        try:
            found = await self.work.do(self.store.next_page, token, self.clock())
        except (StoreFullError, StoreUnavailableError):
            raise
        except StoreError:  # no such session
            return self._no_cookies()
        if isinstance(found, Finished):
            return self._end(found)
        note = NOTES.get(request.query_params.get("note", ""), "")
        return self._page(token, found, note=note)

    async def take(self, request: Request) -> Response:
        """A page was sent. Whatever is said here, was committed before."""
        form = await read_form(request)
        token = request.cookies.get(self.cookie, "")[:64]
        if not token:
            return self._no_cookies()
        if from_elsewhere(request) or not self.keys.is_sealed(token, form.get("csrf", "")):
            return self._go("/study", note="unknown")
        seconds = _seconds(form.get("seconds", ""))
        done = await self.work.do(
            self.store.submit,
            token,
            form.get("page", "")[:64],
            form,
            self.clock(),
            client_seconds=seconds,
            advance=True,
        )
        if done.status == "invalid" and done.page is not None:
            return self._page(token, done.page, form, done.problems)
        if done.status in ("unknown", "outdated"):
            return self._go("/study", note=done.status)
        if done.feedback:
            return self._go("/practised", page=form.get("page", "")[:64])
        if done.status == "repeated":
            return self._go("/study", note="repeated")
        return self._go("/study", note="late") if done.late else self._go("/study")

    async def practised(self, request: Request) -> Response:
        """What a practice page says to the answers given."""
        session = await self._session(request)
        if session is None:
            return self._no_cookies()
        page = request.query_params.get("page", "")[:64]
        found = await self.work.do(self.store.feedback, session.token, page)
        return self.renderer.page("practised.html", feedback=found) if found else self._go("/study")

    async def _session(self, request: Request) -> Session | None:
        token = request.cookies.get(self.cookie, "")[:64]
        return await self.work.do(self.store.session, token) if token else None

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
            groups=groups_of(page, form or {}, problems),
            problems=problems,
            note=note,
            csrf=self.keys.seal(token),
            button="Continue" if page.questions else "I have read this",
        )

    def _end(self, end: Finished) -> Response:
        heading, words = ENDS[end.outcome]
        code = "" if end.outcome == "paused" else getattr(self.definition.recruit.codes, end.outcome)
        status = 503 if end.outcome == "paused" else 200
        return self.renderer.page("end.html", status, heading=heading, words=words, url=end.url, code=code)

    def message(self, heading: str, words: str, status: int) -> Response:
        """A page that only says something."""
        return self.renderer.page("message.html", status, heading=heading, words=words)

    def not_stored(self, request: Request, reason: str) -> Response:
        """The database could not take it: says so, and keeps what was typed for another try."""
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

    def _go(self, path: str, **query: str) -> Response:
        more = f"?{urlencode(query)}" if query else ""
        return RedirectResponse(f"{self.settings.base}{path}{more}", 303)

    def _set(self, answer: Response, name: str, value: str) -> None:
        set_cookie(answer, self.settings, name, value, _KEPT)


def cookie_name(settings: Settings, name: str) -> str:
    """A cookie's name; the prefix makes browsers refuse one that was set without https or by a neighbour."""
    return f"__Host-{name}" if settings.secure else name


def set_cookie(answer: Response, settings: Settings, name: str, value: str, age: int) -> None:
    """A cookie that no script reads and no other site sends along with a form."""
    answer.set_cookie(
        name, value, max_age=age, path="/", secure=settings.secure, httponly=True, samesite="lax"
    )


def _seconds(text: str) -> float | None:
    try:
        found = float(text[:20])
    except ValueError:
        return None
    return found if 0 <= found < 1e7 else None


def reason_of(problem: Exception) -> str:
    """Why nothing can be stored, in words for a person who takes part."""
    return "There is no room left where answers are stored." if isinstance(problem, StoreFullError) else ""
