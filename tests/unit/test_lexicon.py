"""The lexicon of the fact ledger: base forms, relations of words, denials, terms and directions."""

import importlib.util
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark import lexicon
from plainmark.lexicon.directions import DIRECTIONS
from plainmark.lexicon.language import looks_english
from support.requirements import ROOT


@pytest.mark.parametrize(
    ("word", "base"),
    [
        *[("went", "go"), ("studies", "study"), ("better", "good"), ("worst", "bad"), ("found", "find")],
        *[("stopped", "stop"), ("running", "run"), ("children", "child"), ("mice", "mouse"), ("is", "be")],
        *[("criteria", "criterion"), ("analyses", "analysis"), ("utilised", "utilise"), ("does", "do")],
        *[("bigger", "big"), ("happiest", "happy"), ("died", "die"), ("dying", "die"), ("wolves", "wolf")],
        *[("physicians", "physician"), ("patient's", "patient"), ("needed", "need"), ("fell", "fall")],
        # Not inflected, or not known.
        *[("this", "this"), ("less", "less"), ("news", "news"), ("bus", "bus"), ("as", "as"), ("during", "during")],
        *[("zorblats", "zorblat"), ("zorblius", "zorblius"), ("heart attacks", "heart attack"), ("owner", "owner")],
    ],
)  # fmt: skip
def test_base(word, base):
    assert lexicon.base(word) == base


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("left", {"left", "leave"}),
        ("leaves", {"leaf", "leave"}),
        ("lives", {"life", "live"}),
        ("saw", {"see", "saw"}),
        ("lower", {"low", "lower"}),
    ],
)
def test_bases(word, forms):
    assert forms <= set(lexicon.bases(word))


@given(st.text(max_size=30))
def test_any_string_has_answers(word):
    assert isinstance(lexicon.base(word), str)
    assert len(lexicon.bases(word)) >= 1
    assert lexicon.related(word, "house") in (
        None,
        "same",
        "form",
        "synonym",
        "antonym",
        "hypernym",
        "hyponym",
    )
    lexicon.negative(word), lexicon.term_class(word), lexicon.direction(word)
    assert word not in lexicon.synonyms(word) | lexicon.antonyms(word) | lexicon.hypernyms(word)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        *[("purchase", "buy"), ("physician", "doctor"), ("commence", "start"), ("approximately", "about")],
        *[("utilise", "use"), ("individuals", "people"), ("demonstrate", "show"), ("mortality", "death")],
        *[("hypertension", "high blood pressure"), ("decide", "decision"), ("cardiac", "heart"), ("renal", "kidney")],
        *[("purchased", "bought"), ("assisted", "helped"), ("quickly", "rapidly"), ("begin", "commence")],
        *[("large", "big"), ("myocardial infarction", "heart attack"), ("colour", "color"), ("science", "scientific")],
        *[("prohibited", "banned"), ("subsequently", "later"), ("obtain", "get"), ("sufficient", "enough")],
    ],
)  # fmt: skip
def test_synonyms(a, b):
    assert lexicon.related(a, b) == lexicon.related(b, a) == "synonym"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        *[("insulin", "metformin"), ("weeks", "days"), ("asthma", "diabetes"), ("million", "billion")],
        *[("doctor", "nurse"), ("kidney", "liver"), ("house", "idea"), ("copper", "iron"), ("monday", "tuesday")],
        *[("padded", "tablet"), ("china", "japan"), ("minute", "hour"), ("car", "truck"), ("breakfast", "lunch")],
        *[("employer", "employee"), ("trainer", "trainee"), ("aspirin", "ibuprofen"), ("harmless", "harm"), ("owner", "impersonal")],
    ],
)  # fmt: skip
def test_words_that_do_not_mean_the_same(a, b):
    assert lexicon.related(a, b) in (None, "antonym")
    assert lexicon.related(b, a) in (None, "antonym")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        *[("safe", "unsafe"), ("safe", "dangerous"), ("increase", "decreased"), ("before", "after")],
        *[("above", "below"), ("hot", "cold"), ("rose", "fell"), ("include", "excluded"), ("won", "lost")],
        *[("harmless", "harmful"), ("like", "dislikes"), ("north", "south"), ("black", "white"), ("more", "fewer")],
        *[("able", "unable"), ("agree", "disagreed"), ("legal", "illegal"), ("better", "worse"), ("left", "right")],
        *[("higher", "reduced"), ("vaccinated", "unvaccinated"), ("smoker", "non-smoker"), ("men", "women")],
        *[("possible", "impossible"), ("start", "stopped"), ("allowed", "banned"), ("win", "lose")],
    ],
)  # fmt: skip
def test_antonyms(a, b):
    assert lexicon.related(a, b) == lexicon.related(b, a) == "antonym"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        *[("important", "portant"), ("valuable", "invaluable"), ("flammable", "inflammable"), ("easily", "uneasily")],
        *[("definitely", "indefinitely"), ("order", "disorder"), ("red", "blue"), ("heavy", "lighting")],
    ],
)  # fmt: skip
def test_words_that_are_no_antonyms(a, b):
    assert lexicon.related(a, b) != "antonym"


@pytest.mark.parametrize(
    ("special", "general"),
    [
        *[("aspirin", "drug"), ("aspirin", "medicines"), ("oak", "tree"), ("asthma", "disease"), ("dogs", "animals")],
        *[("enormous", "large"), ("novel", "fiction"), ("trout", "fish")],
    ],
)  # fmt: skip
def test_hypernyms(special, general):
    assert lexicon.base(general) in lexicon.hypernyms(special)
    assert lexicon.related(special, general) in ("hypernym", "synonym")
    assert lexicon.related(general, special) in ("hyponym", "synonym")


def test_related_words_as_written():
    assert lexicon.related("child", "child") == "same"
    assert lexicon.related("child", "children") == "form"
    assert lexicon.related("zorblate", "zorblated") == "form"
    assert lexicon.related("hypertensive", "hypertension") in ("form", "synonym")
    assert lexicon.related("", "") == "same"


@pytest.mark.parametrize(
    ("word", "positive"),
    [
        *[("unsafe", "safe"), ("insufficient", "sufficient"), ("harmless", "harm"), ("unlikely", "likely")],
        *[("unable", "able"), ("dislikes", "like"), ("irregularly", "regularly"), ("inability", "ability")],
        *[("disagreed", "agree"), ("illegal", "legal"), ("impossible", "possible"), ("nonsmokers", "smoker")],
        *[("non-fatal", "fatal"), ("sugar-free", "sugar"), ("unvaccinated", "vaccinated"), ("untreated", "treated")],
        *[("painless", "pain"), ("unemployment", "employment"), ("asymptomatic", "symptomatic")],
        *[("informal", "formal"), ("inaccurate", "accurate"), ("dissatisfied", "satisfied")],
    ],
)  # fmt: skip
def test_denials(word, positive):
    assert lexicon.negative(word) == positive


@pytest.mark.parametrize(
    "word",
    "important uncle invaluable inflammable unless under disease discuss discussed infect illness irony immigration "
    "understood unite university unlocked unveiled uncovered disorder disability indifferent priceless nonetheless "
    "regardless incredible interest display misuse mistake uneasy agnostic innocent indefinitely unionized less bless "
    "restless discharge impress income".split(),
)
def test_words_that_deny_nothing(word):
    assert lexicon.negative(word) is None


@pytest.mark.parametrize(
    ("term", "kind"),
    [
        *[("metformin", "drug"), ("insulin", "drug"), ("paracetamol", "drug"), ("ibuprofen", "drug")],
        *[("rituximab", "drug"), ("lisinopril", "drug"), ("atorvastatin", "drug"), ("dapagliflozin", "drug")],
        *[("asthma", "disease"), ("tuberculosis", "disease"), ("diverticulitis", "disease"), ("covid-19", "disease")],
        *[("nephropathy", "disease"), ("high blood pressure", "disease"), ("kidneys", "body part"), ("liver", "body part")],
        *[("oak", "organism"), ("bacteria", "organism"), ("copper", "chemical"), ("scalpel", "device")],
        *[("chemotherapy", "procedure"), ("plumber", "profession"), ("potatoes", "food")],
    ],
)  # fmt: skip
def test_term_classes(term, kind):
    assert lexicon.term_class(term) == kind


@pytest.mark.parametrize(
    "word",
    "person house drug medicine disease patient study treatment table accept concept season reason april alpine quickly "
    "go the safe trophy empathy diagnosis prognosis work zorblat".split(),
)
def test_words_that_are_no_terms(word):
    assert lexicon.term_class(word) is None


@pytest.mark.parametrize(
    ("word", "way"),
    [
        *[("increased", ("amount", 1)), ("fell", ("amount", -1)), ("fewer", ("amount", -1)), ("higher", ("amount", 1))],
        *[("before", ("time", -1)), ("later", ("time", 1)), ("above", ("position", 1)), ("worsened", ("quality", -1))],
        *[("rejected", ("acceptance", -1)), ("wins", ("contest", 1)), ("banned", ("permission", -1))],
        *[("house", None), ("", None)],
    ],
)  # fmt: skip
def test_directions(word, way):
    assert lexicon.direction(word) == way


def test_families_have_two_sides():
    sides = {}
    for family, sign in DIRECTIONS.values():
        sides.setdefault(family, set()).add(sign)
    assert all(signs == {1, -1} for signs in sides.values())
    assert lexicon.opposite_direction("rises", "reduced")
    assert not lexicon.opposite_direction("rises", "grew")
    assert not lexicon.opposite_direction("rises", "before")


def test_relations_are_those_of_the_pairs():
    sources = (
        "doctors purchased aspirin before unsafe meals hypertensive zorblates rose study children".split()
    )
    outputs = (
        "physician bought drug after safe meal hypertension zorblated fell research child dropped".split()
    )
    expected = {(a, b): lexicon.related(a, b) for a in sources for b in outputs}
    assert lexicon.relations(sources, outputs) == {pair: r for pair, r in expected.items() if r}


def test_the_file_needs_no_pickle_and_is_small():
    assert lexicon.FILE.stat().st_size < 2_500_000
    with np.load(lexicon.FILE, allow_pickle=False) as file:
        assert all(file[name].dtype.kind == "u" for name in file.files)


def test_words_of_the_file_are_sorted():
    words = lexicon._lexicon().words
    assert words == sorted(set(words))


def test_no_wordnet_is_read():
    code = (
        "import sys; from plainmark import lexicon; lexicon.related('dog', 'animal'); "
        "assert not {'lemminflect', 'plainmark.wordnet'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.wordnet
def test_the_file_is_what_the_script_makes(shared, monkeypatch):
    pytest.importorskip("lemminflect")
    monkeypatch.syspath_prepend(ROOT / "scripts")
    path = ROOT / "scripts" / "make_fact_lexicon.py"
    spec = importlib.util.spec_from_file_location("make_fact_lexicon", path)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    arrays = script.build(shared / "data" / "ppdb")
    with np.load(lexicon.FILE, allow_pickle=False) as file:
        assert set(file.files) == set(arrays)
        for name, array in arrays.items():
            np.testing.assert_array_equal(file[name], array, err_msg=name)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("hypertension", ("height", 1)),
        ("hypocalcaemia", ("height", -1)),
        ("hypothesis", None),
        ("bradycardia", ("speed", -1)),
        ("postoperative", ("time", 1)),
        ("underestimated", ("over/under estimate", -1)),
        ("undertake", None),  # is not the opposite of overtake
        ("outcome", None),
        ("increase", ("amount", 1)),
    ],
)
def test_directions_by_prefix(word, expected):
    assert lexicon.direction(word) == expected


@pytest.mark.parametrize(
    ("word", "noun", "thing"),
    [
        ("boilers", True, True),
        ("roof", True, True),
        ("courage", True, False),
        ("green", False, False),
        ("xqzt", False, False),
    ],
)
def test_nouns_and_things(word, noun, thing):
    assert (lexicon.is_noun(word), lexicon.is_thing(word)) == (noun, thing)


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("Mrs Okoro lent Mr Lindgren money.", True),  # most words are names
        ("Frau Lindgren lieh Herrn Okoro Geld.", False),
    ],
)
def test_names_do_not_tell_the_language(text, english):
    assert looks_english(text) == english
