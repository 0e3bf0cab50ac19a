"""Common parts of the servers of both applications: a listening socket, uvicorn's options, and printable addresses."""

from __future__ import annotations

import socket
from typing import Any

from ..errors import OptionError
from .connections import LimitedProtocol

UVICORN_OPTIONS: dict[str, Any] = {
    "access_log": False,  # addresses and ids are not logged
    "log_level": "error",  # a warning per malformed request would let a stranger fill the disk
    # uvicorn's own configuration would close every log handler of the process, and some of their streams
    "log_config": None,
    "server_header": False,
    "lifespan": "off",
    "http": LimitedProtocol,
    "ws": "none",
    "timeout_keep_alive": 30,
    "limit_concurrency": 2000,
}


def check_port(port: int) -> None:
    """Refuse a port that cannot exist."""
    if not 0 <= port <= 65_535:
        raise OptionError(f"--port {port}: expected 0 to 65535.")


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server at that host."""
    return host in ("127.0.0.1", "::1", "localhost")


def listen(host: str, port: int) -> socket.socket:
    """A listening socket, or an error with the reason why there is none."""
    try:
        address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listener = socket.socket(address[0], address[1])
    except OSError as error:
        raise OptionError(f"--host {host[:80]}: no such address ({error.strerror}).") from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address[4])
        listener.listen(2048)  # early visitors now wait instead of being refused
    except OSError as error:
        listener.close()
        raise OptionError(
            f"{host}:{port}: cannot listen here ({error.strerror}). Choose another --port."
        ) from None
    listener.set_inheritable(True)
    return listener


def url_host(host: str) -> str:
    """A host in the form used in URLs."""
    name = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)  # noqa: S104
    return f"[{name}]" if ":" in name else name
