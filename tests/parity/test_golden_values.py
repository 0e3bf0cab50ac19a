"""The numbers of EASSE, Hugging Face evaluate, SARI.py and sacreBLEU, frozen with their origin."""

import numpy as np
import pytest

import plainmark as pm

SYSTEMS = [
    "ACCESS",
    "DMASS-DCSS",
    "Dress-Ls",
    "EditNTS",
    "Hybrid",
    "PBMT-R",
    "SBMT-SARI",
    "UNTS",
    "(identity)",
]
SPECS = {
    "easse": "sari",
    "easse_delprec": "sari(variant='easse-delprec')",
    "hf": "sari(variant='hf')",
    "xu2016": "sari(variant='xu2016')",
    "bleu": "bleu",
    "bleu_lc": "bleu(lowercase=True)",
    "chrf": "chrf",
    "ter": "ter",
}


@pytest.fixture(params=["asset", "turkcorpus"])
def test_set(request):
    return request.param, request.getfixturevalue(request.param)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("key", SPECS)
def test_corpus_scores(test_set, golden, outputs, system, key):
    name, corpus = test_set
    expected = golden("sari_bleu_peers")["values"][name][system]
    if system != "(identity)":
        corpus = corpus.with_outputs(outputs(system))
    metric = pm.metric(SPECS[key])
    score = metric.score(corpus)
    assert score.value == pytest.approx(expected[key], abs=1e-9)
    if key == "easse":
        assert list(score.parts.values()) == pytest.approx(expected["easse_parts"], abs=1e-9)
        mean = pm.metric("mean(sari)").score(corpus).value
        assert mean == pytest.approx(expected["easse_sentence_mean"], abs=1e-9)
    sentence_key = "sentence_bleu" if key == "bleu" else key
    if sentence_key in expected["first5"]:
        np.testing.assert_allclose(
            metric.sample_scores(corpus)[:5], expected["first5"][sentence_key], atol=1e-9
        )
