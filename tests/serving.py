"""A study served by this process, so that tests can look into its store and break it."""

import socket
import threading
import time
from contextlib import contextmanager

import httpx
import uvicorn

from plainmark.study import open_store
from plainmark.web.simulation.participants import PageParser
from plainmark.web.study.app import make_app
from plainmark.web.study.settings import Secrets, StudySettings

TOKEN = "the-token-of-the-tests"
KEYS = Secrets(b"a key of the tests, long enough", TOKEN)


class Served:
    """A running study."""

    def __init__(self, store, url):
        self.store, self.url = store, url

    def client(self, **options):
        """A browser with cookies of its own that follows no redirects."""
        return httpx.Client(base_url=self.url, timeout=60, **options)

    @contextmanager
    def person(self, name="p1"):
        """Someone who came by the recruiter's link."""
        with self.client() as client:
            answer = client.get("/", params={"PROLIFIC_PID": name})
            assert answer.status_code == 303, answer.text
            yield client

    def admin(self):
        """Someone with the token."""
        return self.client(headers={"authorization": f"Bearer {TOKEN}"})


@contextmanager
def served(study, url="", *, requests_per_minute=10**8, patience=5.0, keys=KEYS, **settings):
    """The study at a free port of 127.0.0.1, in a thread."""
    with open_store(study, url, serving=True, patience=patience) as store:
        store.begin(time.time())
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        made = StudySettings(
            public_url=settings.pop("public_url", address),
            requests_per_minute=requests_per_minute,
            **settings,
        )
        app = make_app(store, made, secrets=keys)
        server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off", ws="none"))
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        try:
            yield Served(store, address)
        finally:
            server.should_exit = True
            thread.join(30)
            listener.close()


def page_of(client):
    """What a person sees now."""
    answer = client.get("/study")
    assert answer.status_code == 200, answer.text
    return PageParser(answer.text)


def answered(page, **changes):
    """A form for a page: the first option of each question, 1, or some words."""
    form = dict(page.hidden)
    for control in page.controls.values():
        if control.values:
            form[control.name] = control.values[0][0]
        else:
            form[control.name] = "1" if control.kind in ("count", "slider") else "some words"
    return {**form, **changes}


def finish(client, pick=answered):
    """Answer everything; the last page's HTML."""
    for _ in range(60):
        answer = client.get("/study")
        page = PageParser(answer.text)
        if "page" not in page.hidden:
            return answer
        sent = client.post("/study", data=pick(page))
        assert sent.status_code == 303, sent.text
    raise AssertionError("the study does not end")
