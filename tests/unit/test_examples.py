"""The examples that `make demo` reports on."""

import pytest

import plainmark as pm
from conftest import ROOT
from plainmark.significance import compare
from plainmark.simplifier.rules.ppdb import parse_rule

EXAMPLES = ROOT / "examples"


@pytest.fixture(scope="module")
def systems():
    references = [EXAMPLES / f"reference.{i}" for i in range(2)]
    names = ["careful", "hasty", "copy"]
    return [
        pm.Corpus.read(output=EXAMPLES / f"{n}.txt", source=EXAMPLES / "source.txt", references=references)
        for n in names
    ]


def test_every_file_has_a_line_a_sentence():
    texts = [p for p in EXAMPLES.iterdir() if p.is_file() and p.suffix not in (".ppdb", ".toml")]
    lines = {p.name: p.read_text("utf-8").splitlines() for p in texts}
    assert {len(rows) for rows in lines.values()} == {12}
    assert all(row == row.strip() != "" for rows in lines.values() for row in rows)


def test_every_line_of_the_rules_is_one():
    rules = [parse_rule(line) for line in (EXAMPLES / "rules.ppdb").read_text("utf-8").splitlines()]
    assert sum(bool(r.nonterminals) for r in rules) == 21
    assert any([s for s in r.target if s in r.nonterminals] != list(r.nonterminals) for r in rules)


def test_copy_is_the_source(systems):
    assert systems[2].outputs == systems[0].sources


def test_the_systems_differ_as_their_names_say(systems):
    sari = compare(pm.metric("sari"), systems, resamples=1000)
    assert [sari.systems[i] for i in sari.order()] == ["careful", "hasty", "copy"]
    assert sari.letters == ("a", "b", "c")
    bleu = [pm.metric("bleu").score(s).value for s in systems]
    assert bleu[2] > bleu[1], "BLEU prefers a copy to a shortened text"
    fkgl = [pm.metric("fkgl").score(s).value for s in systems]
    assert fkgl[1] < fkgl[0] < fkgl[2]
