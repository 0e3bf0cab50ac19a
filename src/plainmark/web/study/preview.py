"""A preview of a study: every page in every condition, as participants see it, without a database. Nothing is stored.

GET  /                 all pages, conditions and items
GET  /page/N?item=ID   one of them
POST /study            checks a form as the study does, and goes on to the next page
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, cast
from urllib.parse import urlencode

import numpy as np
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from ...study.definition.items import Item
from ...study.definition.loading import Arm, Study, arms_of
from ...study.definition.models import OUTCOMES, Attention
from ...study.definition.pages import BlockPage, PracticePage, RecallPage
from ...study.pages import Page, PageTemplate, lay_out, make_page, questions_of
from ...study.pages import read_form as read_page_form
from ...study.screens import Draft, plan_steps, view
from ...study.store import sessions
from ...study.store.steps import Finished, Standing, feedback_of, finished
from ...study.store.store import Store
from .. import markdown
from ..rendering import Renderer
from ..security import SecurityMiddleware, read_form
from .participant import ParticipantPages
from .settings import Secrets, StudySettings

_MAX_ITEMS = 500  # in the list of items
_ALL_QUESTIONS = Draft(read=True)


@dataclass(frozen=True)
class Stop:
    """One page of the tour, or one step of a page that has several."""

    label: str
    template: PageTemplate | None = None  # None: an end
    arm: Arm | None = None
    end: Finished | None = None
    block: BlockPage | None = None  # that the page belongs to
    title_field: str = ""  # of the item, in place of the page's title
    draft: Draft = _ALL_QUESTIONS  # the step that is shown
    device: str = ""


@dataclass(frozen=True)
class _NoStore:
    """Stands for the store of a study that has none."""

    study: Study


def tour(study: Study) -> tuple[Stop, ...]:
    """Every page once, a trial in each condition, the attention trials after the block, and every end."""
    pages: list[Stop] = []
    for number, page in enumerate(study.definition.pages, 1):
        name = f"{number}. {page.kind}" + (f": {page.title}" if page.title else "")
        if isinstance(page, BlockPage):
            arms = arms_of(study.definition, page)
            pages += [Stop(f"{name}, condition {arm.id}", page, arm, block=page) for arm in arms]
            pages += [
                Stop(f"{name}, attention trial {n}", attention, block=page)
                for n, attention in enumerate(study.definition.checks.attention, 1)
            ]
        else:
            block = study.definition.block_at(number - 1) if isinstance(page, PracticePage) else None
            pages.append(Stop(name, page, block=block))
    ends = [Stop(f"End: {o.replace('_', ' ')}", end=finished(study, o)) for o in OUTCOMES]
    if study.definition.quotas:
        ends.append(Stop("End: places of a quota taken", end=finished(study, "full", quota=True)))
    return tuple(step for stop in (*pages, *ends, *_later_stops(study)) for step in _steps(study, stop))


def _steps(study: Study, stop: Stop) -> Iterator[Stop]:
    """The steps of a page: the text if it has a page of its own, then all questions, or one at a time."""
    template = stop.template
    if template is None:
        yield stop
        return
    block = stop.block or study.definition.blocks[0]
    steps, always = plan_steps(template, block, "phone"), plan_steps(template, block, "").get("one")
    if apart := bool(steps.get("reading") and _shows_texts(template)):
        yield replace(stop, label=f"{stop.label}, the text", draft=Draft())
    if not always:
        yield replace(stop, label=f"{stop.label}, the questions") if apart else stop
    if steps.get("one"):
        count = len({q.id for q in questions_of(template)})
        where = "" if always else " on a phone"
        for k in range(count):
            label = f"{stop.label}, question {k + 1} of {count}{where}"
            yield replace(stop, label=label, draft=Draft(read=True, screen=k), device="phone")


def _shows_texts(template: PageTemplate) -> bool:
    """Whether there is something to read on a page of its own."""
    if isinstance(template, PracticePage):
        return bool(template.item.texts)
    return bool(template.text) if isinstance(template, Attention) else isinstance(template, BlockPage)


def _later_stops(study: Study) -> Iterator[Stop]:
    """The pages of later sessions, and what people see between them."""
    for number, session in enumerate(study.definition.sessions, 2):
        opens, closes = 3600 * session.opens, 3600 * session.closes
        for state, label in (("early", "too early"), ("due", "open"), ("late", "too late")):
            passed = closes if state == "late" else 0.0 if state == "early" else opens
            where = Standing(number, state, opens - passed, closes - passed)  # type: ignore[arg-type]
            yield Stop(f"Session {number}: {label}", end=sessions.finished(study, where))
        for page in session.pages:
            name = f"Session {number}: {page.kind}" + (f": {page.title}" if page.title else "")
            if not isinstance(page, RecallPage):
                yield Stop(name, page)
                continue
            block = study.definition.recalled(page)
            arms = arms_of(study.definition, study.definition.block_named(page.block))
            for arm in arms if page.show == "text" else (None,):
                shown = f"{name}, condition {arm.id}" if arm else name
                yield Stop(shown, block, arm, block=block, title_field=page.title_field)


class PreviewPages(ParticipantPages):
    """The pages of a study, drawn from its definition alone."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.study = self.store.study
        self.stops = tour(self.study)
        pages = [(stop.template, stop.arm) for stop in self.stops]
        self.numbers = [0]  # of the page that each stop is a step of: its steps show the same item
        for before, page in pairwise(pages):
            self.numbers.append(self.numbers[-1] + (page != before or page[0] is None))

    @property
    def routes(self) -> list[Route]:
        """The routes of the preview."""
        return [
            Route("/", self.index),
            Route("/page/{number:int}", self.look),
            Route("/study", self.check, methods=["POST"]),
            Route("/continue", self.after_practice, methods=["POST"]),
            Route("/withdraw", self.index),
            Route("/static/{name}", self.static),
        ]

    async def static(self, request: Request) -> Response:
        """A stylesheet or script."""
        return self.renderer.static(request.path_params["name"])

    async def index(self, request: Request) -> Response:
        """The list of all pages."""
        return self.renderer.page("preview.html", stops=self.stops, items=self.study.items[:_MAX_ITEMS])

    async def look(self, request: Request) -> Response:
        """One page."""
        number = request.path_params["number"]
        if number >= len(self.stops):
            return self.say("error.not_found", 404)
        stop = self.stops[number]
        if stop.end is not None:
            self._mark(number, None)
            return self._end(stop.end, csrf=str(number))
        item = self._item(stop, request.query_params.get("item", ""), number)
        self._mark(number, item)
        return self._page(str(number), self._drawn(number, item))

    def _mark(self, number: int, item: Item | None) -> None:
        """Tell the banner where the preview is."""
        place = {"number": number, "last": len(self.stops) - 1, "label": self.stops[number].label}
        showing: dict[str, Any] = {**place, "item": item.id if item else "", "items": self._shown(number)}
        self.renderer.environment.globals["preview"] = showing

    def _shown(self, number: int) -> list[str]:
        stop, absent = self.stops[number], self.study.absent
        if stop.block is None or stop.template is not stop.block:
            return []
        items = [i.id for i in self.study.items_of(stop.block)]
        return [i for i in items if not stop.arm or (i, stop.arm.id) not in absent][:_MAX_ITEMS]

    def _item(self, stop: Stop, wanted: str, number: int) -> Item | None:
        if stop.block is None or stop.template is not stop.block:
            return None
        ids = self._shown(number) or [i.id for i in self.study.items]
        return self.study.item(wanted if wanted in ids else ids[self.numbers[number] % len(ids)])

    def _drawn(self, number: int, item: Item | None) -> Page:
        stop = self.stops[number]
        template = stop.template
        assert template is not None
        if isinstance(template, BlockPage) and stop.title_field and item is not None:
            template = template.model_copy(update={"title": item.text_of(stop.title_field)})
        layout = lay_out(template, stop.arm, item, np.random.default_rng(self.numbers[number]))
        layout |= plan_steps(template, stop.block or self.definition.blocks[0], stop.device)
        token = f"{number} {item.id if item else ''}".strip()
        trials = self.definition.per_participant + len(self.definition.checks.attention)
        kind = getattr(template, "kind", "attention")
        place: dict[str, Any] = {"position": number, "pages": len(self.stops)}
        place["block"] = stop.block.id if stop.block else ""
        if kind in ("block", "attention"):
            place |= {"trial": 1, "trials": trials}
        page = make_page(template, layout, token=token, item=item, messages=self.study.messages, **place)
        return view(page, layout, stop.draft)

    async def check(self, request: Request) -> Response:
        """What is wrong with a form; if nothing is, the next page."""
        form = await read_form(request)
        word, _, wanted = form.get("page", "").partition(" ")
        number = int(word) if word.isascii() and word.isdigit() and len(word) < 6 else len(self.stops)
        if number >= len(self.stops) or self.stops[number].template is None:
            return self.redirect("/")
        item = self._item(self.stops[number], wanted, number)
        self._mark(number, item)
        page = self._drawn(number, item)
        if form.get("back"):
            return self.redirect(f"/page/{number - 1}")
        answers, problems = read_page_form(page, form)
        if problems:
            return self._page(str(number), page, form, problems)
        further = self.numbers[number + 1 : number + 2] == [self.numbers[number]]  # a step of the same page
        feedback = feedback_of(page, {a.question: a.value for a in answers}, item)
        if page.kind == "practice" and feedback and not further:
            return self.renderer.page("practised.html", feedback=feedback, csrf=str(number))
        same = f"?{urlencode({'item': item.id})}" if further and item else ""
        return self.redirect(f"/page/{number + 1}{same}")

    async def after_practice(self, request: Request) -> Response:
        """The page after the feedback of a practice page."""
        number = (await read_form(request)).get("csrf", "")
        known = number.isascii() and number.isdigit() and len(number) < 6
        return self.redirect(f"/page/{int(number) + 1}" if known else "/")


def make_preview(study: Study, settings: StudySettings) -> ASGIApp:
    """The preview of a study as an ASGI application."""
    definition = study.definition
    renderer = Renderer(
        package=__package__ or "",
        base=settings.base,
        study_title=definition.title,
        language=definition.language,
        t=study.messages,
        contact=definition.privacy.contact,
        pilot=False,
        preview={},
    )
    renderer.environment.filters["markdown"] = markdown.render
    no_store = cast(Store, _NoStore(study))
    pages = PreviewPages(no_store, cast(Any, None), renderer, settings, Secrets(b"", ""), lambda: 0.0)
    routes: Sequence[Route] = pages.routes
    return SecurityMiddleware(Starlette(routes=routes), settings)
