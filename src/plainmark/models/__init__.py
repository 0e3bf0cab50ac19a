"""Learned models, found and loaded when they are first used; nothing is imported or read before.

A model is named by a folder in Hugging Face's layout, by an installed package, or by its name on the hub, looked for in
this order. The embedded names (KNOWN) are pinned by sha256.

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
from ._causal import LanguageModel
from ._encoder import Encoder, Floats32, Long, TokenVectors
from ._find import KNOWN, MODEL, Found, Known, find, install_command, look, missing
from ._settings import Settings, settings, using


def encoder(name: str) -> Encoder:
    """The encoder of that name, loaded once."""
    found = find(name)
    return _encoder(found, found.path)


def language_model(name: str) -> lm.LanguageModel | LanguageModel:
    """The language model of that name, loaded once; "ngram" comes with the package, "FILE.lm.xz" is one of your own."""
    if lm.is_model_name(name):
        return lm.load(name)
    if name == "ngram":
        return lm.embedded()
    found = find(name)
    return _language_model(found, found.path)


@load_once
def _language_model(found: Found, folder: Path) -> LanguageModel:
    return LanguageModel(found)


@load_once
def _encoder(found: Found, folder: Path) -> Encoder:
    return Encoder(found)


__all__ = [
    "KNOWN",
    "MODEL",
    "DiskCache",
    "Encoder",
    "Floats32",
    "Found",
    "Known",
    "LanguageModel",
    "Long",
    "MemoryCache",
    "Settings",
    "TokenVectors",
    "encoder",
    "find",
    "install_command",
    "language_model",
    "look",
    "missing",
    "settings",
    "using",
]
