"""The results of a run as arrays: realised strengths and scores by seed, level and document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..metric import Floats, Metric
from .runs import Case, Record, Testbed, _Job, read_records, read_scores


@dataclass(frozen=True, eq=False)
class Doses:
    """Realised strengths of one case: arrays of shape (seeds, levels + 1, documents); level 0 is the unperturbed text."""

    case: Case
    realised: Floats
    changed: NDArray[np.int64]  # number of changed places
    eligible: NDArray[np.int64]  # (seeds, documents)
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def requested(self) -> Floats:
        """The requested strengths, beginning with 0."""
        return np.linspace(0, 1, self.realised.shape[1])


@dataclass(frozen=True, eq=False)
class CaseScores:
    """The scores of one metric for one case, of shape (seeds, levels + 1, documents)."""

    metric: Metric
    dose: Doses
    scores: Floats
    undefined: Counter[str]  # reasons of failures

    @property
    def case(self) -> Case:
        """The case that was scored."""
        return self.dose.case


class Results:
    """A finished run, read from its folder."""

    def __init__(self, testbed: Testbed, metrics: Sequence[Metric], folder: str | Path) -> None:
        self.testbed, self.metrics, self.folder = testbed, tuple(metrics), Path(folder)
        self._job = _Job(testbed, self.metrics, self.folder)
        self._units = self._job.units()
        self._place = [{d.id: i for i, d in enumerate(s.documents)} for s in testbed.subjects]
        self._parts: dict[tuple[Metric, int], tuple[Floats, Counter[str]]] = {}
        self.doses = [self._doses(c) for c in range(len(testbed.cases))]

    def scored(self, metric: Metric, case: int, part: int = 0) -> CaseScores:
        """A metric's scores of a case, or another of its parts."""
        values, why = self._read(metric, case)
        return CaseScores(metric, self.doses[case], values[..., part], why)

    def record(self, case: int, seed: int, document: int, level: int) -> Record:
        """One perturbed text."""
        from .runs import BLOCK

        subject = self.testbed.cases[case].subject
        sample = self.testbed.subjects[subject].documents[document].id
        unit = next(u for u in self._units if (u.case, u.seed, u.block) == (case, seed, document // BLOCK))
        return next(r for r in read_records(self._job.texts_path(unit)) if (r.id, r.level) == (sample, level))

    def _shape(self) -> tuple[int, int, int]:
        t = self.testbed
        return len(t.seeds), len(t.strengths) + 1, len(t.subjects[0].documents)

    def _doses(self, case: int) -> Doses:
        realised = np.zeros(self._shape())
        changed = np.zeros(self._shape(), dtype=np.int64)
        eligible = np.zeros((realised.shape[0], realised.shape[2]), dtype=np.int64)
        reasons: Counter[str] = Counter()
        place = self._place[self.testbed.cases[case].subject]
        for unit in self._units:
            if unit.case != case:
                continue
            s = self.testbed.seeds.index(unit.seed)
            for r in read_records(self._job.texts_path(unit)):
                i = place[r.id]
                realised[s, r.level, i], changed[s, r.level, i], eligible[s, i] = (
                    r.realised,
                    len(r.spans),
                    r.eligible,
                )
                if r.reason and not r.eligible and r.level == 1:
                    reasons[r.reason] += 1
        return Doses(self.testbed.cases[case], realised, changed, eligible, reasons)

    def _read(self, metric: Metric, case: int) -> tuple[Floats, Counter[str]]:
        key = (metric, case)
        if key not in self._parts:
            subject = self.testbed.cases[case].subject
            plain = self._plain(metric, self.testbed.cases[case].baseline)
            # A text without a score of its own is unchanged and has the score of the unperturbed text.
            values = np.broadcast_to(plain, (*self._shape(), plain.shape[-1])).copy()
            why: Counter[str] = Counter()
            for unit in self._units:
                if unit.case == case:
                    s = self.testbed.seeds.index(unit.seed)
                    for sample, level, scores, reason in read_scores(self._job.scores_path(unit, metric)):
                        values[s, level, self._place[subject][sample]] = scores
                        why.update([reason] if reason else [])
            self._parts[key] = values, why
        return self._parts[key]

    def _plain(self, metric: Metric, subject: int) -> Floats:
        n = len(self.testbed.subjects[subject].documents)
        values = np.full((n, len(metric.part_names)), np.nan)
        for unit in self._units:
            if unit.case == -1 - subject:
                for sample, _, scores, _ in read_scores(self._job.scores_path(unit, metric)):
                    values[self._place[subject][sample]] = scores
        return values
