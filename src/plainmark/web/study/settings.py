"""How a study is served, and the secrets that are derived from its key."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from ...errors import OptionError
from ...study.keys import derived, link_signature
from ..security import check_token_strength, equal_in_constant_time, read_token

TOKEN_VARIABLE = "PLAINMARK_ADMIN_TOKEN"  # noqa: S105 - the name of a variable
ADMINISTRATOR = "admin"  # who has the token that `study serve` prints
SIGNATURE = "sig"  # the parameter of a link that holds its signature


@dataclass(frozen=True)
class StudySettings:
    """How a study is shown to the outside: its public URL and its limits."""

    public_url: str = "http://127.0.0.1:8000"
    requests_per_minute: int = 1200  # from one address; a session may make a fifth of them
    starts_per_hour: int = 30  # new participants from one address, unless their links are signed
    signed_links: bool = False  # admit only those whose link is signed
    ids: frozenset[str] | None = None  # admit only these
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
    def by_link_only(self) -> bool:
        """Whether nobody can take part without a link that was made for them."""
        return self.signed_links or self.ids is not None

    @property
    def base(self) -> str:
        """The path under which a proxy shows the study, without a trailing slash."""
        return urlsplit(self.public_url).path.rstrip("/")


@dataclass(frozen=True)
class Secrets:
    """What only the server knows: the key of CSRF tokens and the administrator's token."""

    form_key: bytes
    admin_token: str
    study_key: bytes = b""
    study: str = ""
    administrators: tuple[tuple[str, str], ...] = ()  # names and tokens of further administrators

    @classmethod
    def derive(cls, key: bytes, study: str, administrators: tuple[tuple[str, str], ...] = ()) -> Secrets:
        """Derive all secrets from the study's key, so that sessions survive a restart of the server."""
        token = read_token(TOKEN_VARIABLE)
        form_key = derived(key, f"forms\0{study}").encode()
        admin_token = token or derived(key, f"admin\0{study}")[:40]
        return cls(form_key, admin_token, key, study, administrators)

    def administrator(self, *, token: str = "", cookie: str = "") -> str:
        """The name of the administrator with that token or cookie; empty: nobody's."""
        name = ""
        for known, secret in ((ADMINISTRATOR, self.admin_token), *self.administrators):
            given, expected = (token, secret) if token else (cookie, self.cookie_of(secret))
            if given and equal_in_constant_time(given, expected):
                name = known
        return name

    def cookie_of(self, token: str) -> str:
        """What the browser of the administrator with that token stores instead of it."""
        return derived(self.form_key, f"admin cookie\0{token}")[:40]

    def session_token(self, external: str, visit: str) -> str:
        """The secret of a session that this browser begins; with it, a second click finds the same session."""
        return derived(self.form_key, f"session\0{external}\0{visit}")[:40]

    def is_signature(self, external: str, signature: str) -> bool:
        """Whether a link was signed for this id."""
        return equal_in_constant_time(link_signature(self.study_key, self.study, external), signature)

    def csrf_token(self, cookie: str) -> str:
        """The token that a form made for this cookie must carry."""
        return derived(self.form_key, f"csrf\0{cookie}")[:40]

    def is_csrf_token(self, cookie: str, token: str) -> bool:
        """Whether a form was made for this cookie."""
        return equal_in_constant_time(self.csrf_token(cookie), token)

    @property
    def admin_cookie(self) -> str:
        """What an administrator's browser stores instead of the token."""
        return self.cookie_of(self.admin_token)


def read_administrators(path: str) -> tuple[tuple[str, str], ...]:
    """The names and tokens of a file that only its owner can read, one administrator per line."""
    file = Path(path)
    try:
        if os.name == "posix" and file.stat().st_mode & 0o077:
            raise OptionError(f"--admins {path}: others can read these tokens. To fix it: chmod 600 {path}")
        lines = [line.split() for line in file.read_text("utf-8-sig").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise OptionError(f"--admins {path}: cannot read it ({reason}).") from None
    people: dict[str, str] = {}
    for number, words in enumerate(lines, 1):
        if not words or words[0].startswith("#"):
            continue
        if len(words) != 2 or words[0] in (ADMINISTRATOR, *people):
            raise OptionError(f"--admins {path}, line {number}: expected a new name and a token.")
        people[words[0][:60]] = check_token_strength(words[1], f"--admins {path}, line {number}")
    return tuple(people.items())


def read_ids(path: str) -> frozenset[str]:
    """The ids of a file, one per line."""
    try:
        lines = Path(path).read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise OptionError(f"--ids {path}: cannot read it ({reason}).") from None
    ids = frozenset(line.strip() for line in lines if line.strip())
    if not ids:
        raise OptionError(f"--ids {path}: no ids in it, expected one per line.")
    return ids
