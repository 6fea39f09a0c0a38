"""The base of all messages between window and live process."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class LiveMessage(BaseModel):
    """Base: frozen, unknown fields refused (both ends are of one version)."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Trouble(LiveMessage):
    """An error as state: a sentence, and what to do about it."""

    kind: str
    sentence: str
    mend: str = ""
