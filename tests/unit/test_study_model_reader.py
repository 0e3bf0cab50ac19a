"""A model in place of people: endpoint on this machine, own words, without the text, agreement by hand."""

import json
import re

import pytest

from plainmark.cli import main
from plainmark.errors import OptionError
from plainmark.study import open_store
from plainmark.study.analysis.model_agreement import agreement_with
from plainmark.study.analysis.model_reader import (
    ModelAnswers,
    Reader,
    all_answers,
    answer_with,
    chance,
    nearest_option,
    reader,
)
from plainmark.study.analysis.responses import Response
from support import chat_server, studies


def clever(body, number):
    """Picks the option that says "right" if there is a text, the second one otherwise; writes it in its own words."""
    prompt = body["messages"][0]["content"]
    topic = re.search(r"What is (\d)\?", prompt)[1]
    if "letter of one option" not in prompt:
        return chat_server.completion("not in the text" if "(no text)" in prompt else f"It is right {topic}.")
    options = dict(re.findall(r"^([A-Z]): (.*)$", prompt, re.MULTILINE))
    if "(no text)" in prompt:
        return chat_server.completion("B")
    return chat_server.completion(next(f"Option {k}." for k, v in options.items() if v.startswith("right")))


@pytest.fixture
def answered(tmp_path):
    study = studies.write(tmp_path / "s")
    with open_store(study) as store:
        store.begin(0.0)
        for n in range(6):
            studies.walk(store, f"p{n}", 1000.0 * n)
    return study


def test_an_endpoint_answers_as_people_do(answered, monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("PLAINMARK_API_KEY", chat_server.KEY)
    out = tmp_path / "report.json"
    with chat_server.serving() as server:
        server.answer = clever
        options = ["--reader", server.url, "--reader-model", "tiny", "--resamples", "50"]
        assert main(["study", "report", str(answered.folder), *options, "-o", str(out)]) == 0
    assert set(server.keys) == {f"Bearer {chat_server.KEY}"}
    assert {b["temperature"] for b in server.seen} == {0.0}
    said = capsys.readouterr()
    assert chat_server.KEY not in said.out + said.err + out.read_text("utf-8")
    tables = {t["table"]: t for t in json.loads(out.read_text("utf-8"))}
    model = tables["Answered by a model"]
    assert model["columns"] == ["system", "people", "model", "without the text", "own words", "same answer"]
    assert {row[2] for row in model["rows"]} == {100.0}
    assert {row[4] for row in model["rows"]} == {100.0}
    assert all(row[3] < 100 for row in model["rows"])
    assert "Where model and people differ" in tables


def test_an_endpoint_that_talks_nonsense_is_given_up(answered, capsys, monkeypatch):
    monkeypatch.setattr("plainmark.judge.ATTEMPTS", 1)
    with chat_server.serving() as server:
        server.answer = lambda body, number: (400, {}, b"no")
        code = main(["study", "report", str(answered.folder), "--reader", server.url, "--reader-model", "m"])
    assert code == 2
    assert "requests in a row had no usable reply" in capsys.readouterr().err


def test_what_a_reader_needs(answered, capsys):
    with pytest.raises(OptionError, match="needs model of an OpenAI-compatible endpoint"):
        reader("http://127.0.0.1:1/v1")
    with pytest.raises(OptionError, match="belongs to an endpoint"):
        reader("plain", model="x")


def test_free_answers_count_as_the_nearest_option():
    options = ["a red door", "a blue door", "no door"]
    assert nearest_option("The door was blue", options) == "B"
    assert nearest_option("door", options) == ""  # it may be any of them
    assert nearest_option("a window", options) == ""
    assert nearest_option("This is not in the text.", options, unanswerable=True) == "UA"
    assert nearest_option("", options, unanswerable=True) == "UA"
    assert nearest_option("", options) == ""


def test_without_a_text_no_passage_is_shown(tmp_path):
    study = studies.write(tmp_path)
    asked = []

    def choose(questions):
        asked.extend(questions)
        return [q.options[-1] for q in questions]

    read = all_answers(study, Reader("x", choose))
    half = len(asked) // 2
    assert all(q.passage for q in asked[:half])
    assert not any(q.passage for q in asked[half:])
    assert {r.value for r in read.with_text} == {"UA"}  # people may say so, and so may a model
    assert read.own_words == ()
    assert chance(study) == pytest.approx(25)
    assert {r.value for r in answer_with(study, lambda qs: ["what?"] * len(qs))} == {""}


def test_agreement_by_hand():
    def answer(system, item, rater, value):
        return Response(system, item, "q", rater, value, "A")

    people = [
        answer("x", "i1", "p1", "A"), answer("x", "i1", "p2", "B"), answer("x", "i2", "p1", "B"), answer("y", "i1", "p3", "A"),
        answer("y", "i3", "p3", "A"),
    ]  # fmt: skip
    model = ModelAnswers(
        "m",
        (answer("x", "i1", "m", "A"), answer("x", "i2", "m", "B"), answer("y", "i1", "m", "C"), answer("y", "i3", "m", "A")),
        (answer("x", "i1", "m", "B"), answer("x", "i2", "m", "A"), answer("y", "i1", "m", "A"), answer("y", "i3", "m", "A")),
        (),
        guesses=False,
    )  # fmt: skip
    found = agreement_with(people, model, ["x", "y", "z"], chance=25)
    x, y = found.conditions
    assert (x.condition, x.answers) == ("x", 3)
    assert x.people[0] == pytest.approx(100 / 3)
    assert x.model[0] == 50  # one of two questions
    assert x.without_text[0] == 50
    assert x.same[0] == pytest.approx(200 / 3)
    assert y.same[0] == 50
    assert y.without_text == (100, 100, 100)
    shares = {q.item: (q.people, q.model, q.without_text) for q in found.questions}
    assert shares["i1"] == (pytest.approx(200 / 3), 50, 50)
    assert shares["i2"] == (0, 0, 100)
