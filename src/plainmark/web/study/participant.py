"""The pages for participants. The database decides which page that is; the URL never does.

GET  /            the recruiter's link, or none: shows the consent, or resumes
GET  /study       the participant's current page, or the end
POST /study       submits a page; the response comes only after the commit. The first one reserves a place
POST /continue    opens the next page after a practice page or a long break
GET  /practised   the feedback of a practice page

No GET writes anything: whoever follows, prefetches or invents a link takes no place.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...errors import StoreError, StoreFullError, StoreUnavailableError
from ...study.marks import pieces
from ...study.pages import Page, Problem
from ...study.pages import read_form as read_page_form
from ...study.screens import READING
from ...study.store import enrolment, removal
from ...study.store.steps import UNKNOWN_SCREEN, Finished, Screen
from ...study.store.store import Session
from ..addresses import RateLimiter, client_network
from ..security import cookies_of, is_cross_site, read_form
from .arrival import START, Arrival
from .pages import StudyPages, session_words
from .question_fields import question_groups

_SESSION_SECONDS = 30 * 86_400

NOTES = ("repeated", "unknown", "outdated", "late")


class ParticipantPages(StudyPages):
    """The pages of a study for participants."""

    def __post_init__(self) -> None:
        per_hour = self.settings.starts_per_hour
        self._starts = RateLimiter(per_hour / 60, max(1.0, per_hour / 2))
        self.definition = self.store.study.definition
        later = sum(3600 * session.closes for session in self.definition.sessions)
        self._cookie_seconds = int(_SESSION_SECONDS + later)  # the browser must know them when they come back
        self.messages = self.store.study.messages
        self.cookie = self.cookie_name(f"study-{self.definition.id}")
        self._visit_cookie = self.cookie_name(f"visit-{self.definition.id}")
        self.renderer.environment.filters["pieces"] = pieces

    @property
    def routes(self) -> list[Route]:
        """The routes of these pages."""
        return [
            Route("/", self.arrive),
            Route("/study", self.show),
            Route("/study", self.submit, methods=["POST"]),
            Route("/continue", self.go_on, methods=["POST"]),
            Route("/practised", self.feedback),
        ]

    async def arrive(self, request: Request) -> Response:
        """Someone opened the study's link."""
        visit = self._visit(request) or secrets.token_urlsafe(24)
        arrival = Arrival.by_link(request.query_params, self.definition.recruit.parameters, visit)
        if not arrival.external and await self._session(request):
            return self.redirect("/study")
        refusal = self._refusal(arrival)
        if refusal is not None:
            return refusal
        known = await self.threads.run(enrolment.find, self.store, arrival.identity)
        if known is not None:
            if not arrival.owns(known, self._token(request), self.secrets):
                return await self._returning(arrival)
            response = self.redirect("/study")
            self.set_cookie(response, self.cookie, known.token, self._cookie_seconds)
            return response
        response = self._first_page(arrival)
        self.set_cookie(response, self._visit_cookie, arrival.visit, self._cookie_seconds)
        return response

    async def _returning(self, arrival: Arrival) -> Response:
        """Someone whom this browser does not know: a later session may begin here if the definition allows it."""
        where = await self.threads.run(enrolment.may_return, self.store, arrival.identity, self.clock())
        if where is None:
            return self._taken()
        title, text = session_words(self.messages, where, self.clock())
        csrf = self.secrets.csrf_token(arrival.visit)
        response = self.renderer.page(
            "start.html", title=title, text=text, csrf=csrf, fields={**arrival.fields, "return": "yes"}
        )
        self.set_cookie(response, self._visit_cookie, arrival.visit, self._cookie_seconds)
        return response

    def _first_page(
        self, arrival: Arrival, form: Mapping[str, str] | None = None, problems: Sequence[Problem] = ()
    ) -> Response:
        """The consent, or a page with a button if the study begins without one."""
        page = enrolment.consent_page(self.store, START)
        csrf = self.secrets.csrf_token(arrival.visit)
        fields = arrival.fields
        if page is None:
            text = self.messages("start.text")
            return self.renderer.page(
                "start.html", title=self.definition.title, text=text, csrf=csrf, fields=fields
            )
        return self._page(csrf, page, form, problems, fields=fields)

    def _refusal(self, arrival: Arrival) -> Response | None:
        """Why someone may not begin, if there is a reason."""
        if not arrival.external:
            if self.definition.recruit.required or self.settings.by_link_only:
                return self.say("link.recruiter", 400)
            return None
        try:
            enrolment.check_id(arrival.external)
        except StoreError:
            return self.say("link.incomplete", 400)
        if not arrival.is_invited(self.settings, self.secrets):
            return self.say("link.invalid", 403)
        return None

    def _taken(self) -> Response:
        return self.say("link.taken", 409)

    async def _start(self, request: Request, form: Mapping[str, str]) -> Response:
        """Store the consent and reserve a place. The same browser may send it again and finds the same session."""
        arrival = Arrival.by_form(form, self._visit(request))
        if not arrival.visit or not self._is_own_form(request, form, arrival.visit):
            return self._no_cookies()
        refusal = self._refusal(arrival)
        if refusal is not None:
            return refusal
        if form.get("return"):
            return await self._begin_later(request, arrival)
        page = enrolment.consent_page(self.store, START)
        problems = read_page_form(page, form)[1] if page else ()
        if problems:
            return self._first_page(arrival, form, problems)
        known = await self.threads.run(enrolment.find, self.store, arrival.identity)
        if known is not None and not arrival.owns(known, self._token(request), self.secrets):
            return self._taken()
        if known is None:
            signed = arrival.is_signed(self.secrets)
            if not signed and not self._starts.allows(client_network(request)):
                return self._too_many()
            known = await self.threads.run(
                enrolment.enrol,
                self.store,
                arrival.identity,
                self.clock(),
                recruiter_study=arrival.recruiter_study,
                token=self.secrets.session_token(arrival.identity, arrival.visit),
                consent=dict(form) if page else None,
                client_seconds=_seconds(form.get("seconds", "")),
                screen=_screen(form.get("screen", "")),
            )
        if known.outcome == "taken":
            return self._taken()
        if known.outcome == "withdrawn":
            return self.say("withdrawal.before", 410)
        if not known.token:
            return self._end(self.store.finished(known.outcome))
        response = self.redirect("/study")
        self.set_cookie(response, self.cookie, known.token, self._cookie_seconds)
        return response

    async def _begin_later(self, request: Request, arrival: Arrival) -> Response:
        """Begin a later session in a browser that did not begin the first one."""
        where = await self.threads.run(enrolment.may_return, self.store, arrival.identity, self.clock())
        if where is None:
            return self._taken()
        if not arrival.is_signed(self.secrets) and not self._starts.allows(client_network(request)):
            return self._too_many()
        token, now = self.secrets.session_token(arrival.identity, arrival.visit), self.clock()
        known = await self.threads.run(enrolment.return_with, self.store, arrival.identity, token, now)
        if not known.token:
            return self._taken()
        await self.threads.run(self.store.next_page, token, now)
        response = self.redirect("/study")
        self.set_cookie(response, self.cookie, token, self._cookie_seconds)
        return response

    def _too_many(self) -> Response:
        response = self.say("link.busy", 429)
        response.headers["retry-after"] = "120"
        return response

    async def show(self, request: Request) -> Response:
        """The participant's current page."""
        token = self._token(request)
        if not token:
            return self._no_cookies()
        try:
            page = await self.threads.run(self.store.current_page, token, self.clock())
        except (StoreFullError, StoreUnavailableError):
            raise
        except StoreError:  # no such session
            return self._no_cookies()
        if isinstance(page, Finished):
            code = await self.threads.run(removal.code_of, self.store, token)
            return self._end(page, code, self.secrets.csrf_token(token))
        name = request.query_params.get("note", "")
        note = self.messages(f"note.{name}") if name in NOTES else ""
        if page is None:
            return self.renderer.page("continue.html", csrf=self.secrets.csrf_token(token), note=note)
        return self._page(self.secrets.csrf_token(token), page, note=note)

    async def go_on(self, request: Request) -> Response:
        """Open the next page."""
        form = await read_form(request)
        token = self._token(request)
        if not token or not self._is_own_form(request, form, token):
            return self._no_cookies()
        try:
            await self.threads.run(self.store.next_page, token, self.clock())
        except (StoreFullError, StoreUnavailableError):
            raise
        except StoreError:  # no such session
            return self._no_cookies()
        return self.redirect("/study")

    async def submit(self, request: Request) -> Response:
        """Store a submitted page. Whatever the response says was committed before."""
        form = await read_form(request)
        if form.get("page") == START:
            return await self._start(request, form)
        token = self._token(request)
        if not token:
            return self._no_cookies()
        if not self._is_own_form(request, form, token):
            return self._go_to("/study", note="unknown")
        page_token = form.get("page", "")[:64]
        if form.get("more_rows"):  # rows for marks, for those without scripts
            page = await self.threads.run(self.store.current_page, token, self.clock())
            if isinstance(page, Page) and page.token == page_token:
                return self._page(self.secrets.csrf_token(token), page, form)
        result = await self.threads.run(
            self.store.submit,
            token,
            page_token,
            form,
            self.clock(),
            client_seconds=_seconds(form.get("seconds", "")),
            screen=_screen(form.get("screen", "")),
            advance=True,
        )
        if result.status == "invalid" and result.page is not None:
            return self._page(self.secrets.csrf_token(token), result.page, form, result.problems)
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
            self.renderer.page(
                "practised.html", feedback=feedback, csrf=self.secrets.csrf_token(session.token)
            )
            if feedback
            else self.redirect("/study")
        )

    async def _session(self, request: Request) -> Session | None:
        token = self._token(request)
        return await self.threads.run(self.store.session, token) if token else None

    def _token(self, request: Request) -> str:
        return _printable(cookies_of(request.scope).get(self.cookie, ""))

    def _visit(self, request: Request) -> str:
        return _printable(cookies_of(request.scope).get(self._visit_cookie, ""))

    def _is_own_form(self, request: Request, form: Mapping[str, str], cookie: str) -> bool:
        own = self.secrets.is_csrf_token(cookie, form.get("csrf", ""))
        return own and not is_cross_site(request, compare_origin=False)

    def _page(
        self,
        csrf: str,
        page: Page,
        form: Mapping[str, str] | None = None,
        problems: Sequence[Problem] = (),
        note: str = "",
        fields: Mapping[str, str] | None = None,
    ) -> Response:
        title = page.title
        if page.kind == "attention":  # looks as the trials do: nothing but its words gives it away
            block = self.definition.block_named(page.block)
            labels = block.labels if len(block.labels) == len(page.texts) else [t.label for t in page.texts]
            texts = tuple(replace(t, label=label) for t, label in zip(page.texts, labels, strict=True))
            title, text = block.words(asking=block.reading != "together" and page.step != READING)
            page = replace(page, kind="block", text=text, texts=texts)
        groups = question_groups(page, page.typed if form is None else form, problems)
        return self.renderer.page(
            "page.html",
            422 if problems else 200,
            page=page,
            heading=title or self.definition.title,
            groups=groups,
            marked={t.number for group in groups for t in group.texts},
            problems=problems,
            note=note,
            csrf=csrf,
            fields=fields or {},
            button=self.messages("button.continue" if page.questions else "button.read"),
        )

    def _end(self, end: Finished, withdrawal: str = "", csrf: str = "") -> Response:
        where = end.standing
        if where is not None and where.state != "done":
            heading, message = session_words(self.messages, where, self.clock())
        else:
            name = "quota" if end.quota else end.outcome
            heading, message = (self.messages(f"end.{name}.{part}") for part in ("title", "text"))
        return self.renderer.page(
            "end.html",
            503 if end.outcome == "paused" else 200,
            heading=heading,
            message=message,
            begin=csrf if where is not None and where.state == "due" else "",
            url=end.url,
            code=end.code,
            withdrawal=withdrawal,
        )

    def not_stored(self, request: Request, error: Exception) -> Response:
        """Say that the database could not store the form, and keep what was typed for another try."""
        form: Mapping[str, str] = getattr(request.state, "form", {})
        return self.renderer.page(
            "again.html",
            503,
            {"retry-after": "10"},
            form=form if request.method == "POST" else {},
            action=request.url.path if request.method == "POST" else "",
            full=isinstance(error, StoreFullError),
        )

    def _no_cookies(self) -> Response:
        return self.say("link.cookies", 403)

    def _go_to(self, path: str, **query: str) -> Response:
        return self.redirect(f"{path}?{urlencode(query)}")


def _printable(cookie: str) -> str:
    """A cookie's value, or nothing if it cannot be one of ours."""
    return cookie[:64] if cookie.isascii() and cookie.isprintable() else ""


def _screen(text: str) -> Screen:
    """What the browser says of itself, such as "phone 390x844"; the size is rounded, as it need not identify anyone."""
    found = re.fullmatch(r"(phone|tablet|desktop) (\d{2,5})x(\d{2,5})", text[:40])
    if found is None:
        return UNKNOWN_SCREEN
    width, height = (round(int(size), -1) for size in found.groups()[1:])
    return Screen(found[1], f"{width}x{height}")


def _seconds(text: str) -> float | None:
    try:
        seconds = float(text[:20])
    except ValueError:
        return None
    return seconds if 0 <= seconds < 1e7 else None
