"""Starts the playground: prints the greeting and runs uvicorn."""

from __future__ import annotations

import webbrowser
from typing import Any

import uvicorn

from ..addresses import check_proxies
from ..server import UVICORN_OPTIONS, is_loopback, listen, url_host
from .app import make_app
from .settings import PlaygroundOptions, PlaygroundSettings
from .workers import WorkerPool

_UVICORN: dict[str, Any] = {**UVICORN_OPTIONS, "timeout_graceful_shutdown": 5}


def serve(options: PlaygroundOptions) -> None:
    """Serve until interrupted."""
    settings = options.settings()
    listener = listen(options.host, options.port)
    url = f"http://{url_host(options.host)}:{listener.getsockname()[1]}/"
    workers = WorkerPool.start(settings)
    try:
        for line in greeting(options, settings, url):
            print(line, flush=True)  # noqa: T201 - what the verb is for
        if options.open:
            webbrowser.open(_link(settings, url))
        proxies = check_proxies(options.trusted_proxies)
        config = uvicorn.Config(
            make_app(settings, workers), proxy_headers=bool(proxies), forwarded_allow_ips=proxies, **_UVICORN
        )
        uvicorn.Server(config).run([listener])
    finally:
        workers.close()
        listener.close()


def greeting(options: PlaygroundOptions, settings: PlaygroundSettings, url: str) -> list[str]:
    """The lines that the command prints at the start."""
    lines = [f"Open {_link(settings, url)} in a browser."]
    if settings.folder:
        lines.append(f"Reports and studies of {settings.folder}: {url}reports")
    if not is_loopback(options.host):
        lines.append(
            "note: open to the network without https; who has the link can use it. Put a proxy with TLS before it."
        )
    lines.append("Nothing is stored and nothing leaves this machine. Stop with Ctrl-C.")
    return lines


def _link(settings: PlaygroundSettings, url: str) -> str:
    return f"{url}?token={settings.token}" if settings.token else url
