"""SAMSA by hand: the paper's rules and worked examples, and where the released programs depart from them."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plainmark as pm
from plainmark.errors import InputError, OptionError
from plainmark.ucca import released_samsa, write_passage
from plainmark.ucca.alignment import WordLinks
from plainmark.ucca.scenes import explain, place
from support.ucca_data import bracketed

WROTE = "(H (A I) (P read) (A (E the) (C=book book) (E (R that) (A John) (P wrote) (A*book)))) (U .)"
CALL = (
    "(H (A=john John) (P got) (A home)) (L and) (H (P (F gave)) (A Mary) (P (F a) (C call)) (A*john)) (U .)"
)
PLAIN = {"encoder": "none", "wordnet": "none", "splitter": "plain"}


def same_words(source, output):
    """Each word with the first free word of the same letters; further ones say it again."""
    pairs, free = [], dict(enumerate(output))
    for i, word in enumerate(source):
        j = next((j for j, other in free.items() if other.lower() == word.lower()), None)
        if j is not None:
            pairs.append((i, j))
            del free[j]
    repeats = [(i, j) for j, w in free.items() for i, x in enumerate(source) if x.lower() == w.lower()]
    return WordLinks(tuple(pairs), tuple(r for r in repeats if any(r[0] == i for i, _ in pairs)))


class SameWords:
    """An aligner for the released programs."""

    def align(self, pairs):
        return [WordLinks(same_words(a, b).pairs) for a, b in pairs]


def explained(graph, *sentences, repeats=True):
    graph = bracketed(graph) if isinstance(graph, str) else graph
    split = [s.split() for s in sentences]
    links = same_words(graph.words, [w for s in split for w in s])
    return explain(graph, split, links if repeats else WordLinks(links.pairs))


def as_released(graph, *sentences, ablated=False):
    return released_samsa.scores(
        [bracketed(graph)], [[s.split() for s in sentences]], SameWords(), ablated=ablated
    )[0]


def missing(found):
    return [
        (part.role, " ".join(found.source[i] for i in part.centres))
        for scene in found.scenes
        for part in scene.parts
        if part.score == 0
    ]


def test_a_shared_participant_said_in_both_sentences_has_full_marks():
    found = explained(WROTE, "John wrote a book .", "I read that book .")
    assert found.score == found.ablated == 1
    assert [s.sentence for s in found.scenes] == [1, 0]


def test_a_shared_participant_said_once_is_missed():
    found = explained(WROTE, "John wrote .", "I read the book .")
    assert missing(found) == [("participant", "book")]
    assert found.score == pytest.approx((1 + 0.75) / 2)


def test_without_repeats_a_word_counts_in_one_place_only():
    found = explained(WROTE, "John wrote a book .", "I read that book .", repeats=False)
    assert found.score < 1


def test_a_good_split_beats_one_that_tears_a_scene_apart():
    good = explained(CALL, "John got home .", "John gave Mary a call .")
    bad = explained(CALL, "John got home and gave .", "Mary called .")
    assert good.score == 1
    assert bad.score < good.score
    assert ("participant", "John") in missing(bad)


def test_a_light_verb_is_a_function_of_the_process():
    # "gave ... a call" as one Process, interrupted by Mary, whose centre is "call".
    graph = bracketed(CALL)
    scene = next(u for u in graph.units if len([e for e in u.edges if e.category == "P"]) == 2)
    verb, noun = (e for e in scene.edges if e.category == "P")
    whole = replace(graph.unit[noun.child], edges=graph.unit[verb.child].edges + graph.unit[noun.child].edges)
    rest = replace(scene, edges=tuple(e for e in scene.edges if e != verb))
    new = {scene.id: rest, noun.child: whole}
    graph = replace(graph, units=tuple(new.get(u.id, u) for u in graph.units if u.id != verb.child))
    good = explained(graph, "John got home .", "John gave Mary a call .")
    bad = explained(graph, "John got home and gave .", "Mary call .")
    assert (good.score, bad.score) == (1, 0.875)
    assert missing(bad) == [("participant", "John")]


def test_a_scene_split_over_two_sentences_scores_nothing():
    found = explained(
        "(H (A (E The) (C combination)) (P marks) (A (E this) (C battle)) (A (E the) (C end))) (U .)",
        "The combination .",
        "It is the end .",
    )
    assert found.score == found.ablated == 0
    assert "split across sentences" in found.reason


TWO = "(H (A Ann) (P sings)) (L and) (H (A Bob) (P dances)) (U .)"


def test_no_split_is_penalised_by_the_share_of_sentences():
    found = explained(TWO, "Ann sings and Bob dances .")
    assert found.ablated == 1
    assert found.score == 0.5


def test_as_many_sentences_as_scenes_are_taken_once_each():
    # Both Scenes have most leaves in the first sentence; the second must take what is left.
    found = explained(TWO, "Ann sings Bob dances .", "Nothing .")
    assert [s.sentence for s in found.scenes] == [0, 1]
    assert found.score == 0.5
    # With fewer sentences both go to the same one.
    assert [s.sentence for s in explained(TWO, "Ann sings Bob dances .").scenes] == [0, 0]


@pytest.mark.parametrize(
    ("counts", "chosen"),
    [
        ([[2, 2, 1]], [0]),  # of several best sentences the first
        ([[0, 3], [0, 3]], [1, 0]),  # each sentence once
        ([[0, 3], [0, 3], [1, 0]], [1, 1, 0]),  # fewer sentences: as often as needed
        ([[0, 0], [0, 0]], [0, 1]),  # nothing in common
        ([[], []], [None, None]),
    ],
)
def test_place(counts, chosen):
    assert place(np.array(counts, dtype=np.int64).reshape(len(counts), -1)) == chosen


def test_implicit_participants_score_half():
    found = explained("(H (A (P traveling) (A-)) (S (F is) (C fun))) (U .)", "Traveling is fun .")
    inner = found.scenes[1] if found.scenes[0].leaves > found.scenes[1].leaves else found.scenes[0]
    assert [p.score for p in inner.parts if p.implicit] == [0.5]
    assert inner.score == pytest.approx((1 + 0.5) / 2)


def test_a_participant_that_is_a_scene_is_centred_in_its_relation():
    found = explained("(H (A He) (P said) (A (A he) (F will) (S be) (A late))) (U .)", "He said he will be .")
    outer = max(found.scenes, key=lambda s: s.leaves)
    assert [[found.source[i] for i in p.centres] for p in outer.parts] == [["said"], ["He"], ["be"]]
    assert outer.score == 1


# Where the released programs depart from the paper.


def test_all_centres_of_a_main_relation_must_align():
    graph = "(H (A They) (P (C sang) (N and) (C danced))) (U .)"
    assert explained(graph, "They danced .").score == 0.5
    assert as_released(graph, "They danced .") == 1  # keeps the last of several centres


def test_words_are_matched_by_place():
    graph = "(H (A dogs) (P chase) (A dogs)) (U .)"
    assert explained(graph, "dogs chase .").score == 0.75
    assert as_released(graph, "dogs chase .") == 1  # any "dogs" will do


def test_a_scene_without_participants_has_its_relation():
    graph = "(H (P Raining)) (U .)"
    assert explained(graph, "Raining .").score == 1
    assert explained(graph, "Sunny .").score == 0
    assert as_released(graph, "Raining .") == 0.75  # 0.5 for Participants that are not there


def test_two_main_relations_do_not_shift_later_scenes():
    graph = "(H (A Ann) (P sat) (S silent)) (H (A Bob) (P ran)) (U .)"
    found = explained(graph, "Ann sat silent .", "Bob ran .")
    assert found.score == 1
    assert explained(graph, "Ann sat .", "Bob ran .").scenes[0].relation == 0  # both must be there
    # The second Scene is asked for the first one's second relation.
    assert as_released(graph, "Ann sat silent .", "Bob ran .") < 1


def test_a_participant_with_several_centres_counts_once():
    graph = (
        "(H (A (C cats) (N and) (C dogs)) (P like) (A fish)) (H (A (C Ann) (N and) (C Bob)) (P nod)) (U .)"
    )
    found = explained(graph, "cats and dogs like milk .", "Ann and Bob nod .")
    assert [s.participants for s in found.scenes] == [0.5, 1]
    assert len(released_samsa.participant_centres(bracketed(graph))[0]) > 2


def test_one_alignment_of_source_and_output():
    # "it" stands once in the output; a Scene by itself could be aligned with it, a whole source twice cannot.
    graph = "(H (A it) (P rained)) (L and) (H (A it) (P snowed)) (U .)"
    assert explained(graph, "it rained and snowed .").ablated == 0.75
    assert as_released(graph, "it rained and snowed .", ablated=True) == 1


def test_penalty_and_ablation_of_the_released_programs():
    assert as_released(TWO, "Ann sings and Bob dances .") == 0.5
    assert as_released(TWO, "Ann sings and Bob dances .", ablated=True) == 1
    assert as_released(TWO, "Ann .", "Bob .", "Both .") == 0
    assert as_released(TWO) == 0
    assert math.isnan(as_released("(U .)", "A ."))


@given(
    st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=6),
    st.integers(1, 3),
)
def test_place_as_the_paper_words_it(rows, columns):
    counts = np.array(rows, dtype=np.int64)[:, :columns]
    chosen = []
    for row in counts.tolist():
        allowed = [s for s in range(columns) if len(rows) != columns or s not in chosen]
        chosen.append(max(allowed, key=lambda s: (row[s], -s)))
    assert place(counts) == chosen


# The metric.


@pytest.fixture
def gold(tmp_path):
    """gold("(H ...)", ...): a folder with these parses, 1.xml, 2.xml, …"""

    def write(*graphs, names=None):
        for k, graph in enumerate(graphs, 1):
            name = names[k - 1] if names else str(k)
            (tmp_path / f"{name}.xml").write_text(write_passage(bracketed(graph)), "utf-8")
        return str(tmp_path)

    return write


def samsa(folder, **options):
    return pm.METRICS.find("samsa")(parses=folder, **PLAIN, **options)


def test_metric_with_gold_parses(gold):
    corpus = pm.Corpus(
        ["I read the book that John wrote.", "Ann sings and Bob dances."],
        ["John wrote a book. I read that book.", "Ann sings and Bob dances."],
    )
    metric = samsa(gold(WROTE, TWO))
    assert metric.sample_scores(corpus).tolist() == [100, 50]
    assert samsa(metric.parses, ablated=True).sample_scores(corpus).tolist() == [100, 100]
    score = metric.score(corpus)
    assert score.value == 75
    assert score.parts == {"relations": 100, "participants": 100, "scenes": 2, "sentences": 1.5}
    assert np.isfinite(samsa(metric.parses, variant="easse").sample_scores(corpus)).all()


def test_files_in_order_of_their_numbers(gold):
    names = ["text9", "text10"]
    corpus = pm.Corpus(["I read the book that John wrote.", "Ann sings and Bob dances."], ["", ""])
    assert samsa(gold(WROTE, TWO, names=names)).sample_scores(corpus).tolist() == [0, 0]


def test_files_by_id(gold):
    corpus = pm.Corpus(["Ann sings and Bob dances."], ["Ann sings. Bob dances."], ids=["b"])
    assert samsa(gold(WROTE, TWO, names=["a", "b"])).score(corpus).value == 100


def test_a_source_without_scenes_is_undefined(gold):
    corpus = pm.Corpus(["Notes", "Ann sings and Bob dances."], ["Notes", "Ann sings. Bob dances."])
    metric = samsa(gold("(H (A Notes))", TWO))
    assert np.isnan(metric.sample_scores(corpus)[0])
    assert metric.score(corpus).value == 100
    assert "no Scene" in metric.explain(corpus)[0].reason


@pytest.mark.parametrize("output", ["", " ", "...", "!?"])
def test_an_output_without_a_sentence_scores_nothing(gold, output):
    metric = samsa(gold(TWO))
    corpus = pm.Corpus(["Ann sings and Bob dances."], [output])
    assert metric.sample_scores(corpus).tolist() == [0]
    assert metric.explain(corpus)[0].reason == "the output has no sentence"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            "Ann sings and Rob dances.",
            "1.xml: word 4 is 'Bob', but the source of sample 1 has 'robdance' there",
        ),
        (
            "Ann sings and Bob dances. Twice.",
            "1.xml: the parse ends before 'twice.' in the source of sample 1",
        ),
        ("Ann sings", "1.xml: word 3 is 'and', but the source of sample 1 has 'its end' there"),
    ],
)
def test_parses_of_other_texts_are_refused(gold, source, message):
    with pytest.raises(InputError, match=message):
        samsa(gold(TWO)).score(pm.Corpus([source], ["Ann sings."]))


def test_quotes_and_brackets_may_be_written_in_other_ways(gold):
    corpus = pm.Corpus(["“Ann” (sings)"], ["Ann sings."])
    graph = '(H (U ") (A Ann) (U ") (U -LRB-) (P sings) (U -RRB-))'
    assert samsa(gold(graph)).score(corpus).value == 100


def test_gold_folders_that_do_not_fit(gold, tmp_path):
    corpus = pm.Corpus(["Ann sings and Bob dances."] * 3, ["Ann sings."] * 3)
    with pytest.raises(InputError, match=r"2 \.xml files for 3 samples, and no 3\.xml"):
        samsa(gold(TWO, TWO)).score(corpus)
    with pytest.raises(InputError, match="not a folder"):
        samsa(str(tmp_path / "none")).score(corpus)
    (tmp_path / "2.xml").write_text("<root>\n<layer", "utf-8")
    with pytest.raises(InputError, match=r"2\.xml, line 2"):
        samsa(str(tmp_path)).score(corpus[:2])


def test_released_variant_has_no_explanation(gold):
    with pytest.raises(OptionError, match="variant='paper' has one"):
        samsa(gold(TWO), variant="easse").explain(pm.Corpus(["a"], ["b"]))


def test_signature_names_aligner_and_parses(gold):
    metric = samsa(gold(TWO))
    assert "encoder:none|wordnet:none" in metric.signature()
    assert pm.metric(metric.signature()) == metric
    assert pm.metric(metric.spec) == metric
