"""The same numbers as textstat 0.7.3 with Pyphen 0.14.0, live, rounded and not."""

import json
from importlib.metadata import version

import numpy as np
import pytest
from benchmarks.implementations.textstat import FORMULAS, textstat
from hypothesis import example, given, settings
from hypothesis import strategies as st

import plainmark as pm
from conftest import SHARED, lines
from plainmark import kernels
from plainmark.wordlists import table

SYSTEMS = ["ACCESS", "DMASS-DCSS", "Dress-Ls", "EditNTS", "Hybrid", "PBMT-R", "SBMT-SARI", "UNTS"]


@pytest.fixture(autouse=True)
def versions():
    assert (version("textstat"), version("pyphen")) == ("0.7.3", "0.14.0")
    yield
    textstat.set_rounding(True)
    textstat._cache_clear()


@pytest.fixture(scope="module")
def one_stop(shared):
    """The paragraphs of OneStopQA at three levels."""

    def paragraphs(node):
        if isinstance(node, dict):
            node = list(node.values())
        if isinstance(node, list):
            for child in node:
                yield from paragraphs(child)
        elif isinstance(node, str) and len(node) > 200:
            yield node

    path = SHARED / "data" / "onestop-qa" / "onestop_qa.json"
    texts = list(paragraphs(json.loads(path.read_text("utf-8"))))
    assert len(texts) == 486
    return texts


def assert_same(name, texts, rounded):
    textstat.set_rounding(rounded)
    textstat._cache_clear()
    theirs = np.array([getattr(textstat, FORMULAS[name])(text) for text in texts], dtype=float)
    ours = pm.metric(f"{name}(variant='textstat', rounded={rounded})").sample_scores(pm.Corpus(None, texts))
    for text, a, b in zip(texts, ours, theirs, strict=True):
        if textstat.lexicon_count(text) == 0:
            assert np.isnan(a), text
        elif name == "smog" and textstat.sentence_count(text) < 3:
            assert np.isnan(a), text
            assert b == 0.0
        else:
            assert a == pytest.approx(b, abs=1e-9), text


@pytest.mark.parametrize("rounded", [True, False])
@pytest.mark.parametrize("name", FORMULAS)
def test_asset_outputs(name, rounded, shared):
    for system in SYSTEMS:
        assert_same(name, lines(f"outputs/{system}"), rounded)


@pytest.mark.parametrize("rounded", [True, False])
@pytest.mark.parametrize("name", FORMULAS)
def test_one_stop_paragraphs(name, rounded, one_stop):
    assert_same(name, one_stop, rounded)


WORDS = [
    "The",
    "government",
    "unfortunately",
    "U.S.",
    "isn't",
    "e.g.",
    "well-known",
    "3.14",
    "…",
    "''",
    "=",
    "‘’",
    "a_b",
    "I",
]
TEXTS = st.one_of(
    st.lists(st.sampled_from([*WORDS, ".", "!", "?\n"]), min_size=1, max_size=130).map(" ".join),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=80),
    st.text("ab.!?' \n=-’_É", max_size=40),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=3), st.booleans())
@example(["İstanbul'da İ. İki üç dört beş."], True)  # a letter that becomes two
@example(["ΟΔΟΣ ΟΔΟΣ. ΟΔΟΣ"], True)  # final sigma
@example(["' ' ' '"], True)
def test_generated_texts(texts, rounded):
    for name in FORMULAS:
        assert_same(name, texts, rounded)


def test_the_familiar_words_are_textstats():
    listed = sorted(textstat._textstatistics__get_lang_easy_words())
    assert len(table("familiar")) == len(listed) == 2941
    found = table("familiar").holds(kernels.tokenize([*listed, "notaword"], "space").hashes)
    assert found.tolist() == [1] * 2941 + [0]
