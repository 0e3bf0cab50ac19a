"""sacreBLEU's tokenisers for Chinese, Japanese and Korean and those of SentencePiece, live, and BLEU with them."""

import json
import random

import pytest
import sacrebleu.metrics as peer
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sacrebleu.tokenizers import tokenizer_ja_mecab, tokenizer_ko_mecab, tokenizer_spm
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

import plainmark as pm
from plainmark import segmentation, text
from plainmark.errors import InputError, MissingResourceError
from plainmark.metrics.bleu import BLEU
from plainmark.metrics.sari import SARI

# Sentences of our own, with digits, Latin words and punctuation at the ends, where zh differs from 13a.
CHINESE = [
    "我们在2005年.",
    "这只猫坐在垫子上。",
    "他说:“你好”,然后走了!",
    "iPhone 15很贵…",
    ".5是数字",
    "價錢(大約)是3.5元-5",
]
JAPANESE = [
    "猫がマットの上に座った。",
    "彼は2005年に東京へ行った。",
    "iPhoneは高いです!",
    "今日はとても良い天気ですね",
]
KOREAN = [
    "고양이가 매트 위에 앉았다.",
    "그는 2005년에 서울로 갔다.",
    "아이폰은 비싸요!",
    "오늘은 날씨가 참 좋네요",
]
PIECES = [
    *CHINESE, *JAPANESE, *KOREAN, "-5", "5-", "1.", ".", ",", "x.y", "3,5", "\u2001", "\u2000", "\u2a6d", "\u2a6e", "—", "“",
    "\U00020000", "\U0002f800", "\u9fbb", "\u9fbc", "\ufa2d", "\ufa2e", "\u3000", "\u00a0", " ", "\n", "&quot;", "<skipped>", "Ab",
]  # fmt: skip
TEXT = (
    st.text(max_size=30)
    | st.text(st.characters(min_codepoint=0x1FF0, max_codepoint=0x3450), max_size=20)
    | st.lists(st.sampled_from(PIECES), max_size=6).map("".join)
)
NO_NULL = TEXT.filter(lambda t: "\0" not in t)


def ours(string, tokenizer, lowercase=False):
    return text.words([string], tokenizer, lowercase=lowercase)[0]


@settings(max_examples=600)
@given(TEXT | st.text(st.characters(exclude_categories=()), max_size=20))
@example("5.")  # no space is put around the text: the stop stays
@example("\u3000-5 ")
def test_zh(string):
    theirs = TokenizerZh()
    assert ours(string, "zh") == theirs(string.rstrip()).split()
    assert ours(string, "zh", lowercase=True) == theirs(string.lower().rstrip()).split()


def test_zh_at_every_character():
    theirs = TokenizerZh()
    characters = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000]
    for start in range(0, len(characters), 4096):
        string = "x".join(characters[start : start + 4096])
        assert ours(string, "zh") == theirs(string).split()


@pytest.mark.segmenters
@pytest.mark.parametrize(
    ("name", "theirs"),
    [("ja-mecab", tokenizer_ja_mecab.TokenizerJaMecab), ("ko-mecab", tokenizer_ko_mecab.TokenizerKoMecab)],
)
def test_mecab(name, theirs):
    their_split = theirs()

    @given(NO_NULL)
    def check(string):
        assert ours(string, name) == their_split(string.rstrip()).split()

    check()
    assert len(ours((JAPANESE if name == "ja-mecab" else KOREAN)[0], name)) > 4


@pytest.mark.segmenters
@pytest.mark.parametrize("string", ["", "\0", "a\0b", "\ud800", "猫\ud800が"])
@pytest.mark.parametrize("name", ["ja-mecab", "ko-mecab"])
def test_characters_that_mecab_does_not_take(name, string):
    assert isinstance(ours(string, name), list)


@pytest.fixture
def sentencepiece_models(tmp_path, monkeypatch):
    """A folder of sacreBLEU's with small models under the names of the large ones."""
    spm = pytest.importorskip("sentencepiece")
    folder = tmp_path / "models"
    folder.mkdir()
    rng = random.Random(1)
    words = [rng.choice(PIECES) + " " + "".join(rng.choices("abcde ", k=30)) for _ in range(300)]
    for seed, name in enumerate(sorted(set(segmentation._SENTENCEPIECE.values()))):
        with (folder / name).open("wb") as file:
            spm.SentencePieceTrainer.train(
                sentence_iterator=iter(words),
                model_writer=file,
                vocab_size=180 + seed,
                minloglevel=2,
                hard_vocab_limit=False,
            )
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    monkeypatch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(tmp_path))
    return folder


@pytest.mark.segmenters
def test_sentencepiece(sentencepiece_models):
    @settings(max_examples=50)
    @given(NO_NULL)
    def check(string):
        for name, split in theirs.items():
            assert ours(string, name) == split(string.rstrip()).split()

    theirs = {name: tokenizer_spm.TokenizerSPM(name) for name in segmentation._SENTENCEPIECE if name != "spm"}
    check()
    assert ours("abc cde", "spm") == ours("abc cde", "flores101")


@pytest.mark.segmenters
def test_the_signature_has_the_content_of_the_model(sentencepiece_models):
    bleu = BLEU(tokenizer="flores200")
    before = bleu.signature("1")
    assert "tok:flores200#" in before
    assert "tok:spm#" in SARI(tokenizer="spm").signature("1")  # an option that may be None
    (sentencepiece_models / "flores200sacrebleuspm").write_bytes(
        (sentencepiece_models / "spbleu-1k_tokenizer_spm.model").read_bytes()
    )
    assert bleu.signature("1") != before
    with pytest.raises(InputError, match="digest"):
        pm.metric(before)


@pytest.mark.segmenters
def test_what_is_not_a_model_is_an_error(sentencepiece_models):
    file = sentencepiece_models / "flores200sacrebleuspm"
    file.write_bytes(b"not a model")
    with pytest.raises(InputError, match=r"flores200sacrebleuspm: not a SentencePiece model"):
        ours("a", "flores200")
    file.unlink()
    with pytest.raises(MissingResourceError, match=r"flores200 needs .*flores200sacrebleuspm, which is not"):
        ours("a", "flores200")


def test_bleu_zh():
    check_bleu("zh", CHINESE)


@pytest.mark.segmenters
@pytest.mark.parametrize(("tokenizer", "sentences"), [("ja-mecab", JAPANESE), ("ko-mecab", KOREAN)])
def test_bleu_by_mecab(tokenizer, sentences):
    check_bleu(tokenizer, sentences)


def check_bleu(tokenizer, sentences):
    outputs = [s[1:] + s[:1] for s in sentences]
    references = [[s, s[::-1]] for s in sentences]
    expected = peer.BLEU(tokenize=tokenizer).corpus_score(
        outputs, [list(c) for c in zip(*references, strict=True)]
    )
    assert expected.score > 10
    score = BLEU(tokenizer=tokenizer).score(pm.Corpus(None, outputs, references))
    assert score.value == pytest.approx(expected.score, abs=1e-9)


@pytest.mark.data
def test_zh_and_mecab_on_the_japanese_of_jades(shared):
    """Real text; zh is not for Japanese, but its rules meet Kana, Kanji and Latin there."""
    parts = json.loads((shared / "data/ratings/jades/jades_manual_scores.json").read_text("utf-8"))
    strings = sorted({v for rows in parts.values() for r in rows for v in r.values() if isinstance(v, str)})[
        :500
    ]
    assert len(strings) > 100
    theirs = TokenizerZh()
    assert text.words(strings, "zh") == [theirs(s.rstrip()).split() for s in strings]
    if not segmentation.missing("ja-mecab"):
        japanese = tokenizer_ja_mecab.TokenizerJaMecab()
        assert text.words(strings, "ja-mecab") == [japanese(s.rstrip()).split() for s in strings]
