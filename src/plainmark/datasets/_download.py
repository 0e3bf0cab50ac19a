"""Downloads of data set files: https only, no more bytes than declared, and discarded unless the sha256 matches.

Bytes are first written to an unnamed temporary file; the target is written under another name and renamed.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPException, HTTPMessage
from pathlib import Path, PurePosixPath
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from ..errors import InputError, MissingResourceError
from ..writing import writing_bytes
from . import Source

Progress = Callable[[int, int], None]  # bytes done, bytes expected

TIMEOUT = 30  # seconds without a response
LARGEST_ARCHIVE = 256 * 2**20
_CHUNK = 1 << 16


def download(source: Source, folder: Path, progress: Progress | None = None) -> Path:
    """Download a file into a folder and return its path; an intact file that already exists is kept."""
    relative = PurePosixPath(source.path)
    if relative.is_absolute() or ".." in relative.parts:
        raise InputError(f"{source.path}: expected a path below the data folder.")
    target = folder / relative
    if is_intact(target, source):
        return target
    if not source.url:
        raise MissingResourceError(
            f"{source.path} cannot be downloaded: {source.reason}. Put it at {target}."
        )
    with tempfile.TemporaryFile() as content:
        if source.archive:
            with tempfile.TemporaryFile() as archive:
                fetch(source, target, archive, LARGEST_ARCHIVE, progress)
                size, sha256 = unpack(source, archive, content)
        else:
            size, sha256 = fetch(source, target, content, source.size, progress)
        if (size, sha256) != (source.size, source.sha256):
            raise InputError(
                f"{source.url}: sha256 {sha256[:12]}… ({size:,} bytes), expected {source.sha256[:12]}…"
                f" ({source.size:,} bytes); rejected, and nothing was stored."
            )
        _move(content, target)
    return target


def is_intact(path: Path, source: Source) -> bool:
    """Whether a file exists and has the declared content."""
    try:
        with path.open("rb") as file:
            return path.stat().st_size == source.size and _sha256(file) == source.sha256
    except OSError:
        return False


def fetch(
    source: Source, target: Path, into: IO[bytes], largest: int, progress: Progress | None
) -> tuple[int, str]:
    """Download into an open file; return size and sha256."""
    by_hand = f"Without a network, get it elsewhere and put it at {target}."
    try:
        with open_url(source.url) as response:
            return _copy(response, into, source, largest, progress)
    except HTTPError as problem:
        problem.close()
        raise MissingResourceError(
            f"{source.url}: the server says {problem.code} {problem.reason}. {by_hand}"
        ) from None
    except (URLError, HTTPException, OSError) as problem:
        reason = getattr(problem, "reason", None) or problem
        raise MissingResourceError(f"{source.url}: cannot be reached ({reason}). {by_hand}") from None


def unpack(source: Source, archive: IO[bytes], into: IO[bytes]) -> tuple[int, str]:
    """Extract the file of an archive that has the source's name; names in the archive are never used as paths."""
    name = PurePosixPath(source.path).name
    try:
        with zipfile.ZipFile(archive) as zipped:
            members = [m for m in zipped.infolist() if PurePosixPath(m.filename).name == name]
            if len(members) != 1:
                raise InputError(f"{source.url}: {len(members)} files called {name} in it, expected one.")
            with zipped.open(members[0]) as file:
                return _copy(file, into, source, source.size, None)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as problem:
        raise InputError(f"{source.url}: not a ZIP archive that can be read ({problem}).") from None


class OnlyHttps(HTTPRedirectHandler):
    """Follows a redirection only to another https address."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        check_address(newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def check_address(url: str) -> None:
    """Raise InputError for an address that is not https."""
    if urlsplit(url).scheme != "https":
        raise InputError(f"{url}: not an https address; refused.")


@contextmanager
def open_url(url: str) -> Iterator[Any]:
    """The response to an https request."""
    check_address(url)
    request = Request(url, headers={"User-Agent": "plainmark"})  # noqa: S310 - https, as checked
    with build_opener(OnlyHttps()).open(request, timeout=TIMEOUT) as response:
        yield response


def _copy(
    file: IO[bytes], into: IO[bytes], source: Source, largest: int, progress: Progress | None
) -> tuple[int, str]:
    size, digest = 0, hashlib.sha256()
    while chunk := file.read(_CHUNK):
        size += len(chunk)
        if size > largest:
            raise InputError(f"{source.url}: more than {largest:,} bytes; rejected, and nothing was stored.")
        digest.update(chunk)
        into.write(chunk)
        if progress:
            progress(size, source.size)
    return size, digest.hexdigest()


def _sha256(file: Any) -> str:
    return hashlib.file_digest(file, "sha256").hexdigest()


def _move(file: IO[bytes], target: Path) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        file.seek(0)
        with writing_bytes(target) as out:
            shutil.copyfileobj(file, out)
    except OSError as problem:
        raise InputError(f"{target}: cannot write here ({problem.strerror}).") from None
