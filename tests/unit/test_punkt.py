"""Sentences: hand-made cases of the embedded splitter, and how Punkt's parameters are found."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainmark import punkt
from plainmark.errors import InputError, MissingResourceError
from plainmark.punkt import PLAIN, Punkt, split_sentences


@pytest.mark.parametrize(
    "sentences",
    [
        ["He lives in the U.S.", "The house is big."],  # an abbreviation may end a sentence
        ["Dr. Smith, e.g. J. R. Smith, agrees.", "I do not."],
        ["J.K. Rowling met Mr. Bell and Prof. Lee.", "They talked."],
        ["It costs 3.50 dollars.", "That is 1,200.75 yen."],
        ["See fig. 3 and no. 5.", "He said no.", "Then he left."],  # abbreviations only before numbers
        ["Smith et al. (2008) found it.", "So did we."],
        ['He said "No."', "Then he left.", "(Really.)", "Yes."],
        ["“Why?” he asked.", "“Go!”", "She went."],  # a small letter after a quoted question goes on
        ["He said: “I know.”", "She did not."],  # Punkt does not see the curly quote and would not cut here
        ["Wait... what?", "Yes...", "The end."],
        ["Well… perhaps.", "Or not…", "We will see."],
        ["Hello!!!", "Are you there?!", "Yes."],
        ["At 5 p.m. we left.", "At 6 p.m.", "The bus came."],
        ["Take vitamin C.", "The body needs it."],
        ["Visit www.example.org.", "Then come back."],
        ["no capitals here.", "none at all."],
        ["He had 2 tbsp. of sugar, 1 oz. of salt, etc. in it.", "It was sweet."],
        ["Items: a) one; b) two.", "That was all."],
    ],
    ids=lambda s: s[0],
)
def test_plain_sentences(sentences):
    assert split_sentences(" ".join(sentences), PLAIN) == sentences


def test_numbers_of_a_list_stay_with_their_items():
    text = "1. First item.\n2. Second item.\n\n  iv. Last one. And more."
    assert split_sentences(text, PLAIN) == ["1. First item.", "2. Second item.", "iv. Last one.", "And more."]


@pytest.mark.parametrize("text", ["", " ", "\n\n"])
def test_no_text_no_sentences(text):
    assert split_sentences(text, PLAIN) == []


PIECES = [
    *" .?!…'\"”’»“()\n-",
    "1.",
    "iv.",
    "Dr.",
    "e.g.",
    "A.",
    "the",
    "The",
    "x",
    "U.S.",
    "...",
    ". . .",
    "\u00a0",
]


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=20).map("".join)))
@settings(max_examples=1000, deadline=None)
def test_sentences_follow_each_other_and_only_white_space_is_between_them(text):
    spans = PLAIN.spans(text)
    between = 0
    for start, end in spans:
        assert start < end
        assert text[between:start].strip() == ""
        assert text[start:end] == text[start:end].strip()
        between = end
    assert text[between:].strip() == ""


@pytest.fixture
def folder(tmp_path):
    english = tmp_path / "tokenizers" / "punkt_tab" / "english"
    english.mkdir(parents=True)
    (english / "abbrev_types.txt").write_text("abc\nxy", "utf-8")
    (english / "collocations.tab").write_text("##number##\tstreet", "utf-8")
    (english / "sent_starters.txt").write_text("so", "utf-8")
    (english / "ortho_context.tab").write_text("word\t32\nso\t36", "utf-8")
    return tmp_path


def test_nltk_data_may_lie_beside_the_data_sets(monkeypatch, tmp_path):
    monkeypatch.setenv("NLTK_DATA", str(tmp_path / "first"))
    monkeypatch.setenv("PLAINMARK_DATA", str(tmp_path))
    assert punkt.nltk_folders()[:2] == [tmp_path / "first", tmp_path / "nltk_data"]


def test_parameters_are_found_through_nltk_data(folder, monkeypatch):
    monkeypatch.setenv("NLTK_DATA", str(folder))
    punkt.parameters.cache_clear()
    try:
        found = punkt.parameters()
        assert found is not None
        assert found is punkt.nltk()
        assert (found.name, punkt.missing()) == ("punkt", "")
        text = "An abc. Paul. An abc. Word. A xy. So. 5. Street. End"
        assert len(split_sentences(text)) == 9  # the default does not change with what lies on the machine
        assert split_sentences(text, found) == [
            "An abc. Paul.",  # an abbreviation, and nothing is known of Paul
            "An abc.",  # "word" was seen in lower case and never inside a sentence in upper case
            "Word.",
            "A xy.",  # "so" was seen inside sentences in upper case, but begins them often
            "So.",
            "5. Street.",  # a collocation
            "End",
        ]
    finally:
        punkt.parameters.cache_clear()


def test_parameters_that_are_not_there_are_never_replaced(no_nltk_data):
    assert punkt.parameters() is None
    assert split_sentences("One. Two.") == ["One.", "Two."]
    with pytest.raises(MissingResourceError, match=r"needs NLTK's Punkt parameters: python -m nltk"):
        punkt.nltk()


def test_broken_parameters_are_named(folder):
    english = folder / "tokenizers" / "punkt_tab" / "english"
    (english / "ortho_context.tab").write_text("word", "utf-8")
    with pytest.raises(InputError, match=r"english: cannot read the Punkt parameters .*punkt_tab again"):
        Punkt.read(english)
    (english / "ortho_context.tab").unlink()
    with pytest.raises(InputError, match="cannot read the Punkt parameters"):
        Punkt.read(english)
