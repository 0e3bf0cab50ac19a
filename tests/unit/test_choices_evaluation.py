"""How `evaluation.choices` counts picks; its figures need data."""

import numpy as np
import pytest
from evaluation.choices import Choosers, Sentence, interval, picked, table

from plainmark.simplifier.candidate import Candidate

RATINGS = {"a": 1.0, "b": 3.0, "c": 3.0}


def test_the_pick_is_the_first_that_is_rated():
    assert picked([["x"], ["a"], ["b"]], RATINGS) == (1.0, 0.0)
    assert picked([["x"], ["c"], ["a"]], RATINGS) == (3.0, 1.0)
    value, best = picked([["a", "b", "c", "x"]], RATINGS)  # equal ones count as their mean
    assert (value, best) == (pytest.approx(7 / 3), pytest.approx(2 / 3))
    assert np.isnan(picked([["x"]], RATINGS)[0])


def test_intervals_draw_whole_sentences():
    assert interval(np.array([2.0, 2.0, 2.0]), np.array([0, 0, 1]), 1) == "2.0 (2.0 to 2.0)"
    assert interval(np.array([0.0, 4.0]), np.array([0, 0]), 1) == "2.0 (2.0 to 2.0)"


@pytest.mark.models
def test_choosers_see_all_candidates_and_the_source():
    sentence = Sentence("s", (Candidate("aaaa"), Candidate("bb")), {"aaaa": 1.0, "bb": 2.0})
    pairs = [("s", "s"), ("s", "aaaa"), ("s", "bb")]
    scores = np.array([50.0, 60.0, 70.0])
    columns = dict.fromkeys(("quality", "facts_kept", "facts_kept(part='precision')", "samsa"), scores)
    choosers = Choosers(pairs, columns | {"bertscore(against='source')": np.array([100.0, 90.0, 80.0])})
    rankings = dict(choosers.rankings(sentence))
    assert rankings["longest"][0] == rankings["BERTScore to the source"][0] == ["aaaa"]
    assert rankings["quality"] == [["bb"], ["aaaa"], ["s"]]
    rows = {row[0]: row for row in table("", [sentence], choosers).rows}
    assert rows["quality"][1:] == ["2.00 (2.00 to 2.00)", "1.000 (1.000 to 1.000)", "0 %"]
    assert rows["random"][1].startswith("1.50")
