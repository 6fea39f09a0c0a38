"""One tenant beside another at full size, on the real process: ``make bench-tenants``.

An honest tenant's picture is timed alone, then while another account has 80 dripping inputs and 100 pictures
of 63 megapixels under way, without credits and with them.
"""

from __future__ import annotations

import statistics
import threading
import time
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import httpx
import psutil
import pytest

from helpers.dripping_server import dripping
from helpers.hostile_media import png_bomb
from helpers.served import TRANSFORMS, Served, balance, served, upload
from helpers.small_media import picture

PICTURES = 15
DRIPS, BOMBS = 80, 100
FACTOR_MAX = 1.5
BOMB = png_bomb(9000, 7000)


def order(url: str) -> dict[str, str]:
    return {"model": "service-image-v1", "prompt": "pencil sketch", "input_url": url}


def timed(caller: httpx.Client, url: str, count: int = PICTURES) -> list[float]:
    """Seconds of each of some pictures, one after another."""
    times = []
    for _ in range(count):
        since = time.monotonic()
        answer = caller.post(TRANSFORMS, json=order(url))
        assert answer.status_code == 200, answer.text
        times.append(time.monotonic() - since)
    return times


class Attack:
    """Keeps so many drips and bombs under way until it is stopped."""

    def __init__(self, service: Served, key: str, drip_url: str) -> None:
        self.codes: Counter[str] = Counter()
        self._stop = threading.Event()
        self._headers = {"Authorization": f"Bearer {key}"}
        self._url, self._drip_url = service.url, drip_url
        with httpx.Client(base_url=service.url, headers=self._headers, trust_env=False) as client:
            self._bomb_url = str(upload(client, BOMB)["url"])
        self._threads = ThreadPoolExecutor(DRIPS + BOMBS)
        self._tasks: list[Future[None]] = []

    def __enter__(self) -> Attack:
        for number in range(DRIPS + BOMBS):
            drips = number < DRIPS
            url = self._drip_url if drips else self._bomb_url
            self._tasks.append(self._threads.submit(self._send, "drip" if drips else "bomb", url))
        time.sleep(5)
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._threads.shutdown()
        for task in self._tasks:
            task.result()

    def _send(self, kind: str, url: str) -> None:
        with httpx.Client(base_url=self._url, headers=self._headers, trust_env=False, timeout=30) as client:
            while not self._stop.is_set():
                try:
                    answer = client.post(TRANSFORMS, json=order(url))
                except httpx.TimeoutException:
                    self.codes[f"{kind} no answer"] += 1
                    continue
                self.codes[f"{kind} {answer.status_code}"] += 1
                self._stop.wait(float(answer.headers.get("retry-after", 0.5)))


@pytest.mark.parametrize("credits", [0, 100_000], ids=["without credits", "with credits"])
def test_an_honest_tenant_beside_a_greedy_one(tmp_path: Path, credits: int) -> None:
    with served(tmp_path / "data", "--allow-private-urls") as service, dripping() as drips:
        honest, greedy = service.caller("honest", 1000), service.key("greedy", credits)
        url = str(upload(honest, picture(1280, 960, "JPEG"))["url"])
        timed(honest, url, 3)  # a warm worker, compiled looks
        alone = timed(honest, url)
        with Attack(service, greedy, drips.url) as attack:
            beside = timed(honest, url)
        quiet, loud = statistics.median(alone), statistics.median(beside)
        print(
            f"\ncredits {credits}: alone {quiet:.2f} s (worst {max(alone):.2f}), "
            f"beside {loud:.2f} s (worst {max(beside):.2f}): {loud / quiet:.2f} ×; {dict(attack.codes)}; "
            f"load {psutil.getloadavg()[0]:.1f} on {psutil.cpu_count()}"
        )
        if not credits:
            assert {code.split()[1] for code in attack.codes} <= {"402", "429"}  # 429: the rate of its key
        left = balance(service.client(greedy))
        assert left <= credits - 2 * attack.codes["bomb 200"]
        assert loud <= FACTOR_MAX * quiet
