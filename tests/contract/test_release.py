"""The package says the truth of itself: one version, one licence expression, a text for each licence."""

import re
import tomllib

import plainmark as pm
from conftest import ROOT

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
LICENCES = PROJECT["license"].split(" AND ")


def test_the_version_stands_in_one_place():
    assert "version" in PROJECT["dynamic"]
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    assert cited.group(1) == pm.__version__


def test_every_licence_of_the_data_is_in_the_expression():
    notice = (ROOT / "NOTICE").read_text("utf-8")
    table = notice.split("licences (SPDX)")[1].split("The texts of")[0]
    named = set(re.findall(r"\b(?:Apache|BSD|CC)-[\w.-]+|\bMIT\b", table))
    assert named == set(LICENCES)
    cited = (ROOT / "CITATION.cff").read_text("utf-8")
    assert re.findall(r"^  - ((?:Apache|BSD|CC|MIT)\S*)$", cited, re.MULTILINE) == LICENCES


def test_every_licence_has_its_text():
    texts = {path.stem for path in (ROOT / "LICENSES").glob("*.txt")}
    assert texts == {licence for licence in LICENCES if licence.startswith("CC-")}
    notice = (ROOT / "NOTICE").read_text("utf-8")
    for words in ("Redistributions in binary form must", "Permission is hereby granted, free of charge"):
        assert words in notice
    assert "Version 2.0, January 2004" in (ROOT / "LICENSE").read_text("utf-8")


def test_every_shipped_data_file_is_accounted_for():
    """Large files that are no code are derived from something: NOTICE names them or their folder."""
    notice = (ROOT / "NOTICE").read_text("utf-8")
    source = ROOT / "src" / "plainmark"
    for path in source.rglob("*"):
        if path.suffix in (".bin", ".xz", ".npz", ".safetensors"):
            place = path.relative_to(source).as_posix()
            named = place in notice or path.name in notice or place.startswith("ucca/model/")
            assert named or "/default/" in place, place


def test_nothing_in_the_package_is_left_out_of_the_wheel():
    """A pattern without a leading slash matches at any depth: report.html also left out the report's template."""
    assert [p for p in PYPROJECT["tool"]["scikit-build"]["sdist"]["exclude"] if not p.startswith("/")] == []
