"""Damaged, enormous and misleading files, full disks and little memory: one line says what is wrong, and nothing breaks."""

import copy
import csv
import gzip
import io
import json
import lzma
import os
import pty
import resource
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest

from plainmark.cli import main
from plainmark.errors import InputError
from plainmark.meta.score_files import read_scores
from plainmark.models import _safetensors
from plainmark.simplifier.arrays import read_arrays, write_arrays
from plainmark.simplifier.model import BUILT_IN, load_simplifier
from plainmark.study import load, open_store
from plainmark.table import Cell, Table, csv_text, visible, with_apostrophe, without_apostrophe
from plainmark.writing import STALE, write_atomically, writing_bytes
from support import studies

MEGABYTE = 2**20


def in_child(*words, limit=None, cwd=None, stdout=subprocess.PIPE):
    """A command in a process of its own, within a limit of its resources."""
    command = [sys.executable, "-W", "ignore", "-m", "plainmark", *map(str, words)]

    def lower():
        for kind, size in (limit or {}).items():
            resource.setrlimit(kind, (size, size))

    return subprocess.run(
        command, stdout=stdout, stderr=subprocess.PIPE, text=True, preexec_fn=lower, cwd=cwd, timeout=120
    )


def is_one_line(child, *texts):
    assert child.returncode == 2, child.stderr
    assert child.stderr.startswith("plainmark: ")
    assert child.stderr.count("\n") == 1
    for text in texts:
        assert text in child.stderr
    return True


@pytest.fixture
def corpus(tmp_path):
    """Output and reference of a few hundred samples."""
    path = tmp_path / "o.txt"
    path.write_text("".join(f"The cat number {i} sat on the mat.\n" for i in range(400)))
    return path


# What is larger than it looks. Each is read, or refused in one line, within 500 MB or ten times the file.


def zip_bomb(path, megabytes):
    """An archive of zeros as arrays, packed a thousandfold."""
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "|u1", "fortran_order": False, "shape": (megabytes * MEGABYTE,)}
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("words.npy", "w") as file:
        file.write(header.getvalue())
        for _ in range(megabytes):
            file.write(bytes(MEGABYTE))


def packed(path, start=b"", unit=bytes(MEGABYTE), count=600):
    with (gzip.open if path.suffix == ".gz" else lzma.open)(path, "wb") as file:
        file.write(start)
        for _ in range(count):
            file.write(unit)


def sparse(path, start=b"", megabytes=1500):
    """A plain file that takes no room on the disk."""
    with path.open("wb") as file:
        file.write(start)
        file.truncate(len(start) + megabytes * MEGABYTE)


READ_CORPUS = "from plainmark.reading import read_corpus; read_corpus(output=path)"
LOAD_LM = "from plainmark.lm import LanguageModel; LanguageModel.load(path)"
READ_ARRAYS = "from plainmark.simplifier.arrays import read_arrays; read_arrays(path, 'rules')"
READ_GGUF = "from plainmark.models._gguf import read_gguf; read_gguf(Path(path))"
READ_TENSORS = "from plainmark.models._safetensors import read_file; read_file(Path(path))"
READ_JSON = "from plainmark.files import read_json; read_json(path)"
BOMBS = {
    "one line of zeros .gz": ("o.txt.gz", READ_CORPUS, lambda p: packed(p)),
    "one line of zeros .xz": ("o.txt.xz", READ_CORPUS, lambda p: packed(p)),
    "many long lines .gz": ("o.txt.gz", READ_CORPUS, lambda p: packed(p, b"", b"x" * (MEGABYTE - 1) + b"\n")),
    "many short lines .xz": ("o.txt.xz", READ_CORPUS, lambda p: packed(p, b"", b"x\n" * (MEGABYTE // 2))),
    "one giant line": ("o.txt", READ_CORPUS, lambda p: sparse(p, b"x", 300)),
    "one giant JSON line .gz": (
        "o.jsonl.gz",
        READ_CORPUS,
        lambda p: packed(p, b'{"output": "', b" " * MEGABYTE),
    ),
    "one giant cell .gz": (
        "o.csv.gz",
        READ_CORPUS,
        lambda p: packed(p, b'output\n"', b"x\n" * (MEGABYTE // 2)),
    ),
    "nested lists": ("o.jsonl", READ_CORPUS, lambda p: p.write_bytes(b"[" * 3 * MEGABYTE)),
    "one giant JSON value .gz": ("x.json.gz", READ_JSON, lambda p: packed(p, b"[", b"0," * (MEGABYTE // 2))),
    "language model .gz": ("m.lm.gz", LOAD_LM, lambda p: packed(p, b"plainlm1")),
    "language model of 4 MB": ("m.lm", LOAD_LM, lambda p: sparse(p, b"plainlm1", 4)),
    "ARPA .xz": (
        "m.arpa.xz",
        LOAD_LM,
        lambda p: packed(p, b"\\data\\\nngram 1=9\n\n\\1-grams:\n", b"-1 a\n" * 9999),
    ),
    "npz": ("rules.npz", READ_ARRAYS, lambda p: zip_bomb(p, 1500)),
    "GGUF that claims 2^60 facts": (
        "m.gguf",
        READ_GGUF,
        lambda p: p.write_bytes(
            b"GGUF" + np.array([3], "<u4").tobytes() + np.array([1, 2**60], "<u8").tobytes()
        ),
    ),
    "GGUF list of 2^60 nothings": (
        "m.gguf",
        READ_GGUF,
        lambda p: p.write_bytes(
            b"GGUF"
            + np.array([3], "<u4").tobytes()
            + np.array([0, 1, 1], "<u8").tobytes()
            + b"x"
            + np.array([9, 0], "<u4").tobytes()
            + np.array([2**60], "<u8").tobytes()
            + bytes(4 * MEGABYTE)
        ),
    ),
    "safetensors that claims a giant header": (
        "m.safetensors",
        READ_TENSORS,
        lambda p: sparse(p, np.array([2**33], "<u8").tobytes(), 100),
    ),
}


@pytest.mark.parametrize("name", BOMBS)
def test_peak_memory_of_readers_on_bombs(tmp_path, name):
    file, read, build = BOMBS[name]
    path = tmp_path / file
    build(path)
    script = (
        "import sys\nfrom pathlib import Path\nfrom plainmark.errors import PlainmarkError\n"
        f"path = sys.argv[1]\ntry:\n    {read}\nexcept PlainmarkError as problem:\n    print(' '.join(str(problem).split()))\n"
        # Not ru_maxrss, which remembers the process that started this one.
        "print(next(l.split()[1] for l in open('/proc/self/status') if l.startswith('VmHWM')))\n"
    )
    # Address space is bounded as well, so that a bomb cannot take the machine with it.
    child = subprocess.run(
        [sys.executable, "-c", script, str(path)],
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30)),
    )
    assert child.returncode == 0, child.stderr[-2000:]
    *refused, kilobytes = child.stdout.splitlines()
    size = path.stat().st_size
    assert len(refused) == 1, "every bomb is refused, in one line"
    assert int(kilobytes) * 1024 <= max(10 * size, 500 * MEGABYTE)


def test_an_array_that_claims_more_than_there_is(tmp_path):
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (2**40,)})
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("a.npy", header.getvalue() + bytes(64))
    with pytest.raises(InputError, match="not rules"):
        read_arrays(tmp_path / "a.npz", "rules")


def test_arrays_come_back(tmp_path):
    arrays = {
        "a": np.arange(6).reshape(2, 3),
        "b": np.zeros((0, 2), np.float32),
        "c": np.asfortranarray(np.eye(3)),
    }
    write_arrays(tmp_path / "a.npz", arrays)
    back = read_arrays(tmp_path / "a.npz", "arrays")
    assert list(back) == list(arrays)
    for name, values in arrays.items():
        np.testing.assert_array_equal(back[name], values)
        assert back[name].dtype == values.dtype
        assert back[name].flags.writeable


# Damaged files.


def test_bits_flipped_in_archives_of_arrays(tmp_path):
    """Each is read, or refused as damaged; none shows an error of zip, zlib or numpy."""
    write_arrays(tmp_path / "a.npz", {"a": np.arange(50), "b": np.linspace(0, 1, 30)})
    good = (tmp_path / "a.npz").read_bytes()
    rng = np.random.default_rng(1)
    refused = 0
    for _ in range(1500):
        data = bytearray(good)
        for at in rng.integers(0, len(good), rng.integers(1, 4)):
            data[at] ^= 1 << int(rng.integers(8))
        (tmp_path / "a.npz").write_bytes(data)
        try:
            read_arrays(tmp_path / "a.npz", "rules")
        except InputError:
            refused += 1
    assert refused > 500


def test_malformed_headers_of_safetensors(tmp_path):
    good = {"a": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}}
    values = [
        None,
        -1,
        2**64,
        1e400,
        "x",
        [],
        {},
        [[]],
        True,
        [1e400, 2],
        ["x", {}],
        [2**70],
        [-2, -2],
        {"a": 1},
    ]
    path = tmp_path / "m.safetensors"
    rng = np.random.default_rng(2)
    refused = 0
    for i in range(1500):
        header = json.loads(json.dumps(good))
        for key in rng.choice(["dtype", "shape", "data_offsets", "whole", "extra"], rng.integers(1, 3)):
            value = copy.deepcopy(values[rng.integers(len(values))])
            if key == "whole":
                header["a"] = value
            elif key == "extra":
                header[str(value)] = value
            elif isinstance(header["a"], dict):
                header["a"][str(key)] = value
        text = json.dumps(header).encode()
        if i % 3 == 0:
            cut = bytearray(text)
            cut[rng.integers(len(cut))] = rng.integers(256)
            text = bytes(cut)
        path.write_bytes(len(text).to_bytes(8, "little") + text + bytes(16))
        try:
            _safetensors.read_file(path)
        except InputError:
            refused += 1
    assert refused > 1000


@pytest.mark.parametrize(
    "text",
    ["[]", "{}", '{"weight_map": 3}', '{"weight_map": {"a": 3}}', "[", '{"weight_map": {"a": "../x"}}'],
)
def test_malformed_index_of_safetensors(tmp_path, text):
    (tmp_path / "model.safetensors.index.json").write_text(text)
    with pytest.raises(InputError, match=r"model\.safetensors\.index\.json"):
        _safetensors.read_tensors(tmp_path)


@pytest.mark.parametrize("value", ["1e400", "-1e400", "NaN", "null", '"x"', "[]"])
@pytest.mark.parametrize("key", ["weights", "search"])
def test_numbers_in_a_model_that_are_none(tmp_path, capsys, value, key):
    folder = tmp_path / "model"
    shutil.copytree(BUILT_IN, folder)
    record = json.loads((folder / "model.json").read_text())
    name = next(iter(record[key]))
    record[key][name] = "HERE"
    (folder / "model.json").write_text(json.dumps(record).replace('"HERE"', value))
    (tmp_path / "s.txt").write_text("He purchased it.\n")
    assert main(["simplify", str(tmp_path / "s.txt"), "--model", str(folder)]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "model.json" in err
    assert load_simplifier("default")


@pytest.mark.parametrize("damage", ["not SQLite", "half of it", "bits", "empty", "a folder"])
@pytest.mark.parametrize("verb", ["report", "export", "purge"])
def test_a_damaged_database_of_answers(tmp_path, damage, verb):
    folder = tmp_path / "study"
    folder.mkdir()
    studies.write(folder)
    store = open_store(load(folder))
    studies.walk(store, "p1")
    store.close()
    path = folder / "answers.db"
    data = path.read_bytes()
    rng = np.random.default_rng(3)
    if damage == "a folder":
        path.unlink()
        path.mkdir()
    else:
        flipped = bytearray(data)
        for at in rng.integers(0, len(data), len(data) // 4):
            flipped[at] ^= 0xFF
        cases = {"not SQLite": b"hello, world" * 999, "half of it": data[: len(data) // 2]}
        path.write_bytes(cases.get(damage, bytes(flipped) if damage == "bits" else b""))
    for rest in folder.glob("answers.db-*"):
        rest.unlink()
    words = {"report": ["-o", tmp_path / "r.html"], "export": ["-o", tmp_path / "a.csv"]}.get(verb, [])
    child = in_child("study", verb, folder, *words)
    if damage == "empty" and child.returncode == 0:
        return  # no answers yet
    is_one_line(child)
    assert not [p for p in tmp_path.iterdir() if p.name.endswith(".part")]


# The machine says no.


def test_a_full_disk(corpus, tmp_path):
    child = in_child(
        *("score", corpus, "-r", corpus, "-m", "bleu", "--per-sample", tmp_path / "rows.csv"),
        limit={resource.RLIMIT_FSIZE: 4096},
    )
    assert is_one_line(
        child, "rows.csv: the file is larger than this system or shell allows; nothing was written"
    )
    assert sorted(p.name for p in tmp_path.iterdir()) == ["o.txt"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_standard_output(corpus):
    with Path("/dev/full").open("w") as full:
        child = in_child("score", corpus, "-m", "fkgl", stdout=full)
    assert is_one_line(child, "OSError: [Errno 28] No space left on device; make room, or write elsewhere.")


def test_half_a_file_is_removed_when_the_disk_is_full(tmp_path):
    def write():
        with writing_bytes(tmp_path / "x") as file:
            file.write(b"some")
            raise OSError(28, "No space left on device")

    with pytest.raises(InputError, match="x: the disk is full; nothing was written"):
        write()
    assert list(tmp_path.iterdir()) == []


def test_little_memory(tmp_path):
    path = tmp_path / "o.txt"
    path.write_text("a word\n" * 12_000_000)
    child = in_child(
        "compare", f"a={path}", f"b={path}", "-m", "fkgl", limit={resource.RLIMIT_AS: 700 * MEGABYTE}
    )
    assert is_one_line(child, "MemoryError: ", "not enough memory; try a smaller input")


@pytest.mark.parametrize(
    "words", [["NAME"], ["o.txt", "-s", "NAME"], ["o.txt", "-o", "NAME"], ["NAME=o.txt"]]
)
def test_names_over_255_bytes(corpus, words, capsys, monkeypatch):
    monkeypatch.chdir(corpus.parent)
    name = "ü" * 150 + ".txt"
    code = main(["score", *(w.replace("NAME", name) for w in words), "-m", "fkgl"])
    err = capsys.readouterr().err
    assert (code, err.count("\n")) == ((0, 0) if words == ["NAME=o.txt"] else (2, 1)), err
    assert [p.name for p in corpus.parent.iterdir()] == ["o.txt"]


@pytest.mark.parametrize("length", [200, 240, 255])
def test_names_as_long_as_names_may_be(tmp_path, length):
    write_atomically(tmp_path / ("n" * length), "text")
    assert [p.name for p in tmp_path.iterdir()] == ["n" * length]


def test_a_defect_is_one_line_and_a_traceback_with_debug(corpus, monkeypatch, capsys):
    def run(options):
        raise ZeroDivisionError("division\nby zero")

    monkeypatch.setattr("plainmark.cli.score.run", run)
    words = ["score", str(corpus), "-m", "fkgl"]
    assert main(words) == 1
    assert capsys.readouterr().err == (
        "plainmark: ZeroDivisionError: division by zero; this is a defect of plainmark: please run it again with "
        "--debug and report what that prints.\n"
    )
    with pytest.raises(ZeroDivisionError):
        main([*words, "--debug"])
    child = in_child("score", "nowhere.txt", "-m", "fkgl", "--debug")
    assert "Traceback" in child.stderr
    assert "InputError: nowhere.txt: no such file." in child.stderr


@pytest.mark.parametrize(
    "words", ["can't start new thread", "cannot start thread 3 of 8 (why); use fewer threads"]
)
def test_no_more_threads_is_no_defect(corpus, monkeypatch, capsys, words):
    """What Python and the compiled code say when the system refuses a thread."""

    def run(options):
        raise RuntimeError(words)

    monkeypatch.setattr("plainmark.cli.score.run", run)
    assert main(["score", str(corpus), "-m", "fkgl"]) == 2
    assert capsys.readouterr().err == (
        f"plainmark: RuntimeError: {words}; the system allows no more threads or has no memory for them; "
        "end other programs or raise the limit.\n"
    )


def test_limits_on_the_command_line(tmp_path, capsys):
    path = tmp_path / "o.txt"
    path.write_text("a " * (5 * MEGABYTE // 2) + "\n")
    assert main(["score", str(path), "-m", "levenshtein", "-s", str(path)]) == 2
    assert (
        "o.txt, line 1: longer than 4 MB; if it is meant to be, raise the limit: --limits line=N."
        in capsys.readouterr().err
    )
    assert main(["score", str(path), "-m", "compression", "-s", str(path), "--limits", "line=9"]) == 0
    assert main(["score", str(path), "-m", "compression", "-s", str(path), "--limits", "lines=9"]) == 2
    assert os.environ.get("PLAINMARK_LIMITS", "") == ""


# Files are whole, and on the disk, before they have their names.


def test_files_are_synced_before_they_are_renamed(tmp_path, monkeypatch):
    calls = []
    monkeypatch.setattr(
        os, "fsync", lambda number: calls.append(Path(f"/proc/self/fd/{number}").readlink().name)
    )
    replace = Path.replace
    monkeypatch.setattr(
        Path, "replace", lambda self, target: calls.append("replace") or replace(self, target)
    )
    write_atomically(tmp_path / "a.txt", "text")
    assert [c if not c.endswith(".part") else "part" for c in calls] == ["part", "replace", tmp_path.name]


def test_stale_temporary_files_are_removed(tmp_path):
    for name, age in (
        (".a.txt.12345678.part", STALE + 9),
        (".a.txt.87654321.part", 60),
        (".b.txt.1.part", STALE + 9),
    ):
        (tmp_path / name).write_text("half")
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    write_atomically(tmp_path / "a.txt", "whole")
    assert sorted(p.name for p in tmp_path.iterdir()) == [".a.txt.87654321.part", ".b.txt.1.part", "a.txt"]


# What spreadsheets and terminals take for commands.

FORMULAS = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "'=1", "''=1"]
HARMLESS = ["a=1", "'quoted'", "", "-5", "+1.5e3", "'", " =1"]


@pytest.mark.parametrize("text", FORMULAS + HARMLESS)
def test_apostrophes_are_reversible(text):
    cell = with_apostrophe(text)
    assert without_apostrophe(cell) == text
    assert (cell != text) == (text in FORMULAS)
    assert cell[:1] not in "=@\t\r" or cell == ""


def test_formulas_in_tables_of_scores(tmp_path, capsys):
    path = tmp_path / "o.jsonl"
    path.write_text('{"output": "A cat.", "id": "=HYPERLINK(\\"x\\")"}\n{"output": "A dog.", "id": "-7"}\n')
    rows = tmp_path / "rows.csv"
    assert main(["score", f"@sum(1)={path}", "-m", "fkgl", "--format", "csv", "--per-sample", str(rows)]) == 0
    printed = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert printed[1][0] == "'@sum(1)"
    written = list(csv.reader(io.StringIO(rows.read_text("utf-8"))))
    assert [row[:2] for row in written[1:]] == [['\'=HYPERLINK("x")', "'@sum(1)"], ["-7", "'@sum(1)"]]
    assert float(written[1][2]) < 0  # numbers stay numbers
    (scores,) = read_scores(rows)
    assert set(scores.values) == {("@sum(1)", '=HYPERLINK("x")'), ("@sum(1)", "-7")}
    assert Table(["=a"], [[Cell("=b")], [Cell("", -1.5)]]).csv("\t") == "'=a\n'=b\n-1.5\n"
    assert csv_text([["a,b", -1]]) == '"a,b",-1\n'


ESCAPE = "\x1b[2J\x1b]0;owned\x07\x9b31m"


def test_escape_sequences_do_not_reach_a_table(tmp_path, capsys):
    assert visible(f"a{ESCAPE}\n\tb") == "a␛[2J␛]0;owned␇\ufffd31m\n\tb"
    path = tmp_path / f"{ESCAPE}.txt"
    path.write_text("A cat.\n")
    assert main(["score", str(path), "-m", "fkgl"]) == 0
    printed = capsys.readouterr().out
    assert "␛[2J" in printed
    assert not set("\x1b\x07\x9b") & set(printed)
    assert main(["score", str(path) + "x", "-m", "fkgl"]) == 2
    err = capsys.readouterr().err
    assert not set("\x1b\x07\x9b") & set(err)


@pytest.mark.parametrize(
    "words",
    [
        ["score", "NAME", "-m", "fkgl"],
        ["score", "NAME", "-m", "fkgl", "--format", "csv"],
        ["simplify", "NAME"],
    ],
)
def test_escape_sequences_do_not_reach_a_terminal(tmp_path, words):
    """The same command behind a pseudo-terminal, where bold type is plainmark's own."""
    path = tmp_path / f"x{ESCAPE}.txt"
    path.write_text(f"A cat{ESCAPE} sat.\n")
    master, slave = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "plainmark", *(w.replace("NAME", str(path)) for w in words)],
        stdout=slave,
        stderr=slave,
        stdin=subprocess.DEVNULL,
    )
    os.close(slave)
    printed = b""
    try:
        while chunk := os.read(master, 4096):
            printed += chunk
    except OSError:  # the end of a pseudo-terminal
        pass
    os.close(master)
    assert child.wait(60) == 0, printed
    own = printed.decode()
    for sequence in ("\r\x1b[K", "\x1b[1m", "\x1b[0m"):
        own = own.replace(sequence, "")
    assert "␛[2J" in own
    assert not set("\x1b\x07\x9b") & set(own)
