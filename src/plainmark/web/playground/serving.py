"""Starting the playground: what is refused, what is printed, and uvicorn."""

from __future__ import annotations

import os
import secrets
import socket
import webbrowser
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvicorn

from ...aligners import aligner
from ...errors import InputError, MissingResourceError, OptionError
from ...explanation import FAST
from ..server import in_address, listening
from .app import make_app
from .forms import decode
from .requests import LONGEST, Form
from .settings import Settings
from .workers import Workers

TOKEN_VARIABLE = "PLAINMARK_TOKEN"  # noqa: S105 - the name of a variable
_SHORTEST_TOKEN = 8
_OPTIONS: dict[str, Any] = {
    "access_log": False,
    "log_level": "warning",
    "server_header": False,
    "lifespan": "off",
    "ws": "none",
    "timeout_keep_alive": 30,
    "timeout_graceful_shutdown": 5,
    "limit_concurrency": 2000,
    "proxy_headers": False,
}


@dataclass(frozen=True)
class Serving:
    """What `plainmark serve` was told."""

    paths: tuple[str, ...] = ()  # nothing, a folder, or two or three texts
    host: str = "127.0.0.1"
    port: int = 8080
    token: str = ""
    hosts: tuple[str, ...] = ()
    aligner: str = FAST
    workers: int = field(default_factory=lambda: min(os.cpu_count() or 1, 4))
    seconds: float = 20.0
    open: bool = False

    def settings(self) -> Settings:
        """The same in the playground's words; everything that can be refused is refused here."""
        if not 0 <= self.port <= 65_535:
            raise OptionError(f"--port {self.port}: expected 0 to 65535.")
        if not 1 <= self.workers <= 64:
            raise OptionError(f"--workers {self.workers}: expected 1 to 64.")
        if not 0.1 <= self.seconds <= 3600:
            raise OptionError(f"--seconds {self.seconds:g}: expected 0.1 to 3600.")
        token = self.token or os.environ.get(TOKEN_VARIABLE, "")
        if token and (len(token) < _SHORTEST_TOKEN or not token.isascii() or not token.isprintable()):
            raise OptionError(f"--token: expected at least {_SHORTEST_TOKEN} ASCII characters.")
        if not token and not self.is_private:
            token = secrets.token_urlsafe(24)
        by = aligner(self.aligner)
        if reason := by.missing():
            raise MissingResourceError(f"aligner {by.name} {reason}")
        folder, given = self._given()
        own = {self.host.lower(), socket.gethostname().lower(), *(h.lower() for h in self.hosts)}
        return Settings(
            token=token,
            folder=folder,
            hosts=tuple(sorted(own)),
            aligner=by.spec,
            given=given,
            workers=self.workers,
            seconds=self.seconds,
        )

    @property
    def is_private(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host in ("127.0.0.1", "::1", "localhost")

    def _given(self) -> tuple[Path | None, Form]:
        if not self.paths:
            return None, Form()
        if len(self.paths) == 1:
            folder = Path(self.paths[0])
            if not folder.is_dir():
                raise InputError(
                    f"{folder}: not a folder. Give a folder of reports, or two texts: plainmark serve original.txt simplified.txt"
                )
            return folder.resolve(), Form()
        if len(self.paths) > 3:
            raise InputError(
                f"found {len(self.paths)} files, expected an original, its simplification and perhaps a second version."
            )
        source, output, *second = map(_read, self.paths)
        return None, Form(source, output, second[0] if second else "")


def serve(serving: Serving) -> None:
    """Serve until interrupted."""
    settings = serving.settings()
    listener = listening(serving.host, serving.port)
    address = f"http://{in_address(serving.host)}:{listener.getsockname()[1]}/"
    workers = Workers(
        settings.workers, seconds=settings.seconds, waiting=settings.waiting, aligner=settings.aligner
    )
    try:
        for line in greeting(serving, settings, address):
            print(line, flush=True)  # noqa: T201 - what the verb is for
        if serving.open:
            webbrowser.open(_link(settings, address))
        uvicorn.Server(uvicorn.Config(make_app(settings, workers), **_OPTIONS)).run([listener])
    finally:
        workers.close()
        listener.close()


def greeting(serving: Serving, settings: Settings, address: str) -> list[str]:
    """What the person who starts it should know."""
    lines = [f"Open {_link(settings, address)} in a browser."]
    if settings.folder:
        lines.append(f"Reports and studies of {settings.folder}: {address}reports")
    if not serving.is_private:
        lines.append(
            "note: open to the network without https; who has the link can use it. Put a proxy with TLS before it."
        )
    lines.append("Nothing is stored and nothing leaves this machine. Stop with Ctrl-C.")
    return lines


def _link(settings: Settings, address: str) -> str:
    return f"{address}?token={settings.token}" if settings.token else address


def _read(path: str) -> str:
    try:
        with Path(path).open("rb") as file:
            data = file.read(4 * LONGEST + 1)
    except OSError as problem:
        raise InputError(f"{path}: cannot read it ({problem.strerror}).") from None
    text = decode(data, path) if len(data) <= 4 * LONGEST else " " * (LONGEST + 1)
    if len(text) > LONGEST:
        raise InputError(
            f"{path}: more than {LONGEST:,} characters. `plainmark align` takes texts of any length."
        )
    return text
