"""Prevents clients from holding connections open without using them: time limits for headers and responses, and a limit for
each address.

uvicorn limits the connections of all clients together and those that are idle between two requests. This module disconnects
clients that send headers byte by byte, do not read their response, or open hundreds of connections; security.py does the
same for slow bodies.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from .addresses import is_in, network_of

HEADER_SECONDS = 10.0
CONNECTIONS_PER_ADDRESS = 256
READ_SECONDS = 30.0  # seconds in which a client must read _READ_BYTES of its response, or all of it
_READ_BYTES = 16_000


class LimitedProtocol(H11Protocol):
    """HTTP/1.1 with these limits; a trusted proxy may open any number of connections."""

    header_seconds = HEADER_SECONDS
    read_seconds = READ_SECONDS
    connections_per_address = CONNECTIONS_PER_ADDRESS

    _open: ClassVar[Counter[str]] = Counter()  # open connections by address, in this process

    def __init__(self, config: Any, *more: Any, **options: Any) -> None:
        super().__init__(config, *more, **options)
        self._timer: asyncio.TimerHandle | None = None
        self._reading_timer: asyncio.TimerHandle | None = None
        self._address = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, and close it if its address has too many."""
        super().connection_made(transport)
        _send_at_once(transport)
        host = self.client[0] if self.client else ""
        if not self._is_trusted(host):
            self._address = network_of(host)
            self._open[self._address] += 1
            if self._open[self._address] > self.connections_per_address:
                transport.close()
                return
        self._expect_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        super().connection_lost(exc)
        self._stop_timer()
        self._stop_reading_timer()
        if self._address:
            self._open[self._address] -= 1
            if self._open[self._address] <= 0:
                del self._open[self._address]
            self._address = ""

    def handle_events(self) -> None:
        """Stop the timer when the headers of a request are complete, and start it when the next ones begin."""
        super().handle_events()
        state = self.conn.their_state
        if state is h11.IDLE and self.conn.trailing_data[0]:
            self._expect_headers()
        elif state is not h11.IDLE and not self._answered_early():
            self._stop_timer()

    def on_response_complete(self) -> None:
        """Give a client some time to read its response, and little time to send the rest of a body that is not read."""
        super().on_response_complete()
        self._expect_reading()
        if self._answered_early():
            self._expect_headers()

    def pause_writing(self) -> None:
        """Give a client some time to read what was sent so far."""
        super().pause_writing()
        self._expect_reading()

    def resume_writing(self) -> None:
        """Stop the timer of a client that has read nearly everything, unless the rest is the end of a response."""
        super().resume_writing()
        self._stop_reading_timer()
        if self.cycle and self.cycle.response_complete:
            self._expect_reading()

    def _answered_early(self) -> bool:
        return self.conn.their_state is h11.SEND_BODY and bool(self.cycle and self.cycle.response_complete)

    def _expect_headers(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(self.header_seconds, self._close)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _close(self) -> None:
        self._timer = None
        if not self.transport.is_closing():
            self.transport.close()

    def _expect_reading(self) -> None:
        if self._reading_timer is None and (unread := self.transport.get_write_buffer_size()):
            self._reading_timer = self.loop.call_later(self.read_seconds, self._check_reading, unread)

    def _check_reading(self, before: int) -> None:
        """Disconnect a client that has read hardly anything; a normal close would wait for it."""
        self._reading_timer = None
        unread = self.transport.get_write_buffer_size()
        if unread and before - unread < min(before, _READ_BYTES):
            self.transport.abort()
        else:
            self._expect_reading()

    def _stop_reading_timer(self) -> None:
        if self._reading_timer is not None:
            self._reading_timer.cancel()
            self._reading_timer = None

    def _is_trusted(self, host: str) -> bool:
        return self.config.proxy_headers and is_in(host, str(self.config.forwarded_allow_ips or ""))


def _send_at_once(transport: asyncio.Transport) -> None:
    """Let the system send the body of a response without waiting 40 ms for the client to acknowledge its headers.

    asyncio does so for sockets created with a protocol number, which those of uvicorn and plainmark are not.
    """
    connection = transport.get_extra_info("socket")
    if connection is not None and connection.family in (socket.AF_INET, socket.AF_INET6):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
