"""Show the data sets and get them: `plainmark datasets`, `plainmark datasets show dwiki`, `plainmark datasets get dwiki`.

`get` downloads the files of a data set from where they were released and checks their sha256; what differs is refused.
They go to the folder $XDG_DATA_HOME/plainmark/data, or to --folder. Files are looked for under $PLAINMARK_DATA first. With
options, as in get "turkcorpus(split='tune')", only the files that these need are downloaded.
"""

from __future__ import annotations

import argparse
import json
import textwrap
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ..datasets import DATASETS, Dataset, data_folder, dataset, download_folder
from ..datasets._download import download, is_intact
from ..errors import MissingResourceError, OptionError
from ..options import describe_type, option_help, option_types
from ..report.table import Cell, Table
from ._progress import Progress

_WIDTH = 110


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action",
        choices=["list", "show", "get"],
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
    parser.add_argument("--json", action="store_true", help="as plain data")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress bar")


def run(options: argparse.Namespace) -> int:
    if options.action != "list" and not options.names:
        raise OptionError(
            f"no data set named; `plainmark datasets {options.action} NAME`, one of {', '.join(DATASETS.names())}."
        )
    chosen = [dataset(spec) for spec in options.names or DATASETS.names()]
    if options.action == "get":
        return get(chosen, options)
    if options.folder:
        chosen = [replace(one, folder=options.folder) for one in chosen]
    if options.json:
        print(json.dumps([as_record(one) for one in chosen], indent=2, ensure_ascii=False))
    elif options.action == "show":
        print("\n\n".join(describe(one) for one in chosen))
    else:
        print(overview(chosen), end="")
    return 0


def overview(chosen: list[Dataset]) -> str:
    """A line for each data set."""
    headings = ("data set", "level", "samples", "systems", "ratings", "state")
    rows = [
        [
            Cell(one.name),
            Cell(one.card.level),
            *(Cell(f"{n:,}" if n else "-") for n in (one.card.samples, one.card.systems, one.card.ratings)),
            Cell(state(one)),
        ]
        for one in chosen
    ]
    lines = Table(headings, rows).text().splitlines()
    more = [f"  {'dimensions; licence'}"]
    more += [f"  {', '.join(one.card.dimensions) or 'no ratings'}; {one.card.licence}" for one in chosen]
    joined = [_cut(line + end) for line, end in zip(lines, more, strict=True)]
    notes = [
        "",
        "plainmark datasets show NAME says more; plainmark datasets get NAME downloads; by hand: show NAME says what to do.",
        f"Files are looked for in {data_folder()}.",
    ]
    return "\n".join([*joined, *notes]) + "\n"


def state(one: Dataset) -> str:
    """ready, get (it can be downloaded) or by hand."""
    if not one.missing():
        return "ready"
    return "by hand" if any(source.reason for source in one.sources().values()) else "get"


def describe(one: Dataset) -> str:
    """The card of a data set with its options, its files and its first sample."""
    card = one.card
    facts = {
        "about": card.about,
        "size": card.size,
        "level": card.level,
        "dimensions": ", ".join(card.dimensions),
        "licence": card.licence,
        "reference": card.citation,
        "also called": ", ".join(card.also),
    }
    lines = [f"{one.name}: {card.title}", ""]
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
    hints, helps = option_types(type(one)), option_help(type(one))
    for name in hints:
        text = f"{name} = {getattr(one, name)!r}: {helps[name]} ({describe_type(hints[name])})"
        lines += textwrap.wrap(text, _WIDTH, initial_indent="  ", subsequent_indent="      ")
    lines += ["", "files:"]
    for source in one.sources().values():
        here = one.find(source.path)
        differs = ", but the file here is another" if here and not is_intact(here, source) else ""
        lines += [f"  {source.path}  {source.size:,} bytes, sha256 {source.sha256}{differs}"]
        lines += [f"      {source.url or source.reason}"]
    reason = one.missing()
    lines += ["", f"state: {reason}" if reason else "first sample:"]
    if not reason:
        lines += _first(one)
    return "\n".join(lines)


def _first(one: Dataset) -> list[str]:
    lines = []
    for system, corpus in list(one.corpora().items())[:1]:
        sample = corpus[0]
        lines += [f"  system {system}, id {sample.id}", f"  source: {_short(sample.source)}"]
        lines += [f"  output: {_short(sample.output)}"]
        lines += [f"  reference: {_short(reference)}" for reference in sample.references[:1]]
    lines += [f"  {r.dimension} by {r.rater}: {r.value:g}" for r in _first_ratings(one)]
    return lines


def _first_ratings(one: Dataset) -> list[Any]:
    ratings = one.ratings()
    return [r for r in ratings if (r.system, r.sample) == (ratings[0].system, ratings[0].sample)][:6]


def as_record(one: Dataset) -> dict[str, Any]:
    """A data set as plain data."""
    return {
        "name": one.name,
        "spec": one.spec,
        **asdict(one.card),
        "state": state(one),
        "missing": one.missing(),
        "files": [asdict(source) for source in one.sources().values()],
    }


def get(chosen: list[Dataset], options: argparse.Namespace) -> int:
    """Download what is not here; every file that cannot be had is named, and then the exit code is 2."""
    folder = Path(options.folder) if options.folder else download_folder()
    records, problems = [], []
    for one in chosen:
        wanted = [one] if one.spec_options() else list(one.variants())
        files = {path: source for variant in wanted for path, source in variant.sources().items()}
        if unknown := [name for variant in wanted for name in variant.files() if name not in files]:
            raise MissingResourceError(
                f"{one.name} declares no address for {unknown[0]}; put it in {folder}."
            )
        failed = 0
        with Progress(one.name, sum(s.size for s in files.values()), quiet=options.quiet) as progress:
            done = 0
            for source in files.values():
                try:
                    download(source, folder, lambda size, _, done=done: progress(done + size))  # type: ignore[misc]
                except MissingResourceError as problem:
                    problems.append(str(problem))
                    failed += 1
                    if not source.reason:  # no network: the next file would wait for nothing
                        raise
                done += source.size
        records.append(
            {
                "name": one.name,
                "files": len(files) - failed,
                "folder": str(folder),
                "licence": one.card.licence,
            }
        )
    if options.json:
        print(json.dumps(records, indent=2, ensure_ascii=False))
    else:
        for record in filter(lambda r: r["files"], records):
            print(
                f"{record['name']}: {record['files']} files in {record['folder']}. Licence: {record['licence']}."
            )
    if problems:
        raise MissingResourceError(" ".join(problems))
    return 0


def _cut(line: str) -> str:
    return line if len(line) <= 2 * _WIDTH else line[: 2 * _WIDTH - 1] + "…"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _WIDTH else line[: _WIDTH - 1] + "…"
