"""What lowers the score in the editor: the same as `explain quality` says, a few pieces at a time, within limits."""

import json

import pytest

import plainmark as pm
from plainmark.metrics import quality as quality_metric
from plainmark.report import quality as report
from plainmark.web.editor import quality as editor_quality
from plainmark.web.editor.requests import MAX_QUALITY_SECONDS
from plainmark.web.playground import cost, jobs
from plainmark.web.playground.requests import MAX_TEXT
from plainmark.web.playground.settings import PlaygroundSettings
from support import playground
from support.attacks import ATTACKS, EVIL

SOURCE = "The feline was observed to be sitting upon the mat in 1999, which astonished nobody."
OUTPUT = "In 1999 people saw the 😀 cat. Bananas are yellow and taste good. Nobody was surprised."
GERMAN = "Die Eulen jagen in der Nacht, und am Tag schlafen sie in einem Baum."


def ask(**data):
    """The status and the data of an answer."""
    result = jobs.perform("quality", json.dumps(data).encode())
    return result.status, json.loads(result.body)


def answers(source, output):
    """The answers until there is nothing left to ask."""
    done = 0
    while done is not None:
        status, answer = ask(source=source, output=output, done=done)
        assert status == 200, answer
        yield answer
        done = answer["next"]


def pieces(source, output):
    return [piece for answer in answers(source, output) for piece in answer["pieces"]]


def test_it_says_what_explain_says():
    (explanation,) = pm.explain("quality", [OUTPUT], source=[SOURCE]).explanations
    (answer,) = answers(SOURCE, OUTPUT)
    assert answer["signature"] == pm.metric("quality").signature()
    columns = {part: explanation.parts.index(part) for part in report.SHOWN}
    assert answer["scores"] == pytest.approx({p: explanation.scores[i] for p, i in columns.items()})
    assert [(p["kind"], OUTPUT[p["start"] : p["end"]]) for p in answer["pieces"]] == [
        (p.kind, p.text) for p in explanation.pieces
    ]
    for piece, expected in zip(answer["pieces"], explanation.pieces, strict=True):
        points = {part: effect["points"] for part, effect in piece["effects"].items()}
        assert points == pytest.approx({p: expected.effects[i] for p, i in columns.items()}, abs=0.006)
    assert (answer["total"], answer["shaded"], answer["notes"]) == (len(explanation.pieces), "word", [])


def test_words_are_shaded_as_in_the_report():
    (explanation,) = pm.explain("quality", [OUTPUT], source=[SOURCE]).explanations
    (answer,) = answers(SOURCE, OUTPUT)
    for part in report.shown(explanation, SOURCE, OUTPUT, "").parts:
        effects = [
            (OUTPUT[p["start"] : p["end"]], p["effects"][part.name])
            for p in answer["pieces"]
            if p["kind"] == answer["shaded"]
        ]
        assert [(text, e["shade"], e["words"]) for text, e in effects if e["shade"]] == [
            (run.text, run.kind, run.effect) for run in part.runs if run.kind
        ]


def test_the_legend_states_the_thresholds():
    assert f"from {report.STRONG:g} points on, none below {report.WEAK:g}" in report.legend()


@pytest.mark.parametrize(
    ("effect", "shade", "words"),
    [
        (-3.0, "much lowers", "lowers fluency by 3.0"),
        (-2.99, "lowers", "lowers fluency by 3.0"),
        (-0.99, "", "lowers fluency by 1.0"),
        (1.0, "raises", "raises fluency by 1.0"),
        (3.0, "much raises", "raises fluency by 3.0"),
        (float("nan"), "", "raises fluency by nan"),
    ],
)
def test_shades(effect, shade, words):
    assert (report.shade(effect), report.effect_words(effect, "fluency")) == (shade, words)


def test_several_requests_give_what_one_gives(monkeypatch):
    whole = pieces(SOURCE, OUTPUT)
    monkeypatch.setattr(editor_quality, "quality_texts", lambda characters: 4)
    parts = list(answers(SOURCE, OUTPUT))
    assert len(parts) == -(-len(whole) // 4)
    assert [p["next"] for p in parts] == [*range(4, len(whole), 4), None]
    found = [piece for answer in parts for piece in answer["pieces"]]
    assert [(p["kind"], p["start"], p["end"]) for p in found] == [
        (p["kind"], p["start"], p["end"]) for p in whole
    ]
    for one, other in zip(found, whole, strict=True):
        for part, effect in one["effects"].items():
            assert effect["points"] == pytest.approx(other["effects"][part]["points"], abs=0.05)


def test_of_a_long_text_only_sentences_are_left_out():
    (answer,) = answers(SOURCE, OUTPUT * 6)
    assert {p["kind"] for p in answer["pieces"]} == {"sentence"}
    assert answer["shaded"] == "sentence"
    assert "only sentences" in answer["notes"][0]


def test_with_a_long_original_only_sentences_are_left_out(monkeypatch):
    texts = cost.quality_seconds(len(SOURCE + OUTPUT), 1)
    monkeypatch.setattr(editor_quality, "MAX_QUALITY_SECONDS", 5 * texts)
    assert [p["kind"] for p in pieces(SOURCE, OUTPUT)] == ["sentence"] * 3


def test_a_text_that_is_too_long_is_refused_before_anything_is_computed(monkeypatch):
    monkeypatch.setattr(editor_quality, "score", None)
    status, answer = ask(source=f"{SOURCE} " * 50, output=f"{SOURCE} " * 200)
    assert status == 413
    assert "To leave out each of 200 sentences in turn would take about" in answer["error"]
    assert f"at most {MAX_QUALITY_SECONDS:.0f} s" in answer["error"]
    status, answer = ask(source=SOURCE, output="A b. " * 501)
    assert (status, "expected at most 500" in answer["error"]) == (413, True)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"source": "", "output": OUTPUT}, "The original has no words."),
        ({"source": SOURCE, "output": " \n"}, "Your text has no words."),
        ({"source": SOURCE, "output": "?!"}, "Your text has no words."),
        ({"source": GERMAN, "output": OUTPUT}, "The original looks German"),
        ({"source": SOURCE, "output": GERMAN}, "Your text looks German"),
        ({"source": SOURCE, "output": "猫在垫子上睡觉。"}, "Your text "),
        ({"output": OUTPUT}, "no 'source'"),
        ({"source": SOURCE, "output": OUTPUT, "done": -1}, "done: found a number, expected 0 to 100,000"),
        ({"source": SOURCE, "output": OUTPUT, "done": "x"}, "done: found a string, expected 0 to 100,000"),
        ({"source": SOURCE, "output": OUTPUT, "metric": "sari"}, "metric"),
    ],
)
def test_bad_questions_are_told_what_is_expected(data, message):
    status, answer = ask(**data)
    assert status == 422
    assert message in answer["error"]
    assert "\n" not in answer["error"]


def test_without_the_encoder_it_is_said(monkeypatch):
    monkeypatch.setattr(
        quality_metric.models, "missing", lambda *_: "needs the package onnxruntime; install it"
    )
    (answer,) = answers(SOURCE, OUTPUT)
    assert "|encoder:none|" in answer["signature"]
    assert answer["notes"][0].startswith(
        "Computed from wording and facts alone: the encoder needs the package"
    )


def test_a_question_past_the_end_has_no_pieces():
    status, answer = ask(source=SOURCE, output=OUTPUT, done=90_000)
    assert (status, answer["pieces"], answer["next"]) == (200, [], None)


@pytest.mark.parametrize("text", [*ATTACKS, EVIL])
def test_any_text_gets_an_answer(text):
    """No text comes back, only places in it."""
    status, answer = ask(
        source=f"They said that it was so. {text}", output=f"It is said that they know. {text}"
    )
    assert status == 200
    assert all(0 <= p["start"] < p["end"] <= len(text) + 27 for p in answer["pieces"])
    assert "<script" not in json.dumps(answer)


# What a request may cost, up to the longest texts that are accepted.


@pytest.mark.parametrize("characters", [20, 2000, 20_000, 100_000])
def test_a_request_leaves_out_as_many_as_its_time_allows(characters):
    texts = cost.quality_texts(characters)
    assert texts == 1 or cost.quality_seconds(characters, texts) <= 2 < cost.quality_seconds(
        characters, texts + 1
    )
    body = json.dumps({"source": "a " * (characters // 4), "output": "a " * (characters // 4)}).encode()
    seconds = cost.estimated_seconds("quality", body)
    assert seconds > cost.LARGE, "the model may have to be loaded: never interrupted as a small job"
    assert (seconds < 4) == (characters < 100_000)


def test_the_longest_texts_are_refused_at_the_door():
    body = json.dumps({"source": "a" * MAX_TEXT, "output": "a" * MAX_TEXT}).encode()
    assert cost.estimated_seconds("quality", body) > PlaygroundSettings().seconds


def test_a_worker_answers_without_the_network():
    with playground.running() as served, served.client() as client:
        answer = client.post("/editor/quality", json={"source": SOURCE, "output": OUTPUT})
        assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
        assert answer.json()["next"] is None
        kind = {"content-type": "text/plain"}
        assert client.post("/editor/quality", content=b"{}", headers=kind).status_code == 415
        page = client.get("/").text
    assert "What lowers the score?" in page
    assert report.legend().strip() in page
