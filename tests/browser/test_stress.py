"""The page of a stress test in a real browser."""

import pytest

import plainmark as pm
from plainmark import testbed
from plainmark.perturbations import perturbation
from plainmark.report import stress
from plainmark.report.stress.tables import StressedMetric
from support import perturbed_texts

CASES = (
    "delete",
    "add_out_of_domain",
    "simplify",
    "reorder",
    "numbers",
    "verb_synonyms",
    "verb_antonyms",
    "negate",
)
ATTACK = "<script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stress")
    texts = [f"{t} It costs 7 {ATTACK}." for t in perturbed_texts.TEXTS[:3]]
    # Two references: one to score against, and one that `simplify` and the reversal take their sentences from.
    references = [["The same in other words.", s] for s in perturbed_texts.SIMPLE[:3]]
    corpus = pm.Corpus(texts, texts, references, ids=[ATTACK, "b", "c"], name=ATTACK)
    bed = testbed.build(testbed.from_corpus(corpus, name=ATTACK), [perturbation(c) for c in CASES], levels=5)
    metrics = [pm.metric("sari"), pm.metric("numbers_kept")]
    testbed.run(bed, metrics, folder / "run")
    results = testbed.Results(bed, metrics, folder / "run")
    found = []
    for m in metrics:
        cards = testbed.cards(results, m)
        found.append(StressedMetric(m, cards, testbed.contrast(results, m), testbed.reversal(cards)))
    path = folder / "stress.html"
    path.write_text(stress.render(results, found), "utf-8")
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_verdicts_curves_and_examples(visit, page_file, scheme):
    page = visit(page_file, color_scheme=scheme)
    assert page.locator("#verdicts tbody tr:not(.group)").count() == len(CASES) + 1 + 2
    assert page.locator("section.metric").count() == 2
    assert page.locator("#m0 figure svg").count() == 4  # one per criterion; nothing to reverse here
    assert page.locator("#m0 .guide").count() > 0
    assert page.locator("#m1 .guide").count() == 0  # nobody reports improvements of numbers kept
    example = page.locator("#m0 details", has_text="negate")
    example.locator("summary").click()
    assert "not" in example.locator("ins").first.inner_text()
    assert page.locator("script").count() == 2  # data and ours; texts stay texts


def test_phone(visit, page_file):
    page = visit(page_file, width=390, height=800)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_tables_can_be_copied(visit, page_file):
    page = visit(page_file)
    page.locator("[data-text=csv]").click()
    page.locator("[data-text=csv]", has_text="Copied").wait_for()


@pytest.mark.parametrize("width", [1280, 375])
def test_axe_finds_nothing(visit, page_file, axe, width):
    assert axe(visit(page_file, width=width)) == []
