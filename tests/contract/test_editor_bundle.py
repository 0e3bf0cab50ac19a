"""The committed script of the editor is built from its sources."""

import hashlib
import re
import shutil
import subprocess

from support.requirements import ROOT, require

EDITOR = ROOT / "editor"
BUNDLE = ROOT / "src" / "plainmark" / "web" / "editor" / "static" / "editor.js"


def test_the_bundle_names_its_sources():
    names = [
        "build.js",
        "package-lock.json",
        *sorted(f"source/{p.name}" for p in (EDITOR / "source").iterdir()),
    ]
    digest = hashlib.sha256()
    for name in names:
        digest.update(name.encode() + b"\0" + (EDITOR / name).read_bytes() + b"\0")
    built_from = re.match(r"/\* plainmark: editor/ ([0-9a-f]{64}) \*/\n", BUNDLE.read_text("utf-8"))
    assert built_from, "the first line of editor.js names its sources; run `make editor`"
    assert built_from[1] == digest.hexdigest(), (
        "editor/ has changed since editor.js was built; run `make editor`"
    )


def test_building_again_gives_the_same_bundle(tmp_path):
    require("npm")
    node = shutil.which("node")
    assert node, "axe-core was installed by npm, so Node is there"
    again = tmp_path / "editor.js"
    subprocess.run([node, "build.js", str(again)], cwd=EDITOR, check=True, timeout=120)
    assert again.read_bytes() == BUNDLE.read_bytes(), (
        "editor.js was built with other packages, or changed by hand"
    )
