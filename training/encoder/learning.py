"""Multi-task training: each step is a batch of one task; the result is the running mean of the weights."""

from __future__ import annotations

import copy
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from . import examples, sources
from .network import Network

BATCH = 16  # many small steps, because training is short
RATE, HEAD_RATE = 1e-4, 1e-3
WARM_UP = 60
AVERAGE = 0.995  # decay of the running mean
CHECKPOINT_SECONDS = 600
# percentage of steps for each task
MIX = {"entailment": 32, "altered": 28, "level": 14, "graded": 9, "fluency": 9, "similarity": 8}
# The second phase, which continues from a checkpoint: tasks that are learned slowly, with a rate that falls to zero.
SECOND_MIX = {"entailment": 18, "altered": 14, "level": 13, "graded": 15, "fluency": 20, "similarity": 20}

T = TypeVar("T")


def train(
    start: Path, data: Path, folder: Path, steps: int, seed: int, checkpoint: Path | None = None
) -> None:
    """Train, from a checkpoint if there is one, and write checkpoints to the folder; `last.pt` is the newest."""
    torch.manual_seed(seed)
    rng = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    batches = _tasks(data, rng)
    network = Network(start) if checkpoint is None else load(start, checkpoint)
    network.train()
    teacher = Network(start).eval()
    losses = _losses(network, teacher)
    average = {k: v.detach().clone() for k, v in network.named_parameters() if v.requires_grad}
    optimiser = _optimiser(network)
    decay = checkpoint is not None
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda i: min(1.0, (i + 1) / WARM_UP) * (max(0.02, 1 - i / steps) if decay else 1.0)
    )
    mix = MIX if checkpoint is None else SECOND_MIX
    tasks = [name for name, n in mix.items() for _ in range(n)]
    recent: dict[str, list[float]] = defaultdict(list)
    started = saved = time.monotonic()
    for step in range(1, steps + 1):
        task = rng.choice(tasks)
        loss = losses[task](next(batches[task]))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad()
        schedule.step()
        recent[task].append(float(loss.detach()))
        with torch.no_grad():
            keep = min(AVERAGE, step / (step + 10))
            for name, values in network.named_parameters():
                if name in average:
                    average[name].lerp_(values, 1 - keep)
        if step % 50 == 0:
            shown = "  ".join(f"{k} {np.mean(v[-40:]):.3f}" for k, v in sorted(recent.items()))
            print(f"{step:5d}  {time.monotonic() - started:6.0f} s  {shown}", flush=True)
        if time.monotonic() - saved > CHECKPOINT_SECONDS or step == steps:
            saved = time.monotonic()
            _save(network, average, folder, step)


def load(start: Path, checkpoint: Path) -> Network:
    """The network with the weights of a checkpoint."""
    network = Network(start)
    network.load_state_dict(torch.load(checkpoint, weights_only=True))
    return network.eval()


def _save(network: Network, average: dict[str, Tensor], folder: Path, step: int) -> None:
    weights = copy.copy(network.state_dict()) | average
    torch.save(weights, folder / f"step-{step}.pt")
    torch.save(weights, folder / "last.tmp")
    (folder / "last.tmp").replace(folder / "last.pt")


def _optimiser(network: Network) -> torch.optim.Optimizer:
    body = [p for n, p in network.named_parameters() if p.requires_grad and n.startswith("encoder.")]
    heads = [p for n, p in network.named_parameters() if p.requires_grad and not n.startswith("encoder.")]
    groups = [{"params": body, "lr": RATE}, {"params": heads, "lr": HEAD_RATE}]
    return torch.optim.AdamW(groups, weight_decay=0.01)


def _tasks(data: Path, rng: random.Random) -> dict[str, Iterator[list]]:
    pairs = sources.sentence_pairs(data)
    singles = sources.single_sentences(data)
    levels = examples.level(data)
    rare = _rarity([e.target for e in levels])
    tasks: dict[str, Iterator[list]] = {
        "entailment": _shuffled(examples.entailment(data), rng, _length),
        "altered": _endless(examples.altered(data, pairs, singles, rng), rng),
        "graded": _shuffled(examples.graded(pairs), rng, _length),
        "fluency": _shuffled(examples.fluency(pairs, singles, rng), rng, _length),
        "similarity": _shuffled(examples.similarity(pairs, singles, data), rng, len),
        "level": _weighted(levels, rare, rng),
    }
    return tasks


def _rarity(targets: Sequence) -> list[float]:
    """Weights for drawing examples: the rarer the level, the larger."""
    means = np.rint([np.dot(t, np.arange(1, 7)) for t in targets]).astype(int)
    counts = np.bincount(means, minlength=7)
    return [float(counts[m]) ** -0.5 for m in means]


def _weighted(items: Sequence[T], weights: Sequence[float], rng: random.Random) -> Iterator[list[T]]:
    while True:
        yield rng.choices(items, weights, k=BATCH)


def _shuffled(
    items: Sequence[T], rng: random.Random, length: Callable[[T], int], size: int = BATCH
) -> Iterator[list[T]]:
    """Batches of examples with similar lengths, in a new order at every pass."""
    order = list(items)
    while True:
        rng.shuffle(order)
        for start in range(0, len(order) - size + 1, 20 * size):
            chunk = sorted(order[start : start + 20 * size], key=length)
            batches = [chunk[i : i + size] for i in range(0, len(chunk) - size + 1, size)]
            rng.shuffle(batches)
            yield from batches


def _endless(items: Iterator[examples.Example], rng: random.Random) -> Iterator[list[examples.Example]]:
    while True:
        chunk = sorted(islice(items, 6 * BATCH), key=_length)
        batches = [chunk[i : i + BATCH] for i in range(0, len(chunk), BATCH)]
        rng.shuffle(batches)
        yield from batches


def _length(example: examples.Example) -> int:
    return len(example.source) + len(example.output)


def _losses(network: Network, teacher: Network) -> dict[str, Callable[[list], Tensor]]:
    def pooled(batch: list[examples.Example]) -> tuple[Tensor, Tensor]:
        vectors = network.pooled([e.source for e in batch], [e.output for e in batch])
        return vectors, torch.tensor([e.target for e in batch])

    def entailment(batch: list[examples.Example]) -> Tensor:
        vectors, labels = pooled(batch)
        scores = functional.log_softmax(network.head("entailment", vectors), dim=1)
        # The last label, not entailed, covers both of the other two.
        scores = torch.cat([scores, torch.logsumexp(scores[:, 1:], dim=1, keepdim=True)], dim=1)
        return functional.nll_loss(scores, labels)

    def binary(name: str) -> Callable[[list], Tensor]:
        def loss(batch: list[examples.Example]) -> Tensor:
            vectors, targets = pooled(batch)
            return functional.binary_cross_entropy_with_logits(
                network.head(name, vectors)[:, 0], targets.float()
            )

        return loss

    def level(batch: list[examples.Example]) -> Tensor:
        logits = network.levels([e.source for e in batch])
        targets = torch.tensor([e.target for e in batch])
        cross_entropy = -(targets * functional.log_softmax(logits, dim=1)).sum(1).mean()
        return cross_entropy + 0.5 * functional.mse_loss(_expected(logits), targets @ torch.arange(1.0, 7.0))

    def graded(batch: list[examples.Example]) -> Tensor:
        ordered = [
            (e.source, e.output) if e.target == 1 else (e.output, e.source) for e in batch if e.target != 0.5
        ]
        expected = _expected(network.levels([t for pair in ordered for t in pair])).view(-1, 2)
        # The level of the simpler version should be lower.
        ranking = functional.softplus(2 * (expected[:, 1] - expected[:, 0])).mean()
        return binary("simpler")(batch) + 0.3 * ranking

    def similarity(batch: list[str]) -> Tensor:
        with torch.no_grad():
            target = functional.normalize(teacher.texts(batch)[1], dim=1)
        vectors = functional.normalize(network.texts(batch)[1], dim=1)
        return 20 * (1 - (vectors * target).sum(1)).mean() + 5 * functional.mse_loss(
            vectors @ vectors.T, target @ target.T
        )

    return {
        "entailment": entailment,
        "altered": binary("altered"),
        "fluency": binary("fluency"),
        "level": level,
        "graded": graded,
        "similarity": similarity,
    }


def _expected(logits: Tensor) -> Tensor:
    return functional.softmax(logits, dim=1) @ torch.arange(1.0, 7.0)
