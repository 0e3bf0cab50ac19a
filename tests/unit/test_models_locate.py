"""Where models come from: a folder, a package, the hub; pins; and what is said when there is nothing."""

import dataclasses
import hashlib
import importlib.util
import json
import shutil
import subprocess
import sys
import types

import pytest

import plainmark as pm
from plainmark import models
from plainmark.cli import main
from plainmark.errors import MissingResourceError, ModelMismatchError
from plainmark.models import KNOWN, _locate
from support import tiny_models


@pytest.fixture
def no_hub(monkeypatch):
    """A hub that records what it is asked for and has nothing."""
    asked = []

    def snapshot_download(name, **options):
        asked.append((name, options["local_files_only"]))
        raise OSError("no network in tests")

    monkeypatch.setitem(
        sys.modules, "huggingface_hub", types.SimpleNamespace(snapshot_download=snapshot_download)
    )
    return asked


def package(tmp_path, monkeypatch, name="packed_model", **files):
    folder = tmp_path / "site" / name / "model"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("raise SystemExit('a model package is never imported')")
    for file, content in ({"config.json": b"{}"} | files).items():
        (folder / file.replace("__", ".")).write_bytes(content)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    return folder


def test_a_folder_comes_first_then_a_package_then_the_hub(tmp_path, monkeypatch, no_hub):
    packed = package(tmp_path, monkeypatch)
    found = models.find("packed_model")
    assert (found.path, found.origin, no_hub) == (packed, "package", [])
    monkeypatch.chdir(tmp_path)
    (tmp_path / "packed_model").mkdir()
    assert models.find("packed_model").origin == "folder"
    with pytest.raises(MissingResourceError, match="cannot load 'someone/model' from the hub"):
        models.find("someone/model")
    assert no_hub == [("someone/model", False)]
    with pytest.raises(MissingResourceError, match="cannot load"):
        models.find("roberta-large")
    assert no_hub[1:] == [("FacebookAI/roberta-large", False)]


def test_a_hub_name_is_downloaded_without_pickles(tmp_path, monkeypatch):
    def snapshot_download(name, allow_patterns, local_files_only):
        assert name == "someone/model"
        assert not any(p.endswith((".bin", ".pt", ".pkl")) for p in allow_patterns)
        return str(tmp_path)

    hub = types.SimpleNamespace(snapshot_download=snapshot_download)
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    assert models.find("someone/model") == models.ModelFiles("someone/model", tmp_path, "hub")


def test_a_short_name_never_downloads(tmp_path, monkeypatch, no_hub):
    monkeypatch.setattr(_locate, "_in_package", lambda folder: None)
    with pytest.raises(
        MissingResourceError, match=r"'minilm' .* is not installed; get it with `plainmark models get minilm`"
    ):
        models.find("minilm")
    assert no_hub == [("sentence-transformers/all-MiniLM-L6-v2", True)]


def test_another_file_under_a_known_name_is_refused(tmp_path, monkeypatch):
    folder = package(tmp_path, monkeypatch, model__safetensors=b"not the weights")
    fake = dataclasses.replace(KNOWN["minilm"], folder="packed_model/model")
    monkeypatch.setitem(KNOWN, "minilm", fake)
    assert models.locate("minilm").path == folder
    with pytest.raises(
        ModelMismatchError, match=r"sha256 is .{12}…, expected 53aa51172d14…; this is not minilm"
    ):
        models.find("minilm")
    assert models.missing("minilm").startswith("needs a model: ")
    with pytest.raises(ModelMismatchError):
        models.encoder("minilm")


def test_a_package_with_the_pinned_file(tmp_path, monkeypatch):
    folder = package(tmp_path, monkeypatch, model__safetensors=b"weights")
    digest = hashlib.sha256(b"weights").hexdigest()
    pins = {"config.json": hashlib.sha256(b"{}").hexdigest()}
    fake = dataclasses.replace(KNOWN["minilm"], folder="packed_model/model", sha256=digest, settings=pins)
    monkeypatch.setitem(KNOWN, "minilm", fake)
    assert models.find("minilm") == models.ModelFiles("minilm", folder, "package", fake)
    # Every file that is read counts, and so does one that would be read if it were there.
    (folder / "README.md").write_text("not read")
    assert models.find("minilm").path == folder
    (folder / "config.json").write_text('{"hidden_size": 3}')
    with pytest.raises(ModelMismatchError, match=r"config\.json: sha256 is .{12}…, expected 44136fa355b3…"):
        models.find("minilm")
    (folder / "config.json").write_text("{}")
    (folder / "vocab.txt").write_text("word")
    with pytest.raises(ModelMismatchError, match=r"vocab\.txt: sha256 is .{12}…, expected no such file"):
        models.find("minilm")
    (folder / "vocab.txt").unlink()
    (folder / "config.json").unlink()
    with pytest.raises(ModelMismatchError, match=r"config\.json: sha256 is missing, expected 44136fa355b3…"):
        _locate.check_hashes(folder, fake)


@pytest.mark.models
def test_an_edited_tokenizer_of_an_installed_model_is_refused(tmp_path, monkeypatch, capsys):
    """A copy of the installed package with one word of its vocabulary changed."""
    known = KNOWN["minilm"]
    folder = tmp_path / "site" / known.folder
    shutil.copytree(models.find("minilm").path, folder)
    text = (folder / "tokenizer.json").read_text("utf-8")
    (folder / "tokenizer.json").write_text(text.replace('"the":', '"thethe":', 1), "utf-8")
    monkeypatch.setattr(_locate, "_in_package", lambda name: folder)
    assert main(["models", "--format", "json"]) == 0
    states = {row["name"]: row["state"] for row in json.loads(capsys.readouterr().out)}
    assert states["minilm"] == "wrong file"
    (tmp_path / "o.txt").write_text("The cat sat.\n")
    assert (
        main(["score", f"{tmp_path}/o.txt", "-r", f"{tmp_path}/o.txt", "-m", "bertscore(model='minilm')"])
        == 2
    )
    assert "tokenizer.json: sha256 is " in capsys.readouterr().err


@pytest.mark.models
def test_a_folder_with_a_known_name_replaces_nothing(tmp_path, monkeypatch):
    installed = models.find("minilm").path
    shutil.copytree(installed, tmp_path / "minilm")
    monkeypatch.chdir(tmp_path)
    assert models.find("minilm").path == installed
    # By its path it is another model, with its own digest, and a changed folder has another one.
    metric = pm.metric("bertscore(model='./minilm')")
    before = metric.signature()
    assert "model:'./minilm'#" in before
    (tmp_path / "minilm" / "tokenizer.json").write_text("{}")
    assert metric.signature() != before


@pytest.mark.models
def test_the_installed_models_are_the_pinned_ones():
    for name in KNOWN:
        assert models.find(name).origin == "package"
        assert models.missing(name, KNOWN[name].kind) == ""


def test_an_unknown_name_says_what_was_tried():
    with pytest.raises(
        MissingResourceError,
        match=r"no model 'minilmm': not a folder.*Did you mean 'minilm'\? Known names: minilm",
    ):
        models.find("minilmm")


def test_missing_packages_are_named(tmp_path, monkeypatch):
    really = importlib.util.find_spec
    for absent in ("onnxruntime", "tokenizers"):
        monkeypatch.setattr(importlib.util, "find_spec", lambda n, a=absent: None if n == a else really(n))
        assert models.missing("minilm") == (
            f"needs the package {absent}; install it with pip install 'plainmark[models]'"
        )
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda n: None if n in ("torch", "transformers") else really(n)
    )
    folder = str(tiny_models.write(tmp_path / "deberta", "deberta-v2"))
    assert models.missing(folder) == (
        f"needs torch and transformers to run {folder} (a deberta-v2 model); pip install 'plainmark[torch]'"
    )
    assert models.missing(str(tiny_models.write(tmp_path / "bert", "bert"))) == ""
    assert models.missing("someone/model") == ""  # not tried without being asked to


def test_a_family_without_a_graph_needs_torch(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)  # None in sys.modules makes the import fail
    folder = tiny_models.write(tmp_path / "deberta", "deberta-v2")
    with pytest.raises(MissingResourceError, match="a deberta-v2 encoder needs torch and transformers"):
        models.encoder(str(folder))
    (folder / "config.json").write_text('{"model_type": "mamba", "bos_token_id": 0}')
    with pytest.raises(MissingResourceError, match="a mamba language model needs torch and transformers"):
        models.language_model(str(folder))
    folder = tiny_models.write(tmp_path / "bert", "bert")
    (folder / "tokenizer.json").unlink()
    with pytest.raises(MissingResourceError, match=r"a folder without tokenizer.json needs torch"):
        models.encoder(str(folder))


def test_importing_reads_no_model_and_opens_no_socket(tmp_path):
    code = """
import socket, sys
def refuse(*a, **k): raise SystemExit("a socket was opened")
socket.socket = refuse
import plainmark.models
heavy = {"onnxruntime", "tokenizers", "huggingface_hub", "torch", "transformers"} & set(sys.modules)
assert not heavy, heavy
import plainmark as pm
from plainmark import models
from plainmark.cli import main
print(models.encoder("minilm").sentence_vectors(["A cat."]).shape)
"""
    home = tmp_path / "home"
    home.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env={"HOME": str(home)}, capture_output=True, text=True
    )
    assert done.stdout == "(1, 384)\n", done.stderr
    assert not list(home.iterdir())
