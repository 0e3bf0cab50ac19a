"""Back-off language models: training, ARPA files, pruning, the packed form and what is wrong with broken ones."""

import gzip
import itertools
import struct
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark.errors import InputError, OptionError
from plainmark.lm import LanguageModel, kneser_ney
from plainmark.lm.tables import pack, unpack

TEXT = [
    "the cat sat on the mat",
    "the dog sat on the log",
    "a cat saw the dog",
    "the cat and the dog slept",
    "a dog slept on a mat",
    "on the mat the cat slept",
]
SENTENCES = st.lists(
    st.lists(st.sampled_from("abcdé"), min_size=1, max_size=7).map(" ".join), min_size=1, max_size=12
)


class Oracle:
    """Interpolated modified Kneser-Ney as the formulas say it, one n-gram at a time."""

    def __init__(self, sentences, order):
        self.order = order
        rows = [("<s>", *s.split(), "</s>") for s in sentences]
        self.words = sorted({w for row in rows for w in row if w != "<s>"} | {"<unk>"})
        self.raw = [
            Counter(row[i - n + 1 : i + 1] for row in rows for i in range(len(row)) if i - n + 1 >= 0)
            for n in range(1, order + 1)
        ]
        self.counts = []
        for n in range(1, order + 1):
            counts = Counter()
            for gram, c in self.raw[n - 1].items():
                before = 0 if n == order else sum(g[1:] == gram for g in self.raw[n])
                if gram != ("<s>",):
                    counts[gram] = before or c
            self.counts.append(counts)
        self.discounts = [self.discount(c.values()) for c in self.counts]

    @staticmethod
    def discount(counts):
        have = [sum(c == k for c in counts) for k in (1, 2, 3, 4)]
        found = [0, 0.5, 1.0, 1.5]
        if all(have):
            y = have[0] / (have[0] + 2 * have[1])
            for k in (1, 2, 3):
                d = k - (k + 1) * y * have[k] / have[k - 1]
                if 0 < d < k:
                    found[k] = d
        return found

    def probability(self, word, context):
        context = context[-(self.order - 1) :] if self.order > 1 else ()
        n = len(context) + 1
        counts, d = self.counts[n - 1], self.discounts[n - 1]
        shorter = self.probability(word, context[1:]) if context else 1 / len(self.words)
        after = {g[-1]: c for g, c in counts.items() if g[:-1] == context}
        total = sum(after.values())
        if not total:
            return shorter
        left = sum(d[min(c, 3)] for c in after.values()) / total
        c = after.get(word, 0)
        return (c - d[min(c, 3)]) / total + left * shorter


def every_context(model, length):
    known = [w for w in model.tables.words if w not in ("<s>", "</s>")]
    for n in range(length + 1):
        yield from itertools.product(known[:5], repeat=n)


@given(SENTENCES, st.integers(1, 4))
def test_training_equals_the_formulas(sentences, order):
    model, oracle = LanguageModel.train(sentences, order=order), Oracle(sentences, order)
    for text in [*sentences, "a b x c", "c c c a", ""]:
        logs, _ = model.token_scores([text])
        words = [w if w in oracle.words else "<unk>" for w in text.split()]
        row = ["<s>", *words, "</s>"]
        expected = [np.log10(oracle.probability(row[i], tuple(row[:i]))) for i in range(1, len(row))]
        np.testing.assert_allclose(logs, expected, atol=1e-5)


@given(SENTENCES, st.integers(1, 3), st.sampled_from(["whole", "counts", "entropy", "fewer", "words"]))
def test_probabilities_add_up_to_one_after_any_context(sentences, order, how):
    options = {
        "whole": {},
        "counts": {"min_counts": (1, 2)},
        "entropy": {"threshold": 0.01},
        "fewer": {"ngrams": 4},
        "words": {"words": 2},
    }[how]
    model = LanguageModel.train(sentences, order=order, **options)
    words = [w for w in model.tables.words if w not in ("<s>", "</s>")]
    contexts = list(every_context(model, 2))
    for begin in (True, False):
        texts = [" ".join((*c, w)) for c in contexts for w in words]
        logs, offsets = model.token_scores(texts, sentence=begin)
        last = offsets[1:] - (2 if begin else 1)
        sums = (10.0 ** logs[last]).reshape(len(contexts), -1).sum(1)
        ends, offsets = model.token_scores([" ".join(c) for c in contexts])
        if begin:
            sums += 10.0 ** ends[offsets[1:] - 1]
            np.testing.assert_allclose(sums, 1, atol=1e-5)
        else:
            assert (sums < 1).all()  # without </s> there is always something missing


def test_words_that_are_rare_are_unknown():
    model = LanguageModel.train([*TEXT, "xylophone"], order=2, min_count=2)
    assert list(model.ids(["cat", "xylophone", "never"])) == [model.tables.words.index("cat"), 0, 0]
    assert LanguageModel.train(TEXT, order=2, words=2).tables.words == ("<unk>", "<s>", "</s>", "the", "cat")


def test_the_order_of_the_text_decides_nothing():
    assert LanguageModel.train(TEXT).data == LanguageModel.train(TEXT[::-1]).data


@pytest.mark.parametrize("suffix", [".arpa", ".arpa.gz", ".arpa.xz", ".lm", ".lm.gz", ".lm.xz"])
def test_files_keep_the_model(tmp_path, suffix):
    model = LanguageModel.train([*TEXT, "naïve 日本 a\u00a0b"], order=3)
    path = tmp_path / f"model{suffix}"
    model.save(path)
    again = LanguageModel.load(path, order=3)
    assert again.tables.words == model.tables.words
    for a, b in zip(again.tables.levels, model.tables.levels, strict=True):
        assert (a.parents == b.parents).all()
        assert (a.words == b.words).all()
        np.testing.assert_allclose(a.logs, b.logs, atol=1e-6)
        np.testing.assert_allclose(a.backs, b.backs, atol=1e-6)
    again.save(tmp_path / "again.arpa")
    LanguageModel.load(tmp_path / "again.arpa").save(tmp_path / "third.arpa")
    assert (tmp_path / "again.arpa").read_bytes() == (tmp_path / "third.arpa").read_bytes()


@given(SENTENCES, st.integers(1, 5), st.sampled_from([8, 32]))
def test_packed_tables_unpack(sentences, order, bits):
    tables = kneser_ney.train(sentences, order=order)
    again = unpack(pack(tables, bits))
    assert again.words == tables.words
    for a, b in zip(again.levels, tables.levels, strict=True):
        assert (a.parents == b.parents).all()
        assert (a.words == b.words).all()
        np.testing.assert_allclose(a.logs, b.logs, atol=1e-6)  # 256 values suffice for so few n-grams
        np.testing.assert_allclose(a.backs, b.backs, atol=1e-6)


def test_rounding_to_eight_bits_costs_little():
    rng = np.random.default_rng(0)
    words = [f"w{int(i)}" for i in np.minimum(rng.zipf(1.3, 20_000), 500)]
    lines = [" ".join(words[i : i + 10]) for i in range(0, len(words), 10)]
    whole, small = (LanguageModel.train(lines, order=3, bits=b) for b in (32, 8))
    assert len(small.data) < 0.8 * len(whole.data)
    assert small.perplexity(lines).value == pytest.approx(whole.perplexity(lines).value, rel=0.02)


def back_off(grams, word, context):
    """log10 P by the definition of ARPA files."""
    if (*context, word) in grams:
        return grams[*context, word][0]
    if not context:
        return grams[("<unk>",)][0]
    return grams.get(context, (0, 0))[1] + back_off(grams, word, context[1:])


ARPA = """\\data\\
ngram 1=5
ngram 2=4
ngram 3=2

\\1-grams:
-1.0\t<unk>
-99\t<s>\t-0.5
-0.7\t</s>
-0.6\ta\t-0.2
-0.5\tb\t-0.1

\\2-grams:
-0.3\t<s> a\t-0.05
-0.4\ta b\t-0.15
-0.2\tb a
-0.9\ta </s>

\\3-grams:
-0.1\t<s> a b
-0.25\tb b a

\\end\\
"""


def test_any_arpa_file_is_looked_up_by_its_definition(tmp_path):
    # "b b a" needs "b b", which the file lacks, and no line after <unk> or "b a" has a back-off.
    path = tmp_path / "m.arpa"
    path.write_text(ARPA)
    model = LanguageModel.load(path)
    grams = {}
    for line in ARPA.splitlines():
        fields = line.split("\t")
        if len(fields) > 1:
            grams[tuple(fields[1].split())] = (float(fields[0]), float((*fields, 0)[2]))
    for n in range(6):
        for words in itertools.product(["a", "b", "<unk>"], repeat=n):
            row = ("<s>", *words, "</s>")
            expected = [back_off(grams, row[i], row[max(0, i - 2) : i]) for i in range(1, len(row))]
            np.testing.assert_allclose(model.token_scores([" ".join(words)])[0], expected, atol=1e-6)


def test_no_unknown_word_in_the_file_is_as_kenlm_has_it(tmp_path):
    path = tmp_path / "m.arpa"
    path.write_text(ARPA.replace("ngram 1=5", "ngram 1=4").replace("-1.0\t<unk>\n", ""))
    assert LanguageModel.load(path).token_scores(["zebra"], sentence=False)[0] == [-100]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\\data\\", "data", "no line \\data\\, expected an ARPA language model"),
        ("ngram 2=4", "ngram 3=4", "line 3: found 'ngram 3=4', expected ngram 2=COUNT"),
        ("ngram 2=4", "ngram 2=x", "line 3: found 'ngram 2=x', expected ngram 2=COUNT"),
        ("ngram 2=4", "ngram 2=5", "line 18: the 2-grams end here, expected 1 more of them"),
        ("ngram 2=4", "ngram 2=3", "line 17: found '-0.9\\ta </s>', expected \\3-grams:"),
        ("ngram 3=2", "ngram 3=9", "line 22: the 3-grams end here, expected 7 more of them"),
        ("\\2-grams:", "\\5-grams:", "line 13: found '\\\\5-grams:', expected \\2-grams:"),
        ("\\1-grams:", "1-grams", "line 6: found '1-grams', expected \\1-grams:"),
        ("-0.4\ta b\t-0.15", "-0.4\ta", "line 15: found '-0.4\\ta', expected a log10 probability, 2 words"),
        ("-0.4\ta b", "zero\ta b", "line 15: found 'zero\\ta b\\t-0.15', expected numbers"),
        ("-0.4\ta b", "0.4\ta b", "line 15: log10 probability '0.4', expected a number up to 0"),
        ("-0.4\ta b", "nan\ta b", "line 15: log10 probability 'nan'"),
        ("-0.4\ta b", "-0.4\ta zebra", "line 15: 'zebra' is not among the 1-grams"),
        ("-0.2\tb a", "-0.2\ta b", "a 2-gram occurs twice"),
        ("\\end\\\n", "", "line 23: expected \\end\\ after the last n-gram"),
        ("-0.25\tb b a\n\n\\end\\\n", "", "the file ends 1 3-grams too early"),
        ("-0.7\t</s>", "-0.7\tzzz", "no </s> among the 1-grams"),
    ],
)
def test_mistakes_in_arpa_files_are_named(tmp_path, old, new, message):
    path = tmp_path / "m.arpa"
    path.write_text(ARPA.replace(old, new, 1).replace("a </s>", "a b" if "zzz" in new else "a </s>"))
    if "zzz" in new:
        path.write_text(path.read_text().replace("-0.9\ta b", "-0.9\tb b"))
    with pytest.raises(InputError) as caught:
        LanguageModel.load(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_another_order_than_expected_is_an_error(tmp_path):
    (tmp_path / "m.arpa").write_text(ARPA)
    LanguageModel.train(TEXT, order=2).save(tmp_path / "m.lm")
    for name, found in (("m.arpa", 3), ("m.lm", 2)):
        with pytest.raises(InputError, match=f"a language model of order {found}, expected order 5"):
            LanguageModel.load(tmp_path / name, order=5)


def test_too_many_orders(tmp_path):
    head = "\n".join(f"ngram {n}=1" for n in range(1, 8))
    (tmp_path / "m.arpa").write_text(f"\\data\\\n{head}\n\n\\1-grams:\n")
    with pytest.raises(InputError, match="n-grams of 7 orders, expected 1 to 6"):
        LanguageModel.load(tmp_path / "m.arpa")


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        LanguageModel.load(tmp_path / "none.arpa")
    (tmp_path / "m.arpa.gz").write_bytes(gzip.compress(ARPA.encode())[:60])
    with pytest.raises(InputError, match="cannot be read"):
        LanguageModel.load(tmp_path / "m.arpa.gz")
    (tmp_path / "m.arpa.xz").write_bytes(b"not xz")
    with pytest.raises(InputError, match="cannot be read"):
        LanguageModel.load(tmp_path / "m.arpa.xz")
    (tmp_path / "m.binary").write_bytes(b"mmap lm http://kheafield.com/code format version 5\n\0")
    with pytest.raises(InputError, match="a binary file of KenLM, expected the ARPA file"):
        LanguageModel.load(tmp_path / "m.binary")
    with pytest.raises(OptionError, match=r"expected a name that ends in \.arpa"):
        LanguageModel.train(TEXT).save(tmp_path / "model.bin")


DATA = LanguageModel.train(TEXT, order=3).data
SMALL = LanguageModel.train(TEXT, order=3, bits=8).data
QUANTIZED = LanguageModel.train(TEXT, order=3, quantized=True).data
SPELT = LanguageModel.train_on_text(TEXT, order=3, quantized=True, min_count=1).data


@given(
    st.sampled_from([DATA, SMALL, QUANTIZED, SPELT]),
    st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 255)), max_size=4),
)
def test_hostile_bytes_never_crash(data, changes):
    broken = bytearray(data)
    for place, value in changes:
        broken[place % len(broken)] = value
    try:
        LanguageModel(bytes(broken)).score(["the cat sat on the mat", "x"])
    except InputError as problem:
        assert "no language model" in str(problem)  # noqa: PT017


@given(st.sampled_from([DATA, SMALL, QUANTIZED, SPELT]), st.integers(0, 3000))
def test_models_that_are_cut_short_are_refused(data, size):
    with pytest.raises(InputError, match="no language model"):
        LanguageModel(data[: size % len(data)])


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (8, struct.pack("<I", 7), "its order is not between 1 and 6"),
        (8, struct.pack("<I", 0), "its order is not between 1 and 6"),
        (12, struct.pack("<I", 16), "its numbers have neither 8 nor 32 bits"),
        (24, struct.pack("<Q", 2**63), "its counts do not fit its size"),
        (24, struct.pack("<Q", 2), "it has no words"),
        (24, struct.pack("<Q", 4), "it has more words than it says"),
        (24, struct.pack("<Q", 30), "it has fewer words than it says"),
        (16, struct.pack("<Q", 2**40), "it ends too early"),
        (0, b"PK", "it does not begin as a plainmark language model"),
    ],
)
def test_what_is_wrong_with_a_model_is_said(place, value, message):
    broken = DATA[:place] + value + DATA[place + len(value) :]
    with pytest.raises(InputError, match=message):
        LanguageModel(broken)
    with pytest.raises(InputError, match="it goes on after its end"):
        LanguageModel(DATA + b"x")


def test_pruning_removes_what_matters_least():
    rng = np.random.default_rng(1)
    words = [f"w{int(i)}" for i in np.minimum(rng.zipf(1.4, 30_000), 300)]
    lines = [" ".join(words[i : i + 8]) for i in range(0, len(words), 8)]
    whole = LanguageModel.train(lines, order=3)
    sizes, values = [], []
    for threshold in (1e-6, 1e-5, 1e-4):
        small = LanguageModel.train(lines, order=3, threshold=threshold)
        sizes.append(sum(small.tables.counts))
        values.append(small.perplexity(lines).value)
        again = whole.pruned(threshold)
        assert sum(again.tables.counts) < sum(whole.tables.counts)
    assert sum(whole.tables.counts) > sizes[0] > sizes[1] > sizes[2]
    assert values == sorted(values)
    few = LanguageModel.train(lines, order=3, ngrams=2000)
    assert 2000 <= sum(few.tables.counts[1:]) < 2400  # what others need stays
    # As many n-grams, the most frequent ones: pruning by importance knows the text better.
    counts = Counter(
        " ".join(r[i : i + 2]) for line in lines for r in [line.split()] for i in range(len(r) - 1)
    )
    least = sorted(counts.values())[-min(1500, len(counts) - 1)]
    crude = LanguageModel.train(lines, order=2, min_counts=(1, least))
    fair = LanguageModel.train(lines, order=2, ngrams=crude.tables.counts[1])
    assert fair.perplexity(lines).value < crude.perplexity(lines).value


def test_the_loss_of_an_ngram_is_that_of_a_model_without_it():
    """Stolcke's formula against the definition: relative entropy of both models over one context."""
    tables = kneser_ney.train(TEXT, order=2)
    histories = kneser_ney._histories(tables)
    losses = kneser_ney._losses(tables, histories)[1]
    model = LanguageModel.of(tables)
    words = [w for w in tables.words if w != "<s>"]

    def after(m, context):
        rows = [f"{context} {w}".strip() for w in words if w != "</s>"]
        logs, offsets = m.token_scores(rows, sentence=False)
        ends, where = m.token_scores([context])
        begun = {
            w: float(x) for w, x in zip([w for w in words if w != "</s>"], logs[offsets[1:] - 1], strict=True)
        }
        return np.array([*begun.values(), ends[where[1:] - 1][0]]).astype(float)

    for row in (0, 3, 7):
        level = tables.levels[1]
        context = tables.words[level.parents[row]]
        if context == "<s>":
            continue
        keep = [np.ones(len(tables.words), bool), np.arange(len(level)) != row]
        without = LanguageModel.of(kneser_ney._restrict(tables, histories, keep)[0])
        p, q = after(model, context), after(without, context)
        history = histories[0][level.parents[row]]
        expected = np.expm1(history * np.sum(10**p * (p - q)) * np.log(10))
        assert losses[row] == pytest.approx(expected, rel=1e-3, abs=1e-7)


def test_perplexity():
    model = LanguageModel.train(TEXT, order=3)
    found = model.perplexity(["the cat slept", "zebra"])
    logs, _ = model.token_scores(["the cat slept", "zebra"])
    assert found.value == pytest.approx(10 ** -logs.astype(float).mean())
    assert (found.words, found.sentences, found.unknown) == (4, 2, 1)
    assert found.without_unknown < found.value
    assert np.isnan(model.perplexity([]).value)


@pytest.mark.parametrize(
    ("lines", "options", "error", "message"),
    [
        ([], {}, InputError, "no text to train a language model on"),
        (["", "  "], {}, InputError, "no text to train a language model on"),
        (["a b", "a </s> b"], {}, InputError, "line 2, '.*': has <s> or </s>, which training sets itself"),
        (["a b", "<s> a b"], {}, InputError, "line 2, '.*': has <s> or </s>, which training sets itself"),
        (["a"], {"order": 7}, OptionError, "order 7, expected 1 to 6"),
        (["a"], {"order": 0}, OptionError, "order 0, expected 1 to 6"),
    ],
)
def test_what_cannot_be_trained(lines, options, error, message):
    with pytest.raises(error, match=message):
        LanguageModel.train(lines, **options)


def test_unknown_words_in_the_text_are_unknown():
    model = LanguageModel.train(["a <unk> b", "a b"], order=2)
    assert model.tables.words == ("<unk>", "<s>", "</s>", "a", "b")
    assert model.score(["a q"])[0] == model.score(["a <unk>"])[0]


def test_sentences_shorter_than_the_order_train():
    model = LanguageModel.train(["a", "b"], order=6)
    assert (model.order, model.tables.counts) == (6, [5, 4, 2, 0, 0, 0])
    assert 10 ** model.score(["a"])[0] > 0.1


def test_equal_pasts_give_equal_futures():
    """Scores do not depend on what the state left out: a long text equals its last words."""
    model = LanguageModel.train(TEXT, order=3)
    seen = defaultdict(set)
    for words in itertools.product(["the", "cat", "zebra"], repeat=4):
        logs, _ = model.token_scores([" ".join(words)], sentence=False)
        seen[words[1:]].add(round(float(logs[-1]), 6))
    assert all(len(values) == 1 for values in seen.values())


@pytest.mark.parametrize("options", [{}, {"bits": 8}, {"quantized": True}, {"threshold": 1e-3}])
@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_double_precision_look_up_is_that_of_the_kernel(order, options):
    model = LanguageModel.train(TEXT, order=order, **options)
    texts = [*TEXT, "the zebra sat", "mat the on sat cat the", "a"]
    logs, offsets = model.token_scores(texts)
    numbers = model.tables.numbers
    for text, start in zip(texts, offsets[:-1], strict=True):
        stream = np.array([1, *(numbers.get(w, 0) for w in text.split()), 2])
        exact = model.tables.log_probabilities(stream)
        assert np.isnan(exact[0])
        np.testing.assert_allclose(exact[1:], logs[start : start + len(exact) - 1], atol=2e-6)


def test_quantized_files(tmp_path):
    whole = LanguageModel.train(TEXT, order=3)
    small = LanguageModel.train(TEXT, order=3, quantized=True)
    assert len(small.data) < len(whole.data)
    small.save(tmp_path / "m.lm.xz")
    again = LanguageModel.load(tmp_path / "m.lm.xz")
    assert again.score(TEXT).tolist() == small.score(TEXT).tolist()
    difference = np.abs(np.concatenate([a.logs - b.logs for a, b in zip(*levels(whole, small), strict=True)]))
    assert np.median(difference) < 1 / 14
    for context in itertools.product(range(3, 6), repeat=2):
        words = np.delete(np.arange(len(small)), 1)
        rows = np.column_stack([np.full_like(words, c) for c in (1, *context)] + [words])
        logs = small.tables.log_probabilities(rows.ravel()).reshape(rows.shape)[:, -1]
        assert (10**logs).sum() == pytest.approx(1, abs=1e-9)


def levels(*models):
    return [model.tables.levels for model in models]


def test_implied_ngrams_of_quantized_files_keep_the_backed_off_probability(tmp_path):
    """The ARPA file lacks "b b", which "b b a" needs; it is stored without a probability of its own."""
    (tmp_path / "m.arpa").write_text(ARPA)
    model = LanguageModel.load(tmp_path / "m.arpa")
    small = LanguageModel.of(model.tables, quantized=True)
    numbers = small.tables.numbers
    shorter, level = small.tables.levels[:2]
    row = small.tables.ids(2).tolist().index([numbers["b"], numbers["b"]])
    backed_off = shorter.backs[numbers["b"]] + shorter.logs[numbers["b"]]
    assert level.logs[row] == pytest.approx(backed_off, abs=1e-12)


def test_unknown_words_are_spelt_with_a_spelling_section(tmp_path):
    model = LanguageModel.train_on_text(TEXT, min_count=1)
    model.save(tmp_path / "m.lm.gz")
    again = LanguageModel.load(tmp_path / "m.lm.gz")
    (short, long, odd), _ = again.log_likelihood(["The ca.", "The cacacaca.", "The \u8c93\u8c93."])
    assert short < long < odd
    plain = LanguageModel.train(TEXT)
    (short, long), tokens = plain.log_likelihood(["The ca.", "The cacacaca."])
    assert short == long
    assert tokens.tolist() == [3, 3]
