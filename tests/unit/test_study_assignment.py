"""Blocks, orders and the simulated study: constraints hold for every shape, and the number of blocks is the least."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark.study.assignment import (
    BlockShape,
    TrialCell,
    admits,
    cells_of,
    cut,
    fewest,
    ordered,
    plan,
    repair,
    simulate,
    top_up,
)
from plainmark.study.definition.models import Design

ITEMS = [f"i{k}" for k in range(60)]
ARMS = [f"a{k}" for k in range(11)]


def check(blocks, cells, size, arms):
    """Every cell once, no item twice, no arm more often than it must be."""
    assert sorted(map(str, (c for b in blocks for c in b))) == sorted(map(str, cells))
    for block in blocks:
        assert len(block) <= size
        assert len({c.item for c in block}) == len(block)
        if arms:
            most = math.ceil(size / arms)
            assert max(Counter(c.arm for c in block).values()) <= most


def test_sixty_items_in_eleven_conditions_are_110_blocks_of_six():
    blocks = plan(ITEMS, ARMS, Design(per_participant=6))
    assert len(blocks) == 110
    assert {len(b) for b in blocks} == {6}
    check(blocks, cells_of(ITEMS, ARMS, Design()), 6, 11)
    assert all(len({c.arm for c in b}) == 6 for b in blocks)


@pytest.mark.parametrize("at_once", [1, 20, 60])
def test_twelve_percent_drop_outs_over_twenty_seeds(at_once):
    for seed in range(20):
        design = Design(per_participant=6, seed=seed)
        done = simulate(ITEMS, ARMS, design, drop_out=0.12, at_once=at_once, rng=np.random.default_rng(seed))
        assert done.covered == 660
        assert 110 <= done.people <= 125
        assert done.surplus < 15
        assert done.answers == done.covered + done.surplus
        assert all(len(set(seen)) == len(seen) for seen in done.seen.values())


def test_without_drop_outs_nobody_is_needed_twice():
    done = simulate(ITEMS, ARMS, Design(per_participant=6), drop_out=0, rng=np.random.default_rng(0))
    assert (done.people, done.finished, done.surplus) == (110, 110, 0)


@given(
    items=st.integers(1, 12),
    arms=st.integers(1, 8),
    size=st.integers(1, 15),
    replicates=st.integers(1, 3),
    overlap=st.integers(0, 4),
    seed=st.integers(0, 1000),
)
def test_any_shape_is_cut_into_the_fewest_blocks(items, arms, size, replicates, overlap, seed):
    names, systems = [f"i{k}" for k in range(items)], [f"a{k}" for k in range(arms)]
    design = Design(per_participant=size, replicates=replicates, overlap=min(overlap, items), seed=seed)
    cells = cells_of(names, systems, design)
    assert len(cells) == items * arms * replicates + design.overlap * arms
    blocks = plan(names, systems, design)
    check(blocks, cells, size, arms)
    # A block cannot be longer than the items; nor can one item be in fewer blocks than it has cells.
    least = max(math.ceil(len(cells) / size), max(Counter(c.item for c in cells).values()))
    assert len(blocks) == fewest(cells, size, arms) >= least
    assert max(map(len, blocks)) - min(map(len, blocks)) <= 1


@given(
    st.sets(st.tuples(st.integers(0, 7), st.integers(0, 4), st.integers(0, 2)), max_size=60),
    st.integers(1, 9),
    st.integers(0, 99),
)
def test_what_is_left_over_is_cut_as_well(left, size, seed):
    cells = [TrialCell(f"i{i}", f"a{a}", r) for i, a, r in left]
    blocks = cut(cells, size, 5, np.random.default_rng(seed))
    check(blocks, cells, size, 5)
    assert len(blocks) == fewest(cells, size, 5)
    assert len(repair(cells, size, 5, np.random.default_rng(seed))) == max(map(len, blocks), default=0)


def test_the_fewest_blocks_by_brute_force():
    """Three cells of one item need three blocks, whatever their size."""
    cells = [TrialCell("x", a) for a in "abc"] + [TrialCell("y", "a")]
    assert fewest(cells, 4, 3) == 3
    assert len(cut(cells, 4, 3, np.random.default_rng(0))) == 3


@given(
    items=st.integers(6, 40),
    arms=st.integers(2, 6),
    size=st.integers(2, 8),
    replicates=st.integers(1, 6),
    kind=st.sampled_from(["within", "between"]),
    seed=st.integers(0, 1000),
)
def test_every_first_part_of_a_plan_is_balanced(items, arms, size, replicates, kind, seed):
    names, systems = ITEMS[:items], ARMS[:arms]
    design = Design(kind=kind, per_participant=min(size, items), replicates=replicates, seed=seed)
    shown, texts = Counter(dict.fromkeys(names, 0)), Counter()
    for block in plan(names, systems, design):
        shown.update(c.item for c in block)
        texts.update((c.item, c.arm) for c in block)
        assert max(shown.values()) - min(shown.values()) <= 7  # usually 2 or 3; at random up to 16
        assert max(texts.values()) - min(texts[i, a] for i in names for a in systems) <= 7


def test_between_people_come_to_all_arms_equally():
    arms = Counter(dict.fromkeys(ARMS[:2], 0))
    for block in plan(ITEMS[:24], ARMS[:2], Design(kind="between", per_participant=6, replicates=12)):
        arms[block[0].arm] += 1
        assert max(arms.values()) - min(arms.values()) <= 1


def test_between_shows_one_condition_to_each_person():
    blocks = plan(ITEMS[:10], ARMS[:3], Design(kind="between", per_participant=4))
    assert len(blocks) == 9
    assert all(len({c.arm for c in b}) == 1 and len({c.item for c in b}) == len(b) for b in blocks)


def test_absent_texts_leave_their_cells_out():
    absent = {("i0", "a1")}
    cells = cells_of(ITEMS[:3], ARMS[:2], Design(), absent)
    assert len(cells) == 5
    check(plan(ITEMS[:3], ARMS[:2], Design(per_participant=2), absent), cells, 2, 2)


def test_the_same_seed_gives_the_same_plan_and_another_seed_another():
    first, same, other = (plan(ITEMS, ARMS, Design(seed=s)) for s in (3, 3, 4))
    assert first == same
    assert first != other


def test_orders():
    block = [TrialCell("c", "z"), TrialCell("a", "x"), TrialCell("b", "y")]
    items, arms = {"a": 0, "b": 1, "c": 2}, {"x": 0, "y": 1, "z": 2}
    put = {"number": 0, "items": items, "arms": arms, "rng": np.random.default_rng(0)}
    assert [c.item for c in ordered(block, "fixed", **put)] == ["a", "b", "c"]
    firsts = [ordered(block, "latin", **{**put, "number": n})[0].arm for n in range(3)]
    assert sorted(firsts) == ["x", "y", "z"]  # every arm is first once
    assert sorted(c.item for c in ordered(block, "random", **put)) == ["a", "b", "c"]


def test_short_blocks_are_filled_with_the_least_answered():
    booklet = [TrialCell("a", "x")]
    counts = {("a", "y"): 0, ("b", "x"): 0, ("b", "y"): 5, ("c", "y"): 1, ("c", "z"): 9}
    answered = {("", item, arm): n for (item, arm), n in counts.items()}
    shapes = BlockShape.only("abc", "xyz", Design(per_participant=3))
    # item a and arm x are in the booklet; of the rest (c, y) has the fewest answers, and leaves no other item and arm
    assert top_up(booklet, answered, shapes, np.random.default_rng(0)) == [("", "c", "y")]


def test_a_short_block_waits_while_others_work():
    assert admits(6, 6, others=50)
    assert not admits(5, 6, others=1)
    assert admits(1, 6, others=0)
    assert not admits(0, 6, others=0)
