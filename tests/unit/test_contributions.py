"""Scores taken apart: worked by hand, and points that add up to the metric's own score on generated texts."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import plainmark as pm
from plainmark.cli import main
from plainmark.errors import OptionError
from plainmark.explanation.contributions import breakdowns

SPECS = [
    "sari",
    "sari(variant='hf')",
    "sari(variant='xu2016')",
    "sari(variant='equation')",
    "sari(variant='equation-counts')",
    "sari(binary=True, add_recall='output')",
    "sari(variant='easse-delprec')",
    "sari(variant='agg', tokenizer='13a')",
    "sari(variant='equation', delete_score='f1', empty_ratio=1)",
    "sari(keep_recall='mean', delete_good='difference', order=2)",
    "bleu",
    "bleu(smoothing='add-k', lowercase=True)",
    "bleu(smoothing='floor', order=2)",
    "bleu(smoothing='none')",
    "self_bleu",
    "rouge",
    "rouge(kind='1', part='precision')",
    "rouge(kind='2', part='recall', stemmer=True)",
    "rouge(kind='Lsum')",
    "rouge(kind='Lsum', part='recall', stemmer=True)",
    "rouge(kind='mean')",
    "fkgl",
    "fkgl(variant='easse')",
    "fkgl(variant='easse', rounded=True)",
    "fkgl(variant='textstat')",
    "fkgl(variant='textstat-0.7.13')",
    pytest.param("fkgl(variant='textdescriptives')", marks=pytest.mark.spacy),
    "fkgl(rounded=True)",
    "fkgl(side='source')",
]
WORDS = ["The", "the", "cat", "feline", "sat", "on", "mats", "mat", ".", "1,000", "İ", "a", "undoubtedly"]
TEXT = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)
LINES = st.lists(TEXT, max_size=3).map("\n".join)


@pytest.mark.parametrize("spec", SPECS)
def test_points_add_up_to_the_score(spec):
    metric = pm.metric(spec)

    @settings(max_examples=60)
    @given(TEXT, TEXT | LINES, st.lists(TEXT | LINES, min_size=1, max_size=3))
    @example("", "", [""])
    @example("a", "", ["a", ""])
    @example("the cat sat", "the cat sat", ["the cat sat"])
    def check(source, output, references):
        corpus = pm.Corpus([source], [output], [references])
        (breakdown,) = breakdowns(metric, corpus)
        score = metric.sample_scores(corpus)[0]
        if score != score:
            assert breakdown.contributions == ()
            return
        assert breakdown.score == score
        assert sum(c.points for c in breakdown.contributions) == pytest.approx(score, abs=1e-9)
        assert sum(s.points for s in breakdown.shares) == pytest.approx(score, abs=1e-9)

    check()


def test_sari_by_hand():
    """Source "a b", output "a c", references "a c" and "a d"; unigrams only."""
    corpus = pm.Corpus(["a b"], ["a c"], [["a c", "a d"]])
    (breakdown,) = breakdowns(pm.metric("sari(order=1)"), corpus)
    rows = {(c.operation, c.text): c for c in breakdown.contributions}
    # Keep and delete are right in all they do: 100/3 each. Of the additions c and d, the output has c: P 1, R 1/2, F 2/3.
    assert rows["keep", "a"].points == pytest.approx(100 / 3)
    assert rows["delete", "b"].points == pytest.approx(100 / 3)
    assert rows["add", "c"].points == pytest.approx(200 / 9)
    assert rows["add", "d"].points == 0
    assert rows["add", "c"].verdict == "added; 1 of 2 references add it"
    assert rows["add", "d"].verdict == "not added; 1 of 2 references add it"
    assert rows["keep", "a"].verdict == "kept; 2 of 2 references have it"
    assert rows["delete", "b"].verdict == "deleted; no reference has it"
    assert (rows["keep", "a"].source, rows["keep", "a"].output, rows["keep", "a"].references) == (1, 1, 2)


def test_a_copy_earns_points_for_nothing_in_one_variant():
    corpus = pm.Corpus(["a b c d"], ["a b c d"], [["a b c d"]])
    (breakdown,) = breakdowns(pm.metric("sari(variant='hf')"), corpus)
    free = [c for c in breakdown.contributions if not c.text]
    assert sum(c.points for c in free) == pytest.approx(200 / 3)
    assert {c.verdict for c in free} == {
        "nothing to add: counts as 1 in this variant",
        "nothing to delete: counts as 1 in this variant",
    }


def test_bleu_clips():
    (breakdown,) = breakdowns(pm.metric("bleu(order=1)"), pm.Corpus(None, ["the the cat"], [["the cat sat"]]))
    rows = {c.text: c for c in breakdown.contributions}
    assert breakdown.score == pytest.approx(200 / 3)
    assert rows["the"].points == rows["cat"].points == pytest.approx(100 / 3)
    assert rows["the"].verdict == "in the reference, but only 1 of 2 counted"


def test_fkgl_by_hand():
    """Two words, one sentence, four syllables: 0.39 * 2 + 11.8 * 2 - 15.59."""
    (breakdown,) = breakdowns(pm.metric("fkgl"), pm.Corpus(None, ["Cats meditate."], None))
    rows = {c.text: c for c in breakdown.contributions}
    assert rows["cats"].points == pytest.approx(0.39 + 5.9)
    assert rows["meditate"].points == pytest.approx(0.39 + 17.7)
    assert rows[""].points == -15.59


def test_words_are_those_of_the_variant():
    """EASSE's full stop is a word without syllables, and what goes below 0 is 0."""
    (breakdown,) = breakdowns(pm.metric("fkgl(variant='easse')"), pm.Corpus(None, ["Go on."], None))
    rows = {c.text or c.operation: c for c in breakdown.contributions}
    assert rows["go"].points == rows["on"].points == pytest.approx(0.39 + 11.8 / 3)
    assert rows["."].points == pytest.approx(0.39)
    assert rows["floor"].points == pytest.approx(15.59 - 3 * 0.39 - 11.8 * 2 / 3)
    assert breakdown.score == 0


def test_lsum_takes_lines_apart():
    """ "mat the" is no subsequence of the whole texts, but each word is one of its line."""
    corpus = pm.Corpus(None, ["mat\nthe cat"], [["the cat\nmat"]])
    for kind, matches in (("L", 2), ("Lsum", 3)):
        (breakdown,) = breakdowns(pm.metric(f"rouge(kind={kind!r})"), corpus)
        assert sum(c.points > 0 for c in breakdown.contributions) == matches
        assert breakdown.score == pytest.approx(100 * matches / 3)


def test_what_has_no_explanation():
    message = "chrf has no explanation; metrics that have one: sari, bleu, rouge, fkgl, agg, entailment, quality, samsa"
    with pytest.raises(OptionError, match=message):
        pm.explain("chrf", ["a"], source=["a"], references=[["a"]])


@pytest.fixture
def files(tmp_path):
    texts = {
        "source": "The feline sat on the mat .\nAbout 95 species are accepted .\n",
        "output": "The cat sat .\nAbout 95 <b>species</b> are known .\n",
        "reference.0": "A cat sat .\n95 species are known .\n",
        "reference.1": "The cat sat on a mat .\nThere are 95 species .\n",
    }
    for name, content in texts.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    return tmp_path


def test_the_command(files, capsys):
    arguments = [str(files / "output"), "-s", str(files / "source"), "-r", str(files / "reference.*")]
    assert main(["explain", "sari", *arguments, "--sample", "2", "-q"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("sample 2: sari ")
    assert "added; no reference adds it" in printed
    assert "sample 1" not in printed
    page = files / "page.html"
    assert main(["explain", "sari", *arguments, "-o", str(page), "-q"]) == 0
    html = page.read_text("utf-8")
    assert "<b>species" not in html
    assert "&lt;b&gt;" in html
    capsys.readouterr()
    assert main(["explain", "bleu", *arguments, "--format", "json", "-q"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert [s["id"] for s in record["samples"]] == ["1", "2"]
    for sample in record["samples"]:
        assert sum(c["points"] for c in sample["contributions"]) == pytest.approx(sample["score"])
    assert main(["explain", "sari", *arguments, "--sample", "7", "-q"]) == 2
    assert "no sample 7; the 2 samples are 1 to 2." in capsys.readouterr().err


@pytest.mark.data
def test_points_add_up_on_real_outputs(asset, outputs):
    corpus = asset.with_outputs(outputs("ACCESS"))[:40]
    for spec in ("sari", "sari(variant='hf')", "bleu", "rouge(kind='2')", "fkgl"):
        metric = pm.metric(spec)
        for breakdown, score in zip(breakdowns(metric, corpus), metric.sample_scores(corpus), strict=True):
            assert sum(c.points for c in breakdown.contributions) == pytest.approx(score, abs=1e-9)
