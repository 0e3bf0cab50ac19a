"""Archives of AllenNLP: config.json and weights.th in a .tar.gz, read in place and without unpickling code.

No file is written under a name that the archive chooses, and an archive that claims to be larger than the largest published
one is not read to the end.
"""

from __future__ import annotations

import json
import shutil
import tarfile
import tempfile
import zlib
from pathlib import Path
from typing import Any

from ..errors import InputError
from .checkpoints import read_weights

LARGEST = 4 * 2**30  # limit for all members together in bytes; BART-large has 1.6 GB
MOST = 1000  # limit for the number of members
LARGEST_SETTINGS = 2**20


def find(place: Path) -> Path | None:
    """The archive at a path: a file, a folder that contains model.tar.gz, or a folder with the contents of an archive."""
    if place.is_file():
        return place
    if (place / "model.tar.gz").is_file():
        return place / "model.tar.gz"
    return place if (place / "weights.th").is_file() else None


def read(place: Path, kind: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The settings and tensors of an archive with a model of this type (in config.json)."""
    if place.is_dir():
        settings = _settings(_small(place / "config.json"), place)
        _expect(settings, kind, place)
        return settings, read_weights(place / "weights.th")
    try:
        with tarfile.open(place, "r:gz") as tar:
            return _read(tar, kind, place)
    except (tarfile.TarError, EOFError, zlib.error, OSError) as problem:
        raise InputError(
            f"{place}: is no .tar.gz that can be read ({type(problem).__name__}); "
            "expected an AllenNLP archive as it was published."
        ) from None


def _read(tar: tarfile.TarFile, kind: str, place: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    settings: dict[str, Any] | None = None
    with tempfile.TemporaryFile() as weights:
        total, has_weights = 0, False
        for count, member in enumerate(tar):
            total += member.size
            # Checked before the next member is located, which reads all bytes of this one.
            _check(member, count, total, place)
            name = member.name.removeprefix("./")
            content = tar.extractfile(member) if member.isfile() else None
            if content is None:
                continue
            if name == "config.json":
                settings = _settings(content.read(LARGEST_SETTINGS + 1), place)
            elif name == "weights.th":
                shutil.copyfileobj(content, weights, 2**20)
                has_weights = True
        if settings is None or not has_weights:
            lacking = "config.json" if settings is None else "weights.th"
            raise InputError(f"{place}: no {lacking} in it; expected an AllenNLP archive.")
        _expect(settings, kind, place)
        weights.seek(0)
        return settings, read_weights(place, weights)


def _check(member: tarfile.TarInfo, count: int, total: int, place: Path) -> None:
    name = Path(member.name)
    if name.is_absolute() or ".." in name.parts or not (member.isfile() or member.isdir()):
        raise InputError(
            f"{place}: holds {member.name[:80]!r}, which leads out of the archive or is no plain file; "
            "it is refused."
        )
    if count >= MOST or total > LARGEST or (name.name == "config.json" and member.size > LARGEST_SETTINGS):
        raise InputError(f"{place}: is larger than any published model; it is rejected.")


def _small(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(LARGEST_SETTINGS + 1)
    except OSError:
        raise InputError(f"{path.parent}: no config.json beside weights.th.") from None


def _settings(text: bytes, place: Path) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise InputError(f"{place}: its config.json is not JSON settings.")
    return content


def _expect(settings: dict[str, Any], kind: str, place: Path) -> None:
    model = settings.get("model")
    name = model.get("type") if isinstance(model, dict) else None
    if name != kind:
        raise InputError(f"{place}: its model is of type {str(name)[:80]!r}, expected {kind!r}.")
