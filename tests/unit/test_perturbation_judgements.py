"""Language models' judgements of perturbed texts: they still apply to what is perturbed today, and few were wrong."""

import json
import re

import pytest
from evaluation import perturbations as evaluated
from evaluation.perturbations import (
    COUNT,
    QUESTIONS,
    SHEETS,
    Row,
    documents,
    judged_part,
    judgements,
    judges,
    merge,
    of_document,
    part,
    places,
    rates,
    read_key,
    still_made,
)

from conftest import ROOT
from plainmark.errors import InputError
from plainmark.perturbations import APPLS, TextDocument, perturbation, pooled

ROWS = judgements()
KEY = read_key()
# Shares of instances that a strict judge may reject, in per cent.
MOST_WRONG = {
    "delete": 5, "add_out_of_domain": 5, "add_in_domain": 5, "reorder": 5, "numbers": 5, "negate": 5,
    "add_definitions": 15, "simplify": 15, "entities": 15, "verb_synonyms": 15, "verb_antonyms": 15,
    "add_clause": 15, "omit_clause": 5, "wrong_pronoun": 5, "split_sentences": 5, "injected_fact": 15,
}  # fmt: skip
# Those of which a blind judge rejected more, unsure included, and that were not mended: docs/perturbations.md says so.
TOO_MANY_WRONG = {"add_clause": 45, "wrong_pronoun": 17, "injected_fact": 29}
# All that the data had: sentences with a second adaptation, places to split.
FEWER = {"simplify": 54, "simplify (onestop_reading)": 69, "split_sentences": 23}

# Instances of the first round that rules no longer make since a blind judge rejected others like them.
MENDED = {"add_definitions": 16, "entities": 6, "verb_synonyms": 5, "verb_antonyms": 7}


def test_a_hundred_instances_of_each_were_judged():
    assert {judged_part(key)[0] for key in ROWS} == {*APPLS, *MOST_WRONG} - {"injected_fact"}
    for key, rows in ROWS.items():
        assert len(rows) == FEWER.get(key, 100)
        assert len({tuple(row[:3]) for row in rows}) == len(rows)
        if judged_part(key)[1] == "plaba":
            assert all(part(row[0]) == 2 for row in rows)


def test_few_are_wrong():
    for key, judged, wrong, low, high in rates(ROWS):
        assert 100 * wrong <= MOST_WRONG[judged_part(key)[0]] * judged
        assert low - 1e-9 <= wrong / judged <= high


def test_a_blind_judge_saw_every_sheet():
    page = (ROOT / "docs" / "perturbations.md").read_text("utf-8")
    judged = {
        name: (count, wrong, low, high) for name, count, wrong, low, high in rates(judges(KEY)["second"])
    }
    assert list(judged) == list(QUESTIONS)
    for name, (count, wrong, low, high) in judged.items():
        assert count == COUNT
        assert re.search(
            rf"\| `{name}` .*\| \*\*{wrong} of 100\*\* \| {100 * low:.0f} to {100 * high:.0f} % \|", page
        )
    unsure = {
        name: sum(verdict.startswith("unsure") for row in rows for verdict in row.verdicts.values())
        for name, rows in KEY.items()
    }
    for name in ("add_clause", "injected_fact", "wrong_pronoun", "split_sentences"):
        assert f"| `{name}` | {judged[name][1] - unsure[name]} | {unsure[name]} |" in page


def test_sheets_have_instances_that_were_not_judged_before():
    assert list(KEY) == list(QUESTIONS)
    for name, rows in KEY.items():
        assert [row.id for row in rows] == [f"{name}-{k:03}" for k in range(1, COUNT + 1)]
        assert len({(row.data, row.document, row.start, row.digest) for row in rows}) == COUNT
        before = {
            (judged_part(key)[1], row[0])
            for key, old in ROWS.items()
            if judged_part(key)[0] == name
            for row in old
        }
        assert not before & {(row.data, row.document) for row in rows}
        if name != "simplify":
            assert all(part(row.document) == 2 for row in rows if row.data == "plaba")


def test_the_key_has_no_text():
    for line in SHEETS.read_text("utf-8").splitlines():
        assert re.sub(r", \{.*", "", line).count(" ") <= 4


@pytest.mark.wordnet
def test_an_instance_shows_its_neighbours_and_marks_the_change():
    (document,) = pooled([TextDocument("It is old. It fell fast. It rose. It ended.", "a")])
    rows = {i.place[1]: i for i in of_document(perturbation("negate"), document)}
    assert rows[14].before == "It is old. It ⟦fell⟧ fast. It rose."
    assert rows[14].after == "It is old. It ⟦did not fall⟧ fast. It rose."
    moved = {i.place[1]: i for i in of_document(perturbation("reorder"), document)}
    assert moved[0].before == "⟦It is old.⟧ It fell fast."
    assert moved[0].after == "It fell fast. ⟦It is old.⟧"


def test_new_sheets_leave_verdicts_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(evaluated, "SHEETS", tmp_path / "key.json")
    monkeypatch.setattr(evaluated, "QUESTIONS", {"numbers": "Wrong?", "negate": "Wrong?"})
    monkeypatch.setattr(evaluated, "sample", lambda name: [])
    judged = Row("numbers-001", "plaba", "1", 0, "0", {"second": "wrong: a date"})
    evaluated.write_key({"numbers": [judged]})
    evaluated.write_sheets(tmp_path / "sheets")
    assert read_key() == {"numbers": [judged], "negate": []}
    assert sorted(p.name for p in (tmp_path / "sheets").iterdir()) == ["INSTRUCTIONS.txt", "negate.tsv"]
    monkeypatch.setattr(evaluated, "QUESTIONS", {"numbers": "Wrong?"})
    with pytest.raises(InputError, match="verdicts for every perturbation"):
        evaluated.write_sheets(tmp_path / "sheets")


def test_verdicts_are_added_by_id(tmp_path):
    key = {"numbers": [Row(f"numbers-00{k}", "plaba", "1", k, "0") for k in (1, 2, 3)]}
    sheet = (
        "# question\nid\tverdict\treason\nnumbers-001\tOK\t\nnumbers-003\twrong\ta date\nnumbers-002\t\t\n"
    )
    (tmp_path / "numbers.anyone.judged.tsv").write_text(sheet, "utf-8")
    (tmp_path / "numbers.tsv").write_text("never read", "utf-8")
    assert merge(tmp_path, key) == 2
    assert [row.verdicts for row in key["numbers"]] == [{"anyone": ""}, {}, {"anyone": "wrong: a date"}]
    ((name, judged, wrong, *_),) = rates(judges(key)["anyone"])
    assert (name, judged, wrong) == ("numbers", 2, 1)


@pytest.mark.parametrize(
    ("sheet", "message"),
    [
        ("", r"x\.judged\.tsv: expected a first row with the columns id and verdict\."),
        ("id\tverdict\nnumbers-001\tmaybe\n", r"x\.judged\.tsv, line 2: verdict 'maybe', expected ok, wrong, unsure\."),
        ("id\tverdict\na\tok\na\tok\n", r"line 3: a has a verdict already\."),
        ("id\tverdict\nnobody\tok\n", r"no instance 'nobody'; expected ids of the sheets\."),
    ],
)  # fmt: skip
def test_a_broken_sheet_says_what_is_wrong(sheet, message, tmp_path):
    path = tmp_path / "x.judged.tsv"
    path.write_text(sheet, "utf-8")
    with pytest.raises(InputError, match=message):
        merge(tmp_path, {"numbers": []})


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
        place
        for document in {row[0] for row in ROWS[key]}
        for i in of_document(p, by_id[document])
        for place in places(document, i.pieces)
    }
    same = [row for row in ROWS[key] if tuple(row[:3]) in today]
    assert len(same) >= 0.95 * len(ROWS[key]) - MENDED.get(name, 0)


@pytest.mark.data
@pytest.mark.wordnet
@pytest.mark.parametrize("name", KEY)
def test_what_a_blind_judge_rejected_is_mended(name, shared, monkeypatch):
    """What is left of the judged instances, and how many of these are wrong, as docs/perturbations.md says."""
    monkeypatch.setenv("PLAINMARK_DATA", str(shared / "data"))
    left = still_made(name, KEY[name])
    assert len(left) >= 75
    wrong = sum(any(row.verdicts.values()) for row in left)
    if name in TOO_MANY_WRONG:
        assert wrong == TOO_MANY_WRONG[name] > MOST_WRONG[name]
    else:
        assert 100 * wrong <= MOST_WRONG[name] * len(left)
    page = (ROOT / "docs" / "perturbations.md").read_text("utf-8")
    rejected = sum(any(row.verdicts.values()) for row in KEY[name])
    assert re.search(rf"\| `{name}` .*\| \*\*{rejected} of 100\*\* \|.*\| {wrong} of {len(left)} \|", page)


def test_mended_rules_that_were_judged_again():
    """Instances of the rules as mended, in documents of neither earlier round, and what is wrong with each."""
    mended = json.loads(SHEETS.with_name("perturbation_mended.json").read_text("utf-8"))
    figures = {name: (len(rows), sum(bool(row[-1]) for row in rows)) for name, rows in mended.items()}
    assert figures == {"add_definitions": (80, 6), "reorder": (50, 0)}
    for name, rows in mended.items():
        before = {(row.data, row.document) for row in KEY[name]}
        before |= {
            (judged_part(k)[1], r[0]) for k, rs in ROWS.items() if judged_part(k)[0] == name for r in rs
        }
        assert before.isdisjoint((row[0], row[1]) for row in rows)
        assert 100 * figures[name][1] / figures[name][0] <= MOST_WRONG[name]
