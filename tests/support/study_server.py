"""A study served by this process, so that tests can look into its store and break it."""

import time
from contextlib import contextmanager
from urllib.parse import urlencode

from plainmark.study import open_store
from plainmark.web.simulation.participants import PageParser
from plainmark.web.study.app import make_app
from plainmark.web.study.settings import Secrets, StudySettings
from support import web_server

TOKEN = "the-token-of-the-tests"
KEYS = Secrets(b"a key of the tests, long enough", TOKEN, b"a study's key, long enough", "tiny")


class ServedStudy(web_server.Served):
    """A running study."""

    def __init__(self, store, url):
        super().__init__(url)
        self.store = store

    @contextmanager
    def person(self, name="p1"):
        """Someone who came by the recruiter's link and sees the first page."""
        with self.client() as client:
            client.link = f"/?{urlencode({'PROLIFIC_PID': name})}"
            answer = client.get(client.link)
            assert answer.status_code in (200, 303), answer.text
            if "page" in PageParser(answer.text).hidden and "consent" not in PageParser(answer.text).controls:
                client.post("/study", data=PageParser(answer.text).hidden)  # a button only
            yield client

    def admin(self):
        """Someone with the token."""
        return self.client(headers={"authorization": f"Bearer {TOKEN}"})


@contextmanager
def served(
    study,
    url="",
    *,
    requests_per_minute=10**8,
    starts_per_hour=10**8,
    patience=5.0,
    keys=KEYS,
    clock=time.time,
    **settings,
):
    """The study, with the settings of the tests."""
    with open_store(study, url, serving=True, patience=patience) as store:
        store.begin(clock())

        def make(address):
            return make_app(
                store,
                StudySettings(
                    public_url=settings.pop("public_url", address),
                    requests_per_minute=requests_per_minute,
                    starts_per_hour=starts_per_hour,
                    **settings,
                ),
                secrets=keys,
                clock=clock,
            )

        with web_server.serving(make) as address:
            yield ServedStudy(store, address)


def look(client):
    """What a person sees now: the first page until they have sent it, then their current page."""
    answer = client.get("/study")
    if answer.status_code == 403 and hasattr(client, "link"):
        answer = client.get(client.link)
    page = PageParser(answer.text)
    if page.action == "/continue":
        client.post(page.action, data=page.hidden)
        return look(client)
    return answer


def page_of(client):
    """The form that a person sees now."""
    answer = look(client)
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
        answer = look(client)
        page = PageParser(answer.text)
        if "page" not in page.hidden:
            return answer
        sent = client.post("/study", data=pick(page))
        assert sent.status_code == 303, sent.text
    raise AssertionError("the study does not end")
