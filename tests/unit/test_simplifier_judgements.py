"""Language models' judgements of the default simplifier: what they say, and that they apply to what it makes today."""

import json

import pytest
from evaluation.rewrites import DOMAINS, JUDGEMENTS, PER_DOMAIN, figures, sample
from evaluation.texts import data_folder

import plainmark as pm
from plainmark.simplifier.surface import split

ROWS = json.loads(JUDGEMENTS.read_text("utf-8"))["judgements"]
JUDGES = {
    1: ("author",),
    2: ("author",),
    3: ("author",),
    4: ("A", "B"),
    5: ("C", "D"),
    6: ("C", "D"),
    7: ("C", "D"),
    9: ("E", "F"),
    10: ("G", "H"),
}
LAST = (10,)  # of the model as it is, but for what its judges rejected
LEFT_OF_NEWS = 33  # for the tenth sample


def test_each_sample_has_its_sentences_once_for_each_judge():
    for seed, judges in JUDGES.items():
        for judge in judges:
            mine = [row for row in ROWS if row["sample"] == seed and row["judge"] == judge]
            for domain in DOMAINS:
                expected = LEFT_OF_NEWS if (seed, domain) == (10, "news") else PER_DOMAIN
                assert sum(row["domain"] == domain for row in mine) == expected
    keys = {(row["judge"], row["dataset"], row["document"], row["start"], row["end"]) for row in ROWS}
    assert len(keys) == len(ROWS)


def test_shares_are_counted_over_rewrites_and_changed_outputs():
    rewrite = {"right": True}
    rows = [
        {"rewrites": [rewrite, {"right": False}], "grammatical": True, "meaning": False, "simpler": True},
        {"rewrites": [rewrite], "grammatical": True, "meaning": True, "simpler": False},
        {"rewrites": []},
        {"rewrites": []},
    ]
    assert figures(rows) == {
        "sentences": 4, "changed": 50.0, "rewrites": 3, "right": pytest.approx(200 / 3), "grammatical": 100.0, "meaning": 50.0, "simpler": 50.0,
    }  # fmt: skip


def test_the_last_sample_is_as_documented():
    shares = figures([row for row in ROWS if row["sample"] in LAST])
    assert {name: round(value) for name, value in shares.items()} == {
        "sentences": 226, "changed": 29, "rewrites": 82, "right": 90, "grammatical": 100, "meaning": 92, "simpler": 83,
    }  # fmt: skip


@pytest.mark.parametrize("judge", ["C", "D"])
def test_the_blind_samples_are_as_documented(judge):
    found = figures([row for row in ROWS if row["judge"] == judge])
    assert found["sentences"] == 360
    assert found["right"] >= 90
    assert found["grammatical"] >= 95
    assert found["meaning"] >= 95
    assert found["simpler"] >= 80


@pytest.mark.data
def test_what_is_rewritten_today_was_judged():
    sentences = [s for seed in LAST for s in sample(data_folder(), seed)]
    judged = {
        (row["dataset"], row["document"], row["start"], row["end"]): row["rewrites"]
        for row in ROWS
        if row["sample"] in LAST
    }
    results = pm.load_simplifier("default").simplify([s.text for s in sentences])
    words = {s.key: split(s.text).words for s in sentences}

    def change(key, start, end, target):
        """What a rewrite changes, without words that stand at the end of both of its sides."""
        new = target.split()
        while new and end > start and words[key][end - 1] == new[-1]:
            end, new = end - 1, new[:-1]
        return key, start, end, *new

    made = [
        change(s.key, r.start, r.end, r.target)
        for s, x in zip(sentences, results, strict=True)
        for r in x.rewrites
    ]
    known = {change(key, r["start"], r["end"], r["target"]) for key, rows in judged.items() for r in rows}
    assert set(made) - known == set()
    right = {
        change(key, r["start"], r["end"], r["target"])
        for key, rows in judged.items()
        for r in rows
        if r["right"]
    }
    assert right - set(made) == set()  # what was judged wrong may be gone


def test_words_and_splits_together_are_as_documented():
    rows = json.loads(JUDGEMENTS.with_name("simplifier_sample_11.json").read_text("utf-8"))["judgements"]
    shared = {"sentences": 120, "changed": 39, "rewrites": 40, "right": 98, "grammatical": 94, "meaning": 100}
    for judge, simpler in (("A", 89), ("B", 70)):
        own = figures([row for row in rows if row["judge"] == judge])
        assert {name: round(value) for name, value in own.items()} == shared | {"simpler": simpler}
    splits = json.loads(JUDGEMENTS.with_name("structure_sample_11.json").read_text("utf-8"))["judgements"]
    assert len(splits) == 100
    assert [sum(row["right"][judge] for row in splits) for judge in "AB"] == [92, 88]
