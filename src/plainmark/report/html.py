"""Self-contained HTML pages: templates that escape every text, embedded data, and a policy that forbids the network.

The policy allows styles and scripts only by their hash; embedded data are JSON, escaped so that no text can end it.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ..metric import __version__
from .formatting import count, long_date, number, short

if TYPE_CHECKING:
    from jinja2 import Environment

    from ..table import Table

# Characters that could end the script element, start a comment, or that old parsers treat as a line end;
_UNSAFE_IN_JSON = re.compile("[<>&\u2028\u2029\ud800-\udfff]")
_UNSAFE_IN_HTML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def escape(text: str) -> str:
    """Text for use between tags and in quoted attributes."""
    return html.escape(_UNSAFE_IN_HTML.sub("\ufffd", text), quote=True)


def page(
    template: str,
    *,
    title: str,
    styles: Sequence[str] = ("page.css",),
    scripts: Sequence[str] = ("page.js",),
    data: object = None,
    **values: Any,
) -> str:
    """A complete page from a template that extends base.html; `data` is read by the scripts from #data."""
    style, program = "".join(map(asset, styles)), script(*scripts) if scripts else ""
    return _complete(template, title, style, program, data, **values)


def fragment(template: str, **values: Any) -> str:
    """A part of a page."""
    return environment().get_template(template).render(**values)


def table(table: Table) -> str:
    """A table as a part of a page: columns sort by their bare values, and notes are below the table."""
    return str(environment().get_template("macros.html").module.table(table))  # type: ignore[attr-defined]


def document(title: str, body: str, *, style: str, script: str, data: object) -> str:
    """A complete page around a body that is already HTML."""
    return _complete("base.html", title, style, script, data, body=body)


@cache
def environment() -> Environment:
    """The environment of this package's templates; all text is escaped."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    env = Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_clean,
    )
    env.globals["version"] = __version__
    env.filters.update(count=count, embed=embed, long_date=long_date, number=number, short=short)
    return env


def embed(data: object) -> str:
    """JSON for a script element; JSON.parse restores the data whatever the texts contain."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _UNSAFE_IN_JSON.sub(lambda m: f"\\u{ord(m[0]):04x}", text)


def asset(name: str) -> str:
    """A style sheet or script that ships with the package."""
    return files(__package__).joinpath("static", name).read_text("utf-8")


def script(*names: str) -> str:
    """Several scripts as one, in a common private scope."""
    return '"use strict";\n(() => {\n' + "\n".join(map(asset, names)) + "})();\n"


def _complete(template: str, title: str, style: str, script: str, data: object, **values: Any) -> str:
    policy = (
        f"default-src 'none'; style-src {_source(style)}; script-src {_source(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    return fragment(template, title=title, policy=policy, style=style, script=script, data=data, **values)


def _source(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _clean(value: Any) -> Any:
    """A text without characters that HTML does not allow; other values are unchanged."""
    return _UNSAFE_IN_HTML.sub("\ufffd", value) if type(value) is str else value
