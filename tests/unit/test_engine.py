"""Engines: the same bits everywhere, killed workers, broken shards, clusters that are not there."""

import json
import logging
import os
import re
import shutil
import signal
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path

import fsspec
import numpy as np
import pytest
from benchmarks.cluster import cluster as running_cluster
from hypothesis import given
from hypothesis import strategies as st

import plainmark as pm
from plainmark import engine as engines
from plainmark import kernels
from plainmark.cli import main
from plainmark.engine import Dask, Local, Processes, engine
from plainmark.errors import EngineError, InputError, OptionError
from plainmark.identity import package_digest
from plainmark.inputs import Input
from plainmark.reading import read_blocks, read_corpus
from plainmark.scoring import Shard, _check_code, score

METRICS = [pm.metric("sari"), pm.metric("bleu"), pm.metric("fkgl")]
WORDS = "the a cat dog sat ran on under old new mat house and or big small".split()


def write(path, n, seed=0):
    rng = np.random.default_rng(seed)

    def text():
        return " ".join(rng.choice(WORDS, rng.integers(3, 12))) + " ."

    with path.open("w") as file:
        for i in range(n):
            row = {"id": str(i), "source": text(), "output": text(), "references": [text(), text()]}
            file.write(json.dumps(row) + "\n")
    return str(path)


def values(found):
    return [[(s.value, s.parts, s.signature) for s in row] for row in found.scores]


def test_blocks_over_processes_give_the_same_bits(tmp_path):
    path = write(tmp_path / "big.jsonl", 30_000)
    alone, rows = [], []
    here = score([Shard((path,))], METRICS, Local(), each=lambda ids, r: alone.append((ids, r)))
    with Processes(2) as where:
        there = score([Shard((path,))], METRICS, where, each=lambda ids, r: rows.append((ids, r)))
    assert values(here) == values(there)
    assert here.samples == there.samples == 30_000
    corpus = read_corpus(output=path)
    assert [s.value for s in here.scores[0]] == [m.score(corpus).value for m in METRICS]
    for (ids, a), (others, b) in zip(alone, rows, strict=True):
        assert ids == others
        np.testing.assert_array_equal(a, b)


def test_shards_over_processes_give_the_same_bits(tmp_path):
    shards = [Shard((write(tmp_path / f"{i}.jsonl", 9000 + i, i),)) for i in range(3)]
    here = score(shards, METRICS, Local())
    with Processes(2) as where:
        assert values(score(shards, METRICS, where)) == values(here)
    assert here.samples == 27_003


def kill_once(task):
    """The first worker that gets task 3 dies as if it had run out of memory."""
    folder, number = task
    if number == 3 and not (folder / "killed").exists():
        (folder / "killed").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def always_killed(task):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_worker_loses_nothing(tmp_path):
    with Processes(2) as where:
        assert list(where.map(kill_once, [(tmp_path, i) for i in range(20)])) == [i * i for i in range(20)]
    assert (tmp_path / "killed").exists()


def test_workers_that_always_end_are_given_up():
    with Processes(1) as where, pytest.raises(EngineError, match=r"ended 4 times .*; try fewer --workers"):
        list(where.map(always_killed, [1]))


@given(
    texts=st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n\r")), min_size=1, max_size=30),
    size=st.integers(1, 7),
    end=st.booleans(),
    line_end=st.sampled_from(["\n", "\r\n"]),
    mark=st.booleans(),
)
def test_pieces_are_the_blocks(tmp_path_factory, texts, size, end, line_end, mark):
    path = tmp_path_factory.mktemp("pieces") / "text.txt"
    whole = line_end.join(texts) + (line_end if end or texts[-1] == "" else "")
    path.write_bytes((b"\xef\xbb\xbf" if mark else b"") + whole.encode())
    side = Input.open(path, None)
    if mark and whole == "":
        return
    assert [side.read(p) for p in side.ranges(size)] == list(side.blocks(size))


def test_pieces_across_chunks(tmp_path, monkeypatch):
    monkeypatch.setattr("plainmark.inputs._CHUNK", 7)
    path = tmp_path / "text.txt"
    path.write_text("".join(f"line {i}\n" for i in range(100)))
    side = Input.open(path, None)
    assert [side.read(p) for p in side.ranges(9)] == list(side.blocks(9))


def test_what_cannot_be_read_from_the_middle_is_read_once(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('output,source\n"two\nlines",a\nb,c\n')
    (block,) = read_blocks([path])
    assert isinstance(block.parts[0], list)
    with Processes(2) as where:
        found = score([Shard((str(path),))], [pm.metric("fkgl")], where)
    assert found.samples == 2


def test_a_broken_shard_is_named_and_left_out(tmp_path, capsys):
    for i in range(3):
        write(tmp_path / f"{i}.jsonl", 10, i)
    with (tmp_path / "1.jsonl").open("a") as file:
        file.write("{broken\n")
    pattern = f"access={tmp_path}/*.jsonl"
    for workers in ("1", "2"):
        assert main(["score", pattern, "-m", "sari", "--format", "json", "--workers", workers]) == 3
        out, err = capsys.readouterr()
        assert "1.jsonl, line 11: not JSON" in err
        assert "partial: 2 of 3 shards, 20 samples." in err
        good = [Shard((str(tmp_path / f"{i}.jsonl"),)) for i in (0, 2)]
        assert json.loads(out)[0]["partial"] == "2 of 3 shards, 20 samples"
        assert json.loads(out)[0]["system"] == "access"
        assert json.loads(out)[0]["score"] == score(good, [pm.metric("sari")], Local()).scores[0][0].value
    assert main(["score", pattern, "-m", "sari"]) == 3
    assert capsys.readouterr().out.endswith("\npartial: 2 of 3 shards, 20 samples\n")
    assert main(["score", f"access={tmp_path}/[02].jsonl", "-m", "sari", "--format", "json"]) == 0
    assert "partial" not in json.loads(capsys.readouterr().out)[0]
    (tmp_path / "0.jsonl").unlink()
    (tmp_path / "2.jsonl").unlink()
    assert main(["score", pattern, f"other={tmp_path}/1.json*", "-m", "sari"]) == 2
    assert "line 11: not JSON" in capsys.readouterr().err


def test_all_shards_broken(tmp_path):
    shards = [Shard((str(tmp_path / f"{i}.jsonl"),)) for i in range(2)]
    with pytest.raises(InputError, match=r"no shard can be read; the first: .*0.jsonl: no such file"):
        score(shards, METRICS, Local())


def test_messages(tmp_path, capsys):
    write(tmp_path / "a.jsonl", 3)
    write(tmp_path / "b.jsonl", 3)
    (tmp_path / "s.txt").write_text("x\n")
    assert main(["score", str(tmp_path / "*.csv"), "-m", "fkgl"]) == 2
    assert "*.csv: no file matches this pattern." in capsys.readouterr().err
    assert main(["score", f"access={tmp_path}/*.jsonl", "-s", str(tmp_path / "s.txt"), "-m", "fkgl"]) == 2
    assert "s.txt: in 1 file, but another side is in 2" in capsys.readouterr().err
    with pytest.raises(OptionError, match=r"--workers 0: expected 1 or more"):
        engine(0)
    with pytest.raises(OptionError, match=r"--workers and --engine: expected one of them"):
        engine(2, "tcp://127.0.0.1:1")


def test_addresses(tmp_path, capsys):
    files = fsspec.filesystem("memory")
    for i in range(2):
        files.pipe(f"/parts/{i}.jsonl", Path(write(tmp_path / f"{i}.jsonl", 5, i)).read_bytes())
    assert main(["score", "access=memory://parts/*.jsonl", "-m", "sari", "--format", "json"]) == 0
    local = score([Shard((str(tmp_path / f"{i}.jsonl"),)) for i in range(2)], [pm.metric("sari")], Local())
    assert json.loads(capsys.readouterr().out)[0]["score"] == local.scores[0][0].value
    assert main(["score", "memory://parts/nothing.jsonl", "-m", "sari"]) == 2
    assert "memory://parts/nothing.jsonl: cannot be read" in capsys.readouterr().err
    assert main(["score", "memory://parts/no*.jsonl", "-m", "sari"]) == 2
    assert "no file matches" in capsys.readouterr().err


def test_no_scheduler(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(engines, "_SECONDS", 0.5)
    path = write(tmp_path / "a.jsonl", 3)
    assert main(["score", path, "-m", "sari", "--engine", "tcp://127.0.0.1:9"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("plainmark: --engine tcp://127.0.0.1:9: no scheduler answers there (")
    assert err.count("\n") == 1
    assert main(["score", path, "-m", "sari", "--engine", "nonsense"]) == 2
    assert "--engine nonsense: no scheduler answers there" in capsys.readouterr().err


@pytest.fixture
def cluster(tmp_path):
    """A scheduler and two workers, each a process of its own."""
    with running_cluster(tmp_path) as found:
        yield found


def test_a_cluster_whose_worker_is_killed(cluster, tmp_path):
    address, workers, _ = cluster
    shards = [Shard((write(tmp_path / f"{i}.jsonl", 2000, i),)) for i in range(24)]
    here = score(shards, METRICS, Local())
    with Dask(address) as where:
        where._client.wait_for_workers(2, timeout=60)
        seen = []

        def kill(done):
            seen.append(done)
            if len(seen) == 4:
                workers[0].kill()

        there = score(shards, METRICS, where, progress=kill)
        assert len(where._client.nthreads()) == 1  # one is gone indeed
        big = Shard((write(tmp_path / "big.jsonl", 20_000),))
        assert values(score([big], METRICS, where)) == values(score([big], METRICS, Local()))
    assert workers[0].wait(10) == -signal.SIGKILL
    assert values(there) == values(here)
    assert there.samples == 48_000
    assert there.failures == {}


SOURCE = ["The cat sat on the mat.", "Dogs bark at night."]
OTHER = ["Nothing of the kind.", "Entirely different words here."]


def run_score(capsys, *words):
    code = main(["score", *words])
    return code, capsys.readouterr()


def test_a_cluster_reads_the_files_that_the_client_names(tmp_path, capsys, monkeypatch):
    """The workers' own folder has files of the same names, with another content."""
    client, worker = tmp_path / "client", tmp_path / "worker"
    for folder, lines in ((client, SOURCE), (worker, OTHER)):
        folder.mkdir()
        (folder / "o.txt").write_text("\n".join(lines) + "\n")
        (folder / "r.txt").write_text("\n".join(SOURCE) + "\n")
    monkeypatch.chdir(client)
    with running_cluster(worker, 1) as (address, _, _):
        code, printed = run_score(capsys, "o.txt", "-r", "r.txt", "-m", "bleu", "--engine", address)
        assert (code, "100.00" in printed.out) == (0, True), printed
        # A shard that has changed, on the way to the worker or since, is refused by whoever reads it.
        shard = Shard(("o.txt",), references=("r.txt",)).absolute()
        assert shard.outputs == (str(client / "o.txt"),)
        assert values(score([shard, shard], METRICS[1:2], Local()))[0][0][0] == pytest.approx(100)
        (client / "o.txt").write_text("\n".join(OTHER) + "\n")
        with Dask(address) as where, pytest.raises(InputError, match="another file here than the client"):
            score([replace(shard), replace(shard)], METRICS[1:2], _Sealed(where))


class _Sealed(Local):
    """A cluster to which shards are sent as they are."""

    def __init__(self, cluster):
        self.cluster = cluster

    def map(self, function, tasks):
        return self.cluster.map(function, tasks)


@pytest.mark.parametrize("change", ["code", "kernels"])
def test_a_worker_with_other_code_is_an_error_that_names_both(tmp_path, capsys, change):
    """A copy of the package with the same version, in which one line of Python or the digest of the kernels differs."""
    copy = tmp_path / "copy" / "plainmark"
    shutil.copytree(
        Path(pm.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__", "model", "default")
    )
    shutil.copy(kernels._native.__file__, copy / "kernels")
    file, old, new = {
        "code": ("metrics/bleu.py", '"""', '"""Another: '),
        "kernels": ("kernels/__init__.py", "from ._native import SOURCE as SOURCE", 'SOURCE = "0123456789"'),
    }[change]
    text = (copy / file).read_text("utf-8")
    assert old in text
    (copy / file).write_text(text.replace(old, new, 1), "utf-8")
    path = tmp_path / "o.txt"
    path.write_text("\n".join(SOURCE) + "\n")
    # Before the finder of an editable installation, which would find the original.
    (tmp_path / "copy" / "sitecustomize.py").write_text(
        f"import sys; sys.path.insert(0, {str(tmp_path / 'copy')!r});"
        "sys.meta_path[:] = [f for f in sys.meta_path if 'editable' not in type(f).__module__.lower()"
        " and 'ScikitBuild' not in type(f).__name__]"
    )
    with running_cluster(tmp_path, 1, {"PYTHONPATH": str(tmp_path / "copy")}) as (address, _, _):
        code, printed = run_score(capsys, str(path), "-r", str(path), "-m", "bleu", "--engine", address)
    assert (code, printed.out) == (2, "")
    assert printed.err.count("\n") == 1
    ours = f"(code {package_digest()}, kernels {kernels.SOURCE})"
    assert f"but this process has plainmark {pm.__version__} {ours}" in printed.err
    theirs = re.search(r"computes with plainmark \S+ \(code (\w+), kernels (\w+)\)", printed.err)
    assert theirs
    assert theirs[1] != package_digest()
    assert (theirs[2] == kernels.SOURCE) == (change == "code")


def test_a_worker_that_knows_no_digests_is_refused():
    with pytest.raises(EngineError, match="computes with an older version, but this process has plainmark"):
        _check_code(("plainmark 1",), ())


def test_workers_and_a_scheduler_that_go_away_are_mentioned_in_one_line(
    cluster, tmp_path, monkeypatch, capsys, caplog
):
    address, workers, scheduler = cluster
    for name, seconds in (("_SECONDS", 1.5), ("_MINUTE", 2.0), ("_STEP", 0.2)):
        monkeypatch.setattr(engines, name, seconds)
    shards = [Shard((write(tmp_path / f"{i}.jsonl", 3000, i),)) for i in range(12)]
    log = []

    class Log(logging.Handler):
        def emit(self, record):
            log.append((time.monotonic(), record.getMessage()))
            if len(log) == 2:
                scheduler.kill()

    logging.getLogger("plainmark").addHandler(handler := Log())
    killed = []

    def kill(done):
        if not killed:
            killed.append(time.monotonic())
            for worker in workers:
                worker.kill()

    try:
        with Dask(address) as where, pytest.raises(EngineError, match="scheduler is gone") as problem:
            score(shards, METRICS, where, progress=kill)
    finally:
        logging.getLogger("plainmark").removeHandler(handler)
    assert "\n" not in str(problem.value)
    assert [message.partition(" for ")[0] for _, message in log] == ["the cluster has had no workers"] * 2
    assert 1.4 < log[0][0] - killed[0] < 6
    assert 1.4 < log[1][0] - log[0][0] < 6
    assert capsys.readouterr().err == ""


def test_a_task_that_a_broken_pool_refuses_is_not_lost(tmp_path, monkeypatch):
    """Where a worker dies between two submissions, the second one fails."""
    submit, calls = ProcessPoolExecutor.submit, []

    def refuse_once(pool, *task):
        calls.append(task)
        if len(calls) == 3:
            raise BrokenProcessPool
        return submit(pool, *task)

    monkeypatch.setattr(ProcessPoolExecutor, "submit", refuse_once)
    (tmp_path / "killed").touch()
    with Processes(2) as where:
        assert list(where.map(kill_once, [(tmp_path, i) for i in range(9)])) == [i * i for i in range(9)]
