"""Security middleware of both applications: headers, limits, forms, cookies and tokens.

Client addresses stay in memory, as keys of the rate limit, and are never written anywhere. A server error is logged only by
its type and location, because its message may contain personal data.
"""

from __future__ import annotations

import hmac
import logging
import math
import os
import re
import traceback
from pathlib import Path
from typing import Protocol
from urllib.parse import parse_qsl

from anyio import CancelScope, current_time, move_on_after
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..errors import OptionError
from .addresses import RateLimiter, network_of

LOG = logging.getLogger("plainmark.web")

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
    "x-robots-tag": "noindex, nofollow",
}

# A browser that may not finish sending shows no response, so an oversized request is read to its end and discarded.
_DRAIN_BYTES = 64_000_000
_DRAIN_SECONDS = 20.0
_MAX_FIELDS = 2000
_BODY_SECONDS = 60.0  # seconds for the whole body of a request
_MIN_TOKEN_BITS = 128


class RequestLimits(Protocol):
    """The settings that the middleware needs."""

    @property
    def requests_per_minute(self) -> int: ...
    @property
    def max_request_bytes(self) -> int: ...
    @property
    def secure(self) -> bool: ...


class RequestTooLargeError(Exception):
    """A request is larger than the application accepts."""


class RequestTooSlowError(Exception):
    """The body of a request took too long to arrive."""


class ErrorPage(Protocol):
    """Makes the response that tells a client why its request was refused."""

    def __call__(self, request: Request, status: int, message: str, retry_after: int = 0) -> ASGIApp: ...


def check_token_strength(token: str, name: str) -> str:
    """The token; an error if it could be guessed, that is, if it has fewer than 128 bits, judged by its different
    characters.
    """
    alphabet = 10 if token.isdigit() else 16 if re.fullmatch(r"[0-9a-f]*|[0-9A-F]*", token) else 64
    bits = int(len(token) * math.log2(alphabet))
    if not (token.isascii() and token.isprintable()) or bits < _MIN_TOKEN_BITS or len(set(token)) < 8:
        raise OptionError(
            f"{name}: a token of about {bits if len(set(token)) >= 8 else 0} bits, expected at least {_MIN_TOKEN_BITS} in"
            ' ASCII. To make one: python3 -c "import secrets; print(secrets.token_urlsafe(24))"'
        )
    return token


def read_token(variable: str, file: str = "") -> str:
    """A token from a file that only its owner can read, or from the environment; empty if there is neither."""
    if not file:
        token = os.environ.get(variable, "")
        return check_token_strength(token, variable) if token else ""
    path = Path(file)
    try:
        if os.name == "posix" and path.stat().st_mode & 0o077:
            raise OptionError(f"{path}: others can read this token. To fix it: chmod 600 {path}")
        token = path.read_text("ascii", "replace").strip()
    except OSError as error:
        raise OptionError(f"{path}: cannot read a token from it ({error.strerror}).") from None
    return check_token_strength(token, file)


class SecurityMiddleware:
    """The outermost ASGI application: sets headers, limits size and rate, and catches errors that nothing else caught."""

    def __init__(
        self,
        app: ASGIApp,
        limits: RequestLimits,
        *,
        session_cookie: str = "",
        too_large: str = "This is too large.",
        error_page: ErrorPage | None = None,
    ) -> None:
        self.app, self.limits, self._session_cookie = app, limits, session_cookie
        self._too_large, self._error_page = too_large, error_page
        per_minute = limits.requests_per_minute
        self._address_rate = RateLimiter(per_minute, per_minute / 2)
        self._session_rate = RateLimiter(per_minute / 5, per_minute / 10)
        self._headers = [(k.encode(), v.encode()) for k, v in HEADERS.items()]
        if limits.secure:
            self._headers.append((b"strict-transport-security", b"max-age=31536000"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = complete = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                present = {k for k, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *((k, v) for k, v in self._headers if k not in present),
                ]
                if message["status"] in (408, 413) and not complete:  # the rest of the body is not read
                    message["headers"].append((b"connection", b"close"))
                if b"cache-control" not in present:
                    message["headers"].append((b"cache-control", b"private, no-cache"))
            await send(message)

        received = 0
        deadline = current_time() + _BODY_SECONDS

        async def receive_limited() -> Message:
            nonlocal received, complete
            if complete:  # from here on, a receive waits for the client to disconnect
                return await receive()
            with CancelScope(deadline=deadline) as timer:
                message = await receive()
            if timer.cancelled_caught:
                raise RequestTooSlowError
            complete = not message.get("more_body", False)
            received += len(message.get("body", b""))
            if received > self.limits.max_request_bytes:
                raise RequestTooLargeError
            return message

        try:
            length = next((v for k, v in scope["headers"] if k == b"content-length"), b"0")
            if not length.isdigit() or int(length) > self.limits.max_request_bytes:
                raise RequestTooLargeError
            if b"%00" in scope["query_string"]:  # no database can store it, and nobody types it
                await self._refuse(
                    scope, send_with_headers, 400, "The address has a character that cannot be."
                )
                return
            if not self._within_rate(scope):
                message = "Too many requests. Please wait a minute and reload the page."
                await self._refuse(scope, send_with_headers, 429, message, retry_after=60)
                return
            await self.app(scope, receive_limited, send_with_headers)
        except RequestTooLargeError:
            await _drain(receive)
            await self._refuse(scope, send_with_headers, 413, self._too_large)
        except RequestTooSlowError:
            message = "Your request took too long to arrive. Please try again."
            await self._refuse(scope, send_with_headers, 408, message)
        # The application has responded already, and uvicorn must not log the message.
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            LOG.error("%s in %s, line %s", type(error).__name__, frame.name, frame.lineno)
            if not started:
                message = "Something went wrong here. Please reload the page."
                await self._refuse(scope, send_with_headers, 500, message)

    async def _refuse(
        self, scope: Scope, send: Send, status: int, message: str, retry_after: int = 0
    ) -> None:
        if self._error_page is None:
            await send_plain_text(send, status, message, retry_after=retry_after)
        else:
            response = self._error_page(Request(scope), status, message, retry_after)
            await response(scope, _disconnected, send)

    def _within_rate(self, scope: Scope) -> bool:
        client = scope.get("client")
        if not self._address_rate.allows(network_of(client[0] if client else "")):
            return False
        session = cookies_of(scope).get(self._session_cookie)
        return session is None or self._session_rate.allows(session[:64])


async def send_plain_text(send: Send, status: int, message: str, *, retry_after: int = 0) -> None:
    """A response that needs neither templates nor a database."""
    body = message.encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
    ]
    if retry_after:
        headers.append((b"retry-after", str(retry_after).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _drain(receive: Receive) -> None:
    received = 0
    with move_on_after(_DRAIN_SECONDS):
        while received < _DRAIN_BYTES:
            message = await receive()
            received += len(message.get("body", b""))
            if message["type"] != "http.request" or not message.get("more_body"):
                return


async def _disconnected() -> Message:
    return {"type": "http.disconnect"}


def cookies_of(scope: Scope) -> dict[str, str]:
    """The cookies of a request, unquoted, because plainmark quotes none of its own and http.cookies takes quadratic time to
    unquote.
    """
    cookies = {}
    for name, value in scope["headers"]:
        if name == b"cookie":
            for part in value.decode("latin-1").split(";"):
                key, _, text = part.partition("=")
                cookies[key.strip()] = text.strip()
    return cookies


def bearer_token(request: Request) -> str:
    """The token of an Authorization header, or an empty string."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def equal_in_constant_time(first: str, second: str) -> bool:
    """Whether two secrets are equal, in a time that does not reveal where they differ."""
    return hmac.compare_digest(first.encode("utf-8", "replace"), second.encode("utf-8", "replace"))


def is_cross_site(request: Request, *, compare_origin: bool) -> bool:
    """Whether the browser says that another site made this request.

    Old browsers do not send Sec-Fetch-Site. `compare_origin` then refuses an Origin other than the Host header, which is
    right only if no proxy changes that header; pages behind a proxy use CSRF tokens instead.
    """
    site = request.headers.get("sec-fetch-site", "")
    if site:
        return site not in ("same-origin", "none")
    origin = request.headers.get("origin", "")
    return compare_origin and bool(origin) and origin.partition("://")[2] != request.headers.get("host", "")


def content_type(request: Request) -> str:
    """The media type of a request's body, without parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a URL-encoded form; for a repeated name, the last value. Files and JSON are refused."""
    if content_type(request) != "application/x-www-form-urlencoded":
        raise HTTPException(415, "expected a form")
    body = await request.body()
    try:
        pairs = parse_qsl(
            body.decode("ascii", "replace"),
            keep_blank_values=True,
            encoding="utf-8",
            errors="replace",
            max_num_fields=_MAX_FIELDS,
        )
    except ValueError:
        raise HTTPException(400, "too many fields") from None
    form = dict(pairs)
    if any("\0" in name or "\0" in value for name, value in form.items()):
        raise HTTPException(400, "a character that no database stores")
    request.state.form = form
    return form
