"""Translated names of looks, and of the changes that a prompt makes to them.

A click on a look writes its title into the prompt, so a language's file contains only titles that the engine
understands as that look. The user's own looks keep their names. Must not know who shows the names.
"""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLocale

from overpaint.assets import asset_dir
from overpaint.photo_words import PHOTO_BEHIND
from overpaint.wire.live import SCENES, LookChoice

log = logging.getLogger(__name__)

_NEAREST = " (the nearest look)"
"""Suffix that a service adds to the title of a look that only comes near the prompt."""


class LookNames:
    """Look names of one language; the engine's own for looks without a translation.

    Args:
        names: ``title`` and ``description`` of each look, by its stable name.
    """

    def __init__(self, names: Mapping[str, Mapping[str, str]]) -> None:
        self._names = names
        self._titles: dict[str, str] = {}
        self._groups: dict[str, str] = {}

    @classmethod
    def spoken(cls) -> LookNames:
        """The names in the window's current language."""
        scenes = _read(_spoken_file("scenes"))
        names = {f"{SCENES}:{name}": {"title": title, "description": ""} for name, title in scenes.items()}
        return cls({**_read(_spoken_file("looks")), **names})

    @property
    def scenes(self) -> tuple[str, ...]:
        """The titles of all scenes shown so far, in both languages, and the words for a photo as one."""
        return (*(title for title, group in self._groups.items() if group == SCENES), PHOTO_BEHIND)

    def group(self, title: str) -> str:
        """The group of a look or scene shown so far, by its title in either language; empty if unknown."""
        return self._groups.get(title.casefold(), "")

    def shown(self, looks: Sequence[LookChoice]) -> list[LookChoice]:
        """Looks with translated titles and descriptions, sorted by title; the first look stays first, and the
        user's own stay last.
        """
        named = [self._named(look) for look in looks]
        self._groups |= {each.title.casefold(): each.group for each in (*looks, *named)}
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
        """The translation of a title that the service wrote."""
        plain = engines.removesuffix(_NEAREST)
        return self._titles.get(plain.casefold(), plain) + engines[len(plain) :]


class ChangeNames:
    """Names in one language for what a service understood besides the look; English where there are none.

    Args:
        forms: Templates for composed names (``slightly``, ``very``, ``no``, ``in``, ``and``), with braces for
            the names that they are composed of.
        names: The name of each single change, colour, scene, material and cloth.
        templates: Translations of what has words after a name, or several before: "{} as background".
    """

    def __init__(
        self, forms: Mapping[str, str], names: Mapping[str, str], templates: Mapping[str, str] | None = None
    ) -> None:
        self._forms = forms
        self._names = {name.casefold(): shown for name, shown in names.items()}
        self._templates = templates or {}

    @classmethod
    def spoken(cls) -> ChangeNames:
        """The names in the window's current language."""
        words = _read(_spoken_file("changes"))
        return cls(words.get("forms", {}), words.get("names", {}), words.get("templates", {}))

    def shown(self, change: str, title: Callable[[str], str] = str) -> str:
        """The translation of a change ("slightly in red" → "etwas in Rot").

        Args:
            change: In the service's words.
            title: Translates the title of a scene.
        """
        if change.casefold() in self._names:
            return self._names[change.casefold()]
        for template, shown in self._templates.items():
            before, _, after = template.partition("{}")
            inner = change[len(before) : len(change) - len(after)]
            if inner and f"{before}{inner}{after}".casefold() == change.casefold():
                return shown.format(self.shown(inner, title))
        form, _, rest = change.partition(" ")
        if form in self._forms and rest:
            return self._forms[form].format(self.shown(rest, title))
        first, joint, second = change.partition(" and ")
        if joint and "and" in self._forms:
            return self._forms["and"].format(self.shown(first, title), self.shown(second, title))
        colour, _, cloth = change.partition(" ")
        if colour.casefold() in self._names and cloth:
            return f"{self._names[colour.casefold()]} {self.shown(cloth, title)}"  # "red denim"
        return title(change)


def _spoken_file(kind: str) -> Path:
    language = QLocale.languageToCode(QLocale().language())
    return asset_dir("translations") / f"{kind}_{language}.toml"


def _read(path: Path) -> Mapping[str, Any]:
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        log.warning("the names in %s cannot be read: %s", path.name, error)
        return {}
