"""Connections that are held open for nothing are closed, and those of one address are limited."""

import socket
import time

import pytest

from plainmark.web import security
from plainmark.web.connections import LimitedProtocol
from plainmark.web.security import SecurityMiddleware
from plainmark.web.study.settings import StudySettings
from support import web_server

LARGE = "x" * 40_000_000  # more than the system's own buffers take


async def application(scope, receive, send):
    """Says how many bytes the body has; /at-once does not read it, /large sends a lot at once, and /stream in parts."""
    received = 0
    if scope["path"] == "/large":
        await security.send_plain_text(send, 200, LARGE)
        return
    if scope["path"] == "/stream":
        headers = [(b"content-length", str(len(LARGE)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for start in range(0, len(LARGE), 50_000):
            part = LARGE[start : start + 50_000].encode()
            await send({"type": "http.response.body", "body": part, "more_body": start + 50_000 < len(LARGE)})
        return
    while scope["path"] != "/at-once":
        message = await receive()
        received += len(message.get("body", b""))
        if not message.get("more_body"):
            break
    await security.send_plain_text(send, 200, str(received))


@pytest.fixture
def port(monkeypatch):
    monkeypatch.setattr(LimitedProtocol, "header_seconds", 0.5)
    monkeypatch.setattr(LimitedProtocol, "read_seconds", 0.5)
    monkeypatch.setattr(LimitedProtocol, "connections_per_address", 5)
    monkeypatch.setattr(LimitedProtocol, "_is_trusted", lambda self, host: host == "127.0.0.3")
    monkeypatch.setattr(security, "_BODY_SECONDS", 1.0)
    with web_server.serving(lambda url: SecurityMiddleware(application, StudySettings())) as url:
        yield int(url.rpartition(":")[2])


def connect(port, address="127.0.0.1"):
    connection = socket.create_connection(("127.0.0.1", port), timeout=10, source_address=(address, 0))
    connection.settimeout(10)
    return connection


def response(connection):
    """All of one response."""
    said = b""
    while b"\r\n\r\n" not in said:
        part = connection.recv(65536)
        if not part:
            return said, b""
        said += part
    head, _, body = said.partition(b"\r\n\r\n")
    length = next(int(line[15:]) for line in head.split(b"\r\n") if line.startswith(b"content-length:"))
    while len(body) < length:
        body += connection.recv(65536)
    return head, body


def drip(connection, data, pause=0.1, seconds=5.0):
    """Send byte by byte until the server closes; what it said, and after how long."""
    began = time.monotonic()
    said = b""
    connection.settimeout(pause)
    for n in range(int(seconds / pause)):
        try:
            connection.send(data[n % len(data) : n % len(data) + 1])
            part = connection.recv(65536)
            if not part:
                break
            said += part
        except TimeoutError:
            continue
        except OSError:
            break
    return said, time.monotonic() - began


def test_unfinished_headers(port):
    with connect(port) as silent:
        assert silent.recv(1) == b"", "closed without a word"
    with connect(port) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nhost: x\r\n")
        said, seconds = drip(slow, b"a: b\r\n")
    assert said == b""
    assert seconds < 3


def test_unfinished_headers_of_a_second_request(port):
    with connect(port) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
        assert response(slow)[0].startswith(b"HTTP/1.1 200")
        slow.sendall(b"GET / HTTP/1.1\r\n")
        said, seconds = drip(slow, b"a: b\r\n")
    assert said == b""
    assert seconds < 3


def test_slow_bodies(port):
    with connect(port) as slow:
        slow.sendall(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n")
        said, seconds = drip(slow, b"x")
    assert said.startswith(b"HTTP/1.1 408")
    assert b"took too long to arrive" in said
    assert seconds < 4


def test_slow_bodies_that_nobody_reads(port):
    with connect(port) as slow:
        slow.sendall(b"POST /at-once HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n")
        said, seconds = drip(slow, b"x")
    assert said.startswith(b"HTTP/1.1 200")
    assert seconds < 4


@pytest.mark.parametrize("path", [b"/large", b"/stream"])
@pytest.mark.parametrize("header", [b"", b"connection: close\r\n"])
def test_responses_that_nobody_reads(port, path, header):
    """They would be kept in memory for as long as the client likes."""
    with connect(port, "127.0.0.5") as silent:
        silent.sendall(b"GET " + path + b" HTTP/1.1\r\nhost: x\r\n" + header + b"\r\n")
        assert silent.recv(100).startswith(b"HTTP/1.1 200")
        deadline = time.monotonic() + 10
        while LimitedProtocol._open.get("127.0.0.5") and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not LimitedProtocol._open.get("127.0.0.5")


@pytest.mark.parametrize("path", [b"/large", b"/stream"])
def test_responses_that_are_read_slowly(port, path, monkeypatch):
    monkeypatch.setattr(LimitedProtocol, "read_seconds", 2.0)
    with connect(port) as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 500_000)
        slow.sendall(b"GET " + path + b" HTTP/1.1\r\nhost: x\r\n\r\n")
        received, pauses = 0, 0
        while received < len(LARGE):
            part = slow.recv(65536)
            assert part, f"closed after {received} bytes"
            received += len(part)
            if received > (pauses + 1) * 8_000_000:
                pauses += 1
                time.sleep(0.6)  # 2.4 s in all


def test_what_is_quick_enough_is_served(port):
    with connect(port) as client:
        for _ in range(3):
            time.sleep(0.3)
            client.sendall(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\nab")
            time.sleep(0.3)
            client.sendall(b"cd")
            assert response(client)[1] == b"4"


def test_responses_are_sent_at_once(port, monkeypatch):
    """Else each waits 40 ms between headers and body, for a client that waits for the body."""
    seen = []
    made = LimitedProtocol.connection_made

    def watched(self, transport):
        made(self, transport)
        seen.append(transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    monkeypatch.setattr(LimitedProtocol, "connection_made", watched)
    with connect(port) as client:
        client.sendall(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
        assert response(client)[1] == b"0"
    assert seen == [1]


def test_connections_of_one_address(port):
    def is_served(connection):
        try:
            connection.sendall(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
            return response(connection)[0].startswith(b"HTTP/1.1 200")
        except OSError:
            return False

    several = [connect(port, "127.0.0.2") for _ in range(8)]
    assert [is_served(c) for c in several].count(True) == 5
    with connect(port, "127.0.0.4") as elsewhere:
        assert is_served(elsewhere), "others are not affected"
    for connection in several:
        connection.close()
    deadline = time.monotonic() + 5
    while LimitedProtocol._open.get("127.0.0.2") and time.monotonic() < deadline:
        time.sleep(0.05)
    with connect(port, "127.0.0.2") as again:
        assert is_served(again), "a connection that is closed counts no more"
    proxied = [connect(port, "127.0.0.3") for _ in range(8)]
    assert all(is_served(c) for c in proxied), "a trusted proxy has no limit"
    for connection in proxied:
        connection.close()
