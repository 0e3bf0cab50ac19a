"""Words that are marked in texts: read from forms, stored, exported and exchanged with other programs."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark.cli._main import main
from plainmark.errors import InputError
from plainmark.study import load, open_store, span_files, span_import
from plainmark.study.definition.questions import MarkCategory, Spans
from plainmark.study.marks import Mark, MarkedText, Span, find, from_json, pieces, read_marks, to_json
from plainmark.study.span_files import MarkedPair
from plainmark.study.store.answer_rows import answer_rows
from plainmark.study.store.import_export import as_text
from support import studies

SOURCE = MarkedText(1, "source", "Original", "The physician gave the medicine, and the patient recovered.")
TEXT = MarkedText(2, "plain", "Rewritten", "The doctor gave the 💊 medicine.\n\nThen the patient got better.")
QUESTION = Spans(
    id="edits",
    text="Mark every edit.",
    where="both",
    parts=True,
    severities=("minor", "major"),
    categories=(
        MarkCategory(id="deletion", where="source"),
        MarkCategory(id="insertion", text="Added words", where="text"),
        MarkCategory(id="substitution", where="both", severity=False),
        MarkCategory(id="other"),
    ),
)


def sent(*marks, **fields):
    rows = [{"category": c, "severity": s, "spans": spans} for c, s, spans in marks]
    return {"q1": json.dumps(rows), **fields}


def problem(form, question=QUESTION):
    return read_marks(question, [SOURCE, TEXT], form, "q1")[1]


def test_marks_of_the_script_are_put_in_order_and_stored():
    form = sent(
        ("insertion", "minor", [[2, 20, 21]]),
        ("substitution", "", [[2, 4, 10], [1, 4, 13]]),
        ("deletion", "major", [[1, 33, 36]]),
    )
    marks, message = read_marks(QUESTION, [SOURCE, TEXT], form, "q1")
    assert message == ""
    assert marks == [
        Mark("substitution", "", (Span("source", 4, 13), Span("plain", 4, 10))),
        Mark("deletion", "major", (Span("source", 33, 36),)),
        Mark("insertion", "minor", (Span("plain", 20, 21),)),
    ]
    assert TEXT.text[20:21] == "💊"  # offsets are code points
    assert from_json(to_json(marks)) == marks


def test_marks_can_be_typed():
    form = {
        "q1.1.1": "physician",
        "q1.1.2": "Doctor",
        "q1.1.category": "substitution",
        "q1.3.2": "the #2\ngot   better",
        "q1.3.category": "insertion",
        "q1.3.severity": "minor",
    }
    marks, message = read_marks(QUESTION, [SOURCE, TEXT], form, "q1")
    assert message == ""
    words = [
        [{"source": SOURCE, "plain": TEXT}[s.text].text[s.start : s.end] for s in m.spans] for m in marks
    ]
    assert words == [["physician", "doctor"], ["the", "got better"]]
    assert marks[1].spans[0] == Span("plain", 16, 19)
    assert "“docter” is not in the text" in problem({**form, "q1.1.2": "docter"})


def test_the_words_that_are_meant():
    text = MarkedText(1, "plain", "", "A cat sat. The cat sat on a catalogue.")
    assert find(text, "cat") == Span("plain", 2, 5)
    assert find(text, "cat #2") == Span("plain", 15, 18)
    assert find(text, "cat #3") is None
    assert find(text, "cat", [Span("plain", 2, 5)]) == Span("plain", 15, 18)
    assert find(text, "catalog") == Span("plain", 28, 35)  # a part of a word, if nothing else is meant
    assert find(text, "sat.\nThe") == Span("plain", 6, 14)


@pytest.mark.parametrize(
    ("form", "message"),
    [
        (sent(("none", "minor", [[1, 0, 3]])), "Mark 1: please choose what kind it is."),
        (sent(("deletion", "", [[1, 0, 3]])), "Mark 1: please choose how severe it is."),
        (sent(("deletion", "minor", [[2, 0, 3]])), "Mark 1: “deletion” is for words in “Original”."),
        (sent(("insertion", "minor", [[1, 0, 3]])), "Mark 1: “Added words” is for words in “Rewritten”."),
        (sent(("substitution", "", [[1, 0, 3]])), "Mark 1: please mark words in both texts."),
        (sent(("other", "minor", [[1, 0, 13]]), ("other", "minor", [[1, 4, 9]])), "Marks 1 and 2 share words."),
        (sent(("other", "minor", [[1, 0, 13], [1, 4, 9]])), "Two parts of one mark share words."),
        (sent(("other", "minor", [[1, 0, 999]])), "cannot be read"),
        (sent(("other", "minor", [[3, 0, 1]])), "cannot be read"),
        (sent(("other", "minor", [[1, 5, 5]])), "cannot be read"),
        (sent(("other", "minor", [])), "cannot be read"),
        ({"q1": "[" * 5000}, "cannot be read"),
        ({"q1": '{"a": 1}'}, "cannot be read"),
        ({"q1": '[{"spans": [[true, 0, 3]]}]'}, "cannot be read"),
    ],
)  # fmt: skip
def test_what_must_be_corrected(form, message):
    assert message in problem(form)


def test_overlaps_counts_and_nothing():
    overlapping = sent(("other", "minor", [[1, 0, 13]]), ("other", "minor", [[1, 4, 9]]))
    assert problem(overlapping, QUESTION.model_copy(update={"overlap": True})) == ""
    assert "at most 1 mark; there are 2" in problem(overlapping, QUESTION.model_copy(update={"most": 1}))
    few = QUESTION.model_copy(update={"least": 3, "overlap": True})
    assert "at least 3 marks; there are 2" in problem(overlapping, few)
    apart = sent(("other", "minor", [[1, 0, 3], [1, 4, 13]]))
    assert "stand together" in problem(apart, QUESTION.model_copy(update={"parts": False}))
    assert read_marks(QUESTION, [SOURCE, TEXT], {"q1": "[]", "q1.nothing": "yes"}, "q1") == ([], "")
    assert read_marks(QUESTION, [SOURCE, TEXT], {"q1": "[]"}, "q1") == (None, "")


@given(st.text(max_size=60))
def test_pieces_are_the_text(text):
    assert "".join(piece for _, _, piece in pieces(text)) == text
    assert all(text[start:end] == piece for start, end, piece in pieces(text) if end)


def test_words_without_spaces_are_marked_one_by_one():
    assert [p for _, end, p in pieces("Don't 患者は。") if end] == ["Don't", "患", "者", "は", "。"]


EDITS = {
    "kind": "block",
    "show": "source+text",
    "questions": [
        {
            "id": "edits",
            "type": "spans",
            "text": "Mark every edit.",
            "where": "both",
            "parts": True,
            "severities": ["minor", "major"],
            "categories": [
                {"id": "deletion", "where": "source"},
                {"id": "swap", "where": "both", "severity": False},
            ],
        }
    ],
}


@pytest.fixture
def marked(tmp_path):
    """A study in which two people marked two texts each."""
    made = studies.definition(
        pages=[{"kind": "consent", "text": "May we?"}, EDITS], design={"per_participant": 2}
    )
    study = studies.write(tmp_path / "study", made)
    form = sent(("deletion", "major", [[1, 0, 6]]), ("swap", "", [[1, 7, 13], [2, 0, 4]]))["q1"]
    with open_store(study) as store:
        store.begin(0.0)
        studies.walk(store, "a", pick=lambda q: form if q.type == "spans" else None)
        studies.walk(store, "b", now=900.0, pick=lambda q: form if q.type == "spans" else None)
        yield store


def test_export_in_words(marked):
    row = next(r for r in answer_rows(marked) if r.page == "block")
    assert row.answer == "deletion (major): “Source”; swap: “number” … “Text”"
    assert json.loads(row.value)[0] == {
        "category": "deletion",
        "severity": "major",
        "spans": [["source", 0, 6]],
    }
    assert json.loads(row.value)[1]["spans"][1][0] == row.condition


@pytest.mark.parametrize("form", ["thresh", "label-studio", "potato"])
def test_there_and_back(marked, tmp_path, form):
    """Exported, imported as a new study, exported again: the same marks, and the same file."""
    file, items = tmp_path / "out.json", tmp_path / "items.jsonl"
    text, count = as_text(marked, form)
    assert count == 4
    file.write_text(text, "utf-8")
    items.write_text(as_text(marked, "potato-items")[0], "utf-8")
    first = span_files.read(form, "f", text, ("items", items.read_text("utf-8")))
    assert {(m.category, m.severity, len(m.spans)) for p in first for m in p.marks} == {
        ("deletion", "major", 1), ("swap", "", 2)
    }  # fmt: skip
    assert {p.source for p in first} <= {f"Source number {k} is long." for k in range(6)}
    arguments = ["study", "import", form, str(file), str(tmp_path / "again"), "--items", str(items)]
    assert main(arguments) == 0
    with open_store(load(tmp_path / "again")) as store:
        assert as_text(store, form)[0] == text
        for other in ("thresh", "label-studio", "potato"):
            again = as_text(store, other)[0]
            pairs = span_files.read(other, "f", again, ("items", as_text(store, "potato-items")[0]))
            marks = {(p.annotator, p.source, p.text, p.marks) for p in pairs}
            assert marks == {(p.annotator, p.source, p.text, p.marks) for p in first}


THRESH = [
    {
        "id": 1, "sentence_id": 7, "user": "u1", "system": "data/one", "original": "A long word.", "simplified": "A word.",
        "edits": [
            {"id": 0, "category": "deletion", "input_idx": [[2, 6]],
             "annotation": {"deletion_type": {"val": "good", "good": "a lot"}, "severity": {"val": "minor"}}},
            {"id": 0, "category": "split up", "constituent_edits": [{"category": "deletion", "input_idx": [[0, 1]]},
                                                                    {"category": "insertion", "output_idx": [[0, 1]]}],
             "annotation": None},
        ],
    },
    {"id": 2, "sentence_id": 7, "user": "u1", "system": "data/two", "original": "A long word.", "simplified": "Word.", "edits": []},
]  # fmt: skip


def test_a_file_of_thresh_keeps_what_plainmark_has_no_place_for(tmp_path):
    (tmp_path / "in.json").write_text(json.dumps(THRESH), "utf-8")
    assert main(["study", "import", "thresh", str(tmp_path / "in.json"), str(tmp_path / "study")]) == 0
    study = load(tmp_path / "study")
    (question,) = study.definition.blocks[0].questions
    assert [(c.id, c.text) for c in question.categories] == [
        ("deletion", "deletion"),
        ("split-up", "split up"),
    ]
    with open_store(study) as store:
        assert json.loads(as_text(store, "thresh")[0]) == THRESH
        rows = answer_rows(store)
    assert [r.item for r in rows] == ["7 (data/one)", "7 (data/two)"]
    assert from_json(rows[0].value)[0] == Mark("deletion", "minor", (Span("source", 2, 6),))
    assert from_json(rows[1].value) == []


@pytest.mark.parametrize(
    ("form", "text", "message"),
    [
        ("thresh", "[\n{\"edits\": []}]", "f, line 2: target: missing, expected text."),
        ("thresh", '[{"target": "ab", "edits": [{"category": "x", "output_idx": [[0, 9]]}]}]',
         "f, line 1: edits[0].output_idx[0]: found 0 to 9, but the text has 2 characters."),
        ("thresh", '[{"target": "ab",\n"edits": [{"output_idx": [[0, 1]]}]}]', "edits[0].category: missing, expected text."),
        ("thresh", '[{"target": "ab", "edits": [{"category": "x"}]}]', "edits[0]: no input_idx and no output_idx"),
        ("thresh", '[{"target": "ab", "edits": [{"category": "x", "output_idx": [[0, "1"]]}]}]', "found text, expected whole numbers."),
        ("thresh", '[{"target": "ab"},\n{"target": ]', "f, line 2: not JSON"),
        ("thresh", '[{"target": "ab"}\n', "not JSON (expected , or ])"),
        ("thresh", "[1]", "f, line 1: found a number, expected an object."),
        ("thresh", "[" * 20_000, "f, line 1: "),
        ("thresh", '[{"target": 5}]', "target: found a number, expected text."),
        ("label-studio", '[{"data": {}}]', "f, line 1: data.text: missing, expected text."),
        ("label-studio", '[{"data": {"text": "ab"}}]', "annotations: missing, expected a list."),
        ("label-studio", '[{"data": {"text": "ab"}, "annotations": [{"result": [{"type": "labels", "id": "r", "value": {"start": 0, "end": 3, "labels": ["x"]}}]}]}]',
         "annotations[0].result[0].value: found 0 to 3, but the text has 2 characters."),
        ("label-studio", '[{"data": {"text": "ab"}, "annotations": [{"result": [{"type": "labels", "id": "r", "value": {"start": 0, "end": 1}}]}]}]',
         "annotations[0].result[0].value.labels: missing, expected a list."),
        ("potato", '{"user_id": "u"}', "instance_id_to_span_to_value: missing, expected an object."),
        ("potato", '{"instance_id_to_span_to_value": {"x": {}}}', "instance_id_to_span_to_value.x: no such text in items."),
        ("potato", '{"instance_id_to_span_to_value": {"i": {"s": [{"start": 0, "end": 1}]}}}', "i.s[0].label: missing, expected text."),
    ],
)  # fmt: skip
def test_broken_files_are_told_with_line_and_field(form, text, message):
    with pytest.raises(InputError) as error:
        span_files.read(form, "f", text, ("items", '{"id": "i", "text": "ab"}'))
    assert message in str(error.value)


def test_more_that_cannot_be_imported(tmp_path):
    file = tmp_path / "f.json"
    file.write_bytes(b"[\n\xff]")
    with pytest.raises(InputError, match="line 2: not UTF-8"):
        span_import.read("thresh", file)
    file.write_text("[]")
    with pytest.raises(InputError, match="no marked texts"):
        span_import.read("thresh", file)
    file.write_text("{}")
    with pytest.raises(InputError, match="name it with --items"):
        span_import.read("potato", file)
    file.write_text(json.dumps([THRESH[0], THRESH[0]]))
    with pytest.raises(InputError, match="marked item '7' of 'data/one' twice"):
        span_import.read("thresh", file)


def test_label_studio_regions_of_its_own():
    """Regions and per-region choices share an id; what is no text label is left alone."""
    task = {
        "id": 3,
        "data": {"text": "One two three."},
        "annotations": [
            {
                "completed_by": 9,
                "result": [
                    {"id": "r1", "type": "labels", "to_name": "text", "value": {"start": 0, "end": 3, "labels": ["Error"]}},
                    {"id": "r1", "type": "choices", "to_name": "text", "value": {"start": 0, "end": 3, "choices": ["major"]}},
                    {"type": "relation", "from_id": "r1", "to_id": "r1"},
                ],
            }
        ],
    }  # fmt: skip
    (pair,) = span_files.read("label-studio", "f", json.dumps([task]))
    assert pair == MarkedPair(
        "3", "text", "9", "", "One two three.", (Mark("Error", "major", (Span("text", 0, 3),)),)
    )
    assert json.loads(span_files.write_label_studio([pair])) == [task]
