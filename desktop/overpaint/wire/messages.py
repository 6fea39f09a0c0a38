"""The base of every message between window and live process, and an error as part of one."""

from __future__ import annotations

from typing import Self

from pydantic import BaseModel, ConfigDict

from overpaint.errors import OverpaintError


class LiveMessage(BaseModel):
    """Base: frozen, unknown fields refused (both ends are of one version)."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Trouble(LiveMessage):
    """An error as state: a sentence, and what to do about it."""

    kind: str
    sentence: str
    mend: str = ""

    @classmethod
    def of(cls, error: OverpaintError) -> Self:
        """An error's."""
        return cls(kind=error.kind, sentence=str(error), mend=error.mend)


def trouble_of(error: OverpaintError | None) -> Trouble | None:
    """An error as state; None where there is none."""
    return None if error is None else Trouble.of(error)
