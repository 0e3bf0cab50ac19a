"""FKGL as EASSE counts it: frozen values, and sentence ends live against NLTK's Punkt with its English parameters."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from nltk.tokenize.punkt import PunktTokenizer
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

import plainmark as pm
from conftest import SHARED, lines
from plainmark.metrics import _easse_counts

FILES = [
    *(
        f"outputs/{system}"
        for system in "ACCESS DMASS-DCSS Dress-Ls EditNTS Hybrid PBMT-R SBMT-SARI UNTS".split()
    ),
    "asset/asset.test.orig",
    "asset/asset.valid.orig",
    *(f"asset/asset.test.simp.{i}" for i in range(10)),
]


@pytest.mark.data
@pytest.mark.parametrize("path", FILES)
def test_frozen_values(golden, path):
    score = pm.metric("fkgl(variant='easse')").score(pm.Corpus(None, lines(path)))
    *counts, grade = golden("easse_fkgl")["values"][path]
    assert [*score.parts.values()] == counts
    assert score.value == pytest.approx(grade, abs=1e-9)


@pytest.mark.data
@pytest.mark.parametrize(("path", "printed"), [("outputs/ACCESS", 7.29), ("asset/asset.test.orig", 10.02)])
def test_what_easse_prints(path, printed):
    assert pm.metric("fkgl(variant='easse')").score(pm.Corpus(None, lines(path))).value == pytest.approx(
        printed, abs=0.005
    )


@pytest.fixture(scope="module")
def punkt():
    folder = SHARED / "data" / "nltk_data"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nltk.data.path", [str(folder)])
        yield PunktTokenizer("english")


PIECES = [
    "The", "U.S.", "U.S", "e.g.", "Mr.", "Dr.", "No.", "5", "3.5", "1,000.", ".", "...", "?", "!", "?!", "(", ")", '."',
    "'s", "J.", "etc.", "etc.)", "cat", "Paris", "--", "-", ";", "&quot;", "p.m.", "a.b.c", "é.", "«", "»", "…",
]  # fmt: skip


@pytest.mark.data
@given(
    st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join) | st.text("aB1. ?!)\"',-é\n", max_size=30)
)
@example("the u.s. army . . . left . ")
@example("a b . ' ) c")
def test_sentences_are_those_of_nltk(punkt, text):
    # EASSE reads lines, so that no text ends in white space.
    expected = punkt.tokenize(Tokenizer13a()(text.lower().rstrip()))
    (counts,) = _easse_counts.count_words([text])
    assert counts["sentences"] == len(expected)
    assert counts["words"] == sum(len(sentence.split()) for sentence in expected)


@pytest.mark.parametrize(
    ("word", "syllables"),
    [
        ("the", 1),  # listed
        ("sailmaker", 4),  # listed, and wrong
        ("table", 2),  # tabl: one vowel group, and a vowel before bl at the end
        ("free", 0),  # both final e's are gone
        ("nation", 2),  # io adds one, ion takes one
        ("special", 2),  # ia adds one, cial takes one
        ("queueing", 2),  # ueuei is one group, and three vowels in a row add one
        ("mcdonald", 3),
        (",", 0),
        ("1998", 0),
        ("60", 2),  # listed
    ],
)
def test_syllables_by_hand(word, syllables):
    assert _easse_counts.count_syllables(word) == syllables


def test_a_grade_below_zero_is_zero():
    assert pm.metric("fkgl(variant='easse')").score(pm.Corpus(None, ["Go on."])).value == 0
    assert pm.metric("fkgl").score(pm.Corpus(None, ["Go on."])).value < 0
