"""Parse sentences into UCCA: Scenes, their main relations and Participants.

examples:
  plainmark parse source.txt
  plainmark parse source.txt --format ucca-xml -o parses/ --svg
  plainmark parse --evaluate gold/ --json
The text has one sentence a line (a line with several becomes one passage). Trees show categories by their letters:
H parallel Scene, P Process, S State, A Participant, D Adverbial, C Center, E Elaborator, R Relator, N Connector,
L Linker, G Ground, F Function, U punctuation; * marks a Scene, [...] a remote unit.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from ..errors import InputError, OptionError
from ..reading import read_corpus
from ..report.table import Cell, Table
from ..ucca import UccaGraph, evaluate, parser, read_folder, rendering, split, write_passage
from ..writing import write_atomically
from ._progress import Progress

_SUFFIXES = {"ucca-xml": "xml", "json": "json", "tree": "txt"}


def add_arguments(arguments: argparse.ArgumentParser) -> None:
    arguments.add_argument("files", nargs="*", metavar="FILE", help="texts, one a line; - is standard input")
    arguments.add_argument(
        "--format", choices=sorted(_SUFFIXES), default="tree", help="what to write (default: tree)"
    )
    arguments.add_argument(
        "-o",
        "--output",
        metavar="FOLDER",
        help="write a file for each line here, numbered; without it, print all (ucca-xml and --svg need it)",
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
    arguments.add_argument("--json", action="store_true", help="with --evaluate: all scores as JSON")
    arguments.add_argument(
        "--parser",
        default="default",
        metavar="NAME",
        help="default, or a folder that training/ucca wrote",
    )
    arguments.add_argument("-q", "--quiet", action="store_true", help="no progress bar")


def run(options: argparse.Namespace) -> int:
    if options.evaluate:
        return _evaluate(options)
    if options.json or options.predicted:
        raise OptionError("--json and --predicted go with --evaluate; for parses as JSON use --format json.")
    if not options.files:
        raise OptionError("no texts given; name a file with one sentence a line, or use --evaluate FOLDER.")
    if options.output is None and (options.svg or options.format == "ucca-xml"):
        what = "--svg" if options.svg else "--format ucca-xml"
        raise OptionError(f"{what} writes a file for each line; name a folder with -o.")
    texts = [text for path in options.files for text in read_corpus(output=path).outputs]
    parse = parser(options.parser)
    with Progress("parsing", quiet=options.quiet) as progress:
        graphs = parse(texts, progress=progress)
    if options.output is None:
        _print(graphs, options.format)
    else:
        _write(graphs, Path(options.output), options.format, draw=options.svg)
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
    if options.files or options.output or options.svg:
        raise OptionError("--evaluate takes a folder of gold passages and no texts, -o or --svg.")
    passages = read_folder(options.evaluate)
    gold = [sentence for graph in passages.values() for sentence in split(graph)]
    if options.predicted:
        found = read_folder(options.predicted)
        lacking = [name for name in passages if name not in found]
        if lacking:
            raise InputError(f"{options.predicted}: no {lacking[0]}, expected a parse of each gold passage.")
        # Cut where the gold passages are, so that sentence by sentence is compared.
        parsed = [s for name, graph in passages.items() for s in split(found[name], like=graph)]
        what = options.predicted
    else:
        parse = parser(options.parser)
        with Progress("parsing", quiet=options.quiet) as progress:
            parsed = parse.parse([g.terminals for g in gold], progress=progress)
        what = options.parser
    record = {"parser": what, "passages": len(passages)} | evaluate(parsed, gold).record()
    if options.json:
        print(json.dumps(record, indent=2))
    else:
        sys.stdout.write(table(record).text())
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
    """Precision, recall and F1 of everything that is counted."""
    rows = []
    for key, name in _ROWS.items():
        values = [record[key][k] for k in ("precision", "recall", "f1")]
        rows.append([Cell(name), *(Cell("-" if v is None else f"{v:.1f}", v) for v in values)])
    note = (
        f"{record['passages']} passages, {record['sentences']} sentences; Scenes a sentence: "
        f"{record['scenes_per_sentence']:.2f}, gold {record['gold_scenes_per_sentence']:.2f}; "
        f"same number in {record['same_scene_count']:.1f}%; edges after ucca 1.3.11's evaluation"
    )
    return Table(["parsed against gold", "precision", "recall", "F1"], rows, [note])
