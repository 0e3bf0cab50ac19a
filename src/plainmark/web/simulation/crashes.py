"""When servers crash: at random moments that are spread evenly over the participants' work."""

from __future__ import annotations

import asyncio

import numpy as np

_FIRST, _LAST = (
    0.02,
    0.75,
)  # shares of the work between which crashes happen: someone must be at work after the last
_MAX_DELAY = 0.05  # seconds from an acknowledgement to the crash, so that it meets requests at any point


class CrashPlan:
    """A crash for each of equal parts of the work; nobody sends more while a crash is due that could not happen yet."""

    def __init__(self, crashes: int, participants: int, pages: int, rng: np.random.Generator) -> None:
        self.pages = pages  # that a participant answers who stays to the end
        self._rng = rng
        part = (_LAST - _FIRST) / max(crashes, 1)
        self._left = [_FIRST + part * (k + rng.random()) for k in range(crashes)]
        self._done = np.zeros(participants)  # the share of each participant's pages that is acknowledged
        self._advanced = False  # whether anything was acknowledged since the last crash
        self._due, self._may_send = asyncio.Event(), asyncio.Event()
        self._may_send.set()

    def advance(self, participant: int, share: float) -> None:
        """Note how much of a participant's work is acknowledged."""
        self._done[participant] = share
        self._advanced = True
        if self._left and self._done.mean() >= self._left[0]:
            self._due.set()
            self._may_send.clear()

    async def may_send(self) -> None:
        """Wait until no crash is due."""
        await self._may_send.wait()

    def end(self) -> None:
        """Note that nobody is at work any more: no further crash will be due."""
        self._left.clear()
        self._due.set()

    async def next(self) -> bool:
        """Wait for the moment of the next crash; False if there is none."""
        while self._left:
            await self._due.wait()
            self._due.clear()
            self._may_send.set()
            if self._left and self._advanced:
                del self._left[0]
                self._advanced = False
                await asyncio.sleep(float(self._rng.uniform(0, _MAX_DELAY)))
                return True
        return False
