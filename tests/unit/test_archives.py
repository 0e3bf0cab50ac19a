"""AllenNLP archives: what a good one holds is read, and hostile ones are refused before they do anything."""

import gzip
import io
import json
import pickle
import tarfile

import numpy as np
import pytest

from plainmark.errors import InputError
from plainmark.models import archives
from support import tiny_questions
from support.optional import torch

SETTINGS = {"model": {"type": "lerc", "x": 1}}
TENSORS = {"a.weight": np.arange(6, dtype=np.float32).reshape(2, 3)}


def make(path, members):
    """An archive of (name or TarInfo, bytes)."""
    with tarfile.open(path, "w:gz") as tar:
        for name, content in members:
            info = name if isinstance(name, tarfile.TarInfo) else tarfile.TarInfo(name)
            if info.isfile():
                info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return path


def good():
    weights = tiny_questions.weights_bytes(torch, TENSORS)
    return [("config.json", json.dumps(SETTINGS).encode()), ("weights.th", weights)]


@pytest.mark.torch
@pytest.mark.parametrize("zipped", [True, False], ids=["torch since 1.6", "torch before 1.6"])
def test_settings_and_tensors(tmp_path, zipped):
    held = io.BytesIO()
    torch.save({"a.weight": torch.ones(2)}, held, _use_new_zipfile_serialization=zipped)
    members = [
        ("./config.json", good()[0][1]),
        ("./vocabulary/x.txt", b"x"),
        ("./weights.th", held.getvalue()),
    ]
    settings, tensors = archives.read(make(tmp_path / "model.tar.gz", members), "lerc")
    assert settings == SETTINGS
    assert tensors["a.weight"].tolist() == [1, 1]
    assert archives.find(tmp_path) == tmp_path / "model.tar.gz"
    assert archives.find(tmp_path / "model.tar.gz") == tmp_path / "model.tar.gz"


@pytest.mark.torch
def test_an_unpacked_archive(tmp_path):
    for name, content in good():
        (tmp_path / name).write_bytes(content)
    assert archives.find(tmp_path) == tmp_path
    _, tensors = archives.read(tmp_path, "lerc")
    assert tensors["a.weight"].tolist() == TENSORS["a.weight"].tolist()
    (tmp_path / "config.json").unlink()
    with pytest.raises(InputError, match=r"no config\.json beside weights\.th"):
        archives.read(tmp_path, "lerc")
    (tmp_path / "weights.th").unlink()
    assert archives.find(tmp_path) is None


def link(name, kind, target):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


@pytest.mark.torch
@pytest.mark.parametrize(
    "member",
    [
        "../weights.th",
        "a/../../weights.th",
        "/etc/weights.th",
        link("weights.th", tarfile.SYMTYPE, "/etc/passwd"),
        link("weights.th", tarfile.LNKTYPE, "config.json"),
        link("weights.th", tarfile.CHRTYPE, ""),
        link("weights.th", tarfile.FIFOTYPE, ""),
    ],
    ids=lambda m: m if isinstance(m, str) else f"a member of type {m.type.decode()}",
)
def test_members_that_lead_elsewhere_are_refused(tmp_path, member):
    path = make(tmp_path / "model.tar.gz", [*good()[:1], (member, b"x")])
    with pytest.raises(InputError, match="leads out of the archive or is no plain file; it is refused"):
        archives.read(path, "lerc")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["model.tar.gz"]


def test_a_size_that_is_only_claimed_is_refused_unread(tmp_path):
    info = tarfile.TarInfo("weights.th")
    info.size = archives.LARGEST + 1
    path = tmp_path / "bomb.tar.gz"
    with gzip.open(path, "wb") as file:
        file.write(info.tobuf() + bytes(512))
    with pytest.raises(InputError, match="larger than any published model; it is rejected"):
        archives.read(path, "lerc")


def test_too_much_is_refused(tmp_path, monkeypatch):
    settings = [("config.json", b" " * (archives.LARGEST_SETTINGS + 1))]
    with pytest.raises(InputError, match="larger than any published model"):
        archives.read(make(tmp_path / "a.tar.gz", settings), "lerc")
    monkeypatch.setattr(archives, "LARGEST", 3000)
    members = [(f"vocabulary/{i}", b"x" * 1000) for i in range(4)]
    with pytest.raises(InputError, match="larger than any published model"):
        archives.read(make(tmp_path / "b.tar.gz", members), "lerc")
    monkeypatch.setattr(archives, "MOST", 3)
    members = [(f"vocabulary/{i}", b"") for i in range(4)]
    with pytest.raises(InputError, match="larger than any published model"):
        archives.read(make(tmp_path / "c.tar.gz", members), "lerc")


class Evil:
    def __reduce__(self):
        return print, ("code from an archive ran",)


@pytest.mark.torch
def test_no_code_of_an_archive_runs(tmp_path, capsys):
    held = io.BytesIO()
    torch.save({"a": Evil()}, held)
    for payload in (held.getvalue(), pickle.dumps(Evil())):
        path = make(tmp_path / "model.tar.gz", [*good()[:1], ("weights.th", payload)])
        with pytest.raises(InputError, match="cannot be read without running code from it"):
            archives.read(path, "lerc")
    assert "ran" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("members", "says"),
    [
        ([], r"no config\.json in it"),
        ([("config.json", b"{}")], r"no weights\.th in it"),
        ([("config.json", b"{"), ("weights.th", b"")], r"config\.json is not JSON"),
        ([("config.json", b"[1]"), ("weights.th", b"")], r"config\.json is not JSON"),
        ([("config.json", b"[" * 100_000), ("weights.th", b"")], r"config\.json is not JSON"),
        (
            [("config.json", b'{"model": 3}'), ("weights.th", b"")],
            "its model is of type 'None', expected 'lerc'",
        ),
        (
            [("config.json", b'{"model": {"type": "bidaf"}}'), ("weights.th", b"")],
            "its model is of type 'bidaf', expected 'lerc'",
        ),
    ],
)
def test_what_is_no_such_archive(tmp_path, members, says):
    with pytest.raises(InputError, match=says):
        archives.read(make(tmp_path / "model.tar.gz", members), "lerc")


@pytest.mark.torch
def test_what_is_no_archive(tmp_path):
    whole = make(tmp_path / "model.tar.gz", good()).read_bytes()
    for content in (b"", b"plain text", whole[: len(whole) // 2]):
        (tmp_path / "x.tar.gz").write_bytes(content)
        with pytest.raises(InputError, match=r"is no \.tar\.gz that can be read"):
            archives.read(tmp_path / "x.tar.gz", "lerc")
