"""API keys of remote services in the system's keyring. The only importer of keyring.

A keyring may be missing, locked, or ask the user and block; so each question is asked in a thread
with a time limit. Nothing is ever kept in a file instead. Its library is loaded when it is first asked:
who uses this computer's own service never needs it. Must not know the services.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from typing import TypeVar

from overpaint.errors import CredentialError

log = logging.getLogger(__name__)

KEY_VARIABLE = "OVERPAINT_API_KEY"
"""Environment variable that overrides the keyring."""
_SERVICE = "Overpaint"
_TIMEOUT_S = 30.0

T = TypeVar("T")


def get_key(server: str, timeout_s: float = _TIMEOUT_S) -> str | None:
    """The key for a service.

    Args:
        server: Address of the service.
        timeout_s: How long a keyring may ask its user.

    Returns:
        The key; None when none is stored.

    Raises:
        CredentialError: ``no_keyring``: it is missing, locked, or does not answer.
    """
    named = os.environ.get(KEY_VARIABLE)
    if named:
        return named

    def get() -> str | None:
        import keyring

        return keyring.get_password(_SERVICE, _account(server))

    return _ask(get, timeout_s)


def set_key(server: str, key: str, timeout_s: float = _TIMEOUT_S) -> None:
    """Stores the key for a service, replacing another. Raises ``CredentialError`` (``no_keyring``)."""

    def put() -> None:
        import keyring

        keyring.set_password(_SERVICE, _account(server), key)

    _ask(put, timeout_s)


def delete_key(server: str, timeout_s: float = _TIMEOUT_S) -> None:
    """Forgets the key for a service; fine when there is none. Raises ``CredentialError`` (``no_keyring``)."""

    def delete() -> None:
        import keyring
        from keyring.errors import PasswordDeleteError

        try:
            keyring.delete_password(_SERVICE, _account(server))
        except PasswordDeleteError:
            # Not stored; but a keyring that cannot be asked at all says so when asked for it.
            keyring.get_password(_SERVICE, _account(server))

    _ask(delete, timeout_s)


def keyring_name() -> str:
    """What the keyring of this machine is called, for ``doctor``."""
    import keyring

    return str(keyring.get_keyring().name)


def _account(server: str) -> str:
    return server.rstrip("/").lower()


def _ask(question: Callable[[], T], timeout_s: float) -> T:
    """Asks the keyring in a thread that is left behind when the keyring never answers."""
    answers: list[T] = []

    def ask() -> None:
        try:
            answers.append(question())
        except Exception as error:  # a thread's root: backends raise far more than KeyringError
            log.info("the keyring cannot be used: %s", type(error).__name__, exc_info=error)

    thread = threading.Thread(target=ask, name="keyring", daemon=True)
    thread.start()
    thread.join(timeout_s)
    if answers:
        return answers[0]
    raise CredentialError(
        "keyring_silent" if thread.is_alive() else "keyring_missing_or_locked", variable=KEY_VARIABLE
    )
