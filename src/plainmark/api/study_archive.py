"""The archive of a study: one zip file that a reviewer can open and analyse again."""

from __future__ import annotations

import datetime
import json
import math
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..identity import __version__
from ..result import Listing
from ..study import load, open_store
from ..table import Cell, Table, csv_text
from .study_report import StudyReport

if TYPE_CHECKING:
    from ..study.analysis.responses import Collected
    from ..study.definition.loading import Study

_CLOSE = 1e-6  # relative tolerance, because other processors add numbers in another order


@dataclass(frozen=True, eq=False)
class StudyArchive:
    """The files of an archive, its report, and notes to read before it is published."""

    files: Mapping[str, bytes] = field(repr=False)
    report: StudyReport = field(repr=False)
    notes: Sequence[str] = ()

    def packed(self) -> bytes:
        """The zip file as bytes; the same study always gives the same bytes."""
        from ..study.archive import packed

        return packed(self.files)


def archive(
    folder: str | PathLike[str],
    *,
    database: str = "",
    mode: str = "",
    preregistration: str | PathLike[str] | None = None,
    leave_out: Collection[str] = (),
    resamples: int = 10_000,
    seed: int = 0,
) -> StudyArchive:
    """Collect everything that is needed to repeat the analysis of a study: definition, items, anonymised
    answers, scripts, report.

    `preregistration` is the file that was registered; without it the archive has an analysis plan, which
    claims no date. `leave_out` names survey questions whose answers must stay private.
    """
    from ..study import archive as content
    from ..study.analysis.responses import collect
    from ..study.definition.loading import FILE

    study = load(str(folder))
    study = study.in_mode(mode) if mode in ("pilot", "live") else study  # type: ignore[arg-type]
    with open_store(study, database, create=False) as store:
        everything = collect(store)
    collected = content.anonymised(study, everything, leave_out)
    place = Path(folder)
    files = content.data_files(study, collected, place / FILE if place.is_dir() else place)
    name, text, notes = _plan(study, preregistration)
    report = _report(study, collected, resamples, seed)
    last = max((r.submitted for r in everything.rows), default="")[:10]
    files |= {
        name: text,
        content.RESULTS: _results(study, collected, report, resamples, seed).encode("utf-8"),
        content.EFFECTS: _effects(report).encode("utf-8"),
        "report.html": _html(report, last).encode("utf-8"),
        "README.md": _readme(study, collected, report, name).encode("utf-8"),
    }
    files[content.SUMS] = content.sums(files).encode("utf-8")
    declined = len(everything.people) - len(collected.people)
    notes += [f"left out because they did not consent: {declined}."] if declined else []
    written = content.written_answers(study, collected)
    if written:
        notes.append(f"{written} written answers to trials are in it; read them before you publish.")
    return StudyArchive(files, report, notes)


@dataclass(frozen=True, eq=False)
class Rerun:
    """The recomputed figures of an archive, and those that differ from the archived ones."""

    report: StudyReport = field(repr=False)
    figures: int
    differences: Sequence[tuple[str, str, str, str, str]]  # table, row, column, archived, now
    version: str  # version of plainmark that wrote the archive

    @property
    def same(self) -> bool:
        """Whether every figure is the same."""
        return not self.differences

    def to_text(self) -> str:
        """A summary line, and one more line per difference."""
        if self.same:
            return f"The same: all {self.figures} figures of the report (archived with plainmark {self.version}, now {__version__}).\n"
        lines = [
            f"{len(self.differences)} of {self.figures} figures differ (archived with plainmark {self.version}, now {__version__}):"
        ]
        for table, row, column, before, now in self.differences[:20]:
            lines.append(f"  {table}: {row}, {column}: {before} before, {now} now")
        more = len(self.differences) - 20
        return "\n".join([*lines, *([f"  and {more} more"] if more > 0 else [])]) + "\n"

    def listing(self) -> Listing:
        """The differences as a table."""
        rows = [[Cell(c) for c in d] for d in self.differences]
        headings = ["table", "row", "column", "archived", "now"]
        data = {
            "same": self.same,
            "figures": self.figures,
            "differences": [dict(zip(headings, d, strict=True)) for d in self.differences],
        }
        return Listing.of(Table(headings, rows), data=data, text=self.to_text())


def rerun(path: str | PathLike[str]) -> Rerun:
    """Repeat the analysis of an archive (a zip file, or the folder it was unpacked into) and compare every figure."""
    from ..study import archive as content
    from ..study.definition.loading import FILE

    files = content.read(Path(path))
    try:
        archived = json.loads(files[content.RESULTS])
        tables, mode = archived["tables"], archived["mode"]
        resamples, seed = int(archived["resamples"]), int(archived["seed"])
        version = str(archived["plainmark"])
        if mode not in ("pilot", "live") or not 0 < resamples <= 1_000_000:
            raise ValueError(mode)
    except (KeyError, TypeError, ValueError, RecursionError):
        raise InputError(
            f"{path}: {content.RESULTS} is missing or not as `plainmark study archive` writes it."
        ) from None
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            target = Path(folder) / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        study = load(Path(folder) / FILE).in_mode(mode)
        collected = content.collected_from(files, archived, str(path))
        report = _report(study, collected, resamples, seed)
        again = json.loads(_results(study, collected, report, resamples, seed))["tables"]
    differences = list(_differences(tables, again))
    figures = sum(len(row) for table in again for row in table["rows"])
    return Rerun(report, figures, differences, version)


def _report(study: Study, collected: Collected, resamples: int, seed: int) -> StudyReport:
    """The report from the archived answers alone, so that it can be reproduced."""
    from ..study.analysis.analyse import analyse
    from ..study.analysis.responses import responses

    analysis = analyse(
        study, responses(study, collected.rows), collected=collected, resamples=resamples, seed=seed
    )
    people = {} if collected.anonymous else Counter(p.outcome or "not finished" for p in collected.people)
    flags = {(r.participant, flag) for r in collected.rows for flag in r.flags.split(";") if flag}
    return StudyReport(analysis, dict(sorted(people.items())), {}, [(p, f, "") for p, f in sorted(flags)])


def _results(study: Study, collected: Collected, report: StudyReport, resamples: int, seed: int) -> str:
    about = {
        "plainmark": __version__,
        "study": study.definition.id,
        "revision": study.digest,
        "answered_revisions": list(collected.answered_digests),
        "mode": study.definition.mode,
        "anonymous": collected.anonymous,
        "resamples": resamples,
        "seed": seed,
        "tables": _plain(report.to_dict()),
    }
    return json.dumps(about, ensure_ascii=False, indent=1) + "\n"


def _plain(value: Any) -> Any:
    """The value with None for infinities and NaN, which JSON does not have."""
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _effects(report: StudyReport) -> str:
    """The contrasts of the mixed model in full precision, as analysis.R reads them."""
    headings = [
        "one",
        "other",
        "log_odds",
        "error",
        "odds_ratio",
        "low",
        "high",
        "p",
        "p_holm",
        "points",
        "points_low",
        "points_high",
    ]
    effects = report.analysis.effects
    rows = [
        [
            d.one, d.other, d.contrast.estimate, d.contrast.error, *d.contrast.odds_ratio, d.contrast.p, d.corrected,
            d.points, *d.points_interval,
        ]
        for d in (effects.differences if effects else ())
    ]  # fmt: skip
    known = [["NA" if isinstance(v, float) and math.isnan(v) else v for v in row] for row in rows]
    return csv_text([headings, *known])


def _html(report: StudyReport, last: str) -> str:
    """The page, dated by the last answer: the same study gives the same page."""
    from ..report import study as page

    date = datetime.date.fromisoformat(last) if last else None
    return page.render(report.analysis, people=report.people, flags=list(report.flags), date=date)


def _plan(study: Study, preregistration: str | PathLike[str] | None) -> tuple[str, bytes, list[str]]:
    """The registered file, or an analysis plan written now, and the notes about it."""
    from ..study.preregistration import preregistration as plan

    if preregistration is None:
        return "analysis-plan.md", plan(study, date=None).encode("utf-8"), []
    try:
        data = Path(preregistration).read_bytes()
    except OSError as error:
        raise InputError(f"{preregistration}: cannot be read ({error.strerror}).") from None
    notes = []
    if study.digest.encode() not in data:
        notes.append(
            f"{preregistration} does not name this definition's hash ({study.digest[:12]}...): the definition was changed since,"
            " or it is another study's."
        )
    return "preregistration.md", data, notes


def _readme(study: Study, collected: Collected, report: StudyReport, plan: str) -> str:
    from ..report.study_effects import answers_first

    definition = study.definition
    counted = {
        "study.yaml": "the definition: design, pages, questions, exclusions, analysis",
        definition.items: "the items with their texts and questions",
        plan: "as it was registered"
        if plan == "preregistration.md"
        else "the analysis as the definition says it; not a preregistration",
        "answers.csv": f"{len(collected.rows)} answers, one per line",
        "participants.csv": f"{len(collected.people)} participants, with flags and the rules that exclude them",
        "codebook.md, codebook.json": "what every column and every answer means",
        "report.html": "all tables and plots",
        "results.json": "every figure of the report",
        "effects.csv": "the contrasts of the mixed model, in full precision",
        "analysis.py, analysis.ipynb": "the analysis in Python",
        "analysis.R, analysis.Rmd": "the comparison of conditions in R, with lme4",
        "requirements.txt": "the version of plainmark",
        "SHA256SUMS": "checksums: sha256sum -c SHA256SUMS",
    }
    answers = [f"- **{heading}** {sentence}" for heading, sentence in answers_first(report.analysis)]
    return "\n".join(
        [
            f"# {' '.join(definition.title.split())}",
            "",
            f"Archive of study {definition.id}, mode {definition.mode}, revision `{study.digest}`, made with plainmark {__version__}.",
            *(["", *answers] if answers else []),
            "",
            "| file | content |",
            "|---|---|",
            *(f"| {name} | {about} |" for name, about in counted.items()),
            "",
            "## Repeat the analysis",
            "",
            "    pip install -r requirements.txt",
            "    plainmark study rerun .          every figure, recomputed and compared",
            "    python analysis.py               simple counts, then the same comparison",
            "    Rscript analysis.R               the mixed model by lme4, compared with the report",
            "",
            "Answers are anonymised: participants are keyed hashes, times of day and window sizes are left out, and so is what people"
            " wrote in surveys. People who did not consent are not in it.",
            "",
        ]
    )


def _differences(before: Any, now: Any) -> Iterator[tuple[str, str, str, str, str]]:
    """The cells that differ between two lists of tables; the archived tables may have any form."""
    try:
        old = {str(t["table"]): t for t in before}
        new = {str(t["table"]): t for t in now}
        for name in dict.fromkeys([*old, *new]):
            if name not in old or name not in new:
                yield (
                    name,
                    "",
                    "",
                    "a table" if name in old else "no table",
                    "a table" if name in new else "no table",
                )
                continue
            columns = [str(c) for c in new[name]["columns"]]
            pairs = zip(old[name]["rows"], new[name]["rows"], strict=False)
            if len(old[name]["rows"]) != len(new[name]["rows"]):
                yield name, "", "rows", str(len(old[name]["rows"])), str(len(new[name]["rows"]))
            for first, second in pairs:
                for column, a, b in zip(columns, first, second, strict=True):
                    if not _alike(a, b):
                        yield name, str(second[0]), column, str(a), str(b)
    except (KeyError, TypeError, ValueError, IndexError):
        raise InputError(
            "results.json does not have the tables that `plainmark study archive` writes."
        ) from None


def _alike(a: Any, b: Any) -> bool:
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=_CLOSE, abs_tol=_CLOSE)
    return bool(a == b)


__all__ = ["Rerun", "StudyArchive", "archive", "rerun"]
