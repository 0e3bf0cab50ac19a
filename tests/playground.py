"""The playground served by this process, with workers of its own."""

import socket
import threading
import time
from contextlib import contextmanager
from dataclasses import replace

import httpx
import uvicorn

from plainmark.web.playground.app import make_app
from plainmark.web.playground.settings import PlaygroundSettings
from plainmark.web.playground.workers import WorkerPool


class Served:
    """A running playground."""

    def __init__(self, url, workers):
        self.url, self.workers = url, workers

    def client(self, **options):
        return httpx.Client(base_url=self.url, timeout=60, **options)


@contextmanager
def running(settings=None, *, workers=None, **changes):
    """The playground at a free port of 127.0.0.1, in a thread; `workers` may be shared."""
    settings = replace(settings or PlaygroundSettings(workers=1), **changes)
    own = workers is None
    workers = workers or WorkerPool.start(settings)
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    app = make_app(settings, workers)
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off", ws="none"))
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    try:
        yield Served(f"http://127.0.0.1:{listener.getsockname()[1]}", workers)
    finally:
        server.should_exit = True
        thread.join(30)
        listener.close()
        if own:
            workers.close()
