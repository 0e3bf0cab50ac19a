"""CONTRIBUTING.md is true: its recipe for a metric works, and its commands, files and targets exist."""

import re
import sys

import pytest

import plainmark as pm
from conftest import ROOT
from plainmark.families import FAMILIES

TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
CODE = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", TEXT, flags=re.DOTALL | re.MULTILINE))


@pytest.fixture
def shouting(tmp_path, monkeypatch):
    """The metric of the recipe, as if its file were in src/plainmark/metrics."""
    (tmp_path / "shouting.py").write_text(
        re.search(r"^```python\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)[1]
    )
    import plainmark.metrics

    monkeypatch.setattr(plainmark.metrics, "__path__", [*plainmark.metrics.__path__, str(tmp_path)])
    yield
    sys.modules.pop("plainmark.metrics.shouting", None)


def test_the_recipe_for_a_metric(shouting):
    metric = pm.metric("plainmark.metrics.shouting.Shouting")
    scores = metric.sample_scores(pm.Corpus(None, ["HELLO you", "be quiet", "123"]))
    assert scores.tolist()[:2] == [62.5, 0.0]
    assert scores[2] != scores[2]  # no letters: undefined
    assert metric.family in FAMILIES.keys() - {
        "other"
    }  # as test_metrics.py demands of metrics in the package


def test_every_file_exists():
    names = [c for c in CODE if re.fullmatch(r"[\w./-]+/[\w./-]*|[\w-]+\.(?:py|toml|md|cff)", c)]
    assert len(names) > 20
    folders = (
        ROOT,
        ROOT / "src" / "plainmark",
        ROOT / "src" / "plainmark" / "metrics",
        ROOT / ".github" / "workflows",
    )
    examples = {
        "shouting.py",
        "tests/unit/test_shouting.py",
        "rules.toml",
        "syllables.py",
        "__init__.py",
        "../shared",
        "site/",
    }
    missing = [
        n
        for n in names
        if n not in examples and "CODE" not in n and not any((f / n).exists() for f in folders)
    ]
    assert missing == []


def test_every_target_of_make_exists():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = {t for c in CODE if c.startswith("make ") for t in c.split()[1:]}
    assert len(targets) > 10
    assert [t for t in targets if not re.search(rf"^{t}:", makefile, re.MULTILINE)] == []


def test_every_script_exists():
    for module in re.findall(r"python -m ([\w.]+)", TEXT):
        if module != "pytest":
            assert (ROOT / (module.replace(".", "/") + ".py")).exists(), module
    for script in re.findall(r"(scripts/\w+\.py)", TEXT):
        assert (ROOT / script).exists(), script
