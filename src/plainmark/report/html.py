"""One HTML file that needs nothing else: escaping, embedded data, and a policy that forbids the network.

Styles and scripts are allowed by their hash alone; data are JSON that no text can break out of.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Sequence
from importlib.resources import files

from ..metric import __version__

# Characters that could end the script element, start a comment, or that old parsers take for a line end;
# half a surrogate pair cannot be written as UTF-8 but may stand escaped in JSON.
_UNSAFE_IN_JSON = re.compile("[<>&\u2028\u2029\ud800-\udfff]")
_UNSAFE_IN_HTML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def escape(text: object) -> str:
    """Text for use between tags and in quoted attributes."""
    return html.escape(_UNSAFE_IN_HTML.sub("\ufffd", str(text)), quote=True)


def select(
    key: str, name: str, options: Sequence[object], chosen: int = 0, *, values: Sequence[object] | None = None
) -> str:
    """A labelled choice; values are numbers from 0 unless given."""
    items = "".join(
        f'<option value="{escape(v)}"{" selected" if i == chosen else ""}>{escape(o)}</option>'
        for i, (o, v) in enumerate(zip(options, values or range(len(options)), strict=True))
    )
    return f'<label>{escape(name)} <select id="{key}">{items}</select></label>'


def embed(data: object) -> str:
    """JSON for a script element; the same data come back from JSON.parse whatever the texts contain."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _UNSAFE_IN_JSON.sub(lambda m: f"\\u{ord(m[0]):04x}", text)


def asset(name: str) -> str:
    """A style sheet or script that ships with the package."""
    return files(__package__).joinpath(name).read_text("utf-8")


def script(*names: str) -> str:
    """Several scripts as one, in a scope of their own."""
    return '"use strict";\n(() => {\n' + "\n".join(map(asset, names)) + "})();\n"


def document(title: str, body: str, *, style: str, script: str, data: object) -> str:
    """A complete page; `body` is HTML, `title` is text, `data` is read by the script from #data."""
    policy = (
        f"default-src 'none'; style-src {_source(style)}; script-src {_source(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="plainmark {escape(__version__)}">
<meta name="referrer" content="no-referrer">
<title>{escape(title)}</title>
<style>{style}</style>
</head>
<body>
{body}
<script type="application/json" id="data">{embed(data)}</script>
<script>{script}</script>
</body>
</html>
"""


def _source(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
