"""Pairs of an unperturbed and a perturbed text, and how often a metric prefers the unperturbed one.

The six errors of Maddela and Alva-Manchego 2025, generated from any corpus or read from the released files.
Ties count as correct in the paper's table; strict figures, which count ties as wrong, are given as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..data import Corpus, Rating, Ratings
from ..datasets.perturbed import FILES, PerturbedDocuments
from ..errors import MissingResourceError
from ..meta import Consistency, Scores, Task, consistency
from ..meta.preferences import CONSTRUCTION
from ..metric import Metric
from ..perturbations import Perturbation, generator
from .runs import guarded_parts
from .subjects import Subject

UNPERTURBED, PERTURBED = "unperturbed", "perturbed"


@dataclass(frozen=True, eq=False)
class ErrorPairs:
    """Unperturbed and perturbed texts, and the number of documents that could not be perturbed."""

    name: str
    unperturbed: Corpus
    perturbed: Corpus
    not_eligible: int = 0
    reason: str = ""


def error_pairs(
    subject: Subject, perturbations: Sequence[Perturbation], *, seed: int = 1
) -> list[ErrorPairs]:
    """The pairs of a subject for each error, at full strength."""
    out = []
    for perturbation in perturbations:
        if reason := perturbation.missing():
            raise MissingResourceError(f"perturbation {perturbation.name} {reason}")
        eligible, texts, why = [], [], ""
        for i, document in enumerate(subject.documents):
            result = perturbation.apply(document, 1.0, generator(seed, perturbation, document.id))
            if result.text == document.text:
                why = why or result.reason or "nothing changed"
            else:
                eligible.append(i)
                texts.append(result.text)
        unperturbed = subject.corpus.subset(eligible)
        out.append(
            ErrorPairs(
                perturbation.name,
                unperturbed,
                unperturbed.with_outputs(texts),
                len(subject.documents) - len(eligible),
                why,
            )
        )
    return out


def released_pairs(data: PerturbedDocuments) -> list[ErrorPairs]:
    """The pairs of the released files."""
    out = []
    for error in FILES:
        unperturbed, perturbed = PerturbedDocuments(folder=data.folder, error=error).corpora().values()  # type: ignore[arg-type]
        out.append(ErrorPairs(error, unperturbed, perturbed))
    return out


def consistencies(pairs: Iterable[ErrorPairs], metric: Metric) -> list[Consistency]:
    """How often a metric prefers the unperturbed text, for each kind of error."""
    out = []
    for pair in pairs:
        if not len(pair.unperturbed):  # no document could be perturbed
            nan = math.nan
            out.append(Consistency(metric.spec, pair.name, 0, 0, 0, nan, nan, nan, nan, nan))
            continue
        metric.check(pair.unperturbed)
        values: dict[tuple[str, str], float] = {}
        ratings: list[Rating] = []
        for system, corpus in ((UNPERTURBED, pair.unperturbed), (PERTURBED, pair.perturbed)):
            sample_scores = guarded_parts(metric, corpus)[0][:, 0].tolist()
            values |= {(system, i): v for i, v in zip(corpus.ids, sample_scores, strict=True)}
            ratings += [
                Rating(system, i, pair.name, CONSTRUCTION, float(system == UNPERTURBED)) for i in corpus.ids
            ]
        scores = Scores(metric.spec, values, higher_is_better=metric.higher_is_better)
        out.append(consistency(Task(), scores, Ratings(ratings)))
    return out
