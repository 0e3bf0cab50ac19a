"""An application served by this process, at a free port of 127.0.0.1."""

import socket
import threading
import time
from contextlib import contextmanager

import httpx
import uvicorn

from plainmark.web.server import UVICORN_OPTIONS


class Served:
    """An application that is being served."""

    def __init__(self, url):
        self.url = url

    def client(self, **options):
        """A browser with cookies of its own that follows no redirects."""
        return httpx.Client(base_url=self.url, timeout=60, **options)


@contextmanager
def serving(make_app):
    """Serve what `make_app(url)` makes, in a thread; gives the address."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        server = uvicorn.Server(uvicorn.Config(make_app(url), **{**UVICORN_OPTIONS, "log_level": "critical"}))
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        try:
            yield url
        finally:
            server.should_exit = True
            thread.join(30)
