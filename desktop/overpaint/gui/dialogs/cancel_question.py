"""Cancellation of transforms, after a confirmation dialog if it costs credits.

An item that the service has begun is charged even if it is cancelled; the dialog says how much. Emits
intents; must not know the live process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.dialogs.question import Answer, Question
from overpaint.gui.words.transform_words import TransformWords
from overpaint.wire.transforms import CancelTransforms, RunningTransform, TransformItem


def is_begun(item: TransformItem, run: RunningTransform | None) -> bool:
    """Whether the service has begun an item, as far as the window knows.

    A picture is begun as soon as it is uploaded. A clip may wait in the service's queue, until it reports
    progress.
    """
    if item.state != "working" or run is None or run.stage == "uploading":
        return False
    return item.kind == "image" or run.stage == "saving" or bool(run.part)


class CancelDesk(QObject):
    """Cancellation of transforms, with a confirmation dialog.

    Args:
        theme: The theme.
        parent: The widget whose window is the dialog's parent.

    Attributes:
        question: The open dialog, or None.
        free: Whether orders cost nothing; then there is nothing to ask.
    """

    intended = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._parent = parent
        self._words = TransformWords(self)
        self._refused: set[str] = set()
        self.question: Question | None = None
        self.free = False

    def cancel(self, items: Sequence[TransformItem], running: Mapping[str, RunningTransform]) -> None:
        """Cancels waiting or running items; asks first if any has been begun."""
        if self.free:
            self.intended.emit(CancelTransforms(ids=[item.id for item in items]))
            return
        # An item that was cancelled and still runs had been begun, whatever its progress says.
        begun = [item for item in items if item.id in self._refused or is_begun(item, running.get(item.id))]
        other = [item for item in items if item not in begun]
        if not begun:
            self._stop(other, begun)
        elif self.question is None:
            self._ask(other, begun)

    def _ask(self, other: list[TransformItem], begun: list[TransformItem]) -> None:
        kept = sum(item.price for item in begun)
        self.question = Question(
            self._theme,
            self._parent.window(),
            self.tr("Cancel {}?").format(self._words.amount([*begun, *other])),
            self._words.cancelling(begun, kept, other),
            (
                Answer(self.tr("Keep working"), role="primary"),
                Answer(
                    self.tr("Cancel, {} kept").format(self._words.credits(kept)),
                    lambda: self._stop(other, begun),
                    role="danger",
                ),
            ),
        )
        self.question.finished.connect(self._forget)
        self.question.open()

    def _stop(self, other: list[TransformItem], begun: list[TransformItem]) -> None:
        # Items begun since the dialog opened are not cancelled: that would cost more than the user was told.
        for items, begun_too in ((other, False), (begun, True)):
            if items:
                ids = [item.id for item in items]
                self._refused |= {item.id for item in items if item.state == "working" and not begun_too}
                self.intended.emit(CancelTransforms(ids=ids, begun_too=begun_too))

    def _forget(self) -> None:
        self.question = None
