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
    shows = {block.show for block in definition.blocks}
    names = {"pair": "pair", "grid": "grid"}
    unit = (names.get(shows.pop(), "condition") if len(shows) == 1 else "arm") + "s" * (len(study.arms) > 1)
    print(f"{len(study.items)} items, {len(study.arms)} {unit}, {plan.cells} cells in {plan.blocks} booklets")
    if len(definition.blocks) > 1:
        print("blocks: " + ", ".join(f"{b.id} ({definition.size_of(b)} each)" for b in definition.blocks))
    for number, session in enumerate(definition.sessions, 2):
        print(f"session {number}: {session.opens:g} to {session.closes:g} hours after the one before")
    for warning in plan.warnings:
        print(f"note: {warning}")
    if untranslated := study.messages.untranslated:
        print(
            f"note: language {definition.language}: {untranslated} of {len(study.messages.by_key)} buttons and messages are in"
            " English; put translations into a file and name it with 'messages:'."
        )
    return 0
