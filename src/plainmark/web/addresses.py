"""Limits by client address: requests, wrong tokens, connections. Addresses are only in memory."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

from starlette.requests import Request

from ..errors import OptionError

_TRACKED_CLIENTS = 20_000
_FREE_ATTEMPTS = 5  # wrong tokens from one address before it is locked out
_MAX_LOCK_SECONDS = 3600.0


@dataclass
class RateLimiter:
    """A token bucket for each key: at most `burst` requests at once, `per_minute` in the long run."""

    per_minute: float
    burst: float
    clock: Callable[[], float] = time.monotonic
    # Tokens and time of last use by key, the least recently used key first.
    _buckets: dict[str, tuple[float, float]] = field(default_factory=dict)

    def allows(self, key: str) -> bool:
        """Take one token from a key's bucket, if one is left."""
        now = self.clock()
        tokens, last_used = self._buckets.pop(key, (self.burst, now))
        tokens = min(self.burst, tokens + (now - last_used) * self.per_minute / 60)
        self._forget(now)
        self._buckets[key] = (max(tokens - 1, 0.0) if tokens >= 1 else tokens, now)
        return tokens >= 1

    def _forget(self, now: float) -> None:
        """Forget buckets that are full again, and the oldest ones if there are too many."""
        seconds_to_fill = 60 * self.burst / self.per_minute
        while self._buckets:
            oldest = next(iter(self._buckets))
            if len(self._buckets) < _TRACKED_CLIENTS and now - self._buckets[oldest][1] < seconds_to_fill:
                return
            del self._buckets[oldest]


@dataclass
class LockOut:
    """Locks an address out after wrong tokens; the time doubles with each further one. Other addresses are not affected.

    While an address is locked out, the right token is refused as well, so that guessing reveals nothing.
    """

    clock: Callable[[], float] = time.monotonic
    _failures: dict[str, tuple[int, float]] = field(
        default_factory=dict
    )  # address -> number of wrong tokens, time of the last one

    def seconds_left(self, address: str) -> float:
        """Seconds until tokens of an address are checked again."""
        count, last = self._failures.get(address, (0, 0.0))
        return max(0.0, last + self._lock_seconds(count) - self.clock()) if count else 0.0

    def fail(self, address: str) -> float:
        """Count a wrong token; returns how long the address is locked out from now on."""
        now = self.clock()
        count = self._failures.pop(address, (0, 0.0))[0] + 1
        if len(self._failures) >= _TRACKED_CLIENTS:
            del self._failures[next(iter(self._failures))]  # the address whose last wrong token is the oldest
        self._failures[address] = (count, now)
        return self._lock_seconds(count)

    def succeed(self, address: str) -> None:
        """Forget the wrong tokens of an address that sent the right one."""
        self._failures.pop(address, None)

    @staticmethod
    def _lock_seconds(count: int) -> float:
        return 0.0 if count < _FREE_ATTEMPTS else min(2.0 ** (count - _FREE_ATTEMPTS), _MAX_LOCK_SECONDS)


def network_of(address: str) -> str:
    """The network that a rate limit counts for: an IPv6 user has a whole /64 of addresses."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address[:64]
    if parsed.version == 6 and not parsed.ipv4_mapped:
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)


def is_in(address: str, networks: str) -> bool:
    """Whether an address is in one of the networks, which are separated by commas."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(parsed in network for network in _networks(networks))


@cache
def _networks(text: str) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
    return tuple(ipaddress.ip_network(part.strip()) for part in text.split(",") if part.strip())


def check_proxies(addresses: Sequence[str]) -> str:
    """The addresses and networks of trusted proxies, separated by commas as uvicorn takes them."""
    for address in addresses:
        try:
            ipaddress.ip_network(address)
        except ValueError:
            raise OptionError(
                f"--trusted-proxy {address[:60]}: expected an address such as 10.0.0.5 or a network such as 10.0.0.0/24."
            ) from None
    return ",".join(addresses)


def client_network(request: Request) -> str:
    """The network that a request comes from."""
    return network_of(request.client.host if request.client else "")
