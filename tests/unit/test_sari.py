"""SARI against a Counter-based oracle in every variant and under every switch, and by hand."""

from dataclasses import asdict
from typing import get_args

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import plainmark as pm
from plainmark import kernels
from plainmark.metrics.sari import PRESETS, SARI
from plainmark.options import option_types
from support import oracles

VARIANTS = sorted(PRESETS)
TEXT = st.lists(st.sampled_from(["a", "A", "b", "c", "d", "a,", ""]), max_size=7).map(" ".join)


@st.composite
def corpora(draw):
    n = draw(st.integers(1, 3))
    texts = st.lists(TEXT, min_size=n, max_size=n)
    references = st.lists(st.lists(TEXT, min_size=1, max_size=4), min_size=n, max_size=n)
    return pm.Corpus(draw(texts), draw(texts), draw(references))


SWITCHES = {
    name: [c for c in get_args(hint) if c is not type(None)]
    for name, hint in option_types(SARI).items()
    if name not in ("variant", "tokenizer", "lowercase", "order", "blank_token")
}
CHOICES = {name: st.sampled_from(get_args(kinds[0]) or [False, True]) for name, kinds in SWITCHES.items()} | {
    "tokenizer": st.sampled_from(["none", "space", "13a", "char"]),
    "lowercase": st.booleans(),
    "order": st.integers(1, 5),
    "blank_token": st.booleans(),
}


def expected(corpus, metric):
    options = {name: getattr(metric, name) for name in asdict(PRESETS["easse"])}

    def words(text):
        found = kernels.words([text], options["tokenizer"], lowercase=options["lowercase"])[0]
        return found or ([""] if options["blank_token"] else [])

    samples = [
        (words(s.source), words(s.output), [words(r) for r in s.references], s.source.split()) for s in corpus
    ]
    return oracles.sari(samples, options)


def check(corpus, metric):
    score = metric.score(corpus)
    np.testing.assert_allclose([score.value, *score.parts.values()], expected(corpus, metric), atol=1e-9)


NOTHING = pm.Corpus([""], [""], [["", ""]])


@pytest.mark.parametrize("variant", VARIANTS)
@given(corpora())
@example(NOTHING)
@example(pm.Corpus(["a a a b"], ["a"], [["a a", ""]]))
def test_variants(variant, corpus):
    words = {"tokenizer": "none"} if variant == "agg" else {}  # NLTK's tokens have their own tests
    check(corpus, SARI(variant=variant, **words))


@settings(max_examples=600)
@given(corpora(), st.sampled_from(VARIANTS), st.fixed_dictionaries({}, optional=CHOICES))
def test_switches(corpus, variant, options):
    if variant == "agg":
        options.setdefault("tokenizer", "none")
    check(corpus, SARI(variant=variant, **options))


def test_every_switch_is_drawn():
    assert set(CHOICES) == set(asdict(PRESETS["easse"]))


SPECIES = pm.Corpus(
    ["About 95 species are currently accepted ."],
    ["About 95 you now get in ."],
    [
        [
            "About 95 species are currently known .",
            "About 95 species are now accepted .",
            "95 species are now accepted .",
        ]
    ],
)


@pytest.mark.parametrize(
    ("output", "score"),
    [
        ("About 95 you now get in .", 26.83),
        ("About 95 species are now agreed .", 58.90),
        ("About 95 species are now accepted .", 75.94),
    ],
)
def test_the_example_of_the_paper(output, score):
    """What the authors' program gives; the pairing printed in the paper is shifted by one."""
    assert pm.metric("sari(variant='xu2016')").score(SPECIES.with_outputs([output])).value == pytest.approx(
        score, abs=0.005
    )


def test_by_hand():
    """Source a b, output a c, one reference a c; unigrams only.

    Added c, wanted c: 1. Kept a, wanted a: 1. Deleted b, wanted b: 1.
    With the output a b: nothing added (0), kept a b of which a is right: P 1/2, R 1, F 2/3, nothing deleted (0).
    """
    corpus = pm.Corpus(["a b"], ["a c"], [["a c"]])
    unigrams = SARI(order=1)
    assert unigrams.score(corpus).value == pytest.approx(100)
    copied = unigrams.score(corpus.with_outputs(["a b"]))
    assert list(copied.parts.values()) == pytest.approx([0, 100 * 2 / 3, 0])
    # Hugging Face's 0/0 = 1: nothing added, so precision is 1; but one addition was wanted, so recall is 0 and F 0.
    # Deletion precision of nothing deleted is 1.
    hf = SARI(variant="hf", order=1).score(corpus.with_outputs(["a b"]))
    assert list(hf.parts.values()) == pytest.approx([0, 100 * 2 / 3, 100])


def test_copying_earns_full_marks_only_with_hugging_face(asset):
    """Copying the input: 0/0 = 1 lifts it from about 20 to 53.78 on ASSET."""
    assert pm.metric("sari(variant=hf)").score(asset).value == pytest.approx(53.78, abs=0.005)
    assert pm.metric("sari").score(asset).value == pytest.approx(20.73, abs=0.005)


def test_the_references_count_as_a_multiset_not_in_order():
    corpus = pm.Corpus(["a b c"], ["a b"], [["a", "b", "a b c"]])
    turned = pm.Corpus(["a b c"], ["a b"], [["a b c", "b", "a"]])
    for variant in VARIANTS:
        if variant != "agg":
            metric = SARI(variant=variant)
            assert metric.score(corpus).value == pytest.approx(metric.score(turned).value, abs=1e-12)


def test_an_unknown_variant_names_the_known_ones():
    with pytest.raises(pm.PlainmarkError, match="variant='ease' is not allowed; expected one of 'easse'"):
        SARI(variant="ease")
