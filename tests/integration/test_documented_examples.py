"""The documents' examples: each is run, as it stands, against a running service."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from helpers import small_media
from helpers.processes import until
from helpers.served import Served, say
from overpaint.client import ServiceClient

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "service.md").read_text(encoding="utf-8")
ADDRESS, HOOK_PORT = "http://127.0.0.1:8787", "9000"


def example(containing: str, service: Served) -> str:
    """The one block of Python with these words, at the running service's address."""
    (code,) = [block for block in re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL) if containing in block]
    return str(code).replace(ADDRESS, service.url)


def run(code: str, folder: Path, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_each_example_is_about_ten_lines_long() -> None:
    blocks = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    assert len(blocks) == 3
    for block in blocks:
        lines = [line for line in block.splitlines() if line.strip()]
        assert len(lines) <= 12, block


@pytest.mark.full
def test_a_session_is_created(public: Served, tmp_path: Path) -> None:
    key = public.key("readme session", 25)
    told = run(example("create_session", public), tmp_path, OVERPAINT_API_KEY=key)
    assert re.fullmatch(r"ws://127\.0\.0\.1:\d+/v1/realtime/stream\?token=\S+\n", told)


@pytest.mark.full
def test_a_file_is_transformed(public: Served, tmp_path: Path) -> None:
    (tmp_path / "cat.jpg").write_bytes(small_media.picture(form="JPEG"))
    key = public.key("readme transform", 10)
    told = run(example("restyle", public), tmp_path, OVERPAINT_API_KEY=key)
    assert told == "cat in ink.jpg 2 8\n"
    assert (tmp_path / "cat in ink.jpg").stat().st_size > 500


@pytest.mark.full
def test_a_webhook_is_received(public: Served, tmp_path: Path) -> None:
    key = public.key("readme webhook", 10)
    secret = say("webhooks", "secret", "--account", "readme webhook", *public.place).strip()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (tmp_path / "a.png").write_bytes(small_media.picture())
    log = tmp_path / "log"
    with log.open("wb") as told:
        receiver = subprocess.Popen(
            [sys.executable, "-c", example("standardwebhooks", public).replace(HOOK_PORT, str(port))],
            stdout=told,
            stderr=subprocess.STDOUT,
            env=os.environ | {"OVERPAINT_WEBHOOK_SECRET": secret},
        )
    try:
        until(lambda: answers(port), what=log.read_text)
        job = asyncio.run(bought(public.url, key, tmp_path / "a.png", f"http://127.0.0.1:{port}/hook"))
        until(lambda: f"transform.succeeded {job}" in log.read_text(), what=log.read_text)
    finally:
        receiver.kill()
        receiver.wait(10)


def answers(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}", trust_env=False).status_code == 501
    except httpx.TransportError:
        return False


async def bought(url: str, key: str, path: Path, webhook_url: str) -> str:
    """Buys a transform with a webhook; where its output lies, without the signature, which may differ."""
    async with ServiceClient(url, key) as client:
        file = await client.upload(path)
        job = await client.transform("service-image-v1", "ink comic", file.url, webhook_url)
    assert job.output_url is not None
    return job.output_url.partition("?")[0]
