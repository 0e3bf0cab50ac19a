"""Readability before and after, and what an editor might look at."""

import pytest

from plainmark.document import sentence_spans
from plainmark.explanation.hints import hints, looks_english, measures, sentence_of, word_count


def advised(output, source=""):
    return [(a.kind, a.text, a.sentence) for a in hints(source, output, sentence_spans(output))]


def measured(source, output):
    return {m.name: m for m in measures(source, output, [sentence_spans(source), sentence_spans(output)])}


def test_measures_before_and_after():
    found = measured("The cat sat on the mat and the dog ran away.", "The cat sat. The dog ran.")
    assert (found["sentence_length"].before, found["sentence_length"].after) == (11, 3)
    assert found["sentence_length"].verdict == "easier"
    assert (found["longest"].before, found["longest"].after) == (11, 3)
    assert (found["words"].before, found["words"].after) == (11, 6)
    assert found["words"].verdict == ""  # shorter is not better
    assert found["word_length"].after == pytest.approx(3)
    assert measured("The cat sat.", "The cat sat.")["fkgl"].verdict == "same"
    assert measured("The cat sat.", "Notwithstanding objections, the feline sat.")["fkgl"].verdict == "harder"


def test_undefined_is_none():
    found = measured("", "")
    assert found["fkgl"].before is None
    assert found["fkgl"].verdict == ""
    assert found["longest"].after is None


def test_long_sentences_the_longest_first():
    long, longer = "word " * 20 + "end.", "word " * 30 + "end."
    text = f"Short one. {long} {longer}".replace(" word", " Word")
    found = advised(text)
    assert [kind for kind, _, _ in found[:2]] == ["long sentence"] * 2
    assert [i for _, _, i in found[:2]] == [2, 1]
    assert not [f for f in advised("word " * 19 + "end.") if f[0] == "long sentence"]  # 20 words are fine


def test_hard_words_and_their_places():
    text = "The cat was ill. Nobody exacerbated the hypertension. Exacerbated hypertension is bad."
    found = {
        a.text.lower(): a for a in hints("exacerbated", text, sentence_spans(text)) if a.kind == "hard word"
    }
    assert set(found) == {"exacerbated", "hypertension"}
    one = found["exacerbated"]
    assert (one.sentence, text[one.start : one.end]) == (1, "exacerbated")
    assert "as in the original, 2 times" in one.message
    assert "not in the original" in found["hypertension"].message


def test_names_and_everyday_words_are_not_hard():
    assert advised("Amira Solberg forgot the tablets. Solberg was late.", "We met Amira Solberg.") == []


@pytest.mark.parametrize(
    ("text", "passive"),
    [
        ("The law was written in May.", "was written"),
        ("It has been carefully decided.", "been carefully decided"),
        ("They were not paid.", "were not paid"),
        ("He is in bed.", ""),
        ("It is red.", ""),
        ("Two hundred are here.", ""),
    ],
)
def test_passives(text, passive):
    assert [t for kind, t, _ in advised(text) if kind == "passive"] == ([passive] if passive else [])


def test_several_negations_in_a_sentence():
    found = advised("It is not true that nobody came. He did not go.")
    assert [(k, i) for k, _, i in found if k == "negations"] == [("negations", 0)]


def test_other_languages_get_no_word_hints():
    text = "Der Ausschuss beschloss gestern einstimmig, die zwölf Genehmigungen vorläufig auszusetzen."
    assert not looks_english(text)
    assert advised(text) == []
    assert looks_english("The committee decided to stop all of the licences.")
    assert looks_english("")
    assert not looks_english("会議は延期された。")


def test_words_and_places():
    assert word_count("It's 3.5 o'clock, well-known.") == 4
    assert word_count("") == 0
    spans = [(0, 5), (6, 10)]
    assert [sentence_of(spans, p) for p in (0, 4, 5, 6, 9)] == [0, 0, 0, 1, 1]
