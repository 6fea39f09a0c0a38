"""What the engine's looks are called in the window's language.

A title is also what a click writes into the prompt: the file of a language says only such titles as
mean their look to the engine. The user's own looks keep their names. Must not know who shows them.
"""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLocale

from overpaint.assets import asset_dir
from overpaint.wire.live import LookChoice

log = logging.getLogger(__name__)

_NEAREST = " (the nearest look)"
"""What a service adds to a title that it is not certain of."""


class LookNames:
    """The names of one language; the engine's own where there are none.

    Args:
        names: Of each look by its stable name: ``title`` and ``description``.
    """

    def __init__(self, names: Mapping[str, Mapping[str, str]]) -> None:
        self._names = names
        self._titles: dict[str, str] = {}

    @classmethod
    def spoken(cls) -> LookNames:
        """Those of the language that the window speaks now."""
        language = QLocale.languageToCode(QLocale().language())
        return cls(_read(asset_dir("translations") / f"looks_{language}.toml"))

    def shown(self, looks: Sequence[LookChoice]) -> list[LookChoice]:
        """Looks with titles and descriptions as the user reads them, in the order of these titles: the first
        one stays the first, and the user's own the last.
        """
        named = [self._named(look) for look in looks]
        rest = sorted(
            (look for look in named[1:] if look.name in self._names), key=lambda look: look.title.casefold()
        )
        return [*named[:1], *rest, *(look for look in named[1:] if look.name not in self._names)]

    def _named(self, look: LookChoice) -> LookChoice:
        words = self._names.get(look.name)
        if words is None:
            return look
        self._titles[look.title.casefold()] = words["title"]
        return look.model_copy(update={"title": words["title"], "description": words["description"]})

    def title(self, engines: str) -> str:
        """A title that the service wrote, as the user reads it."""
        plain = engines.removesuffix(_NEAREST)
        return self._titles.get(plain.casefold(), plain) + engines[len(plain) :]


def _read(path: Path) -> Mapping[str, Any]:
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        log.warning("the names of the looks cannot be read: %s", error)
        return {}
