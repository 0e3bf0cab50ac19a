"""A task says every choice, prints as its own text, and refuses what does not go together."""

import pytest

import plainmark as pm
from plainmark.errors import OptionError
from plainmark.meta import Task
from plainmark.options import option_help


def test_text_reads_back():
    task = Task(
        level="system", coefficient="spearman", dimension="how simple", without=("KIS", "A B"), seed=3
    )
    assert task.spec == "level=system coefficient=spearman dimension='how simple' without='KIS,A B' seed=3"
    assert Task.parse(task.spec) == task
    assert Task.parse("") == Task() == pm.Task()
    assert Task().spec == ""


def test_values_are_checked_and_hashable():
    assert len({Task(systems=["A"]), Task(systems=("A",))}) == 1
    assert Task.parse("resamples=50 confidence=0.9") == Task(resamples=50, confidence=0.9)
    assert Task.parse("seed=1", dimension="d") == Task(seed=1, dimension="d")
    assert Task.parse("dimension=e", dimension="d").dimension == "e"


def test_every_option_has_help():
    assert all(option_help(Task).values())


def test_what_is_drawn():
    assert Task().unit == "item"
    assert Task(level="system").unit == "system"
    assert Task(level="system", resample="item").unit == "item"
    assert Task(resample="both").unit == "both"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("level=systm", "option level='systm' is not allowed; expected one of 'segment', 'item'"),
        ("levl=system", "found 'levl=system', expected option=value. Did you mean 'level'?"),
        ("pearson", "found 'pearson', expected option=value."),
        ("level=system level=segment", "option 'level' is given twice"),
        ("seed=x", "option seed='x' is not a number"),
        ("resamples=2", "option resamples=2 is not allowed; expected a whole number from 10"),
        ("dimension='a", "a quote is not closed"),
        ("level=item-means coefficient=pairwise", "pairwise compares systems; found level=item-means"),
        ("level=item resample=system", "resample=system needs rows that belong to one system"),
        ("level=item-means resample=both", "resample=both needs level=segment"),
    ],
)
def test_mistakes(text, message):
    with pytest.raises(OptionError) as problem:
        Task.parse(text)
    assert message in str(problem.value)


def test_a_word_is_not_a_list():
    with pytest.raises(OptionError, match="option systems='KIS' is not allowed; expected a list"):
        Task(systems="KIS")
