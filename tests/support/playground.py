"""The playground served by this process, with workers of its own."""

from contextlib import ExitStack, contextmanager
from dataclasses import replace

from plainmark.web.playground.app import make_app
from plainmark.web.playground.settings import PlaygroundSettings
from plainmark.web.playground.workers import WorkerPool
from support import web_server


class ServedPlayground(web_server.Served):
    """A running playground."""

    def __init__(self, url, workers):
        super().__init__(url)
        self.workers = workers
        self.start = "/"  # the page that a visit begins with


@contextmanager
def running(settings=None, *, workers=None, **changes):
    """The playground; `workers` may be shared."""
    settings = replace(settings or PlaygroundSettings(workers=1), **changes)
    with ExitStack() as stack:
        if workers is None:
            workers = WorkerPool.start(settings)
            stack.callback(workers.close)
        url = stack.enter_context(web_server.serving(lambda url: make_app(settings, workers)))
        yield ServedPlayground(url, workers)
