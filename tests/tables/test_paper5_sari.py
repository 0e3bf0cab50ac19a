"""Agrawal and Carpuat 2024 (paper 5): SARI in Table 1, and SARI, its parts and BLEU in Table 3.

SARI is EASSE's over the sixty passages of a system, the original as source and the elementary version as the only
reference; Table 3 has Spearman's rho over the automatic systems with the share of right answers.
"""

import pytest
from scipy.stats import spearmanr

import plainmark as pm
from paper5 import accuracy, automatic, cells

COLUMNS = {"sari": "sari", "add": "add", "keep": "keep", "dele": "del"}


@pytest.fixture(scope="module")
def corpora(passages):
    """System -> its passages with originals and elementary versions."""
    original, elementary = (
        {(r["article_id"], r["para_id"]): r["paragraph"] for r in passages[level]}
        for level in ("Original", "Elementary")
    )
    out = {}
    for system, rows in passages.items():
        keys = [(r["article_id"], r["para_id"]) for r in rows]
        texts = [r["paragraph"] for r in rows]
        out[system] = pm.Corpus(
            [original[k] for k in keys], texts, [[elementary[k]] for k in keys], name=system
        )
    return out


def test_all_cells_are_here():
    assert len(cells("Table 1", {"sari"})) == 9
    assert len(cells("Table 3", {*COLUMNS, "BLEU correct call"})) == 10


@pytest.mark.parametrize("entry", cells("Table 1", {"sari"}))
def test_table_1(corpora, entry):
    value = pm.metric("sari").score(corpora[entry["cell"].rsplit("/", 1)[0]]).value
    assert value == pytest.approx(entry["reproduced"], abs=1e-6)
    assert value == pytest.approx(entry["published"], abs=0.005)


@pytest.mark.parametrize("entry", cells("Table 3", COLUMNS))
def test_table_3(passages, corpora, entry):
    part = COLUMNS[entry["cell"].rsplit("/", 1)[1]]
    systems = automatic(passages, entry["cell"])
    scores = [pm.metric("sari").score(corpora[s]) for s in systems]
    values = [s.value if part == "sari" else s.parts[part] for s in scores]
    rho = spearmanr(values, [accuracy(passages[s]) for s in systems]).statistic
    assert rho == pytest.approx(entry["reproduced"], abs=1e-9)
    assert rho == pytest.approx(entry["published"], abs=0.001)  # some printed cells are cut, not rounded


@pytest.mark.parametrize("entry", cells("Table 3", {"BLEU correct call"}))
def test_bleu_called_rightly(passages, corpora, entry):
    """The printed row swaps outputs and references and passes references as characters; this is the right value."""
    systems = automatic(passages, entry["cell"])
    values = [pm.metric("bleu").score(corpora[s]).value for s in systems]
    rho = spearmanr(values, [accuracy(passages[s]) for s in systems]).statistic
    assert rho == pytest.approx(entry["reproduced"], abs=1e-9)
    assert rho != pytest.approx(entry["published"], abs=0.01)
