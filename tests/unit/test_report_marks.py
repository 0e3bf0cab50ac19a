"""Marks point at the words that changed, in the units of the page's script."""

from hypothesis import given
from hypothesis import strategies as st

from plainmark.report import marks


def pieces(text, runs, width):
    """The marked pieces of a text, cut as JavaScript cuts: by UTF-16 units."""
    units = text.encode("utf-16-le", "surrogatepass")
    return [
        (units[2 * runs[k] : 2 * runs[k + 1]].decode("utf-16-le", "surrogatepass"), runs[k + 2])
        for k in range(0, len(runs), width)
    ]


def encoded(source, output):
    (spans,) = marks.changes([source], [output])
    return marks.encode(source, output, spans)


def test_changed_words_are_marked_in_runs():
    source, output = "The old feline sat down there.", "The cat sat there quietly."
    left, right = encoded(source, output)
    assert pieces(source, left, 4) == [("old feline", 2), ("down", 2)]
    assert pieces(output, right, 3) == [("cat", 1), ("quietly", 1)]
    assert left[3::4] == [len("The"), len("The cat sat")], "deleted words stood after the last kept word"


def test_equal_texts_have_no_marks():
    assert encoded("A cat sat.", "a CAT sat.") == [[], []]


def test_empty_sides():
    assert encoded("A cat.", "") == [[0, 6, 2, 0], []]
    assert encoded("", "A cat.") == [[], [0, 6, 1]]


def test_offsets_count_utf16_units():
    source, output = "🦉🦉 hoots loudly", "🦉🦉 hoots 🦉 softly"
    left, right = encoded(source, output)
    assert pieces(source, left, 4) == [("loudly", 2)]
    assert pieces(output, right, 3) == [("🦉 softly", 1)]
    assert left[3] == len("🦉🦉 hoots".encode("utf-16-le")) // 2


def test_a_change_of_operation_starts_a_new_run():
    spans = (
        [(0, 1, "deleted"), (2, 3, "replaced"), (4, 5, "kept"), (6, 7, "moved")],
        [(0, 1, "replaced"), (2, 3, "added"), (4, 5, "kept"), (6, 7, "moved")],
    )
    assert marks.encode("a b c d", "x y c d", spans) == [
        [0, 1, 2, 0, 2, 3, 3, 0, 6, 7, 4, 5],
        [0, 1, 3, 2, 3, 1, 6, 7, 4],
    ]


def test_no_place_is_guessed_when_kept_words_do_not_pair_up():
    left, _ = marks.encode(
        "a b", "a a", ([(0, 1, "kept"), (2, 3, "deleted")], [(0, 1, "kept"), (2, 3, "kept")])
    )
    assert left[3] == -1


words = st.lists(st.sampled_from(["cat", "dog", "🦉", "don't", ",", "naïve", "well-known"]), max_size=8).map(
    " ".join
)


@given(words, words)
def test_kept_words_are_a_common_subsequence_and_the_rest_is_marked(source, output):
    ((left, right),) = marks.changes([source], [output])
    kept = [
        [t[i:j].lower() for i, j, o in side if o == "kept"] for t, side in ((source, left), (output, right))
    ]
    assert kept[0] == kept[1]
    runs = marks.encode(source, output, (left, right))
    for text, side, flat, width in ((source, left, runs[0], 4), (output, right, runs[1], 3)):
        assert "".join(t for t, _ in pieces(text, flat, width)).replace(" ", "") == "".join(
            text[i:j] for i, j, o in side if o != "kept"
        )
