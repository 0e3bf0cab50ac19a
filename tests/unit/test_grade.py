"""Simplifies a text only as far as a target grade requires."""

import json
import math

import pytest

import plainmark as pm
from plainmark.cli import main
from plainmark.errors import OptionError
from plainmark.simplifier import structure
from plainmark.simplifier.grade import Summary, grades, simplify_to

HARD = "The committee purchased numerous buildings prior to the war."  # grade 8.9
LONG = "The old mill, which burned down in 1910, stood near the river, but the harbour froze in May."


def test_the_grade_is_that_of_flesch_and_kincaid():
    # 9 words, 1 sentence, 16 syllables: 0.39 * 9 + 11.8 * 16 / 9 - 15.59
    assert grades([HARD])[0] == pytest.approx(0.39 * 9 + 11.8 * 16 / 9 - 15.59)
    assert math.isnan(grades([""])[0])
    assert grades([]) == []


def test_no_more_is_changed_than_the_grade_asks_for():
    backend = pm.simplifier("default")
    (stays,) = simplify_to([HARD], 9, backend)
    assert (stays.output, stays.reason) == (HARD, "grade 8.9 is at or below 9 already")
    (one,) = simplify_to([HARD], 8, backend)
    assert one.output == "The committee bought numerous buildings prior to the war."
    assert one.reason == "grade 8.9 became 7.6 by 1 rewrite and no splits"
    (all_of_it,) = simplify_to([HARD], 2, backend)
    # "before" has more syllables per word than "prior to", so it would raise the grade.
    assert all_of_it.output == "The committee bought many buildings prior to the war."
    assert all_of_it.reason.endswith("; 2 cannot be reached with changes that are certain enough")
    assert all_of_it.scores[0]["fkgl"] < one.scores[0]["fkgl"] < stays.scores[0]["fkgl"]


@pytest.mark.wordnet
def test_sentences_are_split_one_after_the_other():
    backend = pm.simplifier("default")
    whole = structure.split([LONG])[0]
    levels = grades([whole.until(n) for n in range(3)])
    assert levels[0] > levels[1] > levels[2]
    (once,) = simplify_to([LONG], levels[1] + 0.01, backend)
    assert once.output == whole.until(1)
    assert len(once.candidates[0].operations) == 1
    (twice,) = simplify_to([LONG], levels[1] - 0.01, backend)
    assert twice.output == whole.output


def test_without_the_parser_only_words_are_replaced(monkeypatch):
    monkeypatch.setattr(structure, "missing", lambda: "needs a parser")
    (result,) = simplify_to([LONG], 2, pm.simplifier("default"))
    assert result.candidates[0].operations == ()


def test_a_summary_counts_english_texts_with_words():
    german = "Die alte Mühle wurde vor dem Krieg von der Stadt gekauft und niemand war zufrieden."
    choices = simplify_to([HARD, "", german], 8, pm.simplifier("default"))
    assert choices[2].reason == "it does not look like English"
    assert str(Summary.of(choices, 8)) == (
        "Flesch-Kincaid grade of the whole: 8.9 before, 7.6 after; 1 of 1 texts are at grade 8 or below"
    )
    assert str(Summary.of(choices[1:2], 8)) == "no English text has words, so none has a grade"


@pytest.mark.parametrize("target", [0, -1, 31, math.nan])
def test_what_is_no_grade(target):
    with pytest.raises(OptionError, match="expected a grade above 0 and up to 30"):
        simplify_to([HARD], target, pm.simplifier("default"))


def test_at_the_command_line(tmp_path, capsys):
    path = tmp_path / "text.txt"
    path.write_text(f"{HARD}\n\nOwls hunt.\n", "utf-8")
    assert main(["simplify", str(path), "--grade", "8"]) == 0
    out, err = capsys.readouterr()
    assert out == "The committee bought numerous buildings prior to the war.\n\nOwls hunt.\n"
    assert "2 of 2 texts are at grade 8 or below" in err
    assert main(["simplify", str(path), "--grade", "8", "--format", "json"]) == 0
    first = json.loads(capsys.readouterr()[0].splitlines()[0])
    assert first["candidates"][0]["scores"]["fkgl"] == pytest.approx(7.5867, abs=1e-4)
    assert main(["simplify", str(path), "--grade", "8", "--split"]) == 2
    assert "--grade splits as far as it needs to; leave --split out" in capsys.readouterr()[1]


def test_with_candidates_the_grade_comes_first(tmp_path, capsys):
    (tmp_path / "text.txt").write_text(f"{HARD}\n", "utf-8")
    (tmp_path / "a.txt").write_text("The committee bought many buildings before the war.\n", "utf-8")
    (tmp_path / "b.txt").write_text("They bought it.\n", "utf-8")
    words = ["simplify", "text.txt", "--outputs", "a.txt", "b.txt", "--choose", "facts_kept", "--explain"]
    words = [str(tmp_path / w) if w.endswith(".txt") else w for w in words]
    assert main([*words, "--grade", "8"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("The committee bought many buildings before the war.\n    chosen (a): ")
    assert "rejected (source)" in out
    assert "fkgl 8.9 is above 8" in out
    assert "chosen by fkgl <= 8, facts_kept: a 1" in err
