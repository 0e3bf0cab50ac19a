"""Sentences for crowd references: those with a simple counterpart of similar length."""

import json

import pytest

from plainmark import Sample
from plainmark.cli import main
from plainmark.datasets._pairs import difference, similar
from plainmark.errors import OptionError

TEN = "one two three four five six seven eight nine ten"


def test_lengths_are_counted_in_tokens_of_the_source():
    assert difference(TEN, "one two three four five six seven eight") == pytest.approx(0.2)
    assert difference("Hi .", "Hi.") == 0
    assert difference("", "a") == float("inf")


def test_one_counterpart_is_enough_and_a_source_comes_once():
    near, far = TEN + " eleven", "one two"
    samples = [
        Sample(source=TEN, output="", references=(far, near)),
        Sample(source=TEN, output="", references=(near,)),
        Sample(source=TEN + " .", output="", references=(far,)),
        Sample(source=TEN + " !", output=near),
    ]
    assert [s.source for s in similar(samples)] == [TEN, TEN + " !"]
    assert [s.source for s in similar(samples, 0.9)] == [TEN, TEN + " .", TEN + " !"]
    with pytest.raises(OptionError, match="expected a share"):
        list(similar(samples, -1))


@pytest.mark.data
def test_command(shared, tmp_path, capsys):
    target = tmp_path / "items.jsonl"
    arguments = ["datasets", "items", "pwkp(split='test')", "--folder", str(shared / "data")]
    assert main([*arguments, "-o", str(target)]) == 0
    assert "sentences have a counterpart within 0.2" in capsys.readouterr().err
    rows = [json.loads(line) for line in target.read_text("utf-8").splitlines()]
    assert 0 < len(rows) < 100
    assert all(set(row) == {"id", "source"} for row in rows)
    assert main(["datasets", "items", "dwiki", "--folder", str(shared / "data")]) == 2
    assert "expected a data set of sentences" in capsys.readouterr().err
