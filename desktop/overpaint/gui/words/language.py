"""The window's language: installs its translations and Qt's (``QTranslator``), and the number format."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from overpaint.gui.window_settings import TRANSLATED, Language

_OWNER = "overpaint-translator"


def own_name(code: Language) -> str:
    """The name of a language in that language."""
    return QLocale(code).nativeLanguageName().capitalize() if code in TRANSLATED else "English"


def speak(app: QApplication, folder: Path, wish: Language) -> None:
    """Installs a language, for all widgets that are created afterwards; English if it has no translation.

    Args:
        app: The application.
        folder: Folder of the translations (``overpaint_de.qm``).
        wish: The user's setting.
    """
    for former in app.findChildren(QTranslator, _OWNER):
        app.removeTranslator(former)
        former.setParent(None)
    system = QLocale.system()
    locale = system if wish == "system" else QLocale(wish)
    if locale.language() == system.language():
        locale = system  # keeps the user's own number format
    QLocale.setDefault(locale)
    language = QLocale.languageToCode(locale.language())
    if language not in TRANSLATED:
        return
    qt = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    for file in (qt / f"qtbase_{language}.qm", folder / f"overpaint_{language}.qm"):
        translator = QTranslator(app)
        translator.setObjectName(_OWNER)
        if translator.load(str(file)):
            app.installTranslator(translator)
