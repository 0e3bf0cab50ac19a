"""Errors of fact in WikiLarge's simple sentences and in outputs of four systems: insertion, deletion, substitution.

Levels are 0 (none, or trivial), 1 (the main idea is preserved) and 2 (it is not), and -1 for an output that is
gibberish. Not every output has a level of all three kinds. Sample ids are ExampleId as in the files, the same for all
outputs on a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..data import Corpus, Rating, Ratings
from ..errors import InputError
from ..files import read_json
from . import AGREED, REFERENCE, Card, Dataset
from ._readers import reporting_errors, text

KINDS = ("insertion", "deletion", "substitution")
SYSTEMS = (REFERENCE, "access", "controlTS", "dress", "editNTS")
GIBBERISH, LEVELS = -1, (0, 1, 2)


def _file(system: str, kind: str) -> str:
    folder = "" if system == REFERENCE else f"system_outputs/{system}_"
    return f"factuality/wikilarge/{folder}wikilarge_{kind}.json"


@dataclass(frozen=True)
class Factuality(Dataset):
    """Sentence pairs with levels of inserted, deleted and substituted facts."""

    card = Card(
        title="Factuality in text simplification, WikiLarge",
        about="simple sentences and four systems' outputs with levels of inserted, deleted and substituted facts",
        level="sentence",
        samples=358,
        systems=5,
        ratings=2370,
        dimensions=KINDS,
        lower_is_better=KINDS,
        licence="none stated",
        citation="Devaraj et al. 2022, Evaluating Factuality in Text Simplification",
        notes=(
            "Higher is worse: 0 is no error or a trivial one, 2 an error that changes the main idea.",
            "One level was released for each output and kind, not one for each rater: the rater is 'agreed'.",
            "Not every output has all three levels.",
            "labels() includes outputs that are gibberish (-1); ratings() leaves them out.",
            "The system 'reference' are the simple sentences of WikiLarge, which are the references of all systems.",
            "Sources and outputs of the four systems differ in case or tokenisation from the simple sentences.",
            "The part on Newsela and the outputs of T5, in the same release, are not in this set.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return tuple(_file(system, kind) for system in SYSTEMS for kind in KINDS)

    def corpora(self) -> dict[str, Corpus]:
        corpora: dict[str, Corpus] = {}
        simple: dict[str, str] = {}  # sample id -> the simple sentence of WikiLarge
        for system in SYSTEMS:
            samples: dict[str, tuple[str, str]] = {}
            for _, sample, location, row in self._rows(system):
                with reporting_errors(location):
                    pair = (text(row["Complex"]), text(row["Simplified"]))
                if samples.setdefault(sample, pair) != pair:
                    raise InputError(f"{location}: another text than in the file before it for {sample}.")
            simple = simple or {sample: output for sample, (_, output) in samples.items()}
            if unknown := [sample for sample in samples if sample not in simple]:
                path = self.path(_file(system, KINDS[0]))
                raise InputError(f"{path}: ExampleId {unknown[0]} has no simple sentence of WikiLarge.")
            sources, outputs = zip(*samples.values(), strict=True)
            references = [simple[sample] for sample in samples]
            corpora[system] = Corpus(sources, outputs, references, ids=list(samples), name=system)
        return corpora

    def ratings(self) -> Ratings:
        return Ratings(
            Rating(system, sample, kind, AGREED, float(level))
            for system, samples in self.labels().items()
            for sample, levels in samples.items()
            for kind, level in levels.items()
            if level != GIBBERISH
        )

    def labels(self) -> dict[str, dict[str, dict[str, int]]]:
        """System -> sample id -> kind of error -> its level, or -1 for gibberish."""
        labels: dict[str, dict[str, dict[str, int]]] = {}
        for system in SYSTEMS:
            own = labels.setdefault(system, {})
            for kind, sample, location, row in self._rows(system):
                with reporting_errors(location):
                    level = int(row[kind.capitalize()])
                    if level not in (GIBBERISH, *LEVELS):
                        raise ValueError(f"level {level}, expected -1, 0, 1 or 2")
                own.setdefault(sample, {})[kind] = level
        return labels

    def _rows(self, system: str) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
        """Kind, sample id, location and content of every row of a system."""
        for kind in KINDS:
            path = self.path(_file(system, kind))
            rows = read_json(path)
            if not isinstance(rows, list) or not rows:
                raise InputError(f"{path}: expected a list of labelled pairs.")
            for k, row in enumerate(rows, 1):
                location = f"{path}, item {k}"
                with reporting_errors(location):
                    sample = str(int(row["ExampleId"]))
                yield kind, sample, location, row
