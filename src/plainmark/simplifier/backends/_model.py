"""Backends that run one of plainmark's models: rules, a language model, and the fact ledger's check of every output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

from ...errors import OptionError
from ...options import FILE, Between, Content
from ..candidate import Candidate
from ..model import Simplifier, load_simplifier
from ..rules.constraints import parse_kinds
from . import Backend
from .structure import Structure

Probability = Annotated[float, Between(0, 1)]
_MODEL = Content(lambda name: "" if name == "default" else FILE.digest(name))


@dataclass(frozen=True)
class ModelBackend(Backend):
    """The best outputs of a model."""

    model: Annotated[str, _MODEL, "default, or a model's folder"] = "default"
    count: Annotated[Annotated[int, Between(1, 1000)], "number of candidates"] = 1
    caution: Annotated[
        Probability | None, "lowest estimated probability that a rewrite is right (default: the model's)"
    ] = None
    protect: Annotated[
        str | None, "what no rule may change: names, numbers, quotes, or none (default: the model's)"
    ] = None
    tokenized: Annotated[bool, "whether texts are split at spaces, and stay so"] = False
    split: Annotated[bool, "whether long sentences are split before words are replaced"] = False
    delete: Annotated[bool, "whether words that say nothing are deleted after words are replaced"] = False
    operations: Annotated[str, "which operations split, separated by commas"] = "default"
    threads: Annotated[Annotated[int, Between(1, 256)], "processor cores to decode on"] = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.operations != "default" and not self.split:
            raise OptionError("operations are given without split; add split, or leave operations out.")
        if self.protect is not None:
            parse_kinds(self.protect)
        Structure(operations=self.operations)

    def missing(self) -> str:
        return Structure().missing() if self.split else ""

    @cached_property
    def _simplifier(self) -> Simplifier:
        model = load_simplifier(self.model, self.caution)
        if model.decoder.kind != self.name:
            raise OptionError(
                f"the model {self.model!r} is not one of the backend {self.name}; use the backend {model.decoder.kind}."
            )
        return model

    def propose(self, texts: Sequence[str]) -> list[list[Candidate]]:
        self.check_installed()
        shorter = Structure(operations=self.operations).split(texts) if self.split else None
        results = self._simplifier.simplify(
            texts if shorter is None else [s.output for s in shorter],
            tokenized=self.tokenized,
            protect=None if self.protect is None else parse_kinds(self.protect),
            threads=self.threads,
            n_best=self.count,
        )
        operations = [()] * len(results) if shorter is None else [s.operations for s in shorter]
        return [
            [
                _shortened(replace(c, operations=splits, origin=self.name, note=result.note))
                if self.delete
                else replace(c, operations=splits, origin=self.name, note=result.note)
                for c in result.candidates
            ]
            for result, splits in zip(results, operations, strict=True)
        ]


def _shortened(candidate: Candidate) -> Candidate:
    from ..deletion import shorten

    result = shorten(candidate.output)
    return replace(candidate, output=result.output, deletions=result.operations)
