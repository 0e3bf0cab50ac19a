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
    # It copies where it is not sure, which costs SARI: docs/simplifier-card.md has these figures.
    assert pm.metric("sari(tokenizer='none')").score(turkcorpus_tokens).value == pytest.approx(
        31.04, abs=0.02
    )
    assert pm.metric("bleu(tokenizer='none')").score(turkcorpus_tokens).value == pytest.approx(
        98.04, abs=0.02
    )


def test_the_built_in_model_on_asset(asset):
    outputs = [s.output for s in pm.load_simplifier("default").simplify(asset.sources)]
    scored = asset.with_outputs(outputs)
    assert pm.metric("sari").score(scored).value == pytest.approx(25.27, abs=0.02)
    assert pm.metric("bleu").score(scored).value == pytest.approx(92.16, abs=0.02)
    changed = [(s, o) for s, o in zip(asset.sources, outputs, strict=True) if s != o]
    ledgers = [faithfulness.facts(*pair) for pair in changed]
    assert [ledger.alarms for ledger in ledgers if ledger.alarms] == []
    for kind in ("number", "name", "negation", "condition"):
        entries = [e for ledger in ledgers for e in ledger.entries if e.kind == kind]
        assert [e for e in entries if e.verdict != "same"] == []


def test_the_built_in_model_is_small():
    assert sum(p.stat().st_size for p in BUILT_IN.iterdir()) < 8e6


def test_the_built_in_model_ranks_simpler_words_first():
    words = [r.target for r in pm.load_simplifier("default").rank("purchased")]
    assert words.index("bought") < words.index("purchased")
