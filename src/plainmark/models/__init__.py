"""Learned models, found and loaded when they are first used; nothing is imported or read before.

A model is named by a folder in Hugging Face's layout, by an installed package, or by its name on the hub, looked for in
this order. The embedded names (KNOWN) are pinned by sha256.

>>> from plainmark import models
>>> vectors = models.encoder("minilm").sentence_vectors(["A cat sat.", "The cat was sitting.", "Prices rose."])
>>> [f"{x:.1f}" for x in vectors @ vectors[0]]
['1.0', '0.9', '0.0']
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ._cache import DiskCache, MemoryCache
from ._causal import CausalModel
from ._encoder import Encoder, Floats32, Long, TokenVectors
from ._locate import KNOWN, KnownModel, ModelFiles, find, install, install_command, locate, missing
from ._ngram import NGram, embedded, read_ngram
from ._settings import RunSettings, settings, using
from ._training import train_ngram


def encoder(name: str) -> Encoder:
    """The encoder of that name, loaded once."""
    return _encoder(find(name))


def language_model(name: str) -> NGram | CausalModel:
    """The language model of that name, loaded once; "ngram" comes with the package, "FILE.xz" is one of your own."""
    if name.endswith(".xz"):
        return _ngram_file(str(Path(name).resolve()))
    return embedded() if name == "ngram" else _language_model(find(name))


@cache
def _ngram_file(path: str) -> NGram:
    return read_ngram(path)


@cache
def _language_model(files: ModelFiles) -> CausalModel:
    return CausalModel(files)


@cache
def _encoder(files: ModelFiles) -> Encoder:
    return Encoder(files)


__all__ = [
    "KNOWN",
    "CausalModel",
    "DiskCache",
    "Encoder",
    "Floats32",
    "KnownModel",
    "Long",
    "MemoryCache",
    "ModelFiles",
    "NGram",
    "RunSettings",
    "TokenVectors",
    "encoder",
    "find",
    "install",
    "install_command",
    "language_model",
    "locate",
    "missing",
    "settings",
    "train_ngram",
    "using",
]
