"""The order in which requests are served: clients in turn, one job per client at a time, and small jobs before large ones.

Large jobs never occupy all workers, so that a short text need not wait for a long one. A large job is not postponed for
ever: it is served after a number of small ones.
"""

from __future__ import annotations

from asyncio import Future, get_running_loop
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from anyio import fail_after

T = TypeVar("T")

MAX_PER_CLIENT = 50  # waiting requests per client
_SMALL_BEFORE_LARGE = 8


class BusyError(Exception):
    """Too many requests are waiting already, or one has waited too long."""


class ClientBusyError(BusyError):
    """Too many requests of this client are waiting."""


@dataclass(eq=False)
class _Ticket(Generic[T]):
    """A request that is waiting for a worker."""

    client: str
    large: bool
    worker: Future[T] = field(default_factory=lambda: get_running_loop().create_future())


class FairQueue(Generic[T]):
    """Assigns workers to requests."""

    def __init__(self, workers: Sequence[T], *, max_waiting: int) -> None:
        self._idle: deque[T] = deque(workers)
        self._max_waiting, self._max_large = max_waiting, max(1, len(workers) - 1)
        self._waiting: dict[bool, OrderedDict[str, deque[_Ticket[T]]]] = {
            False: OrderedDict(),
            True: OrderedDict(),
        }
        self._busy: set[str] = set()  # clients whose job is running
        self._large = 0  # number of running jobs
        self._small_since_large = 0

    @asynccontextmanager
    async def slot(self, client: str, *, large: bool, seconds: float) -> AsyncIterator[T]:
        """A worker for one job; waits at most this number of seconds."""
        lane = self._waiting[large]
        own = sum(len(clients.get(client, ())) for clients in self._waiting.values())
        if own >= MAX_PER_CLIENT:
            raise ClientBusyError
        if sum(len(tickets) for clients in self._waiting.values() for tickets in clients.values()) >= (
            self._max_waiting
        ):
            raise BusyError
        ticket: _Ticket[T] = _Ticket(client, large)
        lane.setdefault(client, deque()).append(ticket)
        self._dispatch()
        try:
            with fail_after(seconds):
                worker = await ticket.worker
        except BaseException as error:
            self._withdraw(ticket)
            if isinstance(error, TimeoutError):
                raise BusyError from None
            raise
        try:
            yield worker
        finally:
            self._give_back(ticket, worker)

    def _dispatch(self) -> None:
        while self._idle and (ticket := self._next()):
            self._busy.add(ticket.client)
            self._large += ticket.large
            self._small_since_large = 0 if ticket.large else self._small_since_large + 1
            # The most recently used worker has the most useful cache.
            ticket.worker.set_result(self._idle.pop())

    def _next(self) -> _Ticket[T] | None:
        """Take the next ticket out of its lane."""
        large_first = self._small_since_large >= _SMALL_BEFORE_LARGE
        for large in (large_first, not large_first):
            if large and self._large >= self._max_large:
                continue
            lane = self._waiting[large]
            client = next((c for c in lane if c not in self._busy), None)
            if client is None:
                continue
            ticket = lane[client].popleft()
            if lane[client]:
                lane.move_to_end(client)
            else:
                del lane[client]
            # A request that was cancelled stays in the queue until its task has run.
            return ticket if not ticket.worker.done() else self._next()
        return None

    def _withdraw(self, ticket: _Ticket[T]) -> None:
        """Forget a ticket whose request is gone; a worker that it has just received goes to the next one."""
        if ticket.worker.done() and not ticket.worker.cancelled():
            self._give_back(ticket, ticket.worker.result())
            return
        lane = self._waiting[ticket.large]
        tickets = lane.get(ticket.client)
        if tickets and ticket in tickets:
            tickets.remove(ticket)
            if not tickets:
                del lane[ticket.client]

    def _give_back(self, ticket: _Ticket[T], worker: T) -> None:
        self._busy.discard(ticket.client)
        self._large -= ticket.large
        self._idle.append(worker)
        self._dispatch()
