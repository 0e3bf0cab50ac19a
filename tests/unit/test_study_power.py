"""The plan's power and the preregistration, on a small definition."""

import datetime
from statistics import NormalDist

import numpy as np
import pytest

from plainmark.cli import main
from plainmark.errors import InputError
from plainmark.study.power import Assumptions, PowerPoint, Simulator, _Curve, _logit_of
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


def test_the_curve_passes_through_what_was_simulated():
    curve = _Curve()
    spread = NormalDist(0, 1)
    noise = [spread.inv_cdf((k + 0.5) / 200) for k in range(200)]
    for people in (25, 36, 49, 64):
        margins = [(0.5 * people**0.5 - 2.66 + e, 0.5 * people**0.5 - 3 + e) for e in noise]
        found = [sum(m[k] > 0 for m in margins) for k in (0, 1)]
        curve.add(PowerPoint(people, 200, *found, tuple(margins)))
    # 0.5 sqrt(n) - 2.66 = 0.8416, the 80 % point of the normal: n = 49.04
    assert curve.needed("model", 0.8) in (49, 50)
    assert curve.needed("bootstrap", 0.8) > 52
    assert curve.needed("model", 0.9) > curve.needed("model", 0.8)
    assert curve.needed("model", 0.999999) is None


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
