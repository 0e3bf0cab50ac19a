"""The documentation builds as a site without a warning: no dead link, no page that is in no menu."""

import re
import subprocess
import sys
from pathlib import Path

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
    assert (tmp_path / "site" / "searchindex.js").stat().st_size > 100_000
    tutorial = (tmp_path / "site" / "tutorial.html").read_text("utf-8")
    assert '<span class="gp">$ </span>plainmark' in tutorial  # code is highlighted
    assert '<span class="kn">import</span>' in tutorial
    reference = (tmp_path / "site" / "api.html").read_text("utf-8")
    assert "Annotated" not in reference  # help texts of options are not in signatures
    assert "__new__" not in reference
    pictures = {s for p in pages for s in re.findall(r'<img [^>]*src="([^"]+)"', p.read_text("utf-8"))}
    assert {Path(p).name for p in pictures} >= {"report-light.png", "report-dark.png", "editor-dark.png"}
    assert [p for p in pictures if not (tmp_path / "site" / p).exists()] == []
    for page in pages:  # it is read where there is no network, too
        assert re.findall(r'(?:src|href)="(https?:[^"]+\.(?:js|css|woff2?))"', page.read_text("utf-8")) == []
