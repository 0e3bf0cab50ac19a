"""List what there is: `plainmark list metrics`, `plainmark list metrics sari`.

Shows every metric, or one metric with its options, variants, needs, range and reference.
"""

from __future__ import annotations

import argparse
import json
import math
import textwrap
from dataclasses import fields
from inspect import cleandoc, getmodule

from ..metric import METRICS, Metric
from ..registry import describe_type, option_help, option_types


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kind", choices=["metrics"], nargs="?", default="metrics", help="what to list")
    parser.add_argument("name", nargs="?", help="show one of them in full")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(options: argparse.Namespace) -> int:
    if options.json:
        names = [options.name] if options.name else METRICS.names()
        print(json.dumps([facts(METRICS.find(n)) for n in names], indent=2, ensure_ascii=False))
    elif options.name:
        print(describe(METRICS.find(options.name)))
    else:
        print(overview())
    return 0


def overview() -> str:
    """A line a metric."""
    names = METRICS.names()
    width = max(map(len, names))
    lines = []
    for name in names:
        cls = METRICS.find(name)
        needs = " + ".join(sorted(cls.needs)) or "output only"
        lines.append(f"{name:{width}}  {_direction(cls):7} {needs:20} {_first_line(cls)}")
    return "\n".join([*lines, "", "plainmark list metrics NAME shows options and variants."])


def describe(cls: type[Metric]) -> str:
    """Everything about one metric."""
    known = facts(cls)
    lines = [f"{cls.name}: {_first_line(cls)}", "", cleandoc(getmodule(cls).__doc__ or "")]
    lines += ["", f"needs: {known['needs'] or 'the output only'}", f"range: {known['range']}"]
    lines += [f"better: {_direction(cls) or 'neither'}", f"parts: {', '.join(known['parts'])}"]  # type: ignore[arg-type]
    lines += [f"reference: {cls.citation}"] if cls.citation else []
    options: list[dict[str, str]] = known["options"]  # type: ignore[assignment]
    if options:
        lines += ["", "options:"]
        for option in options:
            lines.append(f"  {option['name']} = {option['default']}")
            text = f"{option['help']} ({option['type']})"
            lines += textwrap.wrap(text, 100, initial_indent="      ", subsequent_indent="      ")
    return "\n".join(lines)


def facts(cls: type[Metric]) -> dict[str, object]:
    """What the registry knows of a metric, as plain data."""
    metric = cls()
    hints, helps = option_types(cls), option_help(cls)
    low, high = metric.bounds
    return {
        "name": cls.name,
        "about": _first_line(cls),
        "needs": ", ".join(sorted(metric.required())),
        "range": f"{_bound(low)} to {_bound(high)}",
        "higher_is_better": metric.higher_is_better,
        "parts": list(metric.part_names[1:]),
        "reference": cls.citation,
        "signature": metric.signature(),
        "options": [
            {
                "name": f.name,
                "default": str(getattr(metric, f.name))
                if isinstance(getattr(metric, f.name), Metric)
                else repr(getattr(metric, f.name)),
                "type": describe_type(hints[f.name]),
                "help": helps[f.name],
            }
            for f in fields(cls)
        ],
    }


def _first_line(cls: type[Metric]) -> str:
    return (cls.__doc__ or "").strip().partition("\n")[0]


def _direction(cls: type[Metric]) -> str:
    better = cls.higher_is_better
    return {True: "higher", False: "lower"}.get(better, "") if isinstance(better, bool) else ""


def _bound(value: float) -> str:
    return "unbounded" if math.isinf(value) else f"{value:g}"
