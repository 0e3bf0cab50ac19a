"""Limits for readers of files, which depend on the size of a file and not on what it claims.

    line    megabytes of one line or table cell
    ratio   bytes that one packed byte may become, once `free` megabytes are unpacked

A file that is legitimately larger is read with `--limits line=64,ratio=500`, or PLAINMARK_LIMITS in the
environment, which worker processes inherit.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from functools import cache

from .errors import OptionError

VARIABLE = "PLAINMARK_LIMITS"
_MEGABYTE = 2**20


@dataclass(frozen=True)
class Limits:
    """Limits for what readers accept; sizes are in megabytes.

    >>> Limits.parse("line=64").line_bytes
    67108864
    """

    line: int = 4
    ratio: int = 20
    free: int = 8

    @classmethod
    def parse(cls, text: str) -> Limits:
        """Limits from text such as "line=64,ratio=500"; the others keep their defaults."""
        known = {field.name for field in fields(cls)}
        values = {}
        for part in filter(None, text.split(",")):
            name, _, number = part.strip().partition("=")
            if name not in known or not (
                number.isascii() and number.isdigit() and 0 < int(number[:9]) < 10**6
            ):
                raise OptionError(
                    f"limits {part.strip()[:40]!r}: expected {', '.join(f'{k}=N' for k in sorted(known))}"
                    " with whole numbers from 1 up."
                )
            values[name] = int(number)
        return cls(**values)

    @property
    def line_bytes(self) -> int:
        return self.line * _MEGABYTE

    def unpacked_bytes(self, packed: int) -> int:
        """The largest number of bytes that `packed` bytes may unpack to."""
        return max(self.free * _MEGABYTE, self.ratio * packed)


def limits() -> Limits:
    """The limits in force."""
    return _parsed(os.environ.get(VARIABLE, ""))


@cache
def _parsed(text: str) -> Limits:
    return Limits.parse(text)
