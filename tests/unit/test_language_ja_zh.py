"""Japanese and Chinese: sentences, tokenisers, refusal of what cuts words at spaces."""

import pytest

import plainmark as pm
from plainmark import segmentation
from plainmark.errors import LanguageError
from plainmark.languages import split_sentences

JAPANESE = ["昨日私たちは庭で長い時間働きました。", "とても楽しかったです。"]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("今日は雨です。明日は？晴れ！", ["今日は雨です。", "明日は？", "晴れ！"]),
        (
            "「寒い。帰ろう。」と彼は言った。",
            ["「寒い。帰ろう。」と彼は言った。"],
        ),  # quoted inside a sentence
        ("一行目\n二行目", ["一行目", "二行目"]),
        (
            "「閉じない。次の文。" + "あ" * 400 + "。終わり。",
            ["「閉じない。次の文。" + "あ" * 400 + "。", "終わり。"],
        ),
        ("。。。", []),
    ],
)
def test_sentences(text, sentences):
    assert split_sentences(text, "ja") == split_sentences(text, "zh") == sentences


def test_words_between_spaces_are_refused():
    corpus = pm.Corpus(JAPANESE, JAPANESE, JAPANESE)
    with pytest.raises(LanguageError) as error:
        pm.metric("bleu").score(corpus)
    assert str(error.value) == (
        "bleu cuts words at spaces; this looks Japanese (99 %), which has none. Use bleu(tokenizer='ja-mecab'), "
        "or --language en to insist."
    )
    pm.metric("bleu(tokenizer='char')").score(corpus)


def test_meteor_is_refused_and_not_broken():
    with pytest.raises(LanguageError, match="meteor is for English; the texts are Chinese"):
        pm.score(
            pm.Corpus(["我们昨天工作。"], ["我们昨天工作。"], ["我们昨天工作。"], language="zh"),
            metrics="meteor",
        )


def test_chinese_rouge_and_splits():
    corpus = pm.Corpus(["我们昨天工作。然后回家。"], ["我们工作。"], ["我们工作。"], language="zh")
    table = pm.score(corpus, metrics="rouge,sentence_splits,dsari")
    assert table[next(iter(table.systems)), "rouge(language='zh')"].value == 100
    assert table[next(iter(table.systems)), "sentence_splits(language='zh')"].value == 0.5


@pytest.mark.skipif(bool(segmentation.missing("ja-mecab")), reason="needs MeCab and ipadic")
def test_japanese_sari():
    corpus = pm.Corpus(JAPANESE, JAPANESE, JAPANESE)
    table = pm.score(corpus, metrics="sari,bleu")
    assert [m.spec for m in table.metrics] == ["sari(tokenizer='ja-mecab')", "bleu(tokenizer='ja-mecab')"]
