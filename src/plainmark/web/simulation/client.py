"""A small HTTP client for simulated participants: connections and cookies of one browser, on 127.0.0.1 only.

A general-purpose client spends more time on a request than the server does, and a simulation would measure that.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode

HOST = "127.0.0.1"
_TIMEOUT = 60.0  # seconds to wait for a response


class ConnectionLostError(Exception):
    """The server went away before it responded; the message names the error."""


@dataclass(frozen=True)
class ClientResponse:
    """A response of the server."""

    status: int
    headers: Mapping[str, str]
    text: str
    path: str  # of the request

    @property
    def location(self) -> str:
        """Where a redirect leads."""
        return self.headers.get("location", "")


@dataclass
class BrowserClient:
    """One browser; concurrent requests use separate connections."""

    port: int
    address: str = ""  # of the loopback network, to come from; empty: the usual one
    cookies: dict[str, str] = field(default_factory=dict)
    _idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = field(default_factory=list)

    async def request(self, method: str, path: str, form: Mapping[str, str] | None = None) -> ClientResponse:
        """Send a request and wait for the whole response."""
        try:
            async with asyncio.timeout(_TIMEOUT):
                return await self._request(method, path, form)
        except (OSError, EOFError, ValueError, IndexError) as error:  # TimeoutError is an OSError
            raise ConnectionLostError(type(error).__name__) from None

    async def _request(self, method: str, path: str, form: Mapping[str, str] | None) -> ClientResponse:
        body = urlencode(form or {}).encode()
        lines = [f"{method} {path} HTTP/1.1", f"host: {HOST}:{self.port}"]
        if self.cookies:
            lines.append("cookie: " + "; ".join(f"{k}={v}" for k, v in self.cookies.items()))
        if form is not None:
            lines += ["content-type: application/x-www-form-urlencoded", f"content-length: {len(body)}"]
        reader, writer = await self._connection()
        try:
            writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
            await writer.drain()
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            status = int(head[0].split(" ")[1])
            headers: dict[str, str] = {}
            for line in head[1:]:
                name, _, value = line.partition(":")
                if name.lower() == "set-cookie":
                    key, _, cookie = value.strip().partition(";")[0].partition("=")
                    self.cookies[key] = cookie
                headers[name.lower()] = value.strip()
            text = (await reader.readexactly(int(headers.get("content-length", "0")))).decode()
        except BaseException:
            writer.close()
            raise
        if headers.get("connection") == "close":
            writer.close()
        else:
            self._idle.append((reader, writer))
        return ClientResponse(status, headers, text, path)

    async def _connection(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        while self._idle:
            reader, writer = self._idle.pop()
            if not (reader.at_eof() or writer.is_closing()):
                return reader, writer
            writer.close()
        source = (self.address, 0) if self.address else None
        return await asyncio.open_connection(HOST, self.port, local_addr=source)

    def use(self, port: int) -> None:
        """Go on with another server of the same study."""
        if port != self.port:
            self.close()
            self.port = port

    def close(self) -> None:
        """Close all connections."""
        for _, writer in self._idle:
            writer.close()
        self._idle.clear()
