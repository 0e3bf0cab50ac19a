"""What is missing on a machine is skipped and counted, or is an error where everything is expected."""

import os
import subprocess
import sys

import pytest

from conftest import ROOT
from support import requirements
from support.requirements import Requirement, give_up, require, summary

NOTHING_THERE = "from support import requirements\nrequirements.is_missing = lambda name: True\n"
TESTS = """
import pytest

@pytest.mark.parametrize("n", range(3))
@pytest.mark.wordnet
def test_words(n):
    pass

def test_all_is_well():
    pass
"""


@pytest.fixture
def run(tmp_path):
    """Runs a file of tests with the hooks of this suite."""

    def call(content, **environment):
        (tmp_path / "test_some.py").write_text(content)
        clean = {k: v for k, v in os.environ.items() if k not in ("CI", "PLAINMARK_TEST_ALL")}
        clean |= {"PYTHONPATH": str(ROOT / "tests")} | environment
        command = [sys.executable, "-m", "pytest", "-q", "-p", "conftest", "-p", "no:cacheprovider"]
        return subprocess.run(
            [*command, "-c", os.devnull, "--rootdir", str(tmp_path), "test_some.py"],
            cwd=tmp_path,
            env=clean,
            capture_output=True,
            text=True,
        )

    return call


def test_the_table_is_the_end_of_a_run(run):
    done = run(NOTHING_THERE + TESTS)
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[-3:] == [
        "Skipped 3 tests that need what is not on this machine:",
        "  needs                          tests  to run them",
        "  wordnet: the WordNet database      3  apt-get install wordnet-base",
    ]
    assert "1 passed, 3 skipped" in done.stdout.splitlines()[-4]


@pytest.mark.parametrize("variable", [{"CI": "true"}, {"PLAINMARK_TEST_ALL": "1"}], ids=str)
def test_where_everything_is_expected_a_missing_piece_is_an_error(run, variable):
    done = run(NOTHING_THERE + TESTS, **variable)
    assert done.returncode == 1
    assert "needs wordnet (the WordNet database): apt-get install wordnet-base" in done.stdout
    assert "1 passed, 3 errors" in done.stdout


def test_a_file_whose_packages_are_not_installed(run):
    absent = f"raise ModuleNotFoundError(\"No module named 'sacrebleu'\")\n{TESTS}"
    done = run(absent)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].endswith("2  pip install -e '.[test]'")
    assert run(absent, CI="true").returncode == 2
    for mistake in ("plainmark.no_such_module", "no_such_package"):
        assert run(f"import {mistake}\n{TESTS}").returncode == 2, "a mistake is no missing package"


def test_skipping_and_failing(monkeypatch):
    monkeypatch.setitem(
        requirements.REQUIREMENTS, "owls", Requirement("owls", "an owl", "call one", lambda: False)
    )
    requirements.is_missing.cache_clear()
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("PLAINMARK_TEST_ALL", raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"needs owls \(an owl\): call one"):
        require("owls")
    monkeypatch.setenv("PLAINMARK_TEST_ALL", "1")
    with pytest.raises(pytest.fail.Exception, match=r"needs owls \(a barn owl\): call one"):
        give_up("owls", "a barn owl")


def test_nothing_skipped_is_no_table():
    assert summary([]) == []


def test_fixtures_bring_known_markers():
    assert set(requirements.FIXTURES.values()) <= set(requirements.REQUIREMENTS)
