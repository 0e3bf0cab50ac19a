"""Every kind of page that plainmark writes, small and with hostile names and texts."""

import numpy as np

import plainmark as pm
from plainmark import explanation, testbed
from plainmark.api.curves import CoefficientCurves
from plainmark.documents import Prose
from plainmark.faithfulness.ledger import Entry, Ledger, Place
from plainmark.meta import Consistency, Scores
from plainmark.meta.curves import Curve
from plainmark.meta.evaluation import evaluate
from plainmark.meta.ranking import LengthBin
from plainmark.papers import Gap, Paper, PublishedCell, Recomputed
from plainmark.perturbations import perturbation
from plainmark.report import alignment, correlations, facts, page, papers, scenes, stress, tuning
from plainmark.report import explanation as explanation_page
from plainmark.report.stress import consistency
from plainmark.report.stress.tables import StressedMetric
from plainmark.significance import compare
from plainmark.simplifier.tuning.tune import Round, Tuned
from plainmark.ucca.alignment import WordLinks
from plainmark.ucca.scenes import explain
from support import perturbed_texts
from support.ucca_data import bracketed

ATTACK = "</title></script><script>alert(1)</script><img src=x onerror=\"alert('2')\">\ud800\x00"
TEXT = f"The cat sat on 12 mats {ATTACK} in Oslo."


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
        Ledger(entries, 0.5, (ATTACK,)),
        (Prose.plain(TEXT), Prose.plain(ATTACK)),
        sides=[ATTACK, ATTACK],
        kinds=[ATTACK, "name"],
    )


def groups_page():
    return pm.explain("agg(sari)", {"A": [ATTACK]}, source=[ATTACK], references=[[ATTACK]]).to_html()


def curves_page():
    points = (LengthBin(0, 1, 9, 0.5, (0.1, 0.9)), LengthBin(1, 2, 9, 0.4, (0.1, 0.9)))
    return CoefficientCurves((Curve("d", ATTACK, ATTACK, ATTACK, "length", "pearson", points),)).to_html()


PAGES = (
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
)
