"""Running a testbed: every perturbation at every level with every seed, scored by every metric.

The work is divided into units of one perturbation, one seed and a few dozen documents. The texts of a unit, and its scores
by each metric, are files that are written atomically; an interrupted run is resumable, because units whose files exist are
skipped. Units are independent and may run in several processes.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from ..data import Corpus
from ..engine import Local, Processes
from ..errors import InputError, MissingResourceError, ModelMismatchError, NeedsError, OptionError
from ..identity import __version__, short_digest
from ..metric import Floats, Metric
from ..perturbations import Perturbation, generator
from ..perturbations._samples import SampleControl
from ..writing import write_atomically
from .subjects import PROVIDERS, REVERSAL_PROVIDERS, SOURCE_PROVIDERS, Subject

BLOCK = 50  # documents per unit
ABANDONED = 3600  # seconds after which an unfinished file is deleted
MANIFEST = "testbed.json"
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Record:
    """One perturbed text, as it is stored."""

    id: str
    perturbation: str
    criterion: str
    level: int
    seed: int
    requested: float
    realised: float
    eligible: int
    spans: list[list[int]]
    text: str
    reason: str = ""


@dataclass(frozen=True)
class Case:
    """A perturbation of a subject, with a unique name."""

    name: str
    perturbation: Perturbation
    subject: int = 0
    effect: int = -1  # effect of the perturbation on the quality of the texts: -1, 0 or 1
    provider: str = ""  # what would make a case testable for which no document is eligible
    baseline: int = 0  # the subject whose unperturbed scores are the baseline of the changes


@dataclass(frozen=True, eq=False)
class Testbed:
    """Subjects (the first one is the data, others are versions of it), cases, strengths and seeds."""

    subjects: tuple[Subject, ...]
    cases: tuple[Case, ...]
    strengths: tuple[float, ...]
    seeds: tuple[int, ...]

    __test__ = False  # tells pytest that this is not a test class

    def provenance(self) -> dict[str, Any]:
        """Everything that the texts depend on: equal provenance means equal texts."""
        resources: dict[str, str] = {}
        for case in self.cases:
            resources |= case.perturbation.resources()
        return {
            "plainmark": __version__,
            "data": [
                {
                    "name": s.name,
                    "candidate": s.candidate,
                    "documents": len(s.documents),
                    "sha256": s.digest(),
                }
                for s in self.subjects
            ],
            "perturbations": [
                {"name": c.name, "spec": c.perturbation.spec, "data": c.subject, "effect": c.effect}
                for c in self.cases
            ],
            "strengths": list(self.strengths),
            "seeds": list(self.seeds),
            "resources": dict(sorted(resources.items())),
            "notes": [n for s in self.subjects for n in s.notes],
        }


def build(
    subject: Subject,
    perturbations: Sequence[Perturbation],
    *,
    levels: int = 10,
    seeds: Sequence[int] = (1, 2),
    reverse: bool = True,
    simplified: Iterable[tuple[str, Sequence[str]]] = (),
) -> Testbed:
    """A testbed of `levels` equal steps up to strength 1; `reverse` adds the reversal test of simplification.

    `simplified` has the simpler texts of other systems by name, each of which becomes a case.
    """
    if levels < 1:
        raise InputError(f"levels: {levels} given, expected at least 1.")
    if not seeds or len(set(seeds)) != len(seeds):
        raise InputError("seeds: expected at least one, and each once.")
    if not len(subject.documents):
        raise InputError("there are no documents to perturb.")
    for p in perturbations:
        if reason := p.missing():
            raise MissingResourceError(f"perturbation {p.name} {reason}")
    simplify = next((p for p in perturbations if p.name == "simplify"), None)
    subjects, place = [subject], 0
    if simplify is not None:
        versions = subject.simplifying()
        if versions.corpus is subject.corpus:
            subjects[0] = versions  # no reference had to be set aside
        else:
            place = 1
            subjects.append(versions)
    helps = {"simplify": PROVIDERS}
    if subject.corpus.sources is None:
        helps["injected_fact"] = SOURCE_PROVIDERS
    cases = []
    for p in perturbations:
        if isinstance(p, SampleControl):
            cases.append(Case(p.spec, p, len(subjects), p.effect))
            subjects.append(subjects[0].changed_alike(p))
        else:
            own = place if p is simplify else 0
            cases.append(Case(p.spec, p, own, p.effect, helps.get(p.name, ""), own))
    if simplify is not None:
        for name, texts in simplified:
            own = len(subjects)
            cases.append(Case(f"simplify, {name}", simplify, own, simplify.effect, PROVIDERS, own))
            subjects.append(subject.with_simplified(name, texts).simplifying())
        turned = subjects[place].reversed() if reverse else None
        if turned is not None:
            own = len(subjects)
            cases.append(Case("simplify, reversed", simplify, own, -simplify.effect, REVERSAL_PROVIDERS, own))
            subjects.append(turned)
    strengths = tuple((i + 1) / levels for i in range(levels))
    return Testbed(tuple(subjects), tuple(cases), strengths, tuple(seeds))


@dataclass(frozen=True)
class _Unit:
    case: int  # -1 - subject: the unperturbed texts of that subject
    seed: int
    block: int


@dataclass(frozen=True, eq=False)
class _Job:
    """Everything that a worker process needs."""

    testbed: Testbed
    metrics: tuple[Metric, ...]
    folder: Path

    def units(self) -> list[_Unit]:
        """All units, ordered by documents, so that a worker can reuse prepared sources."""
        n = len(self.testbed.subjects[0].documents)
        blocks = range((n + BLOCK - 1) // BLOCK)
        plain = [(-1 - s, 0) for s in sorted({0, *(case.baseline for case in self.testbed.cases)})]
        cases = [(c, seed) for c in range(len(self.testbed.cases)) for seed in self.testbed.seeds]
        return [_Unit(c, seed, block) for block in blocks for c, seed in [*plain, *cases]]

    def name(self, unit: _Unit) -> str:
        """The file name of a unit."""
        if unit.case < 0:
            return f"none.{-1 - unit.case}.{unit.block:04d}.jsonl"
        return f"{_safe(self.testbed.cases[unit.case].name)}.{unit.seed}.{unit.block:04d}.jsonl"

    def texts_path(self, unit: _Unit) -> Path:
        return self.folder / "texts" / self.name(unit)

    def scores_path(self, unit: _Unit, metric: Metric) -> Path:
        return scores_folder(self.folder, metric) / self.name(unit)

    def is_done(self, unit: _Unit) -> bool:
        return self.texts_path(unit).exists() and all(
            self.scores_path(unit, m).exists() for m in self.metrics
        )

    def work(self, unit: _Unit) -> None:
        """Write the texts and scores of a unit that do not exist yet."""
        subject = self.testbed.subjects[
            -1 - unit.case if unit.case < 0 else self.testbed.cases[unit.case].subject
        ]
        path = self.texts_path(unit)
        if path.exists():
            records = list(read_records(path))
        else:
            records = self._perturb(unit, subject)
            write_atomically(path, "".join(_line(vars(r)) for r in records))
        for metric in self.metrics:
            target = self.scores_path(unit, metric)
            if not target.exists():
                rows = score_records(metric, subject.corpus, records)
                write_atomically(target, "".join(_line(row) for row in rows))

    def _perturb(self, unit: _Unit, subject: Subject) -> list[Record]:
        documents = subject.documents[unit.block * BLOCK : (unit.block + 1) * BLOCK]
        if unit.case < 0:
            return [Record(d.id, "none", "", 0, 0, 0.0, 0.0, 0, [], d.text) for d in documents]
        case = self.testbed.cases[unit.case]
        strengths = self.testbed.strengths
        out = []
        for document in documents:
            rng = generator(unit.seed, case.perturbation, document.id)
            versions = case.perturbation.levels(document, strengths, rng)
            for level, (strength, p) in enumerate(zip(strengths, versions, strict=True), 1):
                spans = [list(s) for s in p.spans]
                out.append(
                    Record(
                        document.id, case.name, case.perturbation.criterion, level, unit.seed, strength, p.realised,
                        p.eligible, spans, p.text, p.reason,
                    )
                )  # fmt: skip
        return out


def run(
    testbed: Testbed,
    metrics: Sequence[Metric],
    folder: str | Path,
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> None:
    """Complete a testbed in a folder: write the texts and scores that are missing."""
    if workers < 1:
        raise InputError(f"workers: {workers} given, expected at least 1.")
    for metric in metrics:
        for subject in testbed.subjects:
            metric.check(subject.corpus)
    job = _Job(testbed, tuple(metrics), Path(folder))
    _prepare(job)
    units = job.units()
    left = [u for u in units if not job.is_done(u)]
    done = len(units) - len(left)
    with Processes(workers) if workers > 1 and len(left) > 1 else Local() as runner:
        for _ in runner.map(job.work, left):
            done += 1
            if progress:
                progress(done, len(units))


def _prepare(job: _Job) -> None:
    """Create the folder and its manifest; raise InputError if it holds another testbed."""
    provenance = job.testbed.provenance()
    path = job.folder / MANIFEST
    try:
        (job.folder / "texts").mkdir(parents=True, exist_ok=True)
        for metric in job.metrics:
            scores_folder(job.folder, metric).mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise InputError(f"{job.folder}: cannot write here ({problem.strerror}).") from None
    if path.exists():
        stored = read_manifest(job.folder)
        if different := [k for k in provenance if stored.get(k) != provenance[k]]:
            raise InputError(
                f"{job.folder}: holds another testbed (other {', '.join(different)}); name another folder or delete it."
            )
    else:
        write_atomically(path, json.dumps(provenance, indent=2, ensure_ascii=False) + "\n")
    # Left behind by a killed run; newer files may belong to a run that is still active.
    for part in job.folder.glob("**/.*.part"):
        if part.exists() and time.time() - part.stat().st_mtime > ABANDONED:
            part.unlink(missing_ok=True)
    for metric in job.metrics:
        about = {
            "metric": metric.spec,
            "signature": metric.signature(job.testbed.subjects[0].corpus.reference_count),
            "parts": list(metric.part_names),
        }
        write_atomically(
            scores_folder(job.folder, metric) / "metric.json", json.dumps(about, indent=2) + "\n"
        )


def read_manifest(folder: Path) -> dict[str, Any]:
    """The provenance of the testbed in a folder."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        manifest = None
    if not isinstance(manifest, dict):
        raise InputError(
            f"{folder / MANIFEST}: broken, expected the description of a testbed; delete the folder."
        )
    return manifest


def scores_folder(folder: Path, metric: Metric) -> Path:
    """The folder of a metric's scores; its name contains a digest of the metric's identity."""
    return folder / "scores" / f"{_safe(metric.name)}-{short_digest(metric.identity())}"


def read_records(path: Path) -> Iterator[Record]:
    """The records of a file of texts."""
    for row in _rows(path):
        try:
            yield Record(**row)
        except TypeError:
            raise _broken(path) from None


def read_scores(path: Path) -> Iterator[tuple[str, int, list[float], str]]:
    """For each text: id, level, score with parts, and the reason if the score is undefined."""
    for row in _rows(path):
        try:
            yield (
                row["id"],
                row["level"],
                [math.nan if v is None else v for v in row["scores"]],
                row.get("reason", ""),
            )
        except (KeyError, TypeError):
            raise _broken(path) from None


def score_records(metric: Metric, corpus: Corpus, records: Sequence[Record]) -> list[dict[str, Any]]:
    """Score and parts of each record; equal texts of a document are scored once, and unchanged ones not at all."""
    place = {sample: i for i, sample in enumerate(corpus.ids)}
    texts = list(dict.fromkeys((r.id, r.text) for r in records if r.perturbation == "none" or r.spans))
    perturbed = corpus.subset([place[i] for i, _ in texts]).with_outputs([text for _, text in texts])
    values, reasons = guarded_parts(metric, perturbed)
    results = {key: (values[k], reasons.get(k, "")) for k, key in enumerate(texts)}
    out: list[dict[str, Any]] = []
    for r in records:
        if (r.id, r.text) not in results:
            continue  # unchanged, so that it has the score of the unperturbed text
        row, reason = results[r.id, r.text]
        scores = [float(v) if math.isfinite(v) else None for v in row]
        out.append({"id": r.id, "level": r.level, "scores": scores} | ({"reason": reason} if reason else {}))
    return out


def guarded_parts(metric: Metric, corpus: Corpus) -> tuple[Floats, dict[int, str]]:
    """Score and parts of every sample; if the metric fails, NaN and the reason."""
    width = len(metric.part_names)
    if not len(corpus):
        return np.empty((0, width)), {}
    try:
        return metric.sample_parts(corpus), {}
    except (MissingResourceError, ModelMismatchError, NeedsError, OptionError):
        raise  # errors that the user can fix and that concern every text
    except Exception as problem:
        if len(corpus) == 1:
            why = f"{type(problem).__name__}: {' '.join(str(problem).split())}"[:200]
            return np.full((1, width), np.nan), {0: why}
    half = len(corpus) // 2
    (a, why_a), (b, why_b) = (guarded_parts(metric, c) for c in (corpus[:half], corpus[half:]))
    return np.concatenate([a, b]), why_a | {half + k: v for k, v in why_b.items()}


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open(encoding="utf-8", errors="surrogatepass") as file:
            for line in file:
                yield json.loads(line)
    except (OSError, ValueError, RecursionError):
        raise _broken(path) from None


def _broken(path: Path) -> InputError:
    return InputError(f"{path}: broken, expected JSON lines of this program; delete the file and run again.")


# One encoder for all lines; lone surrogates stay as escapes, so that every text can be written.
_encode = partial(json.dumps, ensure_ascii=True, separators=(",", ":"), allow_nan=False)


def _line(row: dict[str, Any]) -> str:
    return _encode(row) + "\n"


def _safe(name: str) -> str:
    """A file name of letters and digits, with a digest if characters had to be replaced."""
    plain = "".join(c if c.isalnum() or c in "_-" else "_" for c in name)[:60]
    return plain if plain == name else f"{plain}-{sha256(name.encode()).hexdigest()[:8]}"
