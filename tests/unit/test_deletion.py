"""Deletion after words are replaced: what goes, what the ledger keeps, and that it can be undone."""

import pytest

import plainmark as pm
from plainmark.cli import main
from plainmark.simplifier.deletion import shorten

DELETED = [
    ("It should be noted that the mill burned down.", "The mill burned down."),
    ("The road is long. Of course, it is also narrow.", "The road is long. It is also narrow."),
    ("The road is, in fact, narrow.", "The road is narrow."),
    ("The garden (and so on) was sold.", "The garden was sold."),
]
KEPT = [
    "The mill (built in 1910) is gone.",  # a number
    "The drug (not the placebo) helped.",  # a negation
    "The letter (if it is signed) is valid.",  # a condition
    "“It is, of course, safe,” said the man.",  # as spoken
    "He said: “It is, of course, safe.",  # where does the quotation end?
    "Il faut noter que la maison (et ainsi de suite) est vendue depuis longtemps.",  # another language
    "",
]


@pytest.mark.parametrize(("source", "output"), DELETED)
def test_what_says_nothing_goes(source, output):
    result = shorten(source)
    assert result.output == output
    assert result.until(0) == source


@pytest.mark.parametrize("source", KEPT)
def test_facts_and_quotations_stay(source):
    assert shorten(source).output == source


def test_deletion_comes_after_words_and_is_in_the_record():
    source = "It should be noted that the committee purchased the mill prior to the war."
    backend = pm.simplifier("default", delete=True)
    candidate = backend.candidates(source)[0]
    assert candidate.output == "The committee bought the mill before the war."
    assert [d["name"] for d in candidate.to_dict()["deletions"]] == ["deletion"]
    assert "deletions" not in pm.simplifier("default").candidates(source)[0].to_dict()


def test_command(tmp_path, capsys):
    file = tmp_path / "text.txt"
    file.write_text("In fact, the committee purchased the mill.\n", "utf-8")
    assert main(["simplify", str(file), "--delete", "--explain"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("The committee bought the mill.\n")
    assert "deletion: an opening that says nothing" in out
    assert main(["simplify", str(file), "--delete", "--grade", "8"]) == 2
    assert "--grade deletes nothing" in capsys.readouterr().err
