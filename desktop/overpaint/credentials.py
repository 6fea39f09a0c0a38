"""API keys of remote services, and logins of network cameras, in the keyring. The only importer of keyring.

A keyring may be missing, locked, or block while it asks the user; so each call runs in a thread with a
timeout. Keys are never stored in a file instead. The library is imported at the first call, since users of
the local service do not need it. Must not know the services.
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
_CAMERA = "camera "
"""Prefix of the accounts of network cameras."""
_TIMEOUT_S = 30.0

T = TypeVar("T")


def get_key(server: str, timeout_s: float = _TIMEOUT_S) -> str | None:
    """The key for a service.

    Args:
        server: Address of the service.
        timeout_s: Timeout, which includes the keyring's own dialog.

    Returns:
        The key; None when none is stored.

    Raises:
        CredentialError: ``no_keyring``: the keyring is missing, locked, or does not answer.
    """
    named = os.environ.get(KEY_VARIABLE)
    if named:
        return named

    def get() -> str | None:
        import keyring

        return keyring.get_password(_SERVICE, _account(server))

    return _ask(get, timeout_s)


def set_key(server: str, key: str) -> None:
    """Stores or replaces the key for a service. Raises ``CredentialError`` (``no_keyring``)."""

    def put() -> None:
        import keyring

        keyring.set_password(_SERVICE, _account(server), key)

    _ask(put, _TIMEOUT_S)


def get_camera_address(public: str) -> str | None:
    """The whole address of a network camera, with its password; None when none is stored.

    Raises:
        CredentialError: ``no_keyring``: the keyring is missing, locked, or does not answer.
    """

    def get() -> str | None:
        import keyring

        return keyring.get_password(_SERVICE, _CAMERA + public)

    return _ask(get, _TIMEOUT_S)


def set_camera_address(public: str, whole: str) -> None:
    """Stores the whole address of a network camera. Raises ``CredentialError`` (``no_keyring``)."""

    def put() -> None:
        import keyring

        keyring.set_password(_SERVICE, _CAMERA + public, whole)

    _ask(put, _TIMEOUT_S)


def delete_camera_address(public: str) -> None:
    """Deletes the whole address of a network camera, if it is stored. Raises ``CredentialError``."""

    def delete() -> None:
        import keyring

        if keyring.get_password(_SERVICE, _CAMERA + public) is not None:
            keyring.delete_password(_SERVICE, _CAMERA + public)

    _ask(delete, _TIMEOUT_S)


def keyring_name() -> str | None:
    """The name of this machine's keyring, for ``doctor``; None where keys cannot be stored.

    Raises:
        CredentialError: ``no_keyring``: it does not answer.
    """

    def get() -> str | None:
        import keyring
        from keyring.backends import fail, null

        found = keyring.get_keyring()
        return None if isinstance(found, fail.Keyring | null.Keyring) else str(found.name)

    return _ask(get, _TIMEOUT_S)


def _account(server: str) -> str:
    return server.rstrip("/").lower()


def _ask(question: Callable[[], T], timeout_s: float) -> T:
    """Calls the keyring in a daemon thread, which is abandoned after the timeout."""
    answers: list[T] = []

    def ask() -> None:
        try:
            answers.append(question())
        except Exception as error:  # a thread's root: backends raise more than KeyringError
            log.info("the keyring cannot be used: %s", type(error).__name__, exc_info=error)

    thread = threading.Thread(target=ask, name="keyring", daemon=True)
    thread.start()
    thread.join(timeout_s)
    if answers:
        return answers[0]
    raise CredentialError(
        "keyring_silent" if thread.is_alive() else "keyring_missing_or_locked", variable=KEY_VARIABLE
    )
