"""The network of the UCCA parser's span scores, its loss and its training loop."""

import time

import numpy as np
import torch
import torch.nn.functional as nnf
from torch import nn

from plainmark import kernels
from plainmark.ucca import constituency
from plainmark.ucca.parser import BUCKETS, width_bucket
from plainmark.ucca.words import SHAPES, shape

SIZE, HEADS = 384, 12


class Example:
    """A sentence as numbers: tokens, words, and rows (first word, last word, label) of spans, each with its probability."""

    def __init__(self, words, chart, tokenizer, spans, chances=None):
        ids = [tokenizer.encode(w, add_special_tokens=False).ids[:12] or [100] for w in words]
        self.ids = np.array([101, *(x for word in ids for x in word), 102])
        self.sizes = np.array([len(x) for x in ids])
        self.shapes = np.array([shape(w) for w in words])
        self.chart = np.array(chart, dtype=np.int64)
        self.words = len(ids)
        self.spans = np.array(spans, dtype=np.int64).reshape(-1, 3)
        self.chances = np.ones(len(self.spans), np.float32) if chances is None else chances

    @classmethod
    def gold(cls, graph, tokenizer, labels):
        """The labelled spans of a gold tree, all certain."""
        number = {label: i for i, label in enumerate(labels)}
        spans = [(i, j - 1, number[nearest(x, number)]) for (i, j), x in constituency.spans(graph).items()]
        return cls(graph.words, constituency.in_chart(graph), tokenizer, spans)


def nearest(label, known):
    """The label, or a frequent one with the same ends."""
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
            # One mask per text instead of per span: cheaper, and a span cannot be recognised by its mask.
            keep = torch.full((texts, 1, hidden.shape[2]), 1 - dropout)
            hidden = hidden * (torch.bernoulli(keep) / (1 - dropout)).to(hidden.dtype)
        return self.out(hidden).float()


class Model(nn.Module):
    """The trainable layers of the encoder and the span scores on top of them."""

    def __init__(self, tensors, options, labels):
        super().__init__()
        self.layers = nn.ModuleList(Layer(tensors, i) for i in range(options.frozen, 6))
        self.spans = Spans(options.hidden, labels)
        for name, value in self.spans.named_parameters():
            if f"spans.{name}" in tensors:
                value.data.copy_(tensors[f"spans.{name}"])
        self.options = options

    def forward(self, batch):
        o = self.options
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.training):
            x = nnf.dropout(batch["states"], o.encoder_dropout, self.training)
            if self.training and o.mask:
                x = x * (torch.rand(*x.shape[:2], 1) >= o.mask)
            for layer in self.layers:
                x = layer(x, batch["mask"], o.encoder_dropout)
            words = torch.bmm(batch["pool"], x.float()) + self.spans.shape(batch["shapes"])
            return self.spans(nnf.dropout(words, o.dropout, self.training), batch, o.dropout)


def lower_states(examples, tensors, frozen):
    """The states of each example in the frozen part of the encoder, in 16-bit floats."""
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
    """A batch, padded to the longest example."""
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
    """A value whose gradient is that of the negative log-likelihood of the gold trees per word, and the mean probability of
    the gold spans.

    The gradient of the log partition by a span's score is the span's probability, and every binary tree that crosses no
    gold span has all gold spans, so that the gold side is the sum of their scores and a constant. Spans that teachers
    found weigh as much as they are probable, which is the cross-entropy of the teachers' trees.
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
    gold_scores = scores[text, span, label]
    words = sum(len(e.chart) for e in examples)
    weights = torch.from_numpy(np.concatenate([e.chances for e in examples]))
    loss = ((potential * torch.from_numpy(chances)).sum() - (weights * gold_scores).sum()) / words
    with torch.no_grad():
        span_weights = torch.exp(gold_scores - potential[text, span]) * torch.from_numpy(chances)[text, span]
        sure = (weights * span_weights).sum() / weights.sum()
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
