"""A tenant who keeps many requests under way until its standard input ends; then it tells their statuses.

Arguments: URL KEY, then MODEL COUNT INPUT_URL, any number of times. A process of its own, so that it shares
nothing but the machine with whoever is timed beside it.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import httpx

from overpaint.processes.children import set_priority

PATIENCE_S = 30.0
WARM_UP_S = 10.0


class GreedyTenant:
    """The process, as a test has it.

    Args:
        url: Of the service.
        key: API key.
        orders: Model, how many at once, and input.
    """

    def __init__(self, url: str, key: str, *orders: tuple[str, int, str]) -> None:
        words = [str(word) for order in orders for word in order]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "helpers.greedy_tenant", url, key, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parent.parent,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"begun\n"

    def end(self) -> dict[str, int]:
        """Ends it; the answers that it had, by model and status."""
        told: dict[str, int] = json.loads(self._process.communicate(timeout=60)[0])
        return told


async def _order(client: httpx.AsyncClient, model: str, url: str, codes: Counter[str]) -> None:
    while True:
        wait_s = 0.5
        try:
            body = {"model": model, "prompt": "pencil sketch", "input_url": url}
            answer = await client.post("/v1/transforms", json=body)
            codes[f"{model} {answer.status_code}"] += 1
            wait_s = float(answer.headers.get("retry-after", 0.5))
        except httpx.TransportError as error:
            codes[f"{model} {type(error).__name__}"] += 1
        await asyncio.sleep(wait_s)


async def _run(url: str, key: str, words: list[str]) -> Counter[str]:
    codes: Counter[str] = Counter()
    many = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(
        base_url=url, headers=headers, trust_env=False, timeout=PATIENCE_S, limits=many
    ) as client:
        tasks = [
            asyncio.create_task(_order(client, words[at], words[at + 2], codes))
            for at in range(0, len(words), 3)
            for _ in range(int(words[at + 1]))
        ]
        await asyncio.sleep(WARM_UP_S)
        print("begun", flush=True)
        await asyncio.to_thread(sys.stdin.read)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return codes


if __name__ == "__main__":
    # What it computes itself would be done on another machine, and is not what is timed: it stands back
    # behind the workers too, which have that priority themselves.
    set_priority("background")
    if sys.platform == "linux":
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    print(json.dumps(asyncio.run(_run(sys.argv[1], sys.argv[2], sys.argv[3:]))))
