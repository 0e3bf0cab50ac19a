"""Power as a function of the number of people, from simulated studies.

    P(significant) = Phi(a + b sqrt(n)),     as a test statistic grows with the square root of n

is fitted by probit regression to studies simulated near the size at which a power is reached; solved for n, it gives the
people needed, with the interval that the number of studies leaves (delta method).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..distributions import normal_quantile, normal_tail, share_interval

TESTS = ("model", "bootstrap")
_NEAR = 1.6  # the curve is straight within this factor of the people needed


@dataclass(frozen=True)
class PowerPoint:
    """Simulated studies with so many people, and in how many of them each test found the difference."""

    people: int
    studies: int
    model: int
    bootstrap: int

    def share(self, test: str) -> float:
        """The power of a test."""
        return float(getattr(self, test)) / self.studies

    def interval(self, test: str) -> tuple[float, float]:
        """The 95 % interval of the power, from the number of simulated studies."""
        return share_interval(getattr(self, test), self.studies, 0.95)

    def joined(self, more: PowerPoint) -> PowerPoint:
        """These studies and more with as many people."""
        return PowerPoint(
            self.people,
            self.studies + more.studies,
            self.model + more.model,
            self.bootstrap + more.bootstrap,
        )


@dataclass(frozen=True)
class Needed:
    """The people that reach a power, with the 95 % interval that the number of simulated studies leaves."""

    people: int
    low: int
    high: int


def needed_people(
    points: Mapping[int, PowerPoint], test: str, target: float, most_people: int
) -> Needed | None:
    """Where the curve through the shares of significant studies reaches the target; None if beyond what was tried."""
    needed, near = None, list(points.values())
    for _ in range(3):  # the curve is straight only nearby: once more with studies of about that size
        crossing = _crossing(near, test, target)
        if crossing is None:
            break
        needed = crossing
        near = [p for p in points.values() if 1 / _NEAR <= p.people / needed.people <= _NEAR]
    beyond = needed is None or needed.people > most_people or needed.people > 1.3 * max(points)
    return None if beyond else needed


def _crossing(points: Sequence[PowerPoint], test: str, target: float) -> Needed | None:
    """Probit regression of significant studies on sqrt(n), solved for n."""
    if len(points) < 2:
        return None
    x = np.column_stack([np.ones(len(points)), [math.sqrt(p.people) for p in points]])
    studies = np.array([float(p.studies) for p in points])
    share = np.array([(getattr(p, test) + 0.1) / (p.studies + 0.2) for p in points])  # never 0 or 1
    line = np.linalg.lstsq(x, [normal_quantile(s) for s in share], rcond=None)[0]
    for _ in range(50):
        z = np.clip(x @ line, -6, 6)
        mean = np.array([1 - normal_tail(v) for v in z])
        slope = np.exp(-z * z / 2) / math.sqrt(2 * math.pi)
        weight = studies * slope**2 / np.maximum(mean * (1 - mean), 1e-12)
        information = x.T @ (x * weight[:, None]) + 1e-9 * np.eye(2)
        step = np.linalg.solve(information, x.T @ (weight * (share - mean) / np.maximum(slope, 1e-12)))
        line = line + step * min(1.0, 2.0 / float(np.abs(x @ step).max() + 1e-12))
        if np.abs(step).max() < 1e-9:
            break
    if not line[1] > 0:
        return None
    root = (normal_quantile(target) - float(line[0])) / float(line[1])
    gradient = np.array([1.0, root]) / float(line[1])
    half = 1.96 * math.sqrt(float(gradient @ np.linalg.solve(information, gradient)))
    low, people, high = (max(2, math.ceil(max(r, 0.0) ** 2 - 1e-9)) for r in (root - half, root, root + half))
    return Needed(people, low, high)
