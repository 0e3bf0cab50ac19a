"""Who is let in: the machine's own name, its own pages, and the token."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from typing import Protocol
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ..security import Rate, network_of
from .settings import Settings

COOKIE = "plainmark"
_KEPT = 7 * 86_400  # seconds that a browser knows the token
_OPEN = ("/static/", "/health")  # without a token


class Message(Protocol):
    """What says a few words to whoever asked."""

    def __call__(self, request: Request, status: int, words: str, retry: int = 0) -> Response: ...


class Door:
    """Lets in who calls the machine by its own name, from its own pages, and knows the token."""

    def __init__(self, app: ASGIApp, settings: Settings, say: Message) -> None:
        self.app, self.settings, self.say = app, settings, say
        self._guesses = Rate(20, 20)
        self._cookie = hashlib.sha256(b"plainmark cookie\0" + settings.token.encode()).hexdigest()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        answer = self._refusal(request)
        await (answer or self.app)(scope, receive, send)

    def _refusal(self, request: Request) -> Response | None:
        say = self.say
        if not self._is_host(request.headers.get("host", "")):
            words = "This machine has another name. Open the address that `plainmark serve` printed, or start it with --allow-host NAME."
            return say(request, 421, words)
        if request.method == "POST" and _from_elsewhere(request):
            return say(request, 403, "A page of another site may not ask this.")
        if not self.settings.token or request.scope["path"].startswith(_OPEN):
            return None
        return self._stranger(request)

    def _stranger(self, request: Request) -> Response | None:
        """None for those who know the token; a link with the token becomes a cookie."""
        scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
        link = request.query_params.get("token", "")
        given = bearer.strip() if scheme.lower() == "bearer" else link
        if given:
            if not _same(given, self.settings.token):
                address = network_of(request.client.host if request.client else "")
                wait = not self._guesses.allows(address)
                return self.say(
                    request, 429 if wait else 403, "That is not the token of this server.", 60 if wait else 0
                )
            if link and request.method == "GET":
                entered = RedirectResponse("/", 303)
                entered.set_cookie(COOKIE, self._cookie, httponly=True, samesite="strict", max_age=_KEPT)
                return entered
            return None
        if _same(request.cookies.get(COOKIE, ""), self._cookie):
            return None
        words = "Open the link with the token that `plainmark serve` printed; programs send Authorization: Bearer TOKEN."
        answer = self.say(request, 401, words)
        answer.headers["www-authenticate"] = 'Bearer realm="plainmark"'
        return answer

    def _is_host(self, host: str) -> bool:
        """Addresses and names that are known; any other name may be a page elsewhere that points its name here."""
        try:
            name = urlsplit(f"//{host}").hostname if _is_plain(host) else None
        except ValueError:
            return False
        if not name:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name == "localhost" or name in self.settings.hosts
        return True


def _from_elsewhere(request: Request) -> bool:
    """Whether the browser says that another site made this request; ours send no referrer, so their origin may be null."""
    site = request.headers.get("sec-fetch-site", "")
    if site:
        return site not in ("same-origin", "none")
    origin = request.headers.get("origin", "")
    return bool(origin) and origin.partition("://")[2] != request.headers.get("host", "")


def _is_plain(host: str) -> bool:
    return bool(host) and all(c.isalnum() or c in ".:-[]_" for c in host)


def _same(one: str, other: str) -> bool:
    """Equality that takes the same time wherever the two differ."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))
