"""Mentions of facts in one text, and whether the other text preserves them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple


class Mention(NamedTuple):
    """A span of text, the normalised fact it states, and whether the other text states the same fact."""

    text: str
    start: int
    end: int
    key: tuple[str, ...]
    weak: bool = (
        False  # may match a mention of the other text, but need not be matched itself ("one", "hardly")
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
    """The mentions that must be matched, each marked with whether the other text has it."""
    return Checked(
        tuple(m._replace(kept=in_output(m)) for m in source if not m.weak),
        tuple(m._replace(kept=in_source(m)) for m in output if not m.weak),
    )
