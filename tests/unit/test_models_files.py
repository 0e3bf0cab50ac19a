"""Weights and settings on disk: safetensors, GGUF, JSON; what is damaged is named."""

import json
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark import models
from plainmark.errors import InputError, MissingResourceError
from plainmark.models._gguf import read_gguf
from plainmark.models._safetensors import read_file, read_tensors
from support import tiny_models


def test_tensors_of_every_type(tmp_path):
    values = np.array([[1.5, -2.0], [0.25, 3.0]], dtype=np.float32)
    bfloat = (values.view(np.uint32) >> 16).astype(np.uint16)
    tiny_models.write_safetensors(
        tmp_path / "model.safetensors", {"a": values, "b": values.astype(np.float16), "c": bfloat}
    )
    for name, found in read_tensors(tmp_path).items():
        assert found.dtype == np.float32, name
        np.testing.assert_array_equal(found, values)


def test_several_files_with_an_index(tmp_path):
    for i in (1, 2):
        tiny_models.write_safetensors(tmp_path / f"part{i}.safetensors", {f"t{i}": np.full(3, i, np.float32)})
    index = {"weight_map": {"t1": "part1.safetensors", "t2": "part2.safetensors"}}
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index))
    assert {k: v.tolist() for k, v in read_tensors(tmp_path).items()} == {"t1": [1] * 3, "t2": [2] * 3}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not a safetensors file"),
        (b"\xff" * 16, "not a safetensors file"),
        (struct.pack("<Q", 4) + b"{,}}" + b"\0" * 8, "header is not JSON"),
        (
            struct.pack("<Q", 56) + b'{"a":{"dtype":"F32","shape":[9],"data_offsets":[0,36]}} ',
            "tensor a lies outside the file",
        ),
        (
            struct.pack("<Q", 56) + b'{"a":{"dtype":"F8_","shape":[0],"data_offsets":[0,0]} } ',
            "tensor a has type F8_",
        ),
        (struct.pack("<Q", 2) + b"[]" + b"\0" * 8, "header is no object"),
        (struct.pack("<Q", 200_000) + b"[" * 200_000, "header is not JSON"),
        (struct.pack("<Q", 8) + b'{"a":{}}', "tensor a has no type, shape or place"),
        (struct.pack("<Q", 7) + b'{"a":1}', "tensor a has no type, shape or place"),
        (
            struct.pack("<Q", 60)
            + b'{"a":{"dtype":"F32","shape":[-1,-1],"data_offsets":[0,4]}}  '
            + b"\0" * 4,
            "tensor a lies outside the file or has another size",
        ),
    ],
)
def test_damaged_safetensors(tmp_path, data, message):
    path = tmp_path / "model.safetensors"
    path.write_bytes(data)
    with pytest.raises(InputError, match=message):
        read_file(path)


def test_folders_that_are_no_models(tmp_path):
    with pytest.raises(InputError, match=r"no config.json; expected a model folder"):
        models.encoder(str(tmp_path))
    (tmp_path / "config.json").write_text("[]")
    with pytest.raises(InputError, match="expected an object, found list"):
        models.encoder(str(tmp_path))
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(InputError, match="is not JSON"):
        models.encoder(str(tmp_path))
    folder = tiny_models.write(tmp_path / "bert", "bert")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(
        MissingResourceError, match=r"no model.safetensors; .*pickled .bin files are not read"
    ):
        models.encoder(str(folder))
    tiny_models.write_safetensors(folder / "model.safetensors", {"x": np.zeros(1, np.float32)})
    with pytest.raises(InputError, match=r"no tensor 'embeddings.position_embeddings.weight'"):
        models.encoder(str(folder))
    lonely = tiny_models.write(tmp_path / "gpt2", "gpt2")
    tiny_models.write(tmp_path / "bert2", "bert")
    (tmp_path / "bert2" / "tokenizer.json").write_text((lonely / "tokenizer.json").read_text())
    with pytest.raises(InputError, match="the tokeniser adds 0 marks to a text, expected 2"):
        models.encoder(str(tmp_path / "bert2"))
    config = json.loads((lonely / "config.json").read_text())
    del config["bos_token_id"], config["eos_token_id"]
    (lonely / "config.json").write_text(json.dumps(config))
    with pytest.raises(InputError, match="names no bos_token_id"):
        models.language_model(str(lonely))


def gguf(facts=(), tensors=(), data=b"", version=3):
    """A small GGUF file: facts are (name, type, packed value), tensors (name, shape, type, offset)."""

    def text(s):
        return struct.pack("<Q", len(s)) + s.encode()

    out = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(facts))
    for name, kind, packed in facts:
        out += text(name) + struct.pack("<I", kind) + packed
    for name, shape, kind, offset in tensors:
        out += text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape)
        out += struct.pack("<IQ", kind, offset)
    return out + b"\0" * (-len(out) % 32) + data


def test_gguf_blocks_by_hand(tmp_path):
    path = tmp_path / "x.gguf"
    low, high = np.arange(16) % 16, 15 - np.arange(16)
    nibbles = (low | high << 4).astype(np.uint8).tobytes()
    integers = np.concatenate([low, high]).astype(float)
    half = struct.pack("<e", 0.5)
    fifth = struct.pack("<I", 0xF000000F)  # the first and the last four numbers are 16 more
    more = integers + 16 * np.array([1] * 4 + [0] * 24 + [1] * 4)
    cases = {  # type: (block, values)
        2: (half + nibbles, 0.5 * (integers - 8)),
        3: (half + struct.pack("<e", -3.0) + nibbles, 0.5 * integers - 3),
        6: (half + fifth + nibbles, 0.5 * (more - 16)),
        7: (half + struct.pack("<e", 2.0) + fifth + nibbles, 0.5 * more + 2),
        8: (half + bytes(range(120, 152)), 0.5 * np.arange(120, 152, dtype=np.uint8).view(np.int8)),
        0: (struct.pack("<32f", *range(32)), np.arange(32.0)),
        1: (struct.pack("<32e", *range(32)), np.arange(32.0)),
    }
    for kind, (block, values) in cases.items():
        path.write_bytes(gguf(tensors=[("t", (16, 2), kind, 0)], data=block))
        np.testing.assert_allclose(read_gguf(path).tensors["t"], values.reshape(2, 16), err_msg=str(kind))


def test_gguf_facts(tmp_path):
    path = tmp_path / "x.gguf"
    words = struct.pack("<IQ", 8, 2) + b"".join(struct.pack("<Q", 1) + w for w in (b"a", b"b"))
    facts = [("n", 4, struct.pack("<I", 7)), ("yes", 7, b"\1"), ("words", 9, words)]
    path.write_bytes(gguf(facts))
    assert read_gguf(path).facts == {"n": 7, "yes": True, "words": ["a", "b"]}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"GGML" + b"\0" * 40, "not a GGUF file"),
        (gguf(version=1), "GGUF version 1; expected 2 or 3"),
        (gguf()[:10], "ends too early"),
        (gguf([("x", 99, b"")]), "a value of type 99"),
        (gguf([("x", 9, struct.pack("<IQ", 9, 1) * 5000)]), "lists inside lists"),
        (gguf([("general.alignment", 4, struct.pack("<I", 0))]), "general.alignment is 0"),
        (gguf(tensors=[("t", (2**32, 2**32), 0, 0)]), "tensor t does not fit into the file"),
        (gguf(tensors=[("t", (32,), 14, 0)]), "tensor t is of GGUF type 14"),
        (gguf(tensors=[("t", (64,), 8, 0)], data=b"\0" * 34), "tensor t does not fit into the file"),
    ],
)
def test_damaged_gguf(tmp_path, data, message):
    path = tmp_path / "x.gguf"
    path.write_bytes(data)
    with pytest.raises(InputError, match=message):
        read_gguf(path)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "any.gguf"
    path.write_bytes(b"GGUF" + data)
    try:
        read_gguf(path)
    except InputError as problem:
        assert str(path) in str(problem)  # noqa: PT017


def test_gguf_of_other_kinds_is_refused(tmp_path):
    word = struct.pack("<Q", 5) + b"mamba"
    (tmp_path / "x.gguf").write_bytes(gguf([("general.architecture", 8, word)]))
    with pytest.raises(InputError, match="architecture 'mamba'; only llama can be read from GGUF files"):
        models.language_model(str(tmp_path))
