"""List what there is: `plainmark list metrics`, `plainmark list metrics sari`, `plainmark list aligners`.

Shows every thing of a kind, or one with its options, variants, needs, range and reference.
"""

from __future__ import annotations

import argparse
import json
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
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(options: argparse.Namespace) -> int:
    registry = KINDS[options.kind]
    if options.json:
        names = [options.name] if options.name else registry.names()
        print(json.dumps([facts(registry.find(n)) for n in names], indent=2, ensure_ascii=False))
    elif options.name:
        print(describe(registry.find(options.name)))
    else:
        print(overview(options.kind))
    return 0


def overview(kind: str) -> str:
    """A line for each thing of a kind."""
    registry = KINDS[kind]
    width = max(map(len, registry.names()))
    lines = []
    for name in registry.names():
        cls = registry.find(name)
        extra = ""
        if isinstance(thing := cls(), Perturbation):
            extra = f"{thing.criterion:16} "
        if isinstance(metric := thing, Metric):
            extra = f"{_direction(metric.higher_is_better):7} {' + '.join(sorted(metric.required())) or 'output only':20} "
        lines.append(f"{name:{width}}  {extra}{_first_line(cls)}")
    return "\n".join([*lines, "", f"plainmark list {kind} NAME shows options and variants."])


def describe(cls: type[Named]) -> str:
    """Everything about one thing."""
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
    """What the registry knows of a thing, as plain data."""
    thing = cls()
    hints, helps = option_types(cls), option_help(cls)
    known: dict[str, Any] = {
        "name": cls.name,
        "about": _first_line(cls),
        "reference": cls.card.citation if issubclass(cls, Dataset) else getattr(cls, "citation", ""),
        "options": [
            {
                "name": f.name,
                "default": str(value) if isinstance(value := getattr(thing, f.name), Named) else repr(value),
                "type": describe_type(hints[f.name]),
                "help": helps[f.name],
            }
            for f in fields(cls)
        ],
    }
    if isinstance(thing, Metric):
        low, high = thing.bounds
        known |= {
            "needs": ", ".join(sorted(thing.required())),
            "range": f"{_bound(low)} to {_bound(high)}",
            "higher_is_better": thing.higher_is_better,
            "parts": list(thing.part_names[1:]),
            "signature": thing.signature(),
        }
    return known


def _first_line(cls: type[Named]) -> str:
    return (cls.__doc__ or "").strip().partition("\n")[0]


def _direction(better: bool | None) -> str:
    return {True: "higher", False: "lower", None: ""}[better]


def _bound(value: float) -> str:
    return "unbounded" if math.isinf(value) else f"{value:g}"
