"""`plainmark lm`: training, scoring and perplexity from the command line."""

import gzip
import json
import lzma
import re

import pytest

from plainmark.cli import main
from plainmark.lm import LanguageModel

TEXT = "the cat sat on the mat\nThe dog sat\n\na cat saw a dog\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.txt").write_text(TEXT)
    (tmp_path / "text.xz").write_bytes(lzma.compress(TEXT.encode()))
    (tmp_path / "text.gz").write_bytes(gzip.compress(TEXT.encode()))
    return tmp_path


def test_train_score_and_perplexity(folder, capsys):
    assert main(["lm", "train", "text.xz", "--order", "3", "-o", "m.arpa.gz"]) == 0
    assert "order 3, 12 + 17 + 14 n-grams, trained on 4 lines" in capsys.readouterr().out
    model = LanguageModel.load("m.arpa.gz")
    assert main(["lm", "score", "m.arpa.gz", "text.txt"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[1] == f"{model.score(['The dog sat'])[0]:.4f}\tThe dog sat"
    assert len(rows) == 4
    assert main(["lm", "score", "m.arpa.gz", "text.txt", "--each"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split("\t")[1].startswith("The -")
    assert main(["lm", "perplexity", "m.arpa.gz", "text.txt", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["text.txt"]
    assert found["sentences"] == 3
    assert found["value"] == model.perplexity(TEXT.replace("\n\n", "\n").splitlines()).value
    assert main(["lm", "perplexity", "m.arpa.gz", "text.txt"]) == 0
    assert re.search(r"text\.txt +1\.\d\d +1\.\d\d +0 ", capsys.readouterr().out)


def test_options_of_training(folder, capsys):
    command = ["lm", "train", "text.txt", "text.gz", "-o"]
    assert main([*command, "m.lm", "--lowercase", "--words", "3", "--bits", "8", "--ngrams", "4"]) == 0
    model = LanguageModel.load("m.lm")
    assert model.tables.words == ("<unk>", "<s>", "</s>", "the", "a", "cat")
    assert sum(model.tables.counts[1:]) < 12
    assert main([*command, "n.lm", "--min-counts", "1,3", "--prune", "1e-9", "--min-count", "2"]) == 0
    assert "trained on 8 lines" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("train text.txt -o x.bin", "x.bin: expected a name that ends in .arpa"),
        ("train none -o x.lm", "none: cannot be read"),
        ("train text.txt --order 9 -o x.lm", "order 9, expected 1 to 6"),
        ("train text.txt --min-counts a -o x.lm", "--min-counts a: expected whole numbers"),
        ("train text.txt --ngrams -1 -o x.lm", "cannot be less than 0"),
        ("train empty.txt -o x.lm", "no text to train a language model on"),
        ("train text.txt -o nowhere/x.lm", "nowhere/x.lm: cannot write here (no such folder)"),
        ("score text.txt text.txt", "text.txt: no line \\data\\, expected an ARPA language model"),
        ("perplexity m.lm empty.txt", "empty.txt: empty, expected sentences"),
    ],
)
def test_mistakes_are_one_line(folder, capsys, command, message):
    (folder / "empty.txt").write_text("")
    LanguageModel.train(["a b"]).save("m.lm")
    before = sorted(p.name for p in folder.iterdir())
    assert main(["lm", *command.split()]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert sorted(p.name for p in folder.iterdir()) == before
