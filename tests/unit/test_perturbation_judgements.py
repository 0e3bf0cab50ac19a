"""Judgements of perturbed texts by hand: they still apply to what is perturbed today, and few were wrong."""

import json

import pytest
from evaluation.perturbations import JUDGEMENTS, documents, of_document, part, rates

from plainmark.perturbations import APPLS, perturbation

ROWS = json.loads(JUDGEMENTS.read_text("utf-8"))
# Shares of instances that a strict reader may reject.
MOST_WRONG = {
    "delete": 5, "add_out_of_domain": 5, "add_in_domain": 5, "reorder": 5, "numbers": 5, "negate": 5,
    "add_definitions": 15, "simplify": 15, "entities": 15, "verb_synonyms": 15, "verb_antonyms": 15,
}  # fmt: skip


def test_a_hundred_instances_of_each_were_judged():
    assert set(ROWS) == set(APPLS)
    for rows in ROWS.values():
        assert len(rows) == 100
        assert len({tuple(row[:3]) for row in rows}) == 100
        assert all(part(row[0]) == 2 for row in rows)


def test_few_are_wrong():
    for name, judged, wrong, low, high in rates(ROWS):
        assert 100 * wrong <= MOST_WRONG[name] * judged
        assert low < 0.15 < high or high < 0.15


@pytest.mark.data
@pytest.mark.wordnet
@pytest.mark.parametrize("name", APPLS)
def test_judgements_are_about_todays_texts(name, shared, monkeypatch):
    """All but a few instances are still what they were when they were judged; else the figures of the docs are old."""
    monkeypatch.setenv("PLAINMARK_DATA", str(shared / "data"))
    by_id = {d.id: d for d in documents()}
    p = perturbation(name)
    today = {
        (i.document, i.start, i.digest)
        for document in {row[0] for row in ROWS[name]}
        for i in of_document(p, by_id[document])
    }
    same = [row for row in ROWS[name] if tuple(row[:3]) in today]
    assert len(same) >= 95
