"""What APPLS found (Guo et al. 2024), on a part of PLABA: the claims that need no model that is out of reach.

The candidates are oracle extracts without round-trip translation, so that numbers differ from the paper's figures; what is
claimed is the direction of curves. docs/testbed-card.md has the table of all 749 abstracts.
"""

import pytest

import plainmark as pm
from plainmark import testbed
from plainmark.datasets import dataset
from plainmark.perturbations import APPLS, perturbation

OVERLAP = ("rouge(kind='1')", "rouge(kind='2')", "rouge", "bleu")
CLASSIC = ("sari", *OVERLAP, "meteor")
KEPT = {"numbers": "numbers_kept", "negate": "negation_kept"}
# With one reference left, changed numbers cost these just enough for "detects": a little more than a fifth of the spread.
NOTICING = ("rouge(kind='2')", "bleu")


@pytest.fixture(scope="module")
def stressed(shared, tmp_path_factory):
    """Cards by metric and case: every third abstract that has two adaptations, one seed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLAINMARK_DATA", str(shared / "data"))
        data = dataset("plaba")
        corpus = data.corpora()["reference"]
        two = [i for i, references in enumerate(corpus.references) if len(references) > 1]
        subject = testbed.from_corpus(
            corpus.subset(two[::3]), name="plaba", candidate="oracle", aligned=data.simpler()
        )
    bed = testbed.build(subject, [perturbation(p) for p in APPLS], levels=4, seeds=(1,))
    specs = (*CLASSIC, *KEPT.values(), "entities_kept")
    metrics = [pm.metric(m) for m in specs]
    folder = tmp_path_factory.mktemp("appls")
    testbed.run(bed, metrics, folder)
    results = testbed.Results(bed, metrics, folder)
    found = {}
    for spec, metric in zip(specs, metrics, strict=True):
        cards = testbed.cards(results, metric)
        found[spec] = {c.case: c for c in cards} | {"reversal": testbed.reversal(cards)}
    return found


def test_the_subject(shared):
    """All 749 abstracts have an oracle extract; most are found by exact search."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLAINMARK_DATA", str(shared / "data"))
        subject = testbed.from_dataset(dataset("plaba"))
    assert len(subject.documents) == 749
    assert subject.candidate == "oracle"
    assert "exact search for 704 documents of at most 16 sentences" in subject.notes[0]
    assert "SARI degenerates" in subject.notes[1]
    assert all(d.text for d in subject.documents)


def test_sari_rises_with_simplification(stressed):
    card = stressed["sari"]["simplify"]
    assert card.verdict == "detects"
    assert card.low > card.yardstick
    assert card.spearman > 0.5


@pytest.mark.parametrize("metric", [*OVERLAP, "meteor"])
def test_overlap_metrics_fall_with_simplification(stressed, metric):
    """Which is the paper's finding, and what a leaking reference hid."""
    card = stressed[metric]["simplify"]
    assert card.verdict == "wrong way"
    assert card.high < -card.yardstick
    assert card.documents == 57
    assert "refs:1|" in card.signature


def test_extracts_cannot_be_made_complex_without_their_own_reference(stressed):
    card = stressed["sari"]["simplify, reversed"]
    assert card.verdict == "not testable here"
    assert card.reason.startswith(
        "every simpler version is a sentence of a reference; needs complex versions"
    )


@pytest.mark.parametrize("metric", OVERLAP)
@pytest.mark.parametrize("case", ["delete", "add_out_of_domain", "add_in_domain"])
def test_overlap_metrics_fall_with_deletion_and_additions(stressed, metric, case):
    card = stressed[metric][case]
    assert card.verdict == "detects"
    assert card.high < -card.yardstick


@pytest.mark.parametrize("metric", ["rouge(kind='1')", "rouge(kind='2')", "rouge", "bleu"])
def test_they_fall_with_definitions_too(stressed, metric):
    assert stressed[metric]["add_definitions"].high < 0


@pytest.mark.parametrize("metric", CLASSIC)
def test_number_swaps_are_hardly_seen(stressed, metric):
    """At most a quarter of the spread of the texts' scores, or even upwards."""
    card = stressed[metric]["numbers"]
    assert card.verdict == ("detects" if metric in NOTICING else "ignores")
    assert card.effect > -0.25


def test_names_are_not_what_entities_swaps(stressed):
    """It mostly swaps terms in lower case, which `entities_kept` does not read, and few symbols of genes, which it does."""
    card = stressed["entities_kept"]["entities"]
    assert card.verdict == "ignores"
    assert -0.1 < card.effect <= 0


@pytest.mark.parametrize(("case", "metric"), KEPT.items())
def test_our_checks_detect_theirs(stressed, case, metric):
    card = stressed[metric][case]
    assert card.verdict == "detects"
    assert card.effect < -1
    blind = [stressed[m][case].effect for m in CLASSIC]
    assert card.effect < 3 * min(blind)
