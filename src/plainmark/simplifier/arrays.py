"""Types of arrays, look-up in sorted keys, and archives of named arrays."""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..kernels import Floats, Ints
from ..limits import limits
from ..writing import write_bytes_atomically

Reals = NDArray[np.float32]
Flags = NDArray[np.bool_]
Hashes = NDArray[np.uint64]
Symbols = NDArray[np.int32]

__all__ = [
    "Flags",
    "Floats",
    "Hashes",
    "Ints",
    "Reals",
    "Symbols",
    "damaged",
    "look_up",
    "offsets_of",
    "rank_in_group",
    "read_arrays",
    "write_arrays",
]


def offsets_of(lengths: NDArray[np.generic]) -> Ints:
    """The start of each run of these lengths, and the end of the last one."""
    return np.concatenate([[0], np.cumsum(lengths.astype(np.int64))]).astype(np.int64)


def look_up(keys: NDArray[Any], values: NDArray[Any], queries: NDArray[Any]) -> NDArray[Any]:
    """The values for queries, by sorted keys; 0 for missing keys."""
    if not len(keys):
        return np.zeros((len(queries), *values.shape[1:]), values.dtype)
    place = np.minimum(np.searchsorted(keys, queries), len(keys) - 1)
    present = (keys[place] == queries).reshape(-1, *[1] * (values.ndim - 1))
    return np.where(present, values[place], values.dtype.type(0))


def rank_in_group(keys: NDArray[Any]) -> Ints:
    """For each of the sorted keys, the number of equal keys before it."""
    return np.arange(len(keys)) - np.searchsorted(keys, keys, "left")


def write_arrays(path: str | PathLike[str], arrays: Mapping[str, Any]) -> None:
    """Write arrays by name as a compressed archive."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **dict(arrays))
    write_bytes_atomically(path, buffer.getvalue())


def read_arrays(path: str | PathLike[str], content: str) -> dict[str, NDArray[Any]]:
    """The arrays that `write_arrays` wrote; `content` describes the file in error messages."""
    try:
        data = Path(path).read_bytes()
    except OSError as problem:
        raise InputError(f"{path}: cannot read {content} ({problem.strerror}).") from None
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(member.file_size for member in archive.infolist())
            if size > limits().unpacked_bytes(len(data)):
                raise InputError(
                    f"{path}: unpacks to {size:,} bytes, over {limits().ratio} times its packed size; if it is meant to,"
                    " raise the limit: --limits ratio=N."
                )
            return {
                member.filename.removesuffix(".npy"): _array(archive, member) for member in archive.infolist()
            }
    except (InputError, MemoryError):
        raise
    except Exception:  # the errors of zip, zlib and numpy have no common base
        raise damaged(path, content) from None


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> NDArray[Any]:
    """An array, if its shape fits the number of bytes; numpy would allocate memory for any claimed shape."""
    with archive.open(member) as file:
        start = io.BytesIO(file.read(member.file_size))
    version = np.lib.format.read_magic(start)
    if version not in ((1, 0), (2, 0)):
        raise ValueError(f"an array of version {version}")
    read_header = (
        np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    )
    shape, fortran, kind = read_header(start)
    if kind.hasobject or min(shape, default=0) < 0:
        raise ValueError("an array of objects, or of a negative size")
    values = np.frombuffer(start.getbuffer()[start.tell() :], kind, math.prod(shape))
    return np.array(values.reshape(shape, order="F" if fortran else "C"))


def damaged(path: str | PathLike[str], content: str) -> InputError:
    """The error for a file with unexpected content."""
    return InputError(f"{path}: not {content} (or damaged); rebuild it.")
