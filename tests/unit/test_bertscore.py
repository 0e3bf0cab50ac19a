"""BERTScore: the package's numbers, frozen with versions; cases by hand; several references, empty texts, options."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plainmark as pm
from conftest import ROOT, lines
from plainmark import models
from plainmark.errors import InputError, TruncationWarning
from plainmark.metrics.bertscore import _best, _match, read_baseline
from plainmark.models import TokenVectors
from support import tiny_models

GOLDEN = json.loads((ROOT / "tests" / "golden" / "models.json").read_text("utf-8"))


def corpus(references):
    """As in scripts/make_golden_models.py: the first samples of ASSET, one output empty."""
    n = GOLDEN["samples"]
    columns = [lines(f"asset/asset.test.simp.{i}")[:n] for i in range(references)]
    outputs = lines("outputs/ACCESS")[:n]
    outputs[3] = ""
    return pm.Corpus(lines("asset/asset.test.orig")[:n], outputs, list(zip(*columns, strict=True)))


@pytest.mark.parametrize("case", GOLDEN["bertscore"])
def test_the_numbers_of_bert_score(shared, case):
    layer, idf, references = (part.partition("=")[2] for part in case.split(", "))
    metric = pm.metric(f"bertscore(layer={layer}, idf={idf})")
    found = metric.sample_parts(corpus(int(references)))[:, 1:] / 100
    np.testing.assert_allclose(found, GOLDEN["bertscore"][case], atol=1e-6)


def test_rescaled_as_bert_score_does(shared, tmp_path):
    path = tmp_path / "baseline.tsv"
    path.write_text("LAYER,P,R,F\n" + "".join(f"{i},0.1{i},0.2{i},0.3{i}\n" for i in range(7)))
    found = pm.metric(f"bertscore(baseline={str(path)!r})").sample_parts(corpus(1))[:, 1:] / 100
    np.testing.assert_allclose(found, GOLDEN["bertscore_rescaled"], atol=1e-6)


def text(*rows, ids=None, marks=None):
    vectors = np.array(rows, dtype=np.float32)
    n = len(rows)
    return TokenVectors(
        np.arange(n) if ids is None else np.array(ids), vectors, np.array(marks or [False] * n)
    )


def test_matching_by_hand():
    output = text([1, 0], [0, 1])
    other = text([1, 0], [0.6, 0.8], [-1, 0])
    # Best cosines: output tokens 1 and .8, reference tokens 1, .8 and 0.
    assert _match(output, other, None) == pytest.approx((0.9, 0.6, 2 * 0.9 * 0.6 / 1.5))
    # Weights 1, 3 for the output, 1, 3, 0 for the reference.
    weights = np.array([1.0, 3.0, 0.0])
    precision, recall = (1 + 3 * 0.8) / 4, (1 + 3 * 0.8) / 4
    assert _match(output, other, weights) == pytest.approx((precision, recall, precision))


def test_marks_have_no_weight_but_may_be_matched():
    output = text([0, 1], [1, 0], marks=[True, False])
    other = text([0, 1], [0, 1], marks=[True, False])
    assert _match(output, other, None) == pytest.approx((0.0, 1.0, 0.0))
    without = text([1, 0])
    assert _match(without, other, None) == pytest.approx((0.0, 0.0, 0.0))


def test_tokens_without_any_weight_score_0_as_in_bert_score():
    assert _match(text([1, 0]), text([1, 0]), np.array([0.0])) == (0.0, 0.0, 0.0)


def test_each_part_takes_its_own_best_reference():
    pairs = np.array([[0.9, 0.2, 0.3], [0.4, 0.5, 0.45], [np.nan] * 3])
    assert _best(pairs).tolist() == [0.9, 0.5, 0.45]


@pytest.mark.models
def test_empty_texts():
    metric = pm.metric("bertscore")
    found = metric.sample_parts(pm.Corpus(None, ["", "word", ""], [["word"], [""], [""]]))
    assert found[:2].tolist() == [[0.0] * 4] * 2
    assert np.isnan(found[2]).all()
    assert (
        metric.score(pm.Corpus(None, ["", ""], [["word"], [""]])).value == 0
    )  # the undefined one is not counted


@pytest.mark.models
def test_against_the_source_needs_no_references():
    data = pm.Corpus(["The feline sat."], ["The cat sat."])
    recall = pm.metric("bertscore(against='source', part='recall')")
    score = recall.score(data)
    as_reference = pm.metric("bertscore").score(pm.Corpus(None, ["The cat sat."], ["The feline sat."]))
    assert score.value == score.parts["recall"] == pytest.approx(as_reference.parts["recall"])
    assert "refs:" not in score.signature
    with pytest.raises(pm.PlainmarkError, match="bertscore needs references"):
        pm.metric("bertscore").score(data)


def test_the_layer_tuned_for_a_model_is_in_the_signature():
    metric = pm.metric("bertscore(model='roberta-large')")
    assert metric.layer == 17
    assert "layer:17" in metric.signature("1")
    assert pm.metric(metric.spec) == metric
    assert metric.spec == "bertscore(model='roberta-large')"
    assert pm.metric("bertscore(model='models/roberta-base')").layer == 10
    assert pm.metric("bertscore(model='models/my-own')").layer is None
    assert pm.metric("bertscore(layer=3)").spec == "bertscore(layer=3)"
    assert "model:minilm#53aa51172d|layer:6" in pm.metric("bertscore").signature("1")


def test_copies_score_100_and_rarity_changes_weights(shared):
    sources = lines("asset/asset.test.orig")[:5]
    copies = pm.Corpus(sources, sources, [[s] for s in sources])
    for spec in ("bertscore", "bertscore(idf=True)"):
        np.testing.assert_allclose(pm.metric(spec).sample_scores(copies), 100, atol=1e-4)
    changed = copies.with_outputs([s.replace("the", "a") for s in sources])
    plain, rare = (pm.metric(m).score(changed).parts["recall"] for m in ("bertscore", "bertscore(idf=True)"))
    assert plain < rare - 0.1  # "the" is in every reference


def test_with_idf_a_sample_depends_on_its_company(shared):
    data = corpus(1)
    metric = pm.metric("bertscore(idf=True)")
    assert abs(metric.sample_scores(data)[0] - metric.sample_scores(data[:2])[0]) > 0.01


def test_long_texts(tmp_path):
    folder = str(tiny_models.write(tmp_path / "bert", "bert"))
    words = (tiny_models.WORDS * 8)[:100]
    data = pm.Corpus(None, [" ".join(words)], [" ".join(words[:38])])
    cut = pm.metric(f"bertscore(model={folder!r}, long='truncate')")
    with pytest.warns(TruncationWarning):
        assert cut.score(data).value == pytest.approx(100, abs=1e-3)  # what makes them differ was not read
    whole = pm.metric(f"bertscore(model={folder!r})")
    assert whole.score(data).parts["precision"] < 99.9


@pytest.mark.models
def test_many_samples_are_done_in_blocks(monkeypatch):
    from plainmark.metrics import bertscore

    outputs = [f"number {i}" for i in range(7)]
    data = pm.Corpus(None, outputs, [["number 3", "a"]] * 7)
    whole = pm.metric("bertscore").sample_parts(data)
    monkeypatch.setattr(bertscore, "_AT_ONCE", 40)
    assert (pm.metric("bertscore").sample_parts(data[:]) == whole).all()


def test_baseline_files(tmp_path):
    path = tmp_path / "b.tsv"
    path.write_text("LAYER,P,R,F\n0,0.1,0.2,0.3\n1,0.4,0.5,0.6\n")
    assert read_baseline(str(path), 1).tolist() == [0.4, 0.5, 0.6]
    with pytest.raises(InputError, match="no row for layer 2"):
        read_baseline(str(path), 2)
    with pytest.raises(InputError, match="no such file"):
        read_baseline(str(tmp_path / "none"), 1)


@pytest.mark.models
@given(st.lists(st.text(alphabet="abc ", max_size=12), min_size=1, max_size=4))
def test_exchanging_the_texts_exchanges_precision_and_recall(texts):
    one = pm.metric("bertscore").sample_parts(
        pm.Corpus(None, texts, [[t] for t in texts[::-1]], language="en")
    )
    two = pm.metric("bertscore").sample_parts(
        pm.Corpus(None, texts[::-1], [[t] for t in texts], language="en")
    )
    np.testing.assert_allclose(one, two[:, [0, 2, 1, 3]], atol=1e-4)


@pytest.mark.models
def test_a_slow_oracle_agrees():
    a, b = models.encoder("minilm").token_vectors(["The cat sat.", "A small cat sat down."])

    def cosine(x, y):
        return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))

    inner = range(1, len(a) - 1)
    expected = np.mean([max(cosine(a.vectors[i], y) for y in b.vectors) for i in inner])
    found = pm.metric("bertscore(part='precision')").score(
        pm.Corpus(None, ["The cat sat."], ["A small cat sat down."])
    )
    assert found.value == pytest.approx(100 * expected, abs=1e-4)
