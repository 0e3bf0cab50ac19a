"""The playground under load: 200 clients send requests without a pause; latency and memory every ten seconds.

python -m benchmarks playground [--people 200] [--seconds 60] [--workers 2]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
import subprocess
import sys
import time
from pathlib import Path

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


async def client(port: int, until: float, number: int, seen: list[tuple[float, float, int]]) -> None:
    """Request an explanation, wait for all of it and repeat, over one connection."""
    body = json.dumps(
        {"source": f"{SOURCE} Number {number}.", "output": OUTPUT, "references": [OUTPUT]}
    ).encode()
    head = (
        f"POST /api/explain HTTP/1.1\r\nhost: {HOST}:{port}\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\n\r\n"
    ).encode()
    reader, writer = await asyncio.open_connection(HOST, port)
    while time.monotonic() < until:
        began = time.monotonic()
        writer.write(head + body)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = next(
            int(x.partition(":")[2]) for x in answer.lower().split("\r\n") if x.startswith("content-length")
        )
        await reader.readexactly(length)
        seen.append((began, time.monotonic() - began, int(answer.split(" ")[1])))
    writer.close()


def memory(pid: int) -> float:
    """Megabytes of a process and its children."""
    total = 0.0
    for process in [pid, *_children(pid)]:
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                total += int(line.split()[1]) / 1024
    return total


def _children(pid: int) -> list[int]:
    return [int(p) for t in Path(f"/proc/{pid}/task").iterdir() for p in (t / "children").read_text().split()]


async def run(people: int, seconds: float, port: int, pid: int) -> None:
    seen: list[tuple[float, float, int]] = []
    start = time.monotonic()
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


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks playground",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--workers", type=int, default=2)
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
        asyncio.run(run(options.people, options.seconds, port, server.pid))
    finally:
        server.terminate()
        server.wait(30)
