"""Pages that are shown in several steps: the texts on a page of their own, then the questions, all or one at a time.

A page stays one page, with one token: `view` is what of it a participant sees now, `step` what a form does to it. What was
answered so far is a draft; nothing counts before the last step.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby

from .definition.pages import BlockPage, ConsentPage, SurveyPage
from .pages import Layout, Page, PageTemplate, Problem, asked, questions_of, read_form

READING = "reading"
_OWN_FIELD = re.compile(r"q\d+(\..{1,60})?")


@dataclass(frozen=True)
class Draft:
    """How far a participant is on a page that has several steps."""

    read: bool = False  # the page with the texts was sent
    screen: int = 0  # the question they are at, of all questions of the page
    form: Mapping[str, str] = field(default_factory=dict)
    client_seconds: float | None = None  # of the steps before

    @classmethod
    def of(cls, stored: str | None, *, read: bool) -> Draft:
        """A draft as it is stored."""
        return cls(read, **json.loads(stored)) if stored else cls(read)

    def to_json(self) -> str:
        """The draft as it is stored, beside the time of reading."""
        content = {"screen": self.screen, "form": dict(self.form), "client_seconds": self.client_seconds}
        return json.dumps(content, ensure_ascii=False)


def plan_steps(template: PageTemplate, block: BlockPage, device: str) -> Layout:
    """The steps of a page, for its layout: empty if it has only one. Practice and attention pages follow their block."""
    if isinstance(template, ConsentPage):
        return {}
    page = template if isinstance(template, (SurveyPage, BlockPage)) else block
    steps: Layout = {}
    if isinstance(page, BlockPage) and page.reading != "together":
        steps["reading"] = page.reading
    several = len({q.id for q in questions_of(template)}) > 1
    if several and (
        page.one_per_screen == "always" or (page.one_per_screen == "phone" and device == "phone")
    ):
        steps |= {"one": True, "back": page.back}
    return steps


def view(page: Page, layout: Layout, draft: Draft) -> Page:
    """What of a page a participant sees now."""
    if is_reading(page, layout, draft):
        return replace(page, questions=(), step=READING)
    if layout.get("reading"):
        title, text = page.asking
        page = replace(page, title=title or page.title, text=text or page.text)
    if layout.get("reading") == "apart":
        page = replace(page, texts=(), source="")
    if not layout.get("one"):
        return replace(page, typed=draft.form)
    groups = _groups(page)
    shown = _asked_groups(page, draft.form)
    now = min(draft.screen, len(groups) - 1)
    return replace(
        page,
        questions=tuple(q for q in page.questions if q.question.id == groups[now]),
        step=groups[now],
        screen=sum(i < now for i in shown) + 1,
        screens=len(shown),
        back=bool(layout.get("back")) and any(i < now for i in shown),
        typed=draft.form,
    )


def is_reading(page: Page, layout: Layout, draft: Draft) -> bool:
    """Whether a participant is at the page with the texts."""
    return bool(layout.get("reading") and page.texts and not draft.read)


@dataclass(frozen=True)
class Stepped:
    """What a form did to a page: a new draft to store, or, after the last step, the whole form."""

    draft: Draft
    complete: bool = False
    repeated: bool = False  # the form belongs to a step that was done before
    problems: tuple[Problem, ...] = ()


def step(
    page: Page, layout: Layout, draft: Draft, form: Mapping[str, str], client_seconds: float | None
) -> Stepped:
    """Take the form of one step of a page. `page` has all questions; `form` says in "step" which step it is of."""
    sent_step = form.get("step", "")
    seconds = (draft.client_seconds or 0.0) + client_seconds if client_seconds is not None else None
    if is_reading(page, layout, draft):
        return Stepped(replace(draft, read=True, client_seconds=seconds))
    if sent_step == READING:
        return Stepped(draft, repeated=True)
    if not layout.get("one"):
        return Stepped(replace(draft, form=form, client_seconds=seconds), complete=True)
    groups = _groups(page)
    now = min(draft.screen, len(groups) - 1)
    if sent_step != groups[now]:
        return Stepped(draft, repeated=True)
    names = {q.name for q in page.questions if q.question.id == groups[now]}
    kept = {k: v for k, v in draft.form.items() if k.partition(".")[0] not in names}
    own = {k: v for k, v in form.items() if _OWN_FIELD.fullmatch(k) and k.partition(".")[0] in names}
    draft = replace(draft, form=kept | own, client_seconds=seconds)
    shown = _asked_groups(page, draft.form)
    before = [i for i in shown if i < now]
    if form.get("back") and layout.get("back") and before:
        return Stepped(replace(draft, screen=before[-1]))
    problems = tuple(read_form(page, draft.form)[1])
    here = tuple(p for p in problems if p.name in names)
    if here:
        return Stepped(draft, problems=here)
    after = [i for i in shown if i > now]
    if after:
        return Stepped(replace(draft, screen=after[0]))
    if problems:  # an earlier answer was changed meanwhile
        first = next(q.question.id for q in page.questions if q.name == problems[0].name)
        return Stepped(replace(draft, screen=groups.index(first)))
    return Stepped(draft, complete=True)


def _groups(page: Page) -> list[str]:
    return [name for name, _ in groupby(q.question.id for q in page.questions)]


def _asked_groups(page: Page, form: Mapping[str, str]) -> list[int]:
    """Which questions are asked, by their place on the page."""
    wanted = {q.question.id for q, shown in zip(page.questions, asked(page, form), strict=True) if shown}
    return [i for i, name in enumerate(_groups(page)) if name in wanted]
