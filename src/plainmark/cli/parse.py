"""Parse sentences into UCCA: Scenes, their main relations and Participants.

examples:
  plainmark parse source.txt
  plainmark parse source.txt --format ucca-xml -o parses/ --svg
  plainmark parse --evaluate gold/ --format json
The text has one sentence per line (a line with several becomes one passage). Trees show categories by their letters:
H parallel Scene, P Process, S State, A Participant, D Adverbial, C Center, E Elaborator, R Relator, N Connector,
L Linker, G Ground, F Function, U punctuation; * marks a Scene, [...] a remote unit.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from ..errors import InputError, OptionError
from ..languages import check_code
from ..languages.choice import require_english
from ..reading import read_corpus
from ..result import FORMATS, Listing
from ..table import Cell, Table
from ..ucca import UccaGraph, evaluate, parser, read_folder, rendering, split, write_passage
from ..writing import write_atomically
from ._arguments import add_language, add_quiet, output_format, texts_given, write_result
from ._progress import Progress

_SUFFIXES = {"tree": "txt", "json": "json", "ucca-xml": "xml"}


def add_arguments(arguments: argparse.ArgumentParser) -> None:
    arguments.add_argument(
        "files", nargs="*", metavar="FILE", help="texts, one per line (default: standard input)"
    )
    arguments.add_argument(
        "--format",
        choices=[*_SUFFIXES, *(f for f in FORMATS if f not in _SUFFIXES)],
        help="tree, json or ucca-xml (default: tree); with --evaluate one of the formats of tables (default: table)",
    )
    arguments.add_argument(
        "-o",
        "--output",
        metavar="FOLDER",
        help="a folder for one numbered file per line; without it, everything is printed (ucca-xml and --svg need it);"
        " with --evaluate a file",
    )
    arguments.add_argument("--svg", action="store_true", help="also draw each parse, as SVG beside its file")
    arguments.add_argument(
        "--evaluate",
        metavar="FOLDER",
        help="parse the words of the gold passages (UCCA XML) in a folder and compare; passages are cut into sentences",
    )
    arguments.add_argument(
        "--predicted",
        metavar="FOLDER",
        help="with --evaluate: compare these passages, of the same file names, instead of parsing",
    )
    arguments.add_argument(
        "--parser",
        default="default",
        metavar="NAME",
        help="default, or a folder that training/ucca wrote",
    )
    add_language(arguments)
    add_quiet(arguments)


def run(options: argparse.Namespace) -> int:
    if options.evaluate:
        return _evaluate(options)
    if options.predicted:
        raise OptionError("--predicted goes with --evaluate.")
    form = options.format or "tree"
    if form not in _SUFFIXES:
        raise OptionError(
            f"--format {form} goes with --evaluate; parses are written as {', '.join(_SUFFIXES)}."
        )
    if options.output is None and (options.svg or form == "ucca-xml"):
        option = "--svg" if options.svg else "--format ucca-xml"
        raise OptionError(f"{option} writes a file for each line; name a folder with -o.")
    texts = [text for path in texts_given(options.files) for text in read_corpus(output=path).outputs]
    require_english("the UCCA parser is", texts, options.language and check_code(options.language))
    parse = parser(options.parser)
    with Progress("parsing", quiet=options.quiet) as progress:
        graphs = parse(texts, progress=progress)
    if options.output is None:
        _print(graphs, form)
    else:
        _write(graphs, Path(options.output), form, draw=options.svg)
    return 0


def _print(graphs: list[UccaGraph], form: str) -> None:
    for graph in graphs:
        if form == "json":
            print(json.dumps(rendering.record(graph), ensure_ascii=False))
        else:
            print(rendering.tree(graph), end="\n\n")


def _write(graphs: list[UccaGraph], folder: Path, form: str, *, draw: bool) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise InputError(f"{folder}: cannot make this folder ({problem.strerror}).") from None
    digits = max(len(str(len(graphs))), 4)
    for i, graph in enumerate(graphs, 1):
        if form == "ucca-xml":
            text = write_passage(graph)
        elif form == "json":
            text = json.dumps(rendering.record(graph), ensure_ascii=False, indent=1) + "\n"
        else:
            text = rendering.tree(graph) + "\n"
        write_atomically(folder / f"{i:0{digits}}.{_SUFFIXES[form]}", text)
        if draw:
            write_atomically(folder / f"{i:0{digits}}.svg", rendering.svg(graph))
    print(f"{folder}: {len(graphs)} passages")


def _evaluate(options: argparse.Namespace) -> int:
    if options.files or options.svg:
        raise OptionError("--evaluate takes a folder of gold passages and no texts or --svg.")
    form = output_format(options)
    passages = read_folder(options.evaluate)
    gold = [sentence for graph in passages.values() for sentence in split(graph)]
    if options.predicted:
        predicted = read_folder(options.predicted)
        lacking = [name for name in passages if name not in predicted]
        if lacking:
            raise InputError(f"{options.predicted}: no {lacking[0]}, expected a parse of each gold passage.")
        # Split where the gold passages are split, so that sentences are compared one to one.
        parsed = [s for name, graph in passages.items() for s in split(predicted[name], like=graph)]
        name = options.predicted
    else:
        parse = parser(options.parser)
        with Progress("parsing", quiet=options.quiet) as progress:
            parsed = parse.parse([g.terminals for g in gold], progress=progress)
        name = options.parser
    record = {"parser": name, "passages": len(passages)} | evaluate(parsed, gold).record()
    write_result(options, Listing.of(table(record), data=record), form)
    return 0


_ROWS = {
    "labelled_primary": "edges, labelled",
    "unlabelled_primary": "edges, unlabelled",
    "labelled_remote": "remote edges, labelled",
    "unlabelled_remote": "remote edges, unlabelled",
    "scenes": "Scenes",
    "main_relations": "main relations",
    "minimal_centres": "their minimal centres",
    "participants": "Participants",
}


def table(record: dict[str, Any]) -> Table:
    """Precision, recall and F1 of everything that is evaluated, as a table."""
    rows = []
    for key, name in _ROWS.items():
        values = [record[key][k] for k in ("precision", "recall", "f1")]
        rows.append([Cell(name), *(Cell("-" if v is None else f"{v:.1f}", v) for v in values)])
    note = (
        f"{record['passages']} passages, {record['sentences']} sentences; Scenes per sentence: "
        f"{record['scenes_per_sentence']:.2f}, gold {record['gold_scenes_per_sentence']:.2f}; "
        f"same number in {record['same_scene_count']:.1f}%; edges after ucca 1.3.11's evaluation"
    )
    return Table(["parsed against gold", "precision", "recall", "F1"], rows, [note])
