"""The base of every message between window and live process, and an error as part of one."""

from __future__ import annotations

from typing import Self, TypeVar

from pydantic import BaseModel, ConfigDict

from overpaint.errors import OverpaintError, Param

AnyError = TypeVar("AnyError", bound=OverpaintError)


class LiveMessage(BaseModel):
    """Base: frozen, unknown fields refused (both ends are of one version)."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Trouble(LiveMessage):
    """An error as state: a sentence, and what to do about it.

    Attributes:
        kind: Of the error.
        sentence: What is wrong, in English.
        mend: What to do about it, in English; empty where nothing can be done.
        code: Of the sentence in the catalogue; empty where an older version kept the words alone.
        params: What that sentence and its mend are filled with.
    """

    kind: str
    sentence: str
    mend: str = ""
    code: str = ""
    params: dict[str, Param] = {}

    @classmethod
    def of(cls, error: OverpaintError) -> Self:
        """An error's."""
        return cls(
            kind=error.kind,
            sentence=str(error),
            mend=error.mend,
            code=error.code,
            params=dict(error.params),
        )

    def error(self, made: type[AnyError]) -> AnyError:
        """The error that this was made of, as one of a class.

        Raises:
            ValueError: It is of another version, which has no such error.
        """
        return made.received(self.code, self.params)


def trouble_of(error: OverpaintError | None) -> Trouble | None:
    """An error as state; None where there is none."""
    return None if error is None else Trouble.of(error)
