"""The judge against a real HTTP server on this machine that answers well, badly, late or not at all."""

import json
import logging
import math
import random
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import plainmark as pm
from plainmark import judge as asking
from plainmark import models
from plainmark.cli import main
from plainmark.errors import InputError, MissingResourceError, OptionError
from plainmark.judge import Endpoint, JudgeWarning, Pace, Reply, ReplyError, Usage
from plainmark.metric import from_signature
from plainmark.metrics import judge as rubrics
from support.chat_server import KEY, Server, completion, serving


@pytest.fixture
def server():
    with serving() as made:
        yield made


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("PLAINMARK_CACHE", raising=False)
    monkeypatch.setenv("PLAINMARK_API_KEY", KEY)


@pytest.fixture
def corpus():
    return pm.Corpus(["A first text.", "A second text."], ["First.", "Second."])


def judge(server, **options):
    return rubrics.Judge(model="m", url=server.url, **options)


def text_of(body):
    return body["messages"][0]["content"]


def test_expected_score_from_token_probabilities(server, corpus):
    # (4 * 0.6 + 5 * 0.2 + 3 * 0.1) / 0.9 = 3.7 / 0.9; "Good" is no rating and " 3" is one.
    likely = {"4": 0.6, "5": 0.2, " 3": 0.1, "Good": 0.1}
    server.answer = lambda body, n: completion("4", likely)
    metric = judge(server)
    score = metric.score(corpus)
    assert score.value == pytest.approx(3.7 / 0.9)
    assert score.parts == {"weighted": 1.0}
    assert len(server.seen) == 2, "with probabilities one request a sample is enough"
    assert server.seen[0]["logprobs"] is True
    assert server.seen[0]["temperature"] == 0.6
    assert set(server.paths) == {"/v1/chat/completions"}
    assert set(server.keys) == {f"Bearer {KEY}"}


def test_without_probabilities_five_replies_are_averaged(server, corpus):
    ratings = {"First.": iter("12345"), "Second.": iter("55554")}
    server.answer = lambda body, n: completion(
        next(ratings["First." if "First." in text_of(body) else "Second."])
    )
    metric = judge(server)
    assert metric.sample_scores(corpus).tolist() == [3.0, 4.8]
    assert metric.score(corpus).parts == {"weighted": 0.0}
    assert len(server.seen) == 10


def test_expected_scoring_refuses_an_endpoint_without_probabilities(server, corpus):
    metric = judge(server, scoring="expected")
    with pytest.warns(JudgeWarning, match="2 of 2 samples have no score"):
        assert np.isnan(metric.score(corpus).value)
    assert "gives no token probabilities" in metric.reasons(corpus)["1"]


def test_a_server_that_refuses_logprobs_is_asked_without(server, corpus):
    def answer(body, n):
        if "logprobs" in body:
            return 400, {}, b'{"error": {"message": "logprobs is not supported"}}'
        return completion("2")

    server.answer = answer
    assert judge(server, threads=1).score(corpus).value == 2
    assert sum("logprobs" in body for body in server.seen) == 1, "asked for them once, then never again"


def test_too_many_requests_then_well(server, corpus, no_waiting):
    def answer(body, n):
        return (429, {"Retry-After": "7"}, b"") if n == 1 else completion("4", {"4": 1.0})

    server.answer = answer
    metric = judge(server, threads=1)
    assert metric.score(corpus).value == 4
    assert max(no_waiting) == 7, "Retry-After is kept"
    assert metric.usage(corpus).retries == 1


def test_server_errors_forever_leave_one_sample_undefined(server, corpus, no_waiting):
    server.answer = lambda body, n: (
        (500, {}, b"") if "First." in text_of(body) else completion("4", {"4": 1.0})
    )
    metric = judge(server, threads=1)
    with pytest.warns(
        JudgeWarning, match="1 of 2 samples have no score; sample 1: the endpoint answered 500"
    ):
        scores = metric.sample_scores(corpus)
    assert np.isnan(scores[0])
    assert scores[1] == 4
    assert metric.score(corpus).value == 4, "the rest is kept"
    assert metric.reasons(corpus) == {"1": "the endpoint answered 500 (6 attempts)"}
    assert len(server.seen) == 6 + 1


def test_back_off_grows_with_jitter():
    class Half(random.Random):
        def random(self):
            return 0.5

    pauses = []
    endpoint = Endpoint("http://127.0.0.1:9/v1", "m", sleep=pauses.append, rng=Half(), attempts=8)
    endpoint._post = lambda body: (_ for _ in ()).throw(asking.RetryError("no"))
    with pytest.raises(ReplyError, match=r"no \(8 attempts\)"):
        endpoint.ask("p", lambda r: r, temperature=0)
    assert pauses == [0.75 * 2**i for i in range(6)] + [45.0]


@pytest.mark.parametrize(
    "body",
    [b"<html>", b"[]", b'{"choices": []}', b'{"choices": [{"message": {"content": null}}]}', b"\xff", b""],
    ids=repr,
)
def test_garbage_is_asked_again(server, corpus, no_waiting, body):
    server.answer = lambda b, n: (200, {}, body) if n < 3 else completion("4", {"4": 1.0})
    assert judge(server, threads=1).score(corpus).value == 4
    assert len(server.seen) == 4


def test_a_slow_server_is_given_up(server, corpus, no_waiting):
    release = threading.Event()
    server.answer = lambda body, n: release.wait(5) and completion("4")
    metric = judge(server, timeout=0.05)
    with pytest.warns(JudgeWarning, match=r"no reply in 0\.05 s \(6 attempts\)"):
        metric.score(corpus)
    release.set()


def test_nobody_there(corpus, no_waiting):
    with Server() as gone:
        url = gone.url
    metric = rubrics.Judge(model="m", url=url)
    with pytest.warns(JudgeWarning, match="no connection"):
        assert np.isnan(metric.score(corpus).value)


@pytest.mark.parametrize(
    ("status", "error", "says"),
    [
        (401, MissingResourceError, "refused the key"),
        (403, MissingResourceError, "refused the key"),
        (404, InputError, "no model 'm'"),
    ],
)
def test_what_no_retry_can_mend_ends_the_run(server, corpus, status, error, says):
    server.answer = lambda body, n: (status, {}, f"key {KEY}".encode())
    with pytest.raises(error, match=says) as raised:
        judge(server, threads=1).score(corpus)
    assert KEY not in str(raised.value)
    assert len(server.seen) == 1


def test_a_refused_text_is_not_asked_again_and_says_why(server, corpus):
    server.answer = lambda body, n: (
        400,
        {},
        json.dumps({"error": {"message": f"too long\n {KEY}"}}).encode(),
    )
    metric = judge(server, threads=1)
    with pytest.warns(JudgeWarning):
        metric.score(corpus)
    assert metric.reasons(corpus)["2"] == "the endpoint answered 400: too long ***"
    assert len(server.seen) == 2


def test_redirects_are_not_followed(server, corpus):
    server.answer = lambda body, n: (302, {"Location": "http://127.0.0.1:9/"}, b"")
    metric = judge(server)
    with pytest.warns(JudgeWarning, match="answered 302"):
        metric.score(corpus)


def test_the_key_is_nowhere(server, corpus, tmp_path, caplog, no_waiting):
    """Not in logs, warnings, messages, the signature, the specification or any file, even if the server repeats it."""
    server.answer = lambda body, n: (500, {}, KEY.encode()) if n < 3 else completion("4\n", {"4": 1.0})
    metric = judge(server)
    with caplog.at_level(logging.DEBUG), models.using(cache=tmp_path):
        metric.score(corpus)
        server.answer = lambda body, n: completion(f"{KEY}")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            metric.score(corpus.with_outputs(["x", "y"]))
    assert "attempt 1 of 6" in caplog.text
    assert "requests" in caplog.text
    said = [caplog.text, metric.spec, metric.signature(), repr(metric), *(str(w.message) for w in caught)]
    files = [p for p in tmp_path.rglob("*") if p.is_file()]
    assert files
    assert not any(KEY in text for text in said)
    assert not any(KEY.encode() in p.read_bytes() for p in files)


def test_a_reply_that_repeats_the_key_is_kept_without_it(server, tmp_path):
    server.answer = lambda body, n: completion(f"you sent {KEY}")
    endpoint = Endpoint(server.url, "m", cache=tmp_path)
    assert endpoint.ask("p", lambda r: r.text, temperature=0) == "you sent ***"
    endpoint.close()
    assert KEY.encode() not in (tmp_path / "judge.sqlite").read_bytes()


def test_the_key_goes_over_https_or_to_this_machine_only(monkeypatch):
    assert asking.key_for("https://host/v1") == KEY
    assert asking.key_for("http://localhost:8000/v1") == KEY
    assert asking.key_for("http://host/v1") == ""
    monkeypatch.delenv("PLAINMARK_API_KEY")
    monkeypatch.setenv("OPENAI_API_KEY", "other")
    assert asking.key_for("https://host/v1") == "other"
    monkeypatch.setenv("OPENAI_API_KEY", "a\nb")
    with pytest.raises(OptionError, match="PLAINMARK_API_KEY holds characters that no key has"):
        asking.key_for("https://host/v1")


@pytest.mark.parametrize("url", ["host", "ftp://host", "http://", "http://[", "http://host:0/"])
def test_a_url_is_checked(url):
    with pytest.raises(OptionError, match="url is not one of an endpoint"):
        rubrics.Judge(url=url)


@pytest.mark.parametrize("url", ["https://me:secret@host/v1", "https://host/v1?key=secret"])
def test_secrets_in_a_url_are_refused_and_not_repeated(url):
    with pytest.raises(OptionError, match="user name or a query") as raised:
        rubrics.Judge(url=url)
    assert "secret" not in str(raised.value)


def test_an_interrupted_run_goes_on_without_asking_again(server, tmp_path):
    corpus = pm.Corpus([f"text {i}" for i in range(6)], [f"out {i}" for i in range(6)])

    def answer(body, n):
        return (401, {}, b"") if n == 4 else completion("4", {"4": 1.0})

    server.answer = answer
    metric = judge(server, threads=1)
    with models.using(cache=tmp_path):
        with pytest.raises(MissingResourceError):
            metric.score(corpus)
        assert len(server.seen) == 4
        assert metric.score(corpus).value == 4
        assert len(server.seen) == 4 + 3
        assert metric.usage(corpus).cached == 3
        again = corpus.with_outputs(corpus.outputs)
        assert metric.score(again).value == 4
        assert len(server.seen) == 7
        assert metric.usage(again) == Usage(cached=6)
        # Whatever may change the reply makes it another request.
        for other in (judge(server, temperature=1.0), judge(server, dimension="fluency")):
            before = len(server.seen)
            other.score(again)
            assert len(server.seen) == before + 6


def test_an_interruption_by_hand_keeps_what_was_said(server, tmp_path):
    corpus = pm.Corpus([f"text {i}" for i in range(6)], [f"out {i}" for i in range(6)])
    server.answer = lambda body, n: completion("4", {"4": 1.0})

    def stop(done, total):
        if done == 2:
            raise KeyboardInterrupt

    metric = judge(server, threads=1)
    with pytest.raises(KeyboardInterrupt), models.using(cache=tmp_path, progress=stop):
        metric.score(corpus)
    assert len(server.seen) == 2
    with models.using(cache=tmp_path):
        metric.score(corpus)
    assert len(server.seen) == 6


def test_a_long_pause_ends_when_the_run_does(server):
    server.answer = lambda body, n: (429, {"Retry-After": "500"}, b"") if n == 1 else (401, {}, b"")
    started = time.monotonic()
    with pytest.raises(MissingResourceError):
        judge(server, threads=2).score(pm.Corpus(["a", "b"], ["a", "b"]))
    assert time.monotonic() - started < 60


@pytest.mark.parametrize(
    "text", ["", "\x00", "\ud800", "🦉", "x" * 5000, "{source}"], ids=lambda t: repr(t[:9])
)
def test_odd_texts_are_asked_about(server, tmp_path, text):
    with models.using(cache=tmp_path):
        assert judge(server, samples=1).score(pm.Corpus([text], [text])).value == 4
    assert text_of(server.seen[0]).count(text) >= 2


def test_five_samples_are_five_entries_of_the_cache(server, corpus, tmp_path):
    numbers = iter("1234512345")
    server.answer = lambda body, n: completion(next(numbers))
    with models.using(cache=tmp_path):
        first = judge(server, threads=1).score(corpus).value
        assert judge(server).score(corpus.with_outputs(corpus.outputs)).value == first == 3
    assert len(server.seen) == 10


def test_a_file_that_is_no_cache_is_left_alone(tmp_path):
    (tmp_path / "judge.sqlite").write_bytes(b"not a database" * 100)
    with pytest.raises(InputError, match=r"judge\.sqlite: cannot store replies here"):
        Endpoint("http://localhost/v1", "m", cache=tmp_path)
    assert (tmp_path / "judge.sqlite").read_bytes().startswith(b"not")


def test_requests_under_way_are_bounded(server):
    def answer(body, n):
        time.sleep(0.02)
        return completion("4", {"4": 1.0})

    server.answer = answer
    corpus = pm.Corpus([f"text {i}" for i in range(12)], ["out"] * 12)
    judge(server, threads=3).score(corpus)
    assert 2 <= server.busiest <= 3


def test_equal_pairs_are_asked_once(server):
    server.answer = lambda body, n: completion("4", {"4": 1.0})
    judge(server).score(pm.Corpus(["a"] * 5, ["b"] * 5))
    assert len(server.seen) == 1


def test_the_rate_is_kept_by_any_number_of_threads():
    pace = Pace(120, clock=lambda: 10.0)
    with ThreadPoolExecutor(8) as pool:
        delays = sorted(pool.map(lambda _: pace.delay(), range(20)))
    assert delays == [0.5 * i for i in range(20)]
    now = [0.0]
    pace = Pace(60, clock=lambda: now[0])
    assert [pace.delay(), pace.delay()] == [0, 1]
    now[0] = 100.0
    assert pace.delay() == 0, "idle time is not saved up"
    assert pace.delay() == 1
    assert [Pace(0, clock=lambda: 1.0).delay() for _ in range(2)] == [0, 0]


def test_an_endpoint_keeps_its_pace(server):
    now, pauses = [0.0], []

    def sleep(seconds):
        pauses.append(seconds)
        now[0] += seconds

    endpoint = Endpoint(server.url, "m", per_minute=6, clock=lambda: now[0], sleep=sleep)
    for i in range(3):
        endpoint.ask(str(i), lambda r: r, temperature=0)
    assert pauses == [10, 10]


def test_tokens_and_cost_are_counted(server, corpus):
    server.answer = lambda body, n: completion("4", {"4": 1.0}, tokens=(1000, 10))
    metric = judge(server, price_in=2.0, price_out=50.0)
    metric.score(corpus)
    usage = metric.usage(corpus)
    assert (usage.requests, usage.tokens_in, usage.tokens_out) == (2, 2000, 20)
    assert usage.cost == pytest.approx(2000 * 2e-6 + 20 * 50e-6)
    assert str(usage) == (
        "2 requests (0 retried), 0 replies from the cache, 2000 tokens in, 20 out, cost 0.0050"
    )


def test_the_command_line_says_what_it_cost(server, tmp_path, capsys):
    server.answer = lambda body, n: completion("4", {"4": 1.0}, tokens=(1000, 10))
    for name in ("s", "o"):
        (tmp_path / name).write_text("A text.\n")
    spec = f"judge(model='m', url='{server.url}', price_in=2)"
    assert main(["score", str(tmp_path / "o"), "-s", str(tmp_path / "s"), "-m", spec]) == 0
    said = capsys.readouterr()
    assert "4.00" in said.out
    assert "judge m: 1 requests (0 retried), 0 replies from the cache, 1000 tokens in" in said.err
    assert "cost 0.0020" in said.err


def test_retry_after_may_be_a_date_and_is_bounded():
    assert asking._retry_after("3") == 3
    assert asking._retry_after("1e9") == 600
    for odd in ("-5", "nan", "soon", "", None, "Thu, 01 Jan 1970 00:00:00 GMT"):
        assert asking._retry_after(odd) == 0
    from email.utils import formatdate

    assert 50 < asking._retry_after(formatdate(time.time() + 60, usegmt=True)) <= 60


SCORES = "Informativeness: 80\n**Simplification**: 70.5\n- Coherence = 60\nFaithfulness: 90\nOverall: 75\n"


@pytest.mark.parametrize("setting", ["b", "c"])
def test_appls_reads_all_criteria(server, corpus, setting):
    server.answer = lambda body, n: completion(SCORES + "It is clear, I gave 99 at first." * (setting == "c"))
    metric = judge(server, rubric="appls", setting=setting)
    score = metric.score(corpus)
    assert score.value == 75
    assert score.parts == {
        "informativeness": 80,
        "simplification": 70.5,
        "coherence": 60,
        "faithfulness": 90,
        "overall": 75,
    }
    assert judge(server, rubric="appls", setting=setting, dimension="coherence").score(corpus).value == 60
    assert server.seen[0]["temperature"] == 0
    assert server.seen[0]["max_tokens"] == 150
    assert "logprobs" not in server.seen[0]
    asked = text_of(server.seen[0])
    assert all(f"- {c.capitalize()}: " in asked for c in rubrics.CRITERIA)
    assert ("Then explain" in asked) == (setting == "c")


def test_appls_asks_one_criterion(server, corpus):
    server.answer = lambda body, n: completion("85")
    metric = judge(server, rubric="appls", setting="a", dimension="faithfulness")
    assert metric.score(corpus).value == 85
    assert metric.part_names == ("judge", "faithfulness")
    asked = text_of(server.seen[0])
    assert "- Faithfulness: " in asked
    assert "Coherence: " not in asked


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4", 4),
        (" 4.\n", 4),
        ("Rating: 3", 3),
        ("**Score: 5/5**", 5),
        ("The rating is 2", 2),
        ("3.5", 3.5),
        ("4 out of 5", 4),
    ],
)
def test_a_rating_is_read(text, value):
    assert rubrics.read_number(text, 1, 5) == value


@pytest.mark.parametrize(
    "text", ["", "6", "0", "On a scale of 1-5 it is a 4", "4/10", "four", "4 5", "I refuse."]
)
def test_what_is_no_rating_is_not_guessed(text):
    with pytest.raises(asking.RetryError, match="not a number from 1 to 5"):
        rubrics.read_number(text, 1, 5)


@pytest.mark.parametrize("text", ["", "Coherence: 101", "Coherence: 1\nCoherence: 2", "Coherence: high"])
def test_what_is_no_score_line_is_not_guessed(text):
    with pytest.raises(asking.RetryError, match="no line 'coherence: number'"):
        rubrics.read_line(text, "coherence", 0, 100)


def test_probabilities_elsewhere_do_not_count():
    def likely(*tokens):
        return Reply("", tuple((t, {k: math.log(v) for k, v in top.items()}) for t, top in tokens))

    assert rubrics.expected_rating(likely()) is None
    assert rubrics.expected_rating(likely(("Rating", {"Rating": 0.5, "1": 0.5}))) is None
    reply = likely(("Rating", {"1": 0.9}), (":", {":": 1.0}), (" 5", {" 5": 0.5, "4": 0.5}))
    assert rubrics.expected_rating(reply) == pytest.approx(4.5)


def test_prompts_hold_the_texts_as_they_are(server):
    corpus = pm.Corpus(["a {output} b"], [r"\1 {source} {reference}"], ["ref"])
    judge(server).score(corpus)
    asked = text_of(server.seen[0])
    assert "a {output} b" in asked
    assert r"\1 {source} {reference}" in asked


def test_a_prompt_file(server, corpus, tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("{source} => {output} (compare: {reference})")
    metric = judge(server, prompt=str(path))
    assert metric.required() == {"source", "references"}
    with pytest.raises(pm.PlainmarkError, match="needs references"):
        metric.score(corpus)
    metric.score(pm.Corpus(["s"], ["o"], [["r", "q"]]))
    assert text_of(server.seen[0]) == "s => o (compare: r)"
    signature, identity = metric.signature("2"), metric.identity()
    assert from_signature(signature).prompt == metric.prompt
    path.write_text("{source} changed {output}")
    assert metric.identity() != identity
    with pytest.raises(InputError, match="expected the file or model that the score was computed with"):
        from_signature(signature)
    path.write_text("{source}")
    with pytest.raises(InputError, match=r"no \{output\}; expected a prompt with places"):
        judge(server, prompt=str(path))
    with pytest.raises(InputError, match="cannot be read"):
        judge(server, prompt=str(tmp_path / "none"))


def test_released_prompt_files_work_as_they_are(server, tmp_path):
    path = tmp_path / "fluency.txt"
    path.write_text("From ||complex|| to ||simplification||")
    judge(server, prompt=str(path)).score(pm.Corpus(["a ||simplification||"], ["o"]))
    assert text_of(server.seen[0]) == "From a ||simplification|| to o"


def test_every_built_in_prompt_has_its_places():
    for rubric, dimensions in rubrics.DIMENSIONS.items():
        for dimension in dimensions:
            for setting in (None,) if rubric == "g-eval" else ("a", "b", "c"):
                if (setting, dimension) == ("a", "overall"):
                    continue
                metric = rubrics.Judge(rubric=rubric, dimension=dimension, setting=setting)
                text = metric.template()
                assert text.count("{source}") == text.count("{output}") == 1
                assert "{criteria}" not in text
                assert pm.metric(metric.spec) == metric


def test_the_papers_own_wording(server):
    corpus = pm.Corpus(["abstract"], ["summary"], [["reference"]])
    server.answer = lambda body, number: completion("85")
    metric = judge(server, rubric="appls", setting="a", dimension="coherence", prompt="paper")
    assert metric.score(corpus).value == 85
    asked = text_of(server.seen[-1])
    assert asked.startswith("Imagine you are a human annotator now.")
    assert "Coherence: pertains to the logical arrangement" in asked
    assert "Scientific abstract:abstract;" in asked
    assert "reference" not in asked.lower()
    server.answer = lambda body, number: completion("70\nbecause it is short")
    metric = judge(server, rubric="appls", setting="c", prompt="paper", reference=True)
    assert metric.required() == {"source", "references"}
    values = metric.values(corpus)[0]
    assert values[0] == values[-1] == 70  # overall
    assert np.isnan(values[1:-1]).all()  # the reply names no criterion
    assert "Reference plain language summary:reference;" in text_of(server.seen[-1])
    assert pm.metric(metric.spec) == metric
    server.answer = lambda body, number: completion("Informativeness: 60\nOverall: 65")
    assert judge(server, rubric="appls", prompt="paper").values(corpus)[0][:2].tolist() == [65, 60]


def test_a_reference_beside_our_own_wording(server):
    server.answer = lambda body, number: completion("85")
    metric = judge(server, rubric="appls", setting="a", reference=True)
    metric.score(pm.Corpus(["abstract"], ["summary"], [["a person's"]]))
    asked = text_of(server.seen[-1])
    assert asked.index("a person's") < asked.index("Summary:\n<<<\nsummary")


def test_options_that_do_not_go_together():
    with pytest.raises(OptionError, match="prompt='paper' belongs to rubric='appls'"):
        rubrics.Judge(prompt="paper")
    with pytest.raises(OptionError, match="reference=True belongs to rubric='appls'"):
        rubrics.Judge(reference=True)
    with pytest.raises(OptionError, match="setting='a' belongs to rubric='appls'"):
        rubrics.Judge(setting="a")
    with pytest.raises(OptionError, match="scoring='expected' belongs to rubric='g-eval'"):
        rubrics.Judge(rubric="appls", scoring="expected")
    with pytest.raises(OptionError, match="dimension='coherence' is not allowed; expected one of simplicity"):
        rubrics.Judge(dimension="coherence")
    with pytest.raises(OptionError, match="dimension='overall' is not allowed"):
        rubrics.Judge(rubric="appls", setting="a", dimension="overall")


def test_what_is_missing_is_said(monkeypatch):
    assert rubrics.Judge().missing().startswith("needs url and model of an OpenAI-compatible endpoint")
    assert rubrics.Judge(url="https://host/v1").missing().startswith("needs model of")
    remote = rubrics.Judge(url="https://host/v1", model="m")
    assert remote.missing() == ""
    monkeypatch.delenv("PLAINMARK_API_KEY")
    assert remote.missing() == "needs a key for the endpoint in the environment variable PLAINMARK_API_KEY"
    assert rubrics.Judge(url="http://localhost:8000/v1", model="m").missing() == ""


def test_the_signature_names_what_changes_scores():
    metric = rubrics.Judge(model="some/model-8b", url="https://host/v1", samples=3, threads=9)
    assert metric.signature() == (
        "judge|model:'some/model-8b'|rubric:g-eval|dimension:simplicity|scoring:auto|temperature:0.6|samples:3|"
        "prompt:v1|max_tokens:16|v:0.1.0"
    )
