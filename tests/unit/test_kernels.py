"""The kernels against slow oracles, on generated tokens and on hostile text."""

import time
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainmark import kernels
from plainmark.kernels import Tokens
from support import oracles

# Few different tokens, so that equal ones meet often; some lists longer than a machine word of 64.
SEQUENCE = st.lists(st.integers(0, 3), max_size=12) | st.lists(st.integers(0, 9), min_size=50, max_size=150)
PAIRS = st.lists(st.tuples(SEQUENCE, SEQUENCE), min_size=1, max_size=4)
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)  # lone surrogates and NUL included


def tokens_of(sequences):
    """Tokens of integer sequences, as hashes."""
    offsets = np.concatenate([[0], np.cumsum([len(s) for s in sequences])]).astype(np.int64)
    flat = np.array([x for s in sequences for x in s], dtype=np.uint64)
    return Tokens(flat * np.uint64(0x9E3779B97F4A7C15) + np.uint64(1), offsets)


def both(pairs):
    return tokens_of([a for a, _ in pairs]), tokens_of([b for _, b in pairs])


@given(PAIRS)
def test_edit_distance(pairs):
    assert list(kernels.edit_distance(*both(pairs))) == [oracles.edit_distance(a, b) for a, b in pairs]


@given(PAIRS)
def test_lcs(pairs):
    assert list(kernels.lcs(*both(pairs))) == [oracles.lcs_length(a, b) for a, b in pairs]


@given(PAIRS)
def test_lcs_match(pairs):
    found = kernels.lcs_match(*both(pairs))
    assert list(found) == [j for a, b in pairs for j in oracles.lcs_match(a, b)]


@given(PAIRS, st.data())
def test_chosen_pairs_may_repeat_and_cross(pairs, data):
    index = st.integers(0, len(pairs) - 1)
    chosen = data.draw(st.lists(st.tuples(index, index), max_size=5))
    left, right = (np.array([c[k] for c in chosen], dtype=np.int64) for k in (0, 1))
    a, b = both(pairs)
    expected = [oracles.edit_distance(pairs[i][0], pairs[j][1]) for i, j in chosen]
    assert list(kernels.edit_distance(a, b, left, right)) == expected
    expected = [k for i, j in chosen for k in oracles.lcs_match(pairs[i][0], pairs[j][1])]
    assert list(kernels.lcs_match(a, b, left, right)) == expected


@pytest.mark.parametrize("length", [63, 64, 65, 127, 128, 129, 16383, 16384, 16385, 40000])
def test_lengths_at_the_edges_of_words_and_strips(length):
    """One token in three differs; the answers follow from the construction."""
    a = np.arange(length, dtype=np.uint64)
    b = np.where(np.arange(length) % 3 == 1, a + np.uint64(10**9), a)
    pair = Tokens(a, np.array([0, length])), Tokens(b, np.array([0, length]))
    changed = (length + 1) // 3
    assert kernels.edit_distance(*pair)[0] == changed
    assert kernels.lcs(*pair)[0] == length - changed
    partner = kernels.lcs_match(*pair)
    assert np.array_equal(partner, np.where(np.arange(length) % 3 == 1, -1, np.arange(length)))


@given(PAIRS, st.integers(1, 5))
def test_ngrams_and_overlap(pairs, order):
    a, b = both(pairs)
    grams = kernels.ngrams(a, order)
    for i, (tokens, _) in enumerate(pairs):
        for n in range(1, order + 1):
            entries = slice(grams.offsets[i * order + n - 1], grams.offsets[i * order + n])
            counts = Counter(grams.counts[entries].tolist())
            assert counts == Counter(oracles.grams(tokens, n).values())
            assert len(set(grams.keys[entries].tolist())) == entries.stop - entries.start
    common = kernels.overlap(grams, kernels.ngrams(b, order))
    expected = [[oracles.overlap(x, y, n) for n in range(1, order + 1)] for x, y in pairs]
    assert np.array_equal(common, expected)


@given(
    st.lists(st.lists(SEQUENCE, min_size=1, max_size=3), min_size=1, max_size=3),
    st.sampled_from(["sum", "peak", "texts"]),
)
def test_ngrams_of_groups(groups, counting):
    texts = [t for group in groups for t in group]
    bounds = np.concatenate([[0], np.cumsum([len(g) for g in groups])]).astype(np.int64)
    grams = kernels.ngrams(tokens_of(texts), 2, bounds, counting=counting)
    for g, group in enumerate(groups):
        for n in (1, 2):
            counters = [oracles.grams(t, n) for t in group]
            if counting == "texts":
                counters = [Counter(set(c)) for c in counters]
            joined = Counter()
            for counter in counters:
                joined = joined | counter if counting == "peak" else joined + counter
            entries = slice(grams.offsets[g * 2 + n - 1], grams.offsets[g * 2 + n])
            assert sorted(grams.counts[entries].tolist()) == sorted(joined.values())


@given(st.lists(ANY_TEXT, max_size=5), st.sampled_from(sorted(kernels.MODES)), st.booleans())
def test_any_text_becomes_tokens(texts, mode, lowercase):
    hashes = kernels.tokenize(texts, mode, lowercase=lowercase)
    words = kernels.words(texts, mode, lowercase=lowercase)
    assert [len(w) for w in words] == list(hashes.lengths)
    flat = [w for row in words for w in row]
    # Equal words, and only they, have equal hashes.
    assert len(set(zip(flat, hashes.hashes.tolist(), strict=True))) == len(set(flat))
    assert len(set(hashes.hashes.tolist())) == len(set(flat))


@given(ANY_TEXT)
def test_splitting_is_pythons(text):
    assert kernels.words([text], "none")[0] == text.split()
    assert kernels.words([text], "space")[0] == text.split(" ")
    assert kernels.words([text], "all-char")[0] == list(text)
    assert kernels.words([text], "char")[0] == list("".join(text.split()))


@pytest.mark.parametrize("text", ["İstanbul", "STRASSE ẞ ß", "ΟΔΥΣΣΕΥΣ ΣΑΣ", "ǅ Ⅷ Å", "ﬁ", "ASCII only"])
def test_lowercase_is_pythons(text):
    assert kernels.words([text], "none", lowercase=True)[0] == text.lower().split()


def test_what_is_not_text_is_refused():
    with pytest.raises(TypeError, match="expected a list of str, found int"):
        kernels.tokenize(["text", 3], "none")


@pytest.mark.parametrize("mode", sorted(kernels.MODES))
def test_sizes(mode):
    """Nothing, thousands of empty texts, one huge token, and a long document, all in bounded time."""
    start = time.process_time()
    assert len(kernels.tokenize([], mode)) == 0
    many = kernels.tokenize([""] * 20_000, mode)
    assert many.lengths.sum() == (20_000 if mode == "space" else 0)
    huge = kernels.tokenize(["x" * 5_000_000], mode)
    assert huge.lengths[0] == (5_000_000 if "char" in mode else 1)
    document = kernels.tokenize(["the cat sat on 1,000 mats. " * 17_000], mode)
    assert document.lengths[0] > 100_000
    assert len(kernels.ngrams(document, 4)) == 1
    assert time.process_time() - start < 20


def test_long_documents_in_bounded_time():
    rng = np.random.default_rng(1)
    n = 100_000
    a = np.minimum(rng.zipf(1.3, n), 20_000).astype(np.uint64)
    b = np.where(rng.random(n) < 0.2, np.minimum(rng.zipf(1.3, n), 20_000).astype(np.uint64), a)
    pair = Tokens(a, np.array([0, n])), Tokens(b, np.array([0, n]))
    start = time.process_time()
    length = kernels.lcs(*pair)[0]
    assert length >= (a == b).sum()
    partner = kernels.lcs_match(*pair)
    kept = partner >= 0
    assert kept.sum() == length
    assert (np.diff(partner[kept]) > 0).all()
    assert np.array_equal(a[kept], b[partner[kept]])
    assert n - length <= kernels.edit_distance(*pair)[0] <= (a != b).sum()
    assert time.process_time() - start < 60


def test_thousands_of_empty_texts():
    n = 5_000
    empty = kernels.tokenize([""] * n, "13a")
    grams = kernels.ngrams(empty, 4)
    assert len(grams.keys) == 0
    assert kernels.overlap(grams, grams).shape == (n, 4)
    ones = np.ones(n, np.int64)
    assert not kernels.sari(grams, grams, grams, ones, (empty, empty, empty)).any()
    assert not kernels.edit_distance(empty, empty).any()
    assert not kernels.lcs(empty, empty).any()
    assert not kernels.translation_edits(empty, empty).any()
    assert len(kernels.lcs_match(empty, empty)) == 0
    assert [len(a) for a in kernels.operations(empty, empty, marks=empty.hashes)] == [0, 0, 0, 0]


def test_no_texts_at_all():
    nothing = kernels.tokenize([], "13a")
    grams = kernels.ngrams(nothing, 4)
    assert len(grams) == 0
    assert kernels.overlap(grams, grams).shape == (0, 4)
    assert kernels.sari(grams, grams, grams, np.zeros(0, np.int64), None).shape[0] == 0
    assert len(kernels.edit_distance(nothing, nothing)) == 0


@given(st.lists(st.tuples(ANY_TEXT, ANY_TEXT, ANY_TEXT), min_size=1, max_size=4))
def test_any_text_goes_through_every_kernel(rows):
    source, output, reference = (
        kernels.tokenize([row[k] for row in rows], "13a", lowercase=True) for k in range(3)
    )
    s, o, r = (kernels.ngrams(t, 4) for t in (source, output, reference))
    counts = kernels.sari(s, o, r, np.ones(len(rows), np.int64), (output, source, source))
    assert np.isfinite(counts).all()
    assert (counts >= 0).all()
    common = kernels.lcs(source, output)
    assert (common <= kernels.overlap(s, o)[:, 0]).all()
    longer = np.maximum(source.lengths, output.lengths)
    edits = kernels.edit_distance(source, output)
    assert (longer - kernels.overlap(s, o)[:, 0] <= edits).all()
    assert (edits <= longer).all()
    assert (kernels.translation_edits(output, reference) <= kernels.edit_distance(output, reference)).all()
    assert kernels.operations(source, output, marks=reference.hashes)[0].max(initial=0) <= 3


@settings(max_examples=20)
@given(st.integers(0, 3), st.integers(0, 3))
def test_nothing_and_little(n, m):
    a, b = tokens_of([[0] * n]), tokens_of([[0] * m])
    assert kernels.edit_distance(a, b)[0] == abs(n - m)
    assert kernels.lcs(a, b)[0] == min(n, m)
    assert kernels.translation_edits(a, b)[0] == abs(n - m)
