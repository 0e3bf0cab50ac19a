"""What a word and a sentence are: hand-counted texts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark import kernels
from plainmark.kernels import COUNT_COLUMNS
from plainmark.syllables import count_words


def counts(text, rule="plain"):
    return dict(zip(COUNT_COLUMNS, count_words([text], rule)[0].tolist(), strict=True))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        (" \n\t", 0),
        ("... -- ?!", 0),
        ("Water boils.", 2),
        ("A well-known singer-songwriter.", 3),  # a hyphen joins
        ("and/or", 2),
        ("word\u2014word, word--word", 4),
        ("1990\u201395", 2),
        ("It's 1,200.5 km.", 3),
        ("wait...what", 2),
        ("do n't ca n't", 2),  # clitics that a tokeniser cut off
        ("John 's dog 's", 2),
        ("they 'll , we 've", 2),
        ("the letter 's'", 3),
        ("-LRB- see above -RRB-", 2),  # brackets of tokenisers
        ("`` Yes '' , he said", 3),
        ("مرحبا بالعالم", 2),
        ("🦉 owl", 1),
    ],
)
def test_words(text, words):
    assert counts(text)["words"] == words


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("", 0),
        ("...", 0),
        ("No full stop", 1),
        ("One. Two! Three? Four… Five", 5),
        ("Dr. Smith met Mr. and Mrs. Jones.", 1),
        ("J. R. R. Tolkien wrote it.", 1),
        ("He lives in the U.S. It is big.", 2),  # an abbreviation before a word that begins sentences
        ("The U.S. Army left.", 1),
        ("See Fig. 3 and No. 5.", 1),
        ("It ends in no. Five left.", 2),
        ("He came on Jan. 5. She left.", 2),
        ("1. Wash. 2. Dry.", 2),  # numbers of list items
        ("It cost 3.50 dollars. Cheap!", 2),
        ('"Why?" he asked. "Because."', 2),
        ("\u201cStop.\u201d She stopped.", 2),
        ("(He left.) Then she did.", 2),
        ("It is easy, e.g. this and i.e. that.", 1),
        ("etc. and so on. etc. The end.", 2),
        ("the cat sat. it was black.", 2),  # no capitals: small letters say nothing
        ("The cat sat. it was black.", 1),
        ('He came. "that is all" he said.', 2),  # a quotation may begin small
        ("The cat sat . it was black .", 2),  # a period set apart is a full stop
        ("He lives in the U.S. .", 1),
        ("A heading\n\nThe text.", 2),  # a blank line ends a sentence
        ("wrapped\nline.", 1),
        ("猫。犬！", 2),
    ],
)
def test_sentences(text, sentences):
    assert counts(text)["sentences"] == sentences


def test_paragraphs():
    assert counts("One.\n\nTwo. Three.\n \n\nFour.\nStill four.")["paragraphs"] == 3
    assert counts("")["paragraphs"] == 0


def test_letters_and_hard_words():
    found = counts("Yesterday 23 unbelievable elephants, in Yesterday-land, quarrelled: naïve e\u0301lan!")
    assert found["words"] == 9
    assert found["letters"] == 9 + 12 + 9 + 2 + 13 + 10 + 5 + 4
    assert found["characters"] == found["letters"] + 2
    # yesterday, unbelievable, elephants, yesterday-land; the hyphenated one is not complex
    assert found["polysyllables"] == 4
    assert found["complex_words"] == 3
    assert found["long_words"] == 5


def test_complex_words_leave_out_names_and_endings():
    assert counts("The unbelievable.")["complex_words"] == 1
    assert counts("The Unbelievable.")["complex_words"] == 0  # a name
    assert counts("Unbelievable it is.")["complex_words"] == 1  # a capital that the sentence gives
    endings = counts("it excited and appreciated")  # ex-ci(ted): two, ap-pre-ci-a(ted): four
    assert endings["polysyllables"] == 2
    assert endings["complex_words"] == 1


def test_abbreviations_are_spelt_out():
    assert counts("the U.S. and the U.S")["syllables"] == 7
    assert counts("at 5 p.m. today")["syllables"] == 6


@pytest.mark.parametrize(
    ("text", "unfamiliar"),
    [
        ("the cat sat", 0),
        ("the cats' dishes stopped making bigger stories happily", 0),  # regular endings
        ("the feline convened", 2),
        ("the feline saw a feline", 2),
        ("we saw Zanzibar in 1998", 0),  # names and numbers
        ("Zanzibar was big", 1),  # the capital may be the sentence's
        ("a cat-dog", 0),
        ("a cat-feline", 1),
    ],
)
def test_unfamiliar_words(text, unfamiliar):
    assert counts(text)["unfamiliar"] == unfamiliar


def test_types_count_once():
    assert counts("the feline saw a feline")["unfamiliar_types"] == 1


def test_the_sample_is_the_first_hundred_words():
    text = "Cat. " * 60 + "Elephants. " * 60
    found = counts(text)
    assert (found["sample_easy"], found["sample_hard"], found["sample_sentences"]) == (60, 40, 100)
    short = counts("Cat. Elephants run.")
    assert (short["sample_easy"], short["sample_hard"], short["sample_sentences"]) == (2, 1, 2)


def test_tokenised_text_counts_like_plain_text():
    plain = "The cat's owner (Dr. Lee) didn't know, she said. \u201cIt won't come!\u201d They'd seen it."
    tokens = (
        "The cat 's owner -LRB- Dr. Lee -RRB- did n't know , she said . "
        "`` It wo n't come ! '' They 'd seen it ."
    )
    assert counts(tokens) == counts(plain)


@given(st.lists(st.text(max_size=60), max_size=4))
def test_texts_count_alone_as_in_a_list(texts):
    together = count_words(texts) if texts else np.zeros((0, len(COUNT_COLUMNS)))
    for text, row in zip(texts, together, strict=True):
        assert count_words([text])[0].tolist() == row.tolist()
        found = dict(zip(COUNT_COLUMNS, row.tolist(), strict=True))
        assert (found["words"] == 0) == (found["sentences"] == 0) == (found["syllables"] == 0)
        assert found["paragraphs"] <= found["sentences"] <= found["words"] <= found["syllables"]
        assert found["words"] <= found["characters"]
        assert found["words"] == kernels.tokenize([text], "plain").lengths[0]
        assert found["unfamiliar_types"] <= found["unfamiliar"] <= found["words"]


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_blank_line_keeps_texts_apart(a, b):
    whole = count_words([f"{a}\n\n{b}"])[0]
    apart = count_words([a, b]).sum(axis=0)
    for name in ("words", "sentences", "syllables", "letters", "characters", "paragraphs"):
        column = COUNT_COLUMNS.index(name)
        # Capitals in one part tell that small letters in the other begin no sentence.
        if name == "sentences":
            assert whole[column] <= apart[column]
        else:
            assert whole[column] == apart[column]
