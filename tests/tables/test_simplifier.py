"""The model that comes with plainmark, on the test sets that nothing was chosen on."""

import pytest

import plainmark as pm
from conftest import lines
from plainmark import faithfulness
from plainmark.simplifier.model import BUILT_IN


@pytest.fixture(scope="module")
def turkcorpus_tokens(shared):
    """TurkCorpus test in its released tokenisation, with the built-in model's outputs."""
    stem = "turkcorpus/test.8turkers.tok"
    sources = lines(f"{stem}.norm")
    references = list(zip(*(lines(f"{stem}.turk.{i}") for i in range(8)), strict=True))
    outputs = [s.output for s in pm.load_simplifier("default").simplify(sources, tokenized=True)]
    return pm.Corpus(sources, outputs, references)


def test_the_built_in_model_on_turkcorpus(turkcorpus_tokens):
    sari = pm.metric("sari(tokenizer='none')").score(turkcorpus_tokens).value
    bleu = pm.metric("bleu(tokenizer='none')").score(turkcorpus_tokens).value
    assert sari >= 38.0
    assert bleu >= 75.0


def test_the_built_in_model_on_asset(asset):
    outputs = [s.output for s in pm.load_simplifier("default").simplify(asset.sources)]
    scored = asset.with_outputs(outputs)
    assert pm.metric("sari").score(scored).value > pm.metric("sari").score(asset).value + 10
    for kind in ("number", "name"):
        ledgers = (
            faithfulness.facts(source, output, kinds=[kind])
            for source, output in zip(asset.sources, outputs, strict=True)
        )
        kept = [all(e.verdict == "same" for e in ledger.entries if e.before) for ledger in ledgers]
        assert sum(kept) >= 0.99 * len(kept)


def test_the_built_in_model_is_small():
    assert sum(p.stat().st_size for p in BUILT_IN.iterdir()) < 30e6


def test_the_built_in_model_ranks_simpler_words_first():
    words = [r.target for r in pm.load_simplifier("default").rank("purchased")]
    assert words.index("bought") < words.index("purchased")
