"""Agg: the mean over groups, the best of several references, any metric inside."""

import datetime
from dataclasses import dataclass

import numpy as np
import pytest

import plainmark as pm
from plainmark.metric import MeanMetric
from plainmark.metrics.agg import Agg
from plainmark.report import groups
from plainmark.report.page import render
from plainmark.significance import compare

SOURCE = "The feline slept on the mat. Prices rose by three percent. It rained all day long."
OUTPUT = "The cat slept on the mat. Prices rose."
REFERENCES = ["A cat slept on the mat. Prices went up. It rained.", "The cat slept on the mat."]


@pytest.fixture
def corpus():
    return pm.Corpus([SOURCE, "One line."], [OUTPUT, "One line."], [REFERENCES, ["One line."]])


def by_hand(metric, references, protocol="paper"):
    best = []
    for graph in pm.align(SOURCE, OUTPUT, references, by="jaccard"):
        pieces = [graph.texts(g) for g in graph.groups(protocol=protocol)]
        s, o, r = zip(*pieces, strict=True)
        best.append(metric.sample_scores(pm.Corpus(list(s), list(o), list(r))).mean())
    return max(best)


@pytest.mark.parametrize("inner", ["sari", "bleu", "sari(variant='xu2016')", "rouge"])
@pytest.mark.parametrize("protocol", ["paper", "released"])
def test_mean_over_groups_and_best_reference(corpus, inner, protocol):
    metric = pm.metric(f"agg({inner}, aligner=jaccard, protocol='{protocol}')")
    scores = metric.sample_scores(corpus)
    assert scores[0] == pytest.approx(by_hand(pm.metric(inner), REFERENCES, protocol))
    assert metric.score(corpus).value == pytest.approx(scores.mean())


@dataclass(frozen=True)
class Overlap(MeanMetric):
    """Share of the words of output and reference that both have; undefined for two empty texts, as BERTScore."""

    higher_is_better = True

    def required(self):
        return frozenset({"references"})

    def values(self, corpus):
        pairs = [
            (set(o.split()), set(r[0].split()))
            for o, r in zip(corpus.outputs, corpus.references, strict=True)
        ]
        return [len(o & r) / len(o | r) if o | r else float("nan") for o, r in pairs]


def test_groups_that_output_and_reference_leave_out():
    corpus = pm.Corpus(["Cats sleep all day. It rained."], ["Cats sleep all day."], [["Cats sleep all day."]])
    score = lambda **options: Agg(Overlap(), pm.aligner("jaccard"), **options).score(corpus).value  # noqa: E731
    assert score() == pytest.approx(0.5)
    assert score(protocol="released") == pytest.approx(0.5)
    assert score(undefined="skip") == pytest.approx(1)


def test_other_undefined_groups_never_count_as_zero():
    # "It rained." has no number to keep; it is undefined, not 0.
    corpus = pm.Corpus(["Cats sleep 16 hours. It rained."], ["Cats sleep 16 hours."])
    assert pm.metric("agg(numbers_kept, aligner=jaccard)").score(corpus).value == pytest.approx(100)


def test_ablation_scores_each_source_sentence_with_its_best_partners(corpus):
    metric = pm.metric("agg(sari, aligner=jaccard, ablation='best-output')")
    sentences = ["The feline slept on the mat.", "Prices rose by three percent.", "It rained all day long."]
    # No output sentence shares a word with the third one: the first of equals.
    outputs = ["The cat slept on the mat.", "Prices rose.", "The cat slept on the mat."]
    references = ["A cat slept on the mat.", "Prices went up.", "It rained."]
    by_hand = pm.metric("sari").sample_scores(pm.Corpus(sentences, outputs, references)).mean()
    one_reference = pm.Corpus([SOURCE], [OUTPUT], [REFERENCES[:1]])
    assert metric.sample_scores(one_reference)[0] == pytest.approx(by_hand)


def test_lower_is_better_takes_the_lowest_reference(corpus):
    metric = pm.metric("agg(ter, aligner=jaccard)")
    alone = [metric.sample_scores(pm.Corpus([SOURCE], [OUTPUT], [[r]]))[0] for r in REFERENCES]
    assert metric.sample_scores(corpus)[0] == pytest.approx(min(alone))
    assert metric.higher_is_better is False


def test_without_references():
    metric = pm.metric("agg(compression, aligner=jaccard)")
    assert metric.required() == {"source"}
    corpus = pm.Corpus([SOURCE], [OUTPUT])
    (graph,) = pm.align(SOURCE, OUTPUT, by="jaccard")
    s, o, _ = zip(*(graph.texts(g) for g in graph.groups()), strict=True)
    expected = pm.metric("compression").sample_scores(pm.Corpus(list(s), list(o)))
    assert metric.sample_scores(corpus)[0] == pytest.approx(np.nanmean(expected))


def test_a_copy_of_the_reference_scores_full_marks():
    # Long sentences, so that every order of n-grams exists in every group.
    text = "The committee met in the old town hall yesterday. Nobody could say what it would decide tomorrow."
    source = (
        "The committee convened in the old town hall yesterday. Nobody was able to say what it would decide."
    )
    corpus = pm.Corpus([source], [text], [[text]])
    assert pm.metric("agg(bleu, aligner=jaccard)").score(corpus).value == pytest.approx(100)


def test_empty_documents_are_scored_not_crashed():
    metric = pm.metric("agg(sari, aligner=jaccard)")
    corpus = pm.Corpus(["", "Some text here."], ["", ""], [[""], ["Text."]])
    scores = metric.sample_scores(corpus)
    assert np.isnan(scores[0])
    assert np.isfinite(scores[1])


def test_the_number_of_groups_is_a_part(corpus):
    metric = pm.metric("agg(sari, aligner=jaccard)")
    assert metric.part_names[-1] == "groups"
    assert metric.sample_parts(corpus)[1, -1] == 1


def test_signature_names_metric_and_aligner(corpus):
    score = pm.metric("agg(bleu(order=2), aligner=tfidf)").score(corpus)
    assert score.signature.startswith("agg|refs:1-2|metric:bleu(order=2)|aligner:tfidf|protocol:paper")
    assert pm.metric(score.signature) == pm.metric("agg(bleu(order=2), aligner=tfidf)")
    assert pm.metric("agg(sari, aligner='jaccard(cut=0.3)')").aligner == pm.aligner("jaccard(cut=0.3)")


def test_graphs_are_made_once(corpus, monkeypatch):
    from plainmark import document
    from plainmark.metrics import agg

    calls = []
    monkeypatch.setattr(agg, "graphs", lambda *a, **k: calls.append(1) or document.graphs(*a, **k))
    pm.metric("agg(sari, aligner=jaccard)").score(corpus)
    pm.metric("agg(bleu, aligner=jaccard)").score(corpus)
    pm.metric("agg(sari, aligner=jaccard, threshold=0.9)").score(corpus)
    assert len(calls) == 1


def test_the_groups_of_a_document_add_up_to_its_score(corpus):
    metric = pm.metric("agg(sari, aligner=jaccard)")
    for explanation, score in zip(metric.explain(corpus), metric.sample_scores(corpus), strict=True):
        assert explanation.score == pytest.approx(score)
        assert sum(g.points for g in explanation.groups) == pytest.approx(score)
        assert sum(g.cost for g in explanation.groups) == pytest.approx(100 - score)
        costs = [g.cost for g in explanation.by_cost]
        assert costs == sorted(costs, reverse=True)


def test_an_explanation_is_of_the_reference_that_counts(corpus):
    first, second = pm.metric("agg(sari, aligner=jaccard)").explain(corpus)
    alone = [
        pm.metric("agg(sari, aligner=jaccard)").sample_scores(pm.Corpus([SOURCE], [OUTPUT], [[r]]))[0]
        for r in REFERENCES
    ]
    assert first.reference == int(np.argmax(alone))
    assert second.reference == 0
    assert [g.change for g in second.groups] == ["kept"]
    (sentence,) = [s for s in first.record()["groups"][1]["sentences"] if s["side"] == "output"]
    assert sentence == {"side": "output", "number": 2, "text": "Prices rose."}


def test_lower_is_better_costs_what_is_above_the_lowest():
    corpus = pm.Corpus(
        ["Cats sleep all day. It rained."], ["Cats sleep."], [["Cats sleep all day. It rained."]]
    )
    (explanation,) = pm.metric("agg(ter, aligner=jaccard)").explain(corpus)
    assert sum(g.cost for g in explanation.groups) == pytest.approx(explanation.score)


def test_a_metric_without_a_best_value_has_no_costs():
    corpus = pm.Corpus(["Cats sleep all day. It rained."], ["Cats sleep."])
    (explanation,) = pm.metric("agg(length, aligner=jaccard)").explain(corpus)
    assert all(np.isnan(g.cost) for g in explanation.groups)
    assert sum(g.points for g in explanation.groups) == pytest.approx(explanation.score)


def test_undefined_groups_are_shown_and_not_counted():
    corpus = pm.Corpus(["Cats sleep all day. It rained."], ["Cats sleep all day."], [["Cats sleep all day."]])
    (explanation,) = Agg(Overlap(), pm.aligner("jaccard"), undefined="skip").explain(corpus)
    assert [np.isnan(g.score) for g in explanation.groups] == [False, True]
    assert explanation.score == pytest.approx(1.0)
    assert groups.summary(explanation) == "1.00, the mean of 1 group; 1 undefined and not counted"


@pytest.mark.parametrize("text", ["", " \n "])
def test_documents_without_sentences_say_why_they_have_no_score(text):
    result = pm.explain("agg(sari)", {"A": [text]}, source=[text], references=[[text]])
    assert result.explanations[0].reason == "there is no sentence to score"
    assert result.to_text().startswith("sample 1: undefined: there is no sentence to score\n")
    assert [row["change"] for row in result.records()] == ["there is no sentence to score"]
    assert "there is no sentence to score" in result.to_html()


def test_an_empty_output_is_a_deleted_document():
    (explanation,) = pm.metric("agg(sari, aligner=jaccard)").explain(
        pm.Corpus(["It rained."], [""], [["It rained."]])
    )
    assert [g.change for g in explanation.groups] == ["deleted"]
    assert np.isfinite(explanation.score)


@pytest.mark.parametrize("ablation", ["none", "best-output", "best-source"])
def test_one_sentence_is_one_group(ablation):
    metric = pm.metric(f"agg(sari, ablation='{ablation}')")
    corpus = pm.Corpus(["It rained all day long."], ["It rained all day."], [["It rained."]])
    (explanation,) = metric.explain(corpus)
    assert [(g.group.source, g.group.output) for g in explanation.groups] == [((0,), (0,))]
    assert explanation.score == pytest.approx(pm.metric("sari").sample_scores(corpus)[0])


def test_texts_on_the_page_are_not_markup():
    page = pm.explain(
        "agg(sari)", ["<b>It</b> rained."], source=["<i>It</i> rained."], references=[["It rained."]]
    ).to_html()
    assert "<b>It" not in page
    assert "&lt;b&gt;It" in page


def test_a_report_shows_the_lowest_documents(corpus):
    comparison = compare(pm.metric("agg(sari, aligner=jaccard)"), [corpus], resamples=20, rng=0)
    page = render([comparison], [corpus], date=datetime.date(2026, 1, 1))
    assert '<section id="groups">' in page
    assert (
        "Prices rose by three percent."
        in page.partition('<section id="groups">')[2].partition("</section>")[0]
    )
    without = compare(pm.metric("sari"), [corpus], resamples=20, rng=0)
    assert '<section id="groups">' not in render([without], [corpus], date=datetime.date(2026, 1, 1))
