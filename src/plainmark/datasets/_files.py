"""What released files hold, field by field; every complaint names the file and the line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ..errors import InputError
from ..files import read_lines


def read_references(paths: Sequence[str], expected: int) -> list[tuple[str, ...]]:
    """One tuple of references a sample, from files with one reference of every sample each."""
    return list(zip(*(read_lines(path, expected) for path in paths), strict=True))


@contextmanager
def complaining(where: str) -> Iterator[None]:
    """A block that reads fields; one that is absent or of another kind is said in one line."""
    try:
        yield
    except KeyError as problem:
        raise InputError(f"{where}: no field {problem}.") from None
    except (TypeError, AttributeError, IndexError, ValueError) as problem:
        raise InputError(f"{where}: not as expected ({problem}).") from None


def text(value: object) -> str:
    """A text of a released file, or TypeError for `complaining`."""
    if not isinstance(value, str):
        raise TypeError(f"found {type(value).__name__}, expected text")
    return value


def number(value: object, where: str) -> float:
    """A cell as a number."""
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise InputError(f"{where}: {value!r} is not a number.") from None
