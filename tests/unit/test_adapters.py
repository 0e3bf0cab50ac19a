"""Doors: evaluate's calls, tables, training."""

import re

import numpy as np
import pytest

import plainmark as pm
from plainmark.adapters import (
    EVALUATE_MODULE,
    Evaluator,
    corpus_of,
    trainer_callback,
    trainer_metrics,
    with_scores,
)
from plainmark.errors import InputError

SOURCES = ["The feline sat on the mat.", "About 95 species are currently accepted."]
OUTPUTS = ["The cat sat on the mat.", "About 95 species are now accepted."]
REFERENCES = [
    ["The cat sat on the mat.", "A cat sat on a mat."],
    ["95 species are now known.", "There are 95 species."],
]
CORPUS = pm.Corpus(SOURCES, OUTPUTS, REFERENCES)
COLUMNS = {"source": SOURCES, "output": OUTPUTS, "references": REFERENCES}


def test_compute_is_the_metric():
    found = Evaluator("sari", "bleu(lowercase=True)").compute(
        sources=SOURCES, predictions=OUTPUTS, references=REFERENCES
    )
    score = pm.metric("sari").score(CORPUS)
    assert found["sari"] == score.value
    assert found["sari_keep"] == score.parts["keep"]
    assert (found["sari_defined"], found["sari_samples"]) == (2, 2)
    assert found["sari_signature"] == score.signature
    assert found["bleu(lowercase=True)"] == pm.metric("bleu(lowercase=True)").score(CORPUS).value


def test_batches_add_up_and_are_forgotten():
    evaluator = Evaluator("sari")
    evaluator.add(sources=SOURCES[0], prediction=OUTPUTS[0], reference=REFERENCES[0])
    evaluator.add_batch(sources=SOURCES[1:], predictions=OUTPUTS[1:], references=REFERENCES[1:])
    assert evaluator.compute()["sari"] == pm.metric("sari").score(CORPUS).value
    with pytest.raises(InputError, match="no predictions"):
        evaluator.compute()
    evaluator = Evaluator("fkgl")
    evaluator.add(prediction="x", sources="y", reference="z")
    with pytest.raises(InputError, match="sources: given with some batches and not with others"):
        evaluator.add(prediction="x", reference="z")


# What evaluate 0.4.6 does with the same calls: a ValueError each time.
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda e: e.add(prediction="x", reference="y", source="z"), "source: no such input"),
        (lambda e: e.add_batch(predictions=["x"], references=["y"], source=["z"]), "source: no such input"),
        (lambda e: e.compute(predictions=["x"], references=["y"]), "sources: not given; sari needs"),
        (lambda e: e.compute(sources=["x"]), "predictions, references: not given"),
        (lambda e: e.add_batch(predictions=["x"], references=["y"], sources=["z", "z"]), "sources"),
    ],
)
def test_wrong_inputs_are_evaluates_value_error(call, message):
    evaluator = Evaluator("sari")
    with pytest.raises(ValueError, match=message) as caught:
        call(evaluator)
    assert isinstance(caught.value, InputError)
    with pytest.raises(InputError, match="no predictions"):  # nothing of it was added
        evaluator.compute()


@pytest.mark.evaluate
@pytest.mark.filterwarnings("ignore")  # of its own libraries
def test_the_folder_loads_as_a_module_of_evaluate(tmp_path, monkeypatch):
    import evaluate

    def load(*spec):
        return evaluate.load(EVALUATE_MODULE, *spec, cache_dir=str(tmp_path))

    monkeypatch.setattr("evaluate.config.HF_MODULES_CACHE", str(tmp_path / "modules"))
    inputs = {"sources": SOURCES, "predictions": OUTPUTS, "references": REFERENCES}
    expected = Evaluator("sari(variant='hf')").compute(**inputs)
    sari = load("sari(variant='hf')")
    assert sari.compute(**inputs) == expected
    sari.add(prediction=OUTPUTS[0], reference=REFERENCES[0], sources=SOURCES[0])
    sari.add_batch(predictions=OUTPUTS[1:], references=REFERENCES[1:], sources=SOURCES[1:])
    assert sari.compute() == expected
    assert load("fkgl").compute(predictions=OUTPUTS) == Evaluator("fkgl").compute(predictions=OUTPUTS)
    single = [r[0] for r in REFERENCES]
    assert (
        load("bleu").compute(predictions=OUTPUTS, references=single)["bleu"]
        == Evaluator("bleu").compute(predictions=OUTPUTS, references=single)["bleu"]
    )
    assert "sari" in load().compute(**inputs)


@pytest.mark.torch
def test_tables():
    import datasets
    import pandas as pd

    wide = {"s": SOURCES, "o": OUTPUTS, "r1": [r[0] for r in REFERENCES], "r2": [r[1] for r in REFERENCES]}
    for make in (dict, pd.DataFrame, datasets.Dataset.from_dict):
        for corpus in (
            corpus_of(make(COLUMNS)),
            corpus_of(make(wide), source="s", output="o", references=["r1", "r2"]),
        ):
            assert list(corpus) == list(CORPUS)
        table = make(COLUMNS)
        scored = with_scores(table, ["sari", "fkgl"])
        assert type(scored) is type(table)
        np.testing.assert_allclose(list(scored["sari"]), pm.metric("sari").sample_scores(CORPUS))
        np.testing.assert_allclose(list(scored["fkgl"]), pm.metric("fkgl").sample_scores(CORPUS))
    assert corpus_of({"output": OUTPUTS, "n": [7, 8]}, id="n").ids == ["7", "8"]
    assert corpus_of({"output": OUTPUTS}).sources is None
    with pytest.raises(InputError, match=re.escape("no column 'output'; the table has text.")):
        corpus_of({"text": OUTPUTS})
    with pytest.raises(InputError, match="no column 'ref'"):
        corpus_of(COLUMNS, references="ref")


@pytest.fixture(scope="module")
def trained(tmp_path_factory, needs_torch):
    """A tiny model that was trained for two steps, with both doors open."""
    import torch
    from datasets import Dataset
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import (
        DataCollatorForSeq2Seq,
        PreTrainedTokenizerFast,
        Seq2SeqTrainer,
        Seq2SeqTrainingArguments,
        T5Config,
        T5ForConditionalGeneration,
    )

    words = sorted({w for t in [*SOURCES, *OUTPUTS] for w in re.findall(r"\w+|[^\w\s]", t)})
    plain = Tokenizer(
        models.WordLevel({w: i for i, w in enumerate(["<pad>", "</s>", "<unk>", *words])}, "<unk>")
    )
    plain.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=plain, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )
    torch.manual_seed(0)
    config = T5Config(
        vocab_size=len(tokenizer),
        d_model=16,
        d_kv=8,
        d_ff=16,
        num_layers=1,
        num_heads=2,
        decoder_start_token_id=0,
    )
    rows = [
        {"input_ids": tokenizer(s).input_ids, "labels": tokenizer(o).input_ids}
        for s, o in zip(SOURCES, OUTPUTS, strict=True)
    ]
    callback = trainer_callback(
        lambda model, texts: [t.replace("feline", "cat") for t in texts], CORPUS, "sari"
    )
    trainer = Seq2SeqTrainer(
        model=T5ForConditionalGeneration(config),
        args=Seq2SeqTrainingArguments(
            str(tmp_path_factory.mktemp("model")), max_steps=2, eval_strategy="steps", eval_steps=1, use_cpu=True,
            save_strategy="no", predict_with_generate=True, include_for_metrics=["inputs"], report_to="none",
            disable_tqdm=True, dataloader_pin_memory=False,
        ),
        train_dataset=Dataset.from_list(rows),
        eval_dataset=Dataset.from_list(rows),
        data_collator=DataCollatorForSeq2Seq(tokenizer),
        compute_metrics=trainer_metrics(tokenizer, "sari", "exact_copies", references=REFERENCES),
        callbacks=[callback],
    )  # fmt: skip
    trainer.train()
    return trainer, callback


@pytest.mark.filterwarnings("ignore")
def test_scores_during_training(trained):
    trainer, callback = trained
    logged = [row for row in trainer.state.log_history if "eval_loss" in row]
    assert len(logged) == 2
    assert all(0 <= row["eval_sari"] <= 100 for row in logged)
    assert all(row["eval_exact_copies"] == 0 for row in logged)
    expected = pm.metric("sari").score(CORPUS.with_outputs([s.replace("feline", "cat") for s in SOURCES]))
    assert callback.history == [(1, {"eval_sari": expected.value}), (2, {"eval_sari": expected.value})]


def test_the_trainer_s_labels_are_references_too():
    class Words:
        pad_token_id = 0

        def batch_decode(self, rows, skip_special_tokens):
            assert (np.asarray(rows) >= 0).all()
            return [" ".join(f"w{i}" for i in row if i) for row in rows]

    class Prediction:
        inputs = np.array([[1, 2, 3, -100]])
        predictions = np.array([[1, 2, 4]])
        label_ids = np.array([[1, 4, -100, -100]])

    found = trainer_metrics(Words(), "sari")(Prediction)
    assert found == {
        "sari": pm.metric("sari").score(pm.Corpus(["w1 w2 w3"], ["w1 w2 w4"], [["w1 w4"]])).value
    }


@pytest.mark.torch
def test_a_callback_needs_sources():
    with pytest.raises(InputError, match="test_set: found no sources"):
        trainer_callback(lambda model, texts: texts, pm.Corpus(None, ["x"]))
