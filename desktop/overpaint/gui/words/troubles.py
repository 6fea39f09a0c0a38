"""The words of errors in the window's language.

The live process and what it stands on speak English, in logs as well; here the code of an error finds its
sentence again, and Qt its translation. Translators are given the catalogue (``overpaint.sentences``) by
``packaging/translations.sh``. What an older version or another program said in words of its own is shown as
it came, unless it is word for word a sentence of the catalogue.
"""

from __future__ import annotations

import re
import string
from functools import cache

from PySide6.QtCore import QCoreApplication

from overpaint.errors import OverpaintError
from overpaint.sentences import SENTENCES
from overpaint.wire.live import LiveSnapshot, Trouble

SAID_BY_SERVICES = ("own_look_broken",)
"""Codes whose sentences come over the control socket as words, with the parameters in them."""


def told(snapshot: LiveSnapshot) -> LiveSnapshot:
    """A snapshot whose troubles are told in the window's language."""
    changes: dict[str, object] = {}
    if snapshot.trouble is not None:
        changes["trouble"] = translated(snapshot.trouble)
    if snapshot.camera.trouble is not None:
        camera = snapshot.camera
        changes["camera"] = camera.model_copy(update={"trouble": translated(snapshot.camera.trouble)})
    if snapshot.page.trouble is not None:
        changes["page"] = snapshot.page.model_copy(update={"trouble": translated(snapshot.page.trouble)})
    return snapshot.model_copy(update=changes) if changes else snapshot


def translated(trouble: Trouble) -> Trouble:
    """A trouble that is told in the window's language."""
    try:
        sentence, mend = words(trouble.error(OverpaintError))
    except ValueError:  # of another version
        sentence, mend = _word_for_word(trouble.sentence), _word_for_word(trouble.mend)
    return trouble.model_copy(update={"sentence": sentence, "mend": mend})


def words(error: OverpaintError) -> tuple[str, str]:
    """An error's sentence and its mend."""
    entry = SENTENCES[error.code]
    params = {
        name: _word_for_word(value) if name in ("sentence", "mend") and isinstance(value, str) else value
        for name, value in error.params.items()
    }
    sentence, mend = (_translated(text).format(**params) for text in (entry.text, entry.mend))
    return sentence, mend


def line(error: OverpaintError) -> str:
    """An error and its mend as one line."""
    return " ".join(filter(None, words(error)))


def _translated(text: str) -> str:
    return QCoreApplication.translate("Trouble", text) if text else ""


def _word_for_word(text: str) -> str:
    for code in SAID_BY_SERVICES:
        template = SENTENCES[code].text
        found = _form(template).fullmatch(text)
        if found is not None:
            return _translated(template).format(**found.groupdict())
    return _translated(text)


@cache
def _form(template: str) -> re.Pattern[str]:
    """What finds the parameters of a sentence in it."""
    parts = string.Formatter().parse(template)
    return re.compile(
        "".join(re.escape(said) + (f"(?P<{name}>.*)" if name else "") for said, name, *_ in parts), re.S
    )
