"""spaCy's pipelines: an installed package or a folder, loaded once."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .. import identity
from ..identity import load_once
from ..options import Content


def missing(name: str) -> str:
    """What a pipeline needs that is not installed ("needs ..."); empty if it can be loaded."""
    if find_spec("spacy") is None or locate(name) is None:
        return (
            f"needs spaCy and its pipeline {name!r}; pip install spacy, then python -m spacy download {name}"
        )
    return ""


def locate(name: str) -> Path | None:
    """The folder of a pipeline, or None."""
    if name and Path(name).is_dir():
        return Path(name)
    spec = find_spec(name) if name.isidentifier() else None
    return Path(spec.submodule_search_locations[0]) if spec and spec.submodule_search_locations else None


def load(name: str, *exclude: str) -> Any:
    """A pipeline, perhaps without some of its components; OSError if it does not exist."""
    return _load(name, locate(name), exclude)


@load_once
def _load(name: str, folder: Path | None, exclude: tuple[str, ...]) -> Any:
    import spacy

    return spacy.load(name, exclude=list(exclude)) if exclude else spacy.load(name)


def digest(name: str) -> str:
    """The digest of a pipeline's files; empty for "rules" and for missing pipelines."""
    folder = None if name == "rules" else locate(name)
    return "" if folder is None else identity.digest(folder)


PIPELINE = Content(digest)  # marks options that name one
