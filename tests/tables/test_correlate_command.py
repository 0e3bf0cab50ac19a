"""Tables 1 and 2 of the Agg paper from one command, and the facts that the printed tables hide."""

import json

import pytest

from conftest import SHARED, paper_cells
from plainmark import cli

METRICS = {"BLEU": "bleu", "SARI": "sari", "DSARI": "dsari"}
COLUMNS = {
    "cochrane.readability": ("cochrane", "readability"),
    "dwiki.fluency(grammar)": ("dwiki", "grammar"),
    "dwiki.meaning": ("dwiki", "meaning"),
    "dwiki.simplicity-overall": ("dwiki", "simplicity-overall"),
    "qa.accuracy": ("onestopqa", "accuracy"),
    "qa.answerability": ("onestopqa", "answerability"),
}


@pytest.fixture(scope="module")
def rows(nltk_data, tmp_path_factory):
    path = tmp_path_factory.mktemp("tables") / "tables.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLAINMARK_DATA", str(SHARED / "data"))
        sets = [w for d in ("cochrane", "dwiki", "onestopqa", "perturbed") for w in ("-d", d)]
        metrics = ["-m", "bleu(lowercase=True)", "-m", "sari(variant='agg')", "-m", "dsari(tokenizer='nltk')"]
        assert cli.main(["correlate", *sets, *metrics, "-o", str(path), "-q"]) == 0
    return {
        (r["dataset"].partition("(")[0], r["dimension"], r["metric"]): r for r in json.loads(path.read_text())
    }


@pytest.mark.parametrize("cell", paper_cells("1-agg", "Table 1"), ids=lambda c: c["cell"])
def test_table_1(rows, cell):
    metric, _, column = cell["cell"].partition("/")
    row = rows[(*COLUMNS[column], METRICS[metric])]
    assert row["value"] == pytest.approx(cell["reproduced"], abs=1e-9)
    assert row["low"] < row["value"] < row["high"]


@pytest.mark.parametrize("cell", paper_cells("1-agg", "Table 2"), ids=lambda c: c["cell"])
def test_table_2(rows, cell):
    metric, _, error = cell["cell"].split("/")
    row = rows["perturbed", error, METRICS[metric]]
    assert row["released"] == pytest.approx(cell["reproduced"], abs=1e-9)
    assert (
        cell["note"] == f"ties counted as consistent: {row['ties']}; strict consistency {row['strict']:.1f}"
    )


def test_one_system_carries_onestopqa(rows):
    """KIS alone gives .480 and .507; without it no metric exceeds .15."""
    for dimension, alone in (("accuracy", -0.480), ("answerability", -0.507)):
        for metric in METRICS.values():
            row = rows["onestopqa", dimension, metric]
            assert row["system_identity"]["KIS"] == pytest.approx(alone, abs=5e-4)
            assert abs(row["without"]["KIS"]) < 0.15
        assert rows["onestopqa", dimension, "bleu"]["changed_most_without"] == "KIS"


def test_pairs_of_one_abstract_are_drawn_together(rows):
    assert rows["cochrane", "readability", "sari"]["units"] == 30
    assert rows["dwiki", "meaning", "sari"]["units"] == 100
    assert rows["onestopqa", "accuracy", "sari"]["units"] == 60
