"""Computation graphs in ONNX's file format, written without the onnx package (36 MB with protobuf and ml_dtypes).

The format is protocol buffers: a field is a key (number << 3 | wire type), followed by a varint, four bytes, or a length
and that number of bytes. Weights stay outside the graph and are passed to the runtime unchanged, so that nothing is copied.
Reference: the message definitions of ONNX (onnx.proto), field numbers only.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import MissingResourceError

OPSETS = {"": 17, "com.microsoft": 1}
_TYPES = {np.dtype(np.float32): 1, np.dtype(np.int32): 6, np.dtype(np.int64): 7}

Array = NDArray[Any]


@dataclass
class OnnxGraph:
    """A graph under construction; every method that adds something returns the name of its result."""

    nodes: list[bytes] = field(default_factory=list)
    inputs: list[bytes] = field(default_factory=list)
    outputs: list[bytes] = field(default_factory=list)
    weights: dict[str, Array] = field(default_factory=dict)

    def input(self, name: str, kind: type, shape: Sequence[str | int]) -> str:
        """An input; dimensions are numbers or names."""
        self.inputs.append(_value_info(name, np.dtype(kind), shape))
        return name

    def output(self, name: str, shape: Sequence[str | int]) -> None:
        """Declare a result as an output of the graph."""
        self.outputs.append(_value_info(name, np.dtype(np.float32), shape))

    def weight(self, name: str, values: Array) -> str:
        """A constant, kept outside the graph."""
        self.weights[name] = np.ascontiguousarray(values)
        return name

    def add(
        self,
        operator: str,
        *inputs: str,
        name: str = "",
        domain: str = "",
        extra: Sequence[str] = (),
        **attributes: int | float | list[int],
    ) -> str:
        """An operation on named values; "" is an omitted optional input, `extra` names further results."""
        result_name = name or f"{operator}_{len(self.nodes)}"
        parts = [_text(1, i) for i in inputs]
        parts += [_text(2, result) for result in (result_name, *extra)]
        parts += [_text(4, operator), _text(7, domain)]
        parts += [_bytes(5, _attribute(k, v)) for k, v in attributes.items()]
        self.nodes.append(b"".join(parts))
        return result_name

    def microsoft(
        self,
        operator: str,
        *inputs: str,
        name: str = "",
        extra: Sequence[str] = (),
        **attributes: int | float,
    ) -> str:
        """One of onnxruntime's fused operations."""
        return self.add(operator, *inputs, name=name, domain="com.microsoft", extra=extra, **attributes)

    def times_transposed(self, state: str, matrix: str) -> str:
        """The product with a matrix that is stored by rows of results, as in torch."""
        return self.microsoft("FusedMatMul", state, matrix, transB=1)

    def serialise(self) -> bytes:
        """The graph as a model file that declares its weights as external."""
        graph = [_bytes(1, n) for n in self.nodes]
        graph += [_text(2, "plainmark")]
        graph += [_bytes(5, _external(name, w)) for name, w in self.weights.items()]
        graph += [_bytes(11, i) for i in self.inputs] + [_bytes(12, o) for o in self.outputs]
        opsets = [_bytes(8, _text(1, domain) + _number(2, v)) for domain, v in OPSETS.items()]
        return b"".join([_number(1, 8), _text(2, "plainmark"), _bytes(7, b"".join(graph)), *opsets])


def session(graph: OnnxGraph) -> Any:
    """The graph, ready to run."""
    onnxruntime = runtime()
    options = onnxruntime.SessionOptions()
    # One thread per batch, several batches at a time: faster than splitting a batch, and bit-identical every time.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(w) for w in graph.weights.values()]
    options.add_external_initializers(list(graph.weights), values)
    return onnxruntime.InferenceSession(graph.serialise(), options, providers=["CPUExecutionProvider"])


def runtime() -> Any:
    """onnxruntime, prevented from writing an identifier into the home folder and from sending anything."""
    # Both names are in use; they are read only when the library is loaded.
    for name in ("ORT_DISABLE_TELEMETRY", "ORT_TELEMETRY_DISABLED"):
        os.environ.setdefault(name, "1")
    try:
        import onnxruntime
    except ImportError:
        raise MissingResourceError(
            "running a learned model needs onnxruntime; install it with pip install 'plainmark[models]'."
        ) from None
    return onnxruntime


def _varint(value: int) -> bytes:
    value &= 2**64 - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def _number(key: int, value: int) -> bytes:
    return _varint(key << 3) + _varint(value)


def _bytes(key: int, value: bytes) -> bytes:
    return _varint(key << 3 | 2) + _varint(len(value)) + value


def _text(key: int, value: str) -> bytes:
    return _bytes(key, value.encode())


def _attribute(name: str, value: int | float | list[int]) -> bytes:
    if isinstance(value, float):
        return _text(1, name) + _varint(2 << 3 | 5) + struct.pack("<f", value) + _number(20, 1)
    if isinstance(value, int):
        return _text(1, name) + _number(3, value) + _number(20, 2)
    return _text(1, name) + b"".join(_number(8, v) for v in value) + _number(20, 7)


def _value_info(name: str, kind: np.dtype[Any], shape: Sequence[str | int]) -> bytes:
    dimensions = [_bytes(1, _text(2, d) if isinstance(d, str) else _number(1, d)) for d in shape]
    tensor = _number(1, _TYPES[kind]) + _bytes(2, b"".join(dimensions))
    return _text(1, name) + _bytes(2, _bytes(1, tensor))


def _external(name: str, values: Array) -> bytes:
    dimensions = b"".join(_number(1, d) for d in values.shape)
    location = _bytes(13, _text(1, "location") + _text(2, "memory"))
    return dimensions + _number(2, _TYPES[values.dtype]) + _text(8, name) + location + _number(14, 1)
