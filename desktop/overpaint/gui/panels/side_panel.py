"""The side: the camera and how to choose it, the stream's figures, the balance."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from overpaint.gui.models import SessionModel
from overpaint.gui.theme import Theme, mark
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import Card, Facts, text_label
from overpaint.gui.widgets.mend import MendBox
from overpaint.gui.wording import Wording, duration, number
from overpaint.wire.live import Camera, LiveSnapshot, RefreshSources

WIDTH, NARROW = 304, 276


class SidePanel(QWidget):
    """Cards below each other, scrolling where there is no room for all."""

    intended = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        mark(self, role="side-edge")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.camera = CameraCard(theme)
        self.figures = FiguresCard(theme)
        self.balance = BalanceCard(theme)
        self.camera.intended.connect(self.intended)
        inside = QWidget()
        mark(inside, role="side")
        column = QVBoxLayout(inside)
        column.setContentsMargins(13, 14, 14, 14)
        column.setSpacing(12)
        for card in (self.camera, self.figures):
            column.addWidget(card)
        column.addStretch(1)
        column.addWidget(self.balance)
        area = QScrollArea()
        mark(area, role="side")
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 0, 0, 0)
        layout.addWidget(area)

    def show_model(self, model: SessionModel) -> None:
        """Shows the newest state."""
        self.setEnabled(model.usable)
        if model.snapshot is not None:
            self.camera.show_camera(model.snapshot.camera)
            self.figures.show_snapshot(model.snapshot)
            self.balance.show_snapshot(model.snapshot)


class CameraCard(Card):
    """What other programs see, where to choose it, or why there is no camera and how to mend that."""

    intended = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, self.tr("Camera"))
        self._words = Wording(self)
        self.lead = text_label("value", wrap=True)
        self.places = Facts()
        for program, place in (
            ("Zoom", self.tr("Settings › Video")),
            ("Meet", self.tr("Settings › Video")),
            ("Teams", self.tr("Settings › Devices")),
            ("OBS", self.tr("Sources › Video Capture")),
        ):
            self.places.add(program).show_text(place)
        self.mend = MendBox(theme)
        self.again = ThemedButton(theme, "refresh", self.tr("Check again"), "link")
        self.again.clicked.connect(self._check)
        self.mend.row.insertWidget(0, self.again)
        for widget in (self.lead, self.places, self.mend):
            self.body.addWidget(widget)
        self.lead.setText(self._choose(Camera(state="off")))

    def show_camera(self, camera: Camera) -> None:
        """Shows the camera's state."""
        state = self._words.camera(camera)
        self.icon.show()
        self.icon.show_icon(state.icon, state.tone)
        self.state.setText(state.word)
        trouble = camera.trouble
        self.lead.setText(trouble.sentence if trouble else self._choose(camera))
        self.lead.setToolTip(camera.device)
        self.places.setVisible(trouble is None)
        self.mend.show_mend(trouble.mend if trouble else "")
        self.mend.setVisible(trouble is not None)

    def _choose(self, camera: Camera) -> str:
        if camera.title:
            return self.tr("Choose “{}” in").format(camera.title)
        return self.tr("In your video call, choose Overpaint's camera in")

    def _check(self) -> None:
        self.intended.emit(RefreshSources())


class FiguresCard(Card):
    """What is measured, over the last seconds."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, self.tr("Stream"))
        facts = Facts()
        self.rate = facts.add(self.tr("Pictures in · out"))
        self.delay = facts.add(self.tr("Delay"))
        self.dropped = facts.add(self.tr("Dropped"))
        self.engine = facts.add(self.tr("Engine"))
        self.link = facts.add(self.tr("Link"))
        self.body.addWidget(facts)

    def show_snapshot(self, snapshot: LiveSnapshot) -> None:
        """Shows the figures of a snapshot."""
        figures, session = snapshot.figures, snapshot.session
        flowing = snapshot.state not in ("stopped", "failed", "connecting")
        none = "–"
        self.rate.show_text(
            self.tr("{} · {} fps").format(_rate(figures.fps_in), _rate(figures.fps_out)) if flowing else none
        )
        if flowing and figures.delay_ms_p50 is not None:
            delay = self.tr("{} ms").format(round(figures.delay_ms_p50))
            if figures.delay_ms_p95 is not None:
                delay += self.tr(" · p95 {}").format(round(figures.delay_ms_p95))
            self.delay.show_text(delay)
        else:
            self.delay.show_text(none)
        self.dropped.show_text(number(figures.dropped) if flowing else none)
        self.engine.show_text(session.engine if session else none)
        self.link.show_text(session.link.replace("_", " ") if session else none)


class BalanceCard(Card):
    """Credits, how long they last, and whose they are."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, self.tr("Balance"))
        self._words = Wording(self)
        self.credits = text_label("figure", "–")
        self.unit = text_label("muted", self.tr("credits"))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.credits, 0, Qt.AlignmentFlag.AlignBaseline)
        row.addWidget(self.unit, 1, Qt.AlignmentFlag.AlignBaseline)
        self.body.addLayout(row)
        facts = Facts()
        self.session = facts.add(self.tr("This session"))
        self.renewal = facts.add(self.tr("Renews in"))
        self.left = facts.add(self.tr("Lasts about"))
        self.key_name = facts.add(self.tr("Key"))
        self.key = facts.add(self.tr("Secret"))
        self.body.addWidget(facts)

    def show_snapshot(self, snapshot: LiveSnapshot) -> None:
        """Shows the balance of a snapshot."""
        balance, session = snapshot.balance, snapshot.session
        none = "–"
        self.session.show_text(duration(session.seconds) if session else none)
        self.renewal.show_text(self._words.rough(session.expires_in_seconds) if session else none)
        if balance is None:
            self.credits.setText(none)
            self.left.show_text(none)
            self.key_name.show_text(none)
            self.key.show_text(none)
            self.state.setText("")
            return
        self.credits.setText(number(balance.credits_remaining))
        self.left.show_text(self._words.time_left(balance, session))
        self.key_name.show_text(f"{balance.key_name} · {balance.environment}")
        self.key.show_text(balance.masked)
        self.state.setText(balance.server or self.tr("this computer"))


def _rate(fps: float) -> str:
    return f"{fps:.0f}" if fps >= 100 else f"{fps:.1f}"
