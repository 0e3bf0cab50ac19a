"""What every registered data set keeps."""

import hashlib
import re
from dataclasses import FrozenInstanceError, fields

import pytest

import plainmark as pm
from conftest import ROOT, SHARED
from plainmark.datasets import DATASETS, download_folder, sources
from plainmark.errors import MissingResourceError
from plainmark.options import option_help

VARIANTS = [v.spec for name in DATASETS.names() for v in DATASETS.find(name)().variants()]


@pytest.fixture(params=DATASETS.names())
def cls(request):
    return DATASETS.find(request.param)


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    """A machine without any data set."""
    monkeypatch.delenv("PLAINMARK_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


def test_the_sets_of_the_papers_are_there():
    wanted = "turkcorpus asset hsplit pwkp cochrane dwiki onestopqa ats_eval onestop_reading samsa_human simplicity_da"
    wanted += " simpeval plaba cochrane_pairs cells swipe perturbed wu2025 multicochrane factuality clear cefr_sp readme_pp"
    wanted += " tsar2025 jades textcomplexity_de deplain"
    assert set(wanted.split()) <= set(DATASETS.names())


def test_cards_are_complete(cls):
    card = cls.card
    assert cls.__doc__
    assert not cls.__doc__.startswith(cls.__name__ + "(")
    assert all([card.title, card.about, card.licence, card.citation, card.samples, card.systems, card.size])
    assert bool(card.ratings) == bool(card.dimensions)
    assert set(card.lower_is_better) <= set(card.dimensions)
    assert re.search(r"\b(19|20)\d\d\b", card.citation)
    assert all(note.endswith(".") for note in card.notes)
    for option in fields(cls):
        assert option_help(cls)[option.name], f"option {option.name} has no help text"


def test_data_sets_are_values(cls):
    one = cls()
    assert one == cls()
    assert pm.dataset(one.spec) == one
    assert pm.dataset(one) is one
    with pytest.raises(FrozenInstanceError):
        one.folder = "elsewhere"


@pytest.mark.parametrize("spec", VARIANTS)
def test_every_file_is_declared(spec):
    one = pm.dataset(spec)
    assert one.files()
    declared = one.sources()
    assert set(declared) == set(one.files())
    for source in declared.values():
        assert re.fullmatch("[0-9a-f]{64}", source.sha256)
        assert 0 < source.size < 64 * 2**20
        assert source.licence
        assert bool(source.url) != bool(source.reason)
        assert not source.url or source.url.startswith("https://")
        # A commit, never a branch that may move.
        assert not source.url or re.search("/[0-9a-f]{40}/", source.url)


@pytest.mark.parametrize("spec", VARIANTS)
def test_the_real_files_are_the_declared_ones(spec, shared):
    for name, source in pm.dataset(spec).sources().items():
        data = (shared / "data" / name).read_bytes()
        assert len(data) == source.size
        assert hashlib.sha256(data).hexdigest() == source.sha256


def test_nothing_is_declared_that_nothing_reads():
    read = {f for name in DATASETS.names() for v in DATASETS.find(name)().variants() for f in v.files()}
    # What links() reads, which is not needed for texts.
    assert set(sources()) - read == {"swipe/links_val.jsonl"}


def test_files_beside_the_texts_are_the_declared_ones(shared):
    name = "swipe/links_val.jsonl"
    assert hashlib.sha256((shared / "data" / name).read_bytes()).hexdigest() == sources()[name].sha256


@pytest.mark.parametrize("spec", VARIANTS)
def test_samples_and_ratings_join(spec, data_sets):
    one = pm.dataset(spec)
    assert one.missing() == ""
    corpora, ratings = one.corpora(), one.ratings()
    for system, corpus in corpora.items():
        assert corpus.name == system
        assert corpus.sources is not None
        assert len(set(corpus.ids)) == len(corpus.ids)
    assert len({(r.system, r.sample, r.dimension, r.rater) for r in ratings}) == len(ratings)
    if corpora:  # SAMSA's benchmark has no texts
        known = {(system, sample) for system, corpus in corpora.items() for sample in corpus.ids}
        assert {(r.system, r.sample) for r in ratings} <= known
    else:
        assert "no texts" in one.card.about


def test_the_card_counts_right(cls, data_sets):
    one = cls()
    corpora, ratings = one.corpora(), one.ratings()
    samples = {i for c in corpora.values() for i in c.ids} or {r.sample for r in ratings}
    systems = set(corpora) or {r.system for r in ratings}
    assert (len(samples), len(systems), len(ratings)) == (
        cls.card.samples,
        cls.card.systems,
        cls.card.ratings,
    )
    assert {r.dimension for r in ratings} == set(cls.card.dimensions)


def test_the_same_twice(cls, data_sets):
    one, other = cls(), cls()
    assert list(one.ratings()) == list(other.ratings())
    first, second = one.corpora(), other.corpora()
    assert list(first) == list(second)
    for system in first:
        assert list(first[system]) == list(second[system])


def test_what_is_missing_is_said(cls, nowhere):
    one = cls()
    assert one.missing().startswith("needs ")
    assert str(download_folder()) in one.missing()
    assert f"plainmark datasets get {cls.name}" in one.missing() or "by hand" in one.missing()
    for read in (one.corpora, one.ratings):
        if read.__func__ not in (pm.Dataset.ratings, DATASETS.find("samsa_human").corpora):
            with pytest.raises(MissingResourceError, match=f"^data set {cls.name} needs .*\\.$"):
                read()
    assert not list(nowhere.iterdir())


def test_the_page_has_every_card():
    page = (ROOT / "docs" / "datasets.md").read_text("utf-8")
    for name in DATASETS.names():
        card = DATASETS.find(name).card
        numbers = " | ".join(f"{n:,}" if n else "–" for n in (card.samples, card.systems, card.ratings))
        line = f"| {name} | {card.about} | {card.level} | {numbers} | {', '.join(card.dimensions) or '–'} | {card.licence} |"
        assert line in page


# Methods that read files; a set has the first two at least.
READERS = ("corpora", "ratings", "errors", "labels", "levels", "answers", "questions", "edits")

BAD = {
    "other bytes": b"\x00\xff\xfe",
    "an object": b"{}\n",
    "a list": b"[[1]]\n",
    "nothing": b"",
    "words": b"one,two\nthree\n",
}


@pytest.mark.parametrize("kind", BAD)
def test_a_broken_file_is_one_line_with_its_name(cls, kind, shared, tmp_path):
    """Every set, each kind of file in it broken in turn: a typed error that names the file, or (a blank text) none."""
    names = list(dict.fromkeys(cls().files()))
    for bad in [names[0], *names[1:3], names[-1]]:
        folder = tmp_path / bad.replace("/", "-")
        for name in names:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            path.symlink_to(SHARED / "data" / name)
        (folder / bad).unlink()
        (folder / bad).write_bytes(BAD[kind])
        one = cls(folder=str(folder))
        with pytest.raises(pm.PlainmarkError) as found:
            [getattr(one, read, list)() for read in READERS]
        assert bad in str(found.value)
        assert "\n" not in str(found.value)


def test_a_cut_file_is_no_crash(cls, shared, tmp_path):
    names = list(dict.fromkeys(cls().files()))
    for name in names:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(SHARED / "data" / name)
    data = (SHARED / "data" / names[0]).read_bytes()
    (tmp_path / names[0]).unlink()
    for part in (3, 7, 11):
        (tmp_path / names[0]).write_bytes(data[: len(data) * part // 13])
        one = cls(folder=str(tmp_path))
        for read in READERS:
            try:
                getattr(one, read, list)()
            except pm.PlainmarkError as problem:
                assert names[0] in str(problem)  # noqa: PT017
