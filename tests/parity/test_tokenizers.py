"""Our tokenisers and stemmer against sacreBLEU, rouge-score and NLTK, live, on generated text."""

import string

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from rouge_score.tokenizers import DefaultTokenizer
from sacrebleu.metrics import CHRF
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International

from plainmark import kernels

PIECES = [
    "&quot;", "&amp;", "&lt;", "&gt;", "&amp;quot;", "&amp;amp;lt;", "&quot", "<skipped>", "<skip<skipped>ped>",
    "-\n", "\n", "\r\n", "\t", " ", "  ", "\u00a0", "\u2028", "\x1c", "\x85", "\u3000", "\x00",
    "1,000.5", "3.14", "10-20", "1998-", "-5", ".5", "5.", "1,2,3", "٣٫٤", "½", "²", "Ⅷ", "x.y", "e.g.", "U.S.",
    "don't", "''", "``", "...", "--", "–", "—", "…", "¿", "“word”", "«", "€5", "$5", "+1", "©", "😀", "e\u0301",
    "İ", "ß", "ΣΑΣ", "ﬁ", "中文", "हिन्दी", "العربية", "\ud800", "word", "Word", "WORD",
]  # fmt: skip
TEXT = (
    st.text(st.characters(exclude_categories=()), max_size=30)
    | st.text(st.sampled_from(string.punctuation + string.digits + "ab \n"), max_size=30)
    | st.lists(st.sampled_from(PIECES), max_size=10).map("".join)
    | st.lists(st.sampled_from(PIECES), max_size=10).map(" ".join)
)
MANY = settings(max_examples=400)

THIRTEEN_A, INTERNATIONAL, CHARACTERS, CHRF_WORDS = (
    Tokenizer13a(),
    TokenizerV14International(),
    TokenizerChar(),
    CHRF(),
)
ROUGE, ROUGE_STEMMED, PORTER = DefaultTokenizer(), DefaultTokenizer(use_stemmer=True), PorterStemmer()


def ours(text, mode, lowercase=False):
    return kernels.words([text], mode, lowercase=lowercase)[0]


@MANY
@given(TEXT)
@example("word-\n")  # sacreBLEU's metrics strip the end before lines that end in a hyphen are joined
@example("word-\n \u3000\x85\n")
@example("<skipped>-\n")
def test_13a(text):
    assert ours(text, "13a") == THIRTEEN_A(text.rstrip()).split()
    assert ours(text, "13a", lowercase=True) == THIRTEEN_A(text.lower().rstrip()).split()


@MANY
@given(TEXT)
def test_intl(text):
    assert ours(text, "intl") == INTERNATIONAL(text).split()
    assert ours(text, "intl", lowercase=True) == INTERNATIONAL(text.lower()).split()


@MANY
@given(TEXT)
def test_char(text):
    assert ours(text, "char") == CHARACTERS(text).split()
    assert ours(text, "char", lowercase=True) == CHARACTERS(text.lower()).split()


@MANY
@given(TEXT)
def test_chrf(text):
    assert ours(text, "chrf") == CHRF_WORDS._remove_punctuation(text)
    assert ours(text, "chrf", lowercase=True) == CHRF_WORDS._remove_punctuation(text.lower())


@MANY
@given(TEXT)
def test_rouge(text):
    assert ours(text, "rouge", lowercase=True) == ROUGE.tokenize(text)
    assert ours(text, "porter", lowercase=True) == ROUGE_STEMMED.tokenize(text)


SUFFIXES = [
    "", "s", "es", "ies", "sses", "ss", "ed", "eed", "ied", "ing", "at", "bl", "iz", "y", "ational", "tional", "enci",
    "anci", "izer", "bli", "alli", "entli", "eli", "ousli", "ization", "ation", "ator", "alism", "iveness", "fulness",
    "ousness", "aliti", "iviti", "biliti", "fulli", "logi", "icate", "ative", "alize", "iciti", "ical", "ful", "ness",
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "sion", "tion", "ou", "ism",
    "ate", "iti", "ous", "ive", "ize", "e", "ll", "le", "edly", "ingly", "li",
]  # fmt: skip
WORD = st.builds(
    lambda stem, ends: stem + "".join(ends),
    st.text("abcdeilmnorstuvwxyz", max_size=6),
    st.lists(st.sampled_from(SUFFIXES), max_size=3),
)


@settings(max_examples=3000)
@given(WORD | st.text("aeiouybclstz0", max_size=9))
def test_stem(word):
    assert kernels.stem(word) == PORTER.stem(word)


@pytest.mark.parametrize(
    "word",
    [
        "sky",
        "skies",
        "dying",
        "lying",
        "tying",
        "news",
        "innings",
        "inning",
        "outings",
        "outing",
        "cannings",
        "canning",
        "howe",
        "proceed",
        "exceed",
        "succeed",
        "dies",
        "died",
        "flies",
        "fly",
        "enjoy",
        "say",
        "happy",
        "happily",
        "ran",
        "ion",
        "on",
        "i",
        "a",
        "spied",
        "tied",
        "sings",
        "logi",
    ],
)
def test_irregular_and_short_words(word):
    assert kernels.stem(word) == PORTER.stem(word)


def test_every_word_of_a_real_text(asset):
    words = {w for text in asset.texts("references") for w in ours(text, "rouge", lowercase=True)}
    assert len(words) > 4000
    assert {w: kernels.stem(w) for w in words} == {w: PORTER.stem(w) for w in words}
