"""Writes a text's candidates for `plainmark simplify`: as lines, explanations or JSON."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from ..simplifier.candidate import Candidate
    from ..simplifier.choosing import Choice

_SHOWN = 4  # the number of parts of a score that are shown


def write_choice(file: TextIO, choice: Choice, number: int, options: argparse.Namespace) -> None:
    """Write the best candidates of a text in the format that the options ask for."""
    if options.format == "json":
        record = choice.to_dict()
        operations = record["candidates"][0].get("operations", [])
        if operations or options.split:
            record["operations"] = operations
        file.write(json.dumps(record, ensure_ascii=False) + "\n")
        return
    for k, candidate in enumerate(choice.candidates[: options.n_best]):
        place = candidate.origin if choice.reasons else f"{candidate.score:.2f}"
        file.write(
            f"{number}\t{place}\t{candidate.output}\n" if options.n_best > 1 else f"{candidate.output}\n"
        )
        if options.explain and choice.source.strip():
            _explain(file, candidate)
            if choice.reasons:
                word = "chosen" if k == 0 else "not chosen"
                file.write(f"    {word} ({candidate.origin}): {choice.reasons[k]}\n")
    if options.explain:
        for candidate, reason in choice.rejected[options.n_best - 1 :]:
            file.write(f"    rejected ({candidate.origin}): {candidate.output or '(nothing)'}\n")
            file.write(f"        {reason}{_lost_fact(choice.source, candidate, reason)}\n")


def _lost_fact(source: str, candidate: Candidate, reason: str) -> str:
    """The fact ledger's first objection, if facts decided the choice."""
    if not reason.startswith("facts_kept"):
        return ""
    from ..simplifier.truth import objections

    for entry in objections(source, candidate.output):
        place = entry.before or entry.after
        return f" ({entry.kind} {place.text if place else ''}: {entry.reason})"
    return ""


def _explain(file: TextIO, candidate: Candidate) -> None:
    for o in candidate.operations:
        file.write(f"    {o.before} -> {o.after}   {o.name}: {o.why}\n")
    for r in candidate.rewrites:
        rule = f"  by {r.rule}" if r.rule else ""
        sure = "" if r.probability is None else f"  right with {r.probability:.2f}"
        file.write(
            f"    {r.source} -> {r.target or '(nothing)'}   {r.score:+.2f}{sure}  from {' '.join(r.origins)}{rule}"
            f"  ({_parts(r.reasons)})\n"
        )
    for o in candidate.deletions:
        file.write(f"    {o.before.strip()} -> {o.after or '(nothing)'}   {o.name}: {o.why}\n")
    if candidate.unchanged:
        file.write(f"    rules that change nothing   {candidate.unchanged:+.2f}\n")
    for undone in candidate.taken_back:
        r = undone.rewrite
        file.write(f"    taken back: {r.source} -> {r.target or '(nothing)'}   {undone.reason}\n")


def _parts(reasons: Sequence[tuple[str, float]]) -> str:
    """The largest parts of a score and the sum of the others, so that the terms add up to the score."""
    shown = [f"{name} {value:+.2f}" for name, value in reasons[:_SHOWN]]
    others = [value for _, value in reasons[_SHOWN:]]
    return ", ".join([*shown, f"others {sum(others):+.2f}"] if others else shown)
