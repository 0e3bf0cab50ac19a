"""No text becomes markup: every page with hostile names and texts, and the rules that templates and modules follow."""

import ast
import re
from pathlib import Path

import numpy as np
import pytest

import plainmark as pm
from plainmark import explanation, testbed
from plainmark.api.curves import CoefficientCurves
from plainmark.faithfulness.ledger import Entry, Ledger, Place
from plainmark.meta import Consistency, Scores
from plainmark.meta.curves import Curve
from plainmark.meta.evaluation import evaluate
from plainmark.meta.ranking import LengthBin
from plainmark.papers import Gap, Paper, PublishedCell, Recomputed
from plainmark.perturbations import perturbation
from plainmark.report import alignment, correlations, facts, html, page, papers, scenes, stress, tuning
from plainmark.report import explanation as explanation_page
from plainmark.report.stress import consistency
from plainmark.report.stress.tables import StressedMetric
from plainmark.significance import compare
from plainmark.simplifier.tuning.tune import Round, Tuned
from plainmark.table import Cell, Table
from plainmark.ucca.alignment import WordLinks
from plainmark.ucca.scenes import explain
from support import perturbed_texts
from support.html_outline import Outline
from support.ucca_data import bracketed

ATTACK = "</title></script><script>alert(1)</script><img src=x onerror=\"alert('2')\">\ud800\x00"
TEXT = f"The cat sat on 12 mats {ATTACK} in Oslo."
REPORT = Path(html.__file__).parent


def report_page():
    first = pm.Corpus([TEXT, "b"], [TEXT, "c"], [[TEXT], ["b"]], ids=[ATTACK, "2"], name=ATTACK)
    corpora = [first, first.with_outputs(["d", TEXT], name=f"{ATTACK}2")]
    comparisons = [compare(pm.metric(m), corpora, resamples=20) for m in ("sari", "ter")]
    return page.render(comparisons, corpora, title=ATTACK, files={ATTACK: ATTACK})


def correlations_page():
    quality = np.random.default_rng(1).normal(size=(3, 30))
    cells = [(i, j) for i in range(3) for j in range(30)]
    ratings = pm.Ratings(
        pm.Rating(f"{ATTACK}{i}", f"{ATTACK}{j}", ATTACK, f"{ATTACK}{r}", float(quality[i, j]))
        for i, j in cells
        for r in range(3)
    )
    scores = [
        Scores(
            f"{ATTACK}{k}", {(f"{ATTACK}{i}", f"{ATTACK}{j}"): float(quality[i, j] ** k) for i, j in cells}
        )
        for k in (1, 3)
    ]
    lengths = {f"{ATTACK}{j}": float(j) for j in range(30)}
    left_out = {f"{ATTACK}3": ATTACK}
    options = {"task": "resamples=20", "lengths": lengths, "notes": [ATTACK], "left_out": left_out}
    return correlations.render(
        [evaluate(scores, ratings, title=ATTACK, name=ATTACK, **options)], title=ATTACK
    )


def stress_page(folder):
    attack = ATTACK.replace("\ud800", "")  # the folder of a run cannot hold it
    texts = [f"{t} It costs 7 {attack}." for t in perturbed_texts.TEXTS[:2]]
    references = [[s] for s in perturbed_texts.SIMPLE[:2]]
    corpus = pm.Corpus(texts, texts, references, ids=[attack, "b"], name=attack)
    cases = [perturbation(c) for c in ("delete", "reorder", "numbers")]
    bed = testbed.build(testbed.from_corpus(corpus, name=attack), cases, levels=3)
    metric = pm.metric("sari")
    testbed.run(bed, [metric], folder / "run")
    results = testbed.Results(bed, [metric], folder / "run")
    stressed = StressedMetric(metric, testbed.cards(results, metric), None, None)
    return stress.render(results, [stressed], title=ATTACK)


def consistency_page():
    corpus = pm.Corpus([TEXT], [TEXT], [[TEXT]], ids=[ATTACK])
    row = Consistency(ATTACK, ATTACK, 10, 7, 2, 90.0, 70.0, 40.0, 80.0, 0.1)
    pairs = testbed.ErrorPairs(ATTACK, corpus, corpus.with_outputs([f"Not {TEXT}"]))
    return consistency.render_consistency([(pm.metric("sari"), [row])], [pairs], [ATTACK])


class HostilePaper(Paper):
    id = "0-hostile"
    citation = ATTACK
    gaps = (Gap(ATTACK, ATTACK),)

    def parts(self):
        return []


def papers_page():
    cells = (PublishedCell("0-hostile", ATTACK, f"{ATTACK}/x", "1.0", 2.0, ATTACK),)
    return papers.page(Recomputed((HostilePaper(),), cells))


def tuning_page():
    tuned = Tuned({ATTACK: 1.0}, (Round(0, 1.0, 2.0, 0.5, {ATTACK: 1.0}),), 0, ATTACK)
    return tuning.page(tuned, ATTACK, ATTACK, {ATTACK: 0.5, f"{ATTACK} (mean)": 0.7})


def alignment_page():
    (graph,) = pm.align(f"{TEXT} It rained.", TEXT, [TEXT], by="jaccard")
    return alignment.render(graph, graph.groups(), names=[ATTACK] * 3)


def scenes_page():
    words = "(H (A I) (P read) (A (E the) (C book))) (U .)"
    found = explain(bracketed(words), [[ATTACK, "read"], [ATTACK]], WordLinks(((0, 0), (1, 1))))
    return scenes.render([found], names=[ATTACK], subject=ATTACK, signature=ATTACK)


def page_of_an_explanation():
    second = f"The dog sat on 13 mats {ATTACK}. Nothing {ATTACK} is said."
    return explanation_page.page(explanation.compare(f"{TEXT} It rained.", TEXT, second, [TEXT]))


def facts_page():
    places = [Place(ATTACK, i, i + len(ATTACK), 0) for i in (TEXT.index(ATTACK), 0)]
    entries = (Entry(ATTACK, "changed", 0.9, places[0], None, ATTACK, ATTACK, red=True),)
    entries += (Entry("number", "same", 0.9, places[0], places[1], ATTACK),)
    return facts.render(
        Ledger(entries, 0.5, (ATTACK,)), TEXT, ATTACK, sides=[ATTACK, ATTACK], kinds=[ATTACK, "name"]
    )


def inert(text):
    """The outline of a page in which only the page's own scripts are markup."""
    text.encode("utf-8")
    found = Outline()
    found.feed(text)
    assert not found.open, "tags nest"
    assert found.tags.count("script") == 2
    assert "img" not in found.tags
    assert not [name for _, name, _ in found.attributes if name.startswith("on") or name in ("src", "style")]
    links = [value for tag, name, value in found.attributes if name == "href"]
    assert all(link.startswith("#") for link in links)
    return found


def groups_page():
    return pm.explain("agg(sari)", {"A": [ATTACK]}, source=[ATTACK], references=[[ATTACK]]).to_html()


def curves_page():
    points = (LengthBin(0, 1, 9, 0.5, (0.1, 0.9)), LengthBin(1, 2, 9, 0.4, (0.1, 0.9)))
    return CoefficientCurves((Curve("d", ATTACK, ATTACK, ATTACK, "length", "pearson", points),)).to_html()


@pytest.mark.parametrize(
    "render",
    [
        report_page,
        correlations_page,
        consistency_page,
        papers_page,
        tuning_page,
        alignment_page,
        scenes_page,
        page_of_an_explanation,
        facts_page,
        groups_page,
        curves_page,
    ],
)
def test_hostile_texts_stay_texts(render):
    found = inert(render())
    assert "alert(1)" in "".join(found.text), "and they are shown"


def test_hostile_texts_stay_texts_in_a_stress_test(tmp_path):
    inert(stress_page(tmp_path))


def test_sections_of_an_explanation_are_inert_too():
    text = explanation_page.sections(explanation.compare(TEXT, ATTACK))
    assert "<script" not in text
    assert "<img" not in text


def test_every_template_escapes():
    assert html.environment().autoescape is True
    for path in (REPORT / "templates").glob("*.html"):
        text = path.read_text("utf-8")
        html.environment().get_template(path.name)
        assert "autoescape" not in text
        if path.name != "base.html":  # style, scripts and embedded data
            assert not re.search(r"\|\s*safe", text), path.name


def test_undefined_values_are_errors():
    from jinja2 import UndefinedError

    with pytest.raises(UndefinedError, match="lede"):
        html.page("tuning.html", title="T")


@pytest.mark.parametrize(
    "path", sorted({*REPORT.rglob("*.py"), *Path(explanation.__file__).parent.glob("*.py")})
)
def test_modules_hold_no_markup(path):
    if path.name == "table.py":  # writes HTML, Markdown, LaTeX and CSV by itself
        return
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert not re.search(r"</?[a-z]+[ >/]", node.value), f"{path.name}, line {node.lineno}"


@pytest.mark.parametrize(("value", "sortable"), [(1.5, True), (None, False)])
def test_tables_escape_names_and_sort_by_values(value, sortable):
    rows = [
        [Cell("a<b>"), Cell("1.50", value, True), Cell("–", None)],
        [Cell("c"), Cell("x & y", "x"), Cell("")],
    ]
    page = html.table(Table(["name", "first <i>", "second"], rows, ["a <note>", "another"]))
    assert "a&lt;b&gt;" in page
    assert "first &lt;i&gt;" in page
    assert "a &lt;note&gt;" in page
    assert "<strong>1.50</strong>" in page
    assert ("<button" in page) == sortable
    assert ('data-value="1.5"' in page) == sortable
