"""Where a server listens."""

from __future__ import annotations

import socket

from ..errors import OptionError


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens, or an error that says why not."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listener = socket.socket(found[0], found[1])
    except OSError as problem:
        raise OptionError(f"--host {host[:80]}: no such address ({problem.strerror}).") from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(found[4])
        listener.listen(2048)  # from here on people who come early wait instead of being refused
    except OSError as problem:
        listener.close()
        raise OptionError(
            f"{host}:{port}: cannot listen here ({problem.strerror}). Choose another --port."
        ) from None
    listener.set_inheritable(True)
    return listener


def in_address(host: str) -> str:
    """A host as it stands in an address that others can open."""
    shown = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)  # noqa: S104
    return f"[{shown}]" if ":" in shown else shown
