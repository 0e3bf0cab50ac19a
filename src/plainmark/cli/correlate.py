"""Correlate metrics with human ratings, with intervals, tests and the findings in words.

Name data sets (`plainmark datasets` lists them), or CSV files with scores and ratings. For sets of pairs in which one
text was perturbed, the table shows how often a metric prefers the other text.

examples:
  plainmark correlate -d cochrane -d dwiki -d onestopqa -m sari,bleu,dsari -o table.html
  plainmark correlate -d dwiki -m sari --scores published.csv --columns LENS-SALSA,SLE --partial length
  plainmark correlate --scores mine.csv --ratings people.csv --task 'level=system coefficient=spearman'
  plainmark correlate -d cochrane -m sari,'agg(sari)' --by length --edges 0,200,400,900 -o curves.html
  plainmark correlate -d dwiki -m 'agg(sari)' --by threshold
The file mine.csv has the columns system, sample and value, and metric if there are several. published.csv has system and
sample, or source and output, and one column per metric. people.csv has system, sample, dimension, rater and value.
"""

from __future__ import annotations

import argparse
import math
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path

from ..api.curves import CoefficientCurves
from ..api.meta_evaluation import MetaEvaluation
from ..data import Corpus, Ratings
from ..datasets import Dataset, dataset
from ..errors import InputError, OptionError, did_you_mean
from ..languages import check_code
from ..meta.curves import THRESHOLDS, Curve, length_curves, threshold_curves
from ..meta.evaluation import (
    BASELINES,
    Evaluation,
    baselines,
    evaluate,
    merge_error_types,
    score_all,
    source_lengths,
)
from ..meta.ratings import dimensions
from ..meta.score_files import UnmatchedError
from ..meta.scores import Kind, Scores
from ..meta.task import Task
from ..metric import METRICS, Metric
from ..options import choices, option_types
from ._arguments import (
    add_language,
    add_metrics,
    add_output,
    add_quiet,
    check_share,
    output_format,
    selected_metrics,
    write_result,
)
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
    parser.add_argument(
        "--scores",
        metavar="FILE",
        action="append",
        default=[],
        help="scores from a CSV file: of outputs of the data set, found by system and sample or by their texts, or of "
        "those in --ratings; may be given several times",
    )
    parser.add_argument(
        "--columns",
        metavar="NAMES",
        default="",
        help="only these metrics of --scores, separated by commas (default: all)",
    )
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
        "--pairwise",
        metavar="JUDGE",
        default="",
        help="a judge that compares the outputs of a source in both orders, such as \"judge(url='https://host/v1', "
        "model='name')\"; its wins become a row, and its position bias a table",
    )
    parser.add_argument(
        "--pairs",
        metavar="N",
        type=int,
        default=0,
        help="pairs of outputs that --pairwise compares for each source, drawn at random (default: all)",
    )
    parser.add_argument(
        "--partial",
        metavar="NAMES",
        default="",
        help="partial correlation: control for these scores (length, or another metric)",
    )
    parser.add_argument(
        "--no-baselines",
        action="store_true",
        help=f"leave out the rows for the baselines {', '.join(BASELINES)}",
    )
    parser.add_argument(
        "--task",
        metavar="'OPTION=VALUE …'",
        action="append",
        default=[],
        dest="tasks",
        help="the choices of the evaluation, such as 'level=system coefficient=spearman'; may be given several times, for "
        f"several tables; options: {', '.join(f.name for f in fields(Task))}",
    )
    parser.add_argument(
        "--by",
        choices=("length", "threshold"),
        help="coefficients by the length of the source, or by the threshold of aggregated metrics, instead of one coefficient for all",
    )
    parser.add_argument(
        "--bins",
        metavar="N",
        type=int,
        default=4,
        help="with --by length: number of bins of equal size (default: 4)",
    )
    parser.add_argument(
        "--edges", metavar="N,…", default="", help="with --by length: where bins begin and end, in words"
    )
    parser.add_argument(
        "--thresholds",
        metavar="X,…",
        default="",
        help=f"with --by threshold: the thresholds (default: {','.join(map(str, THRESHOLDS))})",
    )
    add_language(parser)
    add_output(parser)
    add_quiet(parser)


def run(options: argparse.Namespace) -> int:
    form = output_format(options)  # so that user errors are reported before anything is computed
    check(options)
    tasks = parse_tasks(options)
    if options.by:
        return run_curves(options, tasks[0], form)
    code = 0
    if options.ratings:
        evaluations = from_files(options, tasks)
    else:
        metrics: Sequence[Metric] = ()
        if options.metrics or not (options.scores or options.pairwise):
            metrics, code = selected_metrics(options)
            if not metrics:
                return code
        sets = [*expanded(options.datasets), *map(study_dataset, options.studies)]
        ratings = [s.ratings() for s in sets]
        check_dimensions(options.dimensions, sets, ratings)
        evaluations = [
            evaluation
            for data, rated in zip(sets, ratings, strict=True)
            if has_dimension(options.dimensions, rated)
            for evaluation in from_dataset(
                options, tasks, data, rated, metrics, lengths=form in ("html", "json")
            )
        ]
        evaluations = merge_error_types(evaluations)
    count = len({e.name for e in evaluations})
    result = MetaEvaluation(tuple(evaluations))
    write_result(options, result, form, f"{count} data set{'s' * (count > 1)}")
    return code


def run_curves(options: argparse.Namespace, task: str, form: str) -> int:
    """Print coefficients by length or threshold, one table per data set and dimension."""
    edges = numbers(options.edges, "--edges")
    thresholds = numbers(options.thresholds, "--thresholds") or list(THRESHOLDS)
    for threshold in thresholds:
        check_share("--thresholds", threshold)
    metrics, code = selected_metrics(options)
    curves: list[Curve] = []
    sets = [*expanded(options.datasets), *map(study_dataset, options.studies)] if metrics else []
    for data in sets:
        corpora, ratings = data.corpora(), data.ratings()
        check_dimensions(options.dimensions, [data], [ratings])
        names = {"task": task, "only": options.dimensions, "name": data.spec, "title": data.card.title}
        with Progress(data.name, quiet=options.quiet) as progress, with_models(progress):
            if options.by == "threshold":
                curves += threshold_curves(metrics, corpora, ratings, thresholds=thresholds, **names)
                continue
            scores, _ = score_all(
                metrics, corpora, language=given(options), progress=_with_label(progress, data.name)
            )
            if not options.no_baselines:
                scores += baselines(corpora, scores)
            lengths = source_lengths(corpora)
            curves += length_curves(scores, ratings, lengths, bins=options.bins, edges=edges, **names)
    if metrics:
        write_result(options, CoefficientCurves(tuple(curves)), form, f"{len(curves)} curves")
    return code


def given(options: argparse.Namespace) -> str:
    """The code of --language, or None."""
    return check_code(options.language) if options.language else ""


def numbers(text: str, option: str) -> list[float]:
    """Numbers separated by commas, in order."""
    try:
        values = sorted(float(part) for part in text.split(",") if part.strip())
    except ValueError:
        values = [math.nan]
    if not all(map(math.isfinite, values)) or (len(values) == 1 and option == "--edges"):
        raise OptionError(f"{option}: found {text!r}, expected numbers separated by commas.")
    return values


def check(options: argparse.Namespace) -> None:
    """Raise OptionError for arguments that cannot be combined."""
    sets = bool(options.datasets or options.studies)
    if options.ratings and not options.scores:
        raise OptionError("--ratings needs the scores of the rated outputs: --scores.")
    if options.ratings and (sets or options.metrics or options.pairwise):
        raise OptionError("--ratings replaces -d, -m and --pairwise; found both.")
    if options.scores and not (sets or options.ratings):
        raise OptionError("--scores needs human ratings: a data set (-d dwiki), or --ratings.")
    if options.by and (options.ratings or options.pairwise or options.scores):
        raise OptionError("--by computes metrics on data sets; found --scores, --ratings or --pairwise.")
    if not options.by and (options.edges or options.thresholds):
        raise OptionError("--edges and --thresholds belong to --by.")
    if not options.scores and not sets:
        raise OptionError("nothing to correlate; name a data set (-d dwiki), or give --scores and --ratings.")


def parse_tasks(options: argparse.Namespace) -> list[str]:
    """The tasks of --task and --partial; errors are raised before anything is computed."""
    if options.partial and any("partial" in task for task in options.tasks):
        raise OptionError("--partial and the option partial of --task are the same; found both.")
    partial = f" partial={shlex.quote(options.partial)}" if options.partial else ""
    tasks = [f"{task}{partial}".strip() for task in options.tasks or [""]]
    for task in tasks:
        Task.parse(task)
    return tasks


def expanded(specs: Sequence[str]) -> list[Dataset]:
    """The data sets; a name without its kind of error stands for all kinds that are present or can be downloaded."""
    datasets: list[Dataset] = []
    for spec in specs:
        data = dataset(spec)
        kinds = list(choices(option_types(type(data)).get("error")))
        if kinds and not re.search(r"\berror\s*=", spec):
            every = [type(data)(folder=data.folder, error=kind) for kind in kinds]  # type: ignore[call-arg]
            datasets += [each for each in every if each.sources() or not each.missing()]
        else:
            datasets.append(data)
    return list(dict.fromkeys(datasets))


def study_dataset(folder: str) -> Dataset:
    """The answers of a study as a data set."""
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
    options: argparse.Namespace,
    tasks: Sequence[str],
    data: Dataset,
    ratings: Ratings,
    metrics: Sequence[Metric],
    *,
    lengths: bool,
) -> list[Evaluation]:
    """Evaluate metrics on a data set, one evaluation per task, with `lengths` also by the lengths of the sources."""
    corpora = data.corpora()
    if not corpora:
        raise InputError(
            f"data set {data.name} has ratings but no texts to score; see docs/meta.md for agreement."
        )
    with Progress(data.name, quiet=options.quiet) as progress, with_models(progress):
        scores, left_out = score_all(
            metrics, corpora, language=given(options), progress=_with_label(progress, data.name)
        )
        scores += from_tables(options, tasks, corpora)
        biases = {}
        if options.pairwise:
            from ..meta.pairwise_judge import judge_pairs

            judgement = judge_pairs(options.pairwise, corpora, most=options.pairs)
            scores.append(judgement.scores())
            biases[judgement.name] = judgement.position_bias()
        if not scores:
            raise InputError(f"data set {data.name}: {'; '.join(left_out.values())}.")
        if not options.no_baselines:
            scores += baselines(corpora, scores)
        only = [d for d in options.dimensions if d in dimensions(ratings)]
        evaluations = [
            evaluate(
                scores,
                ratings,
                task=task,
                only=only,
                lower_is_better=data.card.lower_is_better,
                controls=controls(task, scores, corpora),
                name=data.spec,
                title=data.card.title,
                lengths=source_lengths(corpora) if lengths else None,
                left_out=left_out,
                notes=data.card.notes,
                with_agreement=data.card.raters == "people",
                progress=_with_label(progress, ""),
            )
            for task in tasks
        ]
        return [replace(e, biases=biases) for e in evaluations]


def from_tables(
    options: argparse.Namespace, tasks: Sequence[str], corpora: Mapping[str, Corpus] | None
) -> list[Scores]:
    """Evaluate the scores in the user's files; with corpora, beside computed scores."""
    duplicates = Task.parse(tasks[0]).duplicates
    columns = [c.strip() for c in options.columns.split(",") if c.strip()]
    kind: Kind = "published" if corpora else "metric"
    out = []
    for path in options.scores:
        try:
            out += Scores.read(path, corpora=corpora, columns=columns, duplicates=duplicates, kind=kind)
        except UnmatchedError:
            if len(options.datasets) + len(options.studies) == 1:
                raise
    return out


def controls(task: str, scores: Sequence[Scores], corpora: Mapping[str, Corpus]) -> list[Scores]:
    """The scores of the metrics that a task controls for and that have no row."""
    absent = [name for name in Task.parse(task).partial if name not in {s.name for s in scores}]
    return [Scores.of(name, corpora, name=name) for name in absent if name in METRICS.names()]


def from_files(options: argparse.Namespace, tasks: Sequence[str]) -> list[Evaluation]:
    """Scores and ratings from the user's files."""
    scores = from_tables(options, tasks, None)
    ratings = Ratings.read(options.ratings)
    with Progress("testing", quiet=options.quiet) as progress:
        return [
            evaluate(
                scores,
                ratings,
                task=task,
                only=options.dimensions,
                name=Path(options.scores[0]).name,
                title=Path(options.scores[0]).stem,
                progress=_with_label(progress, ""),
            )
            for task in tasks
        ]


def _with_label(progress: Progress, name: str) -> Callable[[str, int, int], None]:
    def tell(what: str, done: int, total: int) -> None:
        progress.label = f"{name} {what}".strip()
        progress(done, total)

    return tell
