"""Check a study's definition and its items; mistakes are told with their line, key and what is allowed."""

from __future__ import annotations

import argparse

from ...study import load


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("study", metavar="FOLDER", help="a study's folder, or its study.yaml")


def run(options: argparse.Namespace) -> int:
    study = load(options.study)
    from ...study.planning import plan_of

    definition = study.definition
    made = plan_of(study)
    print(f"{definition.id}: ready ({definition.mode}), revision {study.digest[:12]}")
    shown = {"pair": "pair", "grid": "grid"}.get(definition.block.show, "condition") + "s" * (
        len(study.arms) > 1
    )
    print(f"{len(study.items)} items, {len(study.arms)} {shown}, {made.cells} cells in {made.blocks} blocks")
    for warning in made.warnings:
        print(f"note: {warning}")
    return 0
