"""The playground under load: 200 clients send requests without a pause; latency and memory every ten seconds, and the
processor time per answer, which other programs on the machine hardly change.

    python -m benchmarks playground [--people 200] [--seconds 60] [--workers 2] [--hostile]

With --hostile, four clients send 10 KB of repeats without a pause, and one polite client asks for two sentences, with half a
second between a response and the next request. Every client has an address of its own in the loopback network (Linux).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections import Counter
from itertools import product
from pathlib import Path
from string import ascii_lowercase

import numpy as np

HOST = "127.0.0.1"
SOURCE = (
    "The municipal library will be closed from 12 March until 4 April, as the heating must be replaced. "
    "During this period, borrowed items need not be returned, and no charges will accrue. "
    "Patrons who have reserved items may collect them at the Northgate branch. "
    "The reading group convened by Amira Solberg will not take place before 18 April."
)
OUTPUT = (
    "The library is closed from 12 March until 14 April. The heating must be replaced. "
    "You need not return items in this period. You can collect reserved items at the Northgate branch."
)


WORDS = ("".join(letters) for letters in product(ascii_lowercase, repeat=3))
LOOPS = {
    "not": "not " * 2500,
    "A.": "A. " * 3333,
    "distinct": " ".join(f"{word.capitalize()}." for word, _ in zip(WORDS, range(2000), strict=False)),
    "don't": "don't " * 1666,
}
TWO = {
    "source": "The committee resolved to suspend the 12 licences. Nobody objected.",
    "output": "The group decided to stop the 21 licences. Nobody said no.",
}


async def client(
    port: int,
    until: float,
    number: int,
    seen: list[tuple[float, float, int]],
    request: dict[str, object] | None = None,
    pause: float = 0.0,
) -> None:
    """Request an explanation, wait for all of it and repeat, over one connection."""
    standard = {"source": f"{SOURCE} Number {number}.", "output": OUTPUT, "references": [OUTPUT]}
    body = json.dumps(request or standard).encode()
    head = (
        f"POST /api/explain HTTP/1.1\r\nhost: {HOST}:{port}\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\n\r\n"
    ).encode()
    address = (f"127.2.{number // 250}.{number % 250 + 1}", 0)
    reader, writer = await asyncio.open_connection(HOST, port, local_addr=address)
    while time.monotonic() < until:
        began = time.monotonic()
        writer.write(head + body)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = next(
            int(x.partition(":")[2]) for x in answer.lower().split("\r\n") if x.startswith("content-length")
        )
        await reader.readexactly(length)
        seen.append((began, time.monotonic() - began, int(answer.split(" ")[1])))
        await asyncio.sleep(pause)
    writer.close()


def memory(pid: int) -> float:
    """Megabytes of a process and its children."""
    total = 0.0
    for process in [pid, *_children(pid)]:
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                total += int(line.split()[1]) / 1024
    return total


def processor_seconds(pid: int) -> float:
    """Processor time of a process and its children so far."""
    ticks = 0
    for process in [pid, *_children(pid)]:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _children(pid: int) -> list[int]:
    return [int(p) for t in Path(f"/proc/{pid}/task").iterdir() for p in (t / "children").read_text().split()]


async def run(people: int, seconds: float, port: int, pid: int) -> None:
    seen: list[tuple[float, float, int]] = []
    start, used = time.monotonic(), processor_seconds(pid)
    tasks = [asyncio.create_task(client(port, start + seconds, i, seen)) for i in range(people)]
    print(f"{people} clients, each sends its next request as soon as it has a response, {seconds:g} s")
    print(f"{'seconds':>9} {'answers':>8} {'not 200':>8} {'p50 ms':>8} {'p95 ms':>8} {'MB':>8}")
    step = 10 if seconds >= 20 else seconds / 2
    marks = np.arange(step, seconds + 0.001, step)
    for end in marks:
        await asyncio.sleep(max(start + end - time.monotonic(), 0))
        rows = [(t, s) for began, t, s in seen if end - step <= began + t - start < end]
        times = np.array([t for t, _ in rows]) * 1000
        bad = sum(s != 200 for _, s in rows)
        low, high = np.percentile(times, [50, 95]) if len(times) else (np.nan, np.nan)
        print(
            f"{end - step:4.0f}-{end:<4.0f} {len(rows):8} {bad:8} {low:8.0f} {high:8.0f} {memory(pid):8.0f}",
            flush=True,
        )
    await asyncio.gather(*tasks)
    used = processor_seconds(pid) - used
    print(f"{len(seen)} answers, {1000 * used / len(seen):.1f} ms of processor time each")


async def run_hostile(seconds: float, port: int) -> None:
    until = time.monotonic() + seconds
    polite: list[tuple[float, float, int]] = []
    hostile: dict[str, list[tuple[float, float, int]]] = {name: [] for name in LOOPS}
    # Requests with too many sentences are rejected at once; the others follow in loops of their own.
    short = {f"{name}, 450 sentences": " ".join(LOOPS[name].split()[:450]) for name in ("A.", "distinct")}
    hostile |= {name: [] for name in short}
    texts = LOOPS | short
    tasks = [
        client(port, until, 1 + k, hostile[name], {"source": texts[name], "output": texts[name][:-9]})
        for k, name in enumerate(texts)
    ]
    await asyncio.gather(client(port, until, 0, polite, TWO, pause=0.5), *tasks)
    times = np.array([t for _, t, _ in polite]) * 1000
    low, high = np.percentile(times, [50, 95])
    refused = sum(s != 200 for _, _, s in polite)
    print(
        f"polite: {len(polite)} requests, {refused} refused, p50 {low:.0f} ms, p95 {high:.0f} ms, max {times.max():.0f}"
    )
    for name, rows in hostile.items():
        times = np.array([t for _, t, _ in rows]) * 1000
        codes = dict(Counter(s for _, _, s in rows))
        print(f"hostile {name:24} {len(rows):6} requests, p50 {np.median(times):6.0f} ms, responses {codes}")


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks playground",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--hostile", action="store_true")
    options = parser.parse_args(arguments)
    with socket.socket() as free:
        free.bind((HOST, 0))
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "plainmark",
        "serve",
        "--port",
        str(port),
        "--workers",
        str(options.workers),
    ]
    server = subprocess.Popen(command, stdout=subprocess.PIPE)
    try:
        assert server.stdout is not None
        server.stdout.readline()
        warm: list[tuple[float, float, int]] = []
        asyncio.run(client(port, time.monotonic() + 5, 0, warm))
        print("load average", *os.getloadavg())
        if options.hostile:
            asyncio.run(run_hostile(options.seconds, port))
        else:
            asyncio.run(run(options.people, options.seconds, port, server.pid))
    finally:
        server.terminate()
        server.wait(30)
