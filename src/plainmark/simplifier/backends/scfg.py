"""The decoder of synchronous grammars, for models that `plainmark tune` built from rules with nonterminals."""

from __future__ import annotations

from dataclasses import dataclass

from ._model import ModelBackend


@dataclass(frozen=True)
class Scfg(ModelBackend):
    """The best outputs of a synchronous grammar; needs a model's folder, because plainmark contains no such model."""

    def missing(self) -> str:
        if self.model == "default":
            return "needs the folder of a model that plainmark tune built from rules with nonterminals: scfg(model='FOLDER')"
        return super().missing()
