"""The plan's power and the preregistration, on a small definition."""

import datetime
import math
from collections import Counter
from statistics import NormalDist

import numpy as np
import pytest

from plainmark.cli import main
from plainmark.errors import InputError
from plainmark.report.study_power import lines, merged, render
from plainmark.resampling import bootstrap_p
from plainmark.study import open_store
from plainmark.study.analysis.effects import Resampled, fit_conditions, pair_contrast
from plainmark.study.planning import plan_of
from plainmark.study.power import Assumptions, Power, Simulator, _logit_of, power
from plainmark.study.power_curve import TESTS, Needed, PowerPoint
from plainmark.study.power_curve import needed_people as needed_among
from plainmark.study.preregistration import preregistration
from support import studies


def test_accuracy_is_the_mean_over_people(tmp_path):
    assert _logit_of(0.5, 1.0) == pytest.approx(0, abs=1e-9)
    draws = np.random.default_rng(0).normal(0, 1.0, 200_000)
    assert (1 / (1 + np.exp(-(_logit_of(0.8, 1.0) + draws)))).mean() == pytest.approx(0.8, abs=0.003)


def test_a_large_difference_is_found_and_none_rarely(tmp_path):
    simulator = Simulator(studies.write(tmp_path), Assumptions(accuracy=0.4, difference=45))
    rng = np.random.default_rng(0)
    assert simulator.run(60, 10, rng).model >= 8
    assert simulator.run(60, 10, rng, null=True).model <= 3


def needed_people(curve, test, target):
    return needed_among(curve, test, target, 2000)


def points(studies, sizes=(36, 42, 49, 56, 64)):
    """Points on Phi(0.5 sqrt(n) - 2.66), of which n = 49.04 is 80 % and n = 62.2 is 90 %."""
    shares = {n: NormalDist().cdf(0.5 * n**0.5 - 2.66) for n in sizes}
    return {n: PowerPoint(n, studies, *[round(studies * s)] * 2) for n, s in shares.items()}


def test_people_needed_are_where_the_curve_reaches_the_power():
    many, few = needed_people(points(20_000), "model", 0.8), needed_people(points(200), "model", 0.8)
    assert many.people in (49, 50)
    assert needed_people(points(20_000), "model", 0.9).people in (62, 63)
    assert many.low <= 49 <= many.high
    assert many.high - many.low < few.high - few.low
    assert needed_people(points(20_000), "model", 0.999999) is None
    assert needed_people(points(20_000, sizes=(36,)), "model", 0.8) is None


def test_the_interval_holds_the_people_needed_as_often_as_it_says():
    rng = np.random.default_rng(0)
    inside = 0
    for _ in range(200):
        drawn = {
            n: PowerPoint(n, 200, *[int(rng.binomial(200, p.share("model")))] * 2)
            for n, p in points(100_000).items()
        }
        needed = needed_people(drawn, "model", 0.8)
        inside += needed.low <= 49.04 <= needed.high
    assert inside >= 183  # 95 % of 200, less two standard deviations


def test_studies_far_from_the_people_needed_do_not_move_them():
    bent = points(2000) | {12: PowerPoint(12, 40, 16, 16), 120: PowerPoint(120, 40, 37, 37)}
    assert needed_people(bent, "model", 0.8) == needed_people(points(2000), "model", 0.8)


@pytest.mark.parametrize("kind", ["within", "between"])
def test_exactly_the_blocks_of_so_many_people(tmp_path, kind):
    made = studies.definition(design={"kind": kind, "per_participant": 3})
    simulator = Simulator(studies.write(tmp_path, made), Assumptions())
    for people in (1, 5, 6, 7, 13, 40):
        blocks = simulator.blocks(people)
        assert len(blocks) == people
        shown = Counter(i for items, _ in blocks for i in items)
        arms = Counter(a for _, arms in blocks for a in arms)
        assert max(shown.values()) - min(shown[i] for i in range(6)) <= 2
        assert max(arms.values()) - min(arms[a] for a in range(3)) <= 3


def test_the_same_seed_gives_the_same_plan(tmp_path, monkeypatch):
    for name, studies_ in (("_COARSE", 10), ("_FINE", 10), ("_NULL", 5)):
        monkeypatch.setattr(f"plainmark.study.power.{name}", studies_)
    study = studies.write(tmp_path)
    plans = [
        power(study, Assumptions(accuracy=0.4, difference=45), seed=seed, answers=600, clock=lambda: 0.0)
        for seed in (1, 1, 2)
    ]
    assert plans[0] == plans[1]
    assert plans[0].points != plans[2].points
    needed = plans[0].needed["model"]
    people = max(plans[0].needed[test][0.8].people for test in TESTS)
    assert 1 <= plans[0].replicates[0.8] <= plans[0].replicates[0.9]
    design = {"per_participant": 3, "seed": 1, "replicates": plans[0].replicates[0.8]}
    enough = studies.write(tmp_path / "enough", studies.definition(design=design))
    assert plan_of(enough).blocks >= people, "so many replicates give all of them work"
    assert needed[0.8].low <= needed[0.8].people <= needed[0.8].high
    assert needed[0.8].people < needed[0.9].people


def test_power_grows_with_people(tmp_path):
    simulator = Simulator(studies.write(tmp_path), Assumptions(accuracy=0.4, difference=30))
    rng = np.random.default_rng(0)
    found = [simulator.run(people, 25, rng) for people in (12, 36, 108)]
    for test in TESTS:
        assert found[0].share(test) < found[1].share(test) < found[2].share(test)


def test_power_without_random_effects_is_that_of_two_shares(tmp_path):
    """One answer per person, half in each condition: the closed form of a difference of two log odds."""
    made = studies.definition(conditions=["plain", "hard"], design={"kind": "between", "per_participant": 1})
    study = studies.write(tmp_path, made, studies.items(conditions=("plain", "hard")))
    alone = Assumptions(accuracy=0.5, difference=25, person=0, item=0, question=0)
    people, studies_ = 100, 200
    error = math.sqrt((1 / 0.25 + 1 / (0.75 * 0.25)) / (people / 2))
    expected = NormalDist().cdf(math.log(3) / error - 1.96)
    found = Simulator(study, alone).run(people, studies_, np.random.default_rng(0))
    for test in TESTS:
        assert found.share(test) == pytest.approx(expected, abs=3 * math.sqrt(0.25 / studies_))


@pytest.mark.parametrize("kind", ["within", "between"])
def test_simulated_studies_are_analysed_as_the_report_does(tmp_path, kind):
    study = studies.write(tmp_path, studies.definition(design={"kind": kind, "per_participant": 3}))
    simulator = Simulator(study, Assumptions(accuracy=0.5, difference=15))
    rng = np.random.default_rng(5)
    for _ in range(4):
        trials = simulator.draw(60, rng)
        model, drawn = simulator.p_values(60, trials.right, rng)
        fitted, _ = fit_conditions(trials, ["plain", "hard", "odd"], study.definition.analysis.random)
        report = [pair_contrast(fitted, one, other).p for one, other in simulator.contrasts]
        assert model == pytest.approx(report, abs=0.003)
        resampled = Resampled.drawn_for(
            trials, ["plain", "hard", "odd"], fitted, study.definition.analysis.random,
            by_participant=kind == "between", resamples=4000, seed=0,
        )  # fmt: skip
        for p, contrast in zip(drawn, simulator.contrasts, strict=True):
            observed, sample = resampled.difference(*contrast)
            assert p == pytest.approx(bootstrap_p(sample, observed), abs=0.06)


def test_nearby_sizes_are_one_point_of_the_chart():
    sizes = [PowerPoint(40, 100, 70, 60), PowerPoint(43, 300, 230, 220), PowerPoint(45, 50, 40, 40)]
    assert merged(sizes) == [PowerPoint(42, 400, 300, 280), PowerPoint(45, 50, 40, 40)]


def test_what_cannot_be_simulated_is_said(tmp_path):
    study = studies.write(tmp_path)
    with pytest.raises(InputError, match=r"70 % and a difference of 40 points give 110 %"):
        Simulator(study, Assumptions(difference=40))


def test_a_preregistration_names_rules_and_hash(tmp_path, capsys):
    made = studies.definition(
        exclusions={"minimum_seconds": 4}, analysis={"hypotheses": ["plain is | easier"], "baseline": "hard"}
    )
    study = studies.write(tmp_path, made)
    text = preregistration(study, date=datetime.date(2026, 1, 2))
    assert study.digest in text
    assert "1. plain is \\| easier" in text
    assert "median trial took less than 4 seconds" in text
    assert "- plain against hard" in text
    assert main(["study", "preregister", str(tmp_path), "-o", str(tmp_path / "p.md")]) == 0
    assert study.digest in (tmp_path / "p.md").read_text("utf-8")
    assert "registers nothing" not in text


def test_a_preregistration_after_live_answers_says_so(tmp_path, capsys):
    study = studies.write(tmp_path, studies.definition(recruit={}))
    for mode, warned in (("pilot", False), ("live", True)):
        with open_store(study.in_mode(mode)) as store:
            store.begin(0.0)
            studies.walk(store, "ann")
        assert main(["study", "preregister", str(tmp_path), "-o", str(tmp_path / "p.md")]) == 0
        assert ("live answers are stored already" in capsys.readouterr().err) == warned
        text = (tmp_path / "p.md").read_text("utf-8")
        assert (
            "**Written after 5 live answers had been stored: it registers nothing in advance.**" in text
        ) == warned


def test_a_preregistration_states_quotas_and_replacements(tmp_path):
    native = {"kind": "survey", "questions": [{"id": "native", "type": "yesno", "text": "Native?"}]}
    first, *others = studies.definition()["pages"]
    question = {"id": "look", "type": "mcq", "text": "Choose a.", "options": ["a", "b"], "key": "A"}
    made = studies.definition(
        pages=[first, native, *others],
        quotas=[{"question": "native", "equals": "yes", "people": 20}],
        checks={"attention": [{"after": 1, "question": question}]},
    )
    text = preregistration(studies.write(tmp_path / "replace", made), date=None)
    assert "- At most 20 participants who answered yes to native." in text
    assert "more than 0 of 1 attention trials wrong are replaced by others" in text
    made["checks"]["on_failure"] = "flag"
    assert "replaced by others" not in preregistration(studies.write(tmp_path / "flag", made), date=None)


def test_plan_and_preregistration_state_the_interval_of_the_people(tmp_path):
    study = studies.write(tmp_path)
    needed = {test: {0.8: Needed(42, 40, 45), 0.9: None} for test in TESTS}
    planned = Power(
        Assumptions(), ("plain", "hard"), 3, (PowerPoint(42, 400, 320, 318),), needed, None, 1.0, 0, True
    )
    text = preregistration(study, date=datetime.date(2026, 1, 2), power=planned)
    assert "- 80 % power: 42 people [40, 45]" in text
    assert "- 90 % power: more people than were tried" in text
    printed = [f"{number} {about}" for _, number, _, about in lines(planned)]
    assert "42 people for 80% power with the bootstrap [40, 45]" in printed
    assert "– people for 90% power with the mixed model; more than were simulated" in printed
    assert "time ran out before all were simulated" in printed[0]
    page = render(study, planned, date=datetime.date(2026, 1, 2))
    assert "80 [76, 84]" in page
    assert "42 people [40, 45] with the mixed model and 42 people [40, 45] with the bootstrap." in page
    assert "more people than were simulated with the mixed model" in page
