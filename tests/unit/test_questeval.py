"""QuestEval's arithmetic with invented questions and answers, and its models with tiny random T5s."""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plainmark as pm
from plainmark.errors import MissingResourceError
from plainmark.metrics._answers import answer_f1
from plainmark.metrics.questeval import QuestEval, agreements, answers_in
from plainmark.models import pipelines
from plainmark.models.questions import Writer, tidy
from support import tiny_checkpoints as tiny
from support import tiny_questions
from support.optional import torch, transformers


def ask(tasks):
    return [f"{answer}?" for answer, _ in tasks]


def answer(tasks):
    """Finds a word if it is there, and is sure of it; else says nothing, and is nearly sure."""
    out = []
    for question, text in tasks:
        word = question[:-1]
        out.append((word, 1.0) if word in text.split() else ("unanswerable", 0.1))
    return out


def similarity(pairs):
    return np.array([1.000001 if a == b else 0.4 for a, b in pairs])


def score(*pairs):
    return agreements(pairs, str.split, ask, answer, similarity).tolist()


def test_the_mean_of_both_directions():
    # Questions on "a b" asked of "a": a -> (1, 1, 1), b -> (.1, .4, 0): mean of (1, 1/6); the other way all agree.
    assert score(("cat dog", "cat")) == pytest.approx([(1 + (1 + 0.5 / 3) / 2) / 2])
    assert score(("cat", "cat")) == pytest.approx([1.0]), "a similarity a little over 1 is cut"
    assert score(("cat", "dog")) == pytest.approx([0.5 / 3])


def test_empty_texts():
    assert score(("", "cat"), ("cat", "")) == [0, 0]
    assert np.isnan(score(("", ""))).all()
    assert agreements([("x", "y")], lambda t: [], ask, answer, similarity).tolist() == [0], "no questions: 0"


def test_one_text_without_questions_halves_the_score():
    only = lambda text: text.split() if text == "cat" else []  # noqa: E731
    assert agreements([("cat", "cat cat")], only, ask, answer, similarity).tolist() == [0.5]


@given(st.lists(st.tuples(*[st.sampled_from(["", "a b", "b c", "a", "d"])] * 2), min_size=1, max_size=6))
def test_pairs_do_not_depend_on_each_other_and_order_does_not_matter(pairs):
    together = score(*pairs)
    assert together == pytest.approx([score(p)[0] for p in pairs], nan_ok=True)
    assert together == pytest.approx(score(*[(b, a) for a, b in pairs]), nan_ok=True)


@pytest.mark.parametrize(
    ("gold", "predicted", "f1"),
    [
        ("The cat!", "a cat", 1.0),
        ("big cat", "cat", 2 / 3),
        ("cat", "dog", 0.0),
        ("", "", 1.0),
        ("the", "", 1.0),  # nothing is left of it
        ("", "cat", 0.0),
        ("cat cat dog", "cat", 0.5),
    ],
)
def test_answers_are_compared_as_in_squad(gold, predicted, f1):
    assert answer_f1(gold, predicted) == pytest.approx(f1)


def test_the_program_gives_the_same_values():
    """QuestEval 0.2.4 with the same plain rules for models; scripts/make_golden_questions.py made its values."""
    peer = json.loads((Path(__file__).parent.parent / "golden" / "questions.json").read_text("utf-8"))[
        "questeval"
    ]

    def answers(text):
        names, nouns = tiny_questions.names_and_nouns(text)
        return names + nouns

    def value(output, texts):
        found = agreements(
            [(output, t) for t in texts],
            answers,
            lambda tasks: [tiny_questions.plain_question(*task) for task in tasks],
            lambda tasks: [tiny_questions.plain_answer(*task) for task in tasks],
            lambda pairs: np.array([tiny_questions.plain_similarity(*p) for p in pairs]),
        )
        return np.nan_to_num(found).max()  # two empty texts are 0 in the program

    rows = zip(tiny_questions.OUTPUTS, tiny_questions.SOURCES, tiny_questions.REFERENCES, strict=True)
    for i, (output, source, references) in enumerate(rows):
        both_ends = [references[0], references[-1]]
        assert value(output, [source]) == pytest.approx(peer["source"][i])
        assert value(output, both_ends) == pytest.approx(peer["references"][i])
        assert value(output, [source, *both_ends]) == pytest.approx(peer["both"][i])
    assert len({round(v, 6) for v in peer["source"]}) > 4


class Doc(list):
    """A text as spaCy has it: words with places; capitals are entities, long words noun chunks."""

    def __init__(self, text):
        start = 0
        for word in text.replace(".", " .").split():
            start = text.index(word, start)
            self.append(SimpleNamespace(text=word, idx=start, is_punct=word == "."))
        self.ents = [w for w in self if w.text[0].isupper()]
        self.noun_chunks = [w for w in self if len(w.text) > 3]


def test_answers_come_from_the_first_five_sentences():
    assert answers_in(Doc, "Ann sees owls.") == ["Ann", "sees", "owls"]
    assert answers_in(Doc, "") == []
    text = " ".join(f"{name} is here." for name in ("Al", "Bo", "Cy", "Di", "Ed", "Flo"))
    assert answers_in(Doc, text) == ["Al", "Bo", "Cy", "Di", "Ed", *["here"] * 5]


@pytest.fixture(scope="module")
def t5(tmp_path_factory, needs_torch):
    folder = tmp_path_factory.mktemp("t5")
    tiny.t5(folder, initializer_factor=5.0)
    return folder


def test_a_writer_is_greedy_and_knows_its_first_token(t5):
    model = transformers.T5ForConditionalGeneration.from_pretrained(t5).eval()
    texts = ["where", "a much longer question", "where"]
    for token in (20, 73):
        for text, (written, probability) in zip(texts, Writer(t5).write(texts, token), strict=True):
            ids = torch.tensor([tiny.ids_of(t5, text, 512)])
            with torch.inference_mode():
                first = model(ids, decoder_input_ids=torch.tensor([[1]])).logits[0, 0].softmax(-1)
                out = model.generate(ids, max_length=20, num_beams=1, do_sample=False)[0]
            tokenizer = transformers.AutoTokenizer.from_pretrained(t5)
            assert probability == pytest.approx(1 - first[token].item(), abs=1e-5)
            assert written == tidy(tokenizer.decode(out, skip_special_tokens=True))


def test_the_whole_pipeline_runs(t5, tmp_path, monkeypatch):
    torch.manual_seed(6)
    transformers.RobertaModel(tiny.roberta_config()).save_pretrained(tmp_path)
    tiny.tokenizer(tmp_path)
    monkeypatch.setattr(pipelines, "missing", lambda name: "")
    monkeypatch.setattr(pipelines, "load", lambda name: Doc)
    corpus = pm.Corpus(
        ["Ann sees owls.", "", "Bo is here."],
        ["Ann sees birds.", "", ""],
        [["Ann sees owls."], [""], ["x", "y"]],
    )
    for against in ("source", "references", "both"):
        metric = QuestEval(against=against, qg=str(t5), qa=str(t5), encoder=str(tmp_path), layer=2)
        scores = metric.sample_scores(corpus)
        assert 0 < scores[0] <= 100
        assert np.isnan(scores[1])
        assert scores[2] == 0


def test_what_is_missing_is_said(t5, monkeypatch):
    assert QuestEval().missing().startswith("needs the checkpoint qg='ThomasNLG/t5-qg_squad1-en'")
    folder = str(t5)
    metric = QuestEval(qg=folder, qa=folder, encoder=folder)
    monkeypatch.setattr(pipelines, "find_spec", lambda name: None)
    assert metric.missing().startswith("needs spaCy and its pipeline 'en_core_web_sm'; pip install spacy")
    with pytest.raises(MissingResourceError, match="questeval needs spaCy"):
        metric.score(pm.Corpus(["a"], ["b"]))
