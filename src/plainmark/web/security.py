"""What stands between the network and the pages: headers, sizes, rates, and a last net for faults.

Addresses are kept in memory only, as keys of the rate limit, and never written anywhere. A fault is logged by its type and
place alone, as its message may hold what a person wrote.
"""

from __future__ import annotations

import ipaddress
import logging
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Protocol

from anyio import move_on_after
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOG = logging.getLogger("plainmark.web")

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
    "x-robots-tag": "noindex, nofollow",
}


# What is read and thrown away of a request that is too large: a browser that may not finish sending shows no answer.
_DRAINED = 64_000_000
_DRAINING = 20.0  # seconds

Refusal = Callable[[Scope, int, str, int], ASGIApp]


class Limits(Protocol):
    """What a guard must be told."""

    @property
    def requests_per_minute(self) -> int: ...
    @property
    def largest_form(self) -> int: ...
    @property
    def secure(self) -> bool: ...


class TooLargeError(Exception):
    """A request brought more than it may."""


@dataclass
class Rate:
    """Buckets of requests that fill up again with time: at most `burst` at once, `per_minute` in the long run."""

    per_minute: float
    burst: float
    clock: Callable[[], float] = time.monotonic
    _left: dict[str, tuple[float, float]] = field(default_factory=dict)

    def allows(self, key: str) -> bool:
        """Take one from a key's bucket, if there is one left."""
        now = self.clock()
        left, then = self._left.get(key, (self.burst, now))
        left = min(self.burst, left + (now - then) * self.per_minute / 60)
        if len(self._left) > 20_000:
            self._forget(now)
        self._left[key] = (max(left - 1, 0.0) if left >= 1 else left, now)
        return left >= 1

    def _forget(self, now: float) -> None:
        """Buckets that are full again need not be known."""
        full = 60 * self.burst / self.per_minute
        self._left = {k: v for k, v in self._left.items() if now - v[1] < full}


def network_of(address: str) -> str:
    """The address that a rate counts for: an IPv6 user has a whole network of them."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address[:64]
    if parsed.version == 6 and not parsed.ipv4_mapped:
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)


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


class Guard:
    """The outermost application: everything that comes in and goes out passes here."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Limits,
        *,
        session_cookie: str,
        too_large: str = "This is more than the study takes at once.",
        refusal: Refusal | None = None,
    ) -> None:
        self.app, self.settings, self._session = app, settings, session_cookie
        self._too_large, self._refusal = too_large, refusal
        minute = settings.requests_per_minute
        self._by_address = Rate(minute, minute / 2)
        self._by_session = Rate(minute / 5, minute / 10)
        self._headers = [(k.encode(), v.encode()) for k, v in HEADERS.items()]
        if settings.secure:
            self._headers.append((b"strict-transport-security", b"max-age=31536000"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def answer(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                known = {k for k, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *((k, v) for k, v in self._headers if k not in known),
                ]
                if b"cache-control" not in known:
                    message["headers"].append((b"cache-control", b"private, no-cache"))
            await send(message)

        taken = 0

        async def take() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self.settings.largest_form:
                raise TooLargeError
            return message

        try:
            length = next((v for k, v in scope["headers"] if k == b"content-length"), b"0")
            if not length.isdigit() or int(length) > self.settings.largest_form:
                raise TooLargeError
            if not self._allowed(scope):
                words = "Too many requests. Please wait a minute and reload the page."
                await self._refuse(scope, answer, 429, words, 60)
                return
            await self.app(scope, take, answer)
        except TooLargeError:
            await _drain(receive)
            await self._refuse(scope, answer, 413, self._too_large)
        except (
            Exception
        ) as problem:  # the application has answered already; its server shall not log the message
            place = traceback.extract_tb(problem.__traceback__)[-1]
            LOG.error("%s in %s, line %s", type(problem).__name__, place.name, place.lineno)
            if not started:
                words = "Something went wrong here. Please reload the page."
                await self._refuse(scope, answer, 500, words)

    async def _refuse(self, scope: Scope, send: Send, status: int, words: str, retry: int = 0) -> None:
        if self._refusal is None:
            await say(send, status, words, retry=retry)
        else:
            await self._refusal(scope, status, words, retry)(scope, _nothing, send)

    def _allowed(self, scope: Scope) -> bool:
        client = scope.get("client")
        if not self._by_address.allows(network_of(client[0] if client else "")):
            return False
        session = cookies_of(scope).get(self._session)
        return session is None or self._by_session.allows(session[:64])


async def _drain(receive: Receive) -> None:
    taken = 0
    with move_on_after(_DRAINING):
        while taken < _DRAINED:
            message = await receive()
            taken += len(message.get("body", b""))
            if message["type"] != "http.request" or not message.get("more_body"):
                return


async def _nothing() -> Message:
    return {"type": "http.disconnect"}


async def say(send: Send, status: int, words: str, *, retry: int = 0) -> None:
    """A plain answer that needs neither templates nor database."""
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    if retry:
        headers.append((b"retry-after", str(retry).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": words.encode()})
