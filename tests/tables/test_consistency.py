"""Table 2 of the Agg paper through the testbed of errors: the released files give its cells, and strict figures beside them."""

import pytest

import plainmark as pm
from conftest import paper_cells
from plainmark import cli, testbed
from plainmark.datasets import dataset
from plainmark.perturbations import ERRORS, perturbation

SPECS = {"BLEU": "bleu(lowercase=True)", "SARI": "sari(variant='agg')", "DSARI": "dsari(tokenizer='nltk')"}


@pytest.fixture(scope="module")
def data(shared, nltk_data):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLAINMARK_DATA", str(shared / "data"))
        yield dataset


@pytest.fixture(scope="module")
def rows(data):
    pairs = testbed.released_pairs(data("perturbed"))
    return {
        m: dict(zip((p.name for p in pairs), testbed.consistencies(pairs, pm.metric(s)), strict=True))
        for m, s in SPECS.items()
    }


FILES = {
    "peturb_deletion": "deletion", "peturb_indomain": "indomain", "peturb_outdomain": "outdomain",
    "peturb_fluency": "fluency", "peturb_coherence_v2": "coherence", "peturb_copy_v2": "copy",
}  # fmt: skip


@pytest.mark.parametrize("cell", paper_cells("1-agg", "Table 2"), ids=lambda c: c["cell"])
def test_the_cells_of_the_paper(rows, cell):
    metric, file, _ = cell["cell"].split("/")
    found = rows[metric][FILES[file]]
    assert found.released == pytest.approx(cell["reproduced"], abs=1e-9)
    assert cell["note"] == f"ties counted as consistent: {found.ties}; strict consistency {found.strict:.1f}"


def test_the_command_shows_both(data, capsys):
    assert cli.main(["stress", "--testbed", "errors", "-d", "perturbed", "-m", "bleu(lowercase=True)"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0].split() == ["metric", *FILES.values()]
    assert "73.3 / 73.3 (0)" in out
    assert "95.0 / 26.7 (41)" in out


def test_errors_made_anew_are_seen_as_the_released_ones(data):
    """Our own six errors in ChatGPT's 60 simplifications: harm that metrics see there they see here."""
    subject = testbed.from_dataset(data("onestopqa"), system="ChatGPT")
    pairs = testbed.error_pairs(subject, [perturbation(e) for e in ERRORS])
    assert [len(p.unperturbed) + p.not_eligible for p in pairs] == [60] * 6
    found = dict(zip(ERRORS, testbed.consistencies(pairs, pm.metric("bleu(lowercase=True)")), strict=True))
    assert found["error_out_document"].strict > 80
    assert found["error_grammar"].strict > 70
    assert found["error_deletion"].strict > 60
    assert found["error_coherence"].ties > 15  # n-grams hardly see the order of sentences
    assert found["error_copy"].strict < 20  # and copying the source is rewarded
