"""Marks point at the words that changed, in the units of the page's script."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark.operations import operations
from plainmark.report.samples import CODES, marks

ADDED, DELETED, REPLACED, MOVED = 1, 2, 3, 4


def pieces(text, runs, width):
    """The marked pieces of a text, cut as JavaScript cuts: by UTF-16 units."""
    units = text.encode("utf-16-le", "surrogatepass")
    return [
        (units[2 * runs[k] : 2 * runs[k + 1]].decode("utf-16-le", "surrogatepass"), runs[k + 2])
        for k in range(0, len(runs), width)
    ]


def test_changed_words_are_marked_in_runs():
    source, output = "The old feline sat down there.", "The cat sat there quietly."
    left, right = marks(source, output)
    assert pieces(source, left, 4) == [("old feline", REPLACED), ("down", DELETED)]
    assert pieces(output, right, 3) == [("cat", REPLACED), ("quietly", ADDED)]
    assert left[3::4] == [len("The"), len("The cat sat")], "what is gone stood after the last kept word"


def test_moved_words():
    source, output = "In 1998 he came home.", "he came home In 1998."
    left, right = marks(source, output)
    assert pieces(source, left, 4) == [("In 1998", MOVED)]
    assert pieces(output, right, 3) == [("In 1998", MOVED)]


@pytest.mark.parametrize(
    ("source", "output", "expected"),
    [
        ("A cat sat.", "a CAT sat.", [[], []]),  # case alone is no change
        ("A cat.", "", [[0, 6, DELETED, 0], []]),
        ("", "A cat.", [[], [0, 6, ADDED]]),
        ("", "", [[], []]),
    ],
)
def test_corner_cases(source, output, expected):
    assert marks(source, output) == expected


def test_offsets_count_utf16_units():
    source, output = "🦉🦉 hoots loudly", "🦉🦉 hoots 🦉 softly"
    left, right = marks(source, output)
    assert pieces(source, left, 4) == [("loudly", REPLACED)]
    assert [text for text, _ in pieces(output, right, 3)] == ["🦉", "softly"]
    assert left[3] == len("🦉🦉 hoots".encode("utf-16-le")) // 2


words = st.lists(
    st.sampled_from(["cat", "dog", "🦉", "don't", ",", "naïve", "well-known", "The"]), max_size=9
).map(" ".join)


@given(words, words)
def test_exactly_the_changed_words_are_marked_with_their_operation(source, output):
    diff = operations(source, output, lowercase=True)
    left, right = marks(source, output)
    for text, tokens, flat, width in ((source, diff.source, left, 4), (output, diff.output, right, 3)):
        changed = [(t.text, CODES[t.op]) for t in tokens if t.op != "keep"]
        marked = [(word, code) for piece, code in pieces(text, flat, width) for word in _tokens(piece)]
        assert marked == changed


def _tokens(text):
    return [t.text for t in operations(text, text).source]


@given(words, words)
def test_places_never_go_back(source, output):
    places = marks(source, output)[0][3::4]
    assert places == sorted(places)
    assert all(0 <= p <= len(output.encode("utf-16-le")) // 2 for p in places)


def test_documents_are_compared_within_linked_sentences():
    source = (
        "The municipal authorities have commenced work. Nobody was hurt in the fire that began at noon. "
        "The lighthouse is very old and famous."
    )
    output = "The lighthouse is famous. The town authorities have begun work. It rained."
    left, right = marks(source, output)
    assert pieces(source, left, 4) == [
        ("municipal", REPLACED),
        ("commenced", REPLACED),
        ("Nobody was hurt in the fire that began at noon.", DELETED),
        ("very old and", DELETED),
    ]
    # The sentence that moved to the front is compared with itself, and only its own words are marked.
    assert pieces(output, right, 3) == [("town", REPLACED), ("begun", REPLACED), ("It rained.", ADDED)]
    places = [output[:p] for p in left[3::4]]
    assert places[0].endswith("famous. The")
    assert places[2].endswith("begun work.")  # where the sentence before it ended
    assert places[3] == "The lighthouse is"


documents = st.lists(
    st.sampled_from(
        ["The cat sat.", "A dog barked at 🦉 all night.", "The old cat sat down.", "He left, at noon."]
    ),
    max_size=4,
).map(" ".join)


@given(documents, documents)
def test_marks_of_documents_lie_within_the_texts_and_do_not_overlap(source, output):
    left, right = marks(source, output)
    for text, flat, width in ((source, left, 4), (output, right, 3)):
        runs = [(flat[k], flat[k + 1]) for k in range(0, len(flat), width)]
        size = len(text.encode("utf-16-le")) // 2
        assert all(0 <= a < b <= size for a, b in runs)
        assert all(b <= c for (_, b), (c, _) in pairwise(runs))
    assert all(0 <= p <= len(output.encode("utf-16-le")) // 2 for p in left[3::4])


@given(documents)
def test_a_copied_document_has_no_marks(text):
    assert marks(text, text) == [[], []]
