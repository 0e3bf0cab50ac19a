"""A task names every choice of a meta-evaluation, so that a printed correlation can be made again."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal, Self

from ..errors import OptionError, did_you_mean
from ..options import Between, option_types
from ..registry import Named

Level = Literal["sample", "document", "system", "within-sample"]
CoefficientName = Literal["pearson", "spearman", "kendall", "pairwise"]
RaterRule = Literal["mean", "median", "majority", "z"]
TieRule = Literal["released", "strict", "half", "dropped"]
Resample = Literal["auto", "sample", "system", "both"]


@dataclass(frozen=True)
class Task(Named):
    """Every choice of a meta-evaluation.

    >>> Task.parse("level=system coefficient=spearman without=KIS,Original")
    Task.parse('level=system coefficient=spearman without=KIS,Original')
    """

    level: Annotated[
        Level,
        "what a row is: sample (one output each), document (one source text, mean over systems), system (one system), "
        "within-sample (the coefficient over systems of each sample, then their mean)",
    ] = "sample"
    coefficient: Annotated[
        CoefficientName,
        "pearson, spearman, kendall (tau-b), or pairwise (of two outputs of one source, does the better one score higher?)",
    ] = "pearson"
    dimension: Annotated[str, "what was rated; empty where the ratings have one dimension"] = ""
    raters: Annotated[
        RaterRule, "how several raters become one value; z: mean of values standardised for each rater"
    ] = "mean"
    ties: Annotated[
        TieRule,
        "equal scores of a pair (pairwise): released (counts for the system named first, as released programs do), "
        "strict (wrong), half, dropped",
    ] = "released"
    systems: Annotated[tuple[str, ...], "only these systems"] = ()
    without: Annotated[tuple[str, ...], "not these systems"] = ()
    samples: Annotated[tuple[str, ...], "only these samples"] = ()
    resample: Annotated[
        Resample,
        "what intervals and tests draw anew: sample (source texts), system, both; auto: system where rows are systems, "
        "else sample",
    ] = "auto"
    resamples: Annotated[int, Between(10, 1_000_000), "how many resamples and permutations"] = 1000
    confidence: Annotated[float, Between(0.5, 0.9999), "level of intervals and letters"] = 0.95
    duplicates: Annotated[
        Literal["refuse", "mean"], "ratings or scores of one output that are there twice"
    ] = "refuse"
    seed: Annotated[int, Between(0), "seed of the resampling"] = 0

    def __post_init__(self) -> None:
        for name in ("systems", "without", "samples"):
            value = getattr(self, name)
            if isinstance(value, str):
                raise OptionError(f"task: option {name}={value!r} is not allowed; expected a list.")
            object.__setattr__(self, name, tuple(value))
        super().__post_init__()
        rows = self.level in ("sample", "system") and self.coefficient != "pairwise"
        if self.resample == "system" and not rows and self.level != "system":
            raise OptionError(
                f"task: resample=system needs rows that belong to one system; found level={self.level} "
                f"coefficient={self.coefficient}."
            )
        if self.resample == "both" and not (self.level == "sample" and rows):
            raise OptionError(
                f"task: resample=both needs level=sample and a coefficient of rows; found level={self.level} "
                f"coefficient={self.coefficient}."
            )
        if self.coefficient == "pairwise" and self.level == "document":
            raise OptionError("task: coefficient=pairwise compares systems; found level=document.")

    @property
    def unit(self) -> Literal["sample", "system", "both"]:
        """What is drawn anew, `auto` resolved."""
        if self.resample == "auto":
            return "system" if self.level == "system" else "sample"
        return self.resample

    @property
    def spec(self) -> str:
        """The options that differ from their defaults, as `parse` reads them."""
        return " ".join(f"{k}={_written(v)}" for k, v in self.spec_options().items())

    def __repr__(self) -> str:
        return f"Task.parse({self.spec!r})"

    @classmethod
    def parse(cls, text: str, **defaults: Any) -> Self:
        """The task that a text such as "level=system coefficient=spearman" describes; the text overrides defaults."""
        try:
            words = shlex.split(text)
        except ValueError:
            raise OptionError(f"task {text!r}: a quote is not closed.") from None
        hints = option_types(cls)
        given: dict[str, Any] = {}
        for word in words:
            name, equals, value = word.partition("=")
            if not equals or name not in hints:
                known = ", ".join(f.name for f in fields(cls))
                raise OptionError(
                    f"task: found {word!r}, expected option=value.{did_you_mean(name, hints)} The options are: {known}."
                )
            if name in given:
                raise OptionError(f"task: option {name!r} is given twice.")
            given[name] = _value(name, value)
        return cls(**{**defaults, **given})


_NUMBERS: dict[str, type] = {"resamples": int, "seed": int, "confidence": float}
_LISTS = ("systems", "without", "samples")


def _value(name: str, text: str) -> Any:
    if name in _LISTS:
        return tuple(part for part in text.split(",") if part)
    if name in _NUMBERS:
        try:
            return _NUMBERS[name](text)
        except ValueError:
            raise OptionError(f"task: option {name}={text!r} is not a number.") from None
    return text


def _written(value: object) -> str:
    return shlex.quote(",".join(value) if isinstance(value, tuple) else str(value))
