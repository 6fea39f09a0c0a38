"""State texts: name, tone, icon and messages for each state of the live process, all in this one module.

Pure functions of the session model. Must not know widgets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QObject

from overpaint.gui.connection.models import SessionModel
from overpaint.gui.words.numbers import duration, file_size, number
from overpaint.gui.words.system_pages import page_of
from overpaint.wire.live import Balance, Camera, LiveSnapshot, SessionFacts
from overpaint.wire.service import PRICES, TTL_MAX_SECONDS

Tone = Literal["air", "good", "busy", "warn", "bad", "idle"]
_Begun = Literal["start", "try_again", "retry_live", "refresh", "use_demo", "use_screen"]
StageAction = _Begun | Literal["more_credits", "system_settings"]

LAST_MINUTES, ANNOUNCED_SECONDS = 5, 30
"""Time before a renewal at which the user is told that it cannot be paid (minutes), or is due (seconds)."""

ROOM_MINUTES = (1, 2, 5, 10)
"""Room for a recording below which the user is told of it."""
_SOURCE_KINDS = ("missing", "busy", "denied", "unreadable", "lost")


@dataclass(frozen=True, slots=True)
class StateWords:
    """The state in a word, with its icon and tone: colour is never the only sign."""

    word: str
    detail: str
    tone: Tone
    icon: str


@dataclass(frozen=True, slots=True)
class StageWords:
    """A message on the stage, in place of the picture or over it.

    Attributes:
        busy: Whether something is under way, shown by a spinner.
        mend: An instruction, which may end in a command.
        price: Credits that starting costs; 0 where it is free.
    """

    title: str
    text: str
    mend: str = ""
    actions: tuple[StageAction, ...] = ()
    busy: bool = False
    trouble: bool = False
    price: int = 0


class Wording(QObject):
    """State texts for a session model."""

    def state(self, model: SessionModel) -> StateWords:
        """The state chip in the top bar."""
        if model.connection == "opening":
            return StateWords(self.tr("Starting…"), "", "busy", "state-busy")
        if model.connection == "restarting":
            return StateWords(self.tr("Restarting…"), "", "busy", "state-busy")
        if model.connection == "given_up":
            return StateWords(self.tr("Needs you"), "", "bad", "state-trouble")
        if model.connection == "silent":
            return StateWords(self.tr("Not answering…"), "", "warn", "state-busy")
        if model.snapshot is None:
            return StateWords(self.tr("Starting…"), "", "busy", "state-busy")
        return self._session_state(model, model.snapshot)

    def _session_state(self, model: SessionModel, snapshot: LiveSnapshot) -> StateWords:
        time = _time(model, snapshot)
        if snapshot.private and model.running:
            return StateWords(self.tr("Private"), time, "warn", "state-private")
        match snapshot.state:
            case "stopped":
                return StateWords(self.tr("Stopped"), "", "idle", "state-stopped")
            case "connecting":
                return StateWords(self.tr("Starting…"), "", "busy", "state-busy")
            case "reconnecting":
                return StateWords(self.tr("Reconnecting…"), time, "warn", "state-busy")
            case "renewing":
                return StateWords(self.tr("Renewing…"), time, "busy", "state-busy")
            case "returning":
                return StateWords(self.tr("Returning…"), time, "busy", "state-busy")
            case "failing_over":
                return StateWords(self.tr("Taking over…"), time, "warn", "state-busy")
            case "failed":
                return StateWords(self.tr("Needs you"), "", "bad", "state-trouble")
            case "held":
                return StateWords(self.tr("Held"), time, "warn", "state-held")
            case "paused":
                return StateWords(self.tr("Paused"), time, "idle", "state-held")
        if snapshot.hold:
            return StateWords(self.tr("Held"), time, "warn", "state-held")
        if snapshot.original:
            tone: Tone = "air" if model.on_air else "bad"
            return StateWords(self.tr("Original"), time, tone, "state-original")
        if model.on_air:
            return StateWords(self.tr("Live"), time, "air", "state-live")
        if snapshot.on_air and snapshot.has_no_way_out:
            if snapshot.preferences.page_on:
                return StateWords(self.tr("Waiting for OBS"), time, "warn", "state-busy")
            return StateWords(self.tr("No camera"), time, "bad", "state-trouble")
        return StateWords(self.tr("Preview"), time, "good", "state-preview")

    def badge(self, model: SessionModel) -> StateWords | None:
        """The badge on the picture: whether others see it; None while there is no picture."""
        snapshot = model.snapshot
        if snapshot is None or not model.running or model.connection not in ("up", "silent"):
            return None
        name = snapshot.camera.title or ("OBS" if snapshot.page.viewers else self.tr("camera"))
        if snapshot.private:
            return StateWords(self.tr("Private · only you see this"), "", "idle", "state-private")
        if snapshot.original and model.on_air:
            return StateWords(
                self.tr("ORIGINAL · {} shows you as you are").format(name), "", "air", "state-original"
            )
        if snapshot.original:
            return StateWords(self.tr("ORIGINAL · not restyled"), "", "air", "state-original")
        if snapshot.state == "paused" and snapshot.on_air:
            return StateWords(self.tr("Paused · {}").format(name), "", "idle", "state-held")
        if model.on_air:
            if snapshot.hold or snapshot.state == "held":
                return StateWords(self.tr("Held · {}").format(name), "", "air", "state-held")
            return StateWords(self.tr("On air · {}").format(name), "", "air", "state-live")
        if snapshot.on_air and snapshot.has_no_way_out:
            if snapshot.preferences.page_on:
                return StateWords(self.tr("Waiting for OBS · not on air"), "", "idle", "state-preview")
            return StateWords(self.tr("No camera · not on air"), "", "bad", "state-trouble")
        word = self.tr("Held · not on air") if snapshot.hold else self.tr("Preview · not on air")
        return StateWords(word, "", "idle", "state-preview")

    def stage(self, model: SessionModel) -> StageWords | None:
        """The message on the stage; None while the picture needs none."""
        snapshot = model.snapshot
        if model.connection == "given_up":
            sentence, mend = model.failure
            return StageWords(sentence, "", mend, ("retry_live",), trouble=True)
        if model.connection == "restarting":
            return StageWords(
                self.tr("Restarting…"),
                self.tr("The live part of Overpaint has ended and is restarting."),
                busy=True,
            )
        if snapshot is None:
            return StageWords(self.tr("Starting…"), "", busy=True)
        if snapshot.state == "failed":
            return self._failed(snapshot)
        if snapshot.state == "stopped":
            return self._stopped(snapshot)
        if snapshot.state == "paused":
            return self._paused(snapshot)
        if model.no_signal:
            return self._no_signal(snapshot)
        return self._waiting(snapshot)

    def _waiting(self, snapshot: LiveSnapshot) -> StageWords | None:
        held = self.tr("The camera goes on showing the last picture.") if snapshot.on_air else ""
        if snapshot.queue is not None and snapshot.state in ("connecting", "reconnecting"):
            place = self.tr("The service is busy: you are number {} of {} in the queue.")
            return StageWords(self.tr("Waiting in the queue…"), place.format(*snapshot.queue), busy=True)
        match snapshot.state:
            case "connecting":
                text = self.tr("Opening the session and the source.")
                return StageWords(self.tr("Starting…"), text, busy=True)
            case "reconnecting":
                return StageWords(self.tr("Reconnecting…"), held, busy=True)
            case "failing_over":
                return StageWords(self.tr("This computer takes over…"), held, busy=True)
            case _:
                return None

    def _no_signal(self, snapshot: LiveSnapshot) -> StageWords:
        return StageWords(
            self.tr("No picture from {}").format(snapshot.source_title or snapshot.source),
            self.tr("Check that it is plugged in, uncovered, and not used by another program."),
            actions=("refresh", *self._other_sources(snapshot)),
            trouble=True,
        )

    def news(self, snapshot: LiveSnapshot) -> tuple[str, bool]:
        """The notice about a full disk, failover, credits or renewal, empty for none; whether it is good."""
        balance, session = snapshot.balance, snapshot.session
        left = snapshot.recording_left_seconds
        room = next((each for each in ROOM_MINUTES if left is not None and left < each * 60), 0)
        if room:
            return self.tr("The disk is almost full: room for less than {} min of recording.").format(
                room
            ), False
        if snapshot.failed_over_from:
            place = snapshot.failed_over_from.split("://")[-1]
            return self.tr("{} does not answer: this computer restyles until it does.").format(place), False
        if session is None or balance is None or balance.is_free or snapshot.state not in ("live", "held"):
            return "", True
        if balance.credits_remaining < session_price():
            if session.renews_in_seconds > LAST_MINUTES * 60:
                return "", True
            words = self.tr("Not enough credits for the next session: the picture stops in {}.")
            return words.format(self.rough(session.expires_in_seconds)), False
        if session.renews_in_seconds > ANNOUNCED_SECONDS:
            return "", True
        return self.tr("In a moment the next session begins: {} credits.").format(session_price()), True

    def _paused(self, snapshot: LiveSnapshot) -> StageWords:
        """The message during idle suspend; on air, a program that opens the camera ends it."""
        if not snapshot.on_air:
            return StageWords(
                self.tr("Paused: nobody sees the picture"),
                self.tr("You are not on air, and nothing is restyled for this window alone."),
            )
        return StageWords(
            self.tr("Paused: no program is reading the camera"),
            self.tr("It goes on at once when a program opens it. Nothing is restyled until then.")
            if snapshot.is_free
            else self.tr(
                "It goes on at once when a program opens it. Nothing is restyled or bought until then."
            ),
        )

    def sound(self, snapshot: LiveSnapshot) -> StateWords:
        """The sound of recordings: what a click does, and as detail whether anything is heard."""
        sound, mute, system = snapshot.sound, self.tr("Mute"), snapshot.preferences.system_sound
        if sound.muted:
            words = self.tr("Muted: recordings are silent (Ctrl+M)")
            return StateWords(self.tr("Unmute"), words, "warn", "microphone-off")
        if (trouble := sound.trouble or (sound.system.trouble if system else None)) is not None:
            return StateWords(mute, trouble.sentence, "bad", "microphone-off")
        if not sound.heard:
            return StateWords(mute, self.tr("Silent while private or held"), "idle", "microphone-off")
        kept = snapshot.recording or snapshot.replay_seconds is not None
        if kept and (sound.open or sound.system.open):
            words = self.tr("“{}” is being recorded. A click mutes it (Ctrl+M)")
            if sound.system.open:
                words = self.tr(
                    "“{}” and the computer's sound are being recorded. A click mutes both (Ctrl+M)"
                )
            if not sound.open:
                words = self.tr("The computer's sound is being recorded. A click mutes it (Ctrl+M)")
            return StateWords(mute, words.format(sound.title), "bad", "microphone")
        words = self.tr("A recording carries your microphone. A click mutes it (Ctrl+M)")
        if system:
            words = self.tr("A recording carries the computer's sound, too. A click mutes all (Ctrl+M)")
        return StateWords(mute, words, "idle", "microphone")

    def _stopped(self, snapshot: LiveSnapshot) -> StageWords:
        cameras = any(choice.kind == "camera" for choice in snapshot.sources)
        if snapshot.source.split(":")[0] in ("camera", "") and snapshot.sources and not cameras:
            return StageWords(
                self.tr("No camera found"),
                self.tr("Plug one in and look again, or start with something else."),
                actions=("refresh", *self._other_sources(snapshot)),
            )
        return StageWords(
            self.tr("See yourself restyled"),
            self.tr("Only you see the preview, until you go live.")
            if snapshot.is_free
            else self.tr("Only you see the preview, until you go live. A session costs {} credits.").format(
                session_price()
            ),
            actions=("start",),
            price=0 if snapshot.is_free else session_price(),
        )

    def _failed(self, snapshot: LiveSnapshot) -> StageWords:
        trouble = snapshot.trouble
        if trouble is None:
            return StageWords(self.tr("The session ended"), "", actions=("start",), trouble=True)
        if trouble.kind == "insufficient_credits":
            return self._poor(snapshot, trouble.sentence)
        others = self._other_sources(snapshot) if trouble.kind in _SOURCE_KINDS else ()
        first: tuple[StageAction, ...] = ("system_settings",) if page_of(trouble) else ()
        return StageWords(trouble.sentence, "", trouble.mend, (*first, "try_again", *others), trouble=True)

    def _poor(self, snapshot: LiveSnapshot, sentence: str) -> StageWords:
        """The message for insufficient credits; its button gets some, or starts once there are enough."""
        balance = snapshot.balance
        if balance is not None and balance.credits_remaining >= session_price():
            return StageWords(
                self.tr("There are credits again"),
                self.tr("{} of them; a session costs {}.").format(balance.credits_remaining, session_price()),
                actions=("start",),
                price=session_price(),
            )
        return StageWords(sentence, "", actions=("more_credits", "try_again"), trouble=True)

    @staticmethod
    def _other_sources(snapshot: LiveSnapshot) -> tuple[StageAction, ...]:
        kinds = {choice.kind for choice in snapshot.sources if choice.source != snapshot.source}
        offers: list[StageAction] = []
        if "demo" in kinds:
            offers.append("use_demo")
        if "screen" in kinds:
            offers.append("use_screen")
        return tuple(offers)

    def action(self, action: StageAction, price: int = 0) -> str:
        """The label of a button on the stage, with the price of starting."""
        start = self.tr("Start preview")
        return {
            "start": self.tr("{} · {} credits").format(start, price) if price else start,
            "try_again": self.tr("Try again"),
            "retry_live": self.tr("Try again"),
            "refresh": self.tr("Search again"),
            "use_demo": self.tr("Use the demo"),
            "use_screen": self.tr("Use the screen"),
            "more_credits": self.tr("Get credits"),
            "system_settings": self.tr("Open system settings"),
        }[action]

    def camera(self, camera: Camera) -> StateWords:
        """The state of the virtual camera."""
        match camera.state:
            case "live":
                return StateWords(self.tr("On air"), "", "good", "state-live")
            case "held":
                return StateWords(self.tr("Held"), "", "warn", "state-held")
            case "slate":
                return StateWords(self.tr("Pause picture"), "", "idle", "state-preview")
            case "off":
                return StateWords(self.tr("Off"), "", "idle", "state-stopped")
            case "missing":
                return StateWords(self.tr("Not found"), "", "bad", "state-trouble")
            case "busy":
                return StateWords(self.tr("Busy"), "", "bad", "state-trouble")
            case "denied":
                return StateWords(self.tr("Not allowed"), "", "bad", "state-trouble")
            case "lost":
                return StateWords(self.tr("Lost"), "", "bad", "state-trouble")

    def figures(self, snapshot: LiveSnapshot) -> str:
        """The figures on the picture: frame rate, delay, size; empty while no frames come out."""
        figures = snapshot.figures
        if figures.fps_out <= 0 or not figures.width:
            return ""
        parts = [self.tr("{} fps").format(round(figures.fps_out))]
        if figures.delay_ms_p50 is not None:
            parts.append(self.tr("{} ms").format(round(figures.delay_ms_p50)))
        parts.append(f"{figures.width}×{figures.height}")
        return " · ".join(parts)

    def meter(self, model: SessionModel) -> str:
        """The time on air, or of the preview; seconds billed by a service that is paid; what is recorded."""
        snapshot = model.snapshot
        if snapshot is None:
            return ""
        parts: list[str] = []
        if snapshot.session is not None:
            time = _time(model, snapshot)
            parts.append(self.tr("{} on air").format(time) if model.on_air else time)
            if not snapshot.is_free:
                parts.append(self.tr("{} s billed").format(number(snapshot.session.billed_seconds)))
        if snapshot.recording:
            parts.append(self.tr("{} recorded").format(file_size(snapshot.recording_bytes)))
        return " · ".join(parts)

    def time_left(self, balance: Balance, session: SessionFacts | None) -> str:
        """Streaming time that the credits last, in sessions of the longest duration."""
        seconds = balance.credits_remaining // session_price() * TTL_MAX_SECONDS
        if session is not None:
            seconds += session.expires_in_seconds
        return self.rough(seconds)

    def soon(self, seconds: int) -> str:
        """A remaining time; exact below a minute."""
        return self.tr("{} s").format(seconds) if seconds < 60 else self.rough(seconds)

    def rough(self, seconds: int) -> str:
        """A rounded duration in its largest fitting unit."""
        if seconds < 60:
            return self.tr("under a minute") if seconds else self.tr("nothing left")
        if seconds < 2 * 3600:
            return self.tr("{} min").format(seconds // 60)
        if seconds < 48 * 3600:
            return self.tr("{} h").format(seconds // 3600)
        return self.tr("{} days").format(number(seconds // 86400))


def _time(model: SessionModel, snapshot: LiveSnapshot) -> str:
    """The time on air; while nobody else sees the picture, that of the preview."""
    if snapshot.session is None:
        return ""
    return duration(snapshot.on_air_seconds if model.on_air else snapshot.session.seconds)


def session_price() -> int:
    """Credits for one realtime session: the highest price of any model."""
    return max(PRICES[name] for name in ("service-realtime-720p", "service-realtime-1080p"))
