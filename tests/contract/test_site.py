"""The documentation builds as a site without a warning: no dead link, no page that is in no menu."""

import re
import subprocess
import sys

from conftest import ROOT


def test_the_site_builds_without_warnings(tmp_path):
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-W",
        "--keep-going",
        "-q",
        "-j",
        "2",
        "-d",
        str(tmp_path / "made"),
    ]
    done = subprocess.run(
        [*command, str(ROOT / "docs"), str(tmp_path / "site")], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    pages = sorted((tmp_path / "site").glob("*.html"))
    assert {p.stem for p in pages} >= {p.stem for p in (ROOT / "docs").glob("*.md")}
    for page in pages:  # it is read where there is no network, too
        assert re.findall(r'(?:src|href)="(https?:[^"]+\.(?:js|css|woff2?))"', page.read_text("utf-8")) == []
