"""Imported answers come out again as the same file, byte for byte; what would not is refused."""

import csv
import io

import pytest

from plainmark.cli import main
from plainmark.errors import InputError, OptionError, StoreError
from plainmark.study import importing, load, open_store
from plainmark.study.store import import_export, monitoring
from plainmark.study.store.answer_rows import answer_rows

ATS = "data/ats-eval/all-ann-final-model-paper.csv"
LAB = "data/onestop-qa/qa_mit_lab.tsv"


@pytest.fixture(scope="module")
def ats(shared, tmp_path_factory):
    folder = tmp_path_factory.mktemp("ats") / "study"
    assert main(["study", "import", "ats-eval", str(shared / ATS), str(folder)]) == 0
    return folder


def test_ats_eval_is_imported_without_loss(ats, shared, tmp_path):
    out = tmp_path / "same.csv"
    assert main(["study", "export", str(ats), "--format", "ats-eval", "-o", str(out)]) == 0
    assert out.read_bytes() == (shared / ATS).read_bytes()
    study = load(ats)
    assert len(study.items) == 60
    assert len(study.arms) == 11
    assert study.absent == {("20/1", "MUSS-Unsup"), ("24/1", "MUSS-Unsup")}
    with open_store(study) as store:
        state = monitoring.progress(store, 0.0)
        assert (state.cells, state.done, state.surplus) == (658, 658, 2)
        assert len(answer_rows(store)) == 1980
        assert state.people == {}  # the file does not say who answered


def test_the_laboratory_is_imported_without_loss(shared, tmp_path):
    folder, out = tmp_path / "lab", tmp_path / "same.tsv"
    assert main(["study", "import", "onestop-qa", str(shared / LAB), str(folder)]) == 0
    assert main(["study", "export", str(folder), "--format", "onestop-qa", "-o", str(out)]) == 0
    assert out.read_bytes() == (shared / LAB).read_bytes()
    with open_store(load(folder)) as store:
        rows = answer_rows(store)
        assert len(rows) == 430
        assert len({r.participant for r in rows}) == 12
        assert sum(r.value == "A" for r in rows) == 391  # answer_response 0 is the right one
        first = rows[0]
        assert (first.item, first.arm, first.value, first.shown, first.seconds) == (
            "os2_3_3",
            "Adv",
            "A",
            1,
            35.028,
        )


def test_other_exports(ats, tmp_path, capsys):
    for form in ("csv", "jsonl"):
        assert main(["study", "export", str(ats), "--format", form, "-o", str(tmp_path / form)]) == 0
        assert (tmp_path / form).read_text().count("\n") == 1980 + (form == "csv")
    parquet = tmp_path / "x.parquet"
    assert main(["study", "export", str(ats), "--format", "parquet", "-o", str(parquet)]) == 0
    import pyarrow.parquet as pq

    table = pq.read_table(parquet)
    assert table.num_rows == 1980
    assert table.schema.field("late").type == "bool"
    rows = list(csv.DictReader(io.StringIO((tmp_path / "csv").read_text())))
    assert rows[0]["value"] == table.column("value")[0].as_py()
    capsys.readouterr()
    assert main(["study", "export", str(ats)]) == 0
    assert capsys.readouterr().out.startswith("participant,mode,")
    assert main(["study", "export", str(ats), "--format", "parquet"]) == 2
    assert main(["study", "export", str(ats), "--format", "onestop-qa"]) == 2
    assert "were not imported from onestop-qa" in capsys.readouterr().err
    assert main(["study", "export", str(ats), "--format", "references"]) == 2
    assert "no question of its block asks for a rewriting" in capsys.readouterr().err


def test_answers_are_imported_only_into_a_new_study(ats, shared, capsys):
    assert main(["study", "import", "ats-eval", str(shared / ATS), str(ats)]) == 2
    assert "exists and is not empty" in capsys.readouterr().err
    found = importing.read("ats-eval", shared / ATS)
    with open_store(load(ats)) as store, pytest.raises(StoreError, match="already has answers"):
        import_export.store_imported(store, found, 0.0)


HEADER = "article_id,para_id,title,paragraph,Model," + ",".join(
    f"{c}_{k}" for k in (1, 2, 3) for c in ("question", "answer", "correct_answer", "all_options")
)


def row(**changes):
    cells = {"article_id": "1", "para_id": "1", "title": "T", "paragraph": "P", "Model": "M"}
    for k in (1, 2, 3):
        cells |= {
            f"question_{k}": "Q",
            f"answer_{k}": "a",
            f"correct_answer_{k}": "a",
            f"all_options_{k}": "['a', 'b']",
        }
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerow((cells | changes).values())
    return out.getvalue()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "no column article_id, para_id, title; expected a file of answers of Agrawal"),
        (HEADER + "\n", "no rows"),
        (HEADER + "\n1,2\n", "line 2: 2 cells, expected 17"),
        (HEADER + "\r\n" + row(), "would not be written back the same"),
        (HEADER + "\n" + row(answer_2="z"), "line 2, answer_2: the answer 'z' is none of the options"),
        (HEADER + "\n" + row(all_options_1="__import__('os').getcwd()"), "are not a list of texts"),
        (HEADER + "\n" + row(all_options_1="['a']"), "are not a list of texts"),
        (HEADER + "\n" + row(correct_answer_3="b"), "the right answer of question 3 is not the first option"),
        (
            HEADER + "\n" + row() + row(paragraph="other"),
            "line 3, paragraph: item 1/1 differs from an earlier row",
        ),
        (HEADER + "\n" + row() + row(title="other"), "line 3, title: item 1/1 differs"),
        (
            HEADER + "\n" + row(paragraph="two\nlines") + row(para_id="2", answer_1="z"),
            "line 4, answer_1: the answer 'z'",
        ),
        (HEADER + '\n"open', "line 2: unexpected end of data"),
    ],
)
def test_files_that_are_refused(tmp_path, text, message):
    file = tmp_path / "f.csv"
    file.write_bytes(text.encode())
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        importing.read("ats-eval", file)


LABORATORY = (
    "item_id\tRT\tanswer_response\tnew_options\toptions\tparagraph\tquestion\tsource\tsubmission_ind\n"
)


def laboratory_row(**changes):
    cells = {"item_id": "1_Ele", "RT": "900.5", "answer_response": "2", "new_options": "3|2|1|0"}
    cells |= {"options": "a|b|c|d", "paragraph": "P", "question": "Q", "source": "S", "submission_ind": "1"}
    return "\t".join((cells | changes).values()) + "\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "item_id\tRT\n1\t2\n",
            "line 1: no column answer_response, new_options, options; expected a file of in-lab",
        ),
        (LABORATORY, "no rows"),
        (LABORATORY + laboratory_row() + "1_Ele\t2\n", "line 3: 2 cells, expected 9"),
        (LABORATORY + laboratory_row(RT="fast"), "line 2, RT: found 'fast', expected a number"),
        (LABORATORY + laboratory_row(RT="-1"), "line 2, RT: found '-1', expected a number"),
        (LABORATORY + laboratory_row(RT="nan"), "line 2, RT: found 'nan', expected a number"),
        (
            LABORATORY + laboratory_row(answer_response=""),
            "line 2, answer_response: found '', expected a number",
        ),
        (
            LABORATORY + laboratory_row(answer_response="7"),
            "line 2, answer_response: 7 is not one of new_options",
        ),
        (
            LABORATORY + laboratory_row(new_options="3|x|1|0"),
            "line 2, new_options: found 'x', expected a number",
        ),
        (
            LABORATORY + laboratory_row() + laboratory_row(paragraph="other"),
            "line 3, paragraph: item 1 differs from an earlier row",
        ),
        (
            LABORATORY + laboratory_row() + laboratory_row(question="other"),
            "line 3, question: item 1 differs from an earlier row",
        ),
    ],
)
def test_laboratory_files_that_are_refused(tmp_path, capsys, text, message):
    file = tmp_path / "f.tsv"
    file.write_text(text)
    assert main(["study", "import", "onestop-qa", str(file), str(tmp_path / "study")]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1
    assert not (tmp_path / "study").exists(), "nothing half-imported"


def test_duplicates_and_white_space_are_answers(tmp_path):
    file = tmp_path / "f.csv"
    file.write_bytes(
        (HEADER + "\n" + row() + row(answer_1="a\n") + row(answer_1=importing.NOT_SUPPORTED)).encode()
    )
    found = importing.read("ats-eval", file)
    assert [t.answers[0][1] for t in found.trials] == ["A", "A", "UA"]


def test_formats_that_are_not_known(tmp_path):
    with pytest.raises(OptionError, match="Did you mean 'ats-eval'"):
        importing.read("ats-evall", tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        importing.read("ats-eval", tmp_path / "none")
    (tmp_path / "latin").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8"):
        importing.read("ats-eval", tmp_path / "latin")
