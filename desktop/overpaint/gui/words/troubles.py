"""The words of errors in the window's language.

The live process and what it stands on speak English, in logs as well; here the code of an error finds its
sentence again, and Qt its translation. Translators are given the catalogue (``overpaint.sentences``) by
``packaging/translations.sh``. What an older version or another program said in words of its own is shown as
it came, unless it is word for word a sentence that is known here.
"""

from __future__ import annotations

import re
from functools import lru_cache

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QLocale

from overpaint.errors import OverpaintError
from overpaint.sentences import SENTENCES
from overpaint.wire.live import LiveSnapshot, Trouble

KNOWN = tuple(
    str(sentence)
    for sentence in (
        QT_TRANSLATE_NOOP("Trouble", "{} does not work any more ({}). Another look stands in for it."),
    )
)
"""Sentences, with {} for what differs."""


def _form(sentence: str) -> re.Pattern[str]:
    return re.compile("(.*)".join(re.escape(part) for part in sentence.split("{}")), re.S)


# What says most in its own words is tried first.
_FORMS = tuple((_form(text), text) for text in sorted(KNOWN, key=lambda text: -len(text.replace("{}", ""))))


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
    if not error.code:  # transitional: it is not in the catalogue yet
        return _word_for_word(str(error)), _word_for_word(error.mend)
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
    return _in_words(text, QLocale().name())


@lru_cache(maxsize=256)
def _in_words(text: str, language: str) -> str:
    for form, sentence in _FORMS:
        found = form.fullmatch(text)
        if found is not None:
            return QCoreApplication.translate("Trouble", sentence).format(*found.groups())
    return _translated(text)
