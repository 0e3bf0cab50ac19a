"""Choosing among candidates: order, tolerance, bounds, sums, undefined values, reasons."""

from dataclasses import dataclass

import numpy as np
import pytest

from plainmark.errors import OptionError, UnknownNameError
from plainmark.metric import MeanMetric
from plainmark.simplifier.candidate import Candidate
from plainmark.simplifier.choosing import SOURCE, Criterion, choose_all, choose_columns, parse_criteria


def chosen(text, scores, pool=None):
    """The names of candidates in the order of choice; the first is the source."""
    count = len(next(iter(scores.values())))
    pool = pool or [Candidate("s", origin=SOURCE), *(Candidate(c, origin=c) for c in "abcdef"[: count - 1])]
    columns = {name: np.array(values, dtype=float) for name, values in scores.items()}
    return choose_columns("s", pool, parse_criteria(text), columns)


def order(text, scores):
    return "".join(c.output for c in chosen(text, scores).candidates)


def test_the_best_by_one_metric():
    assert order("quality", {"quality": [50, 40, 70, 60]}) == "bcsa"
    assert order("fkgl", {"fkgl": [9, 12, 4]}) == "bsa"  # lower is better


def test_the_next_criterion_decides_within_the_tolerance():
    scores = {"facts_kept": [100, 99.5, 98], "quality": [50, 60, 90]}
    assert order("facts_kept, quality", scores) == "asb"  # 98 is more than a point below 100
    assert order("facts_kept within 2, quality", scores) == "bas"
    assert order("facts_kept within 0, quality", scores) == "sab"
    assert order("quality within 35, facts_kept", scores) == "abs"  # 60 and 90 are near, 50 is not


def test_the_last_criterion_has_no_tolerance():
    assert order("quality", {"quality": [50, 50.4]}) == "as"
    assert order("quality within 1", {"quality": [50, 50.4]}) == "sa"


def test_the_source_wins_among_equals_and_then_the_first():
    assert order("quality", {"quality": [50, 50, 50]}) == "sab"
    assert chosen("quality", {"quality": [50, 50]}).reason == "no criterion tells the candidates apart"


def test_bounds_are_enough():
    scores = {"facts_kept": [100, 91, 80, 95], "quality": [50, 60, 90, 55]}
    assert order("facts_kept >= 90, quality", scores) == "acsb"
    # Nothing reaches the bound: the nearest first, whatever its quality.
    assert (
        order("facts_kept >= 90, quality", {"facts_kept": [60, 80, 70], "quality": [90, 10, 50]})
        == "abs"[0] + "bs"
    )
    assert order("fkgl <= 8, quality", {"fkgl": [12, 8, 5], "quality": [90, 40, 30]}) == "abs"


def test_weighted_sums():
    scores = {"quality": [50, 70, 60], "facts_kept": [100, 60, 90], "fkgl": [10, 4, 9]}
    # 65, 67, 69: quality counts more than facts
    assert order("0.7*quality + 0.3*facts_kept", scores) == "bas"
    # 50 - 10 = 40, 70 - 4 = 66, 60 - 9 = 51: lower grades are better
    assert order("quality + fkgl", scores) == "abs"


def test_what_is_undefined_neither_helps_nor_harms():
    assert order("facts_kept, quality", {"facts_kept": [np.nan] * 3, "quality": [50, 70, 60]}) == "abs"
    assert order("facts_kept, quality", {"facts_kept": [100, np.nan, 60], "quality": [50, 70, 90]}) == "asb"


def test_reasons_are_words():
    choice = chosen("facts_kept >= 90, quality", {"facts_kept": [100, 95, 40], "quality": [50, 60, 90]})
    assert choice.output == "a"
    assert choice.reason == "quality 60.0 is the highest of those that pass facts_kept >= 90"
    assert [(c.output, why) for c, why in choice.rejected] == [
        ("s", "quality 50.0; the chosen one has 60.0"),
        ("b", "facts_kept 40.0 is below 90"),
    ]
    choice = chosen("fkgl <= 5, quality", {"fkgl": [9, 7], "quality": [50, 40]})
    assert choice.reason == "fkgl 7.0 is nearest to 5, which none reaches"
    assert choice.rejected[0][1] == "fkgl 9.0 is above 5"


def test_candidates_that_cannot_be_used_come_last_with_their_reason():
    pool = [
        Candidate("s", origin=SOURCE),
        Candidate("", origin="x", problem="the reply is empty"),
        Candidate("b"),
    ]
    choice = chosen("quality", {"quality": [50, 60]}, pool)
    assert [c.output for c in choice.candidates] == ["b", "s", ""]
    assert choice.reasons[2] == "the reply is empty"
    assert choice.to_dict()["candidates"][2]["scores"] == {}


def test_equal_candidates_are_one():
    pools = [
        [
            Candidate("The cat sat.", origin="a"),
            Candidate("", origin="b"),
            Candidate("The cat sat.", origin="c"),
        ]
    ]
    (choice,) = choose_all(["The feline sat."], pools, parse_criteria("fkgl"))
    assert choice.candidates[0].origin == "a, c"
    assert choice.candidates[2].problem == "it is empty"
    (alone,) = choose_all(["The cat sat."], [[]], parse_criteria("fkgl"))
    assert (alone.output, alone.reason) == ("The cat sat.", "there is no other candidate")


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("sari", OptionError, "sari needs references, which do not exist"),
        ("length", OptionError, "length describes a text; neither direction is better"),
        ("qualty", UnknownNameError, "Did you mean"),
        ("quality,", OptionError, "expected metrics separated by commas"),
        ("quality <= 5", OptionError, "higher is better of quality, so expected >="),
        ("fkgl >= 5", OptionError, "lower is better of fkgl, so expected <="),
        ("quality + facts_kept >= 5", OptionError, "a bound is for one metric"),
        ("-1*quality", OptionError, "expected a weight above 0"),
        ("quality within -1", OptionError, "expected a tolerance of 0 or more"),
    ],
)
def test_what_cannot_be_chosen_by(text, error, message):
    with pytest.raises(error, match=message):
        parse_criteria(text)


def test_options_of_metrics_may_hold_commas_and_signs():
    criterion = Criterion.parse("0.5*bertscore(against='source', part='recall') + 0.5*facts_kept within 2")
    assert [m.name for _, m in criterion.terms] == ["bertscore", "facts_kept"]
    assert criterion.tolerance == 2


@dataclass(frozen=True)
class Vowels(MeanMetric):
    """Number of vowels."""

    def values(self, corpus):
        return [sum(c in "aeiou" for c in t) for t in corpus.outputs]


def test_a_metric_of_your_own():
    spec = f"{Vowels.__module__}.Vowels"
    (choice,) = choose_all(["Owls hunt."], [[Candidate("Oooo.")]], parse_criteria(spec))
    assert choice.output == "Oooo."
