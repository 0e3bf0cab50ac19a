"""Table 3 of "Do Text Simplification Systems Preserve Meaning?": the LevDist columns, which are similarities."""

import csv
import io

import pytest
from scipy.stats import spearmanr

import plainmark as pm
from conftest import lines


@pytest.fixture(scope="module")
def answers(shared):
    """System -> rows of the released answers."""
    rows = csv.DictReader(io.StringIO("\n".join(lines("ats-eval/all-ann-final-model-paper.csv")), newline=""))
    found = {}
    for row in rows:
        found.setdefault(row["Model"], []).append(row)
    return found


def accuracy(rows):
    """Answers are stripped: one of EditCL-Grade7's has a line break at its end."""
    right = [
        row[f"answer_{k}"].strip() == row[f"correct_answer_{k}"].strip() for row in rows for k in (1, 2, 3)
    ]
    return sum(right) / len(right)


@pytest.mark.parametrize(("column", "against"), [("levsim_simp", "Elementary"), ("levsim_orig", "Original")])
@pytest.mark.parametrize("subset", ["ALL", "ALL-KIS"])
def test_levdist(answers, golden, column, against, subset):
    cells = {c["cell"]: c for c in golden("paper_cells")["cells"] if c["paper"] == "5-reading"}
    cell = cells[f"{subset}/{column}"]
    other = {(row["article_id"], row["para_id"]): row["paragraph"] for row in answers[against]}
    systems = [
        s for s in answers if s not in ("Original", "Elementary") and not (subset == "ALL-KIS" and s == "KIS")
    ]
    scores = []
    for system in systems:
        rows = answers[system]
        corpus = pm.Corpus(
            [other[row["article_id"], row["para_id"]] for row in rows], [row["paragraph"] for row in rows]
        )
        scores.append(pm.metric("levenshtein").score(corpus).value)
    rho = spearmanr(scores, [accuracy(answers[s]) for s in systems]).statistic
    assert rho == pytest.approx(cell["reproduced"], abs=1e-12)
    assert rho == pytest.approx(cell["published"], abs=0.001)  # one printed cell is cut, not rounded


def test_it_is_the_ratio_and_not_one_minus_the_normalised_distance(answers):
    """1 - distance / longer length would rank the systems differently: -0.159 instead of the printed -0.142."""
    other = {(row["article_id"], row["para_id"]): row["paragraph"] for row in answers["Elementary"]}
    systems = [s for s in answers if s not in ("Original", "Elementary")]
    scores = []
    for system in systems:
        rows = answers[system]
        texts = [other[row["article_id"], row["para_id"]] for row in rows]
        corpus = pm.Corpus(texts, [row["paragraph"] for row in rows])
        distance = pm.metric("levenshtein(normalise=distance)").sample_scores(corpus)
        longer = [max(len(a), len(b)) for a, b in zip(texts, corpus.outputs, strict=True)]
        scores.append((1 - distance / longer).mean())
    assert spearmanr(scores, [accuracy(answers[s]) for s in systems]).statistic == pytest.approx(
        -0.159, abs=5e-4
    )
