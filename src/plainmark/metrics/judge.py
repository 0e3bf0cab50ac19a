"""LLM judge: a language model behind an OpenAI-compatible endpoint reads source and output and gives a score.

rubric="g-eval": fluency, meaning or simplicity, each in a request of its own, from 1 to 5.

    score = sum over s of s P(s) / sum over s of P(s),   s = 1 ... 5, P the probability of the token s

from the probabilities of the likeliest tokens if the endpoint returns them (one request; the part `weighted` is 1), else
the mean of `samples` replies (`weighted` is 0). Liu et al. 2023, as used on documents by Maddela & Alva-Manchego 2025
(temperature 0.6, five samples, no references).

rubric="appls": informativeness, simplification, coherence, faithfulness, from 0 to 100 (Guo et al. 2024, temperature 0,
at most 150 tokens). setting="a" asks for one criterion, "b" for all four and an overall score, "c" for these with an
explanation; reference=True shows the first reference too (the paper's Figure 15b).

The prompts are reworded from the papers' criteria and scales. prompt="paper" is APPLS's own wording, word for word as
printed in its Figure 14 (only the line with the reference was added): it asks for one score, so that criteria that the
reply does not name are undefined. prompt=FILE uses another wording, with {source}, {output} and optionally {reference} (the
first one), or ||complex|| and ||simplification||, as the released prompt files of Maddela & Alva-Manchego have them. A
sample without a usable reply is undefined, and `reasons` gives the reason. Scores of different models, prompts or settings
are not comparable.
"""

from __future__ import annotations

import contextlib
import math
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeVar

import numpy as np

from ..asking import VERSION, ask_all, built_in_prompt, missing, read_prompt
from ..data import Corpus
from ..errors import OptionError
from ..identity import digest
from ..judge import Endpoint, JudgeWarning, Reply, ReplyError, RetryError, Usage, parse_url
from ..metric import Floats, MeanMetric
from ..options import Between, Content

T = TypeVar("T")

PAPER = "paper"
HEADINGS = {VERSION: "Summary:\n<<<\n{output}", PAPER: "Generated plain language summary:{output}"}
CRITERIA = ("informativeness", "simplification", "coherence", "faithfulness")
DIMENSIONS = {"g-eval": ("simplicity", "fluency", "meaning"), "appls": ("overall", *CRITERIA)}
SCALES = {"g-eval": (1.0, 5.0), "appls": (0.0, 100.0)}
TEMPERATURE = {"g-eval": 0.6, "appls": 0.0}
SAMPLES = {"g-eval": 5, "appls": 1}
MAX_TOKENS = {"g-eval": 16, "appls": 150}

_PLACES = ("{source}", "{output}")
# The placeholders in the prompt files that Maddela and Alva-Manchego released.
_RELEASED = {"||complex||": "{source}", "||simplification||": "{output}"}
_PROMPT = Content(lambda name: "" if name in HEADINGS else digest(name))

# A number alone, perhaps after "Rating:" and before "/5"; a sentence about the scale is not a score.
_ALONE = re.compile(
    r"\W*(?:(?:the\s+)?(?:final\s+|overall\s+)?(?:rating|score)\b(?:\s+is)?\W*)?(\d+(?:\.\d+)?)(?:\s*(?:/|out of)\s*(\d+))?\W*",
    re.IGNORECASE,
)


@dataclass
class Verdicts:
    """The judge's ratings of a corpus: values (n, parts), the reasons for missing ones, and the cost."""

    values: Floats
    usage: Usage
    reasons: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Judge(MeanMetric):
    """A language model's rating of the output, by the rubrics of G-Eval (1 to 5) or APPLS (0 to 100)."""

    model: Annotated[str, "the model's name at the endpoint"] = ""
    url: Annotated[str, "base URL of the endpoint, such as https://host/v1 (not in the signature)"] = ""
    rubric: Annotated[Literal["g-eval", "appls"], "which criteria, scale and defaults"] = "g-eval"
    dimension: Annotated[
        str | None, "the scored criterion: simplicity, fluency, meaning; or overall and the criteria of appls"
    ] = None
    setting: Annotated[
        Literal["a", "b", "c"] | None,
        "appls: one criterion, all of them (the default), or all of them with an explanation",
    ] = None
    scoring: Annotated[
        Literal["auto", "expected", "mean"] | None,
        "g-eval: expected score from probabilities, mean of samples, or what the endpoint allows (auto)",
    ] = None
    temperature: Annotated[
        Annotated[float, Between(0)] | None, "sampling temperature (default: the paper's)"
    ] = None
    samples: Annotated[
        Annotated[int, Between(1, 100)] | None, "replies to average (default: the paper's)"
    ] = None
    prompt: Annotated[
        str,
        _PROMPT,
        "built-in prompt (v1, or paper for APPLS's own wording), or a file with {source} and {output}",
    ] = VERSION
    reference: Annotated[bool | None, "appls: show the first reference as well"] = None
    max_tokens: Annotated[
        Annotated[int, Between(0)] | None, "longest reply, 0 for no limit (default: 16; appls: 150)"
    ] = None
    timeout: Annotated[
        Annotated[float, Between(0.001)], "seconds to wait for a reply (not in the signature)"
    ] = 60.0
    per_minute: Annotated[
        Annotated[float, Between(0)],
        "maximum number of requests per minute, 0 for no limit (not in the signature)",
    ] = 0.0
    threads: Annotated[
        Annotated[int, Between(1, 256)], "number of parallel requests (not in the signature)"
    ] = 4
    price_in: Annotated[
        Annotated[float, Between(0)], "price of a million input tokens (not in the signature)"
    ] = 0.0
    price_out: Annotated[
        Annotated[float, Between(0)], "price of a million output tokens (not in the signature)"
    ] = 0.0

    family = "learned"
    needs = frozenset({"source"})
    bounds = (0.0, 100.0)
    citation = "Liu et al. 2023, EMNLP; Guo et al. 2024, EMNLP"

    def __post_init__(self) -> None:
        super().__post_init__()
        appls = self.rubric == "appls"
        if not appls and self.setting is not None:
            raise OptionError(f"judge: option setting={self.setting!r} belongs to rubric='appls'.")
        if appls and self.scoring in ("auto", "expected"):
            raise OptionError(
                f"judge: option scoring={self.scoring!r} belongs to rubric='g-eval'; numbers up to 100 are several "
                "tokens long and have no single probability."
            )
        self._default("setting", "b" if appls else None)
        self._default("scoring", "mean" if appls else "auto")
        self._default("dimension", "simplification" if self.setting == "a" else DIMENSIONS[self.rubric][0])
        self._default("temperature", TEMPERATURE[self.rubric])
        self._default("samples", SAMPLES[self.rubric])
        self._default("max_tokens", MAX_TOKENS[self.rubric])
        allowed = CRITERIA if self.setting == "a" else DIMENSIONS[self.rubric]
        if self.dimension not in allowed:
            raise OptionError(
                f"judge: option dimension={self.dimension!r} is not allowed; expected one of {', '.join(allowed)}."
            )
        if self.url:
            parse_url(self.url)
        if not appls and (self.prompt == PAPER or self.reference is not None):
            option = "prompt='paper'" if self.prompt == PAPER else f"reference={self.reference}"
            raise OptionError(f"judge: option {option} belongs to rubric='appls'.")
        if self.prompt not in HEADINGS:
            read_prompt(self.prompt, _PLACES, _RELEASED)
            if self.reference:
                raise OptionError(
                    "judge: option reference=True belongs to built-in prompts; a file has {reference}."
                )

    def _default(self, option: str, value: object) -> None:
        if getattr(self, option) is None:
            object.__setattr__(self, option, value)

    @property
    def part_names(self) -> tuple[str, ...]:
        return ("judge", "weighted") if self.rubric == "g-eval" else ("judge", *self._criteria)

    @property
    def _criteria(self) -> tuple[str, ...]:
        """The criteria that one reply of appls scores."""
        return (str(self.dimension),) if self.setting == "a" else (*CRITERIA, "overall")

    def required(self) -> frozenset[str]:
        return self.needs | ({"references"} if "{reference}" in self.template() else set())

    def signature_options(self) -> dict[str, object]:
        unseen = ("url", "timeout", "per_minute", "threads", "price_in", "price_out")
        return {k: v for k, v in super().signature_options().items() if k not in unseen}

    def identity(self) -> str:
        # Another endpoint may have another model of the same name.
        return f"{super().identity()}|{self.url}"

    def missing(self) -> str:
        return missing(self, "judge(url='https://host/v1', model='name')")

    def template(self) -> str:
        """The prompt with its placeholders for the texts."""
        if self.prompt not in HEADINGS:
            return read_prompt(self.prompt, _PLACES, _RELEASED)
        if self.rubric == "g-eval":
            return built_in_prompt(f"g-eval-{self.dimension}")
        dimensions = (str(self.dimension),) if self.setting == "a" else CRITERIA
        criteria = "\n".join(f"- {built_in_prompt(f'appls-{c}', self.prompt)}" for c in dimensions)
        text = built_in_prompt(f"appls-{self.setting}", self.prompt).replace("{criteria}", criteria)
        if self.reference:
            place = text.rindex(HEADINGS[self.prompt])
            text = text[:place] + built_in_prompt("appls-reference", self.prompt) + text[place:]
        return text

    def values(self, corpus: Corpus) -> Floats:
        return self.verdicts(corpus).values

    def reasons(self, corpus: Corpus) -> dict[str, str]:
        """The reasons for missing scores, by the ids of the samples."""
        return {corpus.ids[i]: why for i, why in sorted(self.verdicts(corpus).reasons.items())}

    def usage(self, corpus: Corpus) -> Usage:
        """Requests, tokens and cost of the corpus."""
        return self.verdicts(corpus).usage

    def verdicts(self, corpus: Corpus) -> Verdicts:
        """Send every sample once; equal pairs of texts share a reply."""
        return corpus.remember("output", (self.identity(), "verdicts"), lambda: self._judge(corpus))

    def ask_all(
        self, prompts: Sequence[str], ask: Callable[[Endpoint, str], T]
    ) -> tuple[dict[str, T], dict[str, str], Usage]:
        """The result of `ask` for every prompt, the reasons for missing answers, and the cost; equal prompts are sent once."""
        self.check_installed()
        return ask_all(self, prompts, ask, label=f"judge {self.model}")

    def _judge(self, corpus: Corpus) -> Verdicts:
        prompts = self._prompts(corpus)
        ratings, failed, usage = self.ask_all(prompts, self._rate)
        undefined = np.full(len(self.part_names), np.nan)
        values = np.array([ratings.get(p, undefined) for p in prompts]).reshape(len(prompts), -1)
        reasons = {i: failed[p] for i, p in enumerate(prompts) if p in failed}
        if reasons:
            first = min(reasons)
            warnings.warn(
                f"judge: {len(reasons)} of {len(corpus)} samples have no score; sample {corpus.ids[first]}: "
                f"{reasons[first]}.",
                JudgeWarning,
                stacklevel=2,
            )
        return Verdicts(values, usage, reasons)

    def _prompts(self, corpus: Corpus) -> list[str]:
        template = self.template()
        out = []
        for i, (source, output) in enumerate(zip(corpus.texts("source"), corpus.outputs, strict=True)):
            texts = {"{source}": source, "{output}": output}
            if corpus.references is not None:
                texts["{reference}"] = corpus.references[i][0]
            # In one pass, so that a text that contains "{output}" is not changed.
            out.append(re.sub(r"\{(?:source|output|reference)\}", lambda m, t=texts: t[m[0]], template))  # type: ignore[misc]
        return out

    def _rate(self, endpoint: Endpoint, prompt: str) -> Floats:
        """Score and parts of one pair of texts."""

        def ask(read: Callable[[Reply], Floats], sample: int) -> Floats:
            return endpoint.ask(
                prompt,
                read,
                temperature=self.temperature or 0.0,
                max_tokens=self.max_tokens or 0,
                probabilities=self.scoring != "mean",
                sample=sample,
            )

        read = self._read_rating if self.rubric == "g-eval" else self._read_scores
        first = ask(read, 0)
        if self.rubric == "g-eval" and first[1]:
            return first  # one reply with probabilities replaces all samples
        if self.scoring == "expected":
            raise ReplyError("the endpoint gives no token probabilities, which scoring='expected' needs")
        rest = [ask(read, i) for i in range(1, self.samples or 1)]
        mean: Floats = np.mean([first, *rest], axis=0)
        return mean

    def _read_rating(self, reply: Reply) -> Floats:
        written = read_number(reply.text, *SCALES["g-eval"])
        if self.scoring != "mean" and (expected := expected_rating(reply)) is not None:
            return np.array([expected, 1.0])
        return np.array([written, 0.0])

    def _read_scores(self, reply: Reply) -> Floats:
        low, high = SCALES["appls"]
        if self.setting == "a":
            return np.full(2, read_number(reply.text, low, high))
        if self.prompt == PAPER:
            scores = _read_named(reply.text, self._criteria, low, high)
        else:
            scores = [read_line(reply.text, name, low, high) for name in self._criteria]
        return np.array([scores[self._criteria.index(str(self.dimension))], *scores])


def read_number(text: str, low: float, high: float) -> float:
    """The number that is the whole reply; RetryError for any other reply."""
    match = _ALONE.fullmatch(text)
    if match is None or (match[2] and float(match[2]) != high) or not low <= float(match[1]) <= high:
        raise RetryError(f"the reply is not a number from {low:g} to {high:g}")
    return float(match[1])


def read_line(text: str, name: str, low: float, high: float) -> float:
    """The number of a line such as "Coherence: 80"; RetryError if there is none, or more than one."""
    numbers = re.findall(rf"^\W*{name}\W*[:=]\W*(\d+(?:\.\d+)?)\b", text, re.IGNORECASE | re.MULTILINE)
    if len(numbers) != 1 or not low <= float(numbers[0]) <= high:
        raise RetryError(f"the reply has no line '{name}: number' with a number from {low:g} to {high:g}")
    return float(numbers[0])


def _read_named(text: str, names: Sequence[str], low: float, high: float) -> list[float]:
    """The scores that a reply names, NaN for others; a number in its first line is the overall score."""
    scores = dict.fromkeys(names, math.nan)
    for name in names:
        with contextlib.suppress(RetryError):
            scores[name] = read_line(text, name, low, high)
    with contextlib.suppress(RetryError):
        scores["overall"] = read_number(text.strip().partition("\n")[0], low, high)
    if all(map(math.isnan, scores.values())):
        raise RetryError(f"the reply has no number from {low:g} to {high:g}, alone or with a criterion")
    return list(scores.values())


def expected_rating(reply: Reply) -> float | None:
    """The mean of the ratings 1 to 5, weighted by their probabilities at the token of the rating; None without
    probabilities.
    """
    ratings = {str(s): s for s in range(1, 6)}
    for token, likely in reply.likely:
        if token.strip() in ratings:
            weight = total = 0.0
            for other, logarithm in likely.items():
                if (rating := ratings.get(other.strip())) is not None:
                    probability = math.exp(min(logarithm, 0.0))
                    weight += probability
                    total += rating * probability
            return total / weight if weight else None
    return None
