"""Top bar: source, state, record, hold, privacy, start and stop, go live, menu."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.connection.models import SessionModel
from overpaint.gui.panels.source_chooser import SourceChooser
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import ToneIcon, text_label
from overpaint.gui.words.plain_text import plain_tip
from overpaint.gui.words.state_words import Wording, duration
from overpaint.wire.live import (
    LiveSnapshot,
    SetHold,
    SetOnAir,
    SetPrivacy,
    SetRecording,
    StartSession,
    StopSession,
)

COMPACT_BELOW = 1140
HEIGHT = 54


class StateChip(QFrame):
    """State chip: the state as an icon, a word and the session's duration."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        mark(self, role="chip")
        self._icon = ToneIcon(theme, 16)
        self.word = text_label("")
        self.detail = text_label("small")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 0, 12, 0)
        layout.setSpacing(7)
        layout.addWidget(self._icon)
        layout.addWidget(self.word)
        layout.addWidget(self.detail)
        self.setFixedHeight(34)

    def show_words(self, words: Wording, model: SessionModel) -> None:
        """Shows the state of a model."""
        state = words.state(model)
        self._icon.show_icon(state.icon, state.tone)
        self.word.setText(state.word)
        self.detail.setText(state.detail)
        self.detail.setVisible(bool(state.detail))
        self.setAccessibleName(" ".join((state.word, state.detail)).strip())
        for widget in (self, self.word, self.detail):
            mark(widget, tone="air" if state.tone == "air" else "")


class TopBar(QWidget):
    """Top bar: source at the left, state in the middle, actions at the right."""

    intended = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        mark(self, role="bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEIGHT)
        self._words = Wording(self)
        self._model: SessionModel | None = None
        self.source = SourceChooser(theme)
        self.chip = StateChip(theme)
        self.record = ThemedButton(theme, "record")
        self.hold = ThemedButton(theme, "hold")
        self.privacy = ThemedButton(theme, "private")
        self.session = ThemedButton(theme, "play")
        self.air = ThemedButton(theme, "air", role="strong")
        self.more = ThemedButton(theme, "more", role="icon", hint=self.tr("More"))
        self._brand = text_label("brand", "Overpaint")
        self._lay_out()
        self.source.intended.connect(self.intended)
        self.record.clicked.connect(self.toggle_recording)
        self.hold.clicked.connect(self.toggle_hold)
        self.privacy.clicked.connect(self.toggle_privacy)
        self.session.clicked.connect(self.toggle_session)
        self.air.clicked.connect(self.toggle_air)

    def _lay_out(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 0, 14, 0)
        layout.setSpacing(10)
        layout.addWidget(self._brand)
        layout.addSpacing(4)
        layout.addWidget(self.source)
        layout.addStretch(1)
        layout.addWidget(self.chip)
        for button in (self.record, self.hold, self.privacy, self.session, self.air, self.more):
            layout.addWidget(button)

    def show_model(self, model: SessionModel) -> None:
        """Shows the newest state."""
        self._model = model
        self.source.show_model(model)
        self.chip.show_words(self._words, model)
        compact = self.width() < COMPACT_BELOW
        snapshot, usable, running = model.snapshot, model.usable, model.running
        recording = bool(snapshot and snapshot.recording)
        held = bool(snapshot and (snapshot.hold or snapshot.state == "held"))
        self._show(self.record, self._recording_label(snapshot), compact)
        self.record.setToolTip(plain_tip(self._recording_hint(model)))
        self.record.setEnabled(usable and (running or recording))
        self.record.show_icon("record", "bad" if recording else "")
        mark(self.record, on="true" if recording else "false")
        self._show(self.hold, self.tr("Resume") if held else self.tr("Hold"), compact)
        self.hold.setToolTip(self.tr("Freezes what the camera shows (Ctrl+H)"))
        self.hold.setEnabled(model.hears and running)
        self.hold.show_icon("play" if held else "hold")
        private = bool(snapshot and snapshot.private)
        self._show(self.privacy, self.tr("Show me") if private else self.tr("Privacy"), compact)
        self.privacy.setToolTip(
            self.tr("Shows you to others again (F9)")
            if private
            else self.tr("Shows others only the pause picture, at once (F9)")
        )
        self.privacy.setEnabled(model.hears and (running or private))
        self.privacy.show_icon("shown" if private else "private", "warn" if private else "")
        self._show(self.session, self.tr("Stop") if running else self.tr("Start"), compact)
        self.session.setToolTip(
            self.tr("Ends the session; the camera shows the pause picture")
            if running
            else self.tr("Starts the preview; only you see it")
        )
        self.session.show_icon("stop" if running else "play")
        self.session.setEnabled(usable or (model.hears and running))
        self._show_air(model)

    def _show_air(self, model: SessionModel) -> None:
        wanted, snapshot = self._on_air_wanted, model.snapshot
        in_vain = wanted and not model.on_air and snapshot is not None and snapshot.camera.trouble is not None
        if in_vain:
            label = self.tr("Cancel live")
            hint = self.tr("Nobody sees you: there is no virtual camera. Cancels going live (Ctrl+L)")
        elif wanted:
            label, hint = self.tr("End live"), self.tr("The camera shows the pause picture again (Ctrl+L)")
        else:
            label = self.tr("Go live")
            hint = self.tr("Sends the restyled picture to the camera (Ctrl+L)")
        self.air.show_label(label)
        self.air.setToolTip(plain_tip(hint))
        self.air.setEnabled(model.usable or (model.hears and wanted))
        self.air.show_role(
            "air"
            if model.usable and wanted and not in_vain
            else "primary"
            if model.usable and model.running and not wanted
            else "strong"
        )

    @property
    def _on_air_wanted(self) -> bool:
        model = self._model
        return bool(model and model.snapshot and model.snapshot.on_air and model.running)

    @staticmethod
    def _show(button: ThemedButton, label: str, compact: bool) -> None:
        button.show_label(label, compact)
        mark(button, role="icon" if compact else "")

    def _recording_label(self, snapshot: LiveSnapshot | None) -> str:
        if snapshot is None or not snapshot.recording:
            return self.tr("Record")
        return self.tr("Stop recording · {}").format(duration(snapshot.recording_seconds))

    def _recording_hint(self, model: SessionModel) -> str:
        if model.snapshot is not None and model.snapshot.recording:
            return self.tr("Recording to {} (Ctrl+R)").format(model.snapshot.recording)
        return self.tr("Records the restyled picture (Ctrl+R)")

    # ---- commands

    def toggle_session(self) -> None:
        """Starts or ends the session."""
        model = self._model
        if model is not None and (model.usable or (model.hears and model.running)):
            self.intended.emit(StopSession() if model.running else StartSession())

    def toggle_air(self) -> None:
        """Goes on air (starting a session if there is none), or off air."""
        model = self._model
        if model is None:
            return
        on = not self._on_air_wanted
        if not model.usable and (on or not model.hears):
            return
        if on and not model.running:
            self.intended.emit(StartSession())
        self.intended.emit(SetOnAir(on=on))

    def toggle_hold(self) -> None:
        """Holds (freezes) the picture, or releases it."""
        model = self._model
        if model is not None and model.hears and model.running and model.snapshot is not None:
            self.intended.emit(SetHold(on=not (model.snapshot.hold or model.snapshot.state == "held")))

    def toggle_privacy(self) -> None:
        """Switches privacy on (others see the still at once) or off."""
        model = self._model
        if model is not None and model.hears and model.snapshot is not None:
            self.intended.emit(SetPrivacy(on=not model.snapshot.private))

    def toggle_recording(self) -> None:
        """Starts or ends a recording."""
        model = self._model
        if model is not None and model.usable and model.snapshot is not None and self.record.isEnabled():
            self.intended.emit(SetRecording(on=model.snapshot.recording is None))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hides the buttons' labels in a narrow window."""
        super().resizeEvent(event)
        if self._model is not None:
            self.show_model(self._model)
