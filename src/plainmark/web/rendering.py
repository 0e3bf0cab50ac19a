"""Templates and static files, read once; text is always escaped."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from jinja2 import DictLoader, Environment, StrictUndefined
from starlette.responses import HTMLResponse, Response

_KINDS = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
# Characters that no page may hold; browsers would show something else instead.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a text, divided by empty lines."""
    return [p.strip("\n") for p in re.split(r"\n[ \t]*\n", text) if p.strip()]


def clean(value: Any) -> Any:
    """Text without what HTML cannot hold; everything else as it is."""
    if isinstance(value, str) and not hasattr(value, "__html__"):  # what is escaped was cleaned before
        return _CONTROL.sub("\ufffd", value)
    return value


class Renderer:
    """The pages of a package that has templates/ and static/; `made` are static files besides."""

    def __init__(
        self, *, package: str, base: str, made: Mapping[str, bytes] | None = None, **everywhere: Any
    ) -> None:
        folder = files(package)
        self._static = {
            f.name: f.read_bytes() for f in folder.joinpath("static").iterdir() if _kind(f.name) in _KINDS
        }
        self._static.update(made or {})
        self._version = {n: hashlib.sha256(b).hexdigest()[:12] for n, b in self._static.items()}
        self._base = base
        sources = {
            f.name: f.read_text("utf-8")
            for f in folder.joinpath("templates").iterdir()
            if f.name.endswith(".html")
        }
        self.environment = Environment(
            loader=DictLoader(sources),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=clean,
        )
        self.environment.filters["paragraphs"] = paragraphs
        self.environment.globals.update(base=base, static=self.address, **everywhere)

    def address(self, name: str) -> str:
        """Where a static file is; a new version has a new address."""
        return f"{self._base}/static/{name}?v={self._version[name]}"

    def page(
        self, template: str, status: int = 200, headers: Mapping[str, str] | None = None, **values: Any
    ) -> HTMLResponse:
        """A page of a template."""
        text = self.environment.get_template(template).render(**values)
        return HTMLResponse(text.encode("utf-8", "replace"), status, headers=dict(headers or {}))

    def static(self, name: str) -> Response:
        """A static file, which browsers may keep."""
        if name not in self._static:
            return Response("not found", 404, media_type="text/plain")
        headers = {"cache-control": "public, max-age=31536000, immutable"}
        return Response(self._static[name], media_type=_KINDS[_kind(name)], headers=headers)


def _kind(name: str) -> str:
    return name.rpartition(".")[2]
