"""Each rule of exclusion alone, at its limit; rules that exclude everybody; results with and without."""

import json
import subprocess
import sys
import zipfile
from dataclasses import replace

import pytest

from plainmark.api.study_report import study as report
from plainmark.cli import main
from plainmark.report.study_effects import exclusion_table
from plainmark.study import open_store
from plainmark.study.analysis.analyse import analyse
from plainmark.study.analysis.exclusions import RULES, exclude
from plainmark.study.analysis.responses import Collected, responses
from plainmark.study.definition.models import Exclusions
from plainmark.study.store.answer_rows import AnswerRow, PersonRow
from support import studies

ENGLISH = {"id": "english", "type": "mcq", "text": "Your English?", "options": ["native", "good", "poor"]}
LIKED = {"id": "liked", "type": "likert", "text": "Did you like it?", "low": 1, "high": 5}
CHECKS = {
    "attention": [
        {
            "after": 1,
            "question": {"id": "look", "type": "mcq", "text": "B?", "options": ["x", "y"], "key": "B"},
        },
        {
            "after": 2,
            "question": {"id": "look", "type": "mcq", "text": "A?", "options": ["x", "y"], "key": "A"},
        },
    ],
    "allowed_failures": 1,
    "on_failure": "flag",
}


def answer(participant="p", **changes):
    """A counted answer in the block, with changes."""
    row = AnswerRow(
        participant=participant, mode="pilot", revision=1, page="block", order=1, item="i0", condition="plain", arm="plain",
        replicate=0, question="q1", target="", value="A", answer="right 0", correct=True, shown=1, position=1, seconds=20.0,
        client_seconds=None, reading_seconds=None, opened="", submitted="", device="desktop", viewport="", asked=True, late=False, surplus=False,
        outcome="complete", review="", counted=True, flags="",
    )  # fmt: skip
    return replace(row, **changes)


def person(participant="p", **changes):
    """Somebody whom no rule excludes, with changes."""
    made = PersonRow(
        participant=participant, outcome="complete", review="", minutes=12.0, trials=3, trial_seconds=20.0, reading_seconds=None,
        devices=("desktop",), duplicate_of="",
    )  # fmt: skip
    return replace(made, **changes)


def alike(value, count):
    return [
        answer(item=f"i{k}", question="liked", value=value, correct=None, position=k) for k in range(count)
    ]


def asked(value, **changes):
    return answer(page="survey", question="english", value=value, correct=None, **changes)


def look(*right):
    return [answer(page="attention", question="look", correct=r, position=k) for k, r in enumerate(right)]


# rule, its setting, who is excluded (changes of the person, further answers), who is just not, and the reason given
CASES = [
    ("incomplete", True, ({"outcome": ""}, []), ({}, []), "not finished"),
    ("incomplete", True, ({"outcome": "screened_out"}, []), ({}, []), "screened out"),
    ("minimum_seconds", 10, ({"trial_seconds": 9.9}, []), ({"trial_seconds": 10.0}, []), "median 9.9 s, less than 10 s"),
    ("minimum_seconds", 10, ({"trial_seconds": 0.0}, []), ({"trial_seconds": None}, []), "median 0.0 s"),
    ("minimum_reading_seconds", 5, ({"reading_seconds": 4.9}, []), ({"reading_seconds": 5.0}, []), "median 4.9 s, less than 5 s"),
    ("minimum_minutes", 5, ({"minutes": 4.9}, []), ({"minutes": None}, []), "4.9 min, less than 5 min"),
    ("attention", True, ({}, look(False, False)), ({}, look(False, True)), "2 of 2 wrong"),
    ("straightlining", 0.8, ({}, alike("3", 5)), ({}, [*alike("3", 3), *alike("4", 2)]), "liked: 100% of 5"),
    ("straightlining", 0.8, ({}, [*alike("3", 4), *alike("4", 1)]), ({}, alike("3", 4)), "liked: 80% of 5"),
    ("devices", ["phone"], ({"devices": ("desktop", "phone")}, []), ({"devices": ("tablet",)}, []), "phone"),
    (
        "answers",
        [{"question": "english", "equals": ["C"]}],
        ({}, [asked("C")]),
        ({}, [asked("A")]),
        "english: poor",
    ),
    (
        "answers",
        [{"question": "english", "equals": ["B", "C"]}],
        ({}, [asked("B")]),
        ({}, [asked("C", asked=False)]),  # it was not to be asked
        "english: good",
    ),
    ("duplicates", True, ({"duplicate_of": "pilot"}, []), ({}, []), "same as pilot"),
    ("duplicates", True, ({"duplicate_of": "0123456789ab"}, []), ({}, []), "same as 0123456789ab"),
]  # fmt: skip


@pytest.fixture
def made(tmp_path):
    def make(exclusions, **changes):
        pages = studies.definition()["pages"]
        pages = [
            pages[0],
            {**pages[1], "reading": "first", "questions": [*pages[1]["questions"], LIKED]},
            {"kind": "survey", "questions": [ENGLISH]},
        ]
        made = studies.definition(pages=pages, checks=CHECKS, exclusions=exclusions, **changes)
        return studies.write(tmp_path / "study", made, studies.items(6))

    return make


def test_every_rule_has_a_case():
    assert {c[0] for c in CASES} == set(RULES) == set(Exclusions.model_fields)


@pytest.mark.parametrize(("rule", "setting", "out", "kept", "detail"), CASES)
def test_a_rule_alone(made, rule, setting, out, kept, detail):
    study = made({rule: setting})
    for (changes, rows), expected in ((out, {"p"}), (kept, set())):
        found = exclude(study, [answer(), *rows], [person(**changes)])
        assert found.out == expected
        assert {e.rule for e in found.excluded} == ({rule} if expected else set())
        assert found.rules == (rule,)
        if expected:
            assert detail in found.excluded[0].detail
    # Without the rule nobody is excluded, whatever they did.
    changes, rows = out
    study = made({})
    assert not exclude(study, [answer(), *rows], [person(**changes)]).out


def test_only_people_with_counted_answers_are_excluded_or_kept(made):
    study = made({"incomplete": True})
    people = [person("p"), person("q", outcome="no_consent"), person("r", outcome="")]
    rows = [
        answer("p"),
        answer("r", counted=False),
        answer("q", page="consent", question="consent", value="no"),
    ]
    found = exclude(study, rows, people)
    assert found.participants == ("p",)
    assert not found.out


def test_counts_by_rule_and_by_rule_alone(made):
    study = made({"minimum_seconds": 10, "devices": ["phone"]})
    people = [
        person("fast", trial_seconds=1.0),
        person("both", trial_seconds=1.0, devices=("phone",)),
        person("good"),
    ]
    found = exclude(study, [answer(p.participant) for p in people], people)
    assert found.counts() == {"minimum_seconds": (2, 1), "devices": (1, 0)}
    assert found.kept == ("good",)
    assert not found.everyone


def test_people_whose_answers_are_not_counted_at_all_are_counted_apart(made):
    study = made({"incomplete": True})
    people = [
        person("p"),
        person("replaced", outcome="failed_checks"),
        person("rejected", review="rejected"),
        person("late"),
    ]
    rows = [answer(p.participant, counted=p.participant == "p") for p in people]
    found = exclude(study, rows, people)
    assert (found.participants, found.uncounted) == (("p",), 2)
    assert (
        exclusion_table(found)
        .notes[1]
        .startswith("Not among them: 2 participants whose answers are not counted")
    )


def test_rules_that_exclude_everybody(made):
    study = made({"minimum_seconds": 60})
    people = [person(f"p{k}") for k in range(4)]
    rows = [
        answer(p.participant, item=f"i{k}", condition=c, arm=c, position=k, correct=c == "plain", value="A" if c == "plain" else "B")
        for p in people
        for k, c in enumerate(study.definition.conditions)
    ]  # fmt: skip
    collected = Collected(tuple(rows), tuple(people))
    found = analyse(study, responses(study, rows), collected=collected, resamples=50)
    assert found.exclusion.everyone
    assert len(found.responses) == len(rows)  # nothing is hidden: everyone is shown, and it is said
    assert "leave nobody of 4 participants: minimum_seconds (4)" in found.notes[0]
    assert found.effects_everyone is None


def test_a_study_in_which_everybody_is_excluded(made, capsys, tmp_path):
    """Report, archive and re-run say so and go on with everyone; the archive's script does too."""
    study = made({"minimum_minutes": 1000})
    with open_store(study) as store:
        store.begin(0.0)
        for n in range(4):
            studies.walk(store, f"p{n}", 1000.0 * n)
    page, archive = tmp_path / "report.html", tmp_path / "archive.zip"
    assert main(["study", "report", str(study.folder), "--resamples", "50", "-o", str(page)]) == 0
    assert "leave nobody of 4 participants: minimum_minutes (4)" in page.read_text("utf-8")
    assert main(["study", "archive", str(study.folder), "--resamples", "50", "-o", str(archive)]) == 0
    assert main(["study", "rerun", str(archive)]) == 0
    assert "The same" in capsys.readouterr().out
    assert main(["study", "report", str(study.folder), "--resamples", "50"]) == 0
    first, second = capsys.readouterr().out.splitlines()[:2]
    assert first == "Exclusions              The rules leave nobody of 4; results are of everyone."
    assert second.startswith("Did conditions differ?  That cannot be said: 0 of 2 contrasts significant")
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(tmp_path / "open")
    done = subprocess.run(
        [sys.executable, "analysis.py"], cwd=tmp_path / "open", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "The exclusion rules leave nobody; everyone is analysed." in done.stdout


def test_results_with_and_without(made, capsys):
    study = made({"answers": [{"question": "english", "equals": ["C"]}]})
    with open_store(study) as store:
        store.begin(0.0)
        for n in range(6):
            # Poor readers are always wrong, the others always right.
            studies.walk(
                store,
                f"p{n}",
                1000.0 * n,
                pick=lambda q, n=n: (
                    studies.stored(q, "C" if n == 0 else "A")
                    if q.question and q.question.id == "english"
                    else studies.stored(q, "B" if n == 0 else "A")
                    if q.question and q.question.id == "q1"
                    else None
                ),
            )
        poor = store.id_of("p0")
    found = report(study.folder, resamples=50).analysis
    assert found.exclusion.out == {poor}
    assert {d.accuracy for d in found.effects.differences} == {(100.0, 100.0)}
    assert min(min(d.accuracy) for d in found.effects_everyone.differences) < 100
    assert main(["study", "report", str(study.folder), "--resamples", "50", "--format", "json"]) == 0
    tables = {t["table"]: t["rows"] for t in json.loads(capsys.readouterr().out)}
    assert [row[1] for row in tables["Did conditions differ"]] == ["kept", "kept", "everyone", "everyone"]
    assert tables["Who was excluded"] == [["answers: survey answer", 1.0, 1.0]]
    assert tables["Excluded participants"] == [[poor, "answers", "english: poor"]]
