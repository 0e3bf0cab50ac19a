"""Judgements of perturbed texts by hand: they still apply to what is perturbed today, and few were wrong."""

import json

import pytest
from evaluation.perturbations import (
    JUDGEMENTS,
    Instance,
    documents,
    judged_part,
    of_document,
    part,
    rates,
    write_sheet,
)

from plainmark.perturbations import APPLS, perturbation

ROWS = json.loads(JUDGEMENTS.read_text("utf-8"))
# Shares of instances that a strict reader may reject, in per cent.
MOST_WRONG = {
    "delete": 5, "add_out_of_domain": 5, "add_in_domain": 5, "reorder": 5, "numbers": 5, "negate": 5,
    "add_definitions": 15, "simplify": 15, "entities": 15, "verb_synonyms": 15, "verb_antonyms": 15,
    "add_clause": 15, "omit_clause": 5, "wrong_pronoun": 5, "split_sentences": 5,
}  # fmt: skip
# All that the data had: sentences with a second adaptation, places to split.
FEWER = {"simplify": 54, "simplify (onestop_reading)": 69, "split_sentences": 23}


def test_a_hundred_instances_of_each_were_judged():
    assert {judged_part(key)[0] for key in ROWS} == {*APPLS, *MOST_WRONG}
    for key, rows in ROWS.items():
        assert len(rows) == FEWER.get(key, 100)
        assert len({tuple(row[:3]) for row in rows}) == len(rows)
        if judged_part(key)[1] == "plaba":
            assert all(part(row[0]) == 2 for row in rows)


def test_few_are_wrong():
    for key, judged, wrong, low, high in rates(ROWS):
        assert 100 * wrong <= MOST_WRONG[judged_part(key)[0]] * judged
        assert low - 1e-9 <= wrong / judged <= high


def test_the_sheet_says_nothing_but_the_sentences(tmp_path):
    row = Instance("some id", 3, "fell", "did not fall", "It ", " fast.")
    write_sheet(str(tmp_path / "sheet.txt"), [(4, row)])
    text = (tmp_path / "sheet.txt").read_text("utf-8")
    assert text == "4\n  before: It fell fast.\n  after:  It did not fall fast.\n"


@pytest.mark.data
@pytest.mark.wordnet
@pytest.mark.parametrize("key", ROWS)
def test_judgements_are_about_todays_texts(key, shared, monkeypatch):
    """All but a few instances are still what they were when they were judged; else the figures of the docs are old."""
    monkeypatch.setenv("PLAINMARK_DATA", str(shared / "data"))
    name, data = judged_part(key)
    by_id = {d.id: d for d in documents(data)}
    p = perturbation(name)
    today = {
        (i.document, i.start, i.digest)
        for document in {row[0] for row in ROWS[key]}
        for i in of_document(p, by_id[document])
    }
    same = [row for row in ROWS[key] if tuple(row[:3]) in today]
    assert len(same) >= 0.95 * len(ROWS[key])
