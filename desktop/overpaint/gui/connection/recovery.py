"""Recovery of the session after the live process died or hung.

``bridge`` starts the successor, which loads source, prompt, photo and preferences itself. This module decides
whether the session continues: only with the same source, and only within the restart limit. Intents that hide
the user (privacy, hold, end live, stop) may have been lost with the former process; they are kept here until
a snapshot confirms them, and are applied to the successor. Must not know widgets.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTime, Signal

from overpaint.gui.connection.models import SessionModel
from overpaint.processes.supervision.succession import RestartLimit, course_of, same_again, same_source
from overpaint.wire.live import (
    AnyIntent,
    LiveSnapshot,
    SetHold,
    SetOnAir,
    SetPrivacy,
    StartSession,
    StopSession,
)


class SessionRecovery(QObject):
    """Session recovery: watches a model, and emits the intents that restore the session.

    Args:
        parent: The Qt parent.
        clock: Returns seconds.

    Attributes:
        sentence: The notice about the last recovery; empty before the first one.
    """

    intended = Signal(object)

    def __init__(self, parent: QObject | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self._before: LiveSnapshot | None = None
        self._unheard: dict[str, AnyIntent] = {}
        """Hiding intents by kind, until a snapshot confirms them."""
        self._parted = False
        self._restarts = RestartLimit(clock)
        self.sentence = ""

    def note(self, intent: AnyIntent) -> None:
        """Remembers a hiding intent of the user, or forgets it when the user takes it back."""
        match intent:
            case SetPrivacy(on=hides) | SetHold(on=hides):
                self._keep(intent.type, intent if hides else None)
            case SetOnAir(on=shows):
                self._keep(intent.type, None if shows else intent)
            case StopSession() | StartSession():
                self._keep("session", intent if isinstance(intent, StopSession) else None)
            case _:
                pass

    def show_model(self, model: SessionModel) -> None:
        """Handles a change of the model: sends again what was lost, or restores the session."""
        now = model.snapshot
        if now is None or not model.usable:
            self._parted = self._parted or model.connection == "restarting"
            return
        parted, self._parted = self._parted, False
        if model.running:
            self._before = now
            self._unheard = {kind: wish for kind, wish in self._unheard.items() if not _is_so(wish, now)}
            if parted:  # the camera process restored the session first, and does not know these intents
                for wish in self._unheard.values():
                    self.intended.emit(wish)
        elif self._before is None or not model.interrupted:
            self._before = None
            self._unheard = {}
        elif now.source:
            before, self._before = self._before, None
            unheard, self._unheard = self._unheard, {}
            self._restore(before, now, unheard)

    def _keep(self, kind: str, wish: AnyIntent | None) -> None:
        self._unheard.pop(kind, None)
        if wish is not None:
            self._unheard[kind] = wish

    def _restore(self, before: LiveSnapshot, now: LiveSnapshot, unheard: dict[str, AnyIntent]) -> None:
        at = QTime.currentTime().toString("HH:mm")
        before = before.model_copy(update=_as_wished(unheard))
        if "session" in unheard:
            self.sentence = self.tr(
                "Overpaint's live part ended at {} and was started again. Start when you are ready."
            ).format(at)
            return
        if not same_source(course_of(before), course_of(now)):
            self.sentence = self.tr(
                "Overpaint's live part ended at {} and was started again. {} is not there any more: "
                "choose a source and start when you are ready."
            ).format(at, before.source_title)
            return
        if not self._restarts.take():
            self.sentence = self.tr(
                "Overpaint's live part ended again at {}, for the fourth time in ten minutes. "
                "Start when you are ready; live.log in the data folder says why."
            ).format(at)
            return
        for intent in same_again(course_of(before)):
            self.intended.emit(intent)
        self.sentence = (
            self.tr("Overpaint's live part ended at {} and came back by itself: on air with the same look.")
            if before.on_air
            else self.tr("Overpaint's live part ended at {} and came back by itself, with the same look.")
        ).format(at)
        if before.original:
            self.sentence += " " + self.tr("The original is no longer shown.")
        if before.recording is not None:
            self.sentence += " " + self.tr("The recording has ended; what was recorded can be played.")


def _is_so(wish: AnyIntent, now: LiveSnapshot) -> bool:
    """Whether a snapshot confirms an intent."""
    match wish:
        case SetPrivacy():
            return now.private
        case SetHold():
            return now.hold
        case SetOnAir():
            return not now.on_air
        case _:
            return False


def _as_wished(unheard: dict[str, AnyIntent]) -> dict[str, bool]:
    """The fields of a snapshot that the unconfirmed intents would have changed."""
    changes = {}
    for wish in unheard.values():
        match wish:
            case SetPrivacy(on=on):
                changes["private"] = on
            case SetHold(on=on):
                changes["hold"] = on
            case SetOnAir(on=on):
                changes["on_air"] = on
            case _:
                pass
    return changes
