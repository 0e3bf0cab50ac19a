"""List metrics, bundles, aligners, data sets, perturbations or backends, or show one of them in full.

examples:
  plainmark list metrics
  plainmark list metrics sari
The entry of a metric has its options, variants, requirements, range and reference. Metrics are
listed by family, with the purpose of each family and whether each metric can run on this machine. --format
json has every detail.
"""

from __future__ import annotations

import argparse
import math
import textwrap
from collections.abc import Iterator
from dataclasses import asdict, fields
from inspect import cleandoc, getmodule
from typing import Any

from ..aligners import ALIGNERS
from ..bundles import BUNDLES, MARK
from ..datasets import DATASETS, Dataset
from ..errors import LanguageError, UnknownNameError, did_you_mean
from ..families import FAMILIES, family_key
from ..languages import check_code
from ..languages.choice import Choice
from ..metric import METRICS, Metric, metric
from ..options import describe_type, option_help, option_types
from ..perturbations import PERTURBATIONS, Perturbation
from ..registry import Named, Registry
from ..result import Listing
from ..simplifier.backends import BACKENDS
from ..table import Cell, Table
from ._arguments import add_output, write_result

KINDS: dict[str, Registry[Any]] = {
    "metrics": METRICS,
    "aligners": ALIGNERS,
    "datasets": DATASETS,
    "perturbations": PERTURBATIONS,
    "backends": BACKENDS,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "kind",
        choices=[*KINDS, "bundles"],
        nargs="?",
        default="metrics",
        help="what to list (default: metrics)",
    )
    parser.add_argument("name", nargs="?", help="show one of them in full")
    parser.add_argument(
        "--language", metavar="CODE", default="", help="only metrics for texts in this language, such as es"
    )
    add_output(parser)


def run(options: argparse.Namespace) -> int:
    if options.kind == "bundles":
        write_result(options, bundles(options.name or ""))
        return 0
    registry = KINDS[options.kind]
    if options.name:
        write_result(options, detail(registry.find(options.name)))
    else:
        write_result(
            options, overview(options.kind, check_code(options.language) if options.language else "")
        )
    return 0


def overview(kind: str, language: str = "") -> Listing:
    """One row per entry of a registry; for metrics, only those for `language` if it is given."""
    registry = KINDS[kind]
    names = [name for name in registry.names() if not language or _is_for(registry.find(name)(), language)]
    width = max(map(len, names))
    lines: list[tuple[str, str]] = []
    rows, data = [], []
    for name in names:
        cls = registry.find(name)
        entry = cls()
        columns: dict[str, str] = {}
        extra = ""
        if isinstance(entry, Perturbation):
            columns = {"criterion": entry.criterion}
            extra = f"{entry.criterion:16} "
        if isinstance(entry, Metric):
            needs = " + ".join(sorted(entry.required())) or "output only"
            ready = readiness(entry.missing())
            columns = {
                "family": family_key(entry.family),
                "better": _direction(entry.higher_is_better),
                "needs": needs,
                "ready": ready,
            }
            extra = f"{columns['better']:7} {needs:20} {ready:14} "
        lines.append((columns.get("family", ""), f"{name:{width}}  {extra}{_first_line(cls)}"))
        rows.append({"name": name, **columns, "about": _first_line(cls)})
        data.append(facts(cls))
    if kind == "metrics":
        lines = [("", line) for line in _in_families(lines)]
    ending = f"plainmark list {kind} NAME shows options and variants.\n"
    text = "\n".join([*(line for _, line in lines), "", ending])
    return Listing.of(_table(rows), data=data, text=text)


def _is_for(entry: Named, language: str) -> bool:
    """Whether an entry is for texts in a language; entries other than metrics do not say."""
    if not isinstance(entry, Metric):
        return True
    try:
        entry.in_language(Choice(language, "given"))
    except LanguageError:
        return False
    return True


def _in_families(lines: list[tuple[str, str]]) -> Iterator[str]:
    """Put the rows of metrics under the headings of their families."""
    for key, family in FAMILIES.items():
        members = [line for name, line in lines if name == key]
        if members:
            yield from (
                "",
                family.title,
                f"  for: {family.use_for}",
                f"  not for: {family.not_for}",
                *members,
            )


def readiness(reason: str) -> str:
    """A short form of `missing`: whether a metric with its default options can run on this machine."""
    if not reason:
        return "works now"
    if "checkpoint" in reason or "models get" in reason:
        return "needs weights"
    return "needs extra" if "nstall" in reason else "needs settings"


def bundles(name: str = "") -> Listing:
    """Every bundle with its metrics, or one of them with its notes."""
    name = name.removeprefix(MARK)
    if name and name not in BUNDLES:
        raise UnknownNameError(
            f"no bundle {name!r}.{did_you_mean(name, BUNDLES)} Known: {', '.join(BUNDLES)}."
        )
    listed = [bundle for bundle in BUNDLES.values() if name in ("", bundle.name)]
    lines = []
    for bundle in listed:
        lines += [f"{MARK}{bundle.name}: {bundle.about}", *(f"    {spec}" for spec in bundle.specs)]
        lines += [f"  {note}" for note in (bundle.notes if name else ())]
        lines += [""]
    rows = [
        {"bundle": MARK + b.name, "metric": spec, "signature": metric(spec).identity()}
        for b in listed
        for spec in b.specs
    ]
    ending = "plainmark list bundles NAME says how the numbers differ from the original's.\n"
    text = "\n".join([*lines, ending] if not name else lines)
    return Listing.of(_table(rows), data=[asdict(bundle) for bundle in listed], text=text)


def detail(cls: type[Named]) -> Listing:
    """The details of one entry, as a table of its options."""
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
        family = FAMILIES[known["family"]]
        lines += [f"family: {family.title}", f"use it for: {family.use_for}", f"not for: {family.not_for}"]
        lines += [f"ready: {known['ready']}{': ' * bool(known['missing'])}{known['missing']}"]
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
    """The registry's facts about an entry, as plain data."""
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
            "family": family_key(entry.family),
            "needs": ", ".join(sorted(entry.required())),
            "ready": readiness(entry.missing()),
            "missing": entry.missing(),
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
