"""Access to the playground: only requests to a host name of this machine, from its own pages, with its token."""

from __future__ import annotations

import hashlib
import ipaddress
from typing import Protocol
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ..addresses import LockOut, client_network
from ..security import bearer_token, cookies_of, equal_in_constant_time, is_cross_site
from .settings import PlaygroundSettings

COOKIE = "plainmark"
_COOKIE_SECONDS = 7 * 86_400
_PUBLIC_PATHS = ("/static/", "/health")  # served without a token


class MessagePage(Protocol):
    """Makes a response with a message: a page for users, JSON for programs."""

    def __call__(self, request: Request, status: int, message: str, retry_after: int = 0) -> Response: ...


class AuthMiddleware:
    """Refuses requests with another machine's Host header, from pages of other sites, or without the token."""

    def __init__(self, app: ASGIApp, settings: PlaygroundSettings, message_page: MessagePage) -> None:
        self.app, self.settings, self._message = app, settings, message_page
        self._lock_out = LockOut()
        self._cookie = hashlib.sha256(b"plainmark cookie\0" + settings.token.encode()).hexdigest()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(Request(scope))
        await (refusal or self.app)(scope, receive, send)

    def _refusal(self, request: Request) -> Response | None:
        if not self._is_own_host(request.headers.get("host", "")):
            message = (
                "This machine has another name. Open the address that `plainmark serve` printed, or start it with "
                "--allow-host NAME."
            )
            return self._message(request, 421, message)
        if request.method == "POST" and is_cross_site(request, compare_origin=True):
            return self._message(request, 403, "A page of another site may not ask this.")
        if not self.settings.token or request.scope["path"].startswith(_PUBLIC_PATHS):
            return None
        return self._check_token(request)

    def _check_token(self, request: Request) -> Response | None:
        """None if the request has the token, else an error page; a link with the token sets a cookie."""
        token_in_link = request.query_params.get("token", "")
        token = bearer_token(request) or token_in_link
        if token:
            address = client_network(request)
            wait = self._lock_out.seconds_left(address)
            if wait or not equal_in_constant_time(token, self.settings.token):
                wait = wait or self._lock_out.fail(address)
                if wait:
                    message = (
                        "Too many wrong tokens came from your address. Please wait before you try again."
                    )
                    return self._message(request, 429, message, int(wait) + 1)
                return self._message(request, 403, "That is not the token of this server.")
            self._lock_out.succeed(address)
            if token_in_link and request.method == "GET":
                response = RedirectResponse("/", 303)
                response.set_cookie(
                    COOKIE, self._cookie, httponly=True, samesite="strict", max_age=_COOKIE_SECONDS
                )
                return response
            return None
        if equal_in_constant_time(cookies_of(request.scope).get(COOKIE, ""), self._cookie):
            return None
        message = "Open the link with the token that `plainmark serve` printed; programs send Authorization: Bearer TOKEN."
        refusal = self._message(request, 401, message)
        refusal.headers["www-authenticate"] = 'Bearer realm="plainmark"'
        return refusal

    def _is_own_host(self, host: str) -> bool:
        """Whether a Host header is an address or a known name; any other name may be DNS rebinding."""
        if not host or not all(c.isalnum() or c in ".:-[]_" for c in host):
            return False
        try:
            name = urlsplit(f"//{host}").hostname
        except ValueError:
            return False
        if not name:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name == "localhost" or name in self.settings.hosts
        return True
