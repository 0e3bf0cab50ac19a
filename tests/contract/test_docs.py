"""Documentation is true: examples run, generated pages are current, every command and option is documented."""

import doctest
import importlib
import importlib.util
import re

import pytest

import plainmark
from conftest import ROOT
from plainmark import cli

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
# Pages and modules whose examples need more than the package.
NEEDS = {
    "models.md": pytest.mark.models,
    "perturbations.md": pytest.mark.wordnet,
    "samsa.md": pytest.mark.models,
    "simplifier.md": pytest.mark.wordnet,
    "plainmark.models": pytest.mark.models,
    "plainmark.perturbations.negate": pytest.mark.wordnet,
    "plainmark.tagger": pytest.mark.wordnet,
}


@pytest.mark.parametrize("page", [pytest.param(p, id=p.name, marks=NEEDS.get(p.name, ())) for p in PAGES])
def test_python_examples_run(page):
    examples = "\n".join(re.findall(r"```python\n(>>>.*?)```", page.read_text("utf-8"), re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, page.name, str(page), 0)
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert result.failed == 0


MODULES = [
    "plainmark",
    "plainmark.api._metrics",
    "plainmark.api.test_sets",
    "plainmark.bundles",
    "plainmark.families",
    "plainmark.api.comparison",
    "plainmark.api.explanations",
    "plainmark.api.facts",
    "plainmark.api.scores",
    "plainmark.api.stress_test",
    "plainmark.metric",
    "plainmark.result",
    "plainmark.systems",
    "plainmark.data",
    "plainmark.operations",
    "plainmark.models",
    "plainmark.datasets",
    "plainmark.meta.ratings",
    "plainmark.meta.task",
    "plainmark.explanation",
    "plainmark.faithfulness",
    "plainmark.faithfulness.comparison",
    "plainmark.faithfulness.passage",
    "plainmark.lexicon",
    "plainmark.lexicon.language",
    "plainmark.perturbations._figures",
    "plainmark.tagger",
    "plainmark.perturbations",
    "plainmark.perturbations.negate",
    "plainmark.ucca",
    "plainmark.ucca.words",
    "plainmark.ucca.alignment",
    "plainmark.lm.model",
    "plainmark.simplifier.backends",
    "plainmark.simplifier.rules.ppdb",
    "plainmark.simplifier.scfg.grammar",
    "plainmark.simplifier.scfg.search",
    "plainmark.simplifier.surface",
]


@pytest.mark.parametrize("module", [pytest.param(m, marks=NEEDS.get(m, ())) for m in MODULES])
def test_docstring_examples_run(module):
    result = doctest.testmod(importlib.import_module(module))
    assert result.failed == 0
    assert result.attempted > 0


METRIC_PAGES = (ROOT / "docs" / "metrics.md", *ROOT.glob("docs/metrics-*.md"))


def made_by(name):
    """The page that a script writes, or its pages by name."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script.pages() if hasattr(script, "pages") else script.page()


@pytest.mark.wordnet
def test_metric_pages_are_current():
    written = {page.name: page.read_text("utf-8") for page in METRIC_PAGES}
    assert written == made_by("make_metric_pages"), "run: python scripts/make_metric_pages.py"


def test_the_page_of_all_commands_is_current():
    written = (ROOT / "docs" / "commands.md").read_text("utf-8")
    assert written == made_by("make_command_pages"), (
        "run: python scripts/make_command_pages.py > docs/commands.md"
    )


def test_every_command_is_on_the_page_of_the_command_line():
    text = (ROOT / "docs" / "command-line.md").read_text("utf-8")
    for verb in cli.verbs():
        assert f"plainmark {verb.replace('_', '-')}" in text
        for action in cli.verbs(verb) if cli.is_group(verb) else ():
            assert f"plainmark {verb} {action.rstrip('_').replace('_', '-')}" in text


def test_relative_links_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_public_name_is_in_the_python_reference():
    text = (ROOT / "docs" / "api.md").read_text("utf-8")
    for name in plainmark.__all__:
        assert re.search(rf"\.\. auto\w+:: plainmark\.(\w+\.)*{name}$|pm\.{name}\b", text, re.MULTILINE), name
        assert f"pm.{name}" in text, f"{name} has no example"
