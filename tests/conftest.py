"""Fixtures of all tests, and what happens to a test whose requirements are not on this machine."""

import json
import os
from functools import cache

import pytest
from hypothesis import settings

import plainmark as pm
from plainmark import punkt
from support import requirements
from support.requirements import ROOT, SHARED, require

# The same examples every time, so that a change is to blame for a failure; `make fuzz` looks for new ones.
settings.register_profile("plainmark", deadline=None, max_examples=100, derandomize=True)
settings.register_profile("fuzz", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("PLAINMARK_HYPOTHESIS", "plainmark"))

GOLDEN = ROOT / "tests" / "golden"


def pytest_configure(config):
    for requirement in requirements.REQUIREMENTS.values():
        config.addinivalue_line("markers", f"{requirement.name}: needs {requirement.about}")


def pytest_collection_modifyitems(items):
    """Give every test the markers of its fixtures."""
    for item in items:
        for fixture, marker in requirements.FIXTURES.items():
            if fixture in getattr(item, "fixturenames", ()):
                item.add_marker(marker)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Skip or fail before any fixture is set up."""
    require(*(name for name in requirements.REQUIREMENTS if item.get_closest_marker(name)))


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makemodule(module_path, parent):
    """Let a test file whose packages are not installed be skipped and counted instead of being an error."""
    yield
    return requirements.OptionalFile.from_parent(parent, path=module_path)


def pytest_terminal_summary(terminalreporter):
    reports = terminalreporter.stats.get("skipped", [])
    terminalreporter.config.stash[requirements.SKIPPED] = [r.longrepr[2] for r in reports]


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    """Say last of all what was skipped."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None:
        for line in requirements.summary(config.stash.get(requirements.SKIPPED, [])):
            reporter.write_line(line)


def lines(path):
    """The lines of a file under shared/data, exactly as they are."""
    return (SHARED / "data" / path).read_bytes().decode("utf-8").removesuffix("\n").split("\n")


def json_lines(path):
    return [json.loads(line) for line in lines(path)]


@pytest.fixture(scope="session")
def shared():
    """The folder of real data."""
    require("data")
    return SHARED


@pytest.fixture(scope="session")
def needs_torch():
    """For fixtures that use torch or transformers."""
    require("torch")


@pytest.fixture
def data_sets(shared, monkeypatch):
    """Lets data sets find their files among the real data."""
    monkeypatch.setenv("PLAINMARK_DATA", str(shared / "data"))


@pytest.fixture(scope="session")
def golden():
    """Values of reference implementations and papers: golden("sari_bleu_peers")."""
    return lambda name: json.loads((GOLDEN / f"{name}.json").read_text("utf-8"))


def paper_cells(paper, *tables):
    """Printed cells that can be recomputed, for parametrize."""
    cells = json.loads((GOLDEN / "paper_cells.json").read_text("utf-8"))["cells"]
    return [
        c for c in cells if c["paper"] == paper and c["table"] in tables and c["agrees"].startswith("exact")
    ]


@pytest.fixture(scope="module")
def doc_meta(shared, nltk_data):
    """doc_meta("qa"): rows of a file of document-level judgements, and a corpus for each of its systems."""

    def read(name):
        rows = json_lines(f"doc-meta/{name}.jsonl")
        outputs = [k for k in rows[0] if k.startswith("simplification")]
        corpora = [
            pm.Corpus([r["original"] for r in rows], [r[k] for r in rows], [r["references"] for r in rows])
            for k in outputs
        ]
        return rows, corpora

    return cache(read)


@pytest.fixture(scope="session")
def asset(shared):
    """ASSET test with the source itself as output; other systems by with_outputs."""
    sources = lines("asset/asset.test.orig")
    references = list(zip(*(lines(f"asset/asset.test.simp.{i}") for i in range(10)), strict=True))
    return pm.Corpus(sources, sources, references)


@pytest.fixture(scope="session")
def turkcorpus(shared):
    sources = lines("turkcorpus-detok/test.truecase.detok.orig")
    references = list(
        zip(*(lines(f"turkcorpus-detok/test.truecase.detok.simp.{i}") for i in range(8)), strict=True)
    )
    return pm.Corpus(sources, sources, references)


@pytest.fixture(scope="session")
def outputs(shared):
    """outputs("ACCESS"): a system's outputs on the 359 test sentences."""
    return lambda system: lines(f"outputs/{system}")


@pytest.fixture(scope="module")
def nltk_data(shared):
    """Lets plainmark and NLTK find Punkt's parameters among the real data, whatever the machine has."""
    import nltk

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nltk.data, "path", [str(shared / "data" / "nltk_data")])
        patch.setenv("NLTK_DATA", str(shared / "data" / "nltk_data"))
        punkt.parameters.cache_clear()
        yield punkt.parameters()
    punkt.parameters.cache_clear()


@pytest.fixture
def no_nltk_data(monkeypatch):
    """A machine without Punkt's parameters."""
    monkeypatch.setattr(punkt, "nltk_folders", list)
    punkt.parameters.cache_clear()
    yield
    punkt.parameters.cache_clear()


@pytest.fixture(scope="session")
def postgresql():
    """A private PostgreSQL server; database() gives the address of a new, empty database on it."""
    require("postgres")
    from support import postgres

    with postgres.server() as running:
        yield running


def all_texts(folder):
    """Every text in a folder of the real data, each once."""
    found = []

    def collect(value):
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, (dict, list)):
            for part in value.values() if isinstance(value, dict) else value:
                collect(part)

    for path in sorted((SHARED / "data" / folder).iterdir()):
        if path.suffix == ".jsonl":
            collect([json.loads(line) for line in path.read_text("utf-8").splitlines() if line])
        elif path.suffix == ".json":
            collect(json.loads(path.read_text("utf-8")))
        elif path.suffix in (".source", ".target"):
            found.extend(path.read_text("utf-8").split("\n"))
    return list(dict.fromkeys(found))


@pytest.fixture(scope="session")
def plaba(shared):
    """PLABA's abstracts and adaptations as one text each, with the annotated sentences."""
    data = json.loads((shared / "data" / "plaba" / "data.json").read_text("utf-8"))
    pairs = [entry for question in data.values() for entry in question.values() if isinstance(entry, dict)]
    versions = [v for pair in pairs for v in (pair["abstract"], *pair["adaptations"].values())]
    sentences = [[s for s in v.values() if isinstance(s, str) and s] for v in versions]
    return [(" ".join(s), s) for s in sentences]


@pytest.fixture
def no_waiting(monkeypatch):
    """Pauses between attempts at an endpoint take no time; they are listed."""
    from plainmark.judge import Endpoint

    pauses = []
    monkeypatch.setattr(Endpoint, "_pause", lambda self, seconds: pauses.append(seconds))
    return pauses
