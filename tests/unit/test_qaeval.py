"""QAEval and QAFactEval: against the authors' programs on tiny random models, and their arithmetic by hand."""

import json
import math
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plainmark as pm
from plainmark.errors import InputError, MissingResourceError, UndefinedWarning
from plainmark.metrics._answers import Marked, answer_em, answer_f1, answers_of
from plainmark.metrics._questions import TextQuestion, group_means, questions_about, rated
from plainmark.metrics.qaeval import QAEval
from plainmark.metrics.qafacteval import QAFactEval, consistent
from plainmark.models import answering, pipelines
from plainmark.models.answer_ratings import LERC, QuIP, Rated
from plainmark.models.answering import (
    Answerer,
    ExtractedAnswer,
    TokenizedText,
    as_written,
    best_span,
    window_starts,
)
from plainmark.models.questions import Asker, load_bart
from support import tiny_questions as tiny
from support.optional import torch, transformers

# Written by scripts/make_golden_questions.py with qaeval 0.1.0 and the program of QAFactEval.
PEER = json.loads((Path(__file__).parent.parent / "golden" / "questions.json").read_text("utf-8"))
OUTPUTS, REFERENCES, SOURCES = tiny.OUTPUTS, tiny.REFERENCES, tiny.SOURCES
ABOUT = {"references": REFERENCES, "sources": [[s] for s in SOURCES]}


@pytest.fixture(scope="module")
def models(tmp_path_factory, needs_torch):
    folder = tmp_path_factory.mktemp("questions")
    tiny.write(torch, folder)
    return folder


@pytest.fixture
def options(models, monkeypatch):
    """Options that name the tiny models; the stand-in for spaCy is in place."""
    monkeypatch.setattr(pipelines, "find_spec", lambda name: True)
    monkeypatch.setattr(pipelines, "locate", lambda name: models / "bart")
    monkeypatch.setattr(pipelines, "load", lambda name: tiny.parse)
    return {
        "qg": str(models / "generation"),
        "qa": str(models / "answering"),
        "bart": str(models / "bart"),
    }


@pytest.fixture
def corpus():
    return pm.Corpus(SOURCES, OUTPUTS, REFERENCES)


def asked_by_peer():
    """(text that was asked about, text that answered, what the program says) for every question."""
    for kind, texts in ABOUT.items():
        for output, row, found in zip(OUTPUTS, texts, PEER[f"qaeval {kind}"], strict=True):
            for text, questions in zip(row, found["questions"], strict=False):
                yield text, output, questions


def test_the_questions_are_the_programs(models):
    asker = Asker(models / "generation", models / "bart")
    count = 0
    for text, _, questions in asked_by_peer():
        places = answers_of(tiny.parse(text), text, "np-chunks")
        assert [p.answer for p in places] == [q["answer"] for q in questions]
        assert asker.ask([tuple(p) for p in places]) == [q["question"] for q in questions]
        count += len(questions)
    assert count == 39


def test_the_second_position_is_passed_over(models):
    model, _, settings = load_bart(models / "generation", models / "bart")
    asker = Asker(models / "generation", models / "bart")
    before = model.model.decoder.embed_positions.weight
    after = asker.model.model.decoder.embed_positions.weight
    assert after.shape == before.shape
    assert torch.equal(after[:3], before[:3])
    assert torch.equal(after[3:-1], before[4:])
    asker.model.model.decoder.embed_positions.weight.data = before.data
    text, _, questions = next(asked_by_peer())
    places = answers_of(tiny.parse(text), text, "np-chunks")
    assert asker.ask([tuple(p) for p in places]) != [q["question"] for q in questions], (
        "it makes a difference"
    )
    assert settings["max_decoding_steps"] == 14


def test_beams_are_searched_as_by_the_slow_rule(models):
    """Lists of (sum of log probabilities, tokens), extended one by one without any cache."""
    asker = Asker(models / "generation", models / "bart")
    asker.steps = 6

    def likely(ids, tokens):
        with torch.inference_mode():
            logits = asker.model(ids, decoder_input_ids=torch.tensor([[0, *tokens]])).logits
        return logits[0, -1].double().log_softmax(-1)

    for text in ("Ann bought scones.", "Owls hunt mice at Night."):
        ids = torch.from_numpy(asker._ids(text, 0, 4)[None].astype(np.int64))
        beams = [(0.0, [])]
        for _ in range(asker.steps):
            grown = []
            for total, tokens in beams:
                if tokens and tokens[-1] == 2:
                    grown.append((total, [*tokens, 2]))
                    continue
                best = likely(ids, tokens).topk(4)
                grown += [
                    (total + v, [*tokens, t])
                    for v, t in zip(best.values.tolist(), best.indices.tolist(), strict=True)
                ]
            beams = sorted(grown, reverse=True)[:4]
        assert asker.ask([(text, 0, 4)]) == [asker._text(beams[0][1])]


def test_an_archive_and_a_folder_made_of_it_ask_the_same(models, tmp_path):
    model, tokenizer, _ = load_bart(models / "generation" / "model.tar.gz", models / "bart")
    model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    tasks = [("Ann bought scones.", 0, 3), ("Owls hunt mice.", 10, 14), ("Ann bought scones.", 0, 3)]
    archive, folder = Asker(models / "generation", models / "bart"), Asker(tmp_path, None)
    assert (folder.beams, folder.steps) == (4, 100)
    folder.steps = archive.steps
    assert archive.ask(tasks) == folder.ask(tasks)
    assert archive.ask(tasks)[0] == archive.ask(tasks)[2]


def test_questions_are_written_plainly(models):
    asker = Asker(models / "generation", models / "bart")
    ids = asker.tokenizer(" Who didn 't go ?", add_special_tokens=False)["input_ids"]
    assert asker._text([*ids, 2, 2]) == "Who didn 't go?"
    assert asker._text([*ids[:4], asker.marks[1], 2]) == "Who </m>"
    assert asker._text([2]) == ""


def test_long_and_odd_texts_can_be_asked_about(models):
    asker = Asker(models / "generation", models / "bart")
    tasks = [("word " * 2000, 0, 4), ("\ud800 x", 0, 1), ("", 0, 0), ("\x00", 0, 1)]
    assert len(asker.ask(tasks)) == 4
    assert asker.ask([]) == []


def test_the_answers_are_the_programs(models):
    answerer = Answerer(models / "answering")
    tasks, expected = [], []
    for _, output, questions in asked_by_peer():
        tasks += [(q["question"], output) for q in questions]
        expected += questions
    found = answerer.answer(tasks)
    assert [a.text for a in found] == [q["prediction"] for q in expected]
    margins = [math.log(q["probability"] / q["null_probability"]) for q in expected]
    assert [a.margin for a in found] == pytest.approx(margins, abs=1e-4)
    assert [a.given for a in found] == [bool(q["is_answered"]) for q in expected]
    assert {a.given for a in found} == {True, False}
    assert any(a.text == "empty" for a in found), "no allowed span among the best"


def test_without_padding_only_what_is_read_counts(models):
    answerer = Answerer(models / "answering")
    found = answerer.answer([("Who bought scones?", OUTPUTS[0]), ("Who?", OUTPUTS[5])], padded=False)
    assert all(a.text in text for a, text in zip(found, (OUTPUTS[0], OUTPUTS[5]), strict=True))


def test_odd_texts_are_answered(models):
    answerer = Answerer(models / "answering")
    texts = ["", " ", "\n", "\x00", "\ud800", "x" * 5000, "[PAD] [SEP]", "\u00a0", "مرحبا"]
    found = answerer.answer([("Who?", t) for t in texts] + [("", "a cat"), ("why " * 500, "a cat")])
    assert len(found) == len(texts) + 2
    assert [found[i] for i in (0, 1, 2)] == [ExtractedAnswer("", 0.0)] * 3
    assert not found[0].given
    assert answerer.answer([]) == []


def slow_span(logits, starts, question, text):
    """Every pair of the 20 best, one by one."""
    room = answering.WINDOW - question - 3
    lengths = [min(len(text.ids) - s, room) for s in starts]

    def widest(place):
        rows = []
        for i, (s, n) in enumerate(zip(starts, lengths, strict=True)):
            if s <= place < s + n:
                rows.append((min(place - s, s + n - 1 - place) + 0.01 * n, -i))
        return -max(rows)[1]

    found = []
    for i, (window, s) in enumerate(zip(logits, starts, strict=True)):
        a, b = (sorted(range(len(window)), key=lambda j, k=k: -window[j, k])[:20] for k in (0, 1))
        for x in a:
            for y in b:
                p, q = x - question - 2, y - question - 2
                if 0 <= p <= q < lengths[i] and q - p < 30 and widest(s + p) == i:
                    found.append((float(window[x, 0]) + float(window[y, 1]), s + p, s + q))
    return max(found, default=None)


@given(st.integers(1, 900), st.integers(0, 64), st.integers(0, 10_000))
def test_the_best_span_is_the_one_of_the_slow_rule(tokens, question, seed):
    rng = np.random.default_rng(seed)
    starts = window_starts(tokens, question)
    assert starts[-1] + answering.WINDOW - question - 3 >= tokens
    assert len(starts) == 1 or starts[-2] + answering.WINDOW - question - 3 < tokens
    logits = [rng.normal(size=(answering.WINDOW, 2)).astype(np.float32) for _ in starts]
    words = [f"w{i}" for i in range(tokens)]
    text = TokenizedText(words, words, np.arange(tokens, dtype=np.int32), np.arange(tokens))
    expected = slow_span(logits, starts, question, text)
    found = best_span(logits, starts, question, text)
    none = min(float(w[0].astype(np.float64).sum()) for w in logits)
    if expected is None:
        assert found == ExtractedAnswer("empty", -none)
    else:
        assert found.text == " ".join(words[expected[1] : expected[2] + 1])
        assert found.margin == pytest.approx(expected[0] - none)


@pytest.mark.parametrize(
    ("tokens", "words", "written"),
    [
        ("steve smith", "Steve Smith's", "Steve Smith"),
        ("zoe", "(Zoë)", "Zoë"),
        ("##ing", "running", "running"),  # the middle of a word cannot be found
        ("run", "running", "run"),
        ("a - b", "A-B.", "A-B"),
        ("[UNK]", "☃.", "☃."),
        ("there", "volumes\u00a0there", "volumes\u00a0there"),
        ("", "x", "x"),
    ],
)
def test_answers_are_given_as_they_are_written(tokens, words, written):
    assert as_written(tokens, words) == written


def test_ratings_are_the_programs(models):
    rows, lerc, quip = [], [], []
    for _, output, questions in asked_by_peer():
        for q in questions:
            if q["is_answered"]:
                rows.append(Rated(output, q["question"], q["answer"], q["prediction"]))
                lerc.append(q["lerc"])
                quip.append(q["lerc_quip"])
    assert len(rows) > 20
    assert LERC(models / "lerc", models / "bert").rate(rows) == pytest.approx(lerc, abs=1e-5)
    assert QuIP(models / "quip-512-mocha").rate(rows) == pytest.approx(quip, abs=1e-5)


def test_lerc_is_its_formula(models):
    lerc = LERC(models / "lerc" / "model.tar.gz", models / "bert")
    known = {t: i for i, t in enumerate((models / "bert" / "vocab.txt").read_text().split())}

    def ids(*words):
        return [known[w] for w in words]

    first = [2, *ids("the", "cat", "hunt"), 3, *ids("what", "?"), 3]
    second = [*ids("cat"), 3, *ids("a", "dog"), 3]
    given = {
        "input_ids": torch.tensor([first + second]),
        "token_type_ids": torch.tensor([[0] * len(first) + [1] * len(second)]),
    }
    with torch.inference_mode():
        vector = lerc.model.bert(**given).last_hidden_state[0, 0].double().numpy()
    layer = lerc.model.score_layer
    expected = vector @ layer.weight[0].detach().double().numpy() + layer.bias.item()
    row = Rated("the cat hunt", "what ?", "cat", "a dog")
    assert lerc.rate([row]) == pytest.approx([expected], abs=1e-5)
    # The text gives way so that the rest fits into 512 tokens; 507 = 512 - 5 marks and the rest.
    assert lerc.rate([row._replace(text="the " * 600)]) == pytest.approx(
        lerc.rate([row._replace(text="the " * 502)]), abs=1e-6
    )
    assert np.isfinite(lerc.rate([Rated("", "what " * 900, "\ud800", "")])).all()


def test_quip_is_a_regression(models, tmp_path):
    config = transformers.AutoConfig.from_pretrained(models / "quip-512-mocha", num_labels=3)
    transformers.RobertaForSequenceClassification(config).save_pretrained(tmp_path)
    tiny.byte_pairs(tmp_path, "RobertaTokenizer")
    with pytest.raises(InputError, match="a classifier with 3 labels; expected a regression with 1"):
        QuIP(tmp_path)


@pytest.mark.parametrize("against", ["references", "source"])
def test_qaeval_is_the_program(models, options, corpus, against):
    found = PEER[f"qaeval {against if against == 'references' else 'sources'}"]
    expected = np.array(
        [[100 * r["scores"][k] for k in ("em", "f1", "is_answered")] + [r["scores"]["lerc"]] for r in found]
    )
    metric = QAEval(
        against=against,
        lerc=str(models / "lerc"),
        bert=str(models / "bert"),
        no_questions="zero",
        **options,
    )
    parts = metric.sample_parts(corpus)
    assert metric.part_names == ("qaeval", "em", "f1", "is_answered", "lerc")
    assert parts[:, 1:] == pytest.approx(expected, abs=1e-4)
    assert parts[:, 0].tolist() == parts[:, 2].tolist()
    assert (expected[:, 1] > 0).sum() >= 1
    assert metric.score(corpus).value == pytest.approx(expected[:, 1].mean(), abs=1e-4)
    assert metric.reasons(corpus) == {}


def test_qaeval_leaves_out_texts_without_questions(models, options, corpus):
    with pytest.warns(
        UndefinedWarning, match="qaeval: 1 of 7 samples have no score; sample 5: no question can"
    ):
        found = QAEval(part="is_answered", **options).sample_parts(corpus)
    zeros = QAEval(part="is_answered", no_questions="zero", **options).sample_parts(corpus)
    assert found.shape == (7, 4), "without LERC there is no part of that name"
    assert np.flatnonzero(np.isnan(found[:, 0])).tolist() == [4]
    assert found[3].tolist() == [0, 0, 0, 0], "an empty output answers nothing"
    assert found[2, 0] == 2 * zeros[2, 0], "the reference without questions is left out of the mean of two"
    with pytest.warns(UndefinedWarning):
        why = QAEval(**options).reasons(pm.Corpus(SOURCES, OUTPUTS, REFERENCES))
    assert why == {"5": "no question can be asked about its reference"}


def test_qafacteval_is_the_program(models, options, corpus):
    metric = QAFactEval(lerc=str(models / "quip-512-mocha"), no_questions="zero", **options)
    assert metric.part_names == ("qafacteval", "em", "f1", "is_answered", "lerc")
    parts = metric.sample_parts(corpus)
    for i, found in PEER["qafacteval"].items():
        scores = found["scores"]
        expected = [scores["lerc_quip"], *(100 * scores[k] for k in ("em", "f1", "is_answered"))]
        assert parts[int(i)] == pytest.approx([*expected, scores["lerc_quip"]], abs=1e-4)
    assert np.abs(parts[1, 0]) > 0.1
    assert parts[4].tolist() == [0] * 5, "an empty source"


def test_qafacteval_says_why_there_is_no_score(models, options, corpus):
    metric = QAFactEval(part="is_answered", **options)
    with pytest.warns(UndefinedWarning, match="qafacteval: 6 of 7 samples have no score"):
        why = metric.reasons(corpus)
    assert why["4"] == "no question can be asked about the output"
    assert why["1"] == "the output answers none of the 2 questions about it"
    assert metric.sample_scores(corpus)[1] == 100
    assert metric.score(corpus).value == 100


def find_words(text):
    return [Marked(text, text.index(w), text.index(w) + len(w)) for w in text.split()]


def ask_plainly(tasks):
    return [f"{text[start:end]}?" for text, start, end in tasks]


def answer_plainly(tasks):
    """A word is found if it is there; "maybe" is found with doubt."""
    return [ExtractedAnswer(q[:-1], 1.0 if q[:-1] in text.split() else -1.0) for q, text in tasks]


def test_questions_and_their_values_by_hand():
    about = questions_about(["big cat", "", "big cat"], find_words, ask_plainly)
    assert about == {"big cat": [("big?", "big"), ("cat?", "cat")], "": []}
    rows = [
        TextQuestion("cat?", "the big Cat!", "a cat"),
        TextQuestion("cat?", "cat", "a cat"),
        TextQuestion("dog?", "dog", "a cat"),
    ]
    rate = lambda rows: np.array([len(r.right) for r in rows], float)  # noqa: E731
    assert rated(rows, answer_plainly, rate).tolist() == [
        pytest.approx([0, 2 / 3, 1, 12]),
        [1, 1, 1, 3],
        [0, 0, 0, 0],  # no answer: nothing is rated
    ]
    assert rated([], answer_plainly, None).shape == (0, 3)
    assert rated([], answer_plainly, rate).shape == (0, 4)


def test_only_questions_that_the_output_answers_are_kept():
    rows = [(0, TextQuestion("cat?", right, "a cat")) for right in ("cat", "big cat", "very big cat", "dog")]
    # F1 1, 2/3, 1/2, 0: above .6 or not.
    assert consistent(rows, answer_plainly) == [True, True, False, False]
    assert consistent([(0, TextQuestion("dog?", "dog", "a cat"))], answer_plainly) == [False], (
        "right, but not given"
    )


def test_means_by_group():
    values = np.array([[1.0], [3.0], [5.0]])
    assert group_means(values, [0, 0, 2], 4)[:, 0].tolist() == pytest.approx(
        [2, np.nan, 5, np.nan], nan_ok=True
    )
    assert np.isnan(group_means(np.zeros((0, 2)), [], 2)).all()


@pytest.mark.parametrize(
    ("gold", "predicted", "em", "f1"),
    [
        ("The cat!", "a cat", 1, 1),
        ("big cat", "cat", 0, 2 / 3),
        ("cat dog", "dog cat", 0, 1),  # F1 does not see the order
        ("U.S.", "us", 1, 1),
        ("theater", "ater", 0, 0),  # an article is a word, not its beginning
        ("the", "", 1, 1),
        ("", "cat", 0, 0),
        ("cat cat dog", "cat", 0, 1 / 2),
    ],
)
def test_answers_are_compared_as_in_squad(gold, predicted, em, f1):
    assert answer_em(gold, predicted) == em
    assert answer_f1(gold, predicted) == pytest.approx(f1)


def test_answers_are_compared_as_transformers_did():
    assert len(PEER["answers"]) == 300
    for gold, predicted, em, f1 in PEER["answers"]:
        assert answer_em(gold, predicted) == em
        assert answer_f1(gold, predicted) == pytest.approx(f1)


def tree(text, heads, nouns, names=()):
    """A sentence as spaCy parses it: heads by position (the root's is its own), places of nouns and names."""
    words, start = [], 0
    for i, word in enumerate(text.split()):
        start = text.index(word, start)
        words.append(
            SimpleNamespace(i=i, text=word, start_char=start, end_char=start + len(word), children=[])
        )
        start += len(word)
    for i, head in enumerate(heads):
        words[i].pos_ = "NOUN" if i in nouns else "VERB"
        if head != i:
            words[head].children.append(words[i])

    def below(word):
        return [word, *(x for c in word.children for x in below(c))]

    for word in words:
        inside = sorted(below(word), key=lambda w: w.i)
        word.left_edge, word.right_edge = inside[0], inside[-1]

    class Document:
        def __getitem__(self, part):
            some = words[part]
            return SimpleNamespace(start_char=some[0].start_char, end_char=some[-1].end_char)

    document = Document()
    root = next(w for i, w in enumerate(words) if heads[i] == i)
    document.sents = [
        SimpleNamespace(
            start_char=0,
            end_char=len(text),
            root=root,
            noun_chunks=[words[i] for i in sorted(nouns)],
            ents=[SimpleNamespace(**vars(words[i]), label_=label) for i, label in names],
        )
    ]
    return document


def test_answers_are_found_in_four_ways():
    text = "Ann saw owls of prey"
    document = tree(text, [1, 1, 1, 2, 3], {0, 2, 4}, [(0, "PERSON"), (2, "CARDINAL")])

    def answers(kind):
        return [m.answer for m in answers_of(document, text, kind)]

    assert answers("np-chunks") == ["Ann", "owls", "prey"]
    assert answers("max-np") == ["Ann", "owls of prey"]
    assert answers("ner") == ["Ann"], "of the kinds of names that are asked for"
    assert answers("all") == ["Ann", "owls", "owls of prey", "prey"]


def test_a_phrase_of_eight_words_is_too_long():
    text = "owls a b c d e f prey"
    assert [m.answer for m in answers_of(tree(text, [0] * 8, {0, 7}), text, "max-np")] == ["prey"]
    text = "owls a b c d e prey"
    assert [m.answer for m in answers_of(tree(text, [0] * 7, {0, 6}), text, "max-np")] == [text]


def test_what_is_missing_is_said(models, options, corpus, monkeypatch):
    metric = QAEval()
    assert metric.missing().startswith("needs the checkpoint qg=''")
    assert "download_models.sh of the repository salesforce/QAFactEval gets it" in metric.missing()
    assert QAEval(qg=options["qg"]).missing().startswith("needs the checkpoint qa=''")
    assert (
        QAEval(qg=options["qg"], qa=options["qa"], bart="no/bart")
        .missing()
        .startswith("needs the checkpoint bart='no/bart'")
    )
    assert QAEval(part="lerc", **options).missing().startswith("needs the checkpoint lerc=''")
    assert (
        QAEval(lerc=str(models / "lerc"), bert="no/bert", **options)
        .missing()
        .startswith("needs the checkpoint bert='no/bert'")
    )
    assert QAFactEval(**options).missing().startswith("needs the checkpoint lerc=''")
    assert QAFactEval(part="f1", **options).missing() == ""
    monkeypatch.setattr(pipelines, "find_spec", lambda name: None)
    with pytest.raises(MissingResourceError, match="qaeval needs spaCy and its pipeline 'en_core_web_sm'"):
        QAEval(**options).score(corpus)
    with pytest.raises(pm.PlainmarkError, match="qafacteval needs"):
        QAFactEval().score(pm.Corpus(None, OUTPUTS))


def test_models_of_another_kind_are_refused(models, tmp_path):
    with pytest.raises(InputError, match="its model is of type 'lerc', expected 'question_generation'"):
        load_bart(models / "lerc", models / "bart")
    with pytest.raises(InputError, match=r"settings of a bert; expected those of BART \(bart=\.\.\.\)"):
        load_bart(models / "generation", models / "bert")
    with pytest.raises(InputError, match="transformers cannot read its settings or tokeniser"):
        load_bart(models / "generation", tmp_path)
    with pytest.raises(InputError, match="expected a BART that knows <m> and </m>"):
        load_bart(models / "bart", None)
    with pytest.raises(InputError, match="no AllenNLP archive; expected LERC's model"):
        LERC(models / "answering", models / "bert")
    transformers.AutoConfig.from_pretrained(models / "bart", d_model=32).save_pretrained(tmp_path)
    tiny.byte_pairs(tmp_path, "BartTokenizer")
    with pytest.raises(InputError, match="its weights do not fit the settings"):
        load_bart(models / "generation", tmp_path)
    weights = tiny.weights_bytes(torch, {"bart.x": np.zeros(1)})
    tiny.archive(tmp_path / "few.tar.gz", {"model": {"type": "question_generation"}}, weights)
    with pytest.raises(InputError, match=r"no weights 'final_logits_bias' \(95 lacking\)"):
        load_bart(tmp_path / "few.tar.gz", models / "bart")


def test_beams_beyond_reason_are_refused(models, tmp_path):
    from plainmark.models import archives

    _, tensors = archives.read(models / "generation" / "model.tar.gz", "question_generation")
    weights = tiny.weights_bytes(torch, {k: v.numpy() for k, v in tensors.items()})
    settings = {"model": {"type": "question_generation", "beam_size": 10**9}}
    tiny.archive(tmp_path / "model.tar.gz", settings, weights)
    with pytest.raises(InputError, match="asks for 1000000000 beams or steps; expected 1 to 1000"):
        Asker(tmp_path, models / "bart")
