"""Side panel: transforms, virtual camera, stream figures, balance."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.connection.models import SessionModel
from overpaint.gui.panels.balance_card import BalanceCard
from overpaint.gui.panels.transforms_panel import TransformsPanel
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.fold import FoldCard
from overpaint.gui.widgets.labels import Facts, text_label
from overpaint.gui.words.numbers import number, rate
from overpaint.gui.words.plain_text import plain_tip
from overpaint.gui.words.state_words import Wording
from overpaint.media.opener.decoder import PictureDecoder
from overpaint.wire.camera import CameraListing
from overpaint.wire.live import Camera, LiveSnapshot, RefreshSources

WIDTH, NARROW = 304, 284
UNLIMITED = (1 << 24) - 1
"""A widget's greatest height where it has no limit (Qt's ``QWIDGETSIZE_MAX``)."""
ROOMY = 620
"""Least height of the panel at which the balance card is unfolded."""


class SidePanel(QWidget):
    """Side panel: transforms, and the cards for camera, stream and balance, below or beside them."""

    intended = Signal(object)
    needed = Signal()
    """Something in it needs the user, who may have folded it away."""

    def __init__(self, theme: Theme, decoder: PictureDecoder) -> None:
        super().__init__()
        mark(self, role="side-edge")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.transforms = TransformsPanel(theme, decoder)
        self.camera = CameraCard(theme)
        self.figures = FiguresCard(theme)
        self.balance = BalanceCard(theme)
        for part in (self.transforms, self.camera):
            part.intended.connect(self.intended)
        self.transforms.credits_wanted.connect(self.balance.open_dashboard)
        self.transforms.intake.intended.connect(self.needed)
        self.transforms.intake.refused.connect(self.needed)
        self.camera.pressing.connect(self.needed)
        inside = QWidget()
        mark(inside, role="side")
        self._parts = QBoxLayout(QBoxLayout.Direction.TopToBottom, inside)
        self._parts.setContentsMargins(13, 10, 14, 14)
        self._parts.setSpacing(8)
        self._parts.addWidget(self.transforms, 1)
        cards = QVBoxLayout()
        cards.setSpacing(8)
        for card in (self.camera, self.figures, self.balance):
            cards.addWidget(card)
        self._parts.addLayout(cards)
        self._cards = cards
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

    def lie(self, below: bool, width: int, height: int) -> None:
        """Fixes the panel's size; below the picture its parts are beside each other.

        Args:
            below: Whether it lies below the picture, not beside it.
            width: Its width in device-independent pixels.
            height: Its height; 0 if the window decides.
        """
        directions = QBoxLayout.Direction
        self._parts.setDirection(directions.LeftToRight if below else directions.TopToBottom)
        self._parts.setStretch(1, 1 if below else 0)
        self._cards.setAlignment(Qt.AlignmentFlag.AlignTop if below else Qt.AlignmentFlag(0))
        mark(self, below="true" if below else "false")
        self.setFixedWidth(width)
        self.setMinimumHeight(height)
        self.setMaximumHeight(height or UNLIMITED)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Folds the balance card in a low window, to leave the space to the transforms."""
        super().resizeEvent(event)
        self.balance.show_room(self.height() >= ROOMY)

    def show_model(self, model: SessionModel) -> None:
        """Shows the newest state."""
        self.setEnabled(model.usable)
        self.transforms.show_model(model)
        if model.snapshot is not None:
            self.camera.crowded = bool(self.transforms.items.items)
            self.camera.show_camera(model.snapshot.camera, wanted=model.running and model.snapshot.on_air)
            self.figures.show_snapshot(model.snapshot)
            self.balance.show_snapshot(model.snapshot)


class CameraCard(FoldCard):
    """Camera card: state of the virtual camera, where programs choose it, or how to mend a missing one.

    Attributes:
        crowded: Whether space is short: the card is then not unfolded to explain an error.
    """

    intended = Signal(object)
    setup_wanted = Signal()
    """The user wants to know how to get a camera."""
    programs_wanted = Signal()
    """The user wants to know which programs see the camera."""
    pressing = Signal()
    """An error prevents going on air."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, self.tr("Camera"))
        self.crowded = self._in_vain = False
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
        self.setup = ThemedButton(theme, text=self.tr("What to do…"))
        self.setup.clicked.connect(self.setup_wanted)
        self.programs = ThemedButton(theme, text=self.tr("Which programs see it…"), role="link")
        self.programs.clicked.connect(self.programs_wanted)
        # An icon, since two labels are wider than the panel of a narrow window.
        self.again = ThemedButton(theme, "refresh", role="icon", hint=self.tr("Check again"))
        self.again.clicked.connect(self._check)
        row = QHBoxLayout()
        row.addWidget(self.setup)
        row.addWidget(self.programs)
        row.addStretch(1)
        row.addWidget(self.again)
        for widget in (self.lead, self.places):
            self.body.addWidget(widget)
        self.body.addLayout(row)
        self.lead.setText(self._choose(Camera(state="off")))

    def show_camera(self, camera: Camera, wanted: bool = False) -> None:
        """Shows the camera's state; unfolds the card for an error while the user wants to be on air."""
        state = self._words.camera(camera)
        self.icon.show()
        self.icon.show_icon(state.icon, state.tone)
        checked = self.tr("{} · checked").format(state.word) if camera.checked else state.word
        self.state.show_text(checked)
        trouble = camera.trouble
        self.open(trouble is not None and not self.crowded)
        in_vain = trouble is not None and wanted
        if in_vain and not self._in_vain:
            self.pressing.emit()
            self.fold.setChecked(True)  # even if the user has folded it: this error prevents going on air
        self._in_vain = in_vain
        listing = camera.listing or CameraListing()
        self.lead.setText(trouble.sentence if trouble else self._choose(camera))
        self.lead.setToolTip(plain_tip(listing.path))
        self.places.setVisible(trouble is None and not listing.is_only_in_pipewire)
        differ = listing.pipewire or listing.path.startswith("/dev/")
        self.programs.setVisible(trouble is None and differ)
        for button in (self.again, self.setup):
            button.setVisible(trouble is not None)

    def _choose(self, camera: Camera) -> str:
        if camera.listing is not None and camera.listing.is_only_in_pipewire:
            if camera.listing.lacking is not None and camera.listing.lacking.kind != "missing":
                return camera.listing.lacking.sentence
            return self.tr("“{}” is in PipeWire: some programs see it, others once you switch it on.").format(
                camera.title
            )
        if camera.title:
            return self.tr("Choose “{}” in").format(camera.title)
        return self.tr("In your video call, choose Overpaint's camera in")

    def _check(self) -> None:
        self.intended.emit(RefreshSources())


class FiguresCard(FoldCard):
    """Stream card: measured figures of the last seconds."""

    delay_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, self.tr("Stream"))
        facts = Facts()
        self.rate = facts.add(self.tr("Pictures in · out"))
        self.delay = facts.add(self.tr("Delay"))
        self.dropped = facts.add(self.tr("Dropped"))
        self.engine = facts.add(self.tr("Engine"))
        self.link = facts.add(self.tr("Link"))
        self.body.addWidget(facts)
        self.more = ThemedButton(theme, text=self.tr("Delay and sound…"), role="link")
        self.more.setToolTip(
            self.tr("The delay of the last minute, and by how much to delay the sound in OBS")
        )
        self.more.clicked.connect(self.delay_wanted)
        self.body.addWidget(self.more, 0, Qt.AlignmentFlag.AlignRight)
        self._words = Wording(self)

    def show_snapshot(self, snapshot: LiveSnapshot) -> None:
        """Shows the figures of a snapshot."""
        self.state.show_text(self._words.figures(snapshot).rpartition(" · ")[0])
        figures, session = snapshot.figures, snapshot.session
        flowing = snapshot.state not in ("stopped", "failed", "connecting")
        none = "–"
        self.rate.show_text(
            self.tr("{} · {} fps").format(rate(figures.fps_in), rate(figures.fps_out)) if flowing else none
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
