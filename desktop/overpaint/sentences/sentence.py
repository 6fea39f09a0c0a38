"""The type of an entry of the message catalogue."""

from __future__ import annotations

import string
from typing import NamedTuple


class Sentence(NamedTuple):
    """The English sentence of an error code.

    Attributes:
        text: What is wrong, as a whole sentence; ``{name}`` stands for a parameter of the error.
        mend: What to do about it, as an instruction; empty where nothing can be done.
        kind: Kind of the error, where it differs from the default of its class; ``{kind}`` if it is a
            parameter.
    """

    text: str
    mend: str = ""
    kind: str = ""

    @property
    def params(self) -> frozenset[str]:
        """The names of the parameters of text, mend and kind."""
        fields = [field for part in self for field in string.Formatter().parse(part)]
        return frozenset(name for _, name, _, _ in fields if name is not None)
