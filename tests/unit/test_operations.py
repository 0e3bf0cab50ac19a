"""What became of each word: by hand, and what must hold for any two texts."""

import random
import time
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plainmark import kernels
from plainmark.operations import operations, pieces


def ops(tokens):
    return [(t.text, t.op) for t in tokens]


def marked(text, tokens):
    """The text with brackets around everything that is not kept: "a [-b] c"."""
    signs = {"move": "~", "replace": "=", "delete": "-", "add": "+"}
    return "".join(f"[{signs[op]}{piece}]" if op in signs else piece for piece, op in pieces(text, tokens))


CASES = [
    # nothing changes
    ("A cat sat.", "A cat sat.", "A cat sat.", "A cat sat."),
    # a word for a word
    ("He purchased it.", "He bought it.", "He [=purchased] it.", "He [=bought] it."),
    # words deleted, words added
    ("A very old cat sat.", "A cat sat down.", "A [-very old] cat sat.", "A cat sat [+down]."),
    # a phrase in front moves to the end; its comma goes
    (
        "In 1998 , he came home.",
        "he came home In 1998.",
        "[~In 1998] [-,] he came home.",
        "he came home [~In 1998].",
    ),
    # a clause goes and a full stop comes: words are not replaced by punctuation
    ("He left as planned early", "He left. early", "He left [-as planned] early", "He left[+.] early"),
    # ... but punctuation by punctuation, in the same gap
    ("The cat, which sat", "The cat. It sat", "The cat[=, which] sat", "The cat[=. It] sat"),
    # the longest common part stays, and the rest moves around it
    ("x a b y c z", "x c y a b z", "x a b [~y c] z", "x [~c y] a b z"),
    # punctuation never moves on its own
    ("! a b", "a b !", "[-!] a b", "a b [+!]"),
    ("", "New words.", "", "[+New words.]"),
    ("Old words.", "", "[-Old words.]", ""),
    ("", "", "", ""),
]


@pytest.mark.parametrize(("source", "output", "in_source", "in_output"), CASES)
def test_by_hand(source, output, in_source, in_output):
    diff = operations(source, output)
    assert marked(source, diff.source) == in_source
    assert marked(output, diff.output) == in_output


def test_a_repeated_short_phrase_is_too_uncertain_to_have_moved():
    diff = operations("the x the a b c d", "a b c d the y the")
    assert not [t for t in (*diff.source, *diff.output) if t.op == "move"]


def test_a_repeated_long_phrase_moves_as_often_as_it_can():
    phrase = "one two three four five"
    diff = operations(f"{phrase} {phrase} a b c d e f g h i j k", f"a b c d e f g h i j k {phrase} {phrase}")
    assert Counter(t.op for t in diff.source) == {"move": 10, "keep": 11}


def test_case_is_an_option():
    assert ops(operations("The cat", "the cat").output) == [("the", "replace"), ("cat", "keep")]
    assert ops(operations("The cat", "the cat", lowercase=True).output) == [("the", "keep"), ("cat", "keep")]
    assert operations("ΣΑΣ", "σας", lowercase=True).output[0].op == "keep"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("don't well-known 1,000.5 U.S. x", ["don't", "well-known", "1,000.5", "U", ".", "S", ".", "x"]),
        ("“Yes”—no… (ok)", ["“", "Yes", "”", "—", "no", "…", "(", "ok", ")"]),
        ("नमस्ते e\u0301té naïve", ["नमस्ते", "e\u0301té", "naïve"]),  # combining marks belong to words
        ("a,b 1,b a-", ["a", ",", "b", "1", ",", "b", "a", "-"]),
        ("🦉 \ud800\x00 \u3000", ["🦉", "\ud800\x00"]),
        ("  \n\t ", []),
    ],
)
def test_tokens(text, tokens):
    assert [t.text for t in operations(text, "").source] == tokens


TEXT = (
    st.lists(st.sampled_from(["a", "b", "c", "d", "A", ".", ",", " ", "\n"])).map(" ".join)
    | st.lists(st.sampled_from([f"w{i}" for i in range(30)]), max_size=60).map(" ".join)
    | st.text(st.characters(exclude_categories=()), max_size=40)
)


@given(TEXT, TEXT, st.booleans())
@example("a b c d e", "d e a b c", False)
def test_what_always_holds(source, output, lowercase):
    diff = operations(source, output, lowercase=lowercase)
    for text, tokens in ((source, diff.source), (output, diff.output)):
        assert all(text[t.start : t.end] == t.text for t in tokens)
        assert "".join(text.split()) == "".join(t.text for t in tokens)
        parts = list(pieces(text, tokens))
        assert "".join(piece for piece, _ in parts) == text
        assert all(piece for piece, _ in parts)
        assert all(op is not None or piece.isspace() for piece, op in parts)
    same = (lambda t: t.text.lower()) if lowercase else (lambda t: t.text)
    for one, other, lone in ((diff.source, diff.output, "delete"), (diff.output, diff.source, "add")):
        for i, t in enumerate(one):
            assert t.op in ("keep", "move", "replace", lone)
            assert (t.partner >= 0) == (t.op in ("keep", "move"))
            if t.partner >= 0:
                assert other[t.partner].partner == i
                assert other[t.partner].op == t.op
                assert same(t) == same(other[t.partner]) or lowercase  # lower() may depend on the neighbours
    kept = [t.partner for t in diff.source if t.op == "keep"]
    assert kept == sorted(kept)
    assert ("replace" in {t.op for t in diff.source}) == ("replace" in {t.op for t in diff.output})


@given(st.permutations(range(12)))
def test_a_reordering_only_keeps_and_moves(order):
    """All words differ: the longest common subsequence stays, every other word has moved."""
    words = [f"w{i}" for i in range(12)]
    diff = operations(" ".join(words), " ".join(words[i] for i in order))
    assert {t.op for t in diff.source} <= {"keep", "move"}
    a, b = (kernels.tokenize([" ".join(row)], "none") for row in (words, [words[i] for i in order]))
    assert sum(t.op == "keep" for t in diff.source) == kernels.lcs(a, b)[0]


def test_long_texts_in_bounded_time():
    rng = random.Random(7)
    words = [f"w{int(rng.paretovariate(0.6)) % 20_000}" for _ in range(100_000)]
    changed = list(words)
    for _ in range(100):
        start, target = rng.randrange(99_000), rng.randrange(99_000)
        phrase = changed[start : start + 40]
        del changed[start : start + 40]
        changed[target:target] = phrase
    start = time.process_time()
    diff = operations(" ".join(words), " ".join(changed))
    assert time.process_time() - start < 30
    counts = Counter(t.op for t in diff.source)
    assert counts["keep"] > 90_000
    assert counts["move"] > 2_000
    assert Counter(t.op for t in operations("a " * 100_000, "b " * 100_000).source) == {"replace": 100_000}
