"""A piece of text that states something, and whether the other text states it too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple


class Mention(NamedTuple):
    """Where something is said, what it comes to, and whether the other text says it."""

    text: str
    start: int
    end: int
    key: tuple[str, ...]
    weak: bool = (
        False  # may confirm a mention of the other text, but is not asked for itself ("one", "hardly")
    )
    kept: bool = False


class Checked(NamedTuple):
    """The mentions of a source and of its simplification."""

    source: tuple[Mention, ...]
    output: tuple[Mention, ...]


def mark(
    source: Sequence[Mention],
    output: Sequence[Mention],
    in_output: Callable[[Mention], bool],
    in_source: Callable[[Mention], bool],
) -> Checked:
    """The mentions that are asked for, with what two questions say of them."""
    return Checked(
        tuple(m._replace(kept=in_output(m)) for m in source if not m.weak),
        tuple(m._replace(kept=in_source(m)) for m in output if not m.weak),
    )
