"""List metrics, aligners, data sets or perturbations: `plainmark list metrics`, `plainmark list metrics sari`.

Shows all of a kind, or one with its options, variants, requirements, range and reference.
"""

from __future__ import annotations

import argparse
import math
import textwrap
from dataclasses import fields
from inspect import cleandoc, getmodule
from typing import Any

from ..aligners import ALIGNERS
from ..datasets import DATASETS, Dataset
from ..metric import METRICS, Metric
from ..options import describe_type, option_help, option_types
from ..perturbations import PERTURBATIONS, Perturbation
from ..registry import Named, Registry
from ..result import Listing
from ..table import Cell, Table
from ._arguments import add_output, write_result

KINDS: dict[str, Registry[Any]] = {
    "metrics": METRICS,
    "aligners": ALIGNERS,
    "datasets": DATASETS,
    "perturbations": PERTURBATIONS,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "kind", choices=[*KINDS], nargs="?", default="metrics", help="what to list (default: metrics)"
    )
    parser.add_argument("name", nargs="?", help="show one of them in full")
    add_output(parser)


def run(options: argparse.Namespace) -> int:
    registry = KINDS[options.kind]
    if options.name:
        write_result(options, detail(registry.find(options.name)))
    else:
        write_result(options, overview(options.kind))
    return 0


def overview(kind: str) -> Listing:
    """One row per entry of a registry."""
    registry = KINDS[kind]
    width = max(map(len, registry.names()))
    lines, rows, data = [], [], []
    for name in registry.names():
        cls = registry.find(name)
        entry = cls()
        columns: dict[str, str] = {}
        extra = ""
        if isinstance(entry, Perturbation):
            columns = {"criterion": entry.criterion}
            extra = f"{entry.criterion:16} "
        if isinstance(entry, Metric):
            needs = " + ".join(sorted(entry.required())) or "output only"
            columns = {"better": _direction(entry.higher_is_better), "needs": needs}
            extra = f"{columns['better']:7} {needs:20} "
        lines.append(f"{name:{width}}  {extra}{_first_line(cls)}")
        rows.append({"name": name, **columns, "about": _first_line(cls)})
        data.append(facts(cls))
    text = "\n".join([*lines, "", f"plainmark list {kind} NAME shows options and variants.\n"])
    return Listing.of(_table(rows), data=data, text=text)


def detail(cls: type[Named]) -> Listing:
    """Everything about one entry; as a table, its options."""
    known = facts(cls)
    options = known["options"] or [{"name": "", "default": "", "type": "", "help": ""}]
    return Listing.of(_table(options), data=[known], text=describe(cls) + "\n")


def _table(rows: list[dict[str, str]]) -> Table:
    return Table([*rows[0]], [[Cell(value) for value in row.values()] for row in rows])


def describe(cls: type[Named]) -> str:
    """A description for a terminal."""
    known = facts(cls)
    lines = [f"{cls.name}: {_first_line(cls)}", "", cleandoc(getmodule(cls).__doc__ or ""), ""]
    if issubclass(cls, Metric):
        lines += [f"needs: {known['needs'] or 'the output only'}", f"range: {known['range']}"]
        lines += [
            f"better: {_direction(known['higher_is_better']) or 'neither'}",
            f"parts: {', '.join(known['parts'])}",
        ]
    lines += [f"reference: {known['reference']}"] if known["reference"] else []
    if known["options"]:
        lines += ["", "options:"]
        for option in known["options"]:
            lines.append(f"  {option['name']} = {option['default']}")
            text = f"{option['help']} ({option['type']})"
            lines += textwrap.wrap(text, 100, initial_indent="      ", subsequent_indent="      ")
    return "\n".join(lines)


def facts(cls: type[Named]) -> dict[str, Any]:
    """What the registry knows about an entry, as plain data."""
    entry = cls()
    hints, helps = option_types(cls), option_help(cls)
    known: dict[str, Any] = {
        "name": cls.name,
        "about": _first_line(cls),
        "reference": cls.card.citation if issubclass(cls, Dataset) else getattr(cls, "citation", ""),
        "options": [
            {
                "name": f.name,
                "default": str(value) if isinstance(value := getattr(entry, f.name), Named) else repr(value),
                "type": describe_type(hints[f.name]),
                "help": helps[f.name],
            }
            for f in fields(cls)
        ],
    }
    if isinstance(entry, Metric):
        low, high = entry.bounds
        known |= {
            "needs": ", ".join(sorted(entry.required())),
            "range": f"{_bound(low)} to {_bound(high)}",
            "higher_is_better": entry.higher_is_better,
            "parts": list(entry.part_names[1:]),
            "signature": entry.signature(),
        }
    return known


def _first_line(cls: type[Named]) -> str:
    return (cls.__doc__ or "").strip().partition("\n")[0]


def _direction(better: bool | None) -> str:
    return {True: "higher", False: "lower", None: ""}[better]


def _bound(value: float) -> str:
    return "unbounded" if math.isinf(value) else f"{value:g}"
