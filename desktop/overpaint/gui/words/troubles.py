"""Error messages in the window's language, translated from error codes.

The other processes write English, also to logs. Here an error's code selects its sentence from the catalogue
(``overpaint.sentences``), and Qt translates it; ``packaging/translations.sh`` adds the catalogue to the
translators' files. A sentence without a known code, from another version or program, is translated if the
catalogue has exactly this sentence, and shown unchanged otherwise.
"""

from __future__ import annotations

import re
import string
from functools import cache

from PySide6.QtCore import QCoreApplication

from overpaint.errors import OverpaintError
from overpaint.sentences import SENTENCES
from overpaint.wire.live import Camera, LiveSnapshot, Trouble

SAID_BY_SERVICES = (
    "own_look_broken",
    "picture_too_many_pixels",
    "video_too_many_pixels",
    "video_too_many_frames",
)
"""Codes whose sentences a service sends as finished text, parameters included: over the control socket, or as
the reason of a failed transform."""


def told(snapshot: LiveSnapshot) -> LiveSnapshot:
    """A snapshot with its errors translated."""
    changes: dict[str, object] = {}
    if snapshot.trouble is not None:
        changes["trouble"] = translated(snapshot.trouble)
    if (camera := _translated_camera(snapshot.camera)) is not snapshot.camera:
        changes["camera"] = camera
    if snapshot.page.trouble is not None:
        changes["page"] = snapshot.page.model_copy(update={"trouble": translated(snapshot.page.trouble)})
    sound = snapshot.sound
    if sound.trouble is not None:
        sound = sound.model_copy(update={"trouble": translated(sound.trouble)})
    if sound.system.trouble is not None:
        system = sound.system.model_copy(update={"trouble": translated(sound.system.trouble)})
        sound = sound.model_copy(update={"system": system})
    if sound is not snapshot.sound:
        changes["sound"] = sound
    return snapshot.model_copy(update=changes) if changes else snapshot


def _translated_camera(camera: Camera) -> Camera:
    changes: dict[str, object] = {}
    if camera.trouble is not None:
        changes["trouble"] = translated(camera.trouble)
    if camera.listing is not None and camera.listing.lacking is not None:
        lacking = translated(camera.listing.lacking)
        changes["listing"] = camera.listing.model_copy(update={"lacking": lacking})
    return camera.model_copy(update=changes) if changes else camera


def translated(trouble: Trouble) -> Trouble:
    """A trouble (an error as part of a message), translated."""
    try:
        sentence, mend = words(trouble.error(OverpaintError))
    except ValueError:  # a code of another version
        sentence, mend = _word_for_word(trouble.sentence), _word_for_word(trouble.mend)
    return trouble.model_copy(update={"sentence": sentence, "mend": mend})


def words(error: OverpaintError) -> tuple[str, str]:
    """The translated sentence of an error, and how to mend it."""
    entry = SENTENCES[error.code]
    params = {
        name: _word_for_word(value) if name in ("sentence", "mend") and isinstance(value, str) else value
        for name, value in error.params.items()
    }
    sentence, mend = (_translated(text).format(**params) for text in (entry.text, entry.mend))
    return sentence, mend


def line(error: OverpaintError) -> str:
    """The translated sentence of an error and how to mend it, in one line."""
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
    """A regular expression that matches a finished sentence, with a group for each parameter."""
    parts = string.Formatter().parse(template)
    return re.compile(
        "".join(re.escape(said) + (f"(?P<{name}>.*)" if name else "") for said, name, *_ in parts), re.S
    )
