"""Simulated participants who take part in a study as people do: they read its pages, think, answer, and misbehave.

Every acknowledged submission is logged; comparison.py compares the log with the database.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Literal

import numpy as np

from ...errors import StoreError
from ..study.arrival import START
from .client import BrowserClient, ClientResponse, ConnectionLostError
from .crashes import CrashPlan

_MAX_TRIES = 400  # of one request, while the server is down or busy
_MAX_PAUSE = 3.0  # seconds between two tries
_MAX_PAGES = 3000


@dataclass(frozen=True)
class Behaviour:
    """How participants behave, as shares of them, and how long they think, in seconds."""

    drop_out: float = 0.12
    two_tabs: float = 0.3
    double_submit: float = 0.2
    careless: float = 0.0  # attention trials answered at random
    think: tuple[float, float] = (0.0, 0.0)


@dataclass
class Submission:
    """One acknowledged form."""

    participant: int
    page: str
    form: dict[str, str]


@dataclass
class SimulationLog:
    """Everything that happened to the simulated participants."""

    acknowledged: list[Submission] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)  # submits that no crash interrupted
    interrupted: list[float] = field(default_factory=list)  # submits that had to be sent again
    pages: list[float] = field(default_factory=list)
    ends: dict[str, int] = field(default_factory=dict)
    invalid: int = 0
    refused: dict[str, int] = field(default_factory=dict)  # responses such as 503, and lost connections
    submits: int = 0
    intruder: dict[str, int] = field(default_factory=dict)  # responses to a stranger's requests
    stolen_sessions: int = 0

    def end(self, outcome: str) -> None:
        """Count how a participant ended."""
        self.ends[outcome] = self.ends.get(outcome, 0) + 1

    def refuse(self, reason: str) -> None:
        """Count a request that failed."""
        self.refused[reason] = self.refused.get(reason, 0) + 1


def simulated_id(number: int) -> str:
    """The recruiter's id of a simulated participant."""
    return f"simulated-{number}"


@dataclass
class FormControl:
    """A form field and its possible values."""

    name: str
    kind: str  # of its question
    values: list[tuple[str, str]] = field(default_factory=list)  # value and label of radio buttons
    low: int = 0
    high: int = 0
    rewriting: bool = False
    exclusive: bool = False  # a box that excludes the others


class PageParser(HTMLParser):
    """The form of a page, as far as a simulated participant needs it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.hidden: dict[str, str] = {}
        self.controls: dict[str, FormControl] = {}
        self.heading = self.text = self.action = ""
        self.texts: dict[str, str] = {}  # by their numbers
        self._number = ""
        self.limits: dict[int, tuple[int, int]] = {}  # of boxes to tick, by question
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
            if "data-least" in values:
                self.limits[self._group] = (int(values["data-least"]), int(values["data-most"]))
        elif tag == "h1":
            self._into = "heading"
        elif tag == "div" and "data-text" in values:
            self._into, self._number = "text", values["data-text"]
        elif tag == "input" and values.get("type") == "hidden":
            self.hidden[values["name"]] = values.get("value", "")
        elif tag == "input" and values.get("type") == "radio":
            self._control(values["name"]).values.append((values["value"], ""))
            self._into = "label"
        elif tag == "input" and values.get("type") == "checkbox":
            control = self._control(values["name"])
            control.values.append((values["value"], ""))
            control.exclusive = "data-exclusive" in values
            self._into = "label"
        elif tag == "input" and values.get("type") == "number":
            control = self._control(values["name"])
            control.low, control.high = int(values["min"]), int(values["max"])
        elif tag == "textarea":
            self._control(values["name"]).rewriting = "data-rules" in values
        elif tag == "select" and "name" in values:
            self._into = values["name"]
            self._control(values["name"])
        elif tag == "option" and values.get("value") and self._into in self.controls:
            self._control(self._into).values.append((values["value"], values.get("data-on", "")))

    def _control(self, name: str) -> FormControl:
        self.group_of[name] = self._group
        return self.controls.setdefault(name, FormControl(name, self._kind))

    def handle_endtag(self, tag: str) -> None:
        if tag in ("h1", "label", "div"):
            self._into = ""

    def handle_data(self, data: str) -> None:
        if self._into == "heading":
            self.heading += data
        elif self._into == "text":
            self.texts[self._number] = self.texts.get(self._number, "") + data
            self.text += data if self._number == "1" else ""
        elif self._into == "label" and self.controls:
            control = next(reversed(self.controls.values()))
            value, label = control.values[-1]
            control.values[-1] = (value, (label + data).strip())


def fill(page: PageParser, rng: np.random.Generator, correct: Sequence[str] = ()) -> dict[str, str]:
    """Random valid answers to a page; where a label is known to be `correct`, that one."""
    form: dict[str, str] = {}
    ranks: dict[int, list[str]] = {}
    boxes: dict[int, list[FormControl]] = {}
    marks: dict[str, list[FormControl]] = {}
    for control in page.controls.values():
        known = [v for v, label in control.values if label in correct]
        if control.name == "consent":
            form[control.name] = "yes"
        elif control.kind == "multiselect":
            boxes.setdefault(page.group_of[control.name], []).append(control)
        elif control.kind == "spans":
            marks.setdefault(control.name.partition(".")[0], []).append(control)
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
    for number, controls in boxes.items():
        form |= tick(page.limits[number], controls, rng)
    for name, controls in marks.items():
        form |= mark(page, name, controls, rng)
    return form


def tick(limits: tuple[int, int], boxes: Sequence[FormControl], rng: np.random.Generator) -> dict[str, str]:
    """Random boxes of a multiselect question, as many as it asks for."""
    usual = [b.name for b in boxes if not b.exclusive]
    alone = [b.name for b in boxes if b.exclusive]
    if alone and rng.random() < 0.1:
        return {alone[0]: "1"}
    count = int(rng.integers(limits[0], limits[1] + 1))
    return {str(name): "1" for name in rng.permutation(usual)[:count]}


def mark(
    page: PageParser, name: str, controls: Sequence[FormControl], rng: np.random.Generator
) -> dict[str, str]:
    """A mark, typed: some words of each text that can be marked; or nothing, if that can be ticked."""
    nothing = f"{name}.nothing"
    if any(c.name == nothing for c in controls) and rng.random() < 0.2:
        return {nothing: "yes"}
    row = {c.name.rpartition(".")[2]: c for c in controls if c.name.startswith(f"{name}.1.")}
    numbers = [n for n in row if n.isdigit()]
    choices = row["category"].values
    category, where = choices[int(rng.integers(len(choices)))]
    form = {row["category"].name: category}
    if "severity" in row:
        form[row["severity"].name] = str(rng.choice([v for v, _ in row["severity"].values]))
    for number in numbers:
        other_side = len(numbers) > 1 and {"source": number != "1", "text": number == "1"}.get(where, False)
        if not other_side:
            words = page.texts[number].split()
            start = int(rng.integers(len(words)))
            form[row[number].name] = " ".join(words[start : start + 2])
        if where == "any":
            break
    return form


def rewritten(source: str) -> str:
    """A rewriting that passes the checks: the second half of the sentence moved before the first."""
    words = source.replace(".", "").replace("!", "").replace("?", "").split()
    half = len(words) // 2
    return " ".join([*words[half:], "and", *words[:half]])


class SimulatedParticipant:
    """One participant."""

    def __init__(
        self,
        number: int,
        client: BrowserClient,
        behaviour: Behaviour,
        log: SimulationLog,
        rng: np.random.Generator,
        *,
        link: str,
        attention: Mapping[str, str],
        plan: CrashPlan,
        ports: Sequence[int] = (),
    ) -> None:
        self.number, self.client, self.behaviour, self.log, self.rng = number, client, behaviour, log, rng
        self.link, self.attention, self.plan, self.ports = link, attention, plan, ports or (client.port,)
        self.two_tabs = rng.random() < behaviour.two_tabs
        self.submits_twice = rng.random() < behaviour.double_submit
        self.leaves_after = int(rng.integers(1, 8)) if rng.random() < behaviour.drop_out else _MAX_PAGES

    async def run(self) -> bool:
        """Take part, from the recruiter's link to the end, or until dropping out; whether it came to an end."""
        finished = await self._answer_pages()
        self.plan.advance(self.number, 1.0)
        return finished

    async def _answer_pages(self) -> bool:
        expected = min(self.leaves_after, self.plan.pages)
        response = await self._get(self.link)
        for sent in range(_MAX_PAGES):
            page = PageParser(response.text)
            if page.action.endswith("/continue"):
                await self._request("POST", "/continue", page.hidden)
                response = await self._get("/study")
                continue
            if "page" not in page.hidden:
                self.log.end(page.heading.strip())
                return True
            if sent >= self.leaves_after:
                self.log.end("left")
                return False
            await asyncio.sleep(self.rng.uniform(*self.behaviour.think))
            await self.plan.may_send()
            response = await self._submit(page)
            self.plan.advance(self.number, min((sent + 1) / expected, 0.99))
        return False

    async def _submit(self, page: PageParser) -> ClientResponse:
        """Submit a page, once or twice, from one tab or two; then follow where that leads."""
        correct = [] if self.rng.random() < self.behaviour.careless else list(self.attention.values())
        forms = [fill(page, self.rng, correct)]
        starting = page.hidden["page"] == START
        if self.two_tabs and not starting:
            other = PageParser((await self._get("/study")).text)
            if other.hidden.get("page") == page.hidden["page"]:
                forms.append(fill(other, self.rng, correct))
        if self.submits_twice:
            forms.append(forms[0])
        responses = await asyncio.gather(*(self._post({**page.hidden, **f}) for f in forms))
        for form, response in zip(forms, responses, strict=True):
            if response.status == 303 and "note=unknown" not in response.location:
                if starting and "consent" not in form:
                    continue  # a button only: nothing was answered
                step = {"step": page.hidden["step"]} if "step" in page.hidden else {}
                self.log.acknowledged.append(Submission(self.number, page.hidden["page"], {**step, **form}))
            elif response.status == 422:
                self.log.invalid += 1
            else:
                self.log.refuse(f"submit {response.status} {response.location}".strip())
        if starting and not responses[0].location:
            return responses[0]
        return await self._get(responses[0].location or "/study")

    async def _post(self, form: Mapping[str, str]) -> ClientResponse:
        self.log.submits += 1
        began = time.perf_counter()
        response, tries = await self._request("POST", "/study", form)
        times = self.log.seconds if tries == 1 else self.log.interrupted
        times.append(time.perf_counter() - began)
        return response

    async def _get(self, path: str) -> ClientResponse:
        began = time.perf_counter()
        response, tries = await self._request("GET", path)
        while response.status == 303:
            response, more = await self._request("GET", response.location)
            tries += more - 1
        if tries == 1:
            self.log.pages.append(time.perf_counter() - began)
        return response

    async def _request(
        self, method: Literal["GET", "POST"], path: str, form: Mapping[str, str] | None = None
    ) -> tuple[ClientResponse, int]:
        """Repeat a request until it succeeds, as a person would who presses reload; the response and the number of tries."""
        pause = 0.4
        for tries in range(1, _MAX_TRIES):
            try:
                response = await self.client.request(method, path, form)
            except ConnectionLostError as error:
                self.log.refuse(str(error))
                self.client.use(self.ports[(self.ports.index(self.client.port) + 1) % len(self.ports)])
            else:
                if response.status < 500 and response.status != 429:
                    return response, tries
                self.log.refuse(str(response.status))
            await asyncio.sleep(pause * (0.5 + self.rng.random()))
            pause = min(2 * pause, _MAX_PAUSE)
        raise StoreError(f"no response to {method} after {_MAX_TRIES} tries.")
