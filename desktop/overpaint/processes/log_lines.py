"""Log lines as text, for every program of Overpaint: one line per record, without secrets.

Messages contain untrusted text: a line feed in a path must not forge a log line (CWE-117), nor an escape
sequence act on a terminal. So control characters are escaped here for all loggers, and only the lines of a
traceback begin with a bar. Keys, tokens, signatures and passwords in urls are redacted. Quick to import. Must
not know what is logged.
"""

from __future__ import annotations

import logging
import re

FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_BAR = "\n    | "
_BLOT = "***"
_SECRETS = (
    re.compile(r"(?<=ovp_live_)\w+|(?<=ovp_test_)\w+"),
    re.compile(r"(?<=rtk_)[\w-]+"),
    re.compile(r"(?<=whsec_)[\w+/=-]+"),
    re.compile(r"(?i)(?<=bearer )[\w.~+/=-]+"),
    re.compile(r"(?i)(?<=token=)[^&\s\"']+|(?<=signature=)[^&\s\"']+|(?<=password=)[^&\s\"']+"),
    re.compile(r"(?<=://)[^/\s:@]*:[^/\s]*(?=@)"),
    re.compile(r"(?<=turn:)[^@/\s:]*:[^@\s]*(?=@)|(?<=turns:)[^@/\s:]*:[^@\s]*(?=@)"),
)
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control characters of ASCII and Latin-1; Unicode's line ends and direction marks."""


def without_secrets(text: str) -> str:
    """Redacts secrets in a text."""
    for pattern in _SECRETS:
        text = pattern.sub(_BLOT, text)
    return text


def on_one_line(text: str) -> str:
    """Escapes control characters in a text, as Python and (beyond ASCII) JSON do."""

    def escaped(found: re.Match[str]) -> str:
        return ascii(found[0])[1:-1] if found[0].isascii() else f"\\u{ord(found[0]):04x}"

    return _CONTROLS.sub(escaped, text)


class TextLines(logging.Formatter):
    """The log format ``2026-01-31 12:00:00,000 INFO overpaint.core.http.metrics: …``."""

    def __init__(self) -> None:
        super().__init__(FORMAT)

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Returns the line without a traceback."""
        return without_secrets(on_one_line(super().formatMessage(record)))

    def formatException(self, ei: object) -> str:
        """Returns a traceback, with a bar before each line."""
        return self._barred(super().formatException(ei))  # type: ignore[arg-type]

    def formatStack(self, stack_info: str) -> str:
        """Returns a stack, with a bar before each line."""
        return self._barred(stack_info)

    def _barred(self, text: str) -> str:
        lines = (without_secrets(on_one_line(line)) for line in text.split("\n"))
        return (_BAR + _BAR.join(lines))[1:]
