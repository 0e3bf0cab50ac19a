"""Several blocks in one study: mistakes, who sees what, pages, and what exports and reports say of blocks."""

import json
import math
from collections import Counter

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from plainmark.errors import DefinitionError, InputError
from plainmark.study import load, open_store
from plainmark.study.analysis.analyse import analyse
from plainmark.study.analysis.responses import collect, responses
from plainmark.study.assignment import (
    BlockShape,
    cells_of_blocks,
    plan_blocks,
    repair_blocks,
    simulate_blocks,
)
from plainmark.study.codebook import as_markdown, codebook
from plainmark.study.definition.models import Design
from plainmark.study.planning import plan_of
from plainmark.study.power import Assumptions, Simulator
from plainmark.study.preregistration import preregistration
from plainmark.study.store import monitoring, progress
from plainmark.study.store.answer_rows import answer_rows
from plainmark.study.store.tables import cells
from support import studies

RATE = {
    "kind": "block",
    "id": "rate",
    "title": "Rate",
    "per_participant": 1,
    "questions": [{"id": "ease", "type": "likert", "text": "How easy is it?"}],
}
ASK = {
    "kind": "block",
    "id": "ask",
    "title": "Answer",
    "per_participant": 2,
    "reading": "apart",
    "questions": [studies.MCQ],
}
PRACTICE = {
    "kind": "practice",
    "title": "Try",
    "item": {"texts": ["An example."]},
    "questions": [{"id": "t", "type": "yesno", "text": "Is it?"}],
}


def definition(*blocks, **changes):
    consent, _, survey = studies.definition()["pages"]
    pages = [consent, *(blocks or (RATE, ASK)), survey]
    return studies.definition(pages=json.loads(json.dumps(pages)), **changes)


def balanced():
    """A definition and items of which nine people each take one of the first block and two of the second."""
    rows = [{**row, "set": "long" if k < 3 else "short"} for k, row in enumerate(studies.items(9))]
    rate = {**RATE, "items": {"field": "set", "equals": "long"}}
    return (rate, {**ASK, "items": {"field": "set", "equals": ["short"]}}), rows


@pytest.fixture
def study(tmp_path):
    return studies.write(tmp_path / "study", definition())


def mistake(tmp_path, made, rows=None):
    with pytest.raises(DefinitionError) as raised:
        studies.write(tmp_path / "wrong", made, rows)
    return str(raised.value)


@pytest.mark.parametrize(
    ("blocks", "changes", "message"),
    [
        (({**RATE, "id": None}, ASK), {}, "pages[1]: there are 2 blocks; give each an 'id'."),
        ((RATE, {**ASK, "id": "rate"}), {}, "pages[2].id: 'rate' is given twice."),
        ((RATE, {**RATE, "id": "again"}), {}, "'ease' is asked in block 'rate', too;"),
        (
            (RATE, {**ASK, "show": "pair"}),
            {"design": {"kind": "between", "per_participant": 1}},
            "between: a participant sees one condition, so all blocks must show the same.",
        ),
        (
            (RATE, ASK),
            {"scores": [{"id": "both", "of": ["ease", "q9"]}]},
            "scores[0].of: found 'q9', expected one of ease.",
        ),
        (
            (RATE, {**ASK, "per_participant": 7}),
            {},
            "pages[2].per_participant: found 7, but there are 6 items.",
        ),
        (
            (RATE, {**ASK, "per_participant": 6}),
            {},
            "a participant sees 7 items in all blocks, none twice, but there are 6.",
        ),
        (
            ({**RATE, "items": {"field": "set", "equals": "x"}}, ASK),
            {},
            "pages[1].items: none of the items of items.jsonl; no item has this field.",
        ),
        (
            (RATE, ASK),
            {"design": {"block_order": "any"}},
            "design.block_order: found 'any', expected one of fixed, random",
        ),
    ],
)
def test_mistakes_are_told_with_line_and_key(tmp_path, blocks, changes, message):
    blocks = [{k: v for k, v in b.items() if v is not None} for b in blocks]
    assert message in mistake(tmp_path, definition(*blocks, **changes))


def test_a_score_mixes_no_blocks(tmp_path):
    hard = {**RATE, "id": "other", "questions": [{"id": "hard", "type": "likert", "text": "How hard?"}]}
    made = definition(RATE, hard, scores=[{"id": "both", "of": ["ease", "hard"]}])
    assert "scores[0].of: questions of several blocks" in mistake(tmp_path, made)


def test_a_study_with_one_block_keeps_its_digest(tmp_path):
    one = studies.write(tmp_path / "one")
    assert one.digest == "e9845398394734644b23f1591e5ad25a3ad623b2a006dedf9af9a620e99a5d20", (
        "databases store it"
    )


shapes_of_a_study = st.integers(2, 14).flatmap(
    lambda items: st.tuples(
        st.just(items),
        st.lists(st.integers(1, max(1, items // 3)), min_size=2, max_size=3),
        st.integers(1, 5),
        st.integers(1, 2),
        st.integers(0, 2),
        st.integers(0, 99),
    )
)


def rules_hold(booklets, shapes):
    """No item twice, of no block more than its size, no arm more often than it must be; returns all cells."""
    sizes = {s.id: s.size for s in shapes}
    for booklet in booklets:
        assert len({c.item for c in booklet}) == len(booklet)
        assert all(n <= sizes[block] for block, n in Counter(c.block for c in booklet).items())
        for arms in {s.arms for s in shapes}:
            alike = {s.id for s in shapes if s.arms == arms}
            most = math.ceil(sum(sizes[i] for i in alike) / len(arms))
            assert max(Counter(c.arm for c in booklet if c.block in alike).values(), default=0) <= most
    return sorted(map(str, (c for b in booklets for c in b)))


@given(shapes_of_a_study)
def test_blocks_are_dealt_out_to_the_fewest_people(case):
    count, sizes, arm_count, replicates, overlap, seed = case
    items, arms = tuple(f"i{k}" for k in range(count)), tuple(f"a{k}" for k in range(arm_count))
    shapes = [BlockShape(items, arms, size, f"b{n}") for n, size in enumerate(sizes)]
    design = Design(replicates=replicates, overlap=min(overlap, count), seed=seed)
    planned = cells_of_blocks(shapes, design)
    booklets = plan_blocks(shapes, design)
    assert rules_hold(booklets, shapes) == sorted(map(str, planned))
    # Nobody can take more of a block than its size, nor an item twice: fewer people are impossible.
    needed = [math.ceil(n / sizes[int(block[1:])]) for block, n in Counter(c.block for c in planned).items()]
    assert len(booklets) == max(*needed, *Counter(c.item for c in planned).values())


@given(shapes_of_a_study, st.sets(st.tuples(st.integers(0, 13), st.integers(0, 4)), max_size=6))
def test_missing_texts_and_other_arms_break_no_rule(case, missing):
    count, sizes, arm_count, replicates, _, seed = case
    items, arms = tuple(f"i{k}" for k in range(count)), tuple(f"a{k}" for k in range(arm_count))
    shapes = [BlockShape(items, arms, size, f"b{n}") for n, size in enumerate(sizes)]
    shapes[0] = BlockShape(items[1:] or items, ("all",), 1, "b0")
    absent = frozenset((f"i{i}", f"a{a}") for i, a in missing)
    design = Design(replicates=replicates, overlap=0, seed=seed)
    planned = cells_of_blocks(shapes, design, absent)
    assert rules_hold(plan_blocks(shapes, design, absent), shapes) == sorted(map(str, planned))
    rest = planned[::2]
    booklet = repair_blocks(rest, shapes, np.random.default_rng(seed))
    rules_hold([booklet], shapes)
    assert bool(booklet) == bool(rest)


def test_no_condition_twice_over_two_blocks_of_three():
    items, arms = tuple(f"i{k}" for k in range(60)), tuple(f"a{k}" for k in range(11))
    shapes = [BlockShape(items, arms, 3, "one"), BlockShape(items, arms, 3, "two")]
    booklets = plan_blocks(shapes, Design())
    assert len(booklets) == 220
    assert all(len({c.arm for c in b}) == len({c.item for c in b}) == 6 for b in booklets)
    people = [simulate_blocks(shapes, Design(seed=s), rng=np.random.default_rng(s)).people for s in range(3)]
    assert all(220 < n < 260 for n in people), people


def test_between_gives_one_condition_in_all_blocks():
    items, arms = tuple("abcdefgh"), ("x", "y")
    shapes = [BlockShape(items, arms, 2, "one"), BlockShape(items, arms, 2, "two")]
    booklets = plan_blocks(shapes, Design(kind="between"))
    assert len(booklets) == 8, "16 cells of each block, two each"
    assert all(len({c.arm for c in b}) == 1 and len({c.item for c in b}) == 4 for b in booklets)


@pytest.fixture(params=["sqlite", "postgresql"])
def store(study, request):
    url = "" if request.param == "sqlite" else request.getfixturevalue("postgresql").database()
    with open_store(study, url) as opened:
        opened.begin(0.0)
        yield opened


def test_people_answer_both_blocks(store):
    """18 cells of each block; 18 people take one of `rate`, and so many two of `ask` until all are answered."""
    for n in range(18):
        assert studies.walk(store, f"p{n}", now=1000.0 * n).outcome == "complete"
    rows = [r for r in answer_rows(store) if r.page == "block"]
    state = monitoring.progress(store, 20_000.0)
    assert (state.done, state.cells, state.free) == (36, 36, 0)
    assert state.by_block == {"ask": (18, 18), "rate": (18, 18)}
    wanted = Counter((r.block, r.item, r.arm) for r in rows if not r.surplus)
    assert len(wanted) == 36
    assert set(wanted.values()) == {1}
    for person in {r.participant for r in rows}:
        mine = [r for r in rows if r.participant == person]
        assert len({r.item for r in mine}) == len(mine) <= 3
        assert len({r.arm for r in mine}) == len(mine), "three conditions, three items"
        assert [r.block for r in mine] == sorted((r.block for r in mine), reverse=True), "rate comes first"
        assert {r.question for r in mine if r.block == "rate"} <= {"ease"}
    assert studies.walk(store, "late", now=90_000.0).outcome == "full"


def test_what_someone_leaves_goes_to_others(store):
    """Of a booklet of three, the one who leaves answers the first block; the lease of the rest runs out."""
    assert studies.walk(store, "leaves", now=0.0, stop_after=2) is None
    for n in range(30):
        end = studies.walk(store, f"p{n}", now=10_000.0 + 1000.0 * n)
        if end.outcome == "full":
            break
    state = monitoring.progress(store, 90_000.0)
    assert (state.done, state.free) == (36, 0)
    rows = [r for r in answer_rows(store) if r.page == "block"]
    assert all(len({r.item for r in rows if r.participant == p}) <= 3 for p in {r.participant for r in rows})
    assert all(r.block in ("rate", "ask") for r in rows)


def test_answers_that_were_rejected_are_asked_of_others_in_their_block(store):
    from plainmark.study.store import admin_actions

    studies.walk(store, "ann", now=0.0)
    before = monitoring.progress(store, 100.0).by_block
    admin_actions.review(store, 1, False, 200.0, reason="copied")
    assert monitoring.progress(store, 300.0).by_block == {"ask": (0, 18), "rate": (0, 18)}
    admin_actions.review(store, 1, True, 400.0)
    assert monitoring.progress(store, 500.0).by_block == before


def test_a_cell_is_given_out_once_in_each_block(store):
    from sqlalchemy import insert, select
    from sqlalchemy.exc import IntegrityError

    row = store.database.read(lambda c: c.execute(select(cells)).first())._asdict()
    row.pop("id")
    with pytest.raises(IntegrityError), store.database.engine.begin() as connection:
        connection.execute(insert(cells).values(**row))
    other = {**row, "block_id": {"rate": "ask", "ask": "rate"}[row["block_id"]], "replicate": 77}
    with store.database.engine.begin() as connection:
        connection.execute(insert(cells).values(**other))


def test_blocks_in_random_order_take_their_practice_along(tmp_path):
    consent, survey = {"kind": "consent"}, {"kind": "survey", "text": "Half of it is done."}
    made = definition(PRACTICE, RATE, survey, {**PRACTICE, "title": "Again"}, ASK)
    made["design"] = {**made["design"], "block_order": "random"}
    study = studies.write(tmp_path / "study", made)
    routes = {tuple(progress.route(study.definition, n)) for n in range(40)}
    # consent 0, practice 1 and rate 2, survey 3, practice 4 and ask 5, survey 6
    assert routes == {(0, 1, 2, 3, 4, 5, 6), (0, 4, 5, 3, 1, 2, 6)}
    assert consent["kind"] == study.definition.pages[0].kind
    with open_store(study) as store:
        store.begin(0.0)
        for n in range(12):
            studies.walk(store, f"p{n}", now=1000.0 * n)
        firsts = Counter()
        for person in {r.participant for r in answer_rows(store)}:
            firsts[
                next(r.block for r in answer_rows(store) if r.participant == person and r.page == "block")
            ] += 1
    assert min(firsts["rate"], firsts["ask"]) >= 2


def test_attention_trials_come_once_and_look_like_their_block(tmp_path):
    checks = {
        "attention": [
            {
                "after": after,
                "question": {
                    "id": f"see{after}",
                    "type": "mcq",
                    "text": "First.",
                    "options": ["a", "b"],
                    "key": "A",
                },
            }
            for after in (1, 3)
        ]
    }
    blocks, rows = balanced()
    study = studies.write(tmp_path / "study", definition(*blocks, checks=checks), rows)
    with open_store(study) as store:
        store.begin(0.0)
        session, seen, now = store.enrol("ann", 0.0), [], 0.0
        while hasattr(page := store.next_page(session.token, now := now + 5), "token"):
            seen.append((page.kind, page.block, page.trial, page.trials, page.position, page.pages))
            form = {**studies.fill(page), "step": page.step}
            assert store.submit(session.token, page.token, form, now).status == "stored"
    kinds = [
        s for k, s in enumerate(seen) if s[:2] != (seen[k - 1][:2] if k else None) or s[2] != seen[k - 1][2]
    ]
    assert [k[:3] for k in kinds] == [
        ("consent", "", 0),
        ("block", "rate", 1),
        ("attention", "rate", 2),
        ("block", "ask", 3),
        ("block", "ask", 4),
        ("attention", "ask", 5),
        ("survey", "", 0),
    ]
    assert {k[3] for k in kinds if k[2]} == {5}
    assert [k[4] for k in kinds] == list(range(7))
    assert {k[5] for k in kinds} == {7}


def test_a_block_may_have_items_of_its_own(tmp_path):
    blocks, rows = balanced()
    study = studies.write(tmp_path / "study", definition(*blocks), rows)
    assert [len(s.items) for s in study.shapes] == [3, 6]
    with open_store(study) as store:
        store.begin(0.0)
        for n in range(9):
            studies.walk(store, f"p{n}", now=1000.0 * n)
        answered = [r for r in answer_rows(store) if r.page == "block"]
        assert monitoring.progress(store, 9999.0).done == 27
    assert {r.item for r in answered if r.block == "rate"} == {"i0", "i1", "i2"}
    assert not {r.item for r in answered if r.block == "ask"} & {"i0", "i1", "i2"}
    wrong = definition({**RATE, "items": {"field": "set", "equals": "x"}}, ASK)
    assert mistake(tmp_path, wrong, rows).endswith(
        "none of the items of items.jsonl; its values are long, short."
    )


def test_report_codebook_plan_and_preregistration_know_the_blocks(study):
    with open_store(study) as store:
        store.begin(0.0)
        for n in range(18):
            studies.walk(store, f"p{n}", now=1000.0 * n)
        collected = collect(store)
    analysis = analyse(study, responses(study, collected.rows), collected=collected, resamples=200)
    assert list(analysis.blocks) == ["ask"], "only its questions can be right"
    assert [m.dimension for m in analysis.means] == ["ease"]
    from plainmark.report.study_tables import tables

    assert "What readers understood: block ask" in dict(tables(analysis))
    asked = {q["id"]: q["block"] for q in codebook(study)["questions"] if q["page"] == "block"}
    assert asked == {"ease": "rate", "q1": "ask"}
    assert "### ease (block rate, likert)" in as_markdown(study)
    plan = plan_of(study, runs=2)
    assert (plan.cells, plan.blocks) == (36, 18)
    assert any("blocks need different numbers of people (rate 18, ask 9)" in w for w in plan.warnings)
    text = preregistration(study, date=None)
    assert "each sees 3 items, none twice" in text
    assert "2 blocks, as listed: rate (1 of 6 items, shows text, asks ease); ask (2 of 6 items" in text
    with pytest.raises(InputError, match="power is simulated for studies with one block"):
        Simulator(study, Assumptions(difference=10))


def test_a_definition_reads_back(study):
    assert load(study.folder).digest == study.digest
    assert yaml.safe_load((study.folder / "study.yaml").read_text())["pages"][1]["id"] == "rate"
