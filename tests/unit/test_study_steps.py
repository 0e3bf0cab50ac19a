"""Reading apart from questions, one question per screen, statements on one scale, several answers: pages, store and exports."""

import pytest
from sqlalchemy import select

from plainmark.study import open_store
from plainmark.study.analysis.descriptives import survey_answers
from plainmark.study.analysis.exclusions import exclude
from plainmark.study.analysis.responses import ratings
from plainmark.study.store.answer_rows import answer_rows, person_rows
from plainmark.study.store.flags import flags
from plainmark.study.store.steps import Screen
from plainmark.study.store.tables import pages
from support import studies

MATRIX = {
    "id": "m",
    "type": "matrix",
    "text": "How far?",
    "labels": ["little", "much"],
    "statements": [{"id": "clear", "text": "It is clear."}, {"id": "true", "text": "It is true."}],
}
SELECT = {
    "id": "s",
    "type": "multiselect",
    "text": "Which?",
    "options": ["red", "green", "blue"],
    "key": ["red", "C"],
    "most": 2,
    "exclusive": "None of these",
    "shuffle": False,
}
WHY = {"id": "why", "type": "text", "text": "Why green?", "show_if": {"question": "s", "equals": "B"}}


@pytest.fixture
def begun(tmp_path):
    """begun(block, ...): a store, and the first trial of someone."""
    stores = []

    def start(block=None, questions=(studies.MCQ, SELECT, WHY, MATRIX), device="", **changes):
        page = {"kind": "block", "show": "text", "questions": list(questions), **(block or {})}
        made = studies.definition(pages=[{"kind": "consent", "text": "May we?"}, page], **changes)
        store = open_store(studies.write(tmp_path / "study", made))
        stores.append(store)
        store.begin(0.0)
        session = store.enrol("someone", 0.0)
        consent = store.next_page(session.token, 1.0)
        screen = Screen(device, "390x840" if device else "")
        store.submit(session.token, consent.token, {"consent": "yes"}, 2.0, screen=screen)
        return store, session.token, store.next_page(session.token, 10.0)

    yield start
    for store in stores:
        store.close()


def stored(store):
    return {r.question: r for r in answer_rows(store) if r.page == "block"}


def test_several_answers(begun):
    store, token, page = begun(questions=[SELECT, WHY])
    assert [(c.value, c.label, c.stored) for c in page.questions[0].choices] == [
        *(("1", "red", "A"), ("2", "green", "B"), ("3", "blue", "C"), ("4", "None of these", "NONE")),
    ]

    def problem(**form):
        return store.submit(
            token, page.token, {k.replace("_", "."): v for k, v in form.items()}, 11.0
        ).problems[0]

    assert problem().message == "Please answer this question."
    assert problem(q1_1="1", q1_4="1").message == "Please choose either “None of these” or other answers."
    assert problem(q1_1="1", q1_2="1", q1_3="1").message == "Please choose at most 2 answers; you chose 3."
    assert problem(q1_2="1").name == "q2"  # asked after green
    assert store.submit(token, page.token, {"q1.3": "1", "q1.1": "1"}, 12.0).status == "stored"
    row = stored(store)["s"]
    assert (row.value, row.answer, row.correct) == ("A;C", "red; blue", True)


def test_statements_on_one_scale(begun):
    store, token, page = begun(questions=[MATRIX])
    assert [(q.name, q.label, q.target) for q in page.questions] == [
        ("q1", "It is clear.", "clear"),
        ("q2", "It is true.", "true"),
    ]
    done = store.submit(token, page.token, {"q1": "4"}, 11.0)
    assert [p.name for p in done.problems] == ["q2"]
    assert store.submit(token, page.token, {"q1": "4", "q2": "9"}, 11.0).status == "invalid"
    assert store.submit(token, page.token, {"q1": "4", "q2": "2"}, 12.0).status == "stored"
    rows = stored(store)
    assert {k: (r.value, r.target) for k, r in rows.items()} == {
        "m[clear]": ("4", "clear"),
        "m[true]": ("2", "true"),
    }
    assert {r.condition for r in rows.values()} == {rows["m[true]"].arm}
    rated = ratings(store.study.folder)
    assert {(r.dimension, r.value) for r in rated} == {("m[clear]", 4.0), ("m[true]", 2.0)}
    assert {r.system for r in rated} == {rows["m[true]"].arm}


@pytest.mark.parametrize(("reading", "texts_again"), [("first", 1), ("apart", 0)])
def test_texts_on_a_page_of_their_own(begun, reading, texts_again):
    store, token, page = begun({"reading": reading}, questions=[MATRIX])
    assert (page.step, len(page.texts), page.questions) == ("reading", 1, ())
    # Answers that come before the text was read are not taken for answers.
    assert store.submit(token, page.token, {"q1": "4", "q2": "2"}, 17.5).status == "stored"
    assert stored(store) == {}
    asked = store.current_page(token, 0.0)
    assert (asked.token, asked.step, len(asked.texts)) == (page.token, "", texts_again)
    assert store.submit(token, page.token, {"step": "reading"}, 18.0).status == "repeated"
    assert (
        store.submit(token, page.token, {"q1": "4", "q2": "2"}, 30.0, client_seconds=12.0).status == "stored"
    )
    row = stored(store)["m[true]"]
    assert (row.reading_seconds, row.seconds) == (7.5, 20.0)
    assert store.submit(token, page.token, {"step": "reading"}, 31.0).status == "repeated"


def test_reading_times_are_flagged_and_exclude(begun):
    store, token, page = begun(
        {"reading": "apart"},
        questions=[MATRIX],
        checks={"minimum_reading_seconds": 5},
        exclusions={"minimum_reading_seconds": 5},
    )
    store.submit(token, page.token, {}, 13.0)
    store.submit(token, page.token, {"q1": "4", "q2": "2"}, 30.0)
    (person,) = person_rows(store)
    assert person.reading_seconds == 3.0
    assert [(f.kind, f.detail) for f in flags(store)] == [("reading", "1 text, the fastest in 3.0 s")]
    excluded = exclude(store.study, answer_rows(store), [person]).excluded
    assert [(e.rule, e.detail) for e in excluded] == [
        ("minimum_reading_seconds", "median 3.0 s, less than 5 s")
    ]


@pytest.mark.parametrize(
    ("when", "device", "screens"),
    [("always", "", True), ("phone", "phone", True), ("phone", "desktop", False), ("phone", "", False), ("never", "phone", False)],
)  # fmt: skip
def test_one_question_per_screen(begun, when, device, screens):
    _, _, page = begun({"one_per_screen": when}, device=device)
    assert bool(page.screens) == screens
    assert len({q.question.id for q in page.questions}) == (1 if screens else 4)


def walk_screens(store, token, *forms):
    """Send one form after the other, each for the question that is shown; what is shown then."""
    shown = []
    for number, form in enumerate(forms):
        page = store.current_page(token, 0.0)
        done = store.submit(token, page.token, {"step": page.step, **form}, 20.0 + number, client_seconds=1.0)
        assert done.status in ("stored", "repeated"), done
        page = store.current_page(token, 0.0)
        shown.append((page.step, page.screen, page.screens) if page else ())
    return shown


def test_screens_go_on_and_back_and_keep_what_was_answered(begun):
    store, token, page = begun({"one_per_screen": "always"})
    assert (page.step, page.screen, page.screens, page.back) == ("q1", 1, 3, False)  # `why` is not asked yet
    assert walk_screens(store, token, {"q1": "1"}, {"q2.2": "1"}) == [("s", 2, 3), ("why", 3, 4)]
    asked = store.current_page(token, 0.0)
    assert asked.back
    assert walk_screens(store, token, {"q3": "half", "back": "yes"}) == [("s", 2, 4)]
    assert store.current_page(token, 0.0).typed["q2.2"] == "1"
    assert walk_screens(store, token, {"q2.1": "1"}) == [("m", 3, 3)]  # no green any more
    assert stored(store) == {}, "nothing counts before the last screen"
    again = store.submit(token, asked.token, {"step": "q1", "q1": "2"}, 40.0)
    assert again.status == "repeated"
    missing = store.submit(token, asked.token, {"step": "m", "q4": "3"}, 41.0)
    assert [p.name for p in missing.problems] == ["q5"]
    last = {"step": "m", "q4": "3", "q5": "4"}
    assert store.submit(token, asked.token, last, 42.0, client_seconds=1.0).status == "stored"
    assert store.submit(token, asked.token, last, 43.0).status == "repeated"
    rows = stored(store)
    assert {k: (r.value, r.asked) for k, r in rows.items() if k != "q1"} == {
        "s": ("A", True),
        "why": ("half", False),  # typed, then no longer asked: kept and marked
        "m[clear]": ("3", True),
        "m[true]": ("4", True),
    }
    assert rows["s"].client_seconds == 5.0
    draft = store.database.read(lambda c: c.execute(select(pages.c.draft)).scalars().all())
    assert set(draft) == {None}


def test_back_may_be_forbidden(begun):
    store, token, _ = begun({"one_per_screen": "always", "back": False})
    walk_screens(store, token, {"q1": "1"})
    asked = store.current_page(token, 0.0)
    assert not asked.back
    done = store.submit(token, asked.token, {"step": "s", "back": "yes"}, 30.0)
    assert [p.name for p in done.problems] == ["q2"]


def test_surveys_of_several_answers_and_statements(tmp_path):
    survey = {
        "kind": "survey",
        "questions": [{**SELECT, "screen_out": "B"}, MATRIX],
        "one_per_screen": "always",
    }
    made = studies.definition(
        pages=[*studies.definition()["pages"][:2], survey],
        exclusions={"answers": [{"question": "s", "equals": ["C"]}]},
    )
    with open_store(studies.write(tmp_path, made)) as store:
        store.begin(0.0)
        ends = []
        for number, boxes in enumerate((["1", "3"], ["1"], ["1", "2"])):
            session = store.enrol(f"p{number}", 1000.0 * number)
            for step in range(30):
                now = 1000.0 * number + step
                page = store.next_page(session.token, now)
                if not hasattr(page, "token"):
                    ends.append(page.outcome)
                    break
                form = studies.fill(page, lambda q: "1" if q.type == "matrix" else None)
                form = {"q1." + b: "1" for b in boxes} if page.step == "s" else form
                store.submit(session.token, page.token, {"step": page.step, **form}, now + 0.5)
        assert ends == ["complete", "complete", "screened_out"]
        tables = {t.question: t for t in survey_answers(store.study, answer_rows(store))}
        assert dict(tables["s"].counts) == {"red": 3, "green": 1, "blue": 1, "NONE": 0}
        assert tables["m[true]"].text == "It is true."
        assert tables["m[true]"].mean == 1.0
        excluded = exclude(store.study, answer_rows(store), person_rows(store)).excluded
        assert [(e.rule, e.detail) for e in excluded] == [("answers", "s: red; blue")]


def test_quotas_by_survey_answer(tmp_path):
    native = {"id": "native", "type": "yesno", "text": "Is it your first language?"}
    block = {"kind": "block", "show": "text", "questions": [studies.MCQ]}
    made = studies.definition(
        pages=[{"kind": "survey", "questions": [native]}, block],
        quotas=[{"question": "native", "equals": "yes", "people": 2}, {"question": "native", "equals": "no", "people": 1}],
    )  # fmt: skip
    with open_store(studies.write(tmp_path, made)) as store:
        store.begin(0.0)

        def come(name, answer, now, **options):
            return studies.walk(
                store, name, now=now, pick=lambda q: answer if q.type == "yesno" else None, **options
            )

        assert come("a", "yes", 0.0).outcome == "complete"
        assert come("leaves", "yes", 1000.0, stop_after=2) is None  # at work, so that the place is taken
        assert come("b", "yes", 1100.0).outcome == "full"
        assert come("c", "no", 1200.0).outcome == "complete"
        assert come("d", "no", 1300.0).outcome == "full"
        assert come("e", "yes", 9000.0).outcome == "complete"  # who left has not been active for the lease
        assert come("f", "yes", 9900.0).outcome == "full"
        assert come("f", "yes", 9950.0).outcome == "full"  # the same when they come again
        survey = [r for r in answer_rows(store) if r.question == "native"]
        assert len(survey) == 7, "the answers of those who were turned away are kept"
        assert store.finished("full").url.endswith("cc=F1")
