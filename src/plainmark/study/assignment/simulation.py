"""A study simulated without a database or a clock: how many people it needs when some of them leave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from .booklets import admits, plan_blocks, repair_blocks, top_up
from .cells import BlockShape, TrialCell, cells_of_blocks

if TYPE_CHECKING:
    from ..definition.models import Design


@dataclass
class SimulatedStudy:
    """The result of a simulated study."""

    people: int = 0
    finished: int = 0
    answers: int = 0
    covered: int = 0
    surplus: int = 0
    seen: dict[int, list[str]] = field(default_factory=dict)  # participant -> items shown


def simulate(items: Sequence[str], arms: Sequence[str], design: Design, **options: Any) -> SimulatedStudy:
    """Simulate a study with one block; `simulate_blocks` has the options."""
    return simulate_blocks(BlockShape.only(items, arms, design), design, **options)


def simulate_blocks(
    shapes: Sequence[BlockShape],
    design: Design,
    *,
    drop_out: float = 0.12,
    at_once: int = 20,
    absent: Set[tuple[str, str]] = frozenset(),
    rng: np.random.Generator,
) -> SimulatedStudy:
    """Participants come, `at_once` at a time; some leave after any number of answers, and their leases run out.

    Booklets, leases and repairs are those of the store, without a database or a clock.
    """
    real = set(cells_of_blocks(shapes, design, absent))
    waiting = plan_blocks(shapes, design, absent)
    free: dict[TrialCell, None] = {}
    done: Counter[tuple[str, str, str]] = Counter()
    spare: Counter[tuple[str, str, str]] = Counter()  # surplus answers that may still stand for a lost one
    size, one_arm = sum(s.size for s in shapes), design.kind == "between"
    out = SimulatedStudy()
    working: list[tuple[list[TrialCell], int]] = []  # cells and how many of them the person will answer

    def leave(shown: list[TrialCell], answered: int) -> None:
        for position, cell in enumerate(shown):
            pair = (cell.block, cell.item, cell.arm)
            if position < answered:
                out.answers += 1
                done[pair] += 1
                if cell in real:
                    out.covered += 1
                else:
                    lost = next((c for c in free if (c.block, c.item, c.arm) == pair), None)
                    spare[pair] += lost is None
                    out.covered += lost is not None
                    free.pop(lost, None) if lost else None
            elif cell in real:
                if spare[pair]:
                    spare[pair] -= 1
                    out.covered += 1
                else:
                    free[cell] = None

    while waiting or free or working:
        block = waiting.pop(0) if waiting and len(working) < at_once else []
        if not block and len(working) < at_once:
            block = repair_blocks(list(free), shapes, rng, one_arm=one_arm)
            if not admits(len(block), size, others=len(working)):
                block = []
        if block:
            for cell in block:
                free.pop(cell, None)
            if design.fill and len(block) < size:
                counts = {(c.block, c.item, c.arm): done[c.block, c.item, c.arm] for c in real}
                extra = top_up(block, counts, shapes, rng, one_arm=one_arm)
                block = block + [TrialCell(i, a, design.replicates + 1 + out.people, b) for b, i, a in extra]
            leaves = rng.random() < drop_out
            answered = int(rng.integers(0, len(block))) if leaves else len(block)
            out.seen[out.people] = [c.item for c in block]
            out.people += 1
            out.finished += not leaves
            working.append((block, answered))
        else:
            leave(*working.pop(int(rng.integers(len(working)))))
    out.surplus = out.answers - out.covered
    return out
