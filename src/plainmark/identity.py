"""Identifies what a score depends on besides its name and options: the code's version and the contents of files.

Digests are the first ten hexadecimal digits of a SHA-256. Files are read again only if their size, times or
location on disk have changed.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Callable, Iterable
from functools import cache, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

__version__ = "0.1.0"

P = ParamSpec("P")
T = TypeVar("T")

DIGITS = 10
_OWN = __name__.partition(".")[0]
_IGNORED = ("__pycache__", ".md", ".pyc")  # files that no model reads


def files_below(path: Path) -> list[Path]:
    """The file itself, or all files of a folder except hidden, compiled and Markdown files, sorted by name."""
    if not path.is_dir():
        return [path] if path.is_file() else []
    return sorted(
        file
        for file in path.rglob("*")
        if file.is_file()
        and not any(part.startswith(".") or part.endswith(_IGNORED) for part in file.relative_to(path).parts)
    )


def stamp(path: Path) -> tuple[object, ...]:
    """A value that changes when a file, or any file of a folder, is rewritten; it is computed without reading files."""
    return tuple((str(file), *_stamp(file)) for file in files_below(path))


def sha256(path: Path) -> str:
    """The SHA-256 of a file, or of the names and contents of a folder's files, in hexadecimal."""
    if path.is_file():
        return _sha256_of_file(path, _stamp(path))
    total = hashlib.sha256()
    for file in files_below(path):
        total.update(
            f"{file.relative_to(path).as_posix()}\0{sha256(file)}\n".encode("utf-8", "surrogatepass")
        )
    return total.hexdigest()


def digest(path: str | Path) -> str:
    """The digest of a file or a folder; empty if it does not exist."""
    place = Path(path)
    try:
        return sha256(place)[:DIGITS] if str(path) and files_below(place) else ""
    except OSError:  # no file can have this name, or it may not be read; loading it raises the error
        return ""


@cache
def package_digest() -> str:
    """The digest of plainmark's own files except compiled ones, which differ between machines."""
    folder = Path(__file__).parent
    total = hashlib.sha256()
    for file in files_below(folder):
        if file.suffix not in (".so", ".pyd"):
            total.update(f"{file.relative_to(folder).as_posix()}\0{sha256(file)}\n".encode())
    return total.hexdigest()[:DIGITS]


def join_digests(digests: Iterable[str]) -> str:
    """One digest for several: the only one, or empty if there is none."""
    parts = [d for d in digests if d]
    return parts[0] if len(parts) == 1 else short_digest("\n".join(parts)) if parts else ""


def short_digest(text: str) -> str:
    """The digest of a string."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def load_once(load: Callable[P, T]) -> Callable[P, T]:
    """Cache what a function loads from the files and folders (`Path`s) among its arguments until one of them changes."""
    loaded: dict[tuple[object, ...], tuple[list[object], T]] = {}

    @wraps(load)
    def cached(*args: P.args, **kwargs: P.kwargs) -> T:
        key = (*args, *sorted(kwargs.items()))
        stamps: list[object] = [stamp(value) for value in args if isinstance(value, Path)]
        if key not in loaded or loaded[key][0] != stamps:
            loaded[key] = stamps, load(*args, **kwargs)
        return loaded[key][1]

    cached.cache_clear = loaded.clear  # type: ignore[attr-defined]
    return cached


def origin(cls: type) -> str:
    """The end of a signature: "v:" and the version of the distribution that a class comes from.

    Code that is not installed from a distribution (a loose module or an editable installation) adds "src:"
    and its digest.
    """
    return _origin(cls)


@cache
def _origin(cls: type) -> str:
    top = cls.__module__.partition(".")[0]
    if top == _OWN:
        return f"v:{__version__}"
    distributions = _distributions(top)
    installed = [
        d for d in distributions if _has_file(d, getattr(sys.modules.get(cls.__module__), "__file__", ""))
    ]
    versions = [f"v:{d.version}" for d in installed or distributions]
    return "|".join([*versions[:1], *([] if installed else [f"src:{_source_digest(cls)}"])])


def _distributions(top: str) -> list[Any]:
    """The installed distributions that have a top-level package, or an entry point of plainmark's into it."""
    from importlib import metadata  # slow to import, and not needed for built-in classes

    names = metadata.packages_distributions().get(top, ())

    def has_entry_point(distribution: metadata.Distribution) -> bool:
        points = (p for p in distribution.entry_points if p.group.startswith(f"{_OWN}."))
        return any(p.module.partition(".")[0] == top for p in points)

    return [d for d in metadata.distributions() if d.name in names or has_entry_point(d)]


def _has_file(distribution: Any, file: str | None) -> bool:
    if not file:
        return False
    path = Path(file)
    return any(
        Path(distribution.locate_file(f)).resolve() == path.resolve()
        for f in distribution.files or ()
        if f.name == path.name
    )


def _source_digest(cls: type) -> str:
    """A digest of the source files of a class and those of its bases that are not plainmark's."""
    total = hashlib.sha256()
    for base in cls.__mro__:
        if base.__module__.partition(".")[0] in (_OWN, "builtins", "abc", "typing"):
            continue
        try:
            total.update(Path(inspect.getfile(base)).read_bytes())
        except (OSError, TypeError):  # the class was typed into an interpreter or a notebook
            total.update(_code(base))
    return total.hexdigest()[:DIGITS]


def _code(cls: type) -> bytes:
    """The compiled methods of a class that has no source file."""
    parts = []
    for name, value in sorted(vars(cls).items()):
        code = getattr(getattr(value, "fget", value), "__code__", None)
        if code is not None:
            plain = [c for c in code.co_consts if not inspect.iscode(c)]
            parts.append(f"{name} {code.co_code.hex()} {code.co_names} {plain}")
    return "\n".join(parts).encode("utf-8", "surrogatepass")


def _stamp(file: Path) -> tuple[int, ...]:
    # Times alone are too coarse: a file may be rewritten within one tick of the clock.
    stat = file.stat()
    return stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino


@cache
def _sha256_of_file(path: Path, _: tuple[int, ...]) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
