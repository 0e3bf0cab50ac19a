"""How a study is served, and the secrets that are derived from its key."""

from __future__ import annotations

import os
from dataclasses import dataclass
from urllib.parse import urlsplit

from ...errors import OptionError
from ...study.keys import derived
from ..security import equal_in_constant_time

TOKEN_VARIABLE = "PLAINMARK_ADMIN_TOKEN"  # noqa: S105 - the name of a variable
_MIN_TOKEN_LENGTH = 16


@dataclass(frozen=True)
class StudySettings:
    """How a study is shown to the outside: its public URL and its limits."""

    public_url: str = "http://127.0.0.1:8000"
    requests_per_minute: int = 1200  # from one address; a session may make a fifth of them
    max_request_bytes: int = 1_000_000
    patience: float = 10.0  # seconds to wait for a database that is unavailable

    def __post_init__(self) -> None:
        parts = urlsplit(self.public_url)
        if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
            raise OptionError(
                f"--public-url {self.public_url[:80]!r}: expected an address such as https://study.example.org."
            )

    @property
    def secure(self) -> bool:
        """Whether the public URL is https, so that cookies must never travel without it."""
        return self.public_url.startswith("https:")

    @property
    def base(self) -> str:
        """The path under which a proxy shows the study, without a trailing slash."""
        return urlsplit(self.public_url).path.rstrip("/")


@dataclass(frozen=True)
class Secrets:
    """What only the server knows: the key of CSRF tokens and the administrator's token."""

    form_key: bytes
    admin_token: str

    @classmethod
    def derive(cls, key: bytes, study: str) -> Secrets:
        """Derive all secrets from the study's key, so that sessions survive a restart of the server."""
        token = os.environ.get(TOKEN_VARIABLE, "")
        if token and len(token) < _MIN_TOKEN_LENGTH:
            raise OptionError(
                f"{TOKEN_VARIABLE}: {len(token)} characters, expected at least {_MIN_TOKEN_LENGTH}."
            )
        return cls(derived(key, f"forms\0{study}").encode(), token or derived(key, f"admin\0{study}")[:40])

    def csrf_token(self, cookie: str) -> str:
        """The token that a form made for this cookie must carry."""
        return derived(self.form_key, f"csrf\0{cookie}")[:40]

    def is_csrf_token(self, cookie: str, token: str) -> bool:
        """Whether a form was made for this cookie."""
        return equal_in_constant_time(self.csrf_token(cookie), token)

    @property
    def admin_cookie(self) -> str:
        """What an administrator's browser stores instead of the token."""
        return derived(self.form_key, f"admin cookie\0{self.admin_token}")[:40]
