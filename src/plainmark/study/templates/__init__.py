"""Studies that run as they are; `plainmark study init NAME FOLDER` copies one as a starting point."""

from __future__ import annotations

import shutil
from importlib.resources import as_file, files
from pathlib import Path

from ...errors import InputError, UnknownNameError, did_you_mean


def names() -> list[str]:
    """Every template."""
    return sorted(p.name for p in files(__package__).iterdir() if p.joinpath("study.yaml").is_file())


def about(name: str) -> str:
    """The comment at the top of a template's definition, as one line."""
    lines = files(__package__).joinpath(name, "study.yaml").read_text("utf-8").splitlines()
    head = []
    for line in lines:
        if not line.startswith("#"):
            break
        head.append(line.lstrip("# "))
    return " ".join(head)


def copy(name: str, folder: str | Path) -> list[str]:
    """Copy a template into a new or empty folder; the names of its files."""
    if name not in names():
        raise UnknownNameError(
            f"no template {name[:60]!r}.{did_you_mean(name, names())} There are: {', '.join(names())}."
        )
    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise InputError(f"{target}: exists and is not empty; expected a new folder.")
    try:
        target.mkdir(parents=True, exist_ok=True)
        with as_file(files(__package__).joinpath(name)) as source:
            for path in sorted(source.iterdir()):
                if path.is_file():
                    shutil.copyfile(path, target / path.name)
    except OSError as error:
        raise InputError(f"{target}: cannot write here ({error.strerror}).") from None
    return sorted(p.name for p in target.iterdir())
