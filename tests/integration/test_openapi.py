"""The OpenAPI document is true: schemathesis, with every check it has, finds no answer that it does not
describe. Some examples with the suite; thousands by ``make test-api`` (OVERPAINT_API_EXAMPLES)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from helpers import running_service
from helpers.schemathesis_hooks import PICTURE
from helpers.scripted_transformer import ScriptedTransformer
from overpaint.core.clock import Clock
from overpaint.core.configuration import ServiceConfig
from overpaint.transforms.task import Inspection
from overpaint.wire.media_limits import Kind

EXAMPLES = int(os.environ.get("OVERPAINT_API_EXAMPLES", "6"))


class ObligingTransformer(ScriptedTransformer):
    """Takes every file for what the model wants: a schema cannot say what an address leads to."""

    async def inspect(self, source: Path, kind: Kind, *, tenant: str = "") -> Inspection:
        return Inspection(kind, "image/png", 96, 64, 0.0, 1)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[running_service.RunningService]:
    # The one address that is sure to answer is the service's own, which is on loopback.
    config = ServiceConfig(rate_per_second=1e6, rate_burst=10**6, allow_private_urls=True)
    with running_service.running_service(
        tmp_path, Clock(), config=config, transformer=ObligingTransformer()
    ) as running:
        yield running


@pytest.mark.full
def test_every_answer_is_described(service: running_service.RunningService, tmp_path: Path) -> None:
    key = {"Authorization": f"Bearer {service.key(credits=10**9)}"}
    uploaded = httpx.post(f"{service.url}/v1/files", headers=key, files={"file": PICTURE}).json()
    environment = {
        **os.environ,
        "SCHEMATHESIS_HOOKS": "helpers.schemathesis_hooks",
        "PYTHONPATH": str(Path(__file__).resolve().parents[1]),
        "OVERPAINT_EXAMPLE_URL": uploaded["url"],
    }
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{service.url}/openapi.json"]
    command += ["--checks", "all", "--max-examples", str(EXAMPLES), "--seed", "1", "--no-color"]
    command += ["--header", f"Authorization: {key['Authorization']}"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=1200
    )
    print(done.stdout[-1500:])
    assert done.returncode == 0, done.stdout[-12000:] + done.stderr[-2000:]


def test_every_route_is_described(service: running_service.RunningService) -> None:
    document = httpx.get(f"{service.url}/openapi.json").json()
    assert set(document["paths"]) == {
        "/healthz",
        "/metrics",
        "/v1/account",
        "/v1/account/grants",
        "/v1/realtime/sessions",
        "/v1/transforms",
        "/v1/transforms/{id}",
        "/v1/transforms/{id}/cancel",
        "/v1/files",
        "/v1/files/{id}",
        "/v1/rtc/{room}/whip",
        "/v1/rtc/{room}/whep",
        "/v1/rtc/{room}/resources/{resource}",
    }, "a new route joins this list, and docs/service.md"
    assert "HTTPValidationError" not in str(document), "a malformed request is always 400"


def test_the_page_needs_nothing_from_elsewhere(service: running_service.RunningService) -> None:
    page = httpx.get(f"{service.url}/docs")
    assert page.status_code == 200 and page.headers["content-type"].startswith("text/html")
    assert "POST /v1/transforms" in page.text and "insufficient_credits" in page.text
    for fetched in ("<script", "src=", "<link", "@import"):
        assert fetched not in page.text
