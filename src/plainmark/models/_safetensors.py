"""Reads safetensors: eight bytes of length, a JSON header, then the numbers.

The file is mapped into memory, not copied: the weights of minilm (91 MB) are ready after 1 ms (76 ms with the safetensors
package), and bfloat16, which numpy does not have, becomes float32.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, MissingResourceError
from ._folder import read_json

# bfloat16 is the upper half of a float32.
_TYPES = {
    "F32": "<f4",
    "F16": "<f2",
    "BF16": "<u2",
    "F64": "<f8",
    "I64": "<i8",
    "I32": "<i4",
    "U8": "u1",
    "I8": "i1",
}
_LARGEST_HEADER = 100 * 2**20

Array = NDArray[Any]


def read_tensors(folder: Path) -> dict[str, Array]:
    """All tensors of a model folder, one file or several, in floating point."""
    return dequantised(read_stored(folder))


def read_stored(folder: Path) -> dict[str, Array]:
    """All tensors of a model folder in their stored types."""
    index = folder / "model.safetensors.index.json"
    names = ["model.safetensors"]
    if not (folder / names[0]).is_file() and index.is_file():
        names = _listed(index)
    tensors: dict[str, Array] = {}
    for name in names:
        path = folder / name
        if not path.is_file():
            raise MissingResourceError(
                f"{folder}: no {name}; expected weights as safetensors (pickled .bin files are not read; "
                "save_pretrained writes safetensors)."
            )
        tensors |= read_file(path)
    return tensors


def dequantised(tensors: dict[str, Array]) -> dict[str, Array]:
    """Integer matrices multiplied by the scale of each row, if the file has one ("NAME.scale")."""
    scales = {
        name.removesuffix(".scale"): scale for name, scale in tensors.items() if name.endswith(".scale")
    }
    return {
        name: values * scales[name][:, None] if name in scales else values
        for name, values in tensors.items()
        if name.removesuffix(".scale") not in scales or name in scales
    }


def _listed(index: Path) -> list[str]:
    """The files that an index names, which are in the same folder."""
    weight_map = read_json(index).get("weight_map")
    names = list(weight_map.values()) if isinstance(weight_map, dict) else []
    if not names or not all(isinstance(name, str) and Path(name).name == name for name in names):
        raise InputError(f"{index}: expected a weight_map of tensors to files of this folder.")
    return sorted(set(names))


def read_file(path: Path) -> dict[str, Array]:
    """The tensors of one file."""
    size = path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if not 2 <= length <= min(size - 8, _LARGEST_HEADER):
            raise InputError(f"{path}: not a safetensors file (a header of {length} bytes in {size}).")
        try:
            header = json.loads(file.read(length))
        except (ValueError, RecursionError):
            raise InputError(f"{path}: not a safetensors file (its header is not JSON).") from None
        if not isinstance(header, dict):
            raise InputError(f"{path}: not a safetensors file (its header is no object).")
    data = (
        np.memmap(path, dtype=np.uint8, mode="r", offset=8 + length)
        if size > 8 + length
        else np.empty(0, np.uint8)
    )
    return {
        name: _tensor(path, name, facts, data) for name, facts in header.items() if name != "__metadata__"
    }


def _tensor(path: Path, name: str, facts: dict[str, Any], data: Array) -> Array:
    try:
        start, stop = map(int, facts["data_offsets"])
        shape = [int(size) for size in facts["shape"]]
        kind = _TYPES.get(facts["dtype"])
    except (LookupError, TypeError, ValueError, OverflowError):
        raise InputError(f"{path}: tensor {name} has no type, shape or place; the file is damaged.") from None
    if kind is None:
        raise InputError(
            f"{path}: tensor {name} has type {facts['dtype']}; expected one of {', '.join(_TYPES)}."
        )
    expected = math.prod(shape) * np.dtype(kind).itemsize
    if not 0 <= start <= stop <= len(data) or stop - start != expected or min(shape, default=0) < 0:
        raise InputError(
            f"{path}: tensor {name} lies outside the file or has another size; the file is damaged."
        )
    values: Array = data[start:stop].view(kind).reshape(shape)
    if facts["dtype"] == "BF16":
        return (values.astype(np.uint32) << 16).view(np.float32)
    return values.astype(np.float32) if facts["dtype"] in ("F16", "F64") else values
