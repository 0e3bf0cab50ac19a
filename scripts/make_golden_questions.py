"""Runs the authors' programs of QAEval, QAFactEval and QuestEval and writes their values for the tests.

python3.8 -m venv original && original/bin/pip install qaeval==0.1.0 'protobuf<3.21' 'numpy<1.24' unidecode
original/bin/pip install --no-deps questeval==0.2.4
original/bin/python scripts/make_golden_questions.py FOLDER       FOLDER has qafacteval.py and lerc_quip.py of salesforce/QAFactEval

They need Python 3.8, torch 1.6, transformers 3.0.2 and AllenNLP 1.1.0. Noun chunks are found by a substitute for spaCy that
the tests share; everything else in QAEval and QAFactEval is the original, on tiny random models. QuestEval's arithmetic
runs with plain rules for models. Writes tests/golden/questions.json.
"""

import json
import random
import sys
import tempfile
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), *sys.argv[1:2]]

import spacy  # noqa: E402
import torch  # noqa: E402
from transformers.data.metrics.squad_metrics import compute_exact, compute_f1  # noqa: E402

from support import tiny_questions  # noqa: E402

spacy.load = lambda name: tiny_questions.parse

from lerc_quip import LERCQuipScorer  # noqa: E402
from qafacteval import QAFactEval  # noqa: E402

FIELDS = ("em", "f1", "is_answered", "lerc", "lerc_quip")


def asked(pairs):
    """Questions and answers of one text, without the parts that only the program's log needs."""
    keep = ("prediction", "probability", "null_probability", *FIELDS)
    return [
        {
            "answer": p["question"]["answer"],
            "question": p["question"]["question"],
            **{k: p["prediction"][k] for k in keep if k in p["prediction"]},
        }
        for p in pairs
    ]


def answers():
    """Pairs of answers with their exact match and F1."""
    rng = random.Random(7)
    words = ["The", "a", "an", "cat", "Cat!", "u.s.", "1,200", "don't", "", "the the", "—", "café"]
    pairs = [
        (" ".join(rng.choices(words, k=rng.randint(0, 4))), " ".join(rng.choices(words, k=rng.randint(0, 4))))
        for _ in range(300)
    ]
    return [[a, b, compute_exact(a, b), compute_f1(a, b)] for a, b in pairs]


class Rules:
    """The interface of a model in QuestEval."""

    pretrained_model_name_or_path = "rules"

    def predict(self, inputs):
        parts = [text.split(" </s> ") for text in inputs]
        if len(parts[0]) == 3:  # sv1, answer, text
            return None, [tiny_questions.plain_question(answer, text) for _, answer, text in parts]
        answers = [tiny_questions.plain_answer(question, text) for question, text in parts]
        return [sure for _, sure in answers], [answer for answer, _ in answers]


class Similarity:
    """The interface of BERTScore of the package datasets, as used by QuestEval."""

    def add_batch(self, predictions, references):
        self.pairs = list(zip(predictions, references))  # noqa: B905

    def compute(self, **options):
        return {"f1": [tiny_questions.plain_similarity(a, b) for a, b in self.pairs]}


def questeval():
    """Scores of QuestEval 0.2.4 against source, references and both."""
    sys.modules["datasets"] = types.SimpleNamespace(load_metric=None)
    from questeval.questeval_metric import QuestEval

    metric = QuestEval.__new__(QuestEval)
    with tempfile.TemporaryDirectory() as folder:
        vars(metric).update(
            log_dir=folder,
            hash_files=set(),
            use_cache=False,
            task="text2text",
            answer_types=("NER", "NOUN"),
            src_preproc_pipe=None,
            limit_sent=None,
            sep="</s>",
            qg_prefix="sv1",
            device="cpu",
            reduction_multi_refs=max,
            do_consistency=False,
            do_weighter=False,
            list_scores=("answerability", "bertscore", "f1"),
            metric_BERTScore=Similarity(),
            models={side: {"QA": Rules(), "QG": Rules()} for side in ("hyp", "src", "ref")},
        )

        def parse(text):
            names, nouns = tiny_questions.names_and_nouns(text)
            spans = [[types.SimpleNamespace(text=t) for t in some] for some in (names, nouns)]
            return types.SimpleNamespace(ents=spans[0], noun_chunks=spans[1])

        metric.spacy_pipeline = parse
        outputs, sources = tiny_questions.OUTPUTS, tiny_questions.SOURCES
        references = [[row[0], row[-1]] for row in tiny_questions.REFERENCES]
        return {
            "source": metric.corpus_questeval(outputs, sources=sources)["ex_level_scores"],
            "references": metric.corpus_questeval(outputs, list_references=references)["ex_level_scores"],
            "both": metric.corpus_questeval(outputs, sources, references)["ex_level_scores"],
        }


def main():
    with tempfile.TemporaryDirectory() as folder:
        tiny_questions.write(torch, folder)
        metric = QAFactEval(
            lerc_quip_path=f"{folder}/quip-512-mocha",
            use_lerc_quip=False,
            lerc_batch_size=4,
            cuda_device=-1,
            generation_model_path=f"{folder}/generation/model.tar.gz",
            answering_model_dir=f"{folder}/answering",
            use_lerc=True,
            lerc_model_path=f"{folder}/lerc/model.tar.gz",
            lerc_pretrained_model_path=f"{folder}/lerc/pretraining.tar.gz",
        )
        # The program cannot run this part without a graphics card unless it receives "cpu".
        metric.scorer.scorers.append(LERCQuipScorer(f"{folder}/quip-512-mocha", "cpu", 4))
        values = {}
        for name, texts in (
            ("references", tiny_questions.REFERENCES),
            ("sources", [[s] for s in tiny_questions.SOURCES]),
        ):
            results = metric.score_batch(tiny_questions.OUTPUTS, texts, return_qa_pairs=True)
            values[f"qaeval {name}"] = [
                {"scores": scores["qa-eval"], "questions": [asked(p) for p in pairs]}
                for scores, pairs in results
            ]
        # The program's lists are misaligned if a source is empty, so it is left out here.
        full = [i for i, s in enumerate(tiny_questions.SOURCES) if s]
        results = metric.score_batch_qafacteval(
            [tiny_questions.SOURCES[i] for i in full],
            [[tiny_questions.OUTPUTS[i]] for i in full],
            return_qa_pairs=True,
        )
        values["qafacteval"] = {
            str(i): {"scores": scores["qa-eval"], "kept": [asked(p) for p in pairs]}
            for i, (scores, pairs, _, _) in zip(full, results)  # noqa: B905
        }
        values["answers"] = answers()
        values["questeval"] = questeval()
    path = ROOT / "tests" / "golden" / "questions.json"
    path.write_text(json.dumps(values, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()
