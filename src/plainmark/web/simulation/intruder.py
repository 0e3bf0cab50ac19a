"""A stranger who tries to take places and sessions while simulated participants are at work.

Everything comes from one address of the loopback network, at a fixed rate. The stranger knows the ids of real participants, but
not their links: they follow invented links, forge signatures, and send first forms that are otherwise in order.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from .client import BrowserClient, ConnectionLostError
from .participants import PageParser

ADDRESS = "127.66.0.1"
_MAX_OPEN = 100  # requests that wait for a response; more are not sent


@dataclass
class Intruder:
    """One stranger."""

    ports: list[int]
    rate: float  # requests per second
    parameter: str
    participants: int  # whose ids they know
    rng: np.random.Generator
    responses: Counter[str] = field(default_factory=Counter)
    sessions: int = 0  # that they were given

    async def run(self) -> None:
        """Attack until cancelled."""
        loop = asyncio.get_running_loop()
        tasks: set[asyncio.Task[None]] = set()
        due = loop.time()
        try:
            while True:
                due += 2 / self.rate  # an attack is two requests
                await asyncio.sleep(max(0.0, due - loop.time()))
                if len(tasks) < _MAX_OPEN:
                    task = asyncio.create_task(self._attack(sum(self.responses.values())))
                    tasks.add(task)
                    task.add_done_callback(tasks.discard)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _attack(self, number: int) -> None:
        client = BrowserClient(self.ports[number % len(self.ports)], address=ADDRESS)
        known = number % 2
        external = f"simulated-{self.rng.integers(self.participants)}" if known else f"stranger-{number}"
        signature = f"&sig={self.rng.bytes(20).hex()}" if number % 3 else ""
        try:
            page = await self._request(client, "GET", f"/?{self.parameter}={external}{signature}")
            csrf = page.hidden.get("csrf", "")
            form = {"csrf": csrf, "page": "start", "participant": external, "consent": "yes"}
            if signature:
                form["signature"] = self.rng.bytes(20).hex()
            await self._request(client, "POST", "/study", form)
        except ConnectionLostError:
            self.responses["no response"] += 1
        finally:
            client.close()

    async def _request(
        self, client: BrowserClient, method: str, path: str, form: dict[str, str] | None = None
    ) -> PageParser:
        response = await client.request(method, path, form)
        self.responses[f"{method} {response.status}"] += 1
        if response.status == 303 and any(
            name.removeprefix("__Host-").startswith("study-") for name in client.cookies
        ):
            self.sessions += 1
        return PageParser(response.text)
