"""Compiled code is called with arguments that make no sense: it raises an exception or returns, and never crashes.

Each function starts from a call that works, of which one or more arguments are replaced. The calls run in a process of
their own, so that a crash is seen as a failure; `python test_kernels_hostile.py LOG NAMES` is that process.
"""

import faulthandler
import re
import struct
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from plainmark.kernels import WordTable, _native

# What a caller may get for a wrong argument. Anything else, or the end of the process, is a defect.
ALLOWED = (TypeError, ValueError, IndexError, OverflowError, MemoryError)


def planes(values, kind):
    """Numbers of four bytes as the language model's file stores them: all first bytes, all second bytes, …"""
    return np.array(values, kind).view(np.uint8).reshape(-1, 4).T.tobytes()


def model_bytes():
    """A bigram model of the words <unk>, <s>, </s>, a and b."""
    text = b"<unk>\n<s>\n</s>\na\nb\n"
    bigrams = [(1, 3), (1, 4), (3, 4), (4, 2)]
    children = [sum(first == word for first, _ in bigrams) for word in range(5)]
    steps = [3, 1, 4, 2]  # each word less the one before it under the same parent
    return b"".join(
        [
            b"plainlm1",
            struct.pack("<IIQ6Q", 2, 32, len(text), 5, len(bigrams), 0, 0, 0, 0),
            text,
            planes([-1, -99, -0.7, -0.6, -0.8], "<f4"),
            planes([-0.1, -0.2, 0, -0.3, -0.4], "<f4"),
            planes(children, "<u4"),
            planes(steps, "<u4"),
            planes([-0.3, -0.4, -0.5, -0.6], "<f4"),
        ]
    )


def ints(*values):
    return np.array(values, np.int64)


def small(*values):
    return np.array(values, np.int32)


def tiny_numbers(matrices, scales, floats):
    """Numbers for an encoder of 128 numbers per token: three words, four positions, one layer."""
    rng = np.random.default_rng(1)
    return (
        rng.integers(-127, 128, matrices).astype(np.int8),
        np.full(scales, 0.01, np.float32),
        rng.normal(size=floats).astype(np.float32),
    )


def examples():
    """Arguments with which each function works, by its name."""
    texts = ["The cat sat on the mat.", "A dog's life -- 3,000 café-goers said so!", ""]
    tokens = _native.tokenize(texts, 1, True)
    plain = _native.tokenize(texts, 0, False)
    every = ints(0, 1, 2)
    grams = _native.ngrams(*tokens, ints(0, 1, 2, 3), 2, 0)
    table = WordTable.words(["cat", "dog", "life", "~e$"], 2)
    tables = (table.slots, table.starts)
    model = _native.LanguageModel(model_bytes())
    grammar_arrays = (
        small(0, 0, 1),
        small(3, 4, -1, 4),
        ints(0, 1, 3, 4),
        small(4, 3, -1, 3),
        ints(0, 1, 3, 4),
        5,
        2,
    )
    grammar = _native.Grammar(*grammar_arrays)
    lattice = (
        *(ints(2, 1), ints(0, 3, 4), small(0, 0, 1, 0), small(1, 2, 2, 1), np.array([0.0, 0.5, -0.5, 0])),
        *(ints(0, 1, 2, 3, 4), small(3, 4, 2, 3), np.arange(5, dtype=np.uint32)),
    )
    encoder_arrays = (
        *(128, 128, 2, 1, 3, 4),
        *tiny_numbers(3 * 128 + 6 * 128**2, 3 + 6 * 128, 16 * 128),
        1e-12,
    )
    encoder = _native.EightBitEncoder(*encoder_arrays)
    lm_words = np.arange(5, dtype=np.uint32)
    sentences = (small(3, 4, 3), ints(0, 2, 3), np.zeros(3), small(0, 1, 0), ints(0, 1, 2, 3))
    lexicon = (ints(0, 1, 1), ints(0, 1, 2), ints(1, 0))
    meteor_texts = (ints(0, 1, 2, 1), ints(0, 2, 4))
    return {
        "tokenize": (texts, 1, True),
        "words": (texts, 9, True),
        "stem": ("happily",),
        "treebank": (texts,),
        "ngrams": (*tokens, ints(0, 1, 2, 3), 2, 1),
        "overlap": (*grams, *grams, every, every[::-1].copy(), 2),
        "sari": (*grams, *grams, *grams, ints(1, 2, 1), 2, (*tokens, *tokens, *plain)),
        "measure": (2, *tokens, *plain, every, every),
        "rank_correlation": (1, every, every, np.array([1.0, 2, 0, 1, 1, 1])),
        "lcs_match": (*tokens, *plain, every, every),
        "meteor": (*meteor_texts, *meteor_texts, ints(0, 1), ints(1, 0), *lexicon),
        "operations": (*tokens, *plain, every, every, tokens[0][-2:].copy()),
        "count_words": (texts, 0, *tables, *tables),
        "syllables": (["cat", "dogs'", "café's"], *tables),
        "best_extract": (*tokens, plain[0][:4].copy(), 16, 8),
        "span_marginals": (np.zeros(9), 3, 1, 0, ints(0, 0, 0)),
        "best_tree": (np.zeros(36), 3, 2, 1, ints(0, 0, 1, 1, 0, 1)),
        "span_vectors": (*(np.zeros(k, np.float32) for k in (4, 4, 6, 4, 2, 2)), 2),
        "EightBitEncoder": encoder_arrays,
        "EightBitEncoder.hidden": (encoder, small(0, 1, 2, 2, 1, 0), 3, 1, 0),
        "LanguageModel": (model_bytes(),),
        "LanguageModel.ids": (model, ["a", "zebra"]),
        "LanguageModel.split": (model, ["a b", " b  c"]),
        "LanguageModel.score": (model, np.array([3, 4, 0], np.uint32), ints(0, 2, 3), True),
        "LanguageModel.__len__": (model,),
        "best_paths": (model, 0.5, *lattice, 4, 10.0, 3, 2),
        "context_gains": (model, *lattice, small(3, 4, 3), ints(0, 2, 3)),
        "Grammar": grammar_arrays,
        "Grammar.__len__": (grammar,),
        "decode_scfg": (grammar, model, lm_words, np.zeros(3), *sentences, 0.5, -0.1, 0, 10, 2, 3, True),
    }


def function(name):
    owner, _, method = name.partition(".")
    return getattr(getattr(_native, owner), method) if method else getattr(_native, owner)


INTEGERS = st.one_of(
    st.integers(-3, 20),
    st.sampled_from([-(2**63), -(2**31), 99, 2**31 - 1, 2**31, 2**32, 2**62, 2**63 - 1, 2**70]),
)
FLOATS = st.one_of(st.floats(-3, 3), st.sampled_from([np.nan, np.inf, -np.inf, 1e308, -1e308, 5e-324, 1e99]))
KINDS = [np.int64, np.int32, np.uint64, np.uint32, np.uint8, np.float64, np.float32, np.bool_]
STRANGE = st.sampled_from(
    [None, "x", b"", 3, 2.5, [], {}, (), object(), np.zeros((2, 2)), np.array(1), np.array(["a"])]
)
TEXTS = st.one_of(
    st.lists(st.text(st.characters(exclude_categories=()), max_size=12), max_size=4),
    st.lists(
        st.sampled_from(["a", 3, None, "\udc80", "'s" * 9, "-" * 9, "&quot;,.-\n", "İΣß½²"]), max_size=5
    ),
)


@st.composite
def arrays(draw, example):
    """The array with a few entries replaced, of another length, of another type, or an altogether different one."""
    way = draw(st.integers(0, 5))
    values = example.copy()
    if way <= 2 and len(values):
        for _ in range(draw(st.integers(1, 3))):
            at = draw(st.integers(0, len(values) - 1))
            if values.dtype.kind == "f":
                values[at] = draw(FLOATS)
            else:
                bounds = np.iinfo(values.dtype)
                values[at] = min(max(draw(INTEGERS), bounds.min), bounds.max)
        return values
    if way == 3:
        return values[: draw(st.integers(0, len(values)))].copy()
    if way == 4:
        return np.concatenate([values, values[: draw(st.integers(0, 3))]])
    size = draw(st.integers(0, 5))
    return draw(st.sampled_from([np.zeros, np.ones]))(size, draw(st.sampled_from(KINDS)))


def hostile(example):
    """Arguments in place of one that works."""
    if isinstance(example, np.ndarray):
        return st.one_of(arrays(example), arrays(example), STRANGE)
    if isinstance(example, bool):
        return st.one_of(st.booleans(), STRANGE)
    if isinstance(example, int):
        return st.one_of(INTEGERS, INTEGERS, STRANGE)
    if isinstance(example, float):
        return st.one_of(FLOATS, FLOATS, STRANGE)
    if isinstance(example, str):
        return st.one_of(st.text(st.characters(exclude_categories=()), max_size=30), STRANGE)
    if isinstance(example, list):
        return st.one_of(TEXTS, TEXTS, STRANGE)
    if isinstance(example, bytes):
        return damaged(example)
    if isinstance(example, tuple):
        mixed = st.tuples(*(st.one_of(st.just(part), hostile(part)) for part in example))
        return st.one_of(mixed, mixed, STRANGE)
    kinds = [_native.LanguageModel, _native.Grammar, _native.EightBitEncoder]
    return st.one_of(STRANGE, st.sampled_from([kind.__new__(kind) for kind in kinds]))


@st.composite
def damaged(draw, data):
    """Bytes with some of them replaced, or cut off."""
    changed = bytearray(data[: draw(st.one_of(st.just(len(data)), st.integers(0, len(data))))])
    for _ in range(draw(st.integers(1, 4))):
        if changed:
            changed[draw(st.integers(0, len(changed) - 1))] = draw(
                st.sampled_from([0, 1, 2, 3, 127, 128, 255])
            )
    return bytes(changed)


@st.composite
def calls(draw, example):
    """A call with one to three arguments replaced, or with too many or too few."""
    arguments = list(example)
    for at in draw(st.sets(st.integers(0, len(arguments) - 1), min_size=1, max_size=3)):
        arguments[at] = draw(hostile(arguments[at]))
    if draw(st.integers(0, 30)) == 0:
        arguments = arguments[:-1] if draw(st.booleans()) else [*arguments, 0]
    return arguments


def attack(name, log):
    """Calls one function many times; what it was called with stands in the log."""
    work = function(name)

    @seed(1)
    @settings(
        max_examples=200,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(calls(examples()[name]))
    def run(arguments):
        log.seek(0)
        log.truncate()
        log.write(f"{name}{tuple(arguments)!r}")
        log.flush()
        with np.errstate(all="ignore"):
            try:
                work(*arguments)
            except ALLOWED:
                return

    run()


def names():
    """Everything in the module that can be called, as `function`, `Class` or `Class.method`."""
    for name, thing in vars(_native).items():
        if name.startswith("_") or not callable(thing):
            continue
        yield name
        if isinstance(thing, type):
            methods = (
                m
                for m, v in vars(thing).items()
                if callable(v) and m not in ("__init__", "__new__", "__doc__")
            )
            yield from (f"{name}.{m}" for m in methods)


def test_every_function_is_attacked():
    assert set(names()) == set(examples())


@pytest.mark.parametrize("name", list(examples()))
def test_the_examples_work(name):
    function(name)(*examples()[name])


@pytest.mark.parametrize("part", range(3))
def test_no_argument_crashes(part, tmp_path):
    log = tmp_path / "call"
    command = [sys.executable, "-W", "ignore", __file__, str(log), *list(examples())[part::3]]
    child = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert child.returncode == 0, (
        f"{log.read_text('utf-8', 'replace')} ended with {child.returncode}\n{child.stderr[-3000:]}"
    )


@pytest.mark.parametrize(
    ("name", "changes", "error"),
    [
        ("measure", {0: 99}, ValueError),
        ("measure", {0: -1}, ValueError),
        ("measure", {5: ints(0, 1, 3)}, IndexError),
        ("measure", {6: ints(0, 1, -1)}, IndexError),
        ("measure", {6: ints(0, 1)}, ValueError),
        ("measure", {2: ints()}, ValueError),
        ("measure", {2: ints(0, 2, 1, 3)}, ValueError),
        ("measure", {2: ints(0, 2, 3, 99)}, ValueError),
        ("tokenize", {1: 99}, ValueError),
        ("ngrams", {3: -1}, ValueError),
        ("ngrams", {4: 3}, ValueError),
        ("ngrams", {2: ints(0, 1, 2, 4)}, ValueError),
        ("overlap", {6: ints(0, 1, 3)}, IndexError),
        ("overlap", {8: 1000}, IndexError),
        ("sari", {9: ints(1, 2)}, ValueError),
        ("sari", {11: (1, 2)}, TypeError),
        ("rank_correlation", {0: 2}, ValueError),
        ("rank_correlation", {1: ints(0, 1, 9)}, IndexError),
        ("rank_correlation", {3: np.ones(4)}, ValueError),
        ("meteor", {0: ints(0, 1, 9, 1)}, IndexError),
        ("meteor", {6: ints(0, 1, 9)}, IndexError),
        ("count_words", {1: 3}, ValueError),
        ("count_words", {3: ints(0, 0)[:1]}, ValueError),
        ("count_words", {3: np.append(np.zeros(8, np.int64), 99)}, IndexError),
        ("best_extract", {3: 65}, ValueError),
        ("best_extract", {4: 0}, ValueError),
        ("span_marginals", {0: np.zeros(8)}, ValueError),
        ("span_vectors", {0: np.zeros(3, np.float32)}, ValueError),
        ("span_vectors", {2: np.zeros(4, np.float32)}, ValueError),
        ("span_vectors", {4: np.zeros(0, np.float32)}, ValueError),
        ("span_vectors", {6: -1}, ValueError),
        ("best_tree", {3: 2}, ValueError),
        ("best_tree", {4: ints(0, 0, 2)}, IndexError),
        ("LanguageModel.score", {1: np.array([3, 4, 5], np.uint32)}, IndexError),
        ("LanguageModel.score", {2: ints(0, 4)}, ValueError),
        ("best_paths", {1: np.nan}, ValueError),
        ("best_paths", {10: 0}, ValueError),
        ("best_paths", {11: np.nan}, ValueError),
        ("best_paths", {13: 0}, ValueError),
        ("best_paths", {2: ints(2, 2**40)}, ValueError),
        ("context_gains", {9: small(3, 4, 9)}, IndexError),
        ("decode_scfg", {11: -1}, ValueError),
        ("decode_scfg", {14: 0}, ValueError),
        ("decode_scfg", {3: np.array([0, 0, 1e200])}, ValueError),
    ],
)
def test_what_is_out_of_range_is_refused(name, changes, error):
    arguments = list(examples()[name])
    for at, value in changes.items():
        arguments[at] = value
    with pytest.raises(error):
        function(name)(*arguments)


# A word or sentence as long as a book must not exhaust the stack.
def test_long_words():
    many = 100_000
    assert _native.stem("y" * many)
    table = WordTable.words(["a"], 1)
    words = ["a" + "'s" * 3000, "a-" * 3000 + "a", "s'" * 3000]
    rows, _ = _native.count_words(words, 0, table.slots, table.starts, table.slots, table.starts)
    assert rows[:, 0].tolist() == [1, 1, 1]
    assert len(_native.syllables(words, table.slots, table.starts)) == 3


def test_long_sentences():
    n = 50_000
    grammar, model = examples()["decode_scfg"][:2]
    for language_model in (None, model):
        result = _native.decode_scfg(
            *(grammar, language_model, np.arange(5, dtype=np.uint32), np.zeros(3)),
            *(np.full(n, 3, np.int32), ints(0, n), np.zeros(n), np.zeros(n, np.int32), np.arange(n + 1)),
            *(0.1, 0.0, 1, 2, 1, 3, True),
        )
        assert np.diff(result[6]).tolist() == [n] * len(result[1])
        assert len(result[1]) > 1


def test_long_sentences_on_a_small_stack():
    """Items are nested as deeply as the sentence is long, and the stack is not."""
    n, results = 2000, []
    grammar, model = examples()["decode_scfg"][:2]

    def decode():
        results.append(
            _native.decode_scfg(
                *(grammar, model, np.arange(5, dtype=np.uint32), np.zeros(3)),
                *(np.full(n, 3, np.int32), ints(0, n), np.zeros(n), np.zeros(n, np.int32), np.arange(n + 1)),
                *(0.1, 0.0, 20, 5, 2, 20, True),
            )
        )

    before = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(target=decode)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert len(results[0][1]) == 20


THREADS = """
import resource, sys, test_kernels_hostile as t
import numpy as np
model, weight, lengths, edges, starts, ends, scores, targets, words, lm_words, beam, threshold, paths, _ = t.examples()["best_paths"]
n = 200
many = (np.tile(lengths, n), np.concatenate([[0], np.cumsum(np.tile(np.diff(edges), n))]), np.tile(starts, n), np.tile(ends, n))
more = (np.tile(scores, n), np.concatenate([[0], np.cumsum(np.tile(np.diff(targets), n))]), np.tile(words, n), lm_words)
call = lambda threads: t._native.best_paths(model, weight, *many, *more, beam, threshold, paths, threads)
alone = call(1)
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * 4096 + 50 * 2**20,) * 2)
try:
    call(64)
except RuntimeError as problem:
    print(problem)
assert all(np.array_equal(a, b) for a, b in zip(alone, call(1)))
"""


def test_a_thread_that_cannot_start():
    """With room for the stacks of a few threads out of 64, the first that has none raises; those before it end."""
    child = subprocess.run(
        [sys.executable, "-c", THREADS],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=Path(__file__).parent,
    )
    assert child.returncode == 0, child.stderr
    assert re.fullmatch(
        r"cannot start thread \d+ of 64 \(Resource temporarily unavailable\); use fewer threads\n",
        child.stdout,
    )


def test_the_program_that_counts_crashes():
    child = subprocess.run(
        [
            sys.executable,
            "-m",
            "benchmarks.hostile_calls",
            "--calls",
            "4000",
            "--processes",
            "1",
            "--seed",
            "7",
        ],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=Path(__file__).parents[2],
    )
    assert child.returncode == 0, child.stdout[-3000:] + child.stderr[-3000:]
    assert "4,000 hostile calls, 0 crashes" in child.stdout


# The interpreter frees strings of a list that changed: the kernels hold their own references.
def test_a_list_that_changes_itself():
    class Shrinking(str):
        def lower(self):
            texts.clear()
            return super().lower()

    texts = [
        *("word " * 50 + str(i) for i in range(50)),
        Shrinking("ÉCOLE"),
        *("más " * 50 for _ in range(50)),
    ]
    hashes, offsets = _native.tokenize(texts, 1, True)
    assert len(offsets) == 102
    assert len(hashes) == offsets[-1]


if __name__ == "__main__":
    faulthandler.enable()
    with Path(sys.argv[1]).open("w", encoding="utf-8", errors="replace") as file:
        for argument in sys.argv[2:]:
            attack(argument, file)
