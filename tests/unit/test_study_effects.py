"""Conditions compared: odds ratios, points, permutation; exclusions; checks of the design."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from plainmark.api.study_report import study as report
from plainmark.cli import main
from plainmark.report.study_effects import answers_first, item_table
from plainmark.study import open_store
from plainmark.study.analysis.analyse import Details, analyse
from plainmark.study.analysis.descriptives import (
    item_figures,
    question_figures,
    subgroups,
    survey_answers,
    times,
)
from plainmark.study.analysis.design_checks import design_checks
from plainmark.study.analysis.effects import Trials, effects, permuted
from plainmark.study.analysis.exclusions import described, exclude
from plainmark.study.analysis.responses import Response, collect, responses
from support import studies

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "mixed_model.json").read_text("utf-8"))
OPINION = {"id": "native", "type": "yesno", "text": "Is English your first language?"}
SURVEY = {"kind": "survey", "questions": [OPINION]}


def answers(definition, people=60, effect=1.5, seed=0):
    """Readers of six items in turn; `hard` has lower odds by `effect`."""
    rng = np.random.default_rng(seed)
    rows = []
    for p in range(people):
        ability = rng.normal(0, 0.7)
        for k in range(6):
            system = definition.conditions[(p + k) % 3]
            right = rng.random() < 1 / (1 + math.exp(-(1 + ability - effect * (system == "hard"))))
            rows.append(Response(system, f"i{k}", "q1", f"p{p}", "A" if right else "B", "A", k + 1, 10.0))
    return rows


@pytest.fixture
def collected(tmp_path):
    """A study with attention trials and a survey, answered by five people."""

    def run(**changes):
        made = studies.definition(
            pages=[*studies.definition()["pages"][:2], SURVEY],
            design={"per_participant": 3, "replicates": 2, "seed": 1},
            **changes,
        )
        study = studies.write(tmp_path / "study", made, studies.items(6))
        with open_store(study) as store:
            store.begin(0.0)
            for n, name in enumerate(("ann", "bob", "cat", "dan", "eve")):
                studies.walk(
                    store,
                    name,
                    1000.0 * n,
                    pick=lambda q, n=n: "no" if q.question.id == "native" and n < 2 else None,
                )
            return (
                study,
                collect(store),
                {name: store.id_of(name) for name in ("ann", "bob", "cat", "dan", "eve")},
            )

    return run


@pytest.mark.data
def test_odds_ratios_of_ats_eval_are_those_of_lme4(shared, tmp_path):
    folder = tmp_path / "ats"
    file = shared / "data" / "ats-eval" / "all-ann-final-model-paper.csv"
    assert main(["study", "import", "ats-eval", str(file), str(folder)]) == 0
    found = report(folder, resamples=200).analysis.effects
    (frozen,) = GOLDEN["ats-eval"].values()
    assert found.baseline == "Original"
    for d in found.differences:
        assert d.contrast.estimate == pytest.approx(frozen["fixed"][f"condition{d.other}"], abs=1e-3)
        assert d.contrast.error == pytest.approx(frozen["errors"][f"condition{d.other}"], abs=1e-3)
    assert found.model.log_likelihood == pytest.approx(frozen["log_likelihood"], abs=1e-3)
    assert [d.other for d in found.differences if d.significant()] == ["KIS"]


def test_a_difference_is_found_and_none_is_not(tmp_path):
    definition = studies.write(tmp_path).definition
    found = effects(definition, answers(definition), resamples=500)
    hard, odd = found.differences
    assert (hard.one, hard.other, odd.other) == ("plain", "hard", "odd")
    assert hard.significant()
    assert not odd.significant()
    assert hard.points < 0 > hard.points_interval[1]
    assert hard.contrast.odds_ratio[0] < 1 > hard.contrast.odds_ratio[2]
    assert hard.permutation_p < 0.01 < odd.permutation_p
    assert found.p < 0.001
    assert hard.corrected == pytest.approx(
        2 * hard.contrast.p
    )  # Holm: the smaller of two p-values is doubled


def test_contrasts_of_the_definition(tmp_path):
    made = studies.definition(analysis={"contrasts": ["hard|odd"], "baseline": "odd"})
    definition = studies.write(tmp_path, made).definition
    (only,) = effects(definition, answers(definition), resamples=100).differences
    assert (only.one, only.other) == ("hard", "odd")
    assert only.contrast.estimate > 0
    assert only.corrected == only.contrast.p


def test_a_permutation_by_hand():
    rows = [Response("x" if k % 2 else "y", "i", "q", f"p{k}", "A" if k % 2 else "B", "A") for k in range(4)]
    # Two right answers in x, two wrong ones in y: 2 of the 6 exchanges are as extreme.
    p = permuted(
        Trials.of(rows), "x", "y", by_participant=False, rng=np.random.default_rng(0), permutations=6000
    )
    assert p == pytest.approx(1 / 3, abs=0.02)


def test_figures_of_questions_by_hand(tmp_path):
    study = studies.write(tmp_path)
    rows = [
        Response("plain", f"i{k}", "q1", f"p{p}", "A" if (p < 3) == (k < 5) else "B", "A", k + 1)
        for p in range(6)
        for k in range(6)
    ]
    figures = {f.item: f for f in question_figures(study, rows)}
    assert figures["i0"].accuracy == 50
    assert figures["i0"].discrimination == pytest.approx(1)  # those who are right elsewhere are right here
    assert figures["i5"].discrimination == pytest.approx(-1)
    assert figures["i0"].by_condition == {"plain": (50.0, 6)}


def test_order_and_carry_over_are_found_when_they_are_there(tmp_path):
    study = studies.write(tmp_path)
    rng = np.random.default_rng(1)
    rows = []
    for p in range(150):
        order, before = rng.permutation(6), ""
        for t, k in enumerate(order):
            system = study.definition.conditions[rng.integers(3)]
            odds = 1.5 - 0.6 * t - 2.0 * (before == "hard")
            right = rng.random() < 1 / (1 + math.exp(-odds))
            rows.append(Response(system, f"i{k}", "q1", f"p{p}", "A" if right else "B", "A", t + 1))
            before = system
    checks = {c.name: c for c in design_checks(study, rows)}
    assert checks["Order: trend over trials"].notable
    assert checks["Carry-over from the trial before"].notable
    assert "tiredness" in checks["Order: trend over trials"].finding


def test_rules_exclude_and_say_whom(collected):
    study, data, ids = collected(exclusions={"answers": [{"question": "native", "equals": ["no"]}]})
    found = exclude(study, data.rows, data.people)
    assert {e.participant for e in found.excluded} == {ids["ann"], ids["bob"]}
    assert found.counts() == {"answers": (2, 2)}
    assert {e.detail for e in found.excluded} == {"native: No"}
    assert described(study)[0][1] == "participants who answered “No” to “Is English your first language?”"
    kept = analyse(study, responses(study, data.rows), collected=data, resamples=100)
    assert {r.rater for r in kept.responses} == {ids["cat"], ids["dan"], ids["eve"]}
    assert kept.effects_everyone is not None


def test_rules_that_exclude_everybody_are_reported(collected):
    study, data, _ = collected(exclusions={"minimum_seconds": 1000})
    found = analyse(study, responses(study, data.rows), collected=data, resamples=100)
    assert found.exclusion.everyone
    assert "leave nobody of 5 participants: minimum_seconds (5)" in found.notes[0]
    assert len({r.rater for r in found.responses}) == 5  # shown for everyone instead


def test_a_definition_that_changed_after_the_answers_is_announced(collected, tmp_path):
    study, data, _ = collected()
    same = analyse(study, responses(study, data.rows), collected=data, resamples=100)
    assert not [n for n in same.notes if "definition changed" in n]
    changed = studies.definition(
        pages=[*studies.definition()["pages"][:2], SURVEY],
        design={"per_participant": 3, "replicates": 2, "seed": 1},
        exclusions={"minimum_minutes": 0.01},
    )
    later = studies.write(tmp_path / "study", changed, studies.items(6))
    assert later.digest != study.digest
    found = analyse(later, responses(later, data.rows), collected=data, resamples=100)
    assert "The definition changed after answers were given" in found.notes[0]


def test_defaults_do_not_change_the_digest(tmp_path):
    plain = studies.write(tmp_path / "a")
    stated = studies.write(
        tmp_path / "b", studies.definition(analysis={"level": 0.95}, exclusions={"attention": False})
    )
    assert plain.digest == stated.digest


def test_surveys_times_and_subgroups(collected):
    study, data, _ = collected(analysis={"subgroups": ["native"], "smallest_group": 3})
    (native,) = survey_answers(study, data.rows)
    assert native.counts == (("Yes", 3), ("No", 2))
    found = times(study, data.rows)
    assert {t.condition for t in found if t.page == "block"} == {"plain", "hard", "odd"}
    assert sum(t.pages for t in found if t.page == "block") == 15
    groups = subgroups(study, responses(study, data.rows), data.rows)
    assert [(g.people, g.small) for g in groups] == [(3, False), (2, True)]
    analysis = analyse(study, responses(study, data.rows), collected=data, resamples=50)
    whom = dict(answers_first(analysis))["For whom?"]
    assert re.match(r"For 5 people\. Points by subgroup, \w+ against plain: native: Yes \(3\) [+-]", whom)
    assert whom.endswith("1 of 2 subgroups is too small to conclude anything.")


def test_figures_of_items_by_hand(tmp_path):
    study = studies.write(tmp_path)
    rows = [
        Response("hard", f"i{k}", "q1", f"p{p}", "A" if (p < 3) == (k < 5) else "B", "A", k + 1)
        for p in range(6)
        for k in range(6)
    ]
    figures = {f.item: f for f in item_figures(study, rows)}
    assert list(figures) == [f"i{k}" for k in range(6)]
    assert figures["i0"].discrimination == pytest.approx(1)
    assert figures["i5"].discrimination == pytest.approx(-1)
    assert figures["i0"].by_condition == {"hard": (50.0, 6)}
    details = Details((), (), tuple(figures.values()), (), (), ())
    assert item_table(details, study.definition.conditions, anonymous=False).headings[3:] == [
        "hard",
        "discrimination",
    ]
