"""One tenant beside another at full size, on the real process: ``make bench-tenants``.

An honest tenant's picture is timed alone, then while another account has 80 dripping inputs and 100 pictures
of 63 megapixels under way, without credits and with them.
"""

from __future__ import annotations

import statistics
import time
from pathlib import Path

import httpx
import psutil
import pytest

from helpers.dripping_server import dripping
from helpers.greedy_tenant import GreedyTenant
from helpers.hostile_media import png_bomb
from helpers.served import TRANSFORMS, served, upload
from helpers.small_media import picture

MODEL = "service-image-v1"
PICTURES = 60
DRIPS, BOMBS = 80, 100
FACTOR_MAX = 1.5
BOMB = png_bomb(9000, 7000)


def order(url: str) -> dict[str, str]:
    return {"model": MODEL, "prompt": "pencil sketch", "input_url": url}


def timed(caller: httpx.Client, url: str, count: int = PICTURES) -> list[float]:
    """Seconds of each of some pictures, one after another."""
    times = []
    for _ in range(count):
        since = time.monotonic()
        answer = caller.post(TRANSFORMS, json=order(url))
        assert answer.status_code == 200, answer.text
        times.append(time.monotonic() - since)
    return times


@pytest.mark.parametrize("credits", [0, 100_000], ids=["without credits", "with credits"])
def test_an_honest_tenant_beside_a_greedy_one(tmp_path: Path, credits: int) -> None:
    with served(tmp_path / "data", "--allow-private-urls") as service, dripping() as drips:
        honest, greedy = service.caller("honest", 1000), service.key("greedy", credits)
        url = str(upload(honest, picture(1280, 960, "JPEG"))["url"])
        timed(honest, url, 3)  # a warm worker, compiled looks
        alone = timed(honest, url)
        bomb = str(upload(service.client(greedy), BOMB)["url"])
        attack = GreedyTenant(service.url, greedy, (MODEL, DRIPS, drips.url), (MODEL, BOMBS, bomb))
        beside = timed(honest, url)
        codes = attack.end()
        quiet, loud = statistics.median(alone), statistics.median(beside)
        print(
            f"\ncredits {credits}: alone {quiet:.2f} s (worst {max(alone):.2f}), "
            f"beside {loud:.2f} s (worst {max(beside):.2f}): {loud / quiet:.2f} ×; {codes}; "
            f"load {psutil.getloadavg()[0]:.1f} on {psutil.cpu_count()}"
        )
        statuses = {code.split()[1] for code in codes}
        assert {"402"} <= statuses <= {"402", "429"} if not credits else "429" in statuses
        assert loud <= FACTOR_MAX * quiet
