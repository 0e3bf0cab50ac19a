"""Train the UCCA parser and write its folder: weights, labels, vocabulary, remote Participants.

    python -m training.ucca PATH/TO/ucca --output src/plainmark/ucca/model

PATH holds wiki-v1.2.4-train.tar.xz and wiki-v1.2.4-dev.tar.xz. The encoder starts from minilm (plainmark models get
minilm), whose embeddings and lower layers stay as they are; their output is computed once. Every 20th passage of the
training data is held out to calibrate the decoder; the development passages are only scored, at the end. With
--keep-weights only the steps after the training of the encoder are repeated: remote Participants, calibration, scores.
Needs torch==2.13.0 and safetensors. The same seed and number of workers give the same weights on the same machine: workers
compute the gradients of their batches side by side and then take the same step.
"""

import argparse
import json
import lzma
import multiprocessing
import shutil
import tarfile
import time
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save_file

from plainmark import models, ucca
from plainmark.files import open_text
from plainmark.models._safetensors import read_tensors
from plainmark.ucca import constituency, grammar, words
from plainmark.ucca.parser import DEFAULT, dequantised
from plainmark.ucca.remote import RemoteModel, pairs

from .network import Example, Model, lower_states, train

LONGEST_CHART, LONGEST_TOKENS = 110, 400
ASIDE = 20  # every 20th passage calibrates


def read(folder, corpus):
    """The passages of a corpus in the order of their names, each as its sentences."""
    with lzma.open(Path(folder) / f"{corpus}.tar.xz") as packed, tarfile.open(fileobj=packed) as tar:
        files = {m.name: tar.extractfile(m).read() for m in tar if m.name.endswith(".xml")}
    return [ucca.split(ucca.parse_passage(files[name], name)) for name in sorted(files)]


def older_guidelines(sentence):
    """A sentence of The Little Prince with the categories of the Wiki corpus: Time as Adverbial, Quantifier as Elaborator."""
    older = {"T": "D", "Q": "E"}
    units = tuple(
        replace(
            u, edges=tuple(replace(e, category=older.get(e.category, e.category), tags=()) for e in u.edges)
        )
        for u in sentence.units
    )
    return replace(sentence, units=units)


def sentences_of(path, number):
    """The first sentences of a text with 6 to 45 words, without repetitions."""
    with open_text(path) as lines:
        split = (tuple(s) for line in lines for s in words.sentences(line))
        return list(islice(dict.fromkeys(s for s in split if 6 <= len(s) <= 45), number))


def parsed_by(folders, sentences, tokenizer, labels, least=0.01):
    """Sentences with the spans that the teachers find, each with its mean probability."""
    terminals = [ucca.graph.terminals(s, constituency.punctuation(s)) for s in sentences]
    charts = [[i for i, t in enumerate(s) if not t.punctuation] for s in terminals]
    means = [np.zeros((len(c), len(c), len(labels)), np.float16) for c in charts]
    for folder in folders:
        teacher = ucca.parser(str(folder))
        if teacher.labels != labels:
            raise SystemExit(f"{folder}: trained on other data, with other labels.")
        for number, _, scores in teacher._scores(terminals):
            means[number] += (teacher.grammar.chances(scores).labels / len(folders)).astype(np.float16)
    out = []
    for s, chart, mean in zip(sentences, charts, means, strict=True):
        at = np.nonzero(mean > least)
        out.append(Example(s, chart, tokenizer, np.column_stack(at), mean[at].astype(np.float32)))
    return out


def trained(folder):
    """The tensors of a trained parser except the embeddings, which never change and are stored less exactly."""
    tensors = dequantised(read_tensors(Path(folder)))
    return {k: torch.from_numpy(v) for k, v in tensors.items() if not k.startswith("embeddings")}


def export(folder, tensors, model):
    """The weights: matrices in 16-bit floats, the embeddings in 8-bit integers with a scale for each word."""
    folder.mkdir(parents=True, exist_ok=True)
    out = {
        k: v.numpy().astype(np.float16)
        for k, v in tensors.items()
        if k.split(".")[0] in ("embeddings", "encoder")
    }
    for layer in model.layers:
        out |= {k: v.detach().numpy().astype(np.float16) for k, v in layer.tensors()}
    out |= {f"spans.{k}": v.detach().numpy().astype(np.float16) for k, v in model.spans.named_parameters()}
    name = "embeddings.word_embeddings.weight"
    words = tensors[name].numpy()
    scale = np.abs(words).max(axis=1) / 127
    out[name] = np.round(words / scale[:, None]).astype(np.int8)
    out[f"{name}.scale"] = scale.astype(np.float32)
    save_file({k: np.ascontiguousarray(v) for k, v in out.items()}, folder / "model.safetensors")


def describe(folder, source, labels, facts, remote):
    """Write the parser's folder except for the weights."""
    config = json.loads((source / "config.json").read_text("utf-8"))
    copied = (
        "model_type",
        "hidden_act",
        "hidden_size",
        "num_hidden_layers",
        "num_attention_heads",
        "layer_norm_eps",
    )
    config = {k: config[k] for k in copied}
    config["plainmark"] = {"labels": labels, **facts}
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n", "utf-8")
    (folder / "remote.json").write_text(json.dumps(remote, indent=0) + "\n", "utf-8")
    for name in ("vocab.txt", "tokenizer_config.json"):
        shutil.copyfile(source / name, folder / name)


def fit_remote(sentences, penalty=1.0, rare=4, rounds=60):
    """Weights of a logistic model of pairs of a Scene and a unit, by Adam on all pairs at once."""
    names, rows, truth = Counter(), [], []
    feature_lists = []
    for graph in sentences:
        gold = {(u.id, e.child) for u in graph.units for e in u.edges if e.remote and "A" in e.categories}
        for pair in pairs(graph):
            feature_lists.append(pair.features)
            names.update(pair.features)
            truth.append((pair.scene, pair.unit) in gold)
    number = {f: i for i, f in enumerate(f for f, n in names.items() if n >= rare)}
    rows = np.concatenate([np.full(len(f), i) for i, f in enumerate(feature_lists)])
    columns = np.array([number.get(x, -1) for f in feature_lists for x in f])
    rows, columns = rows[columns >= 0], columns[columns >= 0]
    y = np.array(truth, dtype=float)
    w, first, second = (np.zeros(len(number)) for _ in range(3))
    for step in range(1, rounds + 1):
        p = 1 / (1 + np.exp(-np.bincount(rows, w[columns], len(y))))
        gradient = np.bincount(columns, (p - y)[rows], len(w)) + penalty * w
        first = 0.9 * first + 0.1 * gradient
        second = 0.99 * second + 0.01 * gradient**2
        w -= 0.1 * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    return {name: round(w[i], 3) for name, i in sorted(number.items()) if abs(w[i]) >= 0.15}


def balance(parse, scored, sentences, rounds=3, prior=5):
    """Factors that give units of each category the observed numbers of inner Scenes, phrases, …, by iterative scaling."""
    gold = added(grammar.inside(constituency.spans(s)) for s in sentences)
    factors = {}
    for _ in range(rounds):
        rules = grammar.SpanGrammar(parse.labels, factors)
        expected = added(rules.chances(scores).inside for _, _, scores in scored)
        for category, row in expected.items():
            change = np.log((gold.get(category, 0 * row) + prior) / (row + prior))
            factors[category] = np.round(factors.get(category, 0) + change, 3)
    return {category: row.tolist() for category, row in factors.items()}


def added(counts):
    total = {}
    for some in counts:
        for category, row in some.items():
            total[category] = total.get(category, 0) + row
    return total


def calibrate(parse, sentences):
    """Factors of the grammar, the threshold with the best sum of labelled F1 and sentences with the right number of Scenes,
    and the threshold with the best remote edges; on passages that were not trained on."""
    terminals = [g.terminals for g in sentences]
    scored = list(parse._scores(terminals))
    remote, parse.remote = parse.remote, None
    factors = balance(parse, scored, sentences)
    parse.grammar = grammar.SpanGrammar(parse.labels, factors)

    def graphs(threshold):
        parse.threshold = threshold
        spans = [{} for _ in terminals]
        for number, offset, scores in scored:
            spans[number] |= parse.decode(scores, offset)
        return parse._graphs(terminals, spans)

    sums = {}
    for threshold in (0.3, 0.35, 0.4, 0.45):
        scores = ucca.evaluate(graphs(threshold), sentences)
        f1, same = 100 * scores.edges["labelled", "primary"].f1, 100 * scores.same_count / len(sentences)
        sums[threshold] = f1 + same
        ratio = scores.scenes.predicted / scores.scenes.gold
        print(
            f"threshold {threshold} F1 {f1:.2f} Scenes {ratio:.3f} of gold, same number {same:.1f}",
            flush=True,
        )
    threshold = max(sums, key=sums.get)
    parsed = graphs(threshold)
    edges = {}
    for level in (0.2, 0.25, 0.3, 0.35, 0.4, 0.5):
        parse.remote = RemoteModel(remote.weights, level)
        scores = ucca.evaluate([parse.remote.add(g) for g in parsed], sentences)
        edges[level] = scores.edges["labelled", "remote"].f1
        print(f"remote {level:.2f} F1 {100 * edges[level]:.1f}", flush=True)
    level = max(edges, key=edges.get)
    parse.remote = RemoteModel(remote.weights, level)
    return factors, threshold, level


def main():
    options = arguments()
    started = time.time()
    source = models.find("minilm").path
    tensors = {
        k.removeprefix("bert."): torch.from_numpy(np.array(v, dtype=np.float32))
        for k, v in read_tensors(source).items()
        if v.dtype == np.float32
    }
    if options.start:
        tensors |= trained(options.start)
    passages = read(options.data, "wiki-v1.2.4-train")
    aside = [s for i, p in enumerate(passages) if i % ASIDE == 0 for s in p]
    used = [s for i, p in enumerate(passages) if i % ASIDE for s in p]
    if options.fiction:
        used += [older_guidelines(s) for p in read(options.data, "lpp-v2.0") for s in p]
    counts = Counter(label for s in used for label in constituency.spans(s).values())
    labels = [label for label, n in counts.most_common() if n >= 3]
    tokenizer = models.encoder("minilm")._tokenizer
    examples = [Example.gold(s, tokenizer, labels) for s in used]
    if options.text:
        examples += parsed_by(
            options.teachers, sentences_of(options.text, options.sentences), tokenizer, labels
        )
    examples = [e for e in examples if 0 < len(e.chart) <= LONGEST_CHART and len(e.ids) <= LONGEST_TOKENS]
    if options.keep_weights:
        old = json.loads((Path(options.output) / "config.json").read_text("utf-8"))["plainmark"]
        if old["labels"] != labels:
            raise SystemExit(f"{options.output}: trained on other data, with other labels.")
        finish(options, source, labels, used, aside, {k: old[k] for k in ("seed", "minutes", "options")})
        return
    print(f"{len(examples)} sentences, {len(labels)} labels, {len(aside)} sentences aside", flush=True)
    torch.set_num_threads(1)
    states = lower_states(examples, tensors, options.frozen)
    print(f"frozen layers done, {time.time() - started:.0f} s", flush=True)
    torch.manual_seed(options.seed)
    model = Model(tensors, options, len(labels))
    size = sum(p.numel() for p in model.parameters())
    result = Path(options.output).with_suffix(".scratch")
    context = multiprocessing.get_context("fork")
    shared = torch.zeros(options.workers, size).share_memory_() if options.workers > 1 else None
    barrier = context.Barrier(options.workers) if options.workers > 1 else None
    shared_arguments = (options, tensors, len(labels), examples, states, shared, barrier, result)
    if options.workers == 1:
        train(0, *shared_arguments)
    else:
        workers = [
            context.Process(target=train, args=(rank, *shared_arguments)) for rank in range(options.workers)
        ]
        for w in workers:
            w.start()
        for w in workers:
            w.join()
            if w.exitcode:
                raise SystemExit(w.exitcode)
    for p, mean in zip(model.parameters(), torch.load(result, weights_only=True), strict=True):
        p.data.copy_(mean)
    export(Path(options.output), tensors, model.eval())
    facts = {
        "seed": options.seed,
        "minutes": round((time.time() - started) / 60, 1),
        "options": {k: v for k, v in vars(options).items() if k not in ("data", "output", "keep_weights")},
    }
    finish(options, source, labels, used, aside, facts)


def finish(options, source, labels, used, aside, training_facts):
    """Complete the folder: remote Participants, calibration on the held-out passages, scores on the development passages."""
    folder = Path(options.output)
    facts = training_facts | {"threshold": 0.4}
    remote = {"weights": fit_remote(used), "threshold": 0.35}
    describe(folder, source, labels, facts, remote)
    parse = ucca.parser(str(folder))
    facts["balance"], facts["threshold"], remote["threshold"] = calibrate(parse, aside)
    dev = [s for p in read(options.data, "wiki-v1.2.4-dev") for s in p]
    record = ucca.evaluate(parse.parse([g.terminals for g in dev]), dev).record()
    print(json.dumps(record, indent=1), flush=True)
    facts["dev"] = {
        k: record[k]["f1"] if isinstance(record[k], dict) else record[k] for k in record if k != "by_category"
    }
    describe(folder, source, labels, facts, remote)


def arguments():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("data", help="folder with the corpora")
    a.add_argument("--output", required=True, help="folder to write")
    a.add_argument("--keep-weights", action="store_true", help="the encoder is trained already")
    a.add_argument("--start", help="a trained parser's folder to go on from, instead of minilm")
    a.add_argument("--text", help="a text to learn from the teachers' parses of it, besides the gold ones")
    a.add_argument("--sentences", type=int, default=6000, help="how many sentences of the text")
    a.add_argument("--teachers", nargs="+", default=[str(DEFAULT)], help="trained parsers' folders")
    a.add_argument("--fiction", action="store_true", help="train on lpp-v2.0.tar.xz too")
    a.add_argument("--workers", type=int, default=2, help="processes, each with its own batches")
    a.add_argument("--epochs", type=int, default=9)
    a.add_argument("--batch", type=int, default=500, help="tokens of a worker's batch")
    a.add_argument("--frozen", type=int, default=2, help="layers that stay as they are")
    a.add_argument("--rate", type=float, default=2.5e-4, help="learning rate of the last layer")
    a.add_argument("--layer-decay", type=float, default=0.85, help="factor from a layer to the one below")
    a.add_argument("--head-rate", type=float, default=1.2e-3, help="learning rate of the span scores")
    a.add_argument("--warm", type=float, default=0.06, help="share of steps with a growing rate")
    a.add_argument("--hidden", type=int, default=512)
    a.add_argument("--dropout", type=float, default=0.25)
    a.add_argument("--encoder-dropout", type=float, default=0.1)
    a.add_argument("--mask", type=float, default=0.0, help="share of tokens that are hidden in training")
    a.add_argument("--average", type=float, default=0.998, help="decay of the running mean of weights")
    a.add_argument("--seed", type=int, default=1)
    return a.parse_args()


if __name__ == "__main__":
    main()
