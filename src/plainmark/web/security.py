"""What both applications share between the network and their pages: headers, limits, forms, cookies and tokens.

Client addresses stay in memory, as keys of the rate limit, and are never written anywhere. A server error is logged by its
type and place alone, as its message may hold what a person wrote.
"""

from __future__ import annotations

import hmac
import ipaddress
import logging
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Protocol
from urllib.parse import parse_qsl

from anyio import move_on_after
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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

# A browser that may not finish sending shows no response, so an oversized request is read to its end and dropped.
_DRAIN_BYTES = 64_000_000
_DRAIN_SECONDS = 20.0
_TRACKED_CLIENTS = 20_000
_MAX_FIELDS = 2000


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


class ErrorPage(Protocol):
    """Makes the response that tells a client why its request was refused."""

    def __call__(self, request: Request, status: int, message: str, retry_after: int = 0) -> ASGIApp: ...


@dataclass
class RateLimiter:
    """A token bucket for each key: at most `burst` requests at once, `per_minute` in the long run."""

    per_minute: float
    burst: float
    clock: Callable[[], float] = time.monotonic
    _buckets: dict[str, tuple[float, float]] = field(default_factory=dict)  # key -> tokens, time of last use

    def allows(self, key: str) -> bool:
        """Take one token from a key's bucket, if there is one left."""
        now = self.clock()
        tokens, last_used = self._buckets.get(key, (self.burst, now))
        tokens = min(self.burst, tokens + (now - last_used) * self.per_minute / 60)
        if len(self._buckets) > _TRACKED_CLIENTS:
            self._drop_full(now)
        self._buckets[key] = (max(tokens - 1, 0.0) if tokens >= 1 else tokens, now)
        return tokens >= 1

    def _drop_full(self, now: float) -> None:
        """Forget buckets that are full again."""
        seconds_to_fill = 60 * self.burst / self.per_minute
        self._buckets = {k: v for k, v in self._buckets.items() if now - v[1] < seconds_to_fill}


class SecurityMiddleware:
    """The outermost ASGI application: sets headers, limits size and rate, and catches errors that nothing else caught."""

    def __init__(
        self,
        app: ASGIApp,
        limits: RequestLimits,
        *,
        session_cookie: str = "",
        too_large: str = "This is more than the study takes at once.",
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
        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                present = {k for k, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *((k, v) for k, v in self._headers if k not in present),
                ]
                if b"cache-control" not in present:
                    message["headers"].append((b"cache-control", b"private, no-cache"))
            await send(message)

        received = 0

        async def receive_limited() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self.limits.max_request_bytes:
                raise RequestTooLargeError
            return message

        try:
            length = next((v for k, v in scope["headers"] if k == b"content-length"), b"0")
            if not length.isdigit() or int(length) > self.limits.max_request_bytes:
                raise RequestTooLargeError
            if not self._within_rate(scope):
                message = "Too many requests. Please wait a minute and reload the page."
                await self._refuse(scope, send_with_headers, 429, message, retry_after=60)
                return
            await self.app(scope, receive_limited, send_with_headers)
        except RequestTooLargeError:
            await _drain(receive)
            await self._refuse(scope, send_with_headers, 413, self._too_large)
        # The application has responded already; uvicorn must not log the message.
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
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    if retry_after:
        headers.append((b"retry-after", str(retry_after).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": message.encode()})


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


def network_of(address: str) -> str:
    """The network that a rate limit counts for: an IPv6 user has a whole /64 of addresses."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address[:64]
    if parsed.version == 6 and not parsed.ipv4_mapped:
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)


def client_network(request: Request) -> str:
    """The network that a request comes from."""
    return network_of(request.client.host if request.client else "")


def cookies_of(scope: Scope) -> dict[str, str]:
    """The cookies of a request."""
    jar = SimpleCookie()
    for name, value in scope["headers"]:
        if name == b"cookie":
            try:
                jar.load(value.decode("latin-1"))
            except CookieError:
                return {}
    return {k: m.value for k, m in jar.items()}


def bearer_token(request: Request) -> str:
    """The token of an Authorization header, or an empty string."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def equal_in_constant_time(first: str, second: str) -> bool:
    """Whether two secrets are equal, in a time that does not tell where they differ."""
    return hmac.compare_digest(first.encode("utf-8", "replace"), second.encode("utf-8", "replace"))


def is_cross_site(request: Request, *, compare_origin: bool) -> bool:
    """Whether the browser says that another site made this request.

    Old browsers send no Sec-Fetch-Site. `compare_origin` then refuses an Origin other than the Host header, which is
    only right where no proxy changes that header; pages behind one have CSRF tokens instead.
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
    """The fields of a URL-encoded form; the last value of a repeated name. Files and JSON are refused."""
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
    request.state.form = form
    return form
