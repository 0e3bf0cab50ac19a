"""Tuning: decode, score, find better weights, repeat; any metric can be the objective.

A part of the sentences is held out: the result is the weights whose outputs score best there. Every round's weights are
written to the folder, so that an interrupted run is resumable; each round has its own random generator, so that the result
is the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ...data import Corpus
from ...errors import InputError, OptionError
from ...kernels import Floats
from ...metric import Metric
from ...writing import write_atomically
from ..decoding import Decoder, Prepared
from .optimizers import HOPKINS_MAY, JOSHUA, ascend_expected, rank_pairs
from .pool import CandidatePool, Candidates

STATE = "tuning.json"


@dataclass(frozen=True)
class TuningSettings:
    """Settings of a tuning run; PRESETS has the published ones."""

    method: str = "expected"
    rounds: int = 12
    paths: int = 40  # different outputs per sentence in each round
    beam: int = 30
    held_out: float = 0.2  # share of the sentences that is held out
    patience: int = 3  # rounds without a gain on the held-out part before tuning stops
    interpolation: float = 1.0  # interpolation of the new weights with the previous ones
    normalize_lm: bool = False  # scale weights so that the language model's is 1
    least_lm: float = 0.0  # smallest weight of the language model
    seed: int = 1
    threads: int = 1


PRESETS = {
    "expected": TuningSettings(),
    "joshua": TuningSettings(
        "joshua", rounds=30, paths=300, beam=100, patience=30, interpolation=0.5, normalize_lm=True
    ),
    "hopkins-may": TuningSettings(
        "hopkins-may", rounds=30, paths=300, beam=100, patience=30, interpolation=0.1
    ),
}


@dataclass(frozen=True)
class Round:
    """The metric of a round's best outputs, and its weights."""

    number: int
    train: float
    held_out: float
    unchanged: float  # share of outputs that equal their source
    weights: dict[str, float]


@dataclass(frozen=True)
class Tuned:
    """The weights that scored best on the held-out part, and all rounds."""

    weights: dict[str, float]
    rounds: tuple[Round, ...]
    best: int
    stopped: str


def settings_for(method: str, **changes: Any) -> TuningSettings:
    """A preset with changes."""
    if method not in PRESETS:
        raise OptionError(f"no tuning method {method!r}; expected one of {', '.join(PRESETS)}.")
    return replace(PRESETS[method], **changes)


def tune(
    decoder: Decoder,
    prepared: Prepared,
    corpus: Corpus,
    metric: Metric,
    settings: TuningSettings,
    *,
    folder: Path | None = None,
    start: Mapping[str, float] | None = None,
    progress: Callable[[Round], None] = lambda _: None,
) -> Tuned:
    """Weights that make the decoder's outputs score high; the corpus has sources and references of the prepared sentences."""
    metric.check(corpus)
    if metric.higher_is_better is None:
        raise OptionError(
            f"{metric.name} describes outputs without saying whether high or low is better; it cannot be an objective."
        )
    if len(corpus) < 2:
        raise InputError(f"{len(corpus)} samples to tune on; expected at least 2.")
    run = _Run(decoder, prepared, corpus, metric, settings, start)
    weights = run.vector(decoder.start if start is None else start)
    done = _read_state(folder, run) if folder else []
    rounds: list[Round] = []
    # Weights with too few and with too many changes: without their outputs, the first steps would go in a wrong direction.
    for more in (1.0, 2.0, 4.0) if settings.rounds > 1 else ():
        run.decode(weights + more * run.vector(decoder.more_rewrites))
    for number in range(settings.rounds):
        if number < len(done):
            weights = run.vector(done[number])
        candidates = run.decode(weights)
        rounds.append(run.judge(number, candidates, weights))
        progress(rounds[-1])
        if folder is not None:
            _write_state(folder, run, rounds)
        best = max(rounds, key=lambda r: (r.held_out, -r.number))
        if number - best.number >= settings.patience:
            return Tuned(best.weights, tuple(rounds), best.number, "no gain on the held-out part")
        if number + 1 < settings.rounds:
            weights = run.improve(weights, number)
    best = max(rounds, key=lambda r: (r.held_out, -r.number))
    return Tuned(best.weights, tuple(rounds), best.number, "all rounds done")


class _Run:
    """The parts of a run that stay the same over the rounds."""

    def __init__(
        self,
        decoder: Decoder,
        prepared: Prepared,
        corpus: Corpus,
        metric: Metric,
        settings: TuningSettings,
        start: Mapping[str, float] | None,
    ) -> None:
        self.decoder, self.prepared, self.corpus = decoder, prepared, corpus
        self.metric, self.settings, self.start = metric, settings, start
        self.pool = CandidatePool(corpus, metric, rounds=3 + settings.rounds)
        order = np.random.default_rng(settings.seed).permutation(len(corpus))
        held = max(1, round(settings.held_out * len(corpus))) if settings.held_out > 0 else 0
        self.held_out = np.isin(np.arange(len(corpus)), order[: min(held, len(corpus) - 1)])
        self.sign = 1.0 if metric.higher_is_better else -1.0

    def vector(self, weights: Mapping[str, float]) -> Floats:
        return np.array([weights.get(n, 0.0) for n in self.decoder.names])

    def value(self, stats: Floats) -> float:
        return float(self.sign * self.metric.reduce(stats)[0])

    def decode(self, weights: Floats) -> Candidates:
        named = dict(zip(self.decoder.names, weights.tolist(), strict=True))
        settings = self.settings
        return self.pool.add(
            self.prepared.decode(named, width=settings.beam, paths=settings.paths, threads=settings.threads)
        )

    def judge(self, number: int, candidates: Candidates, weights: Floats) -> Round:
        best = candidates.offsets[:-1]
        stats = candidates.stats[best]
        held = stats[self.held_out] if self.held_out.any() else stats
        named = dict(zip(self.decoder.names, weights.tolist(), strict=True))
        return Round(
            number,
            self.value(stats[~self.held_out].sum(axis=0)),
            self.value(held.sum(axis=0)),
            self.pool.unchanged,
            named,
        )

    def improve(self, weights: Floats, number: int) -> Floats:
        settings = self.settings
        candidates = self.pool.candidates().of(~self.held_out)
        rng = np.random.default_rng([settings.seed, number])
        if settings.method == "expected":
            improved = ascend_expected(
                candidates,
                lambda s: self.sign * self.metric.reduce(s)[..., 0],
                weights,
            )
        else:
            values = self.sign * self.pool.alone.reduce(candidates.sample_stats)[:, 0]
            low, high = self.metric.bounds
            span = high - low if np.isfinite(high - low) else float(np.nanstd(values)) * 4
            pairs = JOSHUA if settings.method == "joshua" else HOPKINS_MAY
            improved = rank_pairs(candidates, np.nan_to_num(values), span, weights, pairs, rng)
        improved = settings.interpolation * improved + (1 - settings.interpolation) * weights
        if settings.normalize_lm and abs(improved[-1]) > 1e-9:
            improved = improved / abs(improved[-1])
        improved[-1] = max(improved[-1], settings.least_lm)
        return improved

    def identity(self) -> dict[str, Any]:
        """What a state file must match for a run to be resumed."""
        settings = asdict(self.settings)
        settings.pop("rounds"), settings.pop("threads"), settings.pop("patience")
        return {
            "objective": self.metric.spec,
            "samples": len(self.corpus),
            "features": list(self.decoder.names),
            "edges": len(self.prepared),
            **({} if self.start is None else {"start": dict(self.start)}),
            **settings,
        }


def _write_state(folder: Path, run: _Run, rounds: list[Round]) -> None:
    state = {"run": run.identity(), "rounds": [asdict(r) for r in rounds]}
    write_atomically(folder / STATE, json.dumps(state, indent=1) + "\n")


def _read_state(folder: Path, run: _Run) -> list[dict[str, float]]:
    """The weights of the finished rounds of an interrupted run with the same settings."""
    path = folder / STATE
    if not path.exists():
        return []
    try:
        state = json.loads(path.read_text("utf-8"))
        same = state["run"] == json.loads(json.dumps(run.identity()))
        return [{str(k): float(v) for k, v in r["weights"].items()} for r in state["rounds"]] if same else []
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"{path}: not the state of a tuning run; remove it to start over.") from None
