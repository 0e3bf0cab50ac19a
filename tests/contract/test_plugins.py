"""Third-party metrics come in through the entry point, and behave as the built-in ones."""

import subprocess
import sys

import pytest

METRIC = '''
from dataclasses import dataclass
from typing import Annotated

import plainmark as pm


@dataclass(frozen=True)
class Shouting(pm.MeanMetric):
    """Share of letters that are capitals, in percent."""

    name = "shouting"
    scale: Annotated[float, "what all capitals score"] = 100.0
    higher_is_better = None

    def values(self, corpus):
        return [self.scale * sum(c.isupper() for c in t) / max(len(t), 1) for t in corpus.outputs]
'''


@pytest.fixture
def run(tmp_path):
    (tmp_path / "loud").mkdir()
    (tmp_path / "loud" / "__init__.py").write_text("")
    (tmp_path / "loud" / "shouting.py").write_text(METRIC)
    (tmp_path / "out.txt").write_text("ABcd\nabcd\n")

    def call(*words):
        command = [sys.executable, "-m", "plainmark", *words]
        return subprocess.run(
            command, capture_output=True, text=True, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}
        )

    return call


def test_an_entry_point_makes_it_a_metric_like_all_others(run, tmp_path):
    info = tmp_path / "loud-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: loud\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[plainmark.metrics]\nshouting = loud.shouting:Shouting\n")
    assert "shouting" in run("list", "metrics").stdout
    done = run("score", "out.txt", "-m", "shouting(scale=10)", "--format", "json")
    assert '"score": 2.5' in done.stdout
    assert "shouting|scale:10|v:" in done.stdout


def test_a_dotted_name_needs_no_packaging(run):
    for name in ("loud.shouting.Shouting", "loud.shouting"):
        assert "25.00" in run("score", "out.txt", "-m", name).stdout
    done = run("score", "out.txt", "-m", "loud.nothing")
    assert done.returncode == 2
    assert "cannot import 'loud.nothing'" in done.stderr


def test_scoring_needs_no_network_and_no_home(tmp_path):
    """Sockets are forbidden and the home folder is watched while a corpus is scored with the default install."""
    code = """
import socket, sys
def refuse(*a, **k): raise SystemExit("a socket was opened")
socket.socket = refuse
from plainmark.cli import main
sys.exit(main(["score", "o", "-s", "s", "-r", "r", "-m", "sari", "-m", "bleu"]))
"""
    home = tmp_path / "home"
    home.mkdir()
    for name in ("o", "s", "r"):
        (tmp_path / name).write_text("A plain sentence.\n")
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env={"HOME": str(home)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert not list(home.iterdir())


DATASET = '''
from dataclasses import dataclass

import plainmark as pm
from plainmark.datasets import Card


@dataclass(frozen=True)
class Owls(pm.Dataset):
    """Two sentences about owls."""

    card = Card("Owls", "two sentences", "sentence", 2, 1, "CC0", "Nobody 2024")

    def files(self):
        return ("owls/owls.txt",)

    def corpora(self):
        return {"reference": pm.Corpus(["A.", "B."], ["a", "b"], name="reference")}
'''


def test_a_data_set_of_ones_own(run, tmp_path):
    (tmp_path / "loud" / "owls.py").write_text(DATASET)
    info = tmp_path / "loud-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: loud\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[plainmark.datasets]\nowls = loud.owls:Owls\n")
    (tmp_path / "owls.txt").write_text("")
    assert "owls" in run("datasets").stdout
    for name in ("owls", "loud.owls.Owls"):
        done = run("datasets", "show", name, "--folder", ".")
        assert "system reference, id 1" in done.stdout, done.stderr
    done = run("datasets", "get", "owls")
    assert done.returncode == 2
    assert "owls declares no address for owls/owls.txt" in done.stderr
