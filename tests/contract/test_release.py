"""The package says the truth of itself: one version, one licence expression, a text for each licence."""

import re
import tomllib

from packaging.requirements import Requirement

import plainmark as pm
from conftest import ROOT
from plainmark.models import KNOWN

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


LOCK = (ROOT / "requirements.lock").read_text("utf-8")
NOT_LOCKED = ("torch", "test", "test-all", "bench")  # large, or for those who work on plainmark


def test_the_lock_has_what_the_package_needs():
    locked = {}
    for name, version in re.findall(r"^([\w.-]+)==(\S+)", LOCK, re.MULTILINE):
        locked.setdefault(name.lower(), []).append(version)
    extras = {k: v for k, v in PROJECT["optional-dependencies"].items() if k not in NOT_LOCKED}
    needed = [*PROJECT["dependencies"], *(r for group in extras.values() for r in group)]
    for requirement in map(Requirement, needed):
        assert requirement.name.lower() in locked, f"{requirement.name}: run `make lock`"
        assert all(v in requirement.specifier for v in locked[requirement.name.lower()]), requirement


def test_the_lock_has_hashes_and_no_addresses():
    packages = re.split(r"^(?=[\w.-]+==)", LOCK, flags=re.MULTILINE)[1:]
    assert len(packages) > 30
    assert all("--hash=sha256:" in package for package in packages)
    assert not re.search(r"https?://|index-url|find-links", LOCK)


def test_no_package_of_doubtful_origin():
    """One author, unbounded, with requirements that have nothing to do with what it is for."""
    everything = (
        LOCK + (ROOT / "pyproject.toml").read_text("utf-8") + " ".join(k.package for k in KNOWN.values())
    )
    assert "pyduck" not in everything
    for known in KNOWN.values():
        pinned = known.sha256 if known.package == "plainmark" else known.wheel_sha256
        assert re.fullmatch("[0-9a-f]{64}", pinned)
