"""Words of a text and back again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark.simplifier.surface import OutputPiece, join, split, split_at_spaces

texts = st.text(st.sampled_from("aAbÉ1 .,'\"()-$%’“”\n\t\u00a0x"), max_size=40)


def rewrite(text, changes, tokenized=False):
    """The text with the words of `changes` replaced."""
    words = (split_at_spaces if tokenized else split)(text)
    pieces = [OutputPiece(i, i + 1, tuple(changes.get(w, w).split())) for i, w in enumerate(words.words)]
    return join(words, pieces, tokenized=tokenized)


@given(texts)
def test_unchanged_text_stays_as_it_is(text):
    words = split(text)
    assert join(words, [OutputPiece(i, i + 1, (w,)) for i, w in enumerate(words.words)]) == text
    assert "".join(text[a:b] for a, b in zip(words.starts, words.ends, strict=True)) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It isn't (yet) 1,000 km.", "it is n't -lrb- yet -rrb- 1,000 km ."),
        ("Mr. Smith's U.S. tour", "mr. smith 's u.s. tour"),
        ("“So,” he said…", '" so , " he said …'),
        ("a well-known 20th-century play", "a well-known 20th-century play"),
        ("", ""),
    ],
)
def test_words(text, words):
    assert list(split(text).words) == words.split()


@pytest.mark.parametrize(
    ("text", "changes", "expected"),
    [
        ("Numerous people assisted.", {"numerous": "many", "assisted": "helped"}, "Many people helped."),
        ("He (allegedly) left.", {"allegedly": "it is said"}, "He (it is said) left."),
        ("However, he left.", {"however": "", ",": ""}, "He left."),
        ("An enormous tree", {"enormous": "big"}, "A big tree"),
        ("a large apple", {"large": ""}, "an apple"),
        ("He left , she  stayed.", {"left": "went away"}, "He went away , she  stayed."),
        ('He "assisted" us', {"assisted": "helped"}, 'He "helped" us'),
        ("He isn't here", {"n't": "not"}, "He is not here"),
        ("However , he purchased", {"however": "", ",": "", "he": "they"}, "They purchased"),
        ("the city's residents", {"residents": "people"}, "the city's people"),
    ],
)
def test_casing_and_spacing_are_those_of_the_input(text, changes, expected):
    assert rewrite(text, changes) == expected


def test_split_text_stays_split():
    assert (
        rewrite("-lrb- Numerous -rrb- people .", {"numerous": "many"}, tokenized=True)
        == "-lrb- many -rrb- people ."
    )
    assert rewrite("it is an enormous tree", {"enormous": "big"}, tokenized=True) == "it is a big tree"
