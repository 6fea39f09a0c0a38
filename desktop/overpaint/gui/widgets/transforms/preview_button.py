"""Preview button: a small picture of how a file will look, which opens the large one.

Must not know how the picture is made.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QAbstractButton

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.words.plain_text import plain_tip

SIZE = QSize(84, 54)
_RADIUS = 7
_FAINT = 0.35
"""Opacity of the original, which stands there until its preview is painted."""


class PreviewButton(QAbstractButton):
    """Preview button; shows the original, faint, while there is no preview.

    Args:
        theme: The theme.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._image: QImage | None = None
        self._original: QPixmap | None = None
        self._busy = False
        self._drawn: QPixmap | None = None
        self.setFixedSize(SIZE)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(self.tr("Preview"))
        theme.changed.connect(self.update)

    def show_preview(self, image: QImage | None, original: QPixmap | None, busy: bool) -> None:
        """Shows a preview, or the original until there is one; ``busy`` while it is being painted."""
        if image is not self._image:
            self._image, self._drawn = image, None
        self._original, self._busy = original, busy
        hint = (
            self.tr("Painting a preview…") if busy else self.tr("Shows the preview large, before you order")
        )
        self.setToolTip(plain_tip(hint))
        self.setAccessibleDescription(hint)
        self.update()

    def sizeHint(self) -> QSize:
        """Its one size."""
        return SIZE

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints picture, frame and, while there is no preview, a sign for it."""
        tokens = self._theme.tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        path = QPainterPath()
        path.addRoundedRect(box, _RADIUS, _RADIUS)
        painter.save()
        painter.setClipPath(path)
        painter.fillRect(box, QColor(tokens.stage))
        picture = self._preview() or self._original
        if picture is not None:
            painter.setOpacity(1.0 if self._image is not None else _FAINT)
            size = picture.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatioByExpanding)
            corner = QRectF(
                (self.width() - size.width()) / 2,
                (self.height() - size.height()) / 2,
                size.width(),
                size.height(),
            )
            painter.drawPixmap(corner, picture, QRectF(picture.rect()))
        painter.restore()
        if self._image is None:
            sign = "state-busy" if self._busy else "compare"
            drawing = self._theme.pixmap(sign, tokens.stage_muted, 18, self.devicePixelRatioF())
            painter.drawPixmap((self.width() - 18) // 2, (self.height() - 18) // 2, drawing)
        strong = self.hasFocus() or self.underMouse()
        painter.setPen(QPen(QColor(tokens.accent if strong else tokens.line), 2 if strong else 1))
        painter.drawPath(path)
        painter.end()

    def _preview(self) -> QPixmap | None:
        if self._image is None:
            return None
        if self._drawn is None:
            ratio = self.devicePixelRatioF()
            small = self._image.scaled(
                SIZE * ratio,
                Qt.AspectRatioMode.KeepAspectRatioByExpanding,
                Qt.TransformationMode.SmoothTransformation,
            )
            self._drawn = QPixmap.fromImage(small)
        return self._drawn
