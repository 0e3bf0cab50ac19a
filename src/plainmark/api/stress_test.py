"""Stress tests: texts are perturbed step by step to see whether metric scores respond."""

from __future__ import annotations

import shutil
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Literal

from .. import testbed as testbeds
from ..data import Corpus
from ..datasets import dataset as find_dataset
from ..datasets.perturbed import PerturbedDocuments
from ..errors import InputError, NeedsError, OptionError
from ..languages import check_code
from ..languages.choice import choose
from ..meta import Consistency
from ..metric import Metric, metric
from ..perturbations import APPLS, CONTROLS, ERRORS, FACTS, Perturbation, check_language, perturbation
from ..perturbations._errors import Dosed
from ..registry import split_specs
from ..report.stress import consistency
from ..report.stress import tables as sensitivity
from ..result import Result, Row, Titled
from ..systems import Systems
from ..table import Table
from ._metrics import Metrics, parse_metrics

FEATURES = (
    "sentence_length",
    "paragraph_length",
    "familiarity",
    "specificity",
    "connectives",
    "word_classes(pipeline='rules')",
)

Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class StressTest(Result):
    """Verdicts by metric and perturbation, with all numbers that they rest on."""

    results: testbeds.Results = field(repr=False)
    stressed: tuple[sensitivity.StressedMetric, ...]  # one per metric; judges come last
    features: tuple[Metric, ...] = ()  # lexical features for the page
    judged: tuple[Metric, ...] = ()
    notes: tuple[str, ...] = ()
    folder: Path = Path()  # the folder of texts and scores

    title = "Stress test"

    def tables(self) -> list[Titled]:
        table = sensitivity.verdict_table(self.stressed)
        return [("", replace(table, notes=[*table.notes, *self.notes]))]

    def records(self) -> list[Row]:
        """One row per metric and perturbation, with slope, interval, p-value and verdict."""
        return _rows(sensitivity.long_table(self.stressed))

    def to_html(self) -> str:
        """The report: verdicts, curves, score cards and perturbed texts."""
        from ..report import stress as page

        return page.render(self.results, self.stressed, features=self.features, judged=self.judged)


@dataclass(frozen=True, eq=False)
class ErrorConsistency(Result):
    """How often each metric prefers the unperturbed text to the one with an error."""

    consistencies: tuple[tuple[Metric, Sequence[Consistency]], ...]
    pairs: tuple[testbeds.ErrorPairs, ...] = field(repr=False)
    notes: tuple[str, ...] = ()

    title = "Consistency under errors"

    def tables(self) -> list[Titled]:
        return [("", consistency.consistency_table(self.consistencies, self.notes))]

    def records(self) -> list[Row]:
        """One row per metric and error, with the numbers of pairs."""
        return _rows(consistency.consistency_rows(self.consistencies))

    def to_html(self) -> str:
        """The report, with an example of each error."""
        return consistency.render_consistency(self.consistencies, self.pairs, self.notes)


def stress(
    outputs: Any = None,
    *,
    source: Any = None,
    references: Any = (),
    fields: Mapping[str, str] | None = None,
    dataset: str = "",
    system: str = "",
    metrics: Metrics = "sari",
    testbed: Literal["appls", "facts", "controls", "errors"] = "appls",
    perturbations: Sequence[str] = (),
    candidate: str = "auto",
    translator: str | None = None,
    simplified: Mapping[str, Sequence[str]] | None = None,
    levels: int = 10,
    seed: int = 0,
    seeds: int = 2,
    first: int | None = None,
    language: str = "",
    variant: Literal["paper", "released"] = "paper",
    features: bool = False,
    judge: str = "",
    workers: int = 1,
    folder: str | PathLike[str] | None = None,
    progress: Progress | None = None,
) -> StressTest | ErrorConsistency:
    """Perturb texts by known amounts and see whether the metrics notice.

    The texts are one system's `outputs` (as in `score`) or those of a `dataset`. The testbed "appls" gives a
    verdict for each metric and perturbation, at `levels` strengths and for `seeds` seeds from `seed` on; so
    do "facts" (errors that contradict the source) and "controls" (reading level, length and order). "errors"
    counts how often a metric prefers the unperturbed text. Texts and scores are stored in `folder`, so that a
    second run computes only what is new.

    >>> import plainmark as pm
    >>> texts = [f"The group met in {year}. It had ten members." for year in range(1990, 1996)]
    >>> result = pm.stress(texts, references=texts, metrics="bleu", perturbations=["delete"], levels=2)
    >>> [row["verdict"] for row in result.records()]
    ['detects (6 documents)']
    """
    parsed = parse_metrics(metrics) if metrics else []
    judges = judge_settings(judge) if judge else []
    specs = [spec for item in perturbations for spec in split_specs(item)]
    arguments: dict[str, Any] = {
        "system": system,
        "candidate": candidate,
        "translator": translator,
        "first": first,
    }
    texts = Systems.of(outputs, source, references, fields) if outputs is not None else None
    if bool(dataset) == (texts is not None):
        raise OptionError("expected either a data set (-d NAME) or a file with outputs.")
    if testbed == "errors":
        if judges:
            raise OptionError(
                "--judge belongs to --testbed appls; name a judge with -m to see its consistency."
            )
        code = check_code(language) if language else ""
        pairs, notes = _error_pairs(texts, dataset, specs, variant, seed, arguments, code)
        consistencies = []
        for done, scored in enumerate(parsed, 1):
            consistencies.append((scored, testbeds.consistencies(pairs, scored)))
            if progress:
                progress(done, len(parsed))
        return ErrorConsistency(tuple(consistencies), tuple(pairs), tuple(notes))
    selected = [
        perturbation(spec) for spec in specs or {"facts": FACTS, "controls": CONTROLS}.get(testbed, APPLS)
    ]
    subject = _subject(texts, dataset, **arguments)
    spoken = choose([subject.corpus], check_code(language) if language else "")
    said = spoken.code if spoken.origin != "detected" else ""
    check_language(selected, [d.text for d in subject.documents], said)
    parsed = [m.in_language(spoken) for m in parsed]
    curves = [(name, versions[:first]) for name, versions in (simplified or {}).items()]
    if curves and not any(any(d.simpler) or d.simplified for d in subject.documents):
        name, versions = curves.pop(0)
        subject = replace(subject.with_simplified(name, versions), name=subject.name)
    if seeds < 1:
        raise OptionError(f"--seeds {seeds}: expected at least 1.")
    bed = testbeds.build(subject, selected, levels=levels, seeds=range(seed, seed + seeds), simplified=curves)
    candidates = [metric(spec) for spec in FEATURES] if features else []
    present = [m for m in candidates if not m.missing()]
    everything = list(dict.fromkeys([*parsed, *judges, *present]))
    directory = Path(folder) if folder else Path(mkdtemp(prefix="plainmark-"))
    try:
        testbeds.run(bed, everything, directory, workers=workers, progress=progress)
        results = testbeds.Results(bed, everything, directory)
        stressed = [_stressed(results, m) for m in [*parsed, *judges]]
    except BaseException:
        if not folder:
            shutil.rmtree(directory, ignore_errors=True)
        raise
    notes = [*subject.notes, *(f"{m.name} is left out: it {m.missing()}" for m in candidates if m.missing())]
    test = StressTest(results, tuple(stressed), tuple(present), tuple(judges), tuple(notes), directory)
    if not folder:
        weakref.finalize(test, shutil.rmtree, directory, ignore_errors=True)
    return test


def judge_settings(spec: str) -> list[Metric]:
    """A judge in APPLS's settings: each criterion by itself (a), all of them (b), all of them with an explanation (c)."""
    base = metric(spec)
    if base.name != "judge":
        raise OptionError(f"--judge {spec}: expected judge(model='…', url='…').")
    from ..metrics.judge import CRITERIA, Judge

    assert isinstance(base, Judge)
    shared = (
        "model",
        "url",
        "timeout",
        "per_minute",
        "threads",
        "price_in",
        "price_out",
        "prompt",
        "reference",
    )
    options: dict[str, Any] = {k: v for k, v in base.spec_options().items() if k in shared}
    judges: list[Metric] = [Judge(rubric="appls", setting="a", dimension=c, **options) for c in CRITERIA]
    judges += [Judge(rubric="appls", setting="b", **options), Judge(rubric="appls", setting="c", **options)]
    for setting in judges:
        if reason := setting.missing():
            raise NeedsError(f"judge {reason}")
    return judges


def _error_pairs(
    texts: Systems | None,
    dataset: str,
    perturbations: Sequence[str],
    variant: Literal["paper", "released"],
    seed: int,
    arguments: dict[str, Any],
    language: str,
) -> tuple[list[testbeds.ErrorPairs], list[str]]:
    data = find_dataset(dataset) if dataset else None
    if isinstance(data, PerturbedDocuments):
        return testbeds.released_pairs(data), ["The texts are those that were released."]
    selected = [_with_variant(spec, variant) for spec in perturbations or ERRORS]
    preferred = "ChatGPT" if dataset and not arguments["system"] else ""
    subject = _subject(texts, dataset, preferred=preferred, **arguments)
    check_language(selected, [d.text for d in subject.documents], language or subject.corpus.language)
    pairs = testbeds.error_pairs(subject, selected, seed=seed)
    name = subject.corpus.name or "the outputs"
    notes = [
        f"Errors inserted into {len(subject.documents)} texts of {name}, doses of the {variant}; released files: -d perturbed."
    ]
    notes += [f"{p.name}: {p.not_eligible} texts left out ({p.reason})." for p in pairs if p.not_eligible]
    return pairs, notes


def _with_variant(spec: str, variant: Literal["paper", "released"]) -> Perturbation:
    error = perturbation(spec)
    return replace(error, variant=variant) if isinstance(error, Dosed) and variant != "paper" else error


def _subject(
    texts: Systems | None,
    dataset: str,
    *,
    system: str,
    candidate: str,
    translator: str | None,
    first: int | None,
    preferred: str = "",
) -> testbeds.Subject:
    if first is not None and first < 1:
        raise OptionError(f"--first {first}: expected at least 1.")
    options: dict[str, Any] = {
        "candidate": candidate,
        "translator": testbeds.translator(translator) if translator else None,
    }
    if texts is None:
        data = find_dataset(dataset)
        name = system or (preferred if preferred in data.corpora() else "")
        return testbeds.from_dataset(data, system=name, first=first, **options)
    return testbeds.from_corpus(_corpus(texts)[:first], name=texts.names[0], **options)


def _corpus(systems: Systems) -> Corpus:
    if len(systems.names) != 1:
        raise InputError(f"found {len(systems.names)} systems, expected the outputs of one to perturb.")
    return systems.corpora()[0]


def _stressed(results: testbeds.Results, scored: Metric) -> sensitivity.StressedMetric:
    cards = testbeds.cards(results, scored)
    return sensitivity.StressedMetric(
        scored, cards, testbeds.contrast(results, scored), testbeds.reversal(cards)
    )


def _rows(table: Table) -> list[Row]:
    return [
        {
            name: None if cell.value == "" else cell.value
            for name, cell in zip(table.headings, row, strict=True)
        }
        for row in table.rows
    ]


__all__ = ["ErrorConsistency", "StressTest", "stress"]
