"""Which metric should I trust? Correlate metrics with human ratings: intervals, tests and the findings in words.

Data sets are named (`plainmark datasets` shows them), or scores and ratings come from CSV files. Sets of pairs in which
one text was perturbed give a table of consistency. examples:
  plainmark correlate -d cochrane -d dwiki -d onestopqa -m sari,bleu,dsari -o table.html
  plainmark correlate --scores mine.csv --ratings people.csv --task 'level=system coefficient=spearman'
mine.csv has the columns system, sample, value (and metric, where there are several); people.csv has system, sample,
dimension, rater, value.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path

from ..api.meta_evaluation import MetaEvaluation
from ..data import Ratings
from ..datasets import Dataset, dataset
from ..errors import InputError, OptionError, did_you_mean
from ..meta.evaluation import Evaluation, evaluate, merge_error_types, score_all, source_lengths
from ..meta.ratings import dimensions
from ..meta.scores import Scores
from ..meta.task import Task
from ..metric import Metric
from ..options import choices, option_types
from ._arguments import add_metrics, add_output, add_quiet, output_format, selected_metrics, write_result
from ._progress import Progress, with_models


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-d",
        "--dataset",
        metavar="NAME",
        action="append",
        default=[],
        dest="datasets",
        help="a data set with ratings, such as dwiki, onestopqa, perturbed; may be given several times",
    )
    add_metrics(parser, "such as sari, bleu, 'agg(sari)' (default: sari); `plainmark list metrics` shows all")
    parser.add_argument(
        "--study",
        metavar="FOLDER",
        action="append",
        default=[],
        dest="studies",
        help="the answers of your own study (`plainmark study`); may be given several times",
    )
    parser.add_argument("--scores", metavar="FILE", help="scores from a CSV file instead of metrics")
    parser.add_argument("--ratings", metavar="FILE", help="ratings from a CSV file instead of a data set")
    parser.add_argument(
        "--dimension",
        metavar="NAME",
        action="append",
        default=[],
        dest="dimensions",
        help="only ratings of this name (default: all); may be given several times",
    )
    parser.add_argument(
        "--task",
        metavar="'OPTION=VALUE …'",
        default="",
        help=f"the choices of the evaluation, such as 'level=system coefficient=spearman'; options: {', '.join(f.name for f in fields(Task))}",
    )
    add_output(parser)
    add_quiet(parser)


def run(options: argparse.Namespace) -> int:
    form = output_format(options)  # mistakes are reported before anything is computed
    check(options)
    Task.parse(options.task)
    code = 0
    if options.scores:
        evaluations = [from_files(options)]
    else:
        metrics, code = selected_metrics(options)
        if not metrics:
            return code
        sets = [*expanded(options.datasets), *map(study_dataset, options.studies)]
        ratings = [s.ratings() for s in sets]
        check_dimensions(options.dimensions, sets, ratings)
        evaluations = [
            from_dataset(options, data, rated, metrics, lengths=form in ("html", "json"))
            for data, rated in zip(sets, ratings, strict=True)
            if has_dimension(options.dimensions, rated)
        ]
        evaluations = merge_error_types(evaluations)
    result = MetaEvaluation(tuple(evaluations))
    write_result(options, result, form, f"{len(evaluations)} data set{'s' * (len(evaluations) > 1)}")
    return code


def check(options: argparse.Namespace) -> None:
    """Refuse arguments that do not go together."""
    if bool(options.scores) != bool(options.ratings):
        raise OptionError("--scores and --ratings go together; found only one of them.")
    if options.scores and (options.datasets or options.studies or options.metrics):
        raise OptionError("--scores and --ratings replace -d and -m; found both.")
    if not options.scores and not options.datasets and not options.studies:
        raise OptionError("nothing to correlate; name a data set (-d dwiki), or give --scores and --ratings.")


def expanded(specs: Sequence[str]) -> list[Dataset]:
    """The data sets; one that is named without its kind of error stands for all kinds."""
    datasets: list[Dataset] = []
    for spec in specs:
        data = dataset(spec)
        kinds = list(choices(option_types(type(data)).get("error")))
        if kinds and not re.search(r"\berror\s*=", spec):
            datasets += [type(data)(folder=data.folder, error=kind) for kind in kinds]  # type: ignore[call-arg]
        else:
            datasets.append(data)
    return list(dict.fromkeys(datasets))


def study_dataset(folder: str) -> Dataset:
    """A study's answers as a data set."""
    from ..study.analysis.responses import StudyData

    return StudyData(folder=folder)


def has_dimension(selected: Sequence[str], ratings: Ratings) -> bool:
    """Whether a data set has one of the dimensions, or all are selected."""
    return not selected or bool(set(selected) & set(dimensions(ratings)))


def check_dimensions(selected: Sequence[str], sets: Sequence[Dataset], ratings: Sequence[Ratings]) -> None:
    """Refuse sets without ratings and dimensions that no set has."""
    for data, rated in zip(sets, ratings, strict=True):
        if not rated:
            raise InputError(f"data set {data.name} has no ratings; `plainmark datasets` shows which have.")
    known = list(dict.fromkeys(d for rated in ratings for d in dimensions(rated)))
    for name in selected:
        if name not in known:
            raise InputError(
                f"no dimension {name!r} in these data.{did_you_mean(name, known)} There are: {', '.join(known)}."
            )


def from_dataset(
    options: argparse.Namespace, data: Dataset, ratings: Ratings, metrics: Sequence[Metric], *, lengths: bool
) -> Evaluation:
    """Metrics on a data set; with `lengths` also by the lengths of the sources."""
    corpora = data.corpora()
    if not corpora:
        raise InputError(
            f"data set {data.name} has ratings but no texts to score; see docs/meta.md for agreement."
        )
    with Progress(data.name, quiet=options.quiet) as progress, with_models(progress):
        scores, left_out = score_all(metrics, corpora, progress=_with_label(progress, data.name))
        if not scores:
            raise InputError(f"data set {data.name}: {'; '.join(left_out.values())}.")
        only = [d for d in options.dimensions if d in dimensions(ratings)]
        return evaluate(
            scores,
            ratings,
            task=options.task,
            only=only,
            name=data.spec,
            title=data.card.title,
            lengths=source_lengths(corpora) if lengths else None,
            left_out=left_out,
            notes=data.card.notes,
            with_agreement=data.card.raters == "people",
            progress=_with_label(progress, ""),
        )


def from_files(options: argparse.Namespace) -> Evaluation:
    """Scores and ratings from the user's files."""
    task = Task.parse(options.task)
    scores = Scores.read(options.scores, duplicates=task.duplicates)
    ratings = Ratings.read(options.ratings)
    with Progress("testing", quiet=options.quiet) as progress:
        return evaluate(
            scores,
            ratings,
            task=options.task,
            only=options.dimensions,
            name=Path(options.scores).name,
            title=Path(options.scores).stem,
            progress=_with_label(progress, ""),
        )


def _with_label(progress: Progress, name: str) -> Callable[[str, int, int], None]:
    def tell(what: str, done: int, total: int) -> None:
        progress.label = f"{name} {what}".strip()
        progress(done, total)

    return tell
