"""Starting a study's server: what is refused, what is printed, and uvicorn."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import uvicorn
from starlette.types import ASGIApp

from ...errors import OptionError
from ...study import Study, load, open_store
from ...study.keys import study_key
from ...study.store.store import default_url
from ..server import in_address, listening
from .app import make_app
from .settings import Secrets, Settings

if TYPE_CHECKING:
    from ...study.store.store import Store

_WORKER = "PLAINMARK_SERVE"  # how a worker process learns what to serve
_OPTIONS: dict[str, Any] = {
    "access_log": False,  # addresses and ids stay out of logs
    "log_level": "warning",
    "server_header": False,
    "lifespan": "off",
    "ws": "none",
    "timeout_keep_alive": 30,
    "timeout_graceful_shutdown": 30,
    "limit_concurrency": 2000,
    "proxy_headers": True,
    "forwarded_allow_ips": "127.0.0.1,::1",
}


@dataclass(frozen=True)
class Serving:
    """What `study serve` was told."""

    folder: str
    database: str = ""
    host: str = "127.0.0.1"
    port: int = 8000
    mode: Literal["", "pilot", "live"] = ""  # the definition's own
    workers: int = 1
    public_url: str = ""
    requests_per_minute: int = 1200
    patience: float = 10.0
    new_revision: bool = False

    @property
    def study(self) -> Study:
        """The study, in the mode that was asked for."""
        study = load(self.folder)
        return replace(study, definition=replace(study.definition, mode=self.mode)) if self.mode else study

    def settings(self, port: int) -> Settings:
        """How it is served at a port."""
        return Settings(
            public_url=(self.public_url or f"http://{in_address(self.host)}:{port}").rstrip("/"),
            requests_per_minute=self.requests_per_minute,
            patience=self.patience,
        )

    def open(self, study: Study, *, alone: bool) -> Store:
        """The study's store."""
        return open_store(study, self.database, serving=alone, patience=self.patience)


@dataclass(frozen=True)
class Links:
    """Where people go."""

    participant: str
    recruiter: str
    admin: str

    @classmethod
    def of(cls, study: Study, settings: Settings, keys: Secrets) -> Links:
        """The links of a study. Recruiters put a person's id where the braces are."""
        names = study.definition.recruit.parameters
        query = "&".join(f"{n}={{{{%{n}%}}}}" for n in (names.participant, names.study, names.session))
        url = settings.public_url
        return cls(f"{url}/", f"{url}/?{query}", f"{url}/admin?token={keys.admin_token}")


def serve(serving: Serving) -> None:
    """Serve until interrupted. Everything that can be refused is refused before the port is opened."""
    check(serving)
    study = serving.study
    with ended_in_order(), serving.open(study, alone=True) as store:
        store.begin(time.time(), new_revision=serving.new_revision)
        keys = Secrets.of(study_key(study.folder), study.definition.id)
        listener = listening(serving.host, serving.port)
        port = listener.getsockname()[1]
        settings = serving.settings(port)
        for line in greeting(serving, study, store, settings, keys):
            print(line, flush=True)  # noqa: T201 - what the verb is for
        if serving.workers == 1:
            uvicorn.Server(uvicorn.Config(make_app(store, settings, keys=keys), **_OPTIONS)).run([listener])
            return
        listener.close()  # the workers' parent opens it again
        os.environ[_WORKER] = json.dumps(asdict(replace(serving, public_url=settings.public_url)))
        uvicorn.run(
            f"{__name__}:worker",
            factory=True,
            workers=serving.workers,
            host=serving.host,
            port=port,
            **_OPTIONS,
        )


@contextmanager
def ended_in_order() -> Iterator[None]:
    """A program that is told to end closes what it has open; only its main thread hears of it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def leave(*_: object) -> None:
        raise SystemExit(143)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def check(serving: Serving) -> None:
    """Refuse what cannot work."""
    url = serving.database or default_url(serving.folder)
    if serving.workers < 1:
        raise OptionError(f"--workers {serving.workers}: expected 1 or more.")
    if serving.workers > 1 and url.startswith("sqlite"):
        raise OptionError(
            f"--workers {serving.workers}: SQLite serves one worker; several need --database postgresql://user@host/name."
        )
    if not 0 <= serving.port <= 65_535:
        raise OptionError(f"--port {serving.port}: expected 0 to 65535.")
    if serving.requests_per_minute < 10:
        raise OptionError(f"--requests-per-minute {serving.requests_per_minute}: expected 10 or more.")
    serving.settings(serving.port)


def greeting(
    serving: Serving, study: Study, store: Store, settings: Settings, keys: Secrets
) -> Sequence[str]:
    """What the person who starts a server should know."""
    links = Links.of(study, settings, keys)
    definition = study.definition
    lines = [
        f"{definition.id} ({definition.mode}), answers in {store.database.shown}",
        f"participants  {links.participant}",
        f"recruiter     {links.recruiter}",
        f"admin         {links.admin}",
    ]
    if definition.recruit.required:
        lines[1] = "participants  only by the recruiter's link"
    if serving.host not in ("127.0.0.1", "::1", "localhost") and not settings.secure:
        lines.append(
            "note: open to the network without https: put a proxy with TLS before it and give --public-url https://…"
        )
    lines.append("Stop with Ctrl-C; nothing is lost, people go on where they were.")
    return lines


def worker() -> ASGIApp:
    """The application of one of several worker processes."""
    serving = Serving(**json.loads(os.environ[_WORKER]))
    study = serving.study
    return make_app(serving.open(study, alone=False), serving.settings(0))
