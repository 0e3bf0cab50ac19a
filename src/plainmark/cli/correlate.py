"""Which metric may I believe? Metrics against people's ratings, with intervals, tests and plain words.

Data sets come by name (`plainmark datasets` shows them), or scores and ratings from CSV files. Sets of pairs in which
one text was harmed on purpose give a table of consistency. examples:
  plainmark correlate -d cochrane -d dwiki -d onestopqa -m sari -m bleu -m dsari -o table.html
  plainmark correlate --scores mine.csv --ratings people.csv --task 'level=system coefficient=spearman'
mine.csv has the columns system, sample, value (and metric, where there are several); people.csv has system, sample,
dimension, rater, value.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path

from ..data import Ratings
from ..datasets import Dataset, dataset
from ..errors import InputError, OptionError, did_you_mean
from ..meta.evaluation import Evaluation, evaluate, score_all, source_lengths, together
from ..meta.people import dimensions
from ..meta.scores import Scores
from ..meta.task import Task
from ..metric import Metric
from ..registry import choices, option_types
from ..report import relations
from ..writing import write_atomically
from ._arguments import add_metrics, chosen_metrics, present_metrics
from ._progress import Progress, with_models

FORMS = (".html", ".csv", ".tex", ".md", ".json")


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
        help="the answers of a study of yours (`plainmark study`); may be given several times",
    )
    parser.add_argument("--scores", metavar="FILE", help="scores from a CSV file instead of metrics")
    parser.add_argument("--ratings", metavar="FILE", help="ratings from a CSV file instead of a data set")
    parser.add_argument(
        "--dimension",
        metavar="NAME",
        action="append",
        default=[],
        dest="dimensions",
        help="only what was rated under this name (default: all); may be given several times",
    )
    parser.add_argument(
        "--task",
        metavar="'OPTION=VALUE …'",
        default="",
        help=f"how it is done, such as 'level=system coefficient=spearman'; options: {', '.join(f.name for f in fields(Task))}",
    )
    parser.add_argument(
        "-o",
        "--out",
        metavar="FILE",
        help=f"write a file instead of printing, in the form of its ending: {', '.join(FORMS)}",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress bar")


def run(options: argparse.Namespace) -> int:
    check(options)
    Task.parse(options.task)  # mistakes are told before anything is computed
    code = 0
    if options.scores:
        evaluations = [from_files(options)]
    else:
        metrics, code = present_metrics(chosen_metrics(options.metrics))
        if not metrics:
            return code
        sets = [*expanded(options.datasets), *map(of_study, options.studies)]
        ratings = [s.ratings() for s in sets]
        check_dimensions(options.dimensions, sets, ratings)
        evaluations = [
            from_dataset(options, one, rated, metrics)
            for one, rated in zip(sets, ratings, strict=True)
            if wanted(options.dimensions, rated)
        ]
        evaluations = together(evaluations)
    if options.out:
        write(options.out, evaluations)
        print(f"{options.out}: {len(evaluations)} data set{'s' if len(evaluations) > 1 else ''}")
    else:
        print(relations.text(evaluations, bold=sys.stdout.isatty()), end="")
    return code


def check(options: argparse.Namespace) -> None:
    """Complain of arguments that do not go together."""
    if options.out and Path(options.out).suffix.lower() not in FORMS:
        raise OptionError(f"-o {options.out}: expected a name that ends in one of {', '.join(FORMS)}.")
    if bool(options.scores) != bool(options.ratings):
        raise OptionError("--scores and --ratings go together; found only one of them.")
    if options.scores and (options.datasets or options.studies or options.metrics):
        raise OptionError("--scores and --ratings replace -d and -m; found both.")
    if not options.scores and not options.datasets and not options.studies:
        raise OptionError("nothing to correlate; name a data set (-d dwiki), or give --scores and --ratings.")


def expanded(specs: Sequence[str]) -> list[Dataset]:
    """The data sets; one named without its kind of error stands for all kinds."""
    found: list[Dataset] = []
    for spec in specs:
        one = dataset(spec)
        kinds = list(choices(option_types(type(one)).get("error")))
        if kinds and not re.search(r"\berror\s*=", spec):
            found += [type(one)(folder=one.folder, error=kind) for kind in kinds]  # type: ignore[call-arg]
        else:
            found.append(one)
    return list(dict.fromkeys(found))


def of_study(folder: str) -> Dataset:
    """A study's answers as a data set."""
    from ..study.analysis.responses import StudyData

    return StudyData(folder=folder)


def wanted(chosen: Sequence[str], ratings: Ratings) -> bool:
    """Whether a data set has one of the dimensions."""
    return not chosen or bool(set(chosen) & set(dimensions(ratings)))


def check_dimensions(chosen: Sequence[str], sets: Sequence[Dataset], ratings: Sequence[Ratings]) -> None:
    """Complain of sets without ratings and of dimensions that no set has."""
    for one, rated in zip(sets, ratings, strict=True):
        if not rated:
            raise InputError(f"data set {one.name} has no ratings; `plainmark datasets` shows which have.")
    known = list(dict.fromkeys(d for rated in ratings for d in dimensions(rated)))
    for name in chosen:
        if name not in known:
            raise InputError(
                f"no dimension {name!r} in these data.{did_you_mean(name, known)} There are: {', '.join(known)}."
            )


def from_dataset(
    options: argparse.Namespace, one: Dataset, ratings: Ratings, metrics: Sequence[Metric]
) -> Evaluation:
    """Metrics on a data set."""
    corpora = one.corpora()
    if not corpora:
        raise InputError(
            f"data set {one.name} has ratings but no texts to score; see docs/meta.md for agreement."
        )
    with Progress(one.name, quiet=options.quiet) as progress, with_models(progress):
        scores, left_out = score_all(metrics, corpora, progress=_told(progress, one.name))
        if not scores:
            raise InputError(f"data set {one.name}: {'; '.join(left_out.values())}.")
        only = [d for d in options.dimensions if d in dimensions(ratings)]
        return evaluate(
            scores,
            ratings,
            task=options.task,
            only=only,
            name=one.spec,
            title=one.card.title,
            lengths=source_lengths(corpora) if _rich(options.out) else None,
            left_out=left_out,
            notes=one.card.notes,
            agreeing=one.card.raters == "people",
            progress=_told(progress, ""),
        )


def from_files(options: argparse.Namespace) -> Evaluation:
    """Scores and ratings that the user has."""
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
            progress=_told(progress, ""),
        )


def write(path: str, evaluations: Sequence[Evaluation]) -> None:
    """One file, in the form that its ending says."""
    ending = Path(path).suffix.lower()
    if ending == ".html":
        from ..report import correlations

        text = correlations.render(evaluations)
    elif ending == ".json":
        text = json.dumps(relations.records(evaluations), indent=2, ensure_ascii=False) + "\n"
    else:
        forms = {".csv": relations.as_csv, ".tex": relations.latex, ".md": relations.markdown}
        text = forms[ending](evaluations)
    write_atomically(path, text)


def _rich(path: str | None) -> bool:
    return bool(path) and Path(str(path)).suffix.lower() in (".html", ".json")


def _told(progress: Progress, name: str) -> Callable[[str, int, int], None]:
    def tell(what: str, done: int, total: int) -> None:
        progress.label = f"{name} {what}".strip()
        progress(done, total)

    return tell
