"""The lattice decoder: the default model, which replaces hard words with plain ones, or another model of this kind."""

from __future__ import annotations

from dataclasses import dataclass

from ._model import ModelBackend


@dataclass(frozen=True)
class Lattice(ModelBackend):
    """The best outputs of a model that rewrites phrase by phrase; by default the list of plain phrases."""
