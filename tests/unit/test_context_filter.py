"""Names and forms of words in context."""

import numpy as np
import pytest
from training.context_filter import CasedSentence, count_capitals, fit_context_filter

from plainmark import kernels
from plainmark.lm import LanguageModel
from plainmark.simplifier.lattice.decoder import LatticeDecoder
from plainmark.simplifier.lattice.lattice import KEEP
from plainmark.simplifier.learned.context_filter import (
    ContextFilter,
    KnownWords,
    WordContexts,
    agreement,
)
from plainmark.simplifier.learned.hints import HintNetworks
from plainmark.simplifier.model import Simplifier, load_simplifier
from plainmark.simplifier.rules.building import RuleSource, build_table
from plainmark.simplifier.rules.word_facts import TAGS, DifficultyLexicon, WordForms
from support.tiny_simplifier import SENTENCES, fitted

PEOPLE = "Anna Bela Cora Dora Edda Fred Gerd Hans".split()
THINGS = "record play book visit plan show".split()
TEXTS = [f"Then {a} met {b} in the town ." for a in PEOPLE for b in PEOPLE if a != b]
TEXTS += [f"They want to {v} the {n} ." for v in THINGS for n in THINGS if v != n]


def known():
    table = build_table([RuleSource("x", [((w,), ("item",)) for w in THINGS])])
    model = LanguageModel.train([t.lower() for t in TEXTS], order=2)
    return KnownWords(table, WordForms.of(table.words).bits, DifficultyLexicon.empty(), model)


def test_capitals_prove_nothing_where_a_sentence_begins():
    found = CasedSentence.of('The man said: "Come to Rome, Anna."')
    named = [w for w, c, s in zip(found.words, found.capital, found.sure, strict=True) if c and s]
    assert named == ["rome", "anna"]


def test_capitals_come_from_another_spelling_of_the_sentence():
    found = CasedSentence.aligned(
        "he saw -lrb- in rome -rrb- the pope .".split(), "He saw (in Rome) the Pope."
    )
    assert [w for w, c in zip(found.words, found.capital, strict=True) if c] == ["he", "rome", "pope"]
    assert not found.sure[0]


@pytest.mark.wordnet
def test_capitals_are_counted_in_text_and_in_wordnet():
    capitals = count_capitals([CasedSentence.of("In London a London cab met a cab.")])
    hashes = kernels.tokenize(["london cab qqqq"], "space").hashes
    london, cab, unknown = capitals.look_up(hashes)
    assert london[:2].tolist() == [2, 0]
    assert cab[:2].tolist() == [0, 2]
    assert not unknown.any()
    assert london[4] > 0 == london[5]  # entries
    assert cab[5] > 0


@pytest.mark.wordnet
def test_names_are_told_from_words_and_verbs_from_nouns():
    vocabulary = known()
    documents = [[CasedSentence.of(t)] for t in TEXTS]
    tuned = [CasedSentence.of(t) for t in TEXTS[::7]]
    context_filter, context = fit_context_filter(
        documents, tuned, vocabulary, np.random.default_rng(0), epochs=60
    )
    assert len(context.name) == sum(len(s.words) for s in tuned)
    said = context_filter(
        ["then anna met zoltan in the town .".split(), "they want to play the record .".split()], vocabulary
    )
    words = "then anna met zoltan in the town . they want to play the record .".split()
    name = dict(zip(words, said.name.tolist(), strict=True))
    assert min(name["anna"], name["zoltan"]) > 0.5 > max(name[w] for w in ("met", "town", "play"))
    forms = said.forms[[words.index("play"), words.index("record")]]
    verb, noun = TAGS.index("VB"), TAGS.index("NN")
    assert forms[0, verb] > forms[0, noun]
    assert forms[1, noun] > forms[1, verb]
    again = ContextFilter.from_arrays(context_filter.arrays())
    assert again is not None
    assert np.array_equal(again([words], vocabulary).name, context_filter([words], vocabulary).name)


@pytest.mark.wordnet
def test_a_sentence_is_read_the_same_alone_and_among_others():
    vocabulary = known()
    documents = [[CasedSentence.of(t)] for t in TEXTS]
    context_filter, _ = fit_context_filter(documents, [], vocabulary, np.random.default_rng(0), epochs=1)
    first, second = "anna met the town .".split(), "they play ?".split()
    both = context_filter([first, second], vocabulary)
    alone = context_filter([second], vocabulary)
    assert both.name[len(first) :] == pytest.approx(alone.name, abs=1e-6)
    assert context_filter([], vocabulary).name.shape == (0,)


def test_files_without_a_context_filter_have_none():
    assert ContextFilter.from_arrays({}) is None
    with pytest.raises(ValueError, match="no networks"):
        ContextFilter.from_arrays(
            {"capital_hashes": np.zeros(0, np.uint64), "capital_counts": np.zeros((0, 6), np.uint16)}
        )


def test_agreement_is_of_the_form_that_the_word_has_there():
    bits = {t: np.uint16(1 << k) for k, t in enumerate(TAGS)}
    place = np.zeros((5, len(TAGS)), np.float32)
    place[:, TAGS.index("VB")] = 0.9
    place[:, TAGS.index("NN")] = 0.1
    source = np.array([bits["VB"] | bits["NN"]] * 4 + [0], dtype=np.uint16)
    target = np.array([bits["NN"], bits["VB"], bits["JJ"], 0, bits["NN"]], dtype=np.uint16)
    assert agreement(place, source, target) == pytest.approx([0.1, 0.9, 1, 1, 1])


def test_regular_verbs_have_a_participle():
    observed, seen, saw, largest = WordForms.of(["observed", "seen", "saw", "largest"]).bits.tolist()
    participle, superlative = (1 << TAGS.index(t) for t in ("VBN", "JJS"))
    assert observed & seen == participle
    assert observed & saw == 1 << TAGS.index("VBD")
    assert largest & superlative


@pytest.mark.parametrize(("stands_as", "rewritten"), [("NN", True), ("VB", False)])
def test_a_word_is_put_only_where_a_form_of_it_can_stand(stands_as, rewritten):
    table = build_table([RuleSource("x", [(("record",), ("album",))])])
    drops = HintNetworks(build_table([]))
    decoder = LatticeDecoder(
        table, known().model, DifficultyLexicon.empty(), drops, WordForms.of(table.words).bits
    )
    forms = np.full((3, len(TAGS)), 0.01, np.float32)
    forms[1, TAGS.index(stands_as)] = 0.97
    context = WordContexts(np.zeros(3, np.float32), forms, np.ones(3, np.bool_))
    lattice = decoder.lattice(["they record it".split()], context=context)
    assert (lattice.rules != KEEP).any() == rewritten


def test_what_may_be_a_name_has_a_feature():
    table = build_table([RuleSource("x", [(("record",), ("album",))])])
    decoder = LatticeDecoder(
        table,
        known().model,
        DifficultyLexicon.empty(),
        HintNetworks(build_table([])),
        WordForms.of(table.words).bits,
    )
    name = np.array([0.1, 0.4, 0.2], np.float32)
    context = WordContexts(name, np.ones((3, len(TAGS)), np.float32), np.array([False, True, False]))
    prepared = decoder.prepare(["they record it".split()], context=context)
    risk = prepared.features[:, decoder.names.index("NameRisk")]
    assert risk[prepared.lattice.rules != KEEP] == pytest.approx([0.4])
    assert not risk[prepared.lattice.rules == KEEP].any()
    guessed = prepared.features[:, decoder.names.index("Guessed")]
    assert guessed.tolist() == (prepared.lattice.rules != KEEP).tolist()


@pytest.mark.wordnet
def test_a_model_with_a_context_filter_is_the_same_after_saving(tmp_path):
    decoder, _, _ = fitted()
    context_filter, _ = fit_context_filter(
        [[CasedSentence.of(t)] for t in [*TEXTS, *(" ".join(s) for s in SENTENCES)]],
        [],
        decoder.vocabulary,
        np.random.default_rng(0),
        epochs=2,
    )
    reads = LatticeDecoder(
        decoder.table, decoder.model, decoder.lexicon, decoder.hint_networks, decoder.forms, context_filter
    )
    weights = {"Rewrites": -0.1, "ExpectedAny": 5.0, "NameRisk": -3.0, "lm": 0.3}
    made = Simplifier(reads, weights)
    made.save(tmp_path, "a card")
    again = load_simplifier(tmp_path)
    texts = ["the man assisted numerous people .", "The man assisted numerous people.", ""]
    assert [s.output for s in made.simplify(texts)] == [s.output for s in again.simplify(texts)]
    words = ["the man assisted numerous people .".split()]
    said, told = decoder.read(words), again.decoder.read(words)
    assert said is None
    assert told is not None
