"""Participants are known by keyed hashes alone: HMAC-SHA256 of the recruiter's id under the study's secret key.

The key comes from PLAINMARK_STUDY_KEY or from a file in the study's folder that only its owner can read. Without the key
no one can tell whether a known id took part; with it, `purge` finds the person again.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from ..errors import StoreError

VARIABLE = "PLAINMARK_STUDY_KEY"
FILE = ".study-key"
_SHORTEST = 16


def study_key(folder: str | Path, *, create: bool = True) -> bytes:
    """The secret key of a study; made on first use."""
    given = os.environ.get(VARIABLE, "")
    if given:
        if len(given) < _SHORTEST:
            raise StoreError(f"{VARIABLE}: {len(given)} characters, expected at least {_SHORTEST}.")
        return given.encode()
    path = Path(folder) / FILE
    if create:
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            pass
        except OSError as problem:
            raise StoreError(
                f"{path}: cannot write the study's key ({problem.strerror}); set {VARIABLE}."
            ) from None
        else:
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(secrets.token_hex(32))
    try:
        if path.stat().st_mode & 0o077:
            raise StoreError(f"{path}: others can read the study's key. Mend it: chmod 600 {path}")
        key = path.read_bytes().strip()
    except OSError as problem:
        raise StoreError(
            f"{path}: cannot read the study's key ({problem.strerror}); set {VARIABLE}."
        ) from None
    if len(key) < _SHORTEST:
        raise StoreError(f"{path}: {len(key)} characters, expected at least {_SHORTEST}.")
    return key


def participant_hash(key: bytes, study: str, external: str) -> str:
    """What the database knows a person by."""
    return derived(key, f"participant\0{study}\0{external}")[:32]


def derived(key: bytes, purpose: str) -> str:
    """A secret for one purpose (such as an admin token) that tells nothing of the key."""
    return hmac.new(key, purpose.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()
