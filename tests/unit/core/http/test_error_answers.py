"""Error answers: what a request may leave in the log."""

from __future__ import annotations

import logging

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message

from overpaint.core.http.error_answers import RequestIds
from overpaint.core.http.metrics import Metrics


async def test_a_path_of_any_length_takes_one_short_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        pass

    scope = {"type": "http", "method": "GET", "path": "/" + "x" * 30_000, "headers": []}
    with caplog.at_level(logging.INFO):
        await RequestIds(PlainTextResponse("no", 404), Metrics())(scope, receive, send)
    (line,) = caplog.records
    assert len(line.getMessage()) < 400 and "(30001 characters)" in line.getMessage()
    assert len(line.__dict__["path"]) < 300
