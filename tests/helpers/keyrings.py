"""A keyring for the length of a test."""

from __future__ import annotations

from collections.abc import Iterator

import keyring
import pytest
from keyring.backend import KeyringBackend


class Ring(KeyringBackend):
    """A keyring for the length of a test."""

    priority = 1.0  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[str, str] = {}
        self.locked = False

    def get_password(self, service: str, username: str) -> str | None:
        if self.locked:
            raise RuntimeError("locked")
        return self.kept.get(username)

    def set_password(self, service: str, username: str, password: str) -> None:
        if self.locked:
            raise RuntimeError("locked")
        self.kept[username] = password


@pytest.fixture
def ring(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ring]:
    monkeypatch.delenv("OVERPAINT_API_KEY", raising=False)
    former, ring = keyring.get_keyring(), Ring()
    keyring.set_keyring(ring)
    yield ring
    keyring.set_keyring(former)
