"""Checks for writers: rules with stable ids, targets, house word lists, and findings with plainer alternatives.

>>> from plainmark.checks import Checker, Targets
>>> result = Checker(Targets(grade=8)).check("We will purchase the land.")
>>> [(f.rule, f.message, [s.text for s in f.suggestions]) for f in result.findings]
[('PM101', '“purchase” has a plainer word.', ['buy'])]

One file per family of rules, each with a tuple RULES; everything else begins with an underscore.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from ..errors import UnknownNameError, did_you_mean
from ._checker import Checker, CheckResult
from ._findings import Finding, Rule, Suggestion
from ._targets import CEFR_LEVELS, CostlySentence, Measures, TargetResult, Targets
from .word_list import WordEntry, WordList

__all__ = [
    "CEFR_LEVELS",
    "CheckResult",
    "Checker",
    "CostlySentence",
    "Finding",
    "Measures",
    "Rule",
    "Suggestion",
    "TargetResult",
    "Targets",
    "WordEntry",
    "WordList",
    "all_rules",
    "rule",
    "select",
]


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule by its id."""
    names = [module.name for module in iter_modules(__path__) if not module.name.startswith("_")]
    rules = [r for name in names for r in import_module(f".{name}", __package__).RULES]
    return tuple(sorted(rules, key=lambda r: r.id))


def rule(name: str) -> Rule:
    """The rule with this id.

    >>> rule("PM202").name
    'passive'
    """
    rules = {r.id: r for r in all_rules()}
    if name.upper() not in rules:
        raise UnknownNameError(
            f"no rule {name!r}.{did_you_mean(name, rules)} Expected one of {', '.join(rules)}."
        )
    return rules[name.upper()]


def select(chosen: Sequence[str] = (), ignored: Sequence[str] = ()) -> tuple[Rule, ...]:
    """The rules with these ids (by default, those that run by default), without the ignored ones.

    >>> [r.id for r in select(["PM101", "PM202"], ["PM202"])]
    ['PM101']
    """
    out = {rule(name).id for name in ignored}
    selected = {rule(name).id for name in chosen} or {r.id for r in all_rules() if r.default}
    return tuple(r for r in all_rules() if r.id in selected - out)
