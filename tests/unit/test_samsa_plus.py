"""SAMSA plus: its switches by hand, the paper's sentences, and readings that the parser offers."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import plainmark as pm
from plainmark import ucca
from plainmark.errors import InputError, OptionError
from plainmark.report import scenes as shown
from plainmark.ucca import nominal, pronouns, write_passage
from plainmark.ucca.alignment import WordAligner, WordLinks
from plainmark.ucca.scenes import explain, place_best
from support.ucca_data import bracketed

PLAIN = {"encoder": "none", "wordnet": "none"}
TWO = "(H (A Ann) (P sings)) (L and) (H (A Bob) (P dances)) (U .)"
KICK = (
    "(H (A (E (C John) (R 's)) (E unexpected) (C kick) (E (R towards) (E the) (C gate)))"
    " (P saved) (A (E the) (C game))) (U .)"
)


def plus(**options):
    return pm.METRICS.find("samsa")(variant="plus", **(PLAIN | options))


def linked(graph, *sentences):
    """The graph, the sentences as words, and links of equal words."""
    parsed = bracketed(graph)
    split = [s.split() for s in sentences]
    flat = [w.lower() for s in split for w in s]
    pairs = [(i, flat.index(w.lower())) for i, w in enumerate(parsed.words) if w.lower() in flat]
    return parsed, split, WordLinks(tuple(pairs))


# The sentences of the paper's sections 1 to 4, each with a split of it: SAMSA as printed, then SAMSA plus.
SENTENCES = [
    ("John got home and gave Mary a call.", "John got home. John gave Mary a call.", 100, 100),
    ("John got home and gave Mary a call.", "John got home and gave. Mary called.", 200 / 3, 200 / 3),
    (
        "John's unexpected kick towards the gate saved the game.",
        "John kicked the ball towards the gate. It saved the game.",
        0,  # more sentences than Scenes
        100,
    ),
    ("He ran into the park.", "He ran into the park.", 100, 100),
    ("The man who entered the house is John.", "A man entered the house. He is John.", 12.5, 100),
    ("He said he will be late.", "He will be late. He said it.", 50, 75),
    (
        "When he will arrive at home, he will call them.",
        "He will arrive at home. Then he will call them.",
        100,
        100,
    ),
    ("I read the book that John wrote.", "John wrote a book. I read that book.", 100, 100),
    ("I read the book that John wrote.", "John wrote. I read the book.", 87.5, 87.5),
    (
        "The combination of new weapons and tactics marks this battle as the end of chivalry.",
        "The combination of new weapons and tactics. It is the end of chivalry.",
        0,
        0,
    ),
    (
        "The previous president of the commission resigned and left.",
        "The previous president of the commission resigned. He left.",
        100,
        100,
    ),
    ("Traveling is fun.", "Traveling is fun.", 100, 100),
]


@pytest.mark.wordnet
@pytest.mark.parametrize(("source", "output", "printed", "with_switches"), SENTENCES)
def test_sentences_of_the_paper(source, output, printed, with_switches):
    corpus = pm.Corpus([source], [output])
    assert pm.metric("samsa(encoder='none')").score(corpus).value == pytest.approx(printed)
    assert pm.metric("samsa(variant='plus', encoder='none')").score(corpus).value == pytest.approx(
        with_switches
    )


def test_switches_are_options_of_their_own():
    metric = plus()
    assert "variant:plus|expected:yes|optimal:yes|nominal:no|pronouns:yes|grouped:yes" in metric.signature()
    assert pm.metric(metric.spec) == pm.metric(metric.signature()) == metric
    one = plus(pronouns=False)
    wordnet = "" if WordAligner(encoder="none").wordnet == "none" else ", wordnet='none'"
    assert one.spec == f"samsa(variant='plus', pronouns=False, encoder='none'{wordnet})"
    assert pm.metric(one.spec) == pm.metric(one.signature()) == one
    printed = pm.METRICS.find("samsa")(**PLAIN)
    assert "optimal" not in printed.signature()
    alone = pm.METRICS.find("samsa")(optimal=True, **PLAIN)
    assert "expected:no|optimal:yes" in alone.signature()
    assert pm.metric(alone.signature()) == alone


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"variant": "easse", "pronouns": True}, "variant='easse'.* has no option pronouns"),
        ({"nominal": True}, "wordnet is 'none'; use nominal=False"),
    ],
)
def test_switches_that_cannot_be(options, message):
    with pytest.raises(OptionError, match=message):
        pm.METRICS.find("samsa")(**PLAIN, **options)


@given(arrays.arrays(float, st.integers(1, 5).map(lambda n: (n, n)), elements=st.integers(0, 4)))
def test_the_best_matching_is_the_best_of_all(values):
    places = place_best(values)
    n = len(values)
    assert sorted(places) == list(range(n))
    best = max(sum(values[k, p[k]] for k in range(n)) for p in itertools.permutations(range(n)))
    assert sum(values[k, places[k]] for k in range(n)) == best


def test_with_fewer_sentences_each_scene_has_its_best():
    assert place_best(np.array([[0.0, 1], [0, 1], [1, 0]])) == [1, 1, 0]
    assert place_best(np.zeros((2, 0))) == [None, None]


def test_greedy_matching_takes_a_sentence_from_its_scene():
    # The first Scene has as many leaves in either sentence and takes the first, which the second one needs.
    graph, sentences, links = linked(TWO, "Ann dances Bob .", "sings .")
    links = WordLinks((*links.pairs, (1, 1)))
    greedy = explain(graph, sentences, links)
    optimal = explain(graph, sentences, links, matching="optimal")
    assert [s.sentence for s in optimal.scenes] == [1, 0]
    assert optimal.score >= greedy.score


@pytest.mark.wordnet
def test_a_noun_evokes_a_scene():
    scenes = nominal.scenes(bracketed(KICK))
    words = bracketed(KICK).words
    assert [[words[i] for i in s.main_relations[0].centres[0]] for s in scenes] == [["saved"], ["kick"]]
    assert [[words[i] for c in p.centres for i in c] for p in scenes[1].participants] == [["John"], ["gate"]]


@pytest.mark.wordnet
@pytest.mark.parametrize(
    ("graph", "number"),
    [
        ("(H (A (E the) (C kick)) (P hurt)) (U .)", 1),  # nobody takes part
        ("(H (A (E (C John) (R 's)) (C house)) (P burnt)) (U .)", 1),  # a house is no event
        ("(H (A (A (E (C John) (R 's))) (P kick)) (P hurt)) (U .)", 2),  # a Scene already
    ],
)
def test_other_nouns_evoke_none(graph, number):
    assert len(nominal.scenes(bracketed(graph))) == number


@pytest.mark.wordnet
@pytest.mark.parametrize(
    ("word", "event"), [("kick", True), ("attacks", True), ("president", False), ("xyzzy", False)]
)
def test_event_nouns(word, event):
    assert nominal.is_event(word) is event


def test_a_person_is_the_first_participant_of_the_sentence_before():
    graph, sentences, links = linked(TWO, "Ann sings .", "She dances .")
    more = pronouns.resolved(graph.scenes, sentences, links)
    assert more.repeats == ((0, 3),)


def test_it_may_be_the_event_before():
    graph, sentences, links = linked(TWO, "Ann sings .", "It dances .")
    assert pronouns.resolved(graph.scenes, sentences, links).repeats == ((0, 3), (1, 3))


def test_pronouns_of_the_first_sentence_and_of_the_source_stand_for_themselves():
    graph, sentences, links = linked("(H (A She) (P sings)) (U .)", "She sings .", "They nod .")
    assert pronouns.resolved(graph.scenes, sentences, links).repeats == ((0, 3),)
    graph, sentences, links = linked(TWO, "They sing .")
    assert pronouns.resolved(graph.scenes, sentences, links).repeats == ()


def test_blocks_keep_scenes_and_sentences_apart():
    graph, sentences, links = linked(TWO, "Ann sings .", "Bob dances .", "Nobody else .")
    whole = explain(graph, sentences, links)
    assert whole.score == 0  # three sentences for two Scenes
    blocks = [({0, 1}, [0]), ({3, 4}, [1]), (set(), [2])]
    apart = explain(graph, sentences, links, blocks=blocks)
    assert apart.score == 1
    assert [s.sentence for s in apart.scenes] == [0, 1]
    # A sentence of the source that the output leaves out counts as lost.
    dropped = explain(
        graph, sentences[:1], links=WordLinks(links.pairs[:2]), blocks=[({0, 1}, [0]), ({3, 4}, [])]
    )
    assert dropped.score == 0.5


def test_documents_by_groups_of_aligned_sentences():
    source = ["The old mayor opened the new library. The children sang a song about the river."]
    output = ["The old mayor opened the new library. Many people came to see it. The children sang a song."]
    whole = plus(grouped=False, expected=False).explain(pm.Corpus(source, output))[0]
    grouped = plus(expected=False).explain(pm.Corpus(source, output))[0]
    assert (whole.score, len(grouped.groups)) == (0, 3)
    assert grouped.score > 0.8


def test_the_score_is_the_mean_of_readings():
    corpus = pm.Corpus(
        ["The arrival of the guests, long awaited, pleased the host."], ["Guests came. The host was pleased."]
    )
    (found,) = plus().explain(corpus)
    assert len(found.readings) == 5
    counts = [len(r.scenes) for r in found.readings]
    assert counts == sorted(counts)
    assert found.score == pytest.approx(np.mean([r.score for r in found.readings]))
    assert plus().sample_scores(corpus)[0] == pytest.approx(100 * found.score)
    text = shown.text(found, "sample 1")
    assert f"readings with {counts[0]}, " in text
    assert [r["scenes"] for r in found.record()["readings"]] == counts


def test_gold_parses_have_one_reading(tmp_path):
    (tmp_path / "1.xml").write_text(write_passage(bracketed(TWO)), "utf-8")
    corpus = pm.Corpus(["Ann sings and Bob dances."], ["Ann sings. Bob dances."])
    (found,) = plus(parses=str(tmp_path)).explain(corpus)
    assert found.readings == ()
    assert found.score == 1
    with pytest.raises(InputError, match=r"1 \.xml files for 2 samples, and no 2\.xml"):
        plus(parses=str(tmp_path)).score(pm.Corpus(["Ann sings and Bob dances."] * 2, ["Ann sings."] * 2))


@pytest.mark.parametrize("variant", ["paper", "plus"])
@pytest.mark.parametrize("source", ["", "?!", "•", "\ud800", "\u200b"])
def test_what_cannot_be_parsed_is_undefined_with_the_reason(variant, source):
    metric = pm.METRICS.find("samsa")(variant=variant, **PLAIN)
    corpus = pm.Corpus([source, "Ann sings."], ["Something else.", "Ann sings."])
    scores = metric.sample_scores(corpus)
    assert math.isnan(scores[0])
    assert scores[1] == 100
    assert "no Scene" in metric.explain(corpus)[0].reason
    assert "undefined" in shown.text(metric.explain(corpus)[0], "sample 1")


def test_readings_have_more_and_more_scenes():
    text = "His discovery of the comet led to his appointment as director of the observatory, a post he held until his death."
    (readings,) = ucca.parser().readings([text], (-0.9, 0.0, 0.39))
    counts = [len(g.scenes) for g in readings]
    assert counts == sorted(counts)
    assert counts[0] < counts[1]
    assert all(g.words == readings[0].words for g in readings)


def test_explain_takes_the_variant():
    result = pm.explain(
        "samsa(variant='plus', encoder='none', wordnet='none')",
        ["John came home. He called Mary."],
        source=["John came home and called Mary."],
    )
    (found,) = result.explanations
    assert len(found.readings) == 5
    corpus = pm.Corpus(["John came home and called Mary."], ["John came home. He called Mary."])
    assert 100 * found.score == pytest.approx(plus().score(corpus).value)
