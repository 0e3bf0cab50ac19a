"""Where the tests find the real data and the peers' values."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import settings

import plainmark as pm

settings.register_profile("plainmark", deadline=None, max_examples=100)
settings.load_profile("plainmark")

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("PLAINMARK_SHARED", ROOT.parent / "shared"))


def lines(path):
    """The lines of a file under shared/data, exactly as they are."""
    return (SHARED / "data" / path).read_bytes().decode("utf-8").removesuffix("\n").split("\n")


def json_lines(path):
    return [json.loads(line) for line in lines(path)]


@pytest.fixture(scope="session")
def shared():
    """The folder of real data; tests that need it fail with this message when it is missing."""
    if not (SHARED / "data" / "MANIFEST.md").exists():
        pytest.fail(f"the real data are not at {SHARED}; set PLAINMARK_SHARED to their folder", pytrace=False)
    return SHARED


@pytest.fixture(scope="session")
def golden(shared):
    """Peers' and papers' values: golden("sari_bleu_peers")."""
    return lambda name: json.loads((shared / "golden" / f"{name}.json").read_text("utf-8"))


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
