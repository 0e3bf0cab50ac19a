"""The playground over HTTP: pages, API, limits, who is let in, and what is refused."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import httpx
import jsonschema
import pytest

from plainmark import cli
from plainmark.errors import InputError, MissingResourceError, OptionError, PlainmarkError
from plainmark.faithfulness import facts
from plainmark.web.playground import jobs, serving, workers
from plainmark.web.playground import settings as playground_settings
from plainmark.web.playground.cost import LARGE, estimated_seconds
from plainmark.web.playground.openapi import openapi
from plainmark.web.playground.queue import MAX_PER_CLIENT, BusyError, ClientBusyError, FairQueue
from plainmark.web.playground.reports import ReportFolder
from plainmark.web.playground.requests import MAX_TEXT, decode_file
from plainmark.web.playground.served_metrics import METRIC_NAMES, served_metric
from plainmark.web.playground.settings import PlaygroundOptions, PlaygroundSettings
from support import playground

SOURCE = "The committee met on 5 May. Nobody objected."
OUTPUT = "The committee met on 6 May."
FORM = {"source": SOURCE, "output": OUTPUT}
PROSE = (
    "The municipal library will be closed from 12 March until 4 April, as the heating must be replaced. During this "
    "period, borrowed items need not be returned, and no charges will accrue. The reading group convened by Amira "
    "Solberg will not take place before 18 April, unless the Northgate branch lends its largest room to the members. "
)
TOKEN = "open sesame, and 21 more!"


@pytest.fixture(scope="module")
def served():
    with playground.running() as one:
        yield one


@pytest.fixture
def client(served):
    with served.client() as one:
        yield one


# Pages.


def test_the_empty_page(client):
    page = client.get("/compare")
    assert page.status_code == 200
    assert "Paste the original text here." in page.text
    assert "At a glance" not in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "unsafe" not in page.headers["content-security-policy"]


@pytest.mark.parametrize("name", ["library", "tablets"])
def test_examples_are_one_click_away(client, name):
    assert f'href="/compare?example={name}"' in client.get("/compare").text
    page = client.get("/compare", params={"example": name})
    assert "At a glance" in page.text
    assert "A number changed: " in page.text


@pytest.mark.parametrize("how", ["data", "files"])
def test_a_form_is_answered(client, how):
    sent = FORM if how == "data" else {k: (None, v) for k, v in FORM.items()}
    page = client.post("/compare", **{how: sent})
    assert page.status_code == 200
    assert "A number changed: <b>5 May</b> → <b>6 May</b>" in page.text
    assert page.headers["cache-control"] == "no-store"
    part = client.post("/part", **{how: sent})
    assert part.text.startswith('<div class="saving">')
    assert "<html" not in part.text


def test_a_lost_negation_is_shown(client):
    page = client.post(
        "/compare",
        data={"source": "The pills are not safe for cats.", "output": "The pills are safe for cats."},
    )
    assert "A negation changed: <b>not</b> → <b>safe</b>" in page.text
    page = client.post(
        "/compare",
        data={"output": "The pills are not safe for cats.", "source": "The pills are safe for cats."},
    )
    assert "A negation changed: <b>safe</b> → <b>not</b>" in page.text


def test_files_are_read(client):
    files = {
        "source_file": ("a.txt", SOURCE.encode("utf-16")),
        "output_file": ("b.txt", "\ufeffCaf\u00e9 met on 6 May.".encode()),
        "reference_file": ("c.txt", "Café met.".encode("cp1252")),
    }
    page = client.post("/compare", data={"source": "", "output": ""}, files=files)
    assert page.status_code == 200
    assert "Café" in page.text
    assert "SARI" in page.text


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"source_file": ("x.docx", b"PK\x03\x04\x00\x00\x00")}, "x.docx: not a plain text"),
        ({"source_file": ("x.txt", b"\xff\xfe\x00")}, "x.txt: not a plain text"),
        ({"source_file": ("\x01<b>.txt", b"\x00")}, "&lt;b&gt;.txt: not a plain text"),
        ({"source_file": ("x.txt", b"a\x81")}, "x.txt: not a plain text"),
    ],
)
def test_binary_uploads(client, files, words):
    page = client.post("/compare", data={"output": "A cat."}, files=files)
    assert page.status_code == 422
    assert words in page.text


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"source": "", "output": "a"}, "The original is empty."),
        ({"source": "a", "output": " \n"}, "The simplified text is empty."),
        ({"other": "x"}, "The original is empty."),
    ],
)
def test_empty_texts(client, form, words):
    for path in ("/compare", "/part", "/export.html", "/export.json"):
        page = client.post(path, data=form)
        assert page.status_code == 422
        assert words in page.text


@pytest.mark.parametrize(
    "text", ["会議は延期された。雨だった。", "تم تأجيل الاجتماع.", "Заседание перенесли. Шёл дождь.", "🙂🙃", "\u202e\u0000x", "\ud83d"]
)  # fmt: skip
def test_other_scripts(client, text):
    sent = {"source": text.encode("utf-8", "surrogatepass").decode("utf-8", "replace"), "output": "x"}
    assert client.post("/compare", data=sent).status_code == 200
    body = json.dumps({"source": text, "output": text})
    assert client.post("/api/explain", content=body, headers={"content-type": "application/json"}).status_code == 200  # fmt: skip


def test_texts_too_long(client):
    page = client.post("/compare", data={"source": "a" * (MAX_TEXT + 1), "output": "b"})
    assert page.status_code == 413
    assert "The original has 100,001 characters, expected at most 100,000" in page.text
    started = time.monotonic()
    for path in ("/compare", "/part", "/api/explain"):
        answer = client.post(path, content=b"a" * 10_000_000, headers={"content-type": "application/json"})
        assert answer.status_code == 413
        assert "more than the playground takes" in answer.text
    assert answer.json()["error"].count("\n") == 0
    assert time.monotonic() - started < 20


def test_a_stream_that_does_not_end(client):
    def much():
        for _ in range(100):
            yield b"a" * 100_000

    answer = client.post("/api/score", content=much(), headers={"content-type": "application/json"})
    assert answer.status_code == 413


def test_exports(client):
    page = client.post("/export.html", data={**FORM, "second": SOURCE})
    assert page.headers["content-disposition"] == 'attachment; filename="plainmark.html"'
    assert "Two versions compared" in page.text
    assert not re.search(r"(?:src|href|action)=.?(?:http|//)|url\(", page.text)
    found = client.post("/export.json", data={**FORM, "second": SOURCE}).json()
    assert set(found) == {"texts", "first", "second", "between"}
    changed = [e for e in found["first"]["ledger"]["entries"] if e["verdict"] == "changed"]
    assert changed[0]["after"]["text"] == "6 May"


def test_samsa_is_for_short_texts(client):
    long = client.post("/part", data={"source": "It rained. " * 20, "output": "x", "samsa": "yes"})
    assert long.status_code == 422
    assert "at most 15 sentences" in long.text


def test_nothing_here(client):
    page = client.get("/nothing")
    assert page.status_code == 404
    assert "There is nothing at this address." in page.text
    assert client.get("/api/score").status_code == 405
    assert client.get("/api/nothing").json() == {"error": "There is nothing at this address."}
    assert (
        client.post("/compare", content=b"{}", headers={"content-type": "application/json"}).status_code
        == 415
    )
    bad = client.post(
        "/compare", content=b"--x\r\n", headers={"content-type": "multipart/form-data; boundary=y"}
    )
    assert bad.status_code in (400, 422)
    assert client.get("/health").text == "ok"
    assert client.get("/static/nothing.css").status_code == 404


# The API.


def ask(client, name, **data):
    return client.post(f"/api/{name}", json=data)


def test_score(client):
    answer = ask(client, "score", source=SOURCE, output=OUTPUT, references=[OUTPUT], metrics=["bleu", "sari(variant='hf')", "fkgl"])  # fmt: skip
    assert [s["metric"] for s in answer.json()] == ["bleu", "sari(variant='hf')", "fkgl"]
    assert answer.json()[0]["value"] == pytest.approx(100)
    assert "needs references" in ask(client, "score", output="A cat.", source="x", metrics=["sari"]).json()[0]["reason"]  # fmt: skip


def test_answers_are_as_the_schema_says(client):
    document = client.get("/openapi.json").json()
    assert document == json.loads(json.dumps(openapi()))
    for path, operation in document["paths"].items():
        content = operation["post"]["requestBody"]["content"]["application/json"]
        schema = {**content["schema"], "components": document["components"]}
        jsonschema.Draft202012Validator(schema).validate(content["example"])
        answer = client.post(path, json=content["example"])
        assert answer.status_code == 200
        given = operation["post"]["responses"]["200"]["content"]["application/json"]["schema"]
        jsonschema.Draft202012Validator({**given, "components": document["components"]}).validate(
            answer.json()
        )
    assert "POST /api/explain" in client.get("/api").text


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (b"", 400, "the body is not JSON"),
        (b"{", 400, "the body is not JSON"),
        (b'{"source": NaN}', 400, "the body is not JSON"),
        (b"[" * 100_000, 400, "nested too deeply"),
        (b"\xff", 400, "the body is not JSON"),
        (b"[]", 422, "found a list, expected an object such as"),
        (b"3", 422, "found a number"),
        (b'{"source": "a"}', 422, "no 'output'; it is needed."),
        (b'{"source": "a", "output": 3}', 422, "output: found a number, expected a string"),
        (b'{"source": "a", "output": "b", "sorce": ""}', 422, "sorce: no such key. Did you mean 'source'?"),
        (b'{"source": "a", "output": "b", "references": "c"}', 422, "expected a list of strings"),
        (b'{"source": "a", "output": "b", "references": [null]}', 422, "references[0]: found null"),
        (b'{"source": "a", "output": "b", "metrics": ["sarri"]}', 422, "Did you mean 'sari'?"),
        (
            json.dumps({"source": "a", "output": "b", "references": ["x"] * 11}).encode(),
            422,
            "references: 11 given, expected at most 10",
        ),
        (json.dumps({"source": "a" * (MAX_TEXT + 1), "output": "b"}).encode(), 413, "100,001 characters"),
    ],
)
def test_wrong_json(client, body, status, words):
    answer = client.post("/api/explain", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == status
    assert words in answer.json()["error"]
    assert "\n" not in answer.json()["error"]


def test_the_body_must_be_called_json(client):
    answer = client.post("/api/score", content=b"{}", headers={"content-type": "text/plain"})
    assert answer.status_code == 415
    assert "expected application/json" in answer.json()["error"]


@pytest.mark.parametrize(
    "spec",
    [
        "os.path",
        "plainmark.metrics.judge.Judge",
        "(os).path",
        "agg('os.path')",
        r"agg('os\x2epath')",
        "'os' '.' 'path'",
        "judge",
        "lens",
        "bertscore",
        "perplexity",
        "mean(judge)",
        "agg(sari, aligner=bert)",
        "agg(sari, aligner=embedding)",
        "samsa(parses='etc')",
        "samsa(parser='folder')",
        "samsa(lexicon='file')",
        "entities_kept(finder='en_core_web_sm')",
        "sari|refs:1|variant:hf",
        "sari(" * 50,
        "sari(order=99999999)",
        "sari(nothing=1)",
        "__import__('os')",
        "",
        "ｓａｒｉ",
        "sari\x00",
    ],
)
def test_metrics_that_are_not_served(spec):
    with pytest.raises(PlainmarkError):
        served_metric(spec)


@pytest.mark.parametrize("name", METRIC_NAMES)
def test_metrics_that_are_served(name):
    assert served_metric(name).name == name


def test_options_of_served_metrics():
    assert served_metric("sari(variant='hf')").spec == "sari(variant='hf')"
    assert served_metric("agg(sari, threshold=0.4, aligner=jaccard)").name == "agg"
    assert served_metric("mean(bleu(order=2))").name == "mean"


def test_workers_have_no_network():
    for event in ("socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.exec"):
        with pytest.raises(MissingResourceError, match="needs the network or another program"):
            jobs._refuse(event, ())
    assert jobs._refuse("open", ()) is None


# Limits.


def test_what_takes_too_long_is_stopped_and_others_go_on():
    with playground.running(PlaygroundSettings(workers=1, seconds=1.0)) as one, one.client() as client:
        one.workers.warm_up()
        before = one.workers.pids
        much = {"output": PROSE * 12, "source": PROSE * 12}
        answer = client.post("/api/score", json={**much, "metrics": ["samsa"]})
        assert answer.status_code == 503
        assert "took too long" in answer.json()["error"]
        assert answer.headers["retry-after"] == "5"
        assert one.workers.pids != before
        assert client.get("/").status_code == 200
        for _ in range(30):
            if ask(client, "align", source="A cat.", output="A cat.").status_code == 200:
                break
        else:
            pytest.fail("no worker came back")


def test_too_many_at_once_are_told_to_wait():
    with playground.running(PlaygroundSettings(workers=1, max_waiting=1)) as one, one.client() as client:
        one.workers.warm_up()
        with ThreadPoolExecutor(12) as pool:
            slow = {"source": PROSE * 20, "output": PROSE * 20}
            answers = list(pool.map(lambda _: client.post("/api/align", json=slow), range(12)))
        found = {a.status_code for a in answers}
        assert 503 in found
        assert found <= {200, 503}
        busy = next(a for a in answers if a.status_code == 503)
        assert "error" in busy.json()
        assert busy.headers["retry-after"]


def test_too_many_sentences_are_refused(client):
    answer = ask(client, "align", source="A. " * 3000, output="x")
    assert answer.status_code == 413
    assert "sentences in a text, expected at most 500" in answer.json()["error"]
    assert ask(client, "align", source="A b. " * 400, output="x").status_code == 200


def test_the_cost_is_estimated_before_anything_is_queued(served):
    with playground.running(workers=served.workers) as one, one.client() as client:
        before = one.workers.pids
        body = json.dumps({"source": ("Abc. " * 19_000), "output": "Abc. " * 19_000})
        began = time.monotonic()
        answer = client.post("/api/explain", content=body, headers={"content-type": "application/json"})
        assert time.monotonic() - began < 5
        assert answer.status_code == 413
        assert "would take about" in answer.json()["error"]
        assert one.workers.pids == before
    assert estimated_seconds("explain", b"a" * 500) < LARGE < estimated_seconds("explain", b"not " * 5000)


# As much as is accepted, up to 10 KB.
HOSTILE = {
    "not": "not " * 2500,
    "don't": "don't " * 1666,
    "numbers": "12 " * 3333,
    "names": "Bob " * 2500,
    "conditions": "if " * 3333,
    "quotations": '"a" ' * 2500,
    "sentences": "A. " * 480,
    "distinct": " ".join(f"{a}{b}{c}." for a in "ABCDEFGH" for b in "abcdefgh" for c in "abcdefg"),
    "directions": "increase " * 1111,
    "transfers": "gave " * 2000,
    "opening quotation marks": "“" * 9800,
    "prefixes": "non-" * 2500,
    "numbers in one token": "1-" * 3000,
}


def seconds_to_explain(text):
    body = json.dumps({"source": text, "output": text[: len(text) * 9 // 10]}).encode()
    began = time.process_time()
    assert jobs.perform("explain", body).status == 200
    return time.process_time() - began


@pytest.fixture(scope="module")
def prose_seconds():
    seconds_to_explain(PROSE)
    return max(seconds_to_explain(PROSE * (10_000 // len(PROSE))) for _ in range(3))


@pytest.mark.parametrize("name", HOSTILE)
def test_repeats_take_about_as_long_as_prose(name, prose_seconds):
    """2,000 times "not" once took 41 s; a busy machine may measure one try badly."""
    assert any(seconds_to_explain(HOSTILE[name]) < 4 * prose_seconds for _ in range(3))


def test_facts_that_were_not_compared_are_said():
    notes = facts("12 " * 200, "12 " * 200).notes
    # The text is cut after 150 words; the 50 that are left are few enough.
    assert "300 facts of the kind “number” were not compared: more than 60 of them stand together." in notes
    many = " ".join(f"Room {n} has {n + 1} chairs." for n in range(80))
    assert not [n for n in facts(many, many).notes if "not compared" in n], "a long text is no dense one"


def run(scenario):
    """Run it in a thread: the main one has an event loop already if tests in a browser came before."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(scenario())).result()


def test_clients_take_turns_and_small_jobs_go_first():
    async def scenario():
        queue = FairQueue(["w1", "w2"], max_waiting=100)
        order = []
        release = {}

        async def job(name, client, large=False):
            async with queue.slot(client, large=large, seconds=5):
                order.append(name)
                release[name] = asyncio.Event()
                await release[name].wait()

        async def begin(*jobs):
            tasks.extend(asyncio.create_task(job(*j)) for j in jobs)
            await asyncio.sleep(0)
            await asyncio.sleep(0)

        tasks = []
        await begin(("large 1", "a", True), ("large 2", "b", True), ("small 1", "c"), ("small 2", "c"))
        assert order == ["large 1", "small 1"], "large jobs leave a worker; one job of a client at a time"
        await begin(("small 3", "d"))
        release["small 1"].set()
        await asyncio.sleep(0.01)
        assert order[2:] == ["small 2"] or order[2:] == ["small 3"]
        release[order[2]].set()
        await asyncio.sleep(0.01)
        assert sorted(order[2:4]) == ["small 2", "small 3"]
        release[order[3]].set()
        release["large 1"].set()
        await asyncio.sleep(0.01)
        assert order[4:] == ["large 2"]
        release["large 2"].set()
        await asyncio.gather(*tasks)
        assert sorted(queue._idle) == ["w1", "w2"]

    run(scenario)


def test_who_surprises_waits_with_the_large(monkeypatch):
    """No estimate is always right: a short text that takes long does not hold the worker for short ones."""
    lanes = []

    class Slow:
        def run(self, operation, body, seconds, *, small):
            lanes.append((body, small))
            return None if small and body == b"a: hostile" else "done"

    now = [0.0]
    monkeypatch.setattr(workers, "Worker", lambda aligner: Slow())
    monkeypatch.setattr(workers, "time", SimpleNamespace(monotonic=lambda: now[0]))

    async def scenario():
        pool = workers.WorkerPool(2, seconds=20, max_waiting=10)
        for body in (b"a: short", b"a: hostile", b"a: short", b"b: short"):
            assert await pool.run("explain", body, body[:1].decode()) == "done"
        now[0] = 601.0
        await pool.run("explain", b"a: short", "a")

    run(scenario)
    assert lanes == [
        (b"a: short", True),
        (b"a: hostile", True),
        (b"a: hostile", False),
        (b"a: short", False),
        (b"b: short", True),
        (b"a: short", True),
    ]


def test_a_small_job_is_interrupted_and_its_worker_stays(monkeypatch):
    worker = workers.Worker()
    try:
        long = json.dumps({"source": PROSE * 12, "output": PROSE * 12, "metrics": ["samsa"]}).encode()
        assert worker.run("align", b'{"source": "a", "output": "a"}', 20, small=True).status == 200
        process = worker.pid
        assert worker.run("score", long, 60, small=True) is None
        assert worker.run("align", b'{"source": "a", "output": "a"}', 20, small=True).status == 200
        assert worker.pid == process
    finally:
        worker.close()


def test_who_gave_up_is_passed_over():
    """Their ticket is still in the queue when the worker comes back in the same turn of the event loop."""

    async def scenario():
        queue = FairQueue(["w"], max_waiting=10)

        async def wait(client):
            async with queue.slot(client, large=False, seconds=5) as worker:
                return worker

        holder = queue.slot("x", large=False, seconds=5)
        await holder.__aenter__()
        tasks = [asyncio.create_task(wait(client)) for client in "abcd"]
        await asyncio.sleep(0.01)
        for task in tasks[:3]:
            task.cancel()
        await holder.__aexit__(None, None, None)
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert [isinstance(r, asyncio.CancelledError) for r in results] == [True, True, True, False]
        assert results[3] == "w"
        assert list(queue._idle) == ["w"]

    run(scenario)


def test_one_client_may_not_fill_the_queue():
    async def scenario():
        queue = FairQueue(["w"], max_waiting=60)
        async with queue.slot("x", large=False, seconds=5):

            async def wait(client, seconds):
                async with queue.slot(client, large=False, seconds=seconds):
                    pass

            waiting = [asyncio.create_task(wait("greedy", 5)) for _ in range(MAX_PER_CLIENT)]
            await asyncio.sleep(0.01)
            with pytest.raises(ClientBusyError):
                await wait("greedy", 5)
            with pytest.raises(BusyError):
                await wait("another", 0.05)  # waits in vain
            rest = [asyncio.create_task(wait(f"c{n}", 5)) for n in range(60 - MAX_PER_CLIENT)]
            await asyncio.sleep(0.01)
            with pytest.raises(BusyError):
                await wait("one too many", 5)
            rest[0].cancel()
            await asyncio.gather(rest[0], return_exceptions=True)
        await asyncio.gather(*waiting, *rest[1:])
        assert list(queue._idle) == ["w"]
        assert not queue._busy

    run(scenario)


def test_workers_are_replaced_after_many_jobs(monkeypatch):
    monkeypatch.setattr(workers, "_MAX_JOBS", 2)
    worker = workers.Worker()
    try:
        first = worker.pid
        for _ in range(2):
            assert worker.run("align", b'{"source": "a", "output": "a"}', 20).status == 200
        assert worker.pid != first
        assert worker.run("align", b'{"source": "a", "output": "a"}', 20).status == 200
    finally:
        worker.close()


def test_a_worker_that_is_killed_is_replaced():
    with playground.running() as one, one.client() as client:
        one.workers.warm_up()
        os.kill(one.workers.pids[0], 9)
        assert ask(client, "align", source="a", output="a").status_code in (200, 503)
        assert ask(client, "align", source="a", output="a").status_code == 200


# Who is let in.


def test_names_of_other_machines(client, served):
    port = served.url.rpartition(":")[2]
    for host in ("evil.example", f"evil.example:{port}", "", "a b", "127.0.0.1.evil.example", "[::1"):
        answer = client.post("/api/align", json=FORM, headers={"host": host})
        assert answer.status_code in (400, 421), host
    for host in (f"localhost:{port}", "127.0.0.1", "[::1]:80"):
        assert client.get("/health", headers={"host": host}).status_code == 200
    with playground.running(hosts=("texts.example",), workers=served.workers) as one, one.client() as other:
        assert other.get("/health", headers={"host": "texts.example"}).status_code == 200


@pytest.mark.parametrize("headers", [{"sec-fetch-site": "cross-site"}, {"origin": "http://evil.example"}, {"origin": "null"}])  # fmt: skip
def test_pages_elsewhere_may_not_ask(client, headers):
    answer = client.post("/api/align", json=FORM, headers=headers)
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers
    assert client.post("/part", data=FORM, headers=headers).status_code == 403


def test_the_token(served):
    with playground.running(token=TOKEN, workers=served.workers) as one:
        with one.client() as client:
            assert client.get("/").status_code == 401
            assert ask(client, "align", **FORM).status_code == 401
            assert ask(client, "align", **FORM).json()["error"].startswith("Open the link")
            assert client.get("/", params={"token": "wrong"}).status_code == 403
            assert client.get("/health").status_code == 200
            entered = client.get("/", params={"token": TOKEN})
            assert (entered.status_code, entered.headers["location"]) == (303, "/")
            cookie = entered.headers["set-cookie"]
            assert "HttpOnly" in cookie
            assert "samesite=strict" in cookie.lower()
            assert TOKEN not in cookie
            assert client.get("/").status_code == 200
        with one.client(headers={"authorization": "Bearer " + TOKEN}) as program:
            assert ask(program, "align", **FORM).status_code == 200
        with one.client(headers={"authorization": "Bearer wrong"}) as guesser:
            codes = [guesser.get("/").status_code for _ in range(2000)]
            assert codes[:4] == [403] * 4
            assert set(codes[4:]) <= {403, 429}
            assert codes[4:].count(403) <= 3, "it waits for longer and longer"
            locked = guesser.get("/", headers={"authorization": f"Bearer {TOKEN}"})
            assert locked.status_code == 429, "the right token after 2,000 wrong ones tells nothing"
            assert int(locked.headers["retry-after"]) >= 1
            elsewhere = {"authorization": f"Bearer {TOKEN}", "x-forwarded-for": "192.0.2.1"}
            assert guesser.get("/", headers=elsewhere).status_code == 200
        with one.client(cookies={"plainmark": entered.cookies["plainmark"]}) as known:
            assert known.get("/").status_code == 200, "who is in already stays in"


# The folder.


@pytest.fixture
def folder(tmp_path):
    from plainmark.report import html

    root = tmp_path / "reports"
    (root / "deep").mkdir(parents=True)
    page = html.document("A <b>report</b>", "<main>Hello</main>", style="a{}", script="1", data={})
    (root / "one.html").write_text(page, "utf-8")
    (root / "deep" / "two & 'three'.html").write_text(page, "utf-8")
    (root / "foreign.html").write_text("<!DOCTYPE html><title>foreign</title>", "utf-8")
    (root / ".hidden.html").write_text(page, "utf-8")
    (tmp_path / "outside.html").write_text(page, "utf-8")
    (root / "link.html").symlink_to(tmp_path / "outside.html")
    (root / "my study").mkdir()
    (root / "my study" / "study.yaml").write_text("title: 'What <i>readers</i> know'\n", "utf-8")
    return root


def test_reports_and_studies_are_listed(folder, served):
    with playground.running(folder=folder, workers=served.workers) as one, one.client() as client:
        page = client.get("/reports").text
        assert "A &lt;b&gt;report&lt;/b&gt;" in page
        assert "foreign" not in page
        assert ".hidden.html" not in page
        assert "link.html" not in page
        assert "What &lt;i&gt;readers&lt;/i&gt; know" in page
        assert "my study&#39;" in page
        report = client.get("/reports/one.html")
        assert report.status_code == 200
        assert report.headers["content-security-policy"].startswith("sandbox allow-scripts")
        assert "allow-same-origin" not in report.headers["content-security-policy"]
        assert client.get("/reports/deep/two%20%26%20%27three%27.html").status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "../outside.html",
        "..%2foutside.html",
        "%2e%2e/outside.html",
        "deep/../one.html",
        "link.html",
        ".hidden.html",
        "foreign.html",
        "my%20study/study.yaml",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "one.html%00",
        "",
    ],
)
def test_path_tricks(folder, path):
    library = ReportFolder(folder)
    from urllib.parse import unquote

    assert library.find(unquote(path)) is None
    assert library.find(path) is None


def test_without_a_folder(client):
    assert client.get("/reports").status_code == 404
    assert client.get("/reports/one.html").status_code == 404
    assert "Reports" not in client.get("/").text


def test_an_empty_or_missing_folder(tmp_path):
    assert ReportFolder(tmp_path).reports() == []
    assert ReportFolder(tmp_path / "nothing").studies() == []


# Starting.


def test_it_needs_nothing_of_studies():
    code = (
        "import sys; import plainmark.web.playground.serving; "
        "print([m for m in sys.modules if m.startswith(('plainmark.study', 'sqlalchemy', 'yaml', 'onnxruntime'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_command_serves_until_interrupted(tmp_path):
    (tmp_path / "a.txt").write_text(SOURCE, "utf-8")
    (tmp_path / "b.txt").write_text(OUTPUT, "utf-8")
    command = [sys.executable, "-m", "plainmark", "serve", "a.txt", "b.txt", "--port", "0", "--workers", "1"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as running:
        address = re.search(r"http://127\.0\.0\.1:\d+/", running.stdout.readline())[0]
        page = httpx.get(address + "compare", timeout=60)
        running.send_signal(signal.SIGINT)
        assert running.wait(30) in (0, 130)
    assert "A number changed" in page.text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--port", "70000"], "--port 70000: expected 0 to 65535."),
        (["--workers", "99"], "--workers 99: expected 1 to 64."),
        (["--seconds", "0"], "--seconds 0: expected 0.1 to 3600."),
        (["--read-token", "nothing"], "nothing: cannot read a token from it (No such file or directory)."),
        (["--trusted-proxy", "x"], "expected an address such as 10.0.0.5"),
        (["--aligner", "nothing"], "no aligner is called 'nothing'"),
        (["nowhere"], "nowhere: cannot read it (No such file or directory)."),
        (["a", "b"], "a: cannot read it (No such file or directory)."),
        (["a", "b", "c", "d"], "found 4 files, expected"),
        (["--host", "no such host"], "no such address"),
    ],
)
def test_options_are_checked(capsys, words, said):
    assert cli.main(["serve", *words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_texts_from_the_command_line(tmp_path, served):
    for name, text in (
        ("a.txt", SOURCE),
        ("b.txt", OUTPUT),
        ("c.bin", "\x00"),
        ("d.txt", "a" * (MAX_TEXT + 1)),
    ):
        (tmp_path / name).write_text(text, "utf-8")
    settings = PlaygroundOptions(paths=(str(tmp_path / "a.txt"), str(tmp_path / "b.txt"))).settings()
    with playground.running(settings, workers=served.workers) as one, one.client() as client:
        assert "A number changed" in client.get("/compare").text
        assert all(text in client.get("/").text for text in (SOURCE, OUTPUT))
    settings = PlaygroundOptions(paths=(str(tmp_path / "b.txt"),)).settings()
    assert (settings.form.source, settings.form.output, settings.name) == ("", OUTPUT, "b")
    with pytest.raises(InputError, match="not a plain text"):
        PlaygroundOptions(paths=(str(tmp_path / "a.txt"), str(tmp_path / "c.bin"))).settings()
    with pytest.raises(InputError, match="more than 100,000 characters"):
        PlaygroundOptions(paths=(str(tmp_path / "a.txt"), str(tmp_path / "d.txt"))).settings()


def test_other_hosts_need_a_token(monkeypatch, tmp_path):
    monkeypatch.delenv(playground_settings.TOKEN_VARIABLE, raising=False)
    assert PlaygroundOptions().settings().token == ""
    made = PlaygroundOptions(host="0.0.0.0").settings()
    assert len(made.token) > 20
    said = serving.greeting(PlaygroundOptions(host="0.0.0.0"), made, "http://machine:8080/")
    assert f"?token={made.token}" in said[0]
    assert "open to the network" in said[1]
    monkeypatch.setenv(playground_settings.TOKEN_VARIABLE, "from the environment, long")
    assert PlaygroundOptions().settings().token == "from the environment, long"
    monkeypatch.setenv(playground_settings.TOKEN_VARIABLE, "short")
    with pytest.raises(OptionError, match="PLAINMARK_TOKEN: a token of about 0 bits, expected at least 128"):
        PlaygroundOptions().settings()
    file = tmp_path / "token"
    file.write_text("in a file of its owner's\n", "ascii")
    file.chmod(0o644)
    with pytest.raises(OptionError, match="others can read this token"):
        PlaygroundOptions(token_file=str(file)).settings()
    file.chmod(0o600)
    assert PlaygroundOptions(token_file=str(file)).settings().token == "in a file of its owner's"


def test_no_token_on_the_command_line(capsys):
    """Everyone on the machine can read it there."""
    secret = "abcdefghijklmnopqrstuvwxyz"
    try:
        code = cli.main(["serve", "--token", secret])
    except SystemExit as end:
        code = end.code
    assert code == 2
    assert "--token" in capsys.readouterr().err


def test_a_text_is_decoded():
    assert decode_file(b"a\r\nb\rc", "x") == "a\nb\nc"
    assert decode_file(b"", "x") == ""
    with pytest.raises(InputError):
        decode_file(b"\x89PNG\r\n\x1a\n\x00", "x.png")


def test_the_page_says_what_it_cannot_check_in_another_language():
    german = [
        "Die Regierung hat gestern ein neues Gesetz beschlossen.",
        "Es gibt jetzt ein neues Gesetz der Regierung.",
    ]
    body = json.dumps({"source": german[0], "output": german[1]}).encode()
    page = jobs.perform("part", body)
    assert page.status == 200
    assert "looks German" in page.body.decode()
    assert "were not checked" in page.body.decode()
    checked = json.loads(jobs.perform("check", json.dumps({"text": german[0]}).encode()).body)
    assert "rules for English were not checked" in checked["notes"][0]
    assert checked["measures"]["grade"] is None
