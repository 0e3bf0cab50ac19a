"""Serving a study: options, checks before the port is opened, what is printed, and uvicorn."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlencode

import uvicorn
from starlette.types import ASGIApp

from ...errors import OptionError
from ...study import load, open_store
from ...study.definition.codes import check_codes
from ...study.definition.loading import Study
from ...study.keys import link_signature, study_key
from ...study.store.store import default_url
from ..addresses import check_proxies
from ..logs import log_as_json
from ..server import UVICORN_OPTIONS, check_port, is_loopback, listen, url_host
from .app import make_app
from .preview import make_preview
from .settings import SIGNATURE, TOKEN_VARIABLE, Secrets, StudySettings, read_administrators, read_ids

if TYPE_CHECKING:
    from ...study.store.store import Store

_WORKER_VARIABLE = "PLAINMARK_SERVE"  # how a worker process learns what to serve
_UVICORN: dict[str, Any] = {
    **UVICORN_OPTIONS,
    "timeout_graceful_shutdown": 30,
    "proxy_headers": True,
}


@dataclass(frozen=True)
class StudyServeOptions:
    """The options of `study serve`."""

    folder: str
    database: str = ""
    host: str = "127.0.0.1"
    port: int = 8000
    mode: Literal["", "pilot", "live"] = ""  # empty: the definition's own
    workers: int = 1
    public_url: str = ""
    requests_per_minute: int = 1200
    starts_per_hour: int = 30
    signed_links: bool = False
    ids: str = ""  # a file
    trusted_proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    patience: float = 10.0
    new_revision: bool = False
    without_codes: tuple[str, ...] = ()  # outcomes whose people are not sent back to a recruiter
    admins: str = ""  # a file
    log: Literal["", "json"] = ""
    ahead: float = 0.0  # hours that the clock is ahead, to try later sessions

    def load(self) -> Study:
        """Load the study in the requested mode."""
        study = load(self.folder)
        return study.in_mode(self.mode) if self.mode else study

    def settings(self, port: int) -> StudySettings:
        """The settings of a server at that port."""
        return StudySettings(
            public_url=(self.public_url or f"http://{url_host(self.host)}:{port}").rstrip("/"),
            requests_per_minute=self.requests_per_minute,
            starts_per_hour=self.starts_per_hour,
            signed_links=self.signed_links,
            ids=read_ids(self.ids) if self.ids else None,
            patience=self.patience,
        )

    def clock(self) -> float:
        """The time of the study."""
        return time.time() + 3600 * self.ahead

    @property
    def uvicorn(self) -> dict[str, Any]:
        """The options of uvicorn."""
        return {**_UVICORN, "forwarded_allow_ips": check_proxies(self.trusted_proxies)}

    def secrets(self, study: Study) -> Secrets:
        """The secrets of a study, and its administrators."""
        administrators = read_administrators(self.admins) if self.admins else ()
        return Secrets.derive(study_key(study.folder), study.definition.id, administrators)

    def open(self, study: Study, *, alone: bool) -> Store:
        """Open the study's store; `alone` keeps other servers off an SQLite file."""
        return open_store(study, self.database, serving=alone, patience=self.patience)


@dataclass(frozen=True)
class StudyLinks:
    """The links for participants, the recruiter and the administrator."""

    participant: str
    recruiter: str
    admin: str

    @classmethod
    def make(cls, study: Study, settings: StudySettings, secrets: Secrets) -> StudyLinks:
        """The links of a study. Recruiters put a participant's id where the braces are."""
        names = study.definition.recruit.parameters
        query = "&".join(f"{n}={{{{%{n}%}}}}" for n in (names.participant, names.study, names.session))
        url = settings.public_url
        return cls(f"{url}/", f"{url}/?{query}", f"{url}/admin?token={secrets.admin_token}")


def signed_link(study: Study, settings: StudySettings, key: bytes, external: str) -> str:
    """The link of one participant, signed."""
    definition = study.definition
    signature = link_signature(key, definition.id, external)
    query = urlencode({definition.recruit.parameters.participant: external, SIGNATURE: signature})
    return f"{settings.public_url}/?{query}"


def serve(options: StudyServeOptions) -> None:
    """Serve until interrupted. Whatever can be refused is refused before the port is opened."""
    check(options)
    study = options.load()
    if study.definition.mode == "live":
        check_codes(study, options.folder, options.without_codes)
    secrets = options.secrets(study)
    with clean_exit_on_sigterm(), options.open(study, alone=True) as store, ExitStack() as stack:
        store.begin(options.clock(), new_revision=options.new_revision)
        listener = stack.enter_context(listen(options.host, options.port))
        port = listener.getsockname()[1]
        settings = options.settings(port)
        store.note("serve", f"{store.mode}, definition {study.digest[:12]}", options.clock(), actor="server")
        for line in greeting(options, study, store, settings, secrets):
            print(line, flush=True)  # noqa: T201 - what the verb is for
        if options.log:
            log_as_json()
        if options.workers == 1:
            app = make_app(store, settings, secrets=secrets, clock=options.clock)
            uvicorn.Server(uvicorn.Config(app, **options.uvicorn)).run([listener])
            return
        listener.close()  # uvicorn's supervisor opens it again
        os.environ[_WORKER_VARIABLE] = json.dumps(asdict(replace(options, public_url=settings.public_url)))
        uvicorn.run(
            f"{__name__}:worker_app",
            factory=True,
            workers=options.workers,
            host=options.host,
            port=port,
            **options.uvicorn,
        )


def serve_preview(folder: str, host: str, port: int) -> None:
    """Serve the preview of a study until interrupted."""
    check_port(port)
    study = load(folder)
    listener = listen(host, port)
    address = f"http://{url_host(host)}:{listener.getsockname()[1]}"
    with clean_exit_on_sigterm():
        where = f"preview of {study.definition.id}: {address}/"
        print(f"{where}  (nothing is stored; stop with Ctrl-C)", flush=True)  # noqa: T201
        app = make_preview(study, StudySettings(public_url=address))
        uvicorn.Server(uvicorn.Config(app, **_UVICORN)).run([listener])


@contextmanager
def clean_exit_on_sigterm() -> Iterator[None]:
    """Turn SIGTERM into SystemExit, so that open resources are closed; only the main thread receives signals."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def leave(*_: object) -> None:
        raise SystemExit(143)

    previous = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)


def check(options: StudyServeOptions) -> None:
    """Refuse options that cannot work."""
    url = options.database or default_url(options.folder)
    if options.workers < 1:
        raise OptionError(f"--workers {options.workers}: expected 1 or more.")
    if options.workers > 1 and url.startswith("sqlite"):
        raise OptionError(
            f"--workers {options.workers}: SQLite serves one worker; several need --database postgresql://user@host/name."
        )
    check_port(options.port)
    if not 0 <= options.ahead <= 100_000:
        raise OptionError(f"--ahead {options.ahead:g}: expected 0 to 100,000 hours.")
    if options.ahead and options.load().definition.mode == "live":
        raise OptionError("--ahead: a live study keeps the real time; expected a pilot.")
    if options.requests_per_minute < 10:
        raise OptionError(f"--requests-per-minute {options.requests_per_minute}: expected 10 or more.")
    if options.starts_per_hour < 1:
        raise OptionError(f"--starts-per-hour {options.starts_per_hour}: expected 1 or more.")
    check_proxies(options.trusted_proxies)
    options.settings(options.port)


def greeting(
    options: StudyServeOptions, study: Study, store: Store, settings: StudySettings, secrets: Secrets
) -> Sequence[str]:
    """What the person who starts a server should know."""
    links = StudyLinks.make(study, settings, secrets)
    definition = study.definition
    # A token that was given is known to whoever gave it, and need not be in the logs of a container.
    given = os.environ.get(TOKEN_VARIABLE)
    admin = (
        f"{settings.public_url}/admin?token=(the {TOKEN_VARIABLE} that you gave)" if given else links.admin
    )
    lines = [
        f"{definition.id} ({definition.mode}), answers in {store.database.shown}",
        f"participants  {links.participant}",
        f"recruiter     {links.recruiter}",
        f"admin         {admin}",
    ]
    if settings.signed_links:
        lines[1:3] = ["participants  only by signed links: plainmark study links FOLDER IDS makes them"]
    elif definition.recruit.required or settings.by_link_only:
        lines[1] = "participants  only by the recruiter's link"
    if not is_loopback(options.host) and not settings.secure:
        lines.append(
            "note: open to the network without https: put a proxy with TLS before it and give --public-url https://…"
        )
    if not os.access(study.folder, os.W_OK):
        lines.append(
            f"note: {study.folder} cannot be written: who withdraws is listed in the database alone, not in withdrawn.txt."
        )
    lines.append("Stop with Ctrl-C; nothing is lost, participants resume where they were.")
    return lines


def worker_app() -> ASGIApp:
    """The application of one of several worker processes."""
    options = StudyServeOptions(**json.loads(os.environ[_WORKER_VARIABLE]))
    study = options.load()
    if options.log:
        log_as_json()
    store, secrets = options.open(study, alone=False), options.secrets(study)
    return make_app(store, options.settings(0), secrets=secrets, clock=options.clock)
