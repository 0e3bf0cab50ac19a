"""What a simplification did to a text, by texts made for it."""

import json
import re
from dataclasses import asdict, dataclass
from html import unescape

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plainmark as pm
from plainmark.aligners import Aligner
from plainmark.data import Corpus
from plainmark.document import sentence_spans, sentences
from plainmark.explanation import align, compare, explain
from plainmark.explanation.scores import score
from plainmark.faithfulness import facts
from plainmark.report import explanation as report


@dataclass(frozen=True)
class CannedAligner(Aligner):
    """Gives the similarities that it was made with."""

    rows: tuple

    def similarity(self, a, b):
        return np.array(self.rows)


SOURCE = "The committee met on 5 May in Oslo. Nobody objected to the 12 licences. It rained all day."
OUTPUT = "The committee met on 6 May in Oslo. The 12 licences are fine. People sang."


def test_sentences_know_their_places():
    found = align(SOURCE, OUTPUT)
    assert [SOURCE[s.start : s.end] for s in found.source] == [s.text for s in found.source]
    assert [s.text for s in found.source] == list(sentences(SOURCE))
    assert found.groups[0].change == "rewritten"
    assert found.source[0].words == 8


def test_words_have_operations():
    found = align("He purchased it today.", "He bought it today.")
    assert [(p.text, p.op) for p in found.output[0].runs if p.op] == [
        ("He", "keep"),
        ("bought", "replace"),
        ("it today.", "keep"),
    ]


def test_words_of_a_split_sentence_go_to_their_sentences():
    found = align("The cat slept on the mat and the dog barked at the moon.", "The cat slept on the mat. The dog barked at the moon.")  # fmt: skip
    assert [g.change for g in found.groups] == ["split"]
    assert ["".join(p.text for p in s.runs) for s in found.output] == [s.text for s in found.output]
    assert [p.text for p in found.output[1].runs if p.op == "keep"] == ["The dog barked at the moon."]


def entries(explanation, *verdicts):
    return [e for e in explanation.ledger.entries if e.verdict in verdicts]


def test_facts_that_differ_are_in_the_ledger_and_marked():
    found = explain(SOURCE, OUTPUT)
    changed = [e for e in entries(found, "changed", "check") if e.kind == "number"]
    assert [(e.before.text, e.after.text) for e in changed] == [("5 May", "6 May")]
    assert SOURCE[changed[0].before.start : changed[0].before.end] == "5 May"
    flags = {p.text for s in found.alignment.output for p in s.runs if p.flag}
    assert any("6" in text for text in flags)


def test_a_negation_is_looked_for_in_the_sentence_that_belongs_to_it():
    source = "Take it now, unless it is time for two doses. Under no circumstances take two doses together."
    kept = explain(source, "Take it now. Never take two doses together.")
    lost = explain(source, "Take it now. Take two doses together.")
    assert [e for e in entries(kept, "changed", "check") if e.kind == "negation"] == []
    assert [e.before.text for e in entries(lost, "changed", "check") if e.kind == "negation"] == ["no"]


def test_dropped_and_added_sentences():
    dropped = explain(SOURCE, OUTPUT.removesuffix(" People sang."))
    assert [dropped.alignment.source[i].text for i in dropped.dropped] == ["It rained all day."]
    assert (dropped.added, dropped.perhaps_dropped, dropped.perhaps_added) == ((), (), ())
    # Both stand in the same place, but nothing else speaks for a link.
    replaced = explain(SOURCE, OUTPUT)
    assert [g.change for g in replaced.alignment.groups[:2]] == ["rewritten", "rewritten"]
    assert replaced.dropped + replaced.perhaps_dropped == replaced.added + replaced.perhaps_added == (2,)


def test_where_little_tells_a_sentence_is_perhaps_rewritten():
    aligned = CannedAligner(((0.9, 0.0, 0.0), (0.0, 0.3, 0.2), (0.0, 0.0, 0.1)))
    found = explain(SOURCE, OUTPUT, metrics=[], aligner=aligned)
    assert (found.dropped, found.added) == ((2,), (2,))
    assert (found.perhaps_dropped, found.perhaps_added) == ((1,), (1,))
    groups = [g for g in found.alignment.groups if g.change == "perhaps rewritten"]
    assert [(g.source, g.output, g.candidates) for g in groups] == [((1,), (), (1,)), ((), (1,), (1,))]
    assert found.alignment.count("perhaps rewritten") == 2


def test_the_page_asks_to_check_what_is_perhaps_rewritten():
    aligned = CannedAligner(((0.9, 0.0, 0.0), (0.0, 0.3, 0.26), (0.0, 0.0, 0.1)))
    text = re.sub(r"<[^>]*>", "", report.sections(compare(SOURCE, OUTPUT, metrics=[], aligner=aligned)))
    text = " ".join(unescape(text).split())
    assert "2 perhaps rewritten may say the same in other words: check" not in text
    assert "3 perhaps rewritten may say the same in other words: check" in text
    assert "1 sentence of the original and 2 sentences of the simplified text. Check them." in text
    assert "Perhaps rewritten in the simplified text’s sentence 2 or 3." in text
    assert "Perhaps rewritten from the original’s sentence 2." in text


def test_scores_with_and_without_references():
    assert [s.metric for s in explain(SOURCE, OUTPUT).scores][:2] == ["facts_kept", "numbers_kept"]
    with_references = explain(SOURCE, OUTPUT, [OUTPUT])
    assert [s.metric for s in with_references.scores][:2] == ["sari", "bleu"]
    assert with_references.scores[1].value == pytest.approx(100)
    assert with_references.scores[0].signature.startswith("sari|refs:1|")


def test_facts_are_compared_once(monkeypatch):
    """For the ledger and all scores of facts, which are those of the metrics by themselves."""
    calls = []

    def counted(pair, **options):
        calls.append(options)
        return facts(pair, **options)

    for module in ("plainmark.explanation", "plainmark.metrics._kept"):
        monkeypatch.setattr(f"{module}.facts", counted)
    source = "Ada Byron sold 12 coins. Nobody lost 3 keys in May. It rained for 2 hours."
    output = "Ada Byron sold 21 coins. Somebody lost 3 keys in May. It rained."
    explanation = explain(source, output)
    assert len(calls) == 1
    assert explanation.ledger == facts(source, output)
    scores = {s.metric: s.value for s in explanation.scores}
    for name in ("facts_kept", "numbers_kept", "negation_kept", "entities_kept"):
        assert scores[name] == pm.metric(name).score(Corpus([source], [output])).value


def test_a_score_that_cannot_be_says_why():
    assert "needs references" in score(Corpus(["a"], ["b"]), "sari").reason
    found = score(Corpus(["A cat."], ["A cat."]), "numbers_kept")
    assert (found.value, found.reason) == (None, "neither text has a number")


def test_notes():
    assert explain("", "A cat.").notes == ("The original is empty.",)
    assert explain("A cat.", "A cat.").notes == ("The two texts are the same.",)
    assert "looks Japanese (99 %)" in explain("会議は延期された。", "会議は来週。").notes[0]


def test_long_texts_are_compared_by_the_same_rule():
    words = [f"Sentence number {i} is about subject {i * 7}." for i in range(250)]
    found = explain("\n".join(words), "\n".join(words), metrics=[])
    assert found.alignment.aligner == "context"
    assert found.notes == ("The two texts are the same.",)
    assert found.alignment.count("kept") == 250


def test_two_versions():
    found = compare(SOURCE, OUTPUT, SOURCE)
    assert len(found.versions) == 2
    assert found.between is not None
    assert [s.text for s in found.between.source] == [s.text for s in found.first.alignment.output]
    assert compare(SOURCE, OUTPUT, " ").second is None


def test_only_a_lone_sentence_has_candidates():
    found = align("During this period, borrowed items need not be returned, and no charges for late return will accrue.", "You need not bring back books now. You pay nothing for returning them late.")  # fmt: skip
    for group in found.groups:
        assert bool(group.candidates) == (group.change == "perhaps rewritten")
        assert not group.candidates or not (group.source and group.output)


def test_lines_or_no_lines():
    text = "One\ntwo. Three."
    assert sentences(text) == ("One", "two.", "Three.")
    assert sentences(text, lines=False) == ("One two.", "Three.")
    assert sentence_spans(text) == [(0, 3), (4, 8), (9, 15)]


TEXTS = st.text(st.sampled_from("abcdef ABC 123.,!?\n\t'’-—“”äß漢字😀\x00\u2028"), max_size=120)


@given(TEXTS, TEXTS)
def test_nothing_of_a_text_is_lost(source, output):
    found = explain(source, output)
    for text, side in ((source, found.alignment.source), (output, found.alignment.output)):
        for sentence in side:
            assert text[sentence.start : sentence.end] == sentence.text
            assert "".join(p.text for p in sentence.runs) == sentence.text
    members = [i for g in found.alignment.groups for i in g.source]
    assert sorted(members) == list(range(len(found.alignment.source)))
    json.dumps(asdict(found), allow_nan=False)
