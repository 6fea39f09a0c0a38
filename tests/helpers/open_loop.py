"""Sends requests at fixed times, answered or not: arguments URL KEY "METHOD what" RATE SECONDS; JSON out."""

from __future__ import annotations

import asyncio
import json
import sys
import time

import httpx

PATHS = {"GET account": "/v1/account", "POST sessions": "/v1/realtime/sessions"}


async def run(url: str, key: str, what: str, rate: float, seconds: float) -> dict[str, float]:
    """Delays are counted from the time at which a request was due."""
    delays: list[float] = []
    failed = 0
    method = what.split()[0]
    body = {"json": {"model": "service-realtime-720p"}} if method == "POST" else {}
    limits = httpx.Limits(max_connections=256, max_keepalive_connections=256)
    async with httpx.AsyncClient(
        headers={"Authorization": f"Bearer {key}"}, trust_env=False, limits=limits, timeout=30
    ) as client:

        async def one(due: float) -> None:
            nonlocal failed
            answer = await client.request(method, url + PATHS[what], **body)
            delays.append(time.perf_counter() - due)
            failed += not answer.is_success

        began = time.perf_counter()
        async with asyncio.TaskGroup() as sent:
            for number in range(int(rate * seconds)):
                due = began + number / rate
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
                sent.create_task(one(due))
        took = time.perf_counter() - began
    delays.sort()
    at = {name: delays[min(len(delays) - 1, int(len(delays) * part))] * 1e3 for name, part in PARTS.items()}
    return {"rps": len(delays) / took, "failed": failed, **at}


PARTS = {"p50_ms": 0.5, "p99_ms": 0.99}

if __name__ == "__main__":
    address, key, what, rate, seconds = sys.argv[1:]
    print(json.dumps(asyncio.run(run(address, key, what, float(rate), float(seconds)))))
