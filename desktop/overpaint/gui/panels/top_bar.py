"""Top bar: source, state, record, mute, hold, privacy, start and stop, go live, menu."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.connection.models import SessionModel
from overpaint.gui.panels.source_chooser import SourceChooser
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import ToneIcon, text_label
from overpaint.gui.widgets.meters.level_meter import MuteButton
from overpaint.gui.words.numbers import duration, file_size
from overpaint.gui.words.plain_text import plain_tip
from overpaint.gui.words.state_words import Wording, session_price
from overpaint.wire.live import (
    LiveSnapshot,
    SetHold,
    SetOnAir,
    SetPrivacy,
    SetRecording,
    StartSession,
    StopSession,
)
from overpaint.wire.sources import NO_MICROPHONE, SetMuted

COMPACT_BELOW = 1220
NAMELESS_BELOW = 1300
HEIGHT = 54
ROOMY_FROM = 1400
"""Width from which words and size of a recording stand beside its time."""
LONGEST_TIME, LONGEST_SIZE = "00:00:00", "000 MB"
"""Room for a recording's time and size."""


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
    air_asked = Signal()
    """The user asks to go live or to end it, by the button or by a key, whatever comes of it."""
    camera_wanted = Signal()
    """The user wants to go live, and there is no camera."""

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
        self.sound = MuteButton(theme)
        self.hold = ThemedButton(theme, "hold")
        self.privacy = ThemedButton(theme, "private")
        self.session = ThemedButton(theme, "play")
        self.air = ThemedButton(theme, "air", role="strong")
        self.panel = ThemedButton(
            theme, "panel", role="icon", hint=self.tr("Shows the side panel, or folds it away (F8)")
        )
        self.panel.setCheckable(True)
        self.more = ThemedButton(theme, "more", role="icon", hint=self.tr("More"))
        self._brand = text_label("brand", "Overpaint")
        self._lay_out()
        self.source.intended.connect(self.intended)
        self.record.clicked.connect(self.toggle_recording)
        self.sound.clicked.connect(self.toggle_sound)
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
        actions = (self.record, self.sound, self.hold, self.privacy, self.session, self.air)
        for button in (*actions, self.panel, self.more):
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
        lasted = self._recorded(snapshot) if snapshot and snapshot.recording else ""
        labels = self.tr("Record"), self.tr("Stop recording")
        if lasted and self.width() < ROOMY_FROM:  # the time in the place of the word
            self.record.show_label(labels[True], True, lasted)
            mark(self.record, role="")
            self.record.keep_room(*((LONGEST_TIME,) if compact else (labels[False], LONGEST_TIME)))
        else:
            room = labels if self.width() >= ROOMY_FROM else (labels[False], LONGEST_TIME)
            self._show(self.record, labels[recording], room, compact, lasted)
        self.record.setToolTip(plain_tip(self._recording_hint(model)))
        self.record.setEnabled(usable and (running or recording))
        self.record.show_icon("record", "bad" if recording else "")
        mark(self.record, on="true" if recording else "false")
        self._show_sound(model)
        labels = self.tr("Hold"), self.tr("Resume")
        self._show(self.hold, labels[held], labels, compact)
        self.hold.setToolTip(self.tr("Freezes what the camera shows (Ctrl+H)"))
        self.hold.setEnabled(model.hears and running)
        self.hold.show_icon("play" if held else "hold")
        private = bool(snapshot and snapshot.private)
        labels = self.tr("Privacy"), self.tr("Show me")
        self._show(self.privacy, labels[private], labels, compact)
        self.privacy.setToolTip(
            self.tr("Shows you to others again (F9)")
            if private
            else self.tr("Shows others only the pause picture, at once (F9)")
        )
        self.privacy.setEnabled(model.hears and (running or private))
        self.privacy.show_icon("shown" if private else "private", "warn" if private else "")
        labels = self.tr("Start"), self.tr("Stop")
        self._show(self.session, labels[running], labels, compact)
        hint = self.tr("Ends the session; the camera shows the pause picture")
        hint = hint if running else self._priced(self.tr("Starts the preview; only you see it"))
        self.session.setToolTip(plain_tip(hint))
        self.session.show_icon("stop" if running else "play")
        self.session.setEnabled(usable or (model.hears and running))
        self._show_air(model)

    def _show_sound(self, model: SessionModel) -> None:
        snapshot = model.snapshot
        wishes = snapshot.preferences if snapshot is not None else None
        has_sound = wishes is not None and (wishes.microphone != NO_MICROPHONE or wishes.system_sound)
        self.sound.setVisible(has_sound)
        self.sound.setEnabled(model.hears and snapshot is not None)
        if snapshot is None:
            return
        state = self._words.sound(snapshot)
        self.sound.show_icon(state.icon, "" if state.tone == "idle" else state.tone)
        self.sound.show_label(state.word, compact=True)
        self.sound.setToolTip(plain_tip(state.detail))

    def _show_air(self, model: SessionModel) -> None:
        air, snapshot = model.air, model.snapshot
        if air == "on":
            label, hint = self.tr("End live"), self.tr("The camera shows the pause picture again (Ctrl+L)")
        elif air == "off":
            label = self.tr("Go live")
            hint = self.tr("Sends the restyled picture to the camera (Ctrl+L)")
            hint = hint if model.running else self._priced(hint)
        else:
            label = self.tr("Cancel live")
            hint = self.tr("Nobody sees you yet. Cancels going live (Ctrl+L)")
            if snapshot is not None and snapshot.camera.trouble is not None:
                hint = self.tr(
                    "Nobody sees you: the virtual camera does not work. Cancels going live (Ctrl+L)"
                )
        self.air.show_label(label)
        self.air.setToolTip(plain_tip(hint))
        self.air.setEnabled(model.usable or (model.hears and air != "off"))
        shown = "primary" if model.running and air == "off" else "air" if air == "on" else "strong"
        self.air.show_role(shown if model.usable else "strong")
        self.air.keep_room(self.tr("Go live"), self.tr("End live"), self.tr("Cancel live"))

    def _priced(self, hint: str) -> str:
        """A hint, with the price of the session that starts."""
        snapshot = self._model.snapshot if self._model is not None else None
        if snapshot is None or snapshot.is_free:
            return hint
        return "\n".join((hint, self.tr("A session costs {} credits.").format(session_price())))

    @staticmethod
    def _show(
        button: ThemedButton, label: str, labels: tuple[str, str], compact: bool, detail: str = ""
    ) -> None:
        """Shows a label with room for the others, and a time."""
        button.show_label(label, compact, detail)
        mark(button, role="icon" if compact and not detail else "")
        parts = len(detail.split(" · ")) if detail else 0
        widest = "".join(f" · {each}" for each in (LONGEST_TIME, LONGEST_SIZE)[:parts])
        button.keep_room(*(LONGEST_TIME,) if compact else (each + widest for each in labels))

    def _recorded(self, snapshot: LiveSnapshot) -> str:
        """How long the recording is, and how large where there is room for that."""
        lasted = duration(snapshot.recording_seconds)
        if self.width() < ROOMY_FROM:
            return lasted
        return f"{lasted} · {file_size(snapshot.recording_bytes)}"

    def _recording_hint(self, model: SessionModel) -> str:
        if model.snapshot is not None and model.snapshot.recording:
            size, left = file_size(model.snapshot.recording_bytes), model.snapshot.recording_left_seconds
            words = self.tr("Recording to {}, {} so far (Ctrl+R)").format(model.snapshot.recording, size)
            if left is None:
                return words
            return "\n".join((words, self.tr("Room on the disk: {}").format(self._words.rough(left))))
        return self.tr("Records the restyled picture (Ctrl+R)")

    # ---- commands

    def toggle_session(self) -> None:
        """Starts or ends the session."""
        model = self._model
        if model is not None and (model.usable or (model.hears and model.running)):
            self.intended.emit(StopSession() if model.running else StartSession())

    def toggle_air(self) -> None:
        """Goes on air (starting a session if there is none), or off air; without a camera, asks for one."""
        self.air_asked.emit()
        model = self._model
        if model is None:
            return
        on = model.air == "off"
        if not model.usable and (on or not model.hears):
            return
        snapshot = model.snapshot
        if on and snapshot and snapshot.has_no_way_out and not snapshot.preferences.page_on:
            self.camera_wanted.emit()
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
        """Switches privacy on (others see only the slate, at once) or off."""
        model = self._model
        if model is not None and model.hears and model.snapshot is not None:
            self.intended.emit(SetPrivacy(on=not model.snapshot.private))

    def toggle_sound(self) -> None:
        """Mutes the microphone, or ends that."""
        model = self._model
        if model is not None and model.hears and model.snapshot is not None:
            self.intended.emit(SetMuted(on=not model.snapshot.sound.muted))

    def toggle_recording(self) -> None:
        """Starts or ends a recording."""
        model = self._model
        if model is not None and model.usable and model.snapshot is not None and self.record.isEnabled():
            self.intended.emit(SetRecording(on=model.snapshot.recording is None))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hides the buttons' labels in a narrow window, and the name in a very narrow one."""
        super().resizeEvent(event)
        self._brand.setVisible(self.width() >= NAMELESS_BELOW)
        if self._model is not None:
            self.show_model(self._model)
