"""Exception classes of Overpaint, as one shallow tree.

Every error says, in one sentence for a user, what is wrong (``str(error)``) and, where there is
something to do, how to mend it (``error.mend``). ``kind`` is stable and machine-readable.
Errors are raised at I/O and turned into state once, in ``session``; the command line prints them
in one line and exits with 1 (2 for ``UsageError``). This module imports nothing of Overpaint.

    OverpaintError
    ├── UsageError               the command or the setting itself is wrong
    ├── SourceError              a picture cannot be taken in
    │                            missing, busy, denied, unreadable, lost
    ├── MediaError               a picture or clip file cannot be opened
    │                            missing, denied, unknown, too_large, damaged, too_costly, unavailable
    ├── SinkError                a picture cannot be handed out
    │                            missing, busy, denied, disk_full, unsupported, lost
    ├── LinkError                frames do not cross: refused, lost, silent
    ├── EngineError              no look can be made of it: unknown_look, bad_reference
    ├── ProcessError             a process does not start
    │                            port_in_use, start_failed, no_display, already_running
    ├── CredentialError          no keyring, or no key in it        no_keyring, no_key
    └── ServiceError             the service said no; ``kind`` is the error type of the specification
        ├── InvalidRequestError      400 invalid_request_error
        ├── AuthenticationError      401 authentication_error
        ├── InsufficientCreditsError 402 insufficient_credits
        ├── NotFoundError            404 not_found
        ├── RateLimitedError         429 rate_limited
        ├── InternalError            500 internal_error
        ├── UpstreamError            502 upstream_error
        ├── SessionClosedError       socket 4003 session_expired or session_closed
        └── UnreachableError         nobody answers at that address   unreachable
"""

from __future__ import annotations

from typing import ClassVar


class OverpaintError(Exception):
    """Base of every error that Overpaint raises on purpose.

    Args:
        message: One sentence, for a user.
        kind: Stable machine-readable name; the class's default when left out.
        mend: What to do about it, as an instruction; empty when nothing can be done.
    """

    default_kind: ClassVar[str] = "error"

    def __init__(self, message: str, *, kind: str | None = None, mend: str = "") -> None:
        super().__init__(message)
        self.kind = kind or self.default_kind
        self.mend = mend

    @property
    def line(self) -> str:
        """The message and its mend as one line, as the command line prints it."""
        text = " ".join(str(self).split())
        return f"{text} {' '.join(self.mend.split())}".strip()


class UsageError(OverpaintError):
    """The command or the setting itself is wrong."""

    default_kind = "usage"


class SourceError(OverpaintError):
    """A picture cannot be taken in. Kinds: missing, busy, denied, unreadable, lost."""

    default_kind = "unreadable"


class MediaError(OverpaintError):
    """A picture or clip file cannot be opened.

    Kinds: missing, denied, unknown (of a kind that is not taken), too_large, damaged, too_costly (more memory
    or time than is allowed), unavailable (no decoder can be had; the file is not at fault).
    """

    default_kind = "damaged"


class SinkError(OverpaintError):
    """A picture cannot be handed out. Kinds: missing, busy, denied, disk_full, unsupported, lost."""

    default_kind = "lost"


class LinkError(OverpaintError):
    """Frames do not cross between desktop and core. Kinds: refused, lost, silent."""

    default_kind = "lost"


class EngineError(OverpaintError):
    """No look can be made of this. Kinds: unknown_look, bad_reference, bad_model, net_failed, too_slow."""

    default_kind = "unknown_look"


class ProcessError(OverpaintError):
    """A process does not start. Kinds: port_in_use, start_failed, no_display, already_running."""

    default_kind = "start_failed"


class CredentialError(OverpaintError):
    """No keyring, or no key in it. Kinds: no_keyring, no_key."""

    default_kind = "no_key"


class ServiceError(OverpaintError):
    """The service said no. ``kind`` is the error type of the specification ("Errors")."""

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
    """There is no such thing, or it belongs to another account."""

    default_kind = "not_found"
    status = 404


class RateLimitedError(ServiceError):
    """Too many requests with one key, from one address, or for all that can wait at once.

    Args:
        message: One sentence, for a user.
        retry_after_s: Seconds until it is worth another try, as ``Retry-After`` says them.
        kind: As of its base.
        mend: As of its base.
    """

    default_kind = "rate_limited"
    status = 429

    def __init__(
        self, message: str, *, retry_after_s: int = 1, kind: str | None = None, mend: str = ""
    ) -> None:
        super().__init__(message, kind=kind, mend=mend)
        self.retry_after_s = retry_after_s


class InternalError(ServiceError):
    """A fault of the service itself."""

    default_kind = "internal_error"
    status = 500


class UpstreamError(ServiceError):
    """The backend is unavailable or rejects the work; credits are given back."""

    default_kind = "upstream_error"
    status = 502


class SessionClosedError(ServiceError):
    """The session has expired or was closed (socket close code 4003)."""

    default_kind = "session_closed"
    status = 410


class UnreachableError(ServiceError):
    """Nobody answers at that address."""

    default_kind = "unreachable"
    status = 503
