"""Stage panel: the preview with badges and controls, and the message without a picture."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QDesktopServices,
    QEnterEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.connection.models import SessionModel
from overpaint.gui.connection.preview_receiver import PreviewReceiver
from overpaint.gui.panels.delay_card import DelayCard
from overpaint.gui.panels.framing_panel import FramingPanel
from overpaint.gui.panels.stage_message import StageMessage
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.compare_handle import CompareHandle
from overpaint.gui.widgets.stage import StageView
from overpaint.gui.words.state_words import StageAction, Wording
from overpaint.gui.words.system_pages import page_of
from overpaint.wire.live import RefreshSources, SetPreview, SetSource, StartSession

REST_MS = 5000
"""Idle time after which the controls on the picture are hidden: they cover a part of it, and painting them
over every picture is a quarter of the window's cost.
"""
SMALL_PICTURE = 150


class StagePanel(StageView):
    """Stage panel: the preview, its badges, its controls, and the message."""

    intended = Signal(object)
    retry_wanted = Signal()
    credits_wanted = Signal()
    mirror_changed = Signal(bool)

    def __init__(self, theme: Theme, preview: PreviewReceiver, mirror: bool) -> None:
        super().__init__(theme)
        self.setAccessibleName(self.tr("Preview"))
        self._preview = preview
        self._words = Wording(self)
        self._model: SessionModel | None = None
        self._running = False
        self._mirror = mirror
        self.message = StageMessage(theme, self)
        self.message.chosen.connect(self._act)
        self.mirror = ThemedButton(theme, "mirror", role="overlay", parent=self)
        self.mirror.setCheckable(True)
        self.mirror.setChecked(mirror)
        self.mirror.show_icon("mirror", "" if mirror else "muted")
        self.mirror.setAccessibleName(self.tr("Mirror the preview"))
        self.mirror.setToolTip(self.tr("Mirrors the preview only; others see you the right way round"))
        self.mirror.toggled.connect(self._set_mirror)
        self.framing = FramingPanel(theme, self)
        self.framing.intended.connect(self.intended)
        self.delay = DelayCard(theme, self)
        self.frame_button = ThemedButton(
            theme,
            "framing",
            role="overlay",
            parent=self,
            hint=self.tr("Mirror, turn, fill, zoom and light the picture, and other options of its source"),
        )
        self.frame_button.clicked.connect(self._open_framing)
        self.compare = CompareHandle(theme, self)
        self.compare.valueChanged.connect(self._show_compared)
        self.compare.hide()
        self._peeks = False
        self._preview_wanted = SetPreview(width=0, height=0)
        self._awake = True
        self._rest = QTimer(self, interval=REST_MS, singleShot=True)
        self._rest.timeout.connect(self._go_to_rest)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        QApplication.instance().focusChanged.connect(self._follow_focus)  # type: ignore[union-attr]
        self.size_wanted.connect(self._want_size)
        preview.picture_arrived.connect(self._show_newest, Qt.ConnectionType.QueuedConnection)

    def show_model(self, model: SessionModel) -> None:
        """Shows the newest state."""
        self._model = model
        self._running = model.running
        snapshot = model.snapshot
        if snapshot is not None and not model.running:
            self.clear()
        words = self._words.stage(model)
        self.message.show_words(words)
        self.show_dimmed(words is not None)
        badge = self._words.badge(model)
        self.show_pill(
            Qt.Corner.TopLeftCorner,
            badge.word if badge else "",
            badge.icon if badge else "",
            badge.tone if badge else "",
        )
        figures = self._words.figures(snapshot) if snapshot and words is None and self._roomy else ""
        self.show_pill(Qt.Corner.TopRightCorner, figures)
        if self.delay.isVisible():
            self._show_delay()
        self._show_mirror()
        self._show_handle()
        self._show_session()
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Places the message and the controls again."""
        super().resizeEvent(event)
        if self._model is not None:
            self.show_model(self._model)
        self._place()

    def _place(self) -> None:
        room = self.rect().adjusted(16, 16, -16, -16)
        self.message.fit(room.size())
        self.message.move(
            room.center().x() - self.message.width() // 2, room.center().y() - self.message.height() // 2
        )
        self.compare.place(self.picture_rect())
        corner = self.picture_rect().bottomRight()
        hint = self.mirror.sizeHint()
        for button in (self.mirror, self.frame_button):
            if button is self.frame_button and self.mirror.isHidden():
                corner.setX(corner.x() + hint.width() + 6)
            button.setGeometry(
                corner.x() - hint.width() - 9, corner.y() - hint.height() - 9, hint.width(), hint.height()
            )
            corner.setX(corner.x() - hint.width() - 6)

    @property
    def _roomy(self) -> bool:
        """Whether the picture is high enough for figures beside its badge and buttons."""
        return self.picture_rect().height() >= SMALL_PICTURE

    def floor(self) -> int:
        """The lowest line of what floats over the picture: above its buttons, if there is a picture."""
        if self.message.isVisibleTo(self) or not self.has_picture:
            return self.height() - 12
        return min(self.picture_rect().bottom() - self.mirror.sizeHint().height() - 18, self.height() - 12)

    @property
    def mirrors(self) -> bool:
        """Whether the preview can be mirrored: only if the source is a camera."""
        snapshot = self._model.snapshot if self._model else None
        return snapshot is not None and snapshot.source.split(":")[0] == "camera"

    def open_options(self, corner: QPoint) -> None:
        """Opens the source options with the upper left corner at this point, in screen coordinates."""
        self.framing.adjustSize()
        self.framing.open_at(corner + QPoint(self.framing.width(), self.framing.height()))

    def _open_framing(self) -> None:
        button = self.frame_button
        self.framing.open_at(button.mapToGlobal(QPoint(button.width(), -8)))

    def _show_delay(self) -> None:
        snapshot = self._model.snapshot if self._model else None
        self.delay.show_delays(snapshot.delays if snapshot is not None else None)

    def _show_mirror(self) -> None:
        there = self._awake and self.has_picture and not self.message.isVisibleTo(self)
        self.mirror.setVisible(self.mirrors and there)
        self.frame_button.setVisible(there)
        if self._model is not None and self._model.snapshot is not None:
            snapshot = self._model.snapshot
            self.framing.show_framing(snapshot.framing)
            self.framing.show_options(snapshot.offer, snapshot.options)
            self.framing.show_preferences(snapshot.preferences)
        self.show_mirrored(self._mirror and self.mirrors)

    def _set_mirror(self, on: bool) -> None:
        self._mirror = on
        self.show_mirrored(on and self.mirrors)
        self.mirror.show_icon("mirror", "" if on else "muted")
        self.mirror_changed.emit(on)

    def _show_newest(self) -> None:
        picture = self._preview.take()
        if picture is None or not self._running:
            return
        if not self.has_picture:
            self._wake()
        first, compared = not self.has_picture, self.has_original
        self.show_picture(picture)
        if first or compared != self.has_original:
            self._show_mirror()
            self._show_handle()
            self._show_session()
            self._place()

    def _want_size(self, width: int, height: int) -> None:
        self._want(self._preview_wanted.model_copy(update={"width": width, "height": height}))

    def _want(self, preview: SetPreview) -> None:
        if preview != self._preview_wanted:
            self._preview_wanted = preview
            self.intended.emit(preview)

    # ---- auto-hidden controls

    def enterEvent(self, event: QEnterEvent) -> None:
        """Shows the controls."""
        super().enterEvent(event)
        self._wake()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Shows the controls."""
        super().mouseMoveEvent(event)
        self._wake()
        over = self.pill_rect(Qt.Corner.TopRightCorner).contains(event.position().toPoint())
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)
        self.setToolTip(self.tr("Opens the delay of the last minute") if over else "")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on the figures opens the delay card."""
        if self.pill_rect(Qt.Corner.TopRightCorner).contains(event.position().toPoint()):
            self.open_delay()
        else:
            super().mousePressEvent(event)

    def open_delay(self) -> None:
        """Opens the delay card below the figures."""
        self._show_delay()
        pill = self.pill_rect(Qt.Corner.TopRightCorner)
        corner = pill.bottomRight() if not pill.isEmpty() else self.picture_rect().topRight()
        self.delay.open_at(self.mapToGlobal(corner + QPoint(1, 7)))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Shows the controls; and the focus ring, if the focus came by keyboard."""
        super().focusInEvent(event)
        by_keyboard = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self.show_ring(by_keyboard)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hides the focus ring."""
        super().focusOutEvent(event)
        self.show_ring(False)

    def _follow_focus(self) -> None:
        if self._has_keyboard():
            self._wake()
        else:
            self._stop_peeking()

    def _has_keyboard(self) -> bool:
        return QApplication.focusWidget() in (self, self.compare, self.mirror, self.frame_button)

    def _wake(self) -> None:
        self._rest.start()
        if not self._awake:
            self._awake = True
            self._show_controls()

    def _go_to_rest(self) -> None:
        if self.underMouse() or self._has_keyboard() or self.framing.isVisible():
            self._rest.start()
        else:
            self._awake = False
            self._show_controls()

    def _show_controls(self) -> None:
        self._show_mirror()
        self._show_handle()
        self._place()

    # ---- comparing with the original

    def peek(self, event: QKeyEvent) -> bool:
        """Shows the original while Space is held; returns False for every other key.

        Args:
            event: A key event that no focused widget handled.
        """
        if event.key() != Qt.Key.Key_Space or event.modifiers():
            return False
        if event.isAutoRepeat():
            return self._peeks
        if event.type() == QEvent.Type.KeyRelease:
            self._stop_peeking()
            return True
        # Hidden controls are shown, so that the compare handle is visible during the comparison.
        self._wake()
        self._peeks = self.compare.isVisible()
        if self._peeks:
            self._show_compared()
        return self._peeks

    def _stop_peeking(self) -> None:
        if self._peeks:
            self._peeks = False
            self._show_compared()

    def _show_handle(self) -> None:
        model = self._model
        held = model is not None and model.snapshot is not None and model.snapshot.hold
        there = self.has_picture and not self.message.isVisibleTo(self) and not held
        if not there:
            self._peeks = False
            self.compare.setValue(0)
        self.compare.setVisible(there and (self._awake or self.compare.value() > 0))

    def _show_compared(self) -> None:
        share = 1.0 if self._peeks else self.compare.share
        self.show_divide(share)
        self._want(self._preview_wanted.model_copy(update={"original": share > 0}))
        self._show_session()

    def _show_session(self) -> None:
        """Shows the lower left badge: "original" while comparing, else the meter."""
        if self.has_original and (self._peeks or self.compare.value()):
            text = self.tr("Original · only you see it")
        elif self._model is not None and self._roomy and not self.message.isVisibleTo(self):
            text = self._words.meter(self._model)
        else:
            text = ""
        self.show_pill(Qt.Corner.BottomLeftCorner, text)

    def _act(self, action: StageAction) -> None:
        if action in ("start", "try_again"):
            self.intended.emit(StartSession())
        elif action == "refresh":
            self.intended.emit(RefreshSources())
        elif action == "retry_live":
            self.retry_wanted.emit()
        elif action == "more_credits":
            self.credits_wanted.emit()
        elif action == "system_settings":
            if self._model is not None and self._model.snapshot is not None:
                QDesktopServices.openUrl(QUrl(page_of(self._model.snapshot.trouble)))
        else:
            self._use("demo" if action == "use_demo" else "screen")

    def _use(self, kind: str) -> None:
        model = self._model
        if model is None or model.snapshot is None:
            return
        choice = next((choice for choice in model.snapshot.sources if choice.kind == kind), None)
        if choice is None:
            return
        self.intended.emit(SetSource(source=choice.source))
        if not model.running:
            self.intended.emit(StartSession())
