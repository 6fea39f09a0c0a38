"""Reference photo of the prompt line: chosen, pasted, cut from the screen; what is taken from it; kept.

Connects the controls of the photo with their reader. Must not know how a photo is used.
"""

from __future__ import annotations

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QFileDialog, QWidget

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.files.photo_intake import ENDINGS, PhotoReader
from overpaint.gui.files.screen_region import ScreenSnip
from overpaint.gui.widgets.looks.photo_chip import PhotoChip
from overpaint.gui.widgets.looks.photo_use import PhotoUseChoice
from overpaint.gui.words import prompt_words
from overpaint.gui.words.look_names import LookNames
from overpaint.gui.words.prompt_words import PhotoUse
from overpaint.media.opener.decoder import PictureDecoder
from overpaint.wire.live import SetReference


class PhotoDesk(QWidget):
    """Mediator of the reference photo; itself never shown.

    Args:
        theme: The theme.
        names: Names of the looks in the window's language.
        decoder: The sandboxed decoder.
        parent: The prompt line.

    Attributes:
        chip: The photo, or the menu to choose one.
        use: What is taken from it.
        reader: Reads photos.
        snip: Cuts one from the screen.
    """

    intended = Signal(object)
    refused = Signal(str)
    """A photo cannot be used: the sentence for the user."""
    look_wanted = Signal(str)
    """A look is wanted for the photo: a prompt."""

    def __init__(self, theme: Theme, names: LookNames, decoder: PictureDecoder, parent: QWidget) -> None:
        super().__init__(parent)
        self._names = names
        self._data = self._look = self._own_look = ""
        self._usable = False
        self.reader = PhotoReader(decoder, self)
        self.reader.photo_read.connect(self._take)
        self.reader.shown.connect(self._show)
        self.reader.refused.connect(self.refused)
        self.reader.refused.connect(self._forget_look)
        self.snip = ScreenSnip(theme, self)
        self.snip.taken.connect(self.reader.read_image)
        self.snip.refused.connect(self.refused)
        self.chip = PhotoChip(theme)
        self.chip.file_wanted.connect(self.open)
        self.chip.paste_wanted.connect(lambda: self.reader.read_mime(_clipboard()))
        self.chip.snip_wanted.connect(self.snip.start)
        self.chip.remove.clicked.connect(self.remove)
        self.use = PhotoUseChoice(theme)
        self.use.chosen.connect(self._use_for)
        self.use.hide()
        self.hide()

    @property
    def in_use(self) -> str:
        """The reference photo as base64; empty for none, and until the live process has told it."""
        return self._data if self.chip.is_present else ""

    def show_usable(self, usable: bool) -> None:
        """Enables or disables the controls."""
        self._usable = usable
        self.chip.setEnabled(usable)
        self.use.setEnabled(usable)

    def show_present(self, present: bool) -> None:
        """Shows whether there is a photo."""
        self.chip.show_present(present)
        self.use.setVisible(present)

    def show_reference(self, image_data: str) -> None:
        """Takes over the photo that the live process has, such as that of a former window.

        Args:
            image_data: Base64 of a picture file; empty for none.
        """
        if image_data == self._data:
            return
        self._data = image_data
        self.chip.show_thumbnail(None)
        if image_data:
            self.reader.show_data(image_data)

    def show_prompt(self, prompt: str, look: str) -> None:
        """Shows what a prompt takes from the photo.

        Args:
            prompt: The prompt in use.
            look: The look that the service understood; empty if it is not known.
        """
        use = prompt_words.photo_use(prompt, look)
        self.use.show_use(use)
        plain = prompt_words.bare(prompt)
        if use == "colours" and plain:
            self._own_look = plain

    def open(self, look: str = "") -> None:
        """Opens a file dialog for a photo, without blocking.

        Args:
            look: Title of the look that makes use of it, in English; empty for the present one.
        """
        dialog = QFileDialog(self.window(), self.tr("Choose a reference photo"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter(self.tr("Pictures ({})").format(" ".join(f"*.{end}" for end in ENDINGS)))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda path: self._read(path, look))
        dialog.open()

    def use_only(self, image_data: str) -> None:
        """Uses a photo (base64); an empty one removes the present one."""
        if image_data:
            self.reader.read_data(image_data)
        elif self.chip.is_present:
            self.remove()

    def paste(self) -> bool:
        """Pastes a photo from the clipboard; returns False if there is none, and text is pasted as usual."""
        mime = _clipboard()
        return self._usable and not mime.hasText() and self.reader.read_mime(mime)

    def remove(self) -> None:
        """Removes the photo."""
        self._data = ""
        self.chip.show_thumbnail(None)
        self.intended.emit(SetReference(image_data=None))

    def wait(self) -> None:
        """Waits for the worker thread, before the program ends."""
        self.reader.wait()

    def _read(self, path: str, look: str) -> None:
        self._look = look
        self.reader.read_file(path)

    def _forget_look(self) -> None:
        self._look = ""

    def _take(self, image_data: str, thumbnail: QImage) -> None:
        self._data = image_data
        self.chip.show_thumbnail(thumbnail)
        self.intended.emit(SetReference(image_data=image_data))
        look, self._look = self._look, ""
        if look:
            self.look_wanted.emit(self._names.title(look))

    def _show(self, image_data: str, thumbnail: QImage) -> None:
        if image_data == self._data:  # else there is another one by now
            self.chip.show_thumbnail(thumbnail)

    def _use_for(self, use: PhotoUse) -> None:
        """Wants the look for what is to be taken from the photo; its colours go with the look before."""
        look = self._names.title(prompt_words.PHOTO_LOOKS[use])
        self.look_wanted.emit(self._own_look or look if use == "colours" else look)


def _clipboard() -> QMimeData:
    return QGuiApplication.clipboard().mimeData()
