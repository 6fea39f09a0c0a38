"""Exception classes of Overpaint, as one shallow tree.

An error carries a code and parameters; ``overpaint.sentences`` has the text. ``str(error)`` is one English
sentence for a user, ``error.mend`` says what to do about it, and ``error.kind`` is stable and machine-
readable; the tree names the usual ones, the rest is in ``sentences``. ``session`` turns errors of a live
stream into state; the command line prints them in one line and exits with 1 (2 for ``UsageError``).

    OverpaintError
    ├── UsageError               the command or the setting itself is wrong
    ├── SourceError              a source cannot be read
    │                            missing, busy, denied, unreadable, lost
    ├── MediaError               a picture or clip file cannot be opened
    │                            missing, denied, unknown, too_large, damaged, too_costly, unavailable
    ├── SinkError                an output cannot be written
    │                            missing, busy, denied, disk_full, unsupported, lost
    ├── LinkError                no connection between two processes: refused, lost, silent
    ├── EngineError              no look can be made of it: unknown_look, bad_reference
    ├── ProcessError             a process does not start
    │                            port_in_use, start_failed, no_display, already_running
    ├── CredentialError          no keyring, or no key in it        no_keyring, no_key
    └── ServiceError             the service refused; ``kind`` is the error type of the specification
        ├── InvalidRequestError      400 invalid_request_error
        ├── AuthenticationError      401 authentication_error
        ├── InsufficientCreditsError 402 insufficient_credits
        ├── NotFoundError            404 not_found
        ├── RateLimitedError         429 rate_limited
        ├── InternalError            500 internal_error
        ├── UpstreamError            502 upstream_error
        ├── SessionClosedError       socket 4003 session_expired or session_closed
        └── UnreachableError         no answer from that address      unreachable
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from overpaint.sentences import SENTENCES, Sentence

Param = str | int | float


class OverpaintError(Exception):
    """Base of every error that Overpaint raises on purpose.

    Args:
        code: Key of its sentence in ``overpaint.sentences``.
        params: Parameters of the sentence and its mend.

    Raises:
        KeyError: There is no such code, which is a bug; a test finds it.
    """

    default_kind: ClassVar[str] = "error"
    _is_of_its_class = False

    def __init__(self, code: str, /, **params: Param) -> None:
        super().__init__(code)
        if code not in SENTENCES:
            raise KeyError(code)
        self.code = code
        self.params: Mapping[str, Param] = params

    @classmethod
    def of(cls, error: OverpaintError) -> Self:
        """A copy of another error in this class, and so with this class's kind."""
        made = cls(error.code, **error.params)
        made._is_of_its_class = error._is_of_its_class or not isinstance(error, cls)
        return made

    @classmethod
    def received(cls, code: str, params: Mapping[str, Any]) -> Self:
        """The error of another process, from its code and parameters.

        Raises:
            ValueError: There is no such code, or its sentence has other parameters.
        """
        sentence = SENTENCES.get(code)
        if sentence is None or sentence.params != params.keys():
            raise ValueError("no such error")
        if not all(isinstance(value, str | int | float) for value in params.values()):
            raise ValueError("parameters of an error are texts and numbers")
        error = cls(code, **params)
        try:
            _ = error.line, error.kind
        except (
            ValueError,
            OverflowError,
        ) as fault:  # a text in place of a number, or a number too large to print
            raise ValueError("parameters of an error fit its sentence") from fault
        return error

    @property
    def kind(self) -> str:
        """The machine-readable kind: the sentence's, or else the class's."""
        return (not self._is_of_its_class and self._filled(self._sentence.kind)) or self.default_kind

    @property
    def mend(self) -> str:
        """What to do about it, as an instruction in English; empty where nothing can be done."""
        return self._filled(self._sentence.mend)

    def __str__(self) -> str:
        return self._filled(self._sentence.text)

    @property
    def _sentence(self) -> Sentence:
        return SENTENCES[self.code]

    def _filled(self, text: str) -> str:
        return text.format(**self.params)

    @property
    def line(self) -> str:
        """The message and its mend as one line, as the command line prints it."""
        text = " ".join(str(self).split())
        return f"{text} {' '.join(self.mend.split())}".strip()


class UsageError(OverpaintError):
    """The command or the setting itself is wrong."""

    default_kind = "usage"


class SourceError(OverpaintError):
    """A source cannot be read."""

    default_kind = "unreadable"


class MediaError(OverpaintError):
    """A picture or clip file cannot be opened.

    Of its kinds, ``unknown`` is an unsupported format, ``too_costly`` more memory or time than is allowed,
    and ``unavailable`` a decoder that cannot be started, where the file is not at fault.
    """

    default_kind = "damaged"


class SinkError(OverpaintError):
    """An output cannot be written."""

    default_kind = "lost"


class LinkError(OverpaintError):
    """No connection between two processes, or desktop and core."""

    default_kind = "lost"


class EngineError(OverpaintError):
    """A look cannot be made."""

    default_kind = "unknown_look"


class ProcessError(OverpaintError):
    """A process does not start."""

    default_kind = "start_failed"


class CredentialError(OverpaintError):
    """No keyring, or no key in it."""

    default_kind = "no_key"


class ServiceError(OverpaintError):
    """The service refused. ``kind`` is the error type of the specification ("Errors")."""

    default_kind = "internal_error"
    status: ClassVar[int] = 500


class InvalidRequestError(ServiceError):
    """Missing or malformed parameters; the message names the field and the rule."""

    default_kind = "invalid_request_error"
    status = 400


class AuthenticationError(ServiceError):
    """Missing, unknown or revoked API key, or session secret."""

    default_kind = "authentication_error"
    status = 401


class InsufficientCreditsError(ServiceError):
    """The balance is too low for the requested model."""

    default_kind = "insufficient_credits"
    status = 402


class NotFoundError(ServiceError):
    """The requested object does not exist, or belongs to another account."""

    default_kind = "not_found"
    status = 404


class RateLimitedError(ServiceError):
    """Too many requests: of one key, of one address, or in the queue of all.

    Args:
        code: As in the base class.
        retry_after_s: Seconds until a retry is useful, for ``Retry-After``.
        params: As in the base class.
    """

    default_kind = "rate_limited"
    status = 429

    def __init__(self, code: str, /, *, retry_after_s: int = 1, **params: Param) -> None:
        super().__init__(code, **params)
        self.retry_after_s = retry_after_s


class InternalError(ServiceError):
    """An internal error of the service."""

    default_kind = "internal_error"
    status = 500


class UpstreamError(ServiceError):
    """The backend is unavailable or rejects the work; the charge is refunded."""

    default_kind = "upstream_error"
    status = 502


class SessionClosedError(ServiceError):
    """The session has expired or was closed (socket close code 4003)."""

    default_kind = "session_closed"
    status = 410


class UnreachableError(ServiceError):
    """The address gives no answer."""

    default_kind = "unreachable"
    status = 503
