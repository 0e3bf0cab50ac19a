"""Tables 1 and 2 of the Agg paper (document-level metrics): correlations with people, and consistency under errors.

COCHRANE pairs are judged by Kendall's tau over pairs (who wins, by majority); D-WIKI and ONESTOPQA by Pearson's r.
Consistency counts a pair as right when the unharmed text does not score lower: a tie counts as right.
"""

import math

import numpy as np
import pytest
from scipy.stats import pearsonr

import plainmark as pm
from conftest import paper_cells

SPECS = {"BLEU": "bleu(lowercase=True)", "SARI": "sari(variant='agg')", "DSARI": "dsari"}
DATA = {"cochrane": "cochrance_lj", "dwiki": "dwiki_final", "qa": "qa"}
DIMENSIONS = {
    "fluency(grammar)": "grammar",
    "accuracy": "Correct answer (out of 3)",
    "answerability": "Non answer (out of 3)",
}

# Two texts with the same n-grams in another order tie; sums of their shares may differ in the last bits.
TIE = 1e-9


@pytest.fixture(scope="module")
def scores(doc_meta):
    """scores("BLEU", "qa"): a row of values per system."""
    kept = {}

    def score(metric, file):
        if (metric, file) not in kept:
            kept[metric, file] = np.array(
                [pm.metric(SPECS[metric]).sample_scores(c) for c in doc_meta(file)[1]]
            )
        return kept[metric, file]

    return score


def check(value, cell):
    """The printed number is the value rounded, or cut off, at its last digit."""
    assert value == pytest.approx(cell["reproduced"], abs=1e-9)
    digits = 1 if cell["table"] == "Table 2" else 3
    printed = (
        round(value, digits) if cell["agrees"] == "exact" else math.trunc(value * 10**digits) / 10**digits
    )
    assert printed == pytest.approx(cell["published"], abs=1e-12), cell["note"]


@pytest.mark.parametrize("cell", paper_cells("1-agg", "Table 1"), ids=lambda c: c["cell"])
def test_table_1(scores, doc_meta, cell):
    metric, _, column = cell["cell"].partition("/")
    data, _, dimension = column.partition(".")
    rows, _ = doc_meta(DATA[data])
    name = DIMENSIONS.get(dimension, dimension)
    people = np.array([next(r["agg_value"] for r in row["ratings"] if r["name"] == name) for row in rows])
    values = scores(metric, DATA[data])
    if data == "cochrane":
        first_wins = np.where(people == 0, 1, -1)
        check(np.mean(np.sign(values[0] - values[1]) * first_wins), cell)
    else:
        check(pearsonr(values[0], people).statistic, cell)


@pytest.mark.parametrize("cell", paper_cells("1-agg", "Table 2"), ids=lambda c: c["cell"])
def test_table_2(scores, cell):
    metric, file, _ = cell["cell"].split("/")
    unharmed, harmed = scores(metric, file)
    check(100 * np.mean(unharmed >= harmed - TIE), cell)
    strict = 100 * np.mean(unharmed > harmed + TIE)
    ties = int(np.sum(np.abs(unharmed - harmed) <= TIE))
    assert cell["note"] == f"ties counted as consistent: {ties}; strict consistency {strict:.1f}"
