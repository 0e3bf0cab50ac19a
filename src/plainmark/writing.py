"""Writing files: to a temporary name, then renamed, so that an interrupted run never leaves half a file."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from .errors import InputError


def write_atomically(path: str | os.PathLike[str], text: str) -> None:
    """Write text as UTF-8; the file is complete, or as it was before."""
    target = Path(path)
    if target.exists() and not target.is_file() and not target.is_dir():
        target.write_text(text, "utf-8", newline="")  # a pipe or a device cannot be renamed over
        return
    target = target.resolve()  # a link stays a link
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("x", encoding="utf-8", newline="") as file:
            file.write(text)
        temporary.replace(target)
    except OSError as problem:
        raise InputError(f"cannot write {path}: {_reason(target, problem)}") from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def _reason(target: Path, problem: OSError) -> str:
    if target.is_dir():
        return "it is a folder; give the name of a file."
    if not target.parent.is_dir():
        return f"there is no folder {target.parent}; create it first."
    return f"{problem.strerror or problem}."
