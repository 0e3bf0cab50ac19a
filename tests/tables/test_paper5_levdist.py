"""Table 3 of "Do Text Simplification Systems Preserve Meaning?": the LevDist columns, which are similarities."""

import pytest
from scipy.stats import spearmanr

import plainmark as pm
from paper5 import accuracy, automatic


@pytest.mark.parametrize(("column", "against"), [("levsim_simp", "Elementary"), ("levsim_orig", "Original")])
@pytest.mark.parametrize("subset", ["ALL", "ALL-KIS"])
def test_levdist(passages, golden, column, against, subset):
    cells = {c["cell"]: c for c in golden("paper_cells")["cells"] if c["paper"] == "5-reading"}
    cell = cells[f"{subset}/{column}"]
    other = {(row["article_id"], row["para_id"]): row["paragraph"] for row in passages[against]}
    systems = automatic(passages, subset)
    scores = []
    for system in systems:
        rows = passages[system]
        corpus = pm.Corpus(
            [other[row["article_id"], row["para_id"]] for row in rows], [row["paragraph"] for row in rows]
        )
        scores.append(pm.metric("levenshtein").score(corpus).value)
    rho = spearmanr(scores, [accuracy(passages[s]) for s in systems]).statistic
    assert rho == pytest.approx(cell["reproduced"], abs=1e-12)
    assert rho == pytest.approx(cell["published"], abs=0.001)  # one printed cell is cut, not rounded


def test_it_is_the_ratio_and_not_one_minus_the_normalised_distance(passages):
    """1 - distance / longer length would rank the systems differently: -0.159 instead of the printed -0.142."""
    other = {(row["article_id"], row["para_id"]): row["paragraph"] for row in passages["Elementary"]}
    systems = automatic(passages, "ALL")
    scores = []
    for system in systems:
        rows = passages[system]
        texts = [other[row["article_id"], row["para_id"]] for row in rows]
        corpus = pm.Corpus(texts, [row["paragraph"] for row in rows])
        distance = pm.metric("levenshtein(normalise=distance)").sample_scores(corpus)
        longer = [max(len(a), len(b)) for a, b in zip(texts, corpus.outputs, strict=True)]
        scores.append((1 - distance / longer).mean())
    assert spearmanr(scores, [accuracy(passages[s]) for s in systems]).statistic == pytest.approx(
        -0.159, abs=5e-4
    )
