"""Learned models, located and loaded on first use; nothing is imported or read before.

The name of a model is a folder in Hugging Face's layout, an installed package, or a name on the hub, searched in this
order. Models with short names (KNOWN) are pinned by sha256.

>>> from plainmark import models
>>> vectors = models.encoder("minilm").sentence_vectors(["A cat sat.", "The cat was sitting.", "Prices rose."])
>>> [f"{x:.1f}" for x in vectors @ vectors[0]]
['1.0', '0.9', '0.0']
"""

from __future__ import annotations

from pathlib import Path

from .. import lm
from ..identity import load_once
from ._cache import DiskCache, MemoryCache
from ._causal import CausalModel
from ._encoder import Encoder, Floats32, Long, TokenVectors
from ._locate import KNOWN, MODEL, KnownModel, ModelFiles, find, install, install_command, locate, missing
from ._settings import RunSettings, settings, user_cache, using

# Trained on English only; their results for other languages mean little.
_ENGLISH = frozenset(("minilm", "ngram", "plain", "reader", "smollm2"))


def languages_of(name: str) -> tuple[str, ...]:
    """The codes of the languages that a model is for; empty if nothing is known about it."""
    return ("en",) if name in _ENGLISH else ()


def encoder(name: str) -> Encoder:
    """The encoder with this name, loaded once."""
    files = find(name)
    return _encoder(files, files.path)


def language_model(name: str) -> lm.LanguageModel | CausalModel:
    """The language model with this name, loaded once; "ngram" comes with the package, "FILE.lm.xz" is a user's model."""
    if lm.is_model_name(name):
        return lm.load(name)
    if name == "ngram":
        return lm.embedded()
    files = find(name)
    return _language_model(files, files.path)


@load_once
def _language_model(files: ModelFiles, folder: Path) -> CausalModel:
    return CausalModel(files)


@load_once
def _encoder(files: ModelFiles, folder: Path) -> Encoder:
    return Encoder(files)


__all__ = [
    "KNOWN",
    "MODEL",
    "CausalModel",
    "DiskCache",
    "Encoder",
    "Floats32",
    "KnownModel",
    "Long",
    "MemoryCache",
    "ModelFiles",
    "RunSettings",
    "TokenVectors",
    "encoder",
    "find",
    "install",
    "install_command",
    "language_model",
    "languages_of",
    "locate",
    "missing",
    "settings",
    "user_cache",
    "using",
]
