"""Compares the learned models with the usual programs, live, and writes the programs' values for the tests.

make parity-models                             in an environment of its own with torch, transformers and bert-score
python scripts/make_golden_models.py --write   also write tests/golden/models.json

The reference implementations run only in this script; the ordinary tests compare with the values that it writes.
"""

import importlib.metadata
import json
import logging
import os
import sys
import tempfile
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
os.environ["TRANSFORMERS_VERBOSITY"] = "error"
warnings.simplefilter("ignore")

import bert_score  # noqa: E402
import numpy as np  # noqa: E402
import torch  # noqa: E402
import transformers  # noqa: E402

import plainmark as pm  # noqa: E402
from conftest import lines  # noqa: E402
from plainmark import models  # noqa: E402
from support import tiny_models  # noqa: E402

GOLDEN = ROOT / "tests" / "golden" / "models.json"
SAMPLES = 24
LAYERS = (3, 6)
SENTENCES = [
    "A cat sat on the mat.",
    "The committee, which convened in 1998, promulgated 3 regulations concerning maritime commerce.",
    "",
    "naïve café 🦉 don't",
]
FAMILIES = ("bert", "roberta", "distilbert", "mpnet", "deberta-v2")
FLUENT = [
    "The cat sat on the mat and looked at the birds in the garden.",
    "The cat sat on the mat and looked at the birds in the refrigerator.",
    "garden the in birds the at looked and mat the on sat cat The.",
    "In 1998, 1,234 people lived there.",
]


def corpus(references):
    """The first samples of ASSET with ACCESS's outputs; one output is empty."""
    columns = [lines(f"asset/asset.test.simp.{i}")[:SAMPLES] for i in range(references)]
    outputs = lines("outputs/ACCESS")[:SAMPLES]
    outputs[3] = ""
    return pm.Corpus(lines("asset/asset.test.orig")[:SAMPLES], outputs, list(zip(*columns, strict=True)))


def bertscore_values(folder):
    """Precision, recall and F1 of bert-score, by layer, idf and number of references."""
    out = {}
    for layer in LAYERS:
        for idf in (False, True):
            for references in (1, 3):
                data = corpus(references)
                rows = (
                    [r[0] for r in data.references] if references == 1 else [list(r) for r in data.references]
                )
                values = bert_score.score(
                    data.outputs, rows, model_type=folder, num_layers=layer, idf=idf, device="cpu", nthreads=0
                )
                out[f"layer={layer}, idf={idf}, references={references}"] = torch.stack(values, 1).tolist()
    return out


def bertscore_rescaled(folder, path):
    data = corpus(1)
    rows = [r[0] for r in data.references]
    values = bert_score.score(
        data.outputs,
        rows,
        model_type=folder,
        num_layers=6,
        device="cpu",
        lang="en",
        rescale_with_baseline=True,
        baseline_path=str(path),
    )
    return torch.stack(values, 1).tolist()


def sentence_vectors(folder):
    """Mean over tokens, normalised to length 1, as in sentence-transformers for this model."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder).eval()
    out = []
    for text in SENTENCES:
        with torch.no_grad():
            state = model(
                **tokenizer(text, return_tensors="pt", max_length=256, truncation=True)
            ).last_hidden_state[0]
        mean = state.mean(0)
        out.append((mean / mean.norm()).tolist())
    return out


def tiny_values(family, **changes):
    """Hidden states of every layer, or losses, of a small random model."""
    with tempfile.TemporaryDirectory() as name:
        folder = tiny_models.write(Path(name) / "model", family)
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps(config | changes))
        if family in ("gpt2", "llama"):
            ours = models.language_model(str(folder))
            model = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
            losses = []
            for text in tiny_models.TEXTS:
                ids = torch.from_numpy(ours._ids(text).astype(np.int64))[None]
                with torch.no_grad():
                    scores = torch.log_softmax(model(ids).logits[:, :-1], -1)
                losses.append(-scores.gather(-1, ids[:, 1:, None]).sum().item())
            return losses, ours.log_likelihood(tiny_models.TEXTS)[0]
        ours = models.encoder(str(folder))
        model = transformers.AutoModel.from_pretrained(folder).eval()
        theirs, own = [], []
        for text in tiny_models.TEXTS:
            ids = torch.from_numpy(ours.token_ids([text])[0].astype(np.int64))[None]
            with torch.no_grad():
                states = model(ids, output_hidden_states=True).hidden_states
            theirs.append([s[0, :, :3].flatten().tolist() for s in states])
            own.append(
                [ours.token_vectors([text], layer=k)[0].vectors[:, :3].ravel() for k in range(len(states))]
            )
        return theirs, own


def smollm2_losses():
    model = models.find("smollm2")
    ours = models.language_model("smollm2")
    model = transformers.AutoModelForCausalLM.from_pretrained(
        model.path, gguf_file=model.known.weights, dtype=torch.float32
    ).eval()
    out = []
    for text in FLUENT:
        ids = torch.from_numpy(ours._ids(text).astype(np.int64))[None]
        with torch.no_grad():
            scores = torch.log_softmax(model(ids).logits[:, :-1], -1)
        out.append(-scores.gather(-1, ids[:, 1:, None]).sum().item())
    return out


def check(what, ours, theirs, allowed):
    difference = float(np.abs(np.asarray(ours, dtype=float) - np.asarray(theirs, dtype=float)).max())
    print(f"{'ok   ' if difference <= allowed else 'WRONG'} {what}: largest difference {difference:.1e}")
    return difference <= allowed


def flat(nested):
    return np.concatenate([np.ravel(layer) for text in nested for layer in text])


def main(write):
    logging.disable(logging.WARNING)
    torch.set_num_threads(1)
    folder = str(models.find("minilm").path)
    good = []
    golden = {
        "about": "Values of the peers, written by scripts/make_golden_models.py --write; inputs are in that script and in shared/data.",
        "versions": {p: importlib.metadata.version(p) for p in ("torch", "transformers", "bert-score")},
        "samples": SAMPLES,
        "sentences": SENTENCES,
        "fluent": FLUENT,
        "bertscore": bertscore_values(folder),
    }
    for key, theirs in golden["bertscore"].items():
        layer, idf, references = (part.partition("=")[2] for part in key.split(", "))
        ours = (
            pm.metric(f"bertscore(layer={layer}, idf={idf})").sample_parts(corpus(int(references)))[:, 1:]
            / 100
        )
        good.append(check(f"bertscore {key}", ours, theirs, 1e-5))
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "baseline.tsv"
        path.write_text("LAYER,P,R,F\n" + "".join(f"{i},0.1{i},0.2{i},0.3{i}\n" for i in range(7)))
        golden["bertscore_rescaled"] = bertscore_rescaled(folder, path)
        ours = pm.metric(f"bertscore(baseline={str(path)!r})").sample_parts(corpus(1))[:, 1:] / 100
        good.append(check("bertscore rescaled", ours, golden["bertscore_rescaled"], 1e-5))
    golden["vectors"] = sentence_vectors(folder)
    ours = models.encoder("minilm").sentence_vectors(SENTENCES)
    good.append(check("sentence vectors", ours, golden["vectors"], 1e-6))
    golden["tiny"] = {}
    for family in (*FAMILIES, "gpt2", "llama"):
        theirs, ours = tiny_values(family)
        good.append(
            check(f"tiny {family}", *map(flat, (ours, theirs)), 1e-5)
            if family in FAMILIES
            else check(f"tiny {family}", ours, theirs, 1e-4)
        )
        golden["tiny"][family] = theirs
    theirs, ours = tiny_values("gpt2", activation_function="relu")
    good.append(check("tiny gpt2 through torch", ours, theirs, 1e-5))
    golden["smollm2"] = smollm2_losses()
    ours = models.language_model("smollm2").log_likelihood(FLUENT)[0]
    good.append(check("smollm2", ours, golden["smollm2"], 1e-3))
    if write:
        GOLDEN.write_text(json.dumps(rounded(golden), indent=None, separators=(",", ":")) + "\n", "utf-8")
        print(f"wrote {GOLDEN.relative_to(ROOT)}, {GOLDEN.stat().st_size:,} bytes")
    return 0 if all(good) else 1


def rounded(value):
    if isinstance(value, float):
        return round(value, 8)
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    return [rounded(v) for v in value] if isinstance(value, list) else value


if __name__ == "__main__":
    sys.exit(main("--write" in sys.argv))
