"""Robots that take part in a study as people do: they read its pages, think, answer, and misbehave.

What they are told is written down as it was acknowledged; comparison.py compares it with the database.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Literal

import numpy as np

from .client import Answer, ConnectionLostError, Visitor

_TRIES = 400  # of one request, while the server is down or busy
_LONGEST_PAUSE = 3.0  # seconds between two of them
_MOST_PAGES = 3000


@dataclass(frozen=True)
class Habits:
    """What robots do, as shares of people, and how long they think, in seconds."""

    drop_out: float = 0.12
    two_tabs: float = 0.3
    double_submit: float = 0.2
    careless: float = 0.0  # attention trials answered by chance
    think: tuple[float, float] = (0.0, 0.0)


@dataclass
class Sent:
    """One form that was acknowledged."""

    person: int
    page: str
    form: dict[str, str]


@dataclass
class Diary:
    """All that happened to the robots."""

    acknowledged: list[Sent] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)  # submits that no kill came between
    interrupted: list[float] = field(default_factory=list)  # submits that had to be sent again
    pages: list[float] = field(default_factory=list)
    ends: dict[str, int] = field(default_factory=dict)
    invalid: int = 0
    refused: dict[str, int] = field(default_factory=dict)  # answers such as 503, and lost connections
    submits: int = 0

    def end(self, how: str) -> None:
        """Count how someone's way ended."""
        self.ends[how] = self.ends.get(how, 0) + 1

    def refuse(self, why: str) -> None:
        """Count an answer that was none."""
        self.refused[why] = self.refused.get(why, 0) + 1


@dataclass
class Control:
    """A form field and what it can hold."""

    name: str
    kind: str  # of its question
    values: list[tuple[str, str]] = field(default_factory=list)  # value and label of radio buttons
    low: int = 0
    high: int = 0
    rewriting: bool = False


class PageReader(HTMLParser):
    """The form of a page, as far as a robot needs it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.hidden: dict[str, str] = {}
        self.controls: dict[str, Control] = {}
        self.heading = self.text = self.action = ""
        self._kind = self._into = ""
        self._groups: list[str] = []
        self.group_of: dict[str, int] = {}
        self._group = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = {k: v or "" for k, v in attributes}
        if tag == "form" and not self.action:
            self.action = values.get("action", "")
        elif tag == "fieldset" and "data-type" in values:
            self._kind, self._group = values["data-type"], self._group + 1
        elif tag == "h1":
            self._into = "heading"
        elif tag == "div" and values.get("data-text") == "1":
            self._into = "text"
        elif tag == "input" and values.get("type") == "hidden":
            self.hidden[values["name"]] = values.get("value", "")
        elif tag == "input" and values.get("type") == "radio":
            self._control(values["name"]).values.append((values["value"], ""))
            self._into = "label"
        elif tag == "input" and values.get("type") == "number":
            control = self._control(values["name"])
            control.low, control.high = int(values["min"]), int(values["max"])
        elif tag == "textarea":
            self._control(values["name"]).rewriting = "data-rules" in values
        elif tag == "select":
            self._into = values["name"]
            self._control(values["name"])
        elif tag == "option" and values.get("value"):
            self._control(self._into).values.append((values["value"], ""))

    def _control(self, name: str) -> Control:
        self.group_of[name] = self._group
        return self.controls.setdefault(name, Control(name, self._kind))

    def handle_endtag(self, tag: str) -> None:
        if tag in ("h1", "label", "div"):
            self._into = ""

    def handle_data(self, data: str) -> None:
        if self._into == "heading":
            self.heading += data
        elif self._into == "text":
            self.text += data
        elif self._into == "label" and self.controls:
            control = next(reversed(self.controls.values()))
            value, label = control.values[-1]
            control.values[-1] = (value, (label + data).strip())


def fill(page: PageReader, rng: np.random.Generator, right: Sequence[str] = ()) -> dict[str, str]:
    """Answers by chance that a page takes; of labels that are known to be `right`, that one."""
    form: dict[str, str] = {}
    ranks: dict[int, list[str]] = {}
    for control in page.controls.values():
        known = [v for v, label in control.values if label in right]
        if control.name == "consent":
            form[control.name] = "yes"
        elif control.kind == "rank":
            group = page.group_of[control.name]
            if group not in ranks:
                ranks[group] = [str(v) for v in rng.permutation([v for v, _ in control.values])]
            form[control.name] = ranks[group].pop()
        elif control.values:
            form[control.name] = known[0] if known else str(rng.choice([v for v, _ in control.values]))
        elif control.rewriting:
            form[control.name] = rewritten(page.text)
        elif control.kind in ("slider", "count"):
            form[control.name] = str(rng.integers(control.low, control.high + 1))
        else:
            form[control.name] = f"Words no. {rng.integers(10**6)}: <i>ünïcode</i> & 'quotes'\nand a line."
    return form


def rewritten(source: str) -> str:
    """A rewriting that passes the checks: the second half of the sentence before the first."""
    words = source.replace(".", "").replace("!", "").replace("?", "").split()
    half = len(words) // 2
    return " ".join([*words[half:], "and", *words[:half]])


class Robot:
    """One person."""

    def __init__(
        self,
        number: int,
        visitor: Visitor,
        habits: Habits,
        diary: Diary,
        rng: np.random.Generator,
        *,
        parameter: str,
        attention: Mapping[str, str],
    ) -> None:
        self.number, self.visitor, self.habits, self.diary, self.rng = number, visitor, habits, diary, rng
        self.parameter, self.attention = parameter, attention
        self.two_tabs = rng.random() < habits.two_tabs
        self.double = rng.random() < habits.double_submit
        self.leaves_after = int(rng.integers(1, 8)) if rng.random() < habits.drop_out else _MOST_PAGES

    async def live(self) -> None:
        """From the recruiter's link to the end, or until they leave."""
        answer = await self._get(f"/?{self.parameter}=robot-{self.number}")
        for sent in range(_MOST_PAGES):
            page = PageReader(answer.text)
            if "page" not in page.hidden:
                if answer.path.startswith("/practised"):
                    answer = await self._get("/study")
                    continue
                self.diary.end(page.heading.strip())
                return
            if sent >= self.leaves_after:
                self.diary.end("left")
                return
            await asyncio.sleep(self.rng.uniform(*self.habits.think))
            answer = await self._submit(page)

    async def _submit(self, page: PageReader) -> Answer:
        """Send a page, once or twice, from one tab or two; then look where that leads."""
        right = [] if self.rng.random() < self.habits.careless else list(self.attention.values())
        forms = [fill(page, self.rng, right)]
        if self.two_tabs:
            other = PageReader((await self._get("/study")).text)
            if other.hidden.get("page") == page.hidden["page"]:
                forms.append(fill(other, self.rng, right))
        if self.double:
            forms.append(forms[0])
        answers = await asyncio.gather(*(self._post({**page.hidden, **f}) for f in forms))
        for form, answer in zip(forms, answers, strict=True):
            if answer.status == 303 and "note=unknown" not in answer.location:
                self.diary.acknowledged.append(Sent(self.number, page.hidden["page"], form))
            elif answer.status == 422:
                self.diary.invalid += 1
            else:
                self.diary.refuse(f"submit {answer.status} {answer.location}".strip())
        return await self._get(answers[0].location or "/study")

    async def _post(self, form: Mapping[str, str]) -> Answer:
        self.diary.submits += 1
        began = time.perf_counter()
        answer, tries = await self._insist("POST", "/study", form)
        taken = self.diary.seconds if tries == 1 else self.diary.interrupted
        taken.append(time.perf_counter() - began)
        return answer

    async def _get(self, path: str) -> Answer:
        began = time.perf_counter()
        answer, tries = await self._insist("GET", path)
        while answer.status == 303:
            answer, more = await self._insist("GET", answer.location)
            tries += more - 1
        if tries == 1:
            self.diary.pages.append(time.perf_counter() - began)
        return answer

    async def _insist(
        self, method: Literal["GET", "POST"], path: str, form: Mapping[str, str] | None = None
    ) -> tuple[Answer, int]:
        """Ask until there is an answer, as a person would who presses reload; how often it took."""
        pause = 0.4
        for tries in range(1, _TRIES):
            try:
                answer = await self.visitor.ask(method, path, form)
            except ConnectionLostError as problem:
                self.diary.refuse(str(problem))
            else:
                if answer.status < 500 and answer.status != 429:
                    return answer, tries
                self.diary.refuse(str(answer.status))
            await asyncio.sleep(pause * (0.5 + self.rng.random()))
            pause = min(2 * pause, _LONGEST_PAUSE)
        raise TimeoutError(f"no answer to {method} after {_TRIES} tries")
