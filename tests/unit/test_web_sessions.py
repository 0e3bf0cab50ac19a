"""Later sessions over HTTP: returning in another browser, every language, preview, dashboard; simulated participants."""

import json

import pytest

from plainmark.api.study_archive import archive, rerun
from plainmark.cli import main
from plainmark.errors import OptionError
from plainmark.study import load, open_store, templates
from plainmark.study.messages import LANGUAGES
from plainmark.study.store import enrolment
from plainmark.study.store.answer_rows import answer_rows
from plainmark.web.simulation.participants import Behaviour, PageParser
from plainmark.web.simulation.simulate import SimulationOptions, simulate
from plainmark.web.study.preview import make_preview, tour
from plainmark.web.study.serving import StudyServeOptions, check
from plainmark.web.study.settings import StudySettings
from support import studies, web_server
from support.study_server import answered, finish, look, served

HOUR = 3600.0
RECALL = {"kind": "recall", "title_field": "title"}
SECOND = {"opens": 24, "closes": 72, "pages": [RECALL], "codes": {"complete": "C2", "late": "L2"}}
NATIVE = {"id": "native", "type": "yesno", "text": "Native?"}


class Clock:
    now = 1_000_000_000.0

    def __call__(self):
        return self.now


def definition(**changes):
    consent, block, survey = studies.definition()["pages"]
    rate = {
        "kind": "block",
        "id": "rate",
        "per_participant": 1,
        "questions": [{"id": "ease", "type": "likert", "text": "Easy?"}],
    }
    ask = {**block, "id": "ask", "per_participant": 2}
    pages = [consent, {"kind": "survey", "questions": [NATIVE]}, rate, ask, survey]
    made = {
        "sessions": [{**SECOND, "pages": [{**RECALL, "block": "ask"}]}],
        "pages": pages,
        "quotas": [{"question": "native", "equals": "no", "people": 1}],
    }
    return json.loads(json.dumps(studies.definition(**{**made, **changes})))


def write(folder, made=None, count=9):
    rows = [{**row, "title": f"About {row['id']}"} for row in studies.items(count)]
    return studies.write(folder, made or definition(), rows)


def test_any_browser_begins_a_session_and_the_first_is_told(tmp_path):
    clock = Clock()
    study = write(tmp_path / "study", definition(recruit={"returning": "any_browser"}))
    with served(study, clock=clock) as running, running.person("ann") as first:
        assert "Part 2 opens in 24 hours" in finish(first).text
        with running.client() as early:
            assert early.get("/?PROLIFIC_PID=ann").status_code == 409, "not before it is open"
        clock.now += 30 * HOUR
        with running.client() as second:
            page = PageParser(second.get("/?PROLIFIC_PID=ann").text)
            assert page.heading.strip() == "Part 2 is open"
            assert page.hidden["return"] == "yes"
            assert second.post("/study", data={**page.hidden, "csrf": "x"}).status_code == 403
            assert second.post("/study", data=page.hidden).status_code == 303
            assert "Thank you!" in finish(second).text
        assert first.get("/study").status_code == 403, "its session is the other browser's now"
    with open_store(study) as store:
        assert sum(r.page == "recall" for r in answer_rows(store)) == 1


def test_no_get_begins_a_session(tmp_path):
    clock = Clock()
    with served(write(tmp_path / "study"), clock=clock) as running, running.person("ann") as ann:
        finish(ann)
        clock.now += 30 * HOUR
        for path in ("/study", ann.link, "/study"):
            assert "Part 2 is open" in ann.get(path, follow_redirects=True).text
        assert (
            running.store.database.read(lambda c: c.exec_driver_sql("SELECT count(*) FROM visits").scalar())
            == 0
        )
        page = PageParser(ann.get("/study").text)
        assert page.action == "/continue"
        assert ann.post("/continue", data={"csrf": "x"}).status_code == 403
        ann.post("/continue", data=page.hidden)
        assert "About i" in look(ann).text
        with running.admin() as admin:
            text = admin.get("/admin").text
            assert "<h2>Later sessions</h2>" in text
            assert "<h2>Quotas</h2>" in text
            assert "<h2>Blocks</h2>" in text
            assert "session 2 begun" in text
            data = admin.get("/admin/progress.json").json()
            assert data["sessions"][0]["states"]["working"] == 1
            assert data["quotas"][0]["people"] == 1
            page = admin.get("/admin/payments", params={"session": "2"})
            assert "still at work" in page.text
            assert admin.get("/admin/payments", params={"session": "9"}).status_code == 200
            assert "still at work" in admin.get("/admin/payments.csv", params={"session": "2"}).text


def test_a_full_quota_has_a_page_and_a_code(tmp_path):
    def no(page):
        form = answered(page)
        return {
            k: "no" if k != "consent" and k in page.controls and "no" in dict(page.controls[k].values) else v
            for k, v in form.items()
        }

    with served(write(tmp_path / "study")) as running:
        with running.person("first") as first:
            assert "Part 2 opens" in finish(first, no).text
        with running.person("second") as second:
            text = finish(second, no).text
            assert "All places for your group are taken" in text
            assert "F1" in text
        with running.admin() as admin:
            assert admin.get("/admin/progress.json").json()["quotas"] == [
                {
                    "question": "native",
                    "equals": ["no"],
                    "people": 1,
                    "finished": 1,
                    "working": 0,
                    "turned_away": 1,
                }
            ]
            assert "all places for native: no are taken" in admin.get("/admin/payments").text
        with running.person("third") as third:
            assert "Part 2 opens" in finish(third).text, "who said yes is not limited"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_when(tmp_path, language):
    clock = Clock()
    study = write(tmp_path / "study", definition(language=language))
    with served(study, clock=clock) as running, running.person("ann") as ann:
        pages = [finish(ann).text]
        for hours in (23, 2, 60):
            clock.now += hours * HOUR
            pages.append(ann.get("/study").text)
    headings = [PageParser(p).heading for p in pages]
    assert len(set(headings)) == 4
    assert all("2" in h and "{" not in p for h, p in zip(headings, pages, strict=True))
    assert "24" in headings[0]
    assert "60" in headings[1], "the last hour is counted in minutes"


def test_the_preview_shows_later_sessions_and_what_is_between(tmp_path):
    study = write(tmp_path / "study")
    labels = [s.label for s in tour(study)]
    assert [x for x in labels if x.startswith("Session")] == [
        "Session 2: too early",
        "Session 2: open",
        "Session 2: too late",
        "Session 2: recall",
    ]
    assert "End: places of a quota taken" in labels
    with (
        web_server.serving(lambda address: make_preview(study, StudySettings(public_url=address))) as address,
        web_server.Served(address).client() as client,
    ):
        texts = [client.get(f"/page/{n}").text for n in range(len(labels))]
        shown = dict(zip(labels, texts, strict=True))
        assert "Part 2 opens in 24 hours" in shown["Session 2: too early"]
        assert "Part 2 is open" in shown["Session 2: open"]
        assert "Part 2 is closed" in shown["Session 2: too late"]
        assert "About i" in shown["Session 2: recall"]
        assert 'data-text="1"' not in shown["Session 2: recall"]
        page = PageParser(shown["Session 2: recall"])
        assert client.post("/study", data={**page.hidden, "q1": "1"}).status_code == 303


def test_simulated_participants_come_back(tmp_path):
    templates.copy("recall-after-delay", tmp_path / "study")
    done = simulate(
        SimulationOptions(
            str(tmp_path / "study"),
            participants=6,
            ramp=0.5,
            behaviour=Behaviour(0.1, 0.3, 0.3),
            seed=2,
            minutes=4,
            keep=str(tmp_path / "kept"),
        )
    )
    assert done.safe, done
    assert any(end.startswith("Part 2 opens in 24 hours") for end in done.ends), done.ends
    study = load(tmp_path / "kept")
    with open_store(study) as store:
        rows = answer_rows(store)
    later = [r for r in rows if r.session == 2]
    assert {r.page for r in later} == {"recall", "survey"}
    assert done.ends["Thank you!"] == len({r.participant for r in later if r.page == "survey"}) >= 1
    assert done.stored == done.acknowledged
    made = archive(tmp_path / "kept", resamples=200)
    (tmp_path / "a.zip").write_bytes(made.packed())
    assert rerun(tmp_path / "a.zip").same


def test_links_and_the_clock(tmp_path, capsys):
    clock = Clock()
    study = write(tmp_path / "study")
    with open_store(study) as store:
        store.begin(clock.now)
        studies.walk(store, "ann", now=clock.now)
        assert enrolment.find(store, "ann") is not None
    (tmp_path / "ids.txt").write_text("ann\nbob\n")
    words = ["study", "links", str(tmp_path / "study"), str(tmp_path / "ids.txt")]
    assert main(words) == 0
    assert capsys.readouterr().out.count("\n") == 2
    assert main([*words, "--due"]) == 0
    assert "ann" not in capsys.readouterr().out, "many years later nobody is due"
    with pytest.raises(OptionError, match="--ahead: a live study keeps the real time"):
        check(StudyServeOptions(str(tmp_path / "study"), ahead=24, mode="live", port=0))
    with pytest.raises(OptionError, match="--ahead -1: expected 0 to 100,000 hours"):
        check(StudyServeOptions(str(tmp_path / "study"), ahead=-1, port=0))
