"""The window's language: its own translations, Qt's for its dialogs, and the format of numbers."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from overpaint.gui.window_settings import Language

TRANSLATED = ("de",)
_OWNER = "overpaint-translator"


def speak(app: QApplication, folder: Path, wish: Language) -> None:
    """Lets everything that is made from now on speak a language; English where there is no other.

    Args:
        app: The application.
        folder: Where ``overpaint_de.qm`` and its like lie.
        wish: What the user wants.
    """
    for former in app.findChildren(QTranslator, _OWNER):
        app.removeTranslator(former)
        former.setParent(None)
    system = QLocale.system()
    locale = system if wish == "system" else QLocale(wish)
    if locale.language() == system.language():
        locale = system  # with the user's own way of writing numbers
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
