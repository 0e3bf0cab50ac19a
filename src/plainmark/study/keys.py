"""The secret key of a study, and what is derived from it.

Participants are stored as keyed hashes alone: HMAC-SHA256 of the recruiter's id. The key comes from PLAINMARK_STUDY_KEY or
from a file in the study's folder that only its owner can read. Without it no one can tell whether a known id took part; with
it, `purge` finds the participant again.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from ..errors import StoreError

VARIABLE = "PLAINMARK_STUDY_KEY"
LINK_VARIABLE = (
    "PLAINMARK_LINK_KEY"  # for links that a recruiter signs: a secret that reveals nothing of the answers
)
FILE = ".study-key"
_MIN_LENGTH = 16
ID_LENGTH = 12  # 48 bits: of 10,000 participants two agree with a probability of 2e-7


def study_key(folder: str | Path, *, create: bool = True) -> bytes:
    """The secret key of a study; created on first use."""
    value = os.environ.get(VARIABLE, "")
    if value:
        if len(value) < _MIN_LENGTH:
            raise StoreError(f"{VARIABLE}: {len(value)} characters, expected at least {_MIN_LENGTH}.")
        return value.encode()
    path = Path(folder) / FILE
    if create:
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            pass
        except OSError as error:
            raise StoreError(
                f"{path}: cannot write the study's key ({error.strerror}); set {VARIABLE}."
            ) from None
        else:
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(secrets.token_hex(32))
    try:
        if os.name == "posix" and path.stat().st_mode & 0o077:
            raise StoreError(f"{path}: others can read the study's key. To fix it: chmod 600 {path}")
        key = path.read_bytes().strip()
    except OSError as error:
        raise StoreError(f"{path}: cannot read the study's key ({error.strerror}); set {VARIABLE}.") from None
    if len(key) < _MIN_LENGTH:
        raise StoreError(f"{path}: {len(key)} characters, expected at least {_MIN_LENGTH}.")
    return key


def participant_hash(key: bytes, study: str, external: str) -> str:
    """The hash by which the database knows a participant."""
    return derived(key, f"participant\0{study}\0{external}")[:32]


def short_id(hashed: str) -> str:
    """The id of a participant on the dashboard, in reports, in exports and for purge: the start of the hash."""
    return hashed[:ID_LENGTH]


def tombstone(key: bytes, hashed: str) -> str:
    """What is kept of someone who withdrew: it tells whether a hash is theirs, and only to who has the key."""
    return derived(key, f"withdrawn\0{hashed}")[:32]


def withdrawal_code(key: bytes, study: str, hashed: str) -> str:
    """The code with which a participant withdraws: their id and a proof, in groups of four."""
    digits = short_id(hashed) + derived(key, f"withdrawal\0{study}\0{hashed}")[:16]
    return "-".join(digits[i : i + 4] for i in range(0, len(digits), 4))


def link_signature(key: bytes, study: str, external: str) -> str:
    """The signature of a participant's link: it shows that whoever runs the study made it for this id."""
    secret = os.environ.get(LINK_VARIABLE, "")
    if secret and len(secret) < _MIN_LENGTH:
        raise StoreError(f"{LINK_VARIABLE}: {len(secret)} characters, expected at least {_MIN_LENGTH}.")
    return derived(secret.encode() or key, f"link\0{study}\0{external}")[:40]


def derived(key: bytes, purpose: str) -> str:
    """A secret for one purpose, such as an admin token, that reveals nothing of the key."""
    return hmac.new(key, purpose.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()
