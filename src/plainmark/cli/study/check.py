"""Check a study's definition and its items; each mistake is reported with its line, its key and what is allowed."""

from __future__ import annotations

import argparse

from ...study import load
from ._store import add_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_folder(parser)


def run(options: argparse.Namespace) -> int:
    study = load(options.study)
    from ...study.planning import plan_of

    definition = study.definition
    plan = plan_of(study)
    print(f"{definition.id}: ready ({definition.mode}), revision {study.digest[:12]}")
    unit = {"pair": "pair", "grid": "grid"}.get(definition.block.show, "condition") + "s" * (
        len(study.arms) > 1
    )
    print(f"{len(study.items)} items, {len(study.arms)} {unit}, {plan.cells} cells in {plan.blocks} blocks")
    for warning in plan.warnings:
        print(f"note: {warning}")
    if untranslated := study.messages.untranslated:
        print(
            f"note: language {definition.language}: {untranslated} of {len(study.messages.by_key)} buttons and messages are in"
            " English; put translations into a file and name it with 'messages:'."
        )
    return 0
