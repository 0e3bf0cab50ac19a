"""A small network for tables of numbers: two hidden layers, sigmoid outputs, trained by Adam on cross-entropy.

It uses only numpy, with a seed and in a fixed order, so that the same data give the same weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..arrays import Reals


@dataclass(frozen=True, eq=False)
class Network:
    """Weights of each layer; inputs are shifted and scaled first."""

    shift: Reals
    scale: Reals
    weights: tuple[Reals, ...]
    biases: tuple[Reals, ...]

    def __call__(self, inputs: Reals) -> Reals:
        """Probabilities, shape (rows, outputs)."""
        hidden: Reals = inputs - self.shift
        hidden *= self.scale
        np.clip(hidden, -6, 6, out=hidden)
        for weight, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            hidden = np.maximum(hidden @ weight + bias, 0)
        return _sigmoid(hidden @ self.weights[-1] + self.biases[-1])

    def arrays(self, prefix: str) -> dict[str, Reals]:
        """The weights by name, for a file."""
        named = {f"{prefix}_shift": self.shift, f"{prefix}_scale": self.scale}
        for k, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            named |= {f"{prefix}_weight{k}": weight, f"{prefix}_bias{k}": bias}
        return named

    @classmethod
    def from_arrays(cls, prefix: str, arrays: dict[str, Reals]) -> Network:
        """The network in these arrays."""
        layers = range(sum(1 for name in arrays if name.startswith(f"{prefix}_weight")))
        return cls(
            arrays[f"{prefix}_shift"],
            arrays[f"{prefix}_scale"],
            tuple(arrays[f"{prefix}_weight{k}"] for k in layers),
            tuple(arrays[f"{prefix}_bias{k}"] for k in layers),
        )


@dataclass(frozen=True, eq=False)
class Ensemble:
    """Networks trained from different initial weights; their prediction is the mean."""

    members: tuple[Network, ...]

    def __call__(self, inputs: Reals) -> Reals:
        """Probabilities, shape (rows, outputs)."""
        mean: Reals = np.mean([member(inputs) for member in self.members], axis=0, dtype=np.float32)
        return mean

    def arrays(self, prefix: str) -> dict[str, Reals]:
        """The weights by name, for a file."""
        named: dict[str, Reals] = {}
        for k, member in enumerate(self.members):
            named |= member.arrays(f"{prefix}{k}")
        return named

    @classmethod
    def from_arrays(cls, prefix: str, arrays: dict[str, Reals]) -> Ensemble | None:
        """The ensemble in these arrays, or None."""
        count = sum(1 for k in range(len(arrays)) if f"{prefix}{k}_shift" in arrays)
        return (
            cls(tuple(Network.from_arrays(f"{prefix}{k}", arrays) for k in range(count))) if count else None
        )


def train_ensemble(
    inputs: Reals, targets: Reals, rng: np.random.Generator, members: int, epochs: int
) -> Ensemble:
    """Several networks for the same task."""
    return Ensemble(tuple(train(inputs, targets, rng, epochs=epochs) for _ in range(members)))


def train(
    inputs: Reals,
    targets: Reals,
    rng: np.random.Generator,
    *,
    hidden: Sequence[int] = (48, 24),
    epochs: int = 12,
    batch: int = 1024,
    rate: float = 2e-3,
    decay: float = 1e-4,
) -> Network:
    """The network that best predicts targets (0..1, shape (rows, outputs)) from inputs."""
    shift = inputs.mean(axis=0)
    scale = 1 / np.maximum(inputs.std(axis=0), 1e-3)
    ready = np.clip((inputs - shift) * scale, -6, 6).astype(np.float32)
    sizes = [inputs.shape[1], *hidden, targets.shape[1]]
    weights = [(rng.standard_normal((a, b)) * np.sqrt(2 / a)).astype(np.float32) for a, b in pairwise(sizes)]
    biases = [np.zeros(b, np.float32) for b in sizes[1:]]
    mean = np.clip(targets.mean(axis=0), 1e-4, 1 - 1e-4)
    biases[-1][:] = np.log(mean / (1 - mean))
    parameters = [*weights, *biases]
    first = [np.zeros_like(p) for p in parameters]
    second = [np.zeros_like(p) for p in parameters]
    steps = epochs * -(-len(ready) // batch)
    step = 0
    for _ in range(epochs):
        order = rng.permutation(len(ready))
        for start in range(0, len(order), batch):
            rows = order[start : start + batch]
            gradients = _gradients(ready[rows], targets[rows], weights, biases)
            step += 1
            pace = rate * 0.5 * (1 + np.cos(np.pi * step / steps))
            for k, (p, g) in enumerate(zip(parameters, gradients, strict=True)):
                first[k] = 0.9 * first[k] + 0.1 * g
                second[k] = 0.999 * second[k] + 0.001 * g * g
                move = (first[k] / (1 - 0.9**step)) / (np.sqrt(second[k] / (1 - 0.999**step)) + 1e-8)
                p -= (pace * (move + (decay * p if p.ndim == 2 else 0))).astype(np.float32)
    return Network(shift.astype(np.float32), scale.astype(np.float32), tuple(weights), tuple(biases))


def _gradients(inputs: Reals, targets: Reals, weights: list[Reals], biases: list[Reals]) -> list[Reals]:
    layers = [inputs]
    for weight, bias in zip(weights[:-1], biases[:-1], strict=True):
        layers.append(np.maximum(layers[-1] @ weight + bias, 0))
    error: Reals = (_sigmoid(layers[-1] @ weights[-1] + biases[-1]) - targets) / np.float32(len(inputs))
    of_weights: list[Reals] = []
    of_biases: list[Reals] = []
    for k in range(len(weights) - 1, -1, -1):
        of_weights.append((layers[k].T @ error).astype(np.float32))
        of_biases.append(error.sum(axis=0, dtype=np.float32))
        if k:
            error = ((error @ weights[k].T) * (layers[k] > 0)).astype(np.float32)
    return [*of_weights[::-1], *of_biases[::-1]]


def _sigmoid(x: Reals) -> Reals:
    return (1 / (1 + np.exp(-np.clip(x, -30, 30)))).astype(np.float32)
