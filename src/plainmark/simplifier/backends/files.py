"""Existing candidates: outputs of several systems in files, one line per text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from ...errors import InputError
from ...files import read_lines
from ...reading import system_names
from ..candidate import Candidate
from . import Backend


@dataclass(frozen=True)
class Files(Backend):
    """Outputs of systems, one file per system with one line per text; NAME=FILE names a system."""

    outputs: Annotated[tuple[str, ...], "the files"] = ()

    ranked = False
    by_place = True

    def missing(self) -> str:
        return "" if self.outputs else "needs files with the outputs of systems: --outputs a.txt b.txt"

    def propose(self, texts: Sequence[str]) -> list[list[Candidate]]:
        self.check_installed()
        named = [_named(path) for path in self.outputs]
        names = [
            name or short
            for (name, _), short in zip(named, system_names([path for _, path in named]), strict=True)
        ]
        columns = []
        for _, path in named:
            lines = read_lines(path)
            if len(lines) != len(texts):
                raise InputError(f"{path}: {len(lines)} lines, but there are {len(texts)} texts to simplify.")
            columns.append(lines)
        return [
            [Candidate(output, origin=name) for name, output in zip(names, row, strict=True)]
            for row in zip(*columns, strict=True)
        ]


def _named(text: str) -> tuple[str, str]:
    """Name and path of NAME=FILE; a name has no slash in it."""
    name, equals, path = text.partition("=")
    return (name, path) if equals and path and "/" not in name else ("", text)
