"""A task names every choice in a meta-evaluation, so that a printed correlation can be reproduced."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal, Self

from ..errors import OptionError, did_you_mean
from ..options import Between, option_types
from ..registry import Named

Level = Literal["segment", "item", "item-means", "system"]
CoefficientName = Literal["pearson", "spearman", "kendall", "pairwise"]
RaterRule = Literal["mean", "median", "majority", "z"]
TieRule = Literal["released", "strict", "half", "dropped"]
Resample = Literal["auto", "item", "system", "both"]


@dataclass(frozen=True)
class Task(Named):
    """All choices in a meta-evaluation.

    >>> Task.parse("level=system coefficient=spearman without=KIS,Original")
    Task.parse('level=system coefficient=spearman without=KIS,Original')
    """

    level: Annotated[
        Level,
        "segment (one row per output), item (the coefficient over the systems of each item, then the mean over items), "
        "item-means (one row per source text, the mean over systems), system (one row per system)",
    ] = "segment"
    coefficient: Annotated[
        CoefficientName,
        "pearson, spearman, kendall (tau-b), or pairwise (of two outputs of one source, does the better one score higher?)",
    ] = "pearson"
    dimension: Annotated[str, "the rated dimension; may be empty if the ratings have only one"] = ""
    better: Annotated[
        Literal["higher", "lower"],
        "which ratings are better; lower for errors and difficulty, with which metrics should correlate negatively",
    ] = "higher"
    raters: Annotated[
        RaterRule, "how raters are combined into one value; z: mean of values standardised per rater"
    ] = "mean"
    ties: Annotated[
        TieRule,
        "ties (pairwise): released (counts for the system named first, as released programs do), strict (counts as wrong), "
        "half, dropped",
    ] = "released"
    partial: Annotated[
        tuple[str, ...],
        "partial correlation: control for these scores (length, or another row)",
    ] = ()
    systems: Annotated[tuple[str, ...], "only these systems"] = ()
    without: Annotated[tuple[str, ...], "not these systems"] = ()
    items: Annotated[tuple[str, ...], "only these items (samples)"] = ()
    resample: Annotated[
        Resample,
        "the resampling unit of intervals and tests: item (source texts), system, both; auto: system at system level, "
        "else item",
    ] = "auto"
    resamples: Annotated[int, Between(10, 1_000_000), "number of resamples and permutations"] = 1000
    confidence: Annotated[float, Between(0.5, 0.9999), "confidence level of intervals and letters"] = 0.95
    duplicates: Annotated[
        Literal["refuse", "mean"], "what to do with repeated ratings or scores of one output"
    ] = "refuse"
    seed: Annotated[int, Between(0), "random seed"] = 0

    def __post_init__(self) -> None:
        for name in _LISTS:
            value = getattr(self, name)
            if isinstance(value, str):
                raise OptionError(f"task: option {name}={value!r} is not allowed; expected a list.")
            object.__setattr__(self, name, tuple(value))
        super().__post_init__()
        rows = self.level in ("segment", "system") and self.coefficient != "pairwise"
        if self.resample == "system" and not rows and self.level != "system":
            raise OptionError(
                f"task: resample=system needs rows that belong to one system; found level={self.level} "
                f"coefficient={self.coefficient}."
            )
        if self.resample == "both" and not (self.level == "segment" and rows):
            raise OptionError(
                f"task: resample=both needs level=segment and a coefficient of rows; found level={self.level} "
                f"coefficient={self.coefficient}."
            )
        if self.coefficient == "pairwise" and self.partial:
            raise OptionError(
                f"task: coefficient=pairwise has no partial version; found partial={','.join(self.partial)}."
            )
        if self.coefficient == "pairwise" and self.level == "item-means":
            raise OptionError("task: coefficient=pairwise compares systems; found level=item-means.")

    @property
    def unit(self) -> Literal["item", "system", "both"]:
        """The resampling unit, with `auto` resolved."""
        if self.resample == "auto":
            return "system" if self.level == "system" else "item"
        return self.resample

    @property
    def spec(self) -> str:
        """The options that differ from their defaults, as `parse` reads them."""
        return " ".join(f"{k}={_written(v)}" for k, v in self.spec_options().items())

    def __repr__(self) -> str:
        return f"Task.parse({self.spec!r})"

    @classmethod
    def parse(cls, text: str, **defaults: Any) -> Self:
        """Parse a text such as "level=system coefficient=spearman"; it overrides the defaults."""
        try:
            words = shlex.split(text)
        except ValueError:
            raise OptionError(f"task {text!r}: a quote is not closed.") from None
        hints = option_types(cls)
        options: dict[str, Any] = {}
        for word in words:
            name, equals, value = word.partition("=")
            if not equals or name not in hints:
                known = ", ".join(f.name for f in fields(cls))
                raise OptionError(
                    f"task: found {word!r}, expected option=value.{did_you_mean(name, hints)} The options are: {known}."
                )
            if name in options:
                raise OptionError(f"task: option {name!r} is given twice.")
            options[name] = _value(name, value)
        return cls(**{**defaults, **options})


_NUMBERS: dict[str, type] = {"resamples": int, "seed": int, "confidence": float}
_LISTS = ("partial", "systems", "without", "items")


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
