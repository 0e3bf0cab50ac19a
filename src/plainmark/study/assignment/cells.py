"""Cells: one item in one arm, read once; the blocks they belong to, and the order in which people see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from ..definition.models import Design

Order = Literal["random", "latin", "fixed"]


@dataclass(frozen=True)
class TrialCell:
    """One trial that some participant must answer."""

    item: str
    arm: str
    replicate: int = 0
    block: str = ""


@dataclass(frozen=True)
class BlockShape:
    """What assignment knows of a block: its items and arms, and how many of its items a participant sees."""

    items: tuple[str, ...]
    arms: tuple[str, ...]
    size: int
    id: str = ""

    @classmethod
    def only(cls, items: Sequence[str], arms: Sequence[str], design: Design) -> tuple[BlockShape, ...]:
        """The shape of a study with one block."""
        return (cls(tuple(items), tuple(arms), design.per_participant),)


def cells_of_blocks(
    shapes: Sequence[BlockShape], design: Design, absent: Set[tuple[str, str]] = frozenset()
) -> list[TrialCell]:
    """All cells: in each block every item in every arm, as often as the design says, plus the overlap."""
    cells: list[TrialCell] = []
    for shape in shapes:
        items, arms = shape.items, shape.arms
        cells += [TrialCell(i, a, r, shape.id) for r in range(design.replicates) for i in items for a in arms]
        overlap = np.random.default_rng(design.seed).permutation(len(items))[: design.overlap]
        cells += [TrialCell(items[i], a, design.replicates, shape.id) for i in sorted(overlap) for a in arms]
    return [c for c in cells if (c.item, c.arm) not in absent] if absent else cells


def cells_of(
    items: Sequence[str], arms: Sequence[str], design: Design, absent: Set[tuple[str, str]] = frozenset()
) -> list[TrialCell]:
    """All cells of a study with one block."""
    return cells_of_blocks(BlockShape.only(items, arms, design), design, absent)


def ordered(
    cells: Sequence[TrialCell],
    order: Order,
    *,
    number: int,
    items: Mapping[str, int],
    arms: Mapping[str, int],
    rng: np.random.Generator,
) -> list[TrialCell]:
    """The cells of booklet `number` in the order in which a participant sees them.

    latin: arms in the order of the definition, rotated by one in each booklet, so that every arm is as often first,
    second, ...; fixed: items in the order of their file.
    """
    if order == "fixed":
        return sorted(cells, key=lambda c: items[c.item])
    if order == "latin":
        return sorted(cells, key=lambda c: ((arms[c.arm] + number) % len(arms), items[c.item]))
    return [cells[i] for i in rng.permutation(len(cells))]
