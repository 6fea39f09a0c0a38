"""The preview of a file in the look of an order: asked for after a pause, dropped when it no longer fits.

It is painted by this computer's engine, whichever service takes the order. Must not know widgets.
"""

from __future__ import annotations

import base64
import random
from typing import NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QImage

from overpaint.gui.files.images import own_jpeg
from overpaint.wire.messages import Trouble
from overpaint.wire.transforms import TransformItem, TransformPreview, WantTransformPreview

PAUSE_MS = 300
"""Time without another wish, such as the next key, after which a preview is asked for."""


class PreviewedLook(NamedTuple):
    """The look that a file is to be seen in.

    Attributes:
        item: The file.
        prompt: The prompt.
        with_photo: Whether the live picture's reference photo belongs to it.
        photo: Reference photo of its own, base64; empty for none.
    """

    item: TransformItem
    prompt: str
    with_photo: bool
    photo: str = ""

    @property
    def name(self) -> tuple[str, str, bool, str]:
        """What the preview depends on."""
        return self.item.source, self.prompt, self.with_photo, self.photo


class FilePreview(QObject):
    """The newest preview; emits ``changed`` with each change of the attributes.

    Attributes:
        look: The file and its look; None where there is nothing to preview.
        image: The preview; None while it is being painted, or where there is none.
        unchanged: Whether nothing in the prompt can be done by this computer's engine.
        trouble: Why there is no preview.
    """

    intended = Signal(object)
    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.look: PreviewedLook | None = None
        self.image: QImage | None = None
        self.unchanged = False
        self.trouble: Trouble | None = None
        self._usable = self._asked = False
        # Another window before this one may have asked, too.
        self._serial = random.randrange(1 << 30)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._ask)

    @property
    def busy(self) -> bool:
        """Whether a preview is being painted, or about to be."""
        return self.look is not None and self.image is None and self.trouble is None

    def show(self, look: PreviewedLook | None) -> None:
        """Sets what is to be seen; None ends what is being painted."""
        if (look and look.name) == (self.look and self.look.name):
            self.look = look
            return
        self.look = look
        self.renew()

    def renew(self) -> None:
        """Drops the preview, and has it painted anew: what it is made of may have changed."""
        self._serial += 1
        self.image, self.trouble, self.unchanged = None, None, False
        if self.look is not None:
            self._pause.start()
        else:
            self._pause.stop()
            if self._asked:
                self._asked = False
                self.intended.emit(WantTransformPreview(serial=self._serial))
        self.changed.emit()

    def use(self, usable: bool) -> None:
        """Asks again when the live process has come back."""
        if usable and not self._usable and self.look is not None and self.image is None:
            self._pause.start()
        self._usable = usable

    def show_news(self, news: TransformPreview) -> None:
        """Takes the preview, unless something else is wanted by now."""
        if news.serial != self._serial or self.look is None:
            return
        self._asked = False
        image = own_jpeg(base64.b64decode(news.picture)) if news.picture else QImage()
        self.image = None if image.isNull() else image
        self.unchanged = news.unchanged
        self.trouble = news.trouble
        self.changed.emit()

    def _ask(self) -> None:
        if self.look is None or not self._usable:
            return
        self._asked = True
        self.intended.emit(
            WantTransformPreview(
                serial=self._serial,
                source=self.look.item.source,
                kind=self.look.item.kind,
                prompt=self.look.prompt,
                with_photo=self.look.with_photo,
                image_data=self.look.photo,
            )
        )
