"""Log formats of the core: lines of text or JSON objects, each with its request's id.

Secrets are redacted, and no message can forge a line: see ``processes.log_lines``. Must not know what is
logged.
"""

from __future__ import annotations

import json
import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, TextIO

from overpaint.core.configuration import LogFormat
from overpaint.processes.log_lines import TextLines, on_one_line, without_secrets

request_id: ContextVar[str] = ContextVar("overpaint_request_id", default="")
"""Id of the request that the current task serves; else empty."""

_FIELDS = ("method", "path", "status", "milliseconds")


class JsonLines(logging.Formatter):
    """The JSON log format, an object a line: time, level, logger, request_id, message; method, path, status
    and milliseconds of a finished request; exception where there was one.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Returns one line."""
        fields: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "request_id": request_id.get() or None,
            "message": without_secrets(record.getMessage()),
        }
        for name in _FIELDS:
            value = getattr(record, name, None)
            if value is not None:
                fields[name] = without_secrets(value) if isinstance(value, str) else value
        if record.exc_info:
            fields["exception"] = without_secrets(self.formatException(record.exc_info))
        return on_one_line(json.dumps(fields, ensure_ascii=False))


def write_logs(log_format: LogFormat, level: int, target: TextIO | None = None) -> None:
    """Sends all logs of this process to one stream, in one format.

    Args:
        log_format: ``text`` or ``json``.
        level: The lowest level that is written.
        target: The stream; standard error when left out.
    """
    handler = logging.StreamHandler(target or sys.stderr)
    handler.setFormatter(JsonLines() if log_format == "json" else TextLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
