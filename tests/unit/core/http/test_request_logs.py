"""Logs: JSON objects with what an operator filters by, and never a secret."""

from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Iterator

import pytest

from overpaint.core.http import request_logs
from overpaint.processes.log_lines import TextLines

SECRETS = [
    "ovp_live_0123456789abcdefghijABCDEFGHIJ0123456789abc",
    "ovp_test_0123456789abcdefghijABCDEFGHIJ0123456789abc",
    "/studio/rtk_abcDEF123-_",
    "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD/x=",
    "Authorization: Bearer abc.DEF-123",
    "/v1/realtime/stream?token=abcDEF123",
    "/v1/files/fil_1?expires=1&signature=abcDEF123",
    "postgresql://overpaint:abcDEF123@db.example/overpaint",
    "password=abcDEF123",
    "turn:someone:abcDEF123@turn.example:3478",
]


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    target = io.StringIO()
    request_logs.write_logs("json", logging.INFO, target)
    yield target
    root.handlers[:] = handlers
    root.setLevel(level)


def test_a_line_is_an_object_with_time_level_request_and_message(written: io.StringIO) -> None:
    token = request_logs.request_id.set("req_1")
    logging.getLogger("some.part").info("said %d", 7, extra={"path": "/v1/account", "status": 200})
    request_logs.request_id.reset(token)
    line = json.loads(written.getvalue())
    assert line["level"] == "info" and line["logger"] == "some.part" and line["message"] == "said 7"
    assert line["request_id"] == "req_1" and line["path"] == "/v1/account" and line["status"] == 200
    assert line["time"].endswith("+00:00")


def test_an_exception_stays_within_its_object(written: io.StringIO) -> None:
    try:
        raise ValueError("broken")
    except ValueError:
        logging.getLogger("some.part").exception("failed", exc_info=sys.exc_info())
    assert "ValueError: broken" in json.loads(written.getvalue())["exception"]


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("formatter", [TextLines(), request_logs.JsonLines()], ids=["text", "json"])
def test_no_secret_is_written_whoever_logs_it(secret: str, formatter: logging.Formatter) -> None:
    try:
        raise ValueError(secret)
    except ValueError:
        record = logging.LogRecord("a", logging.ERROR, "", 0, "got %s", (secret,), sys.exc_info())
    line = formatter.format(record)
    for part in ("0123456789", "C2FVsBQ", "abcDEF123", "abc.DEF"):
        assert part not in line


FORGED = "/healthz\n2026-01-31 12:00:00,000 ERROR overpaint.core: the ledger is gone\r\x1b[2J\u2028\u202ex"


@pytest.mark.parametrize("part", ["message", "error", "chained"])
@pytest.mark.parametrize("form", ["text", "json"])
def test_no_stranger_writes_a_line_of_the_log(
    written: io.StringIO, form: request_logs.LogFormat, part: str
) -> None:
    request_logs.write_logs(form, logging.INFO, written)
    log = logging.getLogger("some.part")
    if part == "message":
        log.warning("GET %s", FORGED)
    else:
        try:
            try:
                raise KeyError(FORGED) if part == "chained" else ValueError(FORGED)
            except KeyError as error:
                raise ValueError(FORGED) from error
        except ValueError:
            log.exception("GET %s failed", "/healthz")
    said = written.getvalue()
    assert not set(said) & set("\r\x1b\u2028\u202e")
    first, *others = said.splitlines()
    assert all(line.startswith("    | ") for line in others), said
    if form == "json":
        assert others == [] and json.loads(first)
