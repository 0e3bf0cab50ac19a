"""Decoding with synchronous grammars against a search that looks at every derivation."""

import io
import itertools
import tempfile
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark import kernels
from plainmark.errors import EmptyGrammarWarning, InputError, OptionError
from plainmark.lm import LanguageModel
from plainmark.lm.arpa import read_arpa
from plainmark.simplifier.rules.ppdb import Nonterminal, Rule
from plainmark.simplifier.rules.word_facts import DifficultyLexicon
from plainmark.simplifier.scfg.decoder import ScfgDecoder
from plainmark.simplifier.scfg.grammar import Grammar
from plainmark.simplifier.scfg.search import LONGEST, OUTPUT_FEATURES, decode
from plainmark.simplifier.surface import split_at_spaces

# Paper 2, Table 1: the rules as printed, with labels that they leave out.
TABLE_1 = [
    "[VP] ||| accomplished ||| carried out ||| p=1 ||| ",
    "[VP] ||| make a significant contribution ||| contribute greatly ||| p=1 ||| ",
    "[VP/S] ||| is generally acknowledged that ||| is widely accepted that ||| p=1 ||| ",
    "[NP] ||| the manner in which [NN,1] ||| the way [NN,1] ||| p=1 ||| ",
    "[NP] ||| [NNP,1] 's population ||| the people of [NNP,1] ||| p=1 ||| ",
    "[NP] ||| [NNP,1] 's [JJ,2] legislation ||| the [JJ,2] law of [NNP,1] ||| p=1 ||| ",
]


@pytest.mark.parametrize(
    ("source", "labels", "expected"),
    [
        ("they accomplished it", "PRP VBD PRP", "they carried out it"),
        ("trees make a significant contribution", "NNS VBP DT JJ NN", "trees contribute greatly"),
        ("it is generally acknowledged that rain falls", None, "it is widely accepted that rain falls"),
        ("the manner in which water flows", "DT NN IN WDT NN VBZ", "the way water flows"),
        ("France 's population grew", "NNP POS NN VBD", "the people of France grew"),
        ("we know Japan 's new legislation", "PRP VBP NNP POS JJ NN", "we know the new law of Japan"),
        # Without labels nothing is an NNP, and the syntactic rules do not fit.
        ("France 's population grew", None, "France 's population grew"),
    ],
)
def test_the_rules_of_table_1(source, labels, expected):
    grammar = Grammar.parse(TABLE_1)
    given_labels = None if labels is None else [labels.split()]
    (best,) = decode(grammar, None, {"p": 1, "copies": 0.1}, [source], labels=given_labels)[0]
    assert best.text == expected


LABELS = ["X", "A", "B"]
WORDS = ["a", "b", "c"]
TRAINING = ["a b c", "a c", "b b a", "c a b a", "d a", "a d d c"]


@st.composite
def rules(draw):
    arity = draw(st.sampled_from([0, 0, 0, 1, 1, 2]))
    gaps = [Nonterminal(draw(st.sampled_from(LABELS)), k + 1) for k in range(arity)]
    words = draw(st.lists(st.sampled_from(WORDS), min_size=0 if arity else 1, max_size=2))
    source = draw(st.permutations([*gaps, *words]))
    target = draw(st.permutations([*gaps, *draw(st.lists(st.sampled_from([*WORDS, "d", "e"]), max_size=3))]))
    score = draw(st.integers(-8, 8)) / 4
    return Rule(draw(st.sampled_from(LABELS)), tuple(source), tuple(target), {"s": score})


class Oracle:
    """For each output of a sentence the best sum of its rules' scores, from all derivations."""

    def __init__(self, rules, words, *, span_limit=20, unary_limit=3, glue=0.0, copy=0.0, labels=None):
        self.rules, self.words, self.unary_limit, self.copy = rules, words, unary_limit, copy
        self.labels = labels or [()] * len(words)
        self.memo = {}
        n = len(words)
        limit = span_limit or n
        sums = [{(): 0.0}]
        for j in range(1, n + 1):
            here = {}
            for i in range(max(0, j - limit), j):
                for outputs in self.span(i, j).values():
                    for left, right in itertools.product(sums[i].items(), outputs.items()):
                        better(here, left[0] + right[0], left[1] + right[1] + glue)
            sums.append(here)
        self.outputs = sums[n]

    def span(self, i, j):
        """label -> output -> best score, with chains of unary rules."""
        if (i, j) not in self.memo:
            level = {label: {} for label in LABELS}
            if j == i + 1:
                for label in ("X", *self.labels[i]):
                    better(level[label], (self.words[i],), self.copy)
            for rule in self.rules:
                if not unary(rule):
                    for children, score in self.match(rule.source, i, j):
                        better(level[rule.lhs], fill(rule, children), score + rule.features["s"])
            total = {label: dict(outputs) for label, outputs in level.items()}
            for _ in range(self.unary_limit):
                above = {label: {} for label in LABELS}
                for rule in filter(unary, self.rules):
                    for words, score in level[rule.source[0].label].items():
                        better(
                            above[rule.lhs], fill(rule, {rule.source[0]: words}), score + rule.features["s"]
                        )
                level = above
                for label, outputs in level.items():
                    for words, score in outputs.items():
                        better(total[label], words, score)
            self.memo[i, j] = total
        return self.memo[i, j]

    def match(self, source, i, j):
        """Every way in which a source covers a span: what its nonterminals stand for, and the score of that."""
        if not source:
            if i == j:
                yield {}, 0.0
            return
        first, rest = source[0], source[1:]
        if not isinstance(first, Nonterminal):
            if i < j and self.words[i] == first:
                yield from self.match(rest, i + 1, j)
            return
        for k in range(i + 1, j - len(rest) + 1):
            for words, score in self.span(i, k)[first.label].items():
                for children, more in self.match(rest, k, j):
                    yield {first: words, **children}, score + more


def unary(rule):
    return len(rule.source) == 1 and isinstance(rule.source[0], Nonterminal)


def fill(rule, children):
    return tuple(w for s in rule.target for w in (children[s] if isinstance(s, Nonterminal) else (s,)))


def better(table, key, score):
    table[key] = max(table.get(key, -np.inf), score)


# Back-offs after contexts that nothing follows, and n-grams whose ends are not there.
ODD = """\\data\\
ngram 1=6
ngram 2=3
ngram 3=2
ngram 4=1

\\1-grams:
-1\t<unk>
-99\t<s>\t-0.5
-0.7\t</s>
-0.6\ta\t-0.2
-0.5\tb
-0.4\tc

\\2-grams:
-0.3\ta b\t-0.05
-0.4\tc b
-0.2\tb a\t-0.3

\\3-grams:
-0.1\tc a b\t-0.4
-0.25\tb b a\t0.1

\\4-grams:
-0.05\ta c c a

\\end\\
"""
MODELS = [
    None,
    *(LanguageModel.train(TRAINING, order=n) for n in (1, 2, 3, 4)),
    LanguageModel.train(TRAINING, order=4, ngrams=9),
    LanguageModel.train(TRAINING, order=3, threshold=0.02, bits=8),
    LanguageModel.of(read_arpa(io.BytesIO(ODD.encode()), "odd")),
]


@given(
    st.lists(rules(), max_size=6),
    st.lists(st.sampled_from([*WORDS, "z"]), max_size=4),
    st.sampled_from(MODELS),
    st.integers(0, 4),
    st.integers(0, 2),
    st.sampled_from([0.0, 0.5, -0.75]),
)
@pytest.mark.filterwarnings("ignore::plainmark.errors.EmptyGrammarWarning")
def test_unlimited_search_equals_all_derivations(found, words, model, span_limit, unary_limit, glue):
    found = [Rule(r.lhs, r.source, r.target, {**r.features, f"r{i}": 1.0}) for i, r in enumerate(found)]
    weights = {"s": 1.0, "lm": 0.7, "words": 0.3, "unknown": -1.1, "glue": glue, "copies": -0.2}
    labels = ["A" if i % 2 else "nothing" for i in range(len(words))]
    oracle = Oracle(
        found,
        words,
        span_limit=span_limit,
        unary_limit=unary_limit,
        glue=glue,
        copy=-0.2,
        labels=[("A",) if i % 2 else () for i in range(len(words))],
    )
    expected = {}
    for output, score in oracle.outputs.items():
        unknown = 0 if model is None else sum(w not in model.tables.words for w in output)
        lm = 0.0 if model is None else model.score([" ".join(output)])[0]
        expected[output] = score + 0.7 * lm + 0.3 * len(output) - 1.1 * unknown
    best = sorted(expected.values(), reverse=True)
    grammar = Grammar.of(found)
    options = {"span_limit": span_limit, "unary_limit": unary_limit, "labels": [labels], "pop_limit": 0}
    for n in (1, 5, 100_000):
        nbest = decode(grammar, model, weights, [" ".join(words)], nbest=n, **options)
        outputs = nbest[0]
        np.testing.assert_allclose(nbest.scores, best[:n], atol=1e-5)
        assert (np.diff(nbest.scores) <= 1e-9).all()
        assert len({o.words for o in outputs}) == len(outputs)
        for o in outputs:
            assert o.score == pytest.approx(expected[o.words], abs=1e-5)
        names = [*grammar.feature_names, *OUTPUT_FEATURES]
        np.testing.assert_allclose(
            nbest.features @ [weights.get(name, 0.0) for name in names], nbest.scores, atol=1e-9
        )
        # What is written of an output's rules is what was used.
        used = np.zeros(len(found))
        for o in outputs:
            used = np.bincount(o.rules, minlength=len(found)) if found else used
            for i, count in enumerate(used):
                column = grammar.feature_names.index(f"r{i}")
                assert nbest.features[outputs.index(o), column] == count
            if model is not None:
                assert o.lm == pytest.approx(model.score([o.text])[0], abs=1e-4)


@given(
    st.lists(rules(), max_size=8),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=6),
    st.integers(1, 20),
)
@pytest.mark.filterwarnings("ignore::plainmark.errors.EmptyGrammarWarning")
def test_limited_search_gives_outputs_of_the_grammar(found, words, pop_limit):
    weights = {"s": 1.0, "lm": 0.5}
    grammar, model = Grammar.of(found), MODELS[3]
    nbest = decode(grammar, model, weights, [" ".join(words)], nbest=10, pop_limit=pop_limit)
    whole = Oracle(found, words).outputs if len(words) < 5 else None
    assert len(nbest[0]) >= 1
    for o in nbest[0]:
        if whole is not None:
            assert o.words in whole
            assert o.score <= whole[o.words] + 0.5 * o.lm + 1e-5
        assert o.lm == pytest.approx(model.score([o.text])[0], abs=1e-4)
    again = decode(grammar, model, weights, [" ".join(words)], nbest=10, pop_limit=pop_limit)
    assert again[0] == nbest[0]


def within(part, whole):
    """Whether the words are in the whole, in this order."""
    rest = iter(whole)
    return all(word in rest for word in part)


@given(
    st.lists(rules(), min_size=1, max_size=8),
    st.lists(st.sampled_from([*WORDS, "z", ",", "7"]), min_size=1, max_size=7),
    st.integers(0, 2**7 - 1),
    st.sampled_from([0, 3, 30]),
)
def test_derivations_say_where_each_word_comes_from(found, words, bits, pop_limit):
    decoder = ScfgDecoder(Grammar.of(found), MODELS[3], DifficultyLexicon.empty())
    text = split_at_spaces(" ".join(words))
    flags = np.array([bool(bits >> k & 1) for k in range(len(words))])
    weights = {"s": 1.0, "lm": 0.5, "words": 0.2}
    prepared = decoder.prepare([text], [flags])
    nbest = prepared.decode(weights, width=pop_limit, paths=5).nbest
    for k, output in enumerate(nbest[0]):
        places = nbest.places[nbest.word_offsets[k] : nbest.word_offsets[k + 1]].tolist()
        copied = [p for p in places if p >= 0]
        assert len(set(copied)) == len(copied) == output.copies
        assert all(words[p] == w for p, w in zip(places, output.words, strict=True) if p >= 0)
        assert set(np.flatnonzero(flags)) <= set(copied)  # protected words stay
        used = slice(nbest.rule_offsets[k], nbest.rule_offsets[k + 1])
        for rule, (start, end, begin, stop) in zip(output.rules, nbest.spans[used].tolist(), strict=True):
            source, target = (
                [w for w in side if not isinstance(w, Nonterminal)]
                for side in (found[rule].source, found[rule].target)
            )
            assert within(source, words[start:end])
            assert within(target, output.words[begin:stop])
            assert all(p < 0 or start <= p < end for p in places[begin:stop])
    derivation = prepared.decode(weights, width=pop_limit).derivation(0, text, weights)
    pieces, rewrites = derivation.pieces, derivation.rewrites
    assert [w for piece in pieces for w in piece.words] == list(nbest[0][0].words)
    assert [p.end for p in pieces][:-1] == [p.start for p in pieces][1:]
    assert (pieces[0].start, pieces[-1].end) == (0, len(words))
    assert bool(rewrites) or tuple(words) == nbest[0][0].words
    again = prepared.decode(weights, width=pop_limit, paths=5, threads=4).nbest
    assert again[0] == nbest[0]


@given(st.lists(rules(), max_size=8), st.lists(st.sampled_from([*WORDS, "z"]), max_size=3))
def test_grammars_come_back_from_their_file(found, words):
    grammar = Grammar.of(found)
    with tempfile.TemporaryDirectory() as folder:
        grammar.save(f"{folder}/grammar.npz")
        back = Grammar.load(f"{folder}/grammar.npz")
    lines = [grammar.text(k) for k in range(len(grammar))]
    assert [back.text(k) for k in range(len(back))] == lines
    np.testing.assert_array_equal(back.scores({"s": 2.0}), grammar.scores({"s": 2.0}))
    fitting = grammar.fitting(words)
    kept = [r for r in found if all(isinstance(s, Nonterminal) or s in words for s in r.source)]
    assert [fitting.text(k) for k in range(len(fitting))] == [Grammar.of([r]).text(0) for r in kept]
    different = list(dict.fromkeys((r.lhs, *Grammar.of([r]).text(0)) for r in found))
    distinct = grammar.distinct()
    assert [(distinct.labels[distinct.lhs[k]], *distinct.text(k)) for k in range(len(distinct))] == different
    tidy = distinct.tidied()
    assert [tidy.text(k) for k in range(len(tidy))] == [distinct.text(k) for k in range(len(distinct))]


def test_unary_rules_in_a_circle_end():
    grammar = Grammar.parse(
        [
            "[A] ||| [X,1] ||| very [X,1] ||| s=1 ||| ",
            "[X] ||| [A,1] ||| [A,1] ||| s=1 ||| ",
            "[X] ||| [X,1] ||| [X,1] ||| s=1 ||| ",
        ]
    )
    for limit, most in ((0, 0), (1, 1), (3, 2), (9, 5)):
        outputs = decode(grammar, None, {"s": 1}, ["good"], nbest=50, unary_limit=limit, pop_limit=0)[0]
        assert max(o.words.count("very") for o in outputs) == most
        assert max(o.score for o in outputs) == limit


def test_without_rules_sentences_stay():
    with pytest.warns(EmptyGrammarWarning, match="the grammar has no rules; sentences stay as they are"):
        found = decode(Grammar.of([]), MODELS[2], {"lm": 1}, ["a b unheard", ""], nbest=3)
    assert [[o.text for o in outputs] for outputs in (found[0], found[1])] == [["a b unheard"], [""]]
    assert (found[0][0].unknown, found[0][0].copies, found[0][0].glue) == (1, 3, 3)


def many_rules(count, words, rng):
    out = []
    for _ in range(count):
        n = int(rng.integers(1, 4))
        source = tuple(words[int(i)] for i in rng.integers(0, len(words), n))
        target = tuple(words[int(i)] for i in rng.integers(0, len(words), int(rng.integers(1, 4))))
        gap = (Nonterminal("X", 1),)
        kind = rng.integers(0, 4)
        if kind == 0:
            source, target = (*gap, *source), (*target, *gap)
        elif kind == 1:
            source, target = (*source, *gap, Nonterminal("X", 2)), (Nonterminal("X", 2), *target, *gap)
        out.append(Rule("X", source, target, {"s": float(rng.normal())}))
    return out


def test_a_sentence_of_300_words_takes_bounded_time():
    rng = np.random.default_rng(0)
    words = [f"w{i}" for i in range(50)]
    grammar = Grammar.of(many_rules(3000, words, rng))
    text = " ".join(words[int(i)] for i in rng.integers(0, 50, 300))
    model = LanguageModel.train([text, *TRAINING], order=3)
    start = time.process_time()
    found = decode(grammar, model, {"s": 1, "lm": 1}, [text], nbest=300)
    took = time.process_time() - start
    assert len(found[0]) == 300
    assert took < 30  # about 3 s; dense rules with two gaps over spans of 20 words


def test_the_longest_sentence_fits_and_longer_ones_are_refused():
    grammar = Grammar.parse(["[X] ||| a ||| b ||| s=1 ||| "])
    found = decode(grammar, MODELS[3], {"s": 1}, [" ".join(["a"] * LONGEST)], nbest=20)
    assert found[0][0].words == ("b",) * LONGEST
    with pytest.raises(InputError, match="sentence 2 has 2,001 words, expected at most 2,000"):
        decode(grammar, None, {}, ["a", " ".join(["a"] * (LONGEST + 1))])


def test_one_sentence_does_not_depend_on_others():
    rng = np.random.default_rng(3)
    grammar = Grammar.of(many_rules(60, [*WORDS, "d"], rng))
    texts = [" ".join(rng.choice([*WORDS, "d"], 8)) for _ in range(6)]
    weights = {"s": 1, "lm": 1}
    together = decode(grammar, MODELS[3], weights, texts, nbest=20)
    for i, text in enumerate(texts):
        assert decode(grammar, MODELS[3], weights, [text], nbest=20)[0] == together[i]


def test_derivations_of_one_output_are_told_apart_if_asked():
    grammar = Grammar.parse(["[X] ||| a ||| b ||| s=1 ||| ", "[A] ||| a ||| b ||| s=0.5 ||| "])
    options = {"nbest": 10, "pop_limit": 0}
    assert [o.text for o in decode(grammar, None, {"s": 1}, ["a"], **options)[0]] == ["b", "a"]
    assert [o.text for o in decode(grammar, None, {"s": 1}, ["a"], unique=False, **options)[0]] == [
        "b",
        "b",
        "a",
    ]


def test_labels_must_fit():
    with pytest.raises(InputError, match="labels do not fit the sentences"):
        decode(Grammar.parse(TABLE_1), None, {}, ["a b"], labels=[["X"]])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"nbest": 0}, "nbest 0, expected 1 to"),
        ({"pop_limit": -1}, "pop_limit -1, expected 0 to"),
        ({"span_limit": -1}, "span_limit -1, expected 0 to"),
        ({"unary_limit": 101}, "unary_limit 101, expected 0 to 100"),
    ],
)
def test_limits_have_limits(options, message):
    with pytest.raises(OptionError, match=message):
        decode(Grammar.parse(TABLE_1), None, {}, ["a b"], **options)


def test_weights_are_numbers():
    with pytest.raises(OptionError, match="a weight is not a finite number"):
        decode(Grammar.parse(TABLE_1), None, {"p": float("nan")}, ["a b"])


def flat(**changes):
    """Arrays of the grammar A -> a X / X b, some of them changed."""
    parts = {
        "lhs": [0],
        "sources": [0, -1],
        "source_offsets": [0, 2],
        "targets": [-1, 1],
        "target_offsets": [0, 2],
        "words": 2,
        "labels": 1,
        **changes,
    }
    kinds = {"source_offsets": np.int64, "target_offsets": np.int64}
    return [
        v if isinstance(v, int) else np.array(v, dtype=kinds.get(name, np.int32)) for name, v in parts.items()
    ]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"source_offsets": [0, 3]}, "offsets do not fit the rules"),
        ({"source_offsets": [0]}, "offsets do not fit the rules"),
        ({"target_offsets": [1, 2]}, "offsets do not fit the rules"),
        ({"lhs": [1]}, "a label that does not exist"),
        ({"sources": [2, -1]}, "a symbol that does not exist"),
        ({"sources": [0, -2]}, "a symbol that does not exist"),
        ({"sources": [0, -(2**31)]}, "a symbol that does not exist"),
        ({"targets": [-2, 1]}, "a symbol that does not exist"),
        ({"targets": [-1, 2]}, "a symbol that does not exist"),
        ({"targets": [-1, -1]}, "not the same ones"),
        ({"targets": [1, 1]}, "not the same ones"),
        ({"sources": [], "source_offsets": [0, 0]}, "an empty source"),
        (
            {"sources": [-1] * 7, "source_offsets": [0, 7], "targets": [0], "target_offsets": [0, 1]},
            "more than 6",
        ),
        ({"words": -1}, "fewer than no words"),
    ],
)
def test_arrays_that_are_no_grammar(changes, message):
    assert len(kernels.Grammar(*flat())) == 1
    with pytest.raises(ValueError, match=message):
        kernels.Grammar(*flat(**changes))


def call(**changes):
    parts = {
        "lm_words": np.zeros(2, np.uint32),
        "rule_scores": np.zeros(1),
        "words": np.zeros(2, np.int32),
        "sentences": np.array([0, 2]),
        "copy_scores": np.zeros(2),
        "copy_labels": np.zeros(2, np.int32),
        "label_offsets": np.array([0, 1, 2]),
        **changes,
    }
    return kernels.decode_scfg(
        kernels.Grammar(*flat()), MODELS[2].native, *parts.values(), 1.0, 0.0, 20, 100, 3, 1, True
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rule_scores": np.zeros(2)}, "one score for each rule"),
        ({"copy_scores": np.zeros(3)}, "one copy score for each word"),
        ({"copy_scores": np.array([0, np.nan])}, "a score that is not finite"),
        ({"rule_scores": np.array([np.inf])}, "a score that is not finite"),
        ({"sentences": np.array([0, 3])}, "offsets do not fit the words"),
        ({"label_offsets": np.array([0, 2])}, "offsets do not fit the words"),
        ({"label_offsets": np.array([0, 2, 2])}, "a word without a label"),
        ({"copy_labels": np.array([0, 9], np.int32)}, "a label that does not exist"),
        ({"words": np.array([0, 9], np.int32)}, "a word that does not exist"),
        ({"words": np.array([0, -1], np.int32)}, "a word that does not exist"),
        ({"lm_words": np.zeros(1, np.uint32)}, "the language model's number of each word"),
    ],
)
def test_calls_that_do_not_fit(changes, message):
    assert len(call()[1]) == 1
    with pytest.raises(ValueError, match=message):
        call(**changes)


def test_a_feature_beyond_all_bounds_is_only_very_large():
    grammar = Grammar.parse(["[X] ||| a ||| b ||| p=1e300 ||| ", "[X] ||| a ||| c ||| p=-1e300 ||| "])
    found = decode(grammar, None, {"p": 1}, ["a"], nbest=3)[0]
    assert [o.text for o in found] == ["b", "a", "c"]
