"""Scores of parsed UCCA graphs: the official evaluation's counts, and what SAMSA sees, by hand."""

import json
import math

import pytest

from conftest import ROOT
from plainmark.errors import InputError
from plainmark.ucca import MatchCounts, evaluate, split
from support.ucca_data import bracketed, passages

GOLDEN = json.loads((ROOT / "tests" / "golden" / "ucca_scores.json").read_text("utf-8"))


@pytest.mark.parametrize("pair", GOLDEN["pairs"], ids=lambda p: p["name"])
def test_edges_are_counted_as_the_official_evaluation_counts_them(pair):
    found = evaluate([bracketed(pair["parsed"])], [bracketed(pair["gold"])]).edges
    counts = {f"{how} {kind}": [x.matches, x.predicted, x.gold] for (how, kind), x in found.items()}
    for name, official in pair["counts"].items():
        assert counts[name] == official, name


def test_a_case_worked_by_hand():
    # gold: "John got home" is H, its words A P A; found: the last word is D
    scores = evaluate(
        [bracketed("(H (A John) (P got) (D home)) (U .)")], [bracketed("(H (A John) (P got) (A home)) (U .)")]
    )
    labelled = scores.edges["labelled", "primary"]
    assert (labelled.matches, labelled.predicted, labelled.gold) == (3, 4, 4)
    assert labelled.f1 == 0.75
    assert scores.edges["unlabelled", "primary"].f1 == 1
    assert scores.by_category["A"] == MatchCounts(1, 1, 2)
    assert scores.by_category["D"] == MatchCounts(0, 1, 0)
    assert scores.participants == MatchCounts(1, 1, 2)
    assert scores.main_relations == scores.centres == MatchCounts(1, 1, 1)


def test_scenes_are_counted_by_their_words():
    gold = bracketed("(H (A I) (P read) (A (F the) (C book) (E (R that) (A John) (P wrote))))")
    parsed = bracketed("(H (A I) (P read) (A (F the) (C book) (E that John wrote)))")
    scores = evaluate([parsed, gold], [gold, gold])
    assert scores.scenes == MatchCounts(3, 3, 4)
    assert (scores.same_count, scores.count_error, scores.sentences) == (1, 1, 2)
    record = scores.record()
    assert record["scenes_per_sentence"] == 1.5
    assert record["gold_scenes_per_sentence"] == 2
    assert record["same_scene_count"] == 50
    assert record["scene_count_error"] == 0.5


def test_a_participant_of_another_scene_is_wrong():
    gold = bracketed("(H (A John) (P came)) (L and) (H (P left))")
    scores = evaluate([bracketed("(H (A=j John) (P came)) (L and) (H (A*j) (P left))")], [gold])
    assert scores.participants == MatchCounts(1, 2, 1)


def test_main_relations_that_the_text_leaves_out_are_counted_apart():
    gold = bracketed("(H (A John) (P left)) (L and) (H (A Ann) (P-))")
    parsed = bracketed("(H (A John) (P left)) (L and) (H (A Ann))")
    scores = evaluate([parsed], [gold])
    assert scores.scenes == MatchCounts(1, 1, 1)
    assert scores.gold_with_implicit == 2


def test_nothing_on_both_sides_is_undefined():
    scores = evaluate([bracketed("(U .)")], [bracketed("(U .)")])
    assert math.isnan(scores.scenes.f1)
    assert scores.record()["scenes"]["f1"] is None


def test_another_text_is_refused():
    with pytest.raises(InputError, match="its words are not those of the gold passage"):
        evaluate([bracketed("(H (P Run))")], [bracketed("(H (P Stop))")])


def test_gold_against_gold_is_perfect(shared):
    sentences = [s for g in passages("wiki-v1.2.4-dev")[:8] for s in split(g)]
    record = evaluate(sentences, sentences).record()
    for name in ("labelled_primary", "labelled_remote", "unlabelled_primary", "scenes", "participants"):
        assert record[name]["f1"] == 100
    assert record["same_scene_count"] == 100
