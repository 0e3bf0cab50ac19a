"""The few distributions that tests and intervals need, which avoid scipy as a requirement."""

from __future__ import annotations

import math
from functools import cache


def t_tail(t: float, freedom: float) -> float:
    """P(T > t) of Student's t."""
    if math.isnan(t) or freedom <= 0:
        return math.nan
    if math.isinf(t):
        return 0.0 if t > 0 else 1.0
    if t * t < freedom:  # near 0 the other form is more precise
        tail = (1 - beta_share(t * t / (freedom + t * t), 0.5, freedom / 2)) / 2
    else:
        tail = beta_share(freedom / (freedom + t * t), freedom / 2, 0.5) / 2
    return tail if t >= 0 else 1 - tail


@cache
def t_quantile(p: float, freedom: float) -> float:
    """The t that Student's t exceeds with probability 1 - p, for p of at least 0.5; by bisection."""
    low, high = 0.0, 1.0
    while t_tail(high, freedom) > 1 - p:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if t_tail(middle, freedom) > 1 - p else (low, middle)
    return (low + high) / 2


def normal_tail(z: float) -> float:
    """P(Z > z) of the standard normal."""
    return 0.5 * math.erfc(z / math.sqrt(2))


def normal_quantile(p: float) -> float:
    """The z below which a standard normal lies with probability p."""
    from statistics import NormalDist

    return NormalDist().inv_cdf(p)


def binomial_p(right: float, n: float) -> float:
    """Two-sided p-value of a sign test: `right` of n are right, when right and wrong are equally likely."""
    if n <= 0:
        return math.nan
    k = math.ceil(max(right, n - right) - 1e-9)
    return min(1.0, 2 * beta_share(0.5, k, n - k + 1))


def share_interval(right: float, n: float, level: float) -> tuple[float, float]:
    """Wilson's interval of a proportion."""
    if n <= 0:
        return math.nan, math.nan
    z, p = normal_quantile((1 + level) / 2), right / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def beta_share(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b), by Lentz's continued fraction."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_share(1 - x, b, a)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    tiny = 1e-300
    c, d = 1.0, 1 / max(1 - (a + b) * x / (a + 1), tiny)
    fraction = d
    for m in range(1, 1000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        before = fraction
        for step in (even, odd):
            d = 1 / (1 + step * d or tiny)
            c = 1 + step / c or tiny
            fraction *= c * d
        if abs(fraction - before) < 1e-16 * abs(fraction):
            break
    return math.exp(log_front) * fraction / a


def chi_square_tail(value: float, freedom: int) -> float:
    """P(X > value) of chi-square with a whole number of degrees of freedom."""
    if math.isnan(value) or freedom < 1:
        return math.nan
    half = max(value, 0.0) / 2
    if freedom % 2:
        tail, term, start = math.erfc(math.sqrt(half)), math.sqrt(half / math.pi) * 2, 1.5
    else:
        tail, term, start = 0.0, 1.0, 1.0
    for step in range(freedom // 2):
        tail += math.exp(-half) * term
        term *= half / (start + step)
    return min(tail, 1.0)
