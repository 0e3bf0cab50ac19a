"""List, show and download data sets.

examples:
  plainmark datasets
  plainmark datasets show dwiki
  plainmark datasets get dwiki
  plainmark datasets get "turkcorpus(split='tune')"     only the files that these options need
  plainmark datasets items pwkp -o items.jsonl
`get` downloads the files of a data set from where they were released and checks their sha256; a file that differs is
refused. Files are stored in $XDG_DATA_HOME/plainmark/data, or in --folder. plainmark looks for files in $PLAINMARK_DATA
first. `items` writes sentences for the study template collect-references: those whose simple counterpart differs by at
most 20 % in length (--within changes this).
"""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ..datasets import DATASETS, Dataset, data_folder, dataset, download_folder
from ..datasets._download import download, is_intact
from ..datasets._pairs import WITHIN, similar
from ..errors import MissingResourceError, OptionError
from ..options import describe_type, option_help, option_types
from ..result import Listing
from ..table import Cell, Table
from ..writing import writing
from ._arguments import add_output, add_quiet, output_format, write_result
from ._progress import Progress

_WIDTH = 110


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action",
        choices=["list", "show", "get", "items"],
        nargs="?",
        default="list",
        help="what to do (default: list)",
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="the data sets to show or get, such as dwiki"
    )
    parser.add_argument(
        "--folder",
        metavar="FOLDER",
        help="where to put files, or to look for them, instead of the usual folder",
    )
    parser.add_argument(
        "--within",
        type=float,
        default=WITHIN,
        metavar="SHARE",
        help="items: largest relative difference in length between a sentence and its simple counterpart (default: %(default)s)",
    )
    add_output(parser)
    add_quiet(parser)


def run(options: argparse.Namespace) -> int:
    form = "" if options.action == "items" else output_format(options)
    if options.action != "list" and not options.names:
        raise OptionError(
            f"no data set named; `plainmark datasets {options.action} NAME`, one of {', '.join(DATASETS.names())}."
        )
    datasets = [dataset(spec) for spec in options.names or DATASETS.names()]
    if options.action == "get":
        return get(datasets, options, form)
    if options.action == "items":
        return items(datasets, options)
    if options.folder:
        datasets = [replace(data, folder=options.folder) for data in datasets]
    write_result(options, overview(datasets, in_full=options.action == "show"), form)
    return 0


def overview(datasets: list[Dataset], *, in_full: bool = False) -> Listing:
    """One row per data set; in a terminal, the whole description if `in_full`."""
    headings = ("data set", "level", "samples", "systems", "ratings", "state")
    rows = [
        [
            Cell(data.name),
            Cell(data.card.level),
            *(
                Cell(f"{n:,}" if n else "-", n)
                for n in (data.card.samples, data.card.systems, data.card.ratings)
            ),
            Cell(state(data)),
        ]
        for data in datasets
    ]
    ends = [(", ".join(d.card.dimensions) or "no ratings", d.card.licence) for d in datasets]
    if in_full:
        text = "\n\n".join(map(describe, datasets)) + "\n"
    else:
        lines = Table(headings, rows).text().splitlines()
        more = ["  dimensions; licence", *(f"  {dimensions}; {licence}" for dimensions, licence in ends)]
        text = "\n".join(
            [
                *(_cut(line + end) for line, end in zip(lines, more, strict=True)),
                "",
                "plainmark datasets show NAME says more; plainmark datasets get NAME downloads; by hand: show NAME says"
                " what to do.",
                f"Files are looked for in {data_folder()}.\n",
            ]
        )
    rows = [[*row, *map(Cell, end)] for row, end in zip(rows, ends, strict=True)]
    table = Table([*headings, "dimensions", "licence"], rows)
    return Listing.of(table, data=[as_record(data) for data in datasets], text=text)


def state(data: Dataset) -> str:
    """The state of a data set: ready, get (it can be downloaded), or by hand."""
    if not data.missing():
        return "ready"
    return "by hand" if any(source.reason for source in data.sources().values()) else "get"


def describe(data: Dataset) -> str:
    """The card of a data set with its options, its files and its first sample."""
    card = data.card
    facts = {
        "about": card.about,
        "size": card.size,
        "level": card.level,
        "dimensions": ", ".join(
            d + " (lower is better)" * (d in card.lower_is_better) for d in card.dimensions
        ),
        "licence": card.licence,
        "reference": card.citation,
        "also called": ", ".join(card.also),
    }
    lines = [f"{data.name}: {card.title}", ""]
    for name, text in facts.items():
        if text:
            lines += textwrap.wrap(
                text, _WIDTH, initial_indent=f"{name + ':':13}", subsequent_indent=" " * 13
            )
    if card.notes:
        lines += ["", "notes:"]
        for note in card.notes:
            lines += textwrap.wrap(note, _WIDTH, initial_indent="  - ", subsequent_indent="    ")
    lines += ["", "options:"]
    hints, helps = option_types(type(data)), option_help(type(data))
    for name in hints:
        text = f"{name} = {getattr(data, name)!r}: {helps[name]} ({describe_type(hints[name])})"
        lines += textwrap.wrap(text, _WIDTH, initial_indent="  ", subsequent_indent="      ")
    lines += ["", "files:"]
    for source in data.sources().values():
        file = data.find(source.path)
        differs = ", but the file here is another" if file and not is_intact(file, source) else ""
        lines += [f"  {source.path}  {source.size:,} bytes, sha256 {source.sha256}{differs}"]
        lines += [f"      {source.url or source.reason}"]
    reason = data.missing()
    lines += ["", f"state: {reason}" if reason else "first sample:"]
    if not reason:
        lines += _first(data)
    return "\n".join(lines)


def _first(data: Dataset) -> list[str]:
    lines = []
    for system, corpus in list(data.corpora().items())[:1]:
        sample = corpus[0]
        lines += [f"  system {system}, id {sample.id}", f"  source: {_short(sample.source)}"]
        lines += [f"  output: {_short(sample.output)}"]
        lines += [f"  reference: {_short(reference)}" for reference in sample.references[:1]]
    lines += [f"  {r.dimension} by {r.rater}: {r.value:g}" for r in _first_ratings(data)]
    return lines


def _first_ratings(data: Dataset) -> list[Any]:
    ratings = data.ratings()
    return [r for r in ratings if (r.system, r.sample) == (ratings[0].system, ratings[0].sample)][:6]


def as_record(data: Dataset) -> dict[str, Any]:
    """The facts about a data set as plain data."""
    return {
        "name": data.name,
        "spec": data.spec,
        **asdict(data.card),
        "state": state(data),
        "missing": data.missing(),
        "files": [asdict(source) for source in data.sources().values()],
    }


def get(datasets: list[Dataset], options: argparse.Namespace, form: str) -> int:
    """Download missing files; every file that is not available is named, and then the exit code is 2."""
    folder = Path(options.folder) if options.folder else download_folder()
    records, problems = [], []
    for data in datasets:
        variants = [data] if data.spec_options() else list(data.variants())
        files = {path: source for variant in variants for path, source in variant.sources().items()}
        if unknown := [name for variant in variants for name in variant.files() if name not in files]:
            raise MissingResourceError(
                f"{data.name} declares no address for {unknown[0]}; put it in {folder}."
            )
        failed = 0
        with Progress(data.name, sum(s.size for s in files.values()), quiet=options.quiet) as progress:
            done = 0
            for source in files.values():
                try:
                    download(source, folder, lambda size, _, done=done: progress(done + size))  # type: ignore[misc]
                except MissingResourceError as problem:
                    problems.append(str(problem))
                    failed += 1
                    if not source.reason:  # without a network, every further file would only wait
                        raise
                done += source.size
        records.append(
            {
                "name": data.name,
                "files": len(files) - failed,
                "folder": str(folder),
                "licence": data.card.licence,
            }
        )
    text = "".join(
        f"{r['name']}: {r['files']} files in {r['folder']}. Licence: {r['licence']}.\n"
        for r in records
        if r["files"]
    )
    cells = [[Cell(str(value), value) for value in record.values()] for record in records]
    if records and (text or form != "table"):
        write_result(options, Listing.of(Table([*records[0]], cells), text=text), form)
    if problems:
        raise MissingResourceError(" ".join(problems))
    return 0


def items(datasets: list[Dataset], options: argparse.Namespace) -> int:
    """Write the sentences whose simple counterpart has a similar length, as JSON lines with id and source."""
    if len(datasets) > 1:
        raise OptionError(f"{len(datasets)} data sets; expected one at a time.")
    (data,) = datasets
    data = replace(data, folder=options.folder) if options.folder else data
    if data.card.level != "sentence":
        raise OptionError(f"{data.name} has {data.card.level}s; expected a data set of sentences.")
    samples = [s for corpus in data.corpora().values() for s in corpus]
    pairs = list(similar(samples, options.within))
    lines = [
        json.dumps({"id": s.id or f"{data.name}-{k}", "source": s.source}, ensure_ascii=False) + "\n"
        for k, s in enumerate(pairs, 1)
    ]
    target = nullcontext(sys.stdout) if options.output is None else writing(options.output)
    with target as file:
        file.writelines(lines)
    if not options.quiet:
        print(
            f"plainmark: {len(pairs)} of {len({s.source for s in samples})} sentences have a counterpart within"
            f" {options.within:g} of their length",
            file=sys.stderr,
        )
    return 0


def _cut(line: str) -> str:
    return line if len(line) <= 2 * _WIDTH else line[: 2 * _WIDTH - 1] + "…"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _WIDTH else line[: _WIDTH - 1] + "…"
