"""Jinja templates and static files, read once at start; text is always escaped."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from jinja2 import DictLoader, Environment, StrictUndefined
from starlette.responses import HTMLResponse, Response

_MEDIA_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
# Characters that HTML does not allow; browsers would show something else instead.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a text, separated by empty lines."""
    return [p.strip("\n") for p in re.split(r"\n[ \t]*\n", text) if p.strip()]


def clean(value: Any) -> Any:
    """A text with characters that HTML does not allow replaced; other values are unchanged."""
    if isinstance(value, str) and not hasattr(value, "__html__"):  # escaped text has been cleaned before
        return _CONTROL.sub("\ufffd", value)
    return value


class Renderer:
    """Renders the templates of a package and of those in `also`, and serves their static files and further `static_files`."""

    def __init__(
        self,
        *,
        package: str,
        base: str,
        also: Sequence[str] = (),
        static_files: Mapping[str, bytes] | None = None,
        **template_globals: Any,
    ) -> None:
        folders = [files(name) for name in (package, *also)]
        self._static = {
            f.name: f.read_bytes()
            for folder in folders
            for f in folder.joinpath("static").iterdir()
            if _suffix(f.name) in _MEDIA_TYPES
        }
        self._static.update(static_files or {})
        self._version = {n: hashlib.sha256(b).hexdigest()[:12] for n, b in self._static.items()}
        self._base = base
        sources = {
            f.name: f.read_text("utf-8")
            for folder in folders
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
        self.environment.globals.update(base=base, static=self.static_url, **template_globals)

    def static_url(self, name: str) -> str:
        """The URL of a static file, which changes with its content."""
        return f"{self._base}/static/{name}?v={self._version[name]}"

    def page(
        self, template: str, status: int = 200, headers: Mapping[str, str] | None = None, **values: Any
    ) -> HTMLResponse:
        """Render a template as a response."""
        text = self.environment.get_template(template).render(**values)
        return HTMLResponse(text.encode("utf-8", "replace"), status, headers=dict(headers or {}))

    def static(self, name: str) -> Response:
        """A static file, which browsers may cache for ever."""
        if name not in self._static:
            return Response("not found", 404, media_type="text/plain")
        headers = {"cache-control": "public, max-age=31536000, immutable"}
        return Response(self._static[name], media_type=_MEDIA_TYPES[_suffix(name)], headers=headers)


def _suffix(name: str) -> str:
    return name.rpartition(".")[2]
