"""jReadability against the package jreadability 1.1.5, live."""

import pytest

import plainmark as pm
from plainmark.datasets import dataset

jreadability = pytest.importorskip("jreadability")

TEXTS = [
    "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。",
    "昨日、私たちは庭で長い時間働きました。とても楽しかったです！",
    "経済成長率は前年同期比で低下したが、雇用情勢は改善している",
    "ABC 123。ありますか？",
]


@pytest.mark.parametrize("text", TEXTS)
def test_values(text):
    score = pm.metric("jreadability").score(pm.Corpus(None, [text], language="ja"))
    assert score.value == pytest.approx(jreadability.compute_readability(text), abs=1e-9)


def test_a_text_without_words_is_undefined():
    assert pm.metric("jreadability").score(pm.Corpus(None, [""], language="ja")).defined == 0


@pytest.mark.data
def test_values_on_jades(data_sets):
    corpus = dataset("jades").corpora()["Reference"][:50]
    own = pm.metric("jreadability").sample_scores(corpus)
    assert own == pytest.approx([jreadability.compute_readability(t) for t in corpus.outputs], abs=1e-9)
