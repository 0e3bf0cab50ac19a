"""docs/differences.md is what the code gives, its tables agree with the peers, and its prose with its tables."""

import importlib.util
from dataclasses import asdict

import pytest
from scipy.stats import kendalltau

import plainmark as pm
from conftest import ROOT
from plainmark.metrics.sari import PRESETS, SARI


@pytest.fixture(scope="module")
def script():
    path = ROOT / "scripts" / "make_differences.py"
    spec = importlib.util.spec_from_file_location("make_differences", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def systems(script, shared):
    return script.corpora(shared / "data")


@pytest.mark.spacy
def test_the_page_is_current(script, shared, nltk_data):
    written = (ROOT / "docs" / "differences.md").read_text("utf-8")
    assert written == script.page(shared), (
        "run: python scripts/make_differences.py PATH/TO/shared > docs/differences.md"
    )


# What the peers' own programs give for ACCESS and for copying, two decimals (None: not measured).
STEPS = [
    ({}, 43.04, 19.09),
    ({"tokenizer": "13a"}, 43.85, 20.45),
    ({"tokenizer": "13a", "empty_ratio": 1}, 45.29, 53.78),
    ({"tokenizer": "13a", "empty_ratio": 1, "keep_recall": "sum"}, 46.33, 53.78),
    ({"tokenizer": "13a", "keep_precision": "sum", "keep_recall": "sum"}, 44.90, None),
    ({"delete_good": "intersection"}, 45.49, None),
    ({"delete_average": "sum"}, 45.50, None),
    ({"delete_score": "f1"}, 39.41, 20.47),
    ({"pooling": "corpus"}, 40.13, 20.73),
]


def test_one_switch_at_a_time(systems, script):
    options = {}
    for i, (change, access, copied) in enumerate(STEPS):
        options = options | change if i >= 5 else change  # from the fifth on they add up
        metric = SARI(variant="xu2016", **options)
        assert metric.score(systems["ACCESS"]).value == pytest.approx(access, abs=0.005)
        if copied is not None:
            assert metric.score(systems[script.COPY]).value == pytest.approx(copied, abs=0.005)


def test_the_paths_end_at_the_named_variants(script):
    for steps, variant in ((script.TO_HF, "hf"), (script.TO_EASSE, "easse")):
        options = {k: v for _, change in steps for k, v in change.items()}
        reached, named = SARI(variant="xu2016", **options), SARI(variant=variant)
        differ = {k for k in asdict(PRESETS["easse"]) if getattr(reached, k) != getattr(named, k)}
        # A blank token matters to empty texts only, and ASSET has none.
        assert differ <= {"blank_token"}


def test_kendalls_tau(script):
    a, b = [3, 1, 2, 2, 5], [1, 2, 2, 4, 4]
    assert script.kendall(a, b) == pytest.approx(kendalltau(a, b).statistic)
    assert script.ranks([5, 7, 7, 1]) == [3, 1, 1, 4]


@pytest.fixture(scope="module")
def scores(script, systems, nltk_data):
    """Version -> system -> score."""
    versions = script.SARI | {f"bleu {k}": v for k, v in script.BLEU.items()}
    return {
        name: {s: pm.metric(spec).score(c).value for s, c in systems.items()}
        for name, (spec, _) in versions.items()
    }


class TestProse:
    def test_copying(self, scores, script):
        for name, of_system in scores.items():
            place = sorted(of_system.values(), reverse=True).index(of_system[script.COPY]) + 1
            assert place == (1 if name == "hf" or name.startswith("bleu") else 9)

    def test_access_leads_without_the_copy(self, scores, script):
        for name in script.SARI:
            others = {s: v for s, v in scores[name].items() if s != script.COPY}
            assert max(others, key=others.get) == "ACCESS"

    def test_pbmt_r(self, scores, script):
        for name, place in (("easse", 8), ("easse-delprec", 3)):
            assert sorted(scores[name].values(), reverse=True).index(scores[name]["PBMT-R"]) + 1 == place

    def test_zero_over_zero_helps_who_copies(self, systems):
        gain = {}
        for system in ("Dress-Ls", "ACCESS"):
            without, with_ = (
                SARI(variant="xu2016", tokenizer="13a", empty_ratio=k).score(systems[system]).value
                for k in (0, 1)
            )
            gain[system] = with_ - without
        assert gain["Dress-Ls"] > 5 * gain["ACCESS"]
        assert pm.metric("exact_copies").score(systems["Dress-Ls"]).value == pytest.approx(0.25, abs=0.01)

    def test_deletion_f1_costs_six_points(self, systems):
        steps = {
            "tokenizer": "13a",
            "keep_precision": "sum",
            "keep_recall": "sum",
            "delete_good": "intersection",
        }
        precision, both = (
            SARI(variant="xu2016", **steps, delete_average="sum", delete_score=score)
            .score(systems["ACCESS"])
            .value
            for score in ("precision", "f1")
        )
        assert round(precision - both) == 6

    def test_a_word_that_the_source_has_twice(self):
        """The only place where the two rules for good deletions differ."""
        corpus = pm.Corpus(["a a b"], ["a b"], [["a b", "a b"]])
        parts = [
            SARI(variant="xu2016", order=1, delete_good=rule).score(corpus).parts["del"]
            for rule in ("difference", "intersection")
        ]
        assert parts == [0, 100]

    def test_bleu(self, scores):
        lifted = scores["bleu 13a, lowercase"]["UNTS"] - scores["bleu 13a"]["UNTS"]
        assert round(lifted) == 11
        moved = [abs(scores["bleu 13a"][s] - scores["bleu none"][s]) for s in scores["bleu 13a"]]
        assert 9 < max(moved) < 9.5
