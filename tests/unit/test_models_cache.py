"""The caches forget and never fail: bounds, damage, several processes, and nothing in the home folder."""

import multiprocessing
import sqlite3
import subprocess
import sys

import numpy as np
import pytest

from plainmark import models
from plainmark.errors import InputError
from plainmark.models import DiskCache, MemoryCache
from plainmark.models._settings import folder_from_environment
from support import tiny_models


def vectors(value, rows=2, size=4):
    return np.full((rows, size), value, dtype=np.float32)


def test_memory_forgets_what_was_used_least_recently():
    cache = MemoryCache(limit=3 * vectors(0).nbytes)
    for i in range(3):
        cache.put({bytes([i]): vectors(i)})
    cache.get([b"\0"])
    cache.put({b"\3": vectors(3)})
    assert sorted(cache.get([b"\0", b"\1", b"\2", b"\3"])) == [b"\0", b"\2", b"\3"]
    cache.put({b"big": vectors(9, rows=100)})
    assert cache.get([b"big"]) == {}
    assert cache.bytes == 3 * vectors(0).nbytes
    assert len(cache) == 3


def test_disk_gives_back_the_same_bits(tmp_path):
    made = {bytes([i]) * 32: np.random.default_rng(i).normal(size=(i + 1, 7)).astype("f4") for i in range(5)}
    DiskCache(tmp_path / "new" / "folder").put(made)
    found = DiskCache(tmp_path / "new" / "folder").get([*made, b"absent"])
    assert found.keys() == made.keys()
    for key, values in made.items():
        assert (found[key] == values).all()


def test_disk_is_bounded_and_keeps_what_was_used_last(tmp_path):
    cache = DiskCache(tmp_path, limit=200_000)
    for i in range(10):
        cache.put({bytes([i]): vectors(i, rows=600)})  # 9,600 bytes each
    for i in range(10, 40):
        cache.put({bytes([i]): vectors(i, rows=600)})
        assert cache.path.stat().st_size <= 220_000
    kept = cache.get(bytes([i]) for i in range(40))
    assert b"\x27" in kept
    assert b"\1" not in kept
    assert 10 < len(kept) < 21
    early = DiskCache(tmp_path / "other", limit=120_000)
    for i in range(8):
        early.put({bytes([i]): vectors(i, rows=600)})
    with sqlite3.connect(early.path) as file:  # as if all had been used long ago, and then the first again
        file.execute("UPDATE vectors SET used = used - 1000000000")
    early.get([b"\0"])
    early.put({b"new": vectors(1, rows=2400)})
    kept = early.get([bytes([i]) for i in range(8)] + [b"new"])
    assert b"\0" in kept
    assert b"\1" not in kept
    assert b"new" in kept


def test_a_damaged_file_is_made_anew(tmp_path):
    cache = DiskCache(tmp_path)
    cache.put({b"k": vectors(1)})
    cache.path.write_bytes(b"this is not a database, and never was one" * 100)
    assert cache.get([b"k"]) == {}
    cache.put({b"k": vectors(2)})
    assert (cache.get([b"k"])[b"k"] == 2).all()


def test_a_damaged_row_is_a_miss(tmp_path):
    cache = DiskCache(tmp_path)
    cache.put({b"a": vectors(1), b"b": vectors(2)})
    with sqlite3.connect(cache.path) as file:
        file.execute("UPDATE vectors SET data = x'00000000' WHERE key = ?", (b"a",))
    assert list(cache.get([b"a", b"b"])) == [b"b"]


def test_a_locked_or_unwritable_file_is_a_miss(tmp_path, monkeypatch):
    cache = DiskCache(tmp_path)
    cache.put({b"a": vectors(1)})
    really = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda path, timeout: really(path, timeout=0.05))
    other = really(cache.path)
    other.execute("BEGIN EXCLUSIVE")
    assert cache.get([b"a"]) == {}
    cache.put({b"b": vectors(2)})
    other.rollback()
    other.close()
    assert list(cache.get([b"a", b"b"])) == [b"a"]


def test_a_cache_folder_that_cannot_be(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be a cache folder"):
        DiskCache(tmp_path / "file")


def _write_and_read(folder, worker):
    cache = DiskCache(folder)
    for i in range(20):
        cache.put({f"{worker}-{i}".encode(): vectors(worker * 100 + i)})
        shared = {f"shared-{i}".encode(): vectors(i)}
        cache.put(shared)
        assert all((v == vectors(i)).all() for v in cache.get(shared).values())


def test_several_processes_share_a_folder(tmp_path):
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_write_and_read, args=(tmp_path, w)) for w in range(3)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
        assert w.exitcode == 0
    found = DiskCache(tmp_path).get(f"{w}-{i}".encode() for w in range(3) for i in range(20))
    assert len(found) == 60
    assert (found[b"2-7"] == 207).all()


def test_an_encoder_uses_both_caches(tmp_path, monkeypatch):
    encoder = models.encoder(str(tiny_models.write(tmp_path / "bert", "bert")))
    with models.using(cache=tmp_path / "cache"):
        first = encoder.sentence_vectors(tiny_models.TEXTS)
        tokens = encoder.token_vectors(tiny_models.TEXTS, layer=1)
    encoder.memory = MemoryCache()

    def never(*_):
        raise AssertionError("computed again")

    monkeypatch.setattr(encoder.backend, "hidden", never)
    with models.using(cache=tmp_path / "cache"):
        assert (encoder.sentence_vectors(tiny_models.TEXTS) == first).all()
        again = encoder.token_vectors(tiny_models.TEXTS, layer=1)
    assert all((a.vectors == b.vectors).all() for a, b in zip(tokens, again, strict=True))
    assert (encoder.sentence_vectors(tiny_models.TEXTS[:1]) == first[:1]).all()  # now from memory
    with pytest.raises(AssertionError, match="computed again"):  # another layer is another thing
        encoder.token_vectors(tiny_models.TEXTS, layer=2)


def test_other_weights_are_other_vectors(tmp_path):
    folder = tiny_models.write(tmp_path / "a", "bert")
    other = tiny_models.write(tmp_path / "b", "bert")
    data = bytearray((other / "model.safetensors").read_bytes())
    data[-40] ^= 1
    (other / "model.safetensors").write_bytes(data)
    assert models.encoder(str(folder)).fingerprint != models.encoder(str(other)).fingerprint


def test_the_cache_folder_is_the_users_choice(monkeypatch, tmp_path):
    monkeypatch.delenv("PLAINMARK_CACHE", raising=False)
    assert folder_from_environment() is None
    assert models.settings().cache is None
    monkeypatch.setenv("PLAINMARK_CACHE", str(tmp_path / "here"))
    assert models.settings().cache == tmp_path / "here"
    with models.using(threads=1) as inside:
        assert (inside.cache, inside.workers) == (tmp_path / "here", 1)
    monkeypatch.setenv("PLAINMARK_CACHE", "xdg")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert folder_from_environment() == tmp_path / "xdg" / "plainmark"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert folder_from_environment() == tmp_path / ".cache" / "plainmark"


def test_the_command_line_writes_where_it_is_told(tmp_path):
    for name in ("o", "r"):
        (tmp_path / name).write_text("A cat sat.\n")
    command = [sys.executable, "-m", "plainmark", "score", "o", "-r", "r", "-m", "bertscore"]
    environment = {"HOME": str(tmp_path / "home"), "PLAINMARK_CACHE": str(tmp_path / "cache")}
    (tmp_path / "home").mkdir()
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert "100.00" in done.stdout, done.stderr
    assert [p.name for p in (tmp_path / "cache").iterdir()] == ["vectors.sqlite"]
    assert not list((tmp_path / "home").iterdir())
