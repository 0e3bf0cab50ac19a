"""axe-core finds nothing on the pages that plainmark serves and writes, on a wide screen and on a phone."""

import pytest

from plainmark.cli import main
from support import playground
from support.requirements import ROOT

EXAMPLES = ROOT / "examples"
TEXTS = {name: str(EXAMPLES / name) for name in ("source.txt", "hasty.txt", "careful.txt")}
REFERENCES = ["-r", str(EXAMPLES / "reference.0"), str(EXAMPLES / "reference.1")]
COMMANDS = {
    "report": [
        "report",
        TEXTS["hasty.txt"],
        TEXTS["careful.txt"],
        "-s",
        TEXTS["source.txt"],
        *REFERENCES,
        "-m",
        "sari,bleu,fkgl",
    ],
    "facts": ["facts", TEXTS["source.txt"], TEXTS["hasty.txt"]],
    "align": ["align", TEXTS["source.txt"], TEXTS["hasty.txt"]],
    "explain": ["explain", "sari", TEXTS["hasty.txt"], "-s", TEXTS["source.txt"], *REFERENCES],
}


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with playground.running(folder=tmp_path_factory.mktemp("reports")) as one:
        one.workers.warm_up()
        yield one


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("written")
    for name, command in COMMANDS.items():
        assert main([*command, "-o", str(folder / f"{name}.html")]) == 0
    return folder


@pytest.mark.parametrize("width", [1280, 375])
@pytest.mark.parametrize("name", COMMANDS)
def test_reports(visit, written, axe, name, width):
    assert axe(visit(written / f"{name}.html", width=width)) == []


@pytest.mark.parametrize("width", [1280, 375])
@pytest.mark.parametrize(
    "path", ["/?example=library", "/compare", "/compare?example=tablets", "/api", "/reports", "/nothing"]
)
def test_pages(surf, axe, path, width):
    page = surf(path, viewport={"width": width, "height": 800})
    assert axe(page) == []
