"""The logistic mixed model: against lme4, on hand-made data, on data without an answer."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from plainmark.errors import InputError
from plainmark.study.analysis.mixed_model import fit

GOLDEN = Path(__file__).parents[1] / "golden"
VALUES = json.loads((GOLDEN / "mixed_model.json").read_text("utf-8"))


def columns() -> dict[str, list[str]]:
    with (GOLDEN / "mixed_model.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {name: [r[name] for r in rows] for name in rows[0]}


@pytest.mark.parametrize("formula", VALUES["simulated"])
def test_estimates_are_those_of_lme4(formula):
    data, frozen = columns(), VALUES["simulated"][formula]
    factors = [part.split("|")[1].rstrip(")") for part in formula.split(" + ") if "|" in part]
    conditions = np.array(data["condition"])
    design = np.column_stack([np.ones(len(conditions)), conditions == "c1", conditions == "c2"])
    model = fit(np.array(data["right"], dtype=float), design, {f: data[f] for f in factors})
    assert model.converged
    assert model.estimates == pytest.approx(list(frozen["fixed"].values()), abs=1e-4)
    assert model.errors == pytest.approx(list(frozen["errors"].values()), abs=1e-4)
    assert model.log_likelihood == pytest.approx(frozen["log_likelihood"], abs=1e-4)
    assert model.deviations == pytest.approx({f: frozen["deviations"][f] for f in factors}, abs=1e-4)


def test_without_random_effects_it_is_logistic_regression():
    right = np.array([1, 1, 1, 0, 1, 0, 0, 0], dtype=float)
    design = np.column_stack([np.ones(8), [0, 0, 0, 0, 1, 1, 1, 1]])
    model = fit(right, design, {"one": ["a"] * 8})
    assert model.estimates == pytest.approx([np.log(3), -2 * np.log(3)], abs=1e-5)  # 3 of 4, 1 of 4
    assert model.errors == pytest.approx([np.sqrt(4 / 3), np.sqrt(8 / 3)], abs=1e-4)


def test_a_condition_that_is_always_right_has_no_odds_ratio():
    right = np.array([1.0] * 10 + [1, 0] * 5)
    design = np.column_stack([np.ones(20), [0] * 10 + [1] * 10])
    model = fit(right, design, {"person": [f"p{i % 5}" for i in range(20)]})
    contrast = model.contrast(np.array([0.0, 1.0]))
    assert not model.converged
    assert np.isnan(contrast.p)
    assert np.isnan(contrast.odds_ratio).all()


def test_columns_that_determine_each_other_are_refused():
    with pytest.raises(InputError, match="not independent"):
        fit([1.0, 0.0], np.ones((2, 2)), {})
    with pytest.raises(InputError, match="one row of the design per answer"):
        fit([], np.ones((0, 1)), {})
