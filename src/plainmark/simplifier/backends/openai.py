"""Candidates from a language model behind an OpenAI-compatible endpoint, at OpenAI or on your own machine.

Each candidate is the reply to a separate request. Replies are treated only as data, as texts to be scored, whatever they or
the text to simplify say. Replies that are empty, cut off, far too long or refusals are set aside with the reason. Replies
are stored in the cache folder, the key comes from the environment, and plainmark.judge handles retries, the rate and the
cost.
"""

from __future__ import annotations

import hashlib
import logging
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from ...asking import ask_all, built_in_prompt, missing, read_prompt
from ...identity import digest
from ...judge import Endpoint, Reply, parse_url
from ...options import Between, Content
from ..candidate import Candidate
from . import Backend

PROMPT = "simplify"
PATIENCE = 10  # number of successive requests without a usable reply after which the endpoint counts as down
LONGEST = (
    3,
    400,
)  # largest length of a candidate: this factor times the characters of the text, plus a constant

_PROMPT = Content(lambda name: "" if name == PROMPT else digest(name))
_PLACES = ("{text}",)
_LOG = logging.getLogger("plainmark.simplifier")
_REFUSAL = re.compile(
    r"\W*(i['\u2019]?m (very |so )?sorry|sorry,|i apologi[sz]e|i (can['\u2019]?t|cannot|can not|am unable|won['\u2019]?t)\b"
    r"|as an ai\b|unfortunately, i\b)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"(?:here (?:is|['\u2019]s)[^:\n]{0,60}|simplified(?: text| version)?|simpler version):\s+", re.IGNORECASE
)
_FENCE = re.compile(r"```\w*\s*\n(.*?)\n?```", re.DOTALL)


@dataclass(frozen=True)
class OpenAI(Backend):
    """Outputs of a language model at an OpenAI-compatible endpoint, one per request."""

    model: Annotated[str, "the model's name at the endpoint"] = ""
    url: Annotated[str, "base URL of the endpoint, such as http://localhost:8000/v1"] = (
        "https://api.openai.com/v1"
    )
    count: Annotated[Annotated[int, Between(1, 100)], "number of candidates"] = 8
    temperature: Annotated[Annotated[float, Between(0, 2)], "sampling temperature"] = 0.8
    prompt: Annotated[str, _PROMPT, "name of a built-in prompt, or a file with {text}"] = PROMPT
    max_tokens: Annotated[Annotated[int, Between(0)], "longest reply in tokens, 0 for no limit"] = 0
    timeout: Annotated[Annotated[float, Between(0.001)], "seconds to wait for a reply"] = 60.0
    per_minute: Annotated[Annotated[float, Between(0)], "maximum requests per minute, 0 for no limit"] = 0.0
    threads: Annotated[Annotated[int, Between(1, 256)], "requests at a time"] = 4
    price_in: Annotated[Annotated[float, Between(0)], "price of a million input tokens"] = 0.0
    price_out: Annotated[Annotated[float, Between(0)], "price of a million output tokens"] = 0.0

    ranked = False

    def __post_init__(self) -> None:
        super().__post_init__()
        parse_url(self.url)
        self._template()

    def missing(self) -> str:
        return missing(self, "--model NAME --url https://host/v1")

    def _template(self) -> str:
        return built_in_prompt(PROMPT) if self.prompt == PROMPT else read_prompt(self.prompt, _PLACES)

    def request(self, text: str) -> str:
        """The prompt for a text, between two lines that the text cannot contain."""
        mark = f"[text {hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}]"
        return self._template().replace("{text}", f"{mark}\n{text}\n{mark}")

    def propose(self, texts: Sequence[str]) -> list[list[Candidate]]:
        self.check_installed()
        samples = self.count if self.temperature else 1  # at temperature 0, all replies would be equal
        tasks = [(text, k) for text in texts if text.strip() for k in range(samples)]

        def ask(endpoint: Endpoint, task: tuple[str, int]) -> Reply:
            text, sample = task
            return endpoint.ask(
                self.request(text),
                lambda reply: reply,
                temperature=self.temperature,
                max_tokens=self.max_tokens,
                sample=sample,
            )

        label = f"{self.name} {self.model}"
        replies, failed, _ = ask_all(self, tasks, ask, label=label, patience=PATIENCE)
        if failed:
            reason = next(iter(failed.values()))
            _LOG.warning("%s: %d of %d requests have no reply: %s.", label, len(failed), len(tasks), reason)
        return [
            [read(text, replies[text, k], label) for k in range(samples) if (text, k) in replies]
            for text in texts
        ]


def read(text: str, reply: Reply, origin: str = "") -> Candidate:
    """The candidate in a reply: on one line, without control characters, enclosing quotation marks or an introduction."""
    output = reply.text.strip()
    if fenced := _FENCE.fullmatch(output):
        output = fenced[1]
    output = re.sub(r"^\[text [0-9a-f]{16}\]|\[text [0-9a-f]{16}\]$", "", output.strip())
    output = "".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c for c in output)
    output = " ".join(output.split())
    if (label := _LABEL.match(output)) and not _LABEL.match(text):
        output = output[label.end() :]
    if len(output) > 1 and output[0] + output[-1] in ('""', "\u201c\u201d") and text[:1] != output[0]:
        output = output[1:-1].strip()
    return Candidate(output, origin=origin, problem=_problem(text, output, reply))


def _problem(text: str, output: str, reply: Reply) -> str:
    """Why a reply is obviously not a simplification of the text; empty if it may be one."""
    times, more = LONGEST
    if not output:
        return "the reply is empty"
    if reply.cut_off:
        return "the reply was cut off at the largest number of tokens"
    if len(output) > times * len(text) + more:
        return f"the reply has {len(output):,} characters, far more than the text, which has {len(text):,}"
    if _REFUSAL.match(output) and not _REFUSAL.match(text):
        return "the model refused"
    return ""
