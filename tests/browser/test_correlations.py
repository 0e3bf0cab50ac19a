"""The page of correlations in a real browser: it shows, sorts, chooses, and stays safe."""

import numpy as np
import pytest
from playwright.sync_api import expect

import plainmark as pm
from conftest import SHARED
from plainmark.meta import Scores
from plainmark.meta.evaluation import evaluate, merge_error_types, score_all, source_lengths
from plainmark.report import correlations


@pytest.fixture(scope="module")
def real(nltk_data, tmp_path_factory):
    """Paper 1's data sets and two metrics."""
    metrics = [pm.metric("bleu(lowercase=True)"), pm.metric("sari(variant='agg')")]
    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLAINMARK_DATA", str(SHARED / "data"))
        for spec in ("cochrane", "onestopqa", "perturbed(error='coherence')", "perturbed(error='copy')"):
            one = pm.dataset(spec)
            corpora = one.corpora()
            scores, _ = score_all(metrics, corpora)
            found.append(
                evaluate(
                    scores, one.ratings(), task="resamples=100", name=one.name, title=one.card.title,
                    lengths=source_lengths(corpora), notes=one.card.notes,
                )
            )  # fmt: skip
    path = tmp_path_factory.mktemp("correlations") / "table.html"
    path.write_text(correlations.render(merge_error_types(found)), "utf-8")
    return path


def test_findings_and_tables(visit, real):
    page = visit(real)
    assert page.title() == "Which metric should I trust?"
    assert "the system-identity baseline of KIS is −0.480" in page.locator("#summary").inner_text()
    first = page.locator("#tables table").first
    assert first.locator("tbody tr").count() == 2
    assert "−0.183" in first.inner_text()
    assert "81.7 (26.7, 33 ties)" in page.locator("#tables table").last.inner_text()


def test_lists_and_cells_choose_a_panel(visit, real):
    page = visit(real)
    shown = page.locator("#closer .panel.shown")
    assert shown.count() == 1
    assert "bleu and readability" in shown.inner_text()
    page.select_option("#of-rating", label="ONESTOPQA, readers' answers: accuracy")
    page.select_option("#of-metric", label="sari")
    assert "sari and accuracy" in shown.inner_text()
    assert (
        shown.locator(".scatter").count()
        == shown.locator(".intervals").count()
        == shown.locator(".lines").count()
        == 1
    )
    page.locator("#overview .cell").first.click()
    assert "bleu and readability" in shown.inner_text()
    assert page.locator("#overview .cell.chosen").count() == 1


def test_tables_sort(visit, real):
    page = visit(real)
    table = page.locator("#tables table").first
    heading = table.locator("th button").first
    heading.click()
    assert table.locator("tbody th").all_inner_texts() == ["sari", "bleu"]
    heading.click()
    assert table.locator("tbody th").all_inner_texts() == ["bleu", "sari"]


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_sticks_out(visit, real, width, scheme):
    page = visit(real, width=width, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == {"light": "rgb(248, 247, 244)", "dark": "rgb(19, 22, 27)"}[scheme]


def test_without_scripts_everything_is_there(visit, real):
    page = visit(real, java_script_enabled=False)
    assert page.locator("#closer .panel").count() == 6
    expect(page.locator("#closer .panel").last).to_be_visible()


def test_names_are_never_markup(visit, tmp_path):
    evil = "</script><img src=x onerror=alert(1)>\"'"
    rng = np.random.default_rng(0)
    values = rng.normal(size=(3, 12))
    ratings = pm.Ratings(
        pm.Rating(f"{evil}{i}", str(j), evil, f"{evil}{r}", float(values[i, j]))
        for i in range(3)
        for j in range(12)
        for r in range(3)
    )
    scores = Scores(evil, {(f"{evil}{i}", str(j)): float(rng.normal()) for i in range(3) for j in range(12)})
    path = tmp_path / "evil.html"
    path.write_text(correlations.render([evaluate([scores], ratings, title=evil, notes=[evil])]), "utf-8")
    page = visit(path)
    assert page.locator("img").count() == 0
    assert evil in page.locator("#notes h3").inner_text()


@pytest.mark.parametrize("width", [1280, 375])
def test_axe_finds_nothing(visit, real, axe, width):
    assert axe(visit(real, width=width)) == []
