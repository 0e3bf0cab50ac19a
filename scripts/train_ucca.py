"""Trains the UCCA parser and writes its folder: weights, labels, vocabulary, remote Participants.

    python scripts/train_ucca.py PATH/TO/ucca --output src/plainmark/ucca/model

PATH holds wiki-v1.2.4-train.tar.xz and wiki-v1.2.4-dev.tar.xz. The encoder starts from minilm (plainmark models get
minilm), whose embeddings and lower layers stay as they are; their output is computed once. Every 20th passage of the
training data is kept aside to calibrate the decoder; the development passages are only scored, at the end. With
--keep-weights only what comes after the training of the encoder is done anew: remote Participants, calibration, scores. Needs
torch==2.13.0. The same seed and number of workers give the same weights on the same machine: workers compute the
gradients of their batches side by side and then take the same step.
"""

import argparse
import json
import lzma
import multiprocessing
import shutil
import tarfile
import time
from collections import Counter
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as nnf
from torch import nn

from plainmark import kernels, models, ucca
from plainmark.models._safetensors import read_tensors
from plainmark.ucca import constituency, grammar
from plainmark.ucca.parser import BUCKETS, width_bucket
from plainmark.ucca.remote import RemoteModel, pairs
from plainmark.ucca.words import SHAPES, shape

SIZE, HEADS = 384, 12
LONGEST_CHART, LONGEST_TOKENS = 110, 400
ASIDE = 20  # every 20th passage calibrates


def read(folder, corpus):
    """The passages of a corpus in the order of their names, each as its sentences."""
    with lzma.open(Path(folder) / f"{corpus}.tar.xz") as packed, tarfile.open(fileobj=packed) as tar:
        files = {m.name: tar.extractfile(m).read() for m in tar if m.name.endswith(".xml")}
    return [ucca.split(ucca.parse_passage(files[name], name)) for name in sorted(files)]


class Example:
    """A sentence as numbers: tokens, words, and the labelled spans of its gold tree."""

    def __init__(self, graph, tokenizer, labels):
        ids = [tokenizer.encode(w, add_special_tokens=False).ids[:12] or [100] for w in graph.words]
        self.ids = np.array([101, *(x for word in ids for x in word), 102])
        self.sizes = np.array([len(x) for x in ids])
        self.shapes = np.array([shape(w) for w in graph.words])
        self.chart = np.array(constituency.in_chart(graph), dtype=np.int64)
        self.words = len(ids)
        number = {label: i for i, label in enumerate(labels)}
        self.spans = np.array(
            [(i, j - 1, number[nearest(x, number)]) for (i, j), x in constituency.spans(graph).items()],
            dtype=np.int64,
        ).reshape(-1, 3)


def nearest(label, known):
    """A label, or a frequent one that shares its ends."""
    parts = label.split(constituency.CHAIN)
    ends = parts[0] + constituency.CHAIN + parts[-1]
    tries = (label, ends, parts[-1], parts[0], parts[-1].rstrip(constituency.LIFT))
    return next((x for x in tries if x in known), "A")


PARTS = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "mixed": "attention.output.dense",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
    "norm_1": "attention.output.LayerNorm",
    "norm_2": "output.LayerNorm",
}


class Layer(nn.Module):
    """One layer of BERT, from the encoder's tensors."""

    def __init__(self, tensors, number):
        super().__init__()
        self.number = number
        for name, part in PARTS.items():
            weight = tensors[f"encoder.layer.{number}.{part}.weight"]
            bias = tensors[f"encoder.layer.{number}.{part}.bias"]
            if name.startswith("norm"):
                module = nn.LayerNorm(SIZE, eps=1e-12)
            else:
                module = nn.Linear(weight.shape[1], weight.shape[0])
            module.weight.data.copy_(weight)
            module.bias.data.copy_(bias)
            setattr(self, name, module)

    def forward(self, x, mask, dropout):
        texts, tokens, _ = x.shape
        query, key, value = (
            m(x).view(texts, tokens, HEADS, -1).transpose(1, 2) for m in (self.query, self.key, self.value)
        )
        near = query @ key.transpose(2, 3) / (SIZE // HEADS) ** 0.5
        if mask is not None:
            near = near.masked_fill(~mask, -1e4)
        mixed = nnf.softmax(near, -1).to(value.dtype) @ value
        mixed = self.mixed(mixed.transpose(1, 2).reshape(texts, tokens, SIZE))
        x = self.norm_1(x + nnf.dropout(mixed, dropout, self.training))
        wide = self.narrow(nnf.gelu(self.wide(x)))
        return self.norm_2(x + nnf.dropout(wide, dropout, self.training))

    def tensors(self):
        for name, part in PARTS.items():
            for kind in ("weight", "bias"):
                yield f"encoder.layer.{self.number}.{part}.{kind}", getattr(getattr(self, name), kind)


class Spans(nn.Module):
    """Scores of labels of spans, from their first and last words, the words around them, their mean and their width."""

    def __init__(self, hidden, labels):
        super().__init__()
        self.shape = nn.Embedding(SHAPES, SIZE)
        self.edge = nn.Parameter(torch.zeros(2, SIZE))
        self.proj = nn.ModuleList(nn.Linear(SIZE, hidden, bias=i == 0) for i in range(5))
        self.width = nn.Embedding(BUCKETS, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.out = nn.Linear(hidden, labels)
        nn.init.normal_(self.shape.weight, std=0.02)
        nn.init.normal_(self.width.weight, std=0.02)

    def forward(self, words, batch, dropout):
        texts = len(words)
        edges = self.edge[:, None, None].expand(2, texts, 1, SIZE)
        around = torch.cat([edges[0], words, edges[1]], 1)
        # A shorter text ends before the padding.
        ends = (batch["words"] + 1)[:, None, None].expand(texts, 1, SIZE)
        around = around.scatter(1, ends, edges[1].to(around.dtype))

        def at(offset):
            return around.gather(1, (batch["chart"] + offset)[:, :, None].expand(-1, -1, SIZE))

        inner = at(1)
        first = self.proj[0](inner) + self.proj[2](at(0))
        last = self.proj[1](inner) + self.proj[3](at(2))
        total = nnf.pad(torch.cumsum(self.proj[4](inner).float(), 1), (0, 0, 1, 0))
        i, j = batch["pairs"]
        hidden = (total[:, j + 1] - total[:, i]) / (j - i + 1)[:, None]
        hidden = hidden + first[:, i] + last[:, j] + self.width(batch["buckets"])
        hidden = nnf.relu(self.norm(hidden.to(first.dtype)))
        if self.training:
            # One mask a text, not one a span: cheaper, and a span cannot be told by its mask.
            keep = torch.full((texts, 1, hidden.shape[2]), 1 - dropout)
            hidden = hidden * (torch.bernoulli(keep) / (1 - dropout)).to(hidden.dtype)
        return self.out(hidden).float()


class Model(nn.Module):
    def __init__(self, tensors, options, labels):
        super().__init__()
        self.layers = nn.ModuleList(Layer(tensors, i) for i in range(options.frozen, 6))
        self.spans = Spans(options.hidden, labels)
        self.options = options

    def forward(self, batch):
        o = self.options
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.training):
            x = nnf.dropout(batch["states"], o.encoder_dropout, self.training)
            for layer in self.layers:
                x = layer(x, batch["mask"], o.encoder_dropout)
            words = torch.bmm(batch["pool"], x.float()) + self.spans.shape(batch["shapes"])
            return self.spans(nnf.dropout(words, o.dropout, self.training), batch, o.dropout)


def lower_states(examples, tensors, frozen):
    """What the frozen part of the encoder makes of each example, in 16-bit floats."""
    layers = [Layer(tensors, i).eval() for i in range(frozen)]
    norm = nn.LayerNorm(SIZE, eps=1e-12)
    norm.weight.data.copy_(tensors["embeddings.LayerNorm.weight"])
    norm.bias.data.copy_(tensors["embeddings.LayerNorm.bias"])
    positions = (
        tensors["embeddings.position_embeddings.weight"]
        + tensors["embeddings.token_type_embeddings.weight"][0]
    )
    out = [None] * len(examples)
    of_length = {}
    for k, example in enumerate(examples):
        of_length.setdefault(len(example.ids), []).append(k)
    with torch.no_grad():
        for length, all_same in of_length.items():
            for start in range(0, len(all_same), max(1, 4000 // length)):
                same = all_same[start : start + max(1, 4000 // length)]
                ids = torch.from_numpy(np.stack([examples[k].ids for k in same]))
                x = norm(tensors["embeddings.word_embeddings.weight"][ids] + positions[:length])
                for layer in layers:
                    x = layer(x, None, 0.0)
                for k, state in zip(same, x.half(), strict=True):
                    out[k] = state
    return out


def collate(examples, states):
    """A batch: everything padded to the longest."""
    texts = len(examples)
    tokens = max(len(e.ids) for e in examples)
    words = max(e.words for e in examples)
    n = max(len(e.chart) for e in examples)
    x = torch.zeros(texts, tokens, SIZE)
    mask = np.zeros((texts, 1, 1, tokens), dtype=bool)
    pool = np.zeros((texts, words, tokens), dtype=np.float32)
    chart = np.zeros((texts, n), dtype=np.int64)
    shapes = np.zeros((texts, words), dtype=np.int64)
    for k, (e, state) in enumerate(zip(examples, states, strict=True)):
        x[k, : len(e.ids)] = state
        mask[k, :, :, : len(e.ids)] = True
        pool[k, np.repeat(np.arange(e.words), e.sizes), np.arange(1, len(e.ids) - 1)] = np.repeat(
            1 / e.sizes, e.sizes
        )
        chart[k, : len(e.chart)] = e.chart
        shapes[k, : e.words] = e.shapes
    i, j = np.triu_indices(n)
    return {
        "states": x,
        "mask": torch.from_numpy(mask),
        "pool": torch.from_numpy(pool),
        "chart": torch.from_numpy(chart),
        "shapes": torch.from_numpy(shapes),
        "words": torch.tensor([e.words for e in examples]),
        "pairs": (torch.from_numpy(i), torch.from_numpy(j)),
        "buckets": torch.from_numpy(width_bucket(j - i)),
    }


def loss_of(model, examples, states):
    """A value whose gradient is that of the negative log-likelihood of the gold trees, a word; and how sure it is.

    The gradient of the log partition by a span's score is the span's probability, and every binary tree that crosses no
    gold span has all gold spans, so that the gold side is the sum of their scores and a constant.
    """
    batch = collate(examples, states)
    scores = model(batch)
    potential = torch.logsumexp(nnf.pad(scores, (1, 0)), 2)  # no label has the score 0
    i, j = (x.numpy() for x in batch["pairs"])
    chances = np.zeros(potential.shape, dtype=np.float32)
    values = potential.detach().numpy().astype(np.float64)
    n = batch["chart"].shape[1]
    place = np.zeros((n, n), dtype=np.int64)
    place[i, j] = np.arange(len(i))
    gold = []
    for k, e in enumerate(examples):
        size = len(e.chart)
        inside = j < size
        table = np.zeros((size, size))
        table[i[inside], j[inside]] = values[k, inside]
        chances[k, inside] = kernels.span_marginals(table)[i[inside], j[inside]]
        gold.append(
            np.column_stack([np.full(len(e.spans), k), place[e.spans[:, 0], e.spans[:, 1]], e.spans[:, 2]])
        )
    text, span, label = torch.from_numpy(np.concatenate(gold)).T
    chosen = scores[text, span, label]
    words = sum(len(e.chart) for e in examples)
    loss = ((potential * torch.from_numpy(chances)).sum() - chosen.sum()) / words
    with torch.no_grad():
        sure = (torch.exp(chosen - potential[text, span]) * torch.from_numpy(chances)[text, span]).mean()
    return loss, float(sure)


def train(rank, options, tensors, labels, examples, states, shared, barrier, result):
    """One worker: gradients of its share of the batches, the mean over all workers, the same step for all."""
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    model = Model(tensors, options, labels).train()
    torch.manual_seed(1000 * options.seed + rank)
    rng = np.random.default_rng(options.seed)
    parameters = list(model.named_parameters())

    def rate(name):
        if not name.startswith("layers"):
            return options.head_rate
        return options.rate * options.layer_decay ** (len(model.layers) - 1 - int(name.split(".")[1]))

    groups = [
        {"params": [p], "lr": rate(n), "full": rate(n), "weight_decay": 0.01 if p.dim() > 1 else 0.0}
        for n, p in parameters
    ]
    optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98), fused=True)
    lengths = np.array([len(e.ids) for e in examples])

    def batches():
        order = np.argsort(lengths + 6 * rng.random(len(lengths)))
        out, batch = [], []
        for k in order:
            if batch and (len(batch) + 1) * lengths[k] > options.batch:
                out.append(batch)
                batch = []
            batch.append(k)
        out.append(batch)
        rng.shuffle(out)
        whole = len(out) // options.workers * options.workers
        return [out[k] for k in range(rank, whole, options.workers)]

    per_epoch = len(batches())
    rng = np.random.default_rng(options.seed)
    steps = options.epochs * per_epoch
    warm = options.warm * steps
    mean = [p.detach().clone() for _, p in parameters]
    step, started = 0, time.time()
    for epoch in range(options.epochs):
        sure = []
        for batch in batches()[:per_epoch]:
            part = min(1.0, step / warm) if step < warm else max(0.01, (steps - step) / (steps - warm))
            for group in optimizer.param_groups:
                group["lr"] = group["full"] * part
            loss, chance = loss_of(model, [examples[k] for k in batch], [states[k] for k in batch])
            optimizer.zero_grad(set_to_none=False)
            loss.backward()
            sure.append(chance)
            _average(rank, [p.grad for _, p in parameters], shared, barrier)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            step += 1
            if step % 4 == 0:
                keep = min(options.average, (1 + step) / (10 + step)) ** 4
                with torch.no_grad():
                    for m, (_, p) in zip(mean, parameters, strict=True):
                        m.lerp_(p, 1 - keep)
            if rank == 0 and step % 25 == 0:
                print(
                    f"step {step}/{steps} gold spans {np.mean(sure):.4f} {time.time() - started:.0f} s",
                    flush=True,
                )
        if rank == 0:
            torch.save([m.clone() for m in mean], result)  # scratch, so that a run can be looked at
            print(
                f"epoch {epoch + 1} gold spans {np.mean(sure):.4f} {time.time() - started:.0f} s", flush=True
            )


def _average(rank, gradients, shared, barrier):
    if barrier is None:
        return
    at = 0
    for g in gradients:
        shared[rank, at : at + g.numel()] = g.view(-1)
        at += g.numel()
    barrier.wait()
    mean = shared.mean(0)
    barrier.wait()
    at = 0
    for g in gradients:
        g.copy_(mean[at : at + g.numel()].view_as(g))
        at += g.numel()


def write_tensors(path, tensors):
    """A safetensors file."""
    kinds = {"float32": "F32", "float16": "F16", "int8": "I8"}
    header, blobs, at = {}, [], 0
    for name, values in tensors.items():
        blob = np.ascontiguousarray(values).tobytes()
        header[name] = {
            "dtype": kinds[str(values.dtype)],
            "shape": list(values.shape),
            "data_offsets": [at, at + len(blob)],
        }
        blobs.append(blob)
        at += len(blob)
    head = json.dumps(header, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)
    path.write_bytes(len(head).to_bytes(8, "little") + head + b"".join(blobs))


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
    write_tensors(folder / "model.safetensors", out)


def describe(folder, source, labels, facts, remote):
    """All of the parser's folder but the weights."""
    config = json.loads((source / "config.json").read_text("utf-8"))
    kept = (
        "model_type",
        "hidden_act",
        "hidden_size",
        "num_hidden_layers",
        "num_attention_heads",
        "layer_norm_eps",
    )
    config = {k: config[k] for k in kept}
    config["plainmark"] = {"labels": labels, **facts}
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n", "utf-8")
    (folder / "remote.json").write_text(json.dumps(remote, indent=0) + "\n", "utf-8")
    for name in ("vocab.txt", "tokenizer_config.json"):
        shutil.copyfile(source / name, folder / name)


def fit_remote(sentences, penalty=1.0, rare=4, rounds=60):
    """Weights of a logistic model of pairs of a Scene and a unit, by Adam on all pairs at once."""
    names, rows, truth = Counter(), [], []
    found = []
    for graph in sentences:
        gold = {(u.id, e.child) for u in graph.units for e in u.edges if e.remote and "A" in e.categories}
        for pair in pairs(graph):
            found.append(pair.features)
            names.update(pair.features)
            truth.append((pair.scene, pair.unit) in gold)
    number = {f: i for i, f in enumerate(f for f, n in names.items() if n >= rare)}
    rows = np.concatenate([np.full(len(f), i) for i, f in enumerate(found)])
    columns = np.array([number.get(x, -1) for f in found for x in f])
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
    """Factors that give units of each category as many Scenes, phrases, … inside as there are, by iterative scaling."""
    gold = added(grammar.inside(constituency.spans(s)) for s in sentences)
    found = {}
    for _ in range(rounds):
        rules = grammar.Grammar(parse.labels, found)
        expected = added(rules.chances(scores).inside for _, _, scores in scored)
        for category, row in expected.items():
            change = np.log((gold.get(category, 0 * row) + prior) / (row + prior))
            found[category] = np.round(found.get(category, 0) + change, 3)
    return {category: row.tolist() for category, row in found.items()}


def added(counts):
    total = {}
    for some in counts:
        for category, row in some.items():
            total[category] = total.get(category, 0) + row
    return total


def calibrate(parse, sentences):
    """Factors of the grammar, the threshold with the best sum of labelled F1 and sentences with the right number of Scenes,
    and the threshold with the best remote edges; on passages that were not trained on."""
    given = [g.terminals for g in sentences]
    scored = list(parse._scores(given))
    remote, parse.remote = parse.remote, None
    factors = balance(parse, scored, sentences)
    parse.grammar = grammar.Grammar(parse.labels, factors)

    def graphs(threshold):
        parse.threshold = threshold
        spans = [{} for _ in given]
        for number, offset, scores in scored:
            spans[number] |= parse.decode(scores, offset)
        return parse._graphs(given, spans)

    sums = {}
    for threshold in (0.3, 0.35, 0.4, 0.45):
        found = ucca.evaluate(graphs(threshold), sentences)
        f1, same = 100 * found.edges["labelled", "primary"].f1, 100 * found.same_count / len(sentences)
        sums[threshold] = f1 + same
        ratio = found.scenes.found / found.scenes.gold
        print(
            f"threshold {threshold} F1 {f1:.2f} Scenes {ratio:.3f} of gold, same number {same:.1f}",
            flush=True,
        )
    threshold = max(sums, key=sums.get)
    parsed = graphs(threshold)
    edges = {}
    for level in (0.2, 0.25, 0.3, 0.35, 0.4, 0.5):
        parse.remote = RemoteModel(remote.weights, level)
        found = ucca.evaluate([parse.remote.add(g) for g in parsed], sentences)
        edges[level] = found.edges["labelled", "remote"].f1
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
    passages = read(options.data, "wiki-v1.2.4-train")
    aside = [s for i, p in enumerate(passages) if i % ASIDE == 0 for s in p]
    used = [s for i, p in enumerate(passages) if i % ASIDE for s in p]
    counts = Counter(label for s in used for label in constituency.spans(s).values())
    labels = [label for label, n in counts.most_common() if n >= 3]
    tokenizer = models.encoder("minilm")._tokenizer
    examples = [Example(s, tokenizer, labels) for s in used]
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
    given = (options, tensors, len(labels), examples, states, shared, barrier, result)
    if options.workers == 1:
        train(0, *given)
    else:
        workers = [context.Process(target=train, args=(rank, *given)) for rank in range(options.workers)]
        for w in workers:
            w.start()
        for w in workers:
            w.join()
            if w.exitcode:
                raise SystemExit(w.exitcode)
    for p, mean in zip(model.parameters(), torch.load(result, weights_only=True), strict=True):
        p.data.copy_(mean)
    export(Path(options.output), tensors, model.eval())
    made = {
        "seed": options.seed,
        "minutes": round((time.time() - started) / 60, 1),
        "options": {k: v for k, v in vars(options).items() if k not in ("data", "output", "keep_weights")},
    }
    finish(options, source, labels, used, aside, made)


def finish(options, source, labels, used, aside, made):
    """Completes the folder: remote Participants, calibration on the passages aside, scores on the development passages."""
    folder = Path(options.output)
    facts = made | {"threshold": 0.4}
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
    a.add_argument("--average", type=float, default=0.998, help="decay of the running mean of weights")
    a.add_argument("--seed", type=int, default=1)
    return a.parse_args()


if __name__ == "__main__":
    main()
