"""How a study is served, and the secrets that follow from its key."""

from __future__ import annotations

import hmac
import os
from dataclasses import dataclass
from urllib.parse import urlsplit

from ...errors import OptionError
from ...study.keys import derived

TOKEN_VARIABLE = "PLAINMARK_ADMIN_TOKEN"  # noqa: S105 - the name of a variable
_SHORTEST_TOKEN = 16


@dataclass(frozen=True)
class Settings:
    """What a server is told."""

    public_url: str = "http://127.0.0.1:8000"
    requests_per_minute: int = 1200  # from one address; a session may make a fifth of them
    largest_form: int = 1_000_000  # bytes
    patience: float = 10.0  # seconds to wait for a database that is away

    def __post_init__(self) -> None:
        parts = urlsplit(self.public_url)
        if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
            raise OptionError(
                f"--public-url {self.public_url[:80]!r}: expected an address such as https://study.example.org."
            )

    @property
    def secure(self) -> bool:
        """Whether people come by https, so that cookies must never travel without it."""
        return self.public_url.startswith("https:")

    @property
    def base(self) -> str:
        """The path under which a proxy shows the study, without a / at its end."""
        return urlsplit(self.public_url).path.rstrip("/")


@dataclass(frozen=True)
class Secrets:
    """What only the server knows: keys for forms and the administrator's token."""

    form_key: bytes
    admin_token: str

    @classmethod
    def of(cls, key: bytes, study: str) -> Secrets:
        """All follow from the study's key, so that a restarted server knows its people again."""
        token = os.environ.get(TOKEN_VARIABLE, "")
        if token and len(token) < _SHORTEST_TOKEN:
            raise OptionError(
                f"{TOKEN_VARIABLE}: {len(token)} characters, expected at least {_SHORTEST_TOKEN}."
            )
        return cls(derived(key, f"forms\0{study}").encode(), token or derived(key, f"admin\0{study}")[:40])

    def seal(self, value: str) -> str:
        """What a form must bring along if it was made for this cookie."""
        return derived(self.form_key, f"csrf\0{value}")[:40]

    def is_sealed(self, value: str, seal: str) -> bool:
        """Whether a form was made for this cookie."""
        return same(self.seal(value), seal)

    @property
    def admin_cookie(self) -> str:
        """What an administrator's browser keeps instead of the token."""
        return derived(self.form_key, f"admin cookie\0{self.admin_token}")[:40]


def same(one: str, other: str) -> bool:
    """Equality that takes the same time wherever the two differ."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))
