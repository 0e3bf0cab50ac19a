"""The base of metrics: additive statistics and their reduction to a score.

    stats(corpus)  -> (n, k)       one row per sample; rows may be added
    reduce(stats)  -> (..., parts) from (a sum of) rows to the score and its parts, over any leading axes

Corpus scores, per-sample scores, intervals, tests, streaming and clusters all follow from these two.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from . import text
from .data import BLOCK, Corpus, Side
from .errors import LanguageError, MissingResourceError, NeedsError, OptionError
from .identity import __version__, origin
from .languages import UNSPACED, english_name, formulas
from .languages.choice import Choice, choose
from .options import Between, choices, option_types
from .registry import Named, Registry, call, option

Floats = NDArray[np.float64]
Order = Annotated[int, Between(1, 100)]  # length of the longest n-gram


@dataclass(frozen=True)
class Score:
    """A number, its parts, and the signature that states which implementation produced it.

    The metric is defined on `defined` of the `samples`; the others, such as texts without a number for
    numbers_kept, do not count.
    """

    value: float
    parts: dict[str, float]
    signature: str
    defined: int = 0
    samples: int = 0

    @property
    def partly_defined(self) -> bool:
        """Whether the metric is undefined on some sample."""
        return self.defined < self.samples

    @property
    def extent(self) -> str:
        """On how many of its samples the score is defined: "126 of 359"."""
        return f"{self.defined:,} of {self.samples:,}"

    def __str__(self) -> str:
        extent = f", defined on {self.extent}" if self.partly_defined else ""
        return f"{self.value:.2f}{extent}  {self.signature}"

    def __float__(self) -> float:
        return self.value


@dataclass(frozen=True, eq=False)
class Total:
    """Added-up statistics, the number of samples, and the number of those on which the metric is defined."""

    sums: Floats
    defined: int
    samples: int

    def __add__(self, other: Total) -> Total:
        return Total(self.sums + other.sums, self.defined + other.defined, self.samples + other.samples)


@dataclass(frozen=True)
class Metric(Named, ABC):
    """Base of all metrics. Options are the fields of the frozen dataclass; facts are class attributes."""

    higher_is_better: ClassVar[bool | None] = True  # None: a description, neither direction is better
    needs: ClassVar[frozenset[str]] = frozenset()  # any of "source", "references"
    bounds: ClassVar[tuple[float, float]] = (-np.inf, np.inf)
    citation: ClassVar[str] = ""
    family: ClassVar[str] = "other"  # a key of FAMILIES
    english_only: ClassVar[bool] = False  # whether its rules or word lists are for English
    # codes of the languages it was made for, if not English; empty for any
    languages: ClassVar[tuple[str, ...]] = ()

    @property
    def part_names(self) -> tuple[str, ...]:
        """Names of the columns that `reduce` returns; the first is the score."""
        return (self.name,)

    @abstractmethod
    def stats(self, corpus: Corpus) -> Floats:
        """One row of additive statistics per sample."""

    @abstractmethod
    def reduce(self, stats: Floats) -> Floats:
        """Score and parts from statistics, over any leading axes."""

    def sample_metric(self) -> Metric:
        """The metric for per-sample scores; a few reference implementations use other settings for single sentences."""
        return self

    def required(self) -> frozenset[str]:
        """What a corpus must have for this metric with these options."""
        return self.needs

    def missing(self) -> str:
        """What the metric needs that is not installed, and how to get it ("needs ..."); empty if it can run."""
        return text.missing(getattr(self, "tokenizer", None))

    # The methods below are the same for every metric.

    def score(self, corpus: Corpus) -> Score:
        """The score of the whole corpus."""
        self.check(corpus)
        return self.score_of(self.total(self.stats(corpus)), corpus.reference_count)

    def score_stream(self, corpora: Iterable[Corpus]) -> Score:
        """The score of a corpus that arrives in blocks (blocks of BLOCK samples give a bit-identical result)."""
        total: Total | None = None
        counts: list[str] = []
        for corpus in corpora:
            self.check(corpus)
            block = self.total(self.stats(corpus))
            total = block if total is None else total + block
            if corpus.reference_count not in counts:
                counts.append(corpus.reference_count)
        if total is None:
            raise NeedsError(f"{self.name}: there are no samples to score.")
        return self.score_of(total, join_counts(counts))

    def defined(self, stats: Floats) -> NDArray[np.bool_]:
        """Whether the metric is defined on each sample, from its row of statistics."""
        return ~np.isnan(self.reduce(stats)[..., 0])

    def total(self, stats: Floats) -> Total:
        """The rows of statistics, added up and counted."""
        return Total(add_up(stats), int(self.defined(stats).sum()), len(stats))

    def score_of(self, total: Total, reference_count: str = "0") -> Score:
        """The score of added-up statistics."""
        values = self.reduce(total.sums)
        parts = {n: float(v) for n, v in zip(self.part_names, values, strict=True)}
        value = parts.pop(self.part_names[0])
        return Score(value, parts, self.signature(reference_count), total.defined, total.samples)

    def sample_scores(self, corpus: Corpus, stats: Floats | None = None) -> Floats:
        """The score of every sample on its own; `stats` are those of the corpus, if they are already computed."""
        result: Floats = self.sample_parts(corpus, stats)[:, 0]
        return result

    def sample_parts(self, corpus: Corpus, stats: Floats | None = None) -> Floats:
        """Score and parts of every sample on its own, shape (n, parts); `stats` as for `sample_scores`."""
        self.check(corpus)
        alone = self.sample_metric()
        return alone.reduce(alone.stats(corpus) if stats is None or alone != self else stats)

    def check_installed(self) -> None:
        """Raise MissingResourceError if the machine lacks what the metric needs."""
        if reason := self.missing():
            raise MissingResourceError(f"{self.name} {reason}")

    def spoken(self) -> tuple[str, ...]:
        """The codes of the languages that the metric, with these options, is for; empty for all."""
        if language := getattr(self, "language", ""):
            return (language,)
        return ("en",) if self.english_only else self.languages

    def instead(self) -> list[str]:
        """What to use for a language that the metric is not for, if there is a general answer."""
        return []

    def in_language(self, choice: Choice) -> Metric:
        """The metric for texts in a language: with the option `language`, or with sacreBLEU's tokeniser for it.

        LanguageError if there is none.
        """
        hints = option_types(type(self))
        changes: dict[str, str] = {}
        if getattr(self, "language", "") == "en" and choice.code in choices(hints["language"]):
            changes["language"] = choice.code
        tokenizer = text.TOKENIZERS.get(choice.code)
        if not changes and tokenizer in choices(hints.get("tokenizer", str)):
            default = type(self)().tokenizer  # type: ignore[attr-defined]
            if self.tokenizer == default:  # type: ignore[attr-defined]
                changes["tokenizer"] = str(tokenizer)
        adapted = replace(self, **changes) if changes else self
        adapted.check_language(choice)
        return adapted

    def check_language(self, choice: Choice) -> None:
        """Raise LanguageError if the texts are in a language that the metric is not for."""
        spoken = self.spoken()
        if choice.code in UNSPACED and getattr(self, "tokenizer", "") in text.AT_SPACES and not spoken:
            fitting = call(self.name, [f"tokenizer={text.TOKENIZERS.get(choice.code, 'char')!r}"])
            raise LanguageError(
                f"{self.name} cuts words at spaces; {choice.subject}, which has none. "
                f"Use {fitting}, or --language en to insist."
            )
        if not choice.code or not spoken or choice.code in spoken:
            return
        own = [
            call(self.name, [f"language={choice.code!r}"])
            for code in choices(option_types(type(self)).get("language", str))
            if code == choice.code
        ]
        instead = own or [f for f in formulas(choice.code) if self.family == "readability"] or self.instead()
        advice = [f"Use {' or '.join(instead)}"] if instead else []
        if choice.origin == "detected":
            advice.append(f"{'or ' if instead else 'Use '}--language {spoken[0]} to insist")
        raise LanguageError(
            f"{self.name} is for {' and '.join(map(english_name, spoken))}; {choice.subject}."
            + (f" {', '.join(advice)}." if advice else "")
        )

    def check(self, corpus: Corpus) -> None:
        """Raise an error if the corpus or the machine lacks what the metric needs, or the language does not fit."""
        self.check_installed()
        self._check_sides(corpus)
        if self.spoken() or getattr(self, "tokenizer", "") in text.AT_SPACES:
            side: Side = "source" if getattr(self, "side", "output") == "source" else "output"
            self.check_language(choose([corpus], side=side))

    def _check_sides(self, corpus: Corpus) -> None:
        if "source" in self.required() and corpus.sources is None:
            raise NeedsError(
                f"{self.name} needs the source texts; give them with -s FILE (or sources= in Python)."
            )
        if "references" in self.required() and corpus.references is None:
            raise NeedsError(
                f"{self.name} needs references; give them with -r FILE (or references= in Python)."
            )

    def signature(self, reference_count: str = "0") -> str:
        """The signature of the score: name, number of references, every option, contents of files and models, version."""
        references = [f"refs:{reference_count}"] if "references" in self.required() else []
        return "|".join([self.name, *references, *self._signed_options(), origin(type(self))])

    def signature_options(self) -> dict[str, object]:
        """All options; English is the default and not shown."""
        options = super().signature_options()
        return {k: v for k, v in options.items() if (k, v) != ("language", "en")}


@dataclass(frozen=True)
class MeanMetric(Metric):
    """A metric that is the mean of per-sample values; NaN values are undefined and not counted."""

    @abstractmethod
    def values(self, corpus: Corpus) -> Floats:
        """Score and parts of each sample: shape (n, parts), or (n,) when there is only the score."""

    def stats(self, corpus: Corpus) -> Floats:
        self.check_installed()
        values = np.asarray(self.values(corpus), dtype=np.float64).reshape(len(corpus), len(self.part_names))
        defined = np.isfinite(values)
        return np.concatenate([np.where(defined, values, 0.0), defined], axis=1)

    def reduce(self, stats: Floats) -> Floats:
        sums, counts = np.split(stats, 2, axis=-1)
        return divide(sums, counts)


@dataclass(frozen=True)
class Wrapper(MeanMetric):
    """A metric that contains another one and takes its direction, range, needs and parts."""

    metric: Annotated[Metric, "the contained metric"]

    @property
    def spec(self) -> str:
        """The specification, which always includes the contained metric: agg(sari), mean(bleu(order=2))."""
        others = [option(k, v) for k, v in self.spec_options().items() if k != "metric"]
        return call(self.name, [self.metric.spec, *others])

    @property
    def higher_is_better(self) -> bool | None:  # type: ignore[override]
        return self.metric.higher_is_better

    @property
    def bounds(self) -> tuple[float, float]:  # type: ignore[override]
        return self.metric.bounds

    @property
    def english_only(self) -> bool:  # type: ignore[override]
        return self.metric.english_only

    @property
    def part_names(self) -> tuple[str, ...]:
        return self.metric.part_names

    def required(self) -> frozenset[str]:
        return self.metric.required()

    def spoken(self) -> tuple[str, ...]:
        return self.metric.spoken()

    def in_language(self, choice: Choice) -> Metric:
        adapted = replace(self, metric=self.metric.in_language(choice))
        adapted.check_language(choice)
        return adapted

    def missing(self) -> str:
        return self.metric.missing()


METRICS: Registry[Metric] = Registry("metric", Metric, "plainmark.metrics")  # type: ignore[type-abstract]


def metric(spec: str | Metric) -> Metric:
    """The metric of a name, a specification or a signature.

    >>> metric("sari(variant='hf')").name
    'sari'
    """
    if isinstance(spec, Metric):
        return spec
    if not isinstance(spec, str):
        raise OptionError(f"found {type(spec).__name__}, expected a metric, its name or its specification.")
    return from_signature(spec) if re.match(r"[\w.-]+\|", spec) else METRICS.parse(spec)


def from_signature(signature: str) -> Metric:
    """The metric that printed this signature; `metric` reads signatures too."""
    return METRICS.parse_signature(signature)


def add_up(stats: Floats) -> Floats:
    """The sum of the rows, added block by block, so that a stream of blocks gives bit-identical sums."""
    total: Floats = stats[:BLOCK].sum(axis=0)
    for start in range(BLOCK, len(stats), BLOCK):
        total = total + stats[start : start + BLOCK].sum(axis=0)
    return total


def divide(a: Floats, b: Floats, empty: float = np.nan) -> Floats:
    """a / b, or `empty` where b is 0."""
    out = np.full(np.broadcast_shapes(np.shape(a), np.shape(b)), empty)
    np.divide(a, b, out=out, where=np.asarray(b) != 0)
    return out


def f1(precision: Floats, recall: Floats) -> Floats:
    """Harmonic mean, 0 where both are 0."""
    return divide(2 * precision * recall, precision + recall, 0.0)


def join_counts(counts: Sequence[str]) -> str:
    """One range from several, such as "1-3" from ["1", "2-3"]."""
    sizes = sorted({int(c) for pair in counts for c in pair.split("-")})
    return str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]}-{sizes[-1]}"


__all__ = [
    "METRICS",
    "MeanMetric",
    "Metric",
    "Order",
    "Score",
    "Total",
    "Wrapper",
    "__version__",
    "add_up",
    "divide",
    "f1",
    "from_signature",
    "join_counts",
    "metric",
]
