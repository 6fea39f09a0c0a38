"""The base class of messages between window and live process, and the form of an error in them."""

from __future__ import annotations

from typing import Self, TypeVar

from pydantic import BaseModel, ConfigDict

from overpaint.errors import OverpaintError, Param

AnyError = TypeVar("AnyError", bound=OverpaintError)


class LiveMessage(BaseModel):
    """Base class: frozen, unknown fields refused, since both ends are of the same version."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Trouble(LiveMessage):
    """An error as a field of a message or of stored state: its sentence, and what to do about it.

    Attributes:
        kind: Kind of the error.
        sentence: What is wrong, in English.
        mend: What to do about it, in English; empty where nothing can be done.
        code: Error code, the key of the sentence in ``sentences``; empty where an older version stored only
            the text.
        params: Parameters of the sentence and of ``mend``.
    """

    kind: str
    sentence: str
    mend: str = ""
    code: str = ""
    params: dict[str, Param] = {}

    @classmethod
    def of(cls, error: OverpaintError) -> Self:
        """The message form of an error."""
        return cls(
            kind=error.kind,
            sentence=str(error),
            mend=error.mend,
            code=error.code,
            params=dict(error.params),
        )

    def error(self, made: type[AnyError]) -> AnyError:
        """The error again, as an instance of class ``made``.

        Raises:
            ValueError: The code is unknown, because another version stored it.
        """
        return made.received(self.code, self.params)


def trouble_of(error: OverpaintError | None) -> Trouble | None:
    """The message form of an error; None for None."""
    return None if error is None else Trouble.of(error)
