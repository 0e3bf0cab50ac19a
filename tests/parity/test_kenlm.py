"""KenLM's numbers on the same ARPA files; `make bench` compares live on real text."""

import json

import numpy as np
import pytest

from conftest import ROOT
from plainmark.lm import LanguageModel

GOLDEN = json.loads((ROOT / "tests" / "golden" / "kenlm.json").read_text("utf-8"))


@pytest.mark.parametrize("name", GOLDEN["values"])
def test_scores(tmp_path, name):
    case = GOLDEN["values"][name]
    trained = LanguageModel.train(GOLDEN["text"], **case["options"])
    trained.save(tmp_path / "m.arpa")
    for model in (trained, LanguageModel.load(tmp_path / "m.arpa")):
        np.testing.assert_allclose(
            model.score(list(case["scores"])), list(case["scores"].values()), atol=1e-4
        )
