"""The settings of the playground, and the options of `plainmark serve` that they come from."""

from __future__ import annotations

import os
import secrets
import socket
from dataclasses import dataclass, field
from pathlib import Path

from ...aligners import aligner
from ...errors import InputError, MissingResourceError, OptionError
from ...explanation import FAST
from ..addresses import check_proxies
from ..security import read_token
from ..server import check_port, is_loopback
from .requests import MAX_TEXT, ComparisonForm, decode_file

TOKEN_VARIABLE = "PLAINMARK_TOKEN"  # noqa: S105 - the name of a variable


@dataclass(frozen=True)
class PlaygroundSettings:
    """How the playground is served."""

    token: str = ""
    folder: Path | None = None
    hosts: tuple[str, ...] = ()  # accepted Host headers besides localhost and IP addresses
    aligner: str = FAST
    form: ComparisonForm = field(default_factory=ComparisonForm)  # the texts that the page shows initially
    name: str = ""  # name of the edited file
    local: bool = True  # whether only this machine can reach the server
    requests_per_minute: int = 60_000
    max_request_bytes: int = 4_000_000
    workers: int = 2
    max_waiting: int = 500  # requests that may wait for a worker
    seconds: float = 20.0  # seconds that a request may wait, and that it may take
    secure: bool = False


@dataclass(frozen=True)
class PlaygroundOptions:
    """The options of `plainmark serve`."""

    paths: tuple[str, ...] = ()  # nothing, a folder, a text, or an original and one or two other texts
    host: str = "127.0.0.1"
    port: int = 8080
    token_file: str = ""
    hosts: tuple[str, ...] = ()
    trusted_proxies: tuple[str, ...] = ()
    aligner: str = FAST
    workers: int = field(default_factory=lambda: min(max(os.cpu_count() or 1, 2), 4))
    seconds: float = 20.0
    open: bool = False

    def settings(self) -> PlaygroundSettings:
        """Check the options and turn them into settings."""
        check_port(self.port)
        check_proxies(self.trusted_proxies)
        if not 1 <= self.workers <= 64:
            raise OptionError(f"--workers {self.workers}: expected 1 to 64.")
        if not 0.1 <= self.seconds <= 3600:
            raise OptionError(f"--seconds {self.seconds:g}: expected 0.1 to 3600.")
        sentence_aligner = aligner(self.aligner)
        if reason := sentence_aligner.missing():
            raise MissingResourceError(f"aligner {sentence_aligner.name} {reason}")
        folder, form = self._read_paths()
        hosts = {self.host.lower(), socket.gethostname().lower(), *(h.lower() for h in self.hosts)}
        return PlaygroundSettings(
            token=self._token(),
            folder=folder,
            hosts=tuple(sorted(hosts)),
            aligner=sentence_aligner.spec,
            form=form,
            name=Path(self.paths[-1]).stem if form.output else "",
            local=is_loopback(self.host),
            workers=self.workers,
            seconds=self.seconds,
        )

    def _token(self) -> str:
        """The token of the file or the environment, or a new one if there is none and others can reach the server."""
        token = read_token(TOKEN_VARIABLE, self.token_file)
        return token if token or is_loopback(self.host) else secrets.token_urlsafe(24)

    def _read_paths(self) -> tuple[Path | None, ComparisonForm]:
        if not self.paths:
            return None, ComparisonForm()
        if len(self.paths) == 1:
            path = Path(self.paths[0])
            if path.is_dir():
                return path.resolve(), ComparisonForm()
            return None, ComparisonForm(output=_read_text(self.paths[0]))
        if len(self.paths) > 3:
            raise InputError(
                f"found {len(self.paths)} files, expected an original, its simplification and perhaps a second version."
            )
        source, output, *second = map(_read_text, self.paths)
        return None, ComparisonForm(source=source, output=output, second=second[0] if second else "")


def _read_text(path: str) -> str:
    try:
        with Path(path).open("rb") as file:
            data = file.read(4 * MAX_TEXT + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot read it ({error.strerror}).") from None
    text = decode_file(data, path) if len(data) <= 4 * MAX_TEXT else " " * (MAX_TEXT + 1)
    if len(text) > MAX_TEXT:
        raise InputError(
            f"{path}: more than {MAX_TEXT:,} characters. `plainmark align` takes texts of any length."
        )
    return text
