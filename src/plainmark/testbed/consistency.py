"""Pairs of a text and the same text harmed: how often does a metric prefer the unharmed one?

The six errors of Maddela and Alva-Manchego 2025, made anew from any corpus or read from the files that were released.
Ties count as right in the paper's table; strict figures, where a tie is wrong, stand beside them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..data import Corpus, Rating, Ratings
from ..datasets.perturbed import FILES, Perturbed
from ..errors import MissingResourceError
from ..meta import Consistency, Scores, Task, consistency
from ..meta.preferences import CONSTRUCTION
from ..metric import Metric
from ..perturbations import Perturbation, generator
from .runs import guarded_parts
from .subjects import Subject

UNHARMED, HARMED = "unharmed", "harmed"


@dataclass(frozen=True, eq=False)
class ErrorPairs:
    """Texts and the same texts harmed, and how many documents could not be harmed."""

    name: str
    unharmed: Corpus
    harmed: Corpus
    not_eligible: int = 0
    reason: str = ""


def error_pairs(
    subject: Subject, perturbations: Sequence[Perturbation], *, seed: int = 1
) -> list[ErrorPairs]:
    """The pairs of a subject, one list for each error, at full strength."""
    out = []
    for perturbation in perturbations:
        if reason := perturbation.missing():
            raise MissingResourceError(f"perturbation {perturbation.name} {reason}")
        kept, texts, why = [], [], ""
        for i, document in enumerate(subject.documents):
            made = perturbation.apply(document, 1.0, generator(seed, perturbation, document.id))
            if made.text == document.text:
                why = why or made.reason or "nothing changed"
            else:
                kept.append(i)
                texts.append(made.text)
        unharmed = subject.corpus.subset(kept)
        out.append(
            ErrorPairs(
                perturbation.name,
                unharmed,
                unharmed.with_outputs(texts),
                len(subject.documents) - len(kept),
                why,
            )
        )
    return out


def released_pairs(data: Perturbed) -> list[ErrorPairs]:
    """The pairs of the released files."""
    out = []
    for error in FILES:
        unharmed, harmed = Perturbed(folder=data.folder, error=error).corpora().values()  # type: ignore[arg-type]
        out.append(ErrorPairs(error, unharmed, harmed))
    return out


def consistencies(pairs: Iterable[ErrorPairs], metric: Metric) -> list[Consistency]:
    """How often a metric prefers the unharmed text, for each kind of error."""
    out = []
    for one in pairs:
        if not len(one.unharmed):  # no document could be harmed
            nan = math.nan
            out.append(Consistency(metric.spec, one.name, 0, 0, 0, nan, nan, nan, nan, nan))
            continue
        metric.check(one.unharmed)
        values: dict[tuple[str, str], float] = {}
        ratings: list[Rating] = []
        for system, corpus in ((UNHARMED, one.unharmed), (HARMED, one.harmed)):
            found = guarded_parts(metric, corpus)[0][:, 0].tolist()
            values |= {(system, i): v for i, v in zip(corpus.ids, found, strict=True)}
            ratings += [
                Rating(system, i, one.name, CONSTRUCTION, float(system == UNHARMED)) for i in corpus.ids
            ]
        scores = Scores(metric.spec, values, higher_is_better=metric.higher_is_better)
        out.append(consistency(Task(), scores, Ratings(ratings)))
    return out
