"""The sound of recordings: the microphone and what the computer plays, open only while they are needed.

They are open while something is recorded, or while a window tests them. Everything captured passes one gate,
which follows the hold policy. Runs on one event loop. Must not know how a recording is written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal, Protocol

from overpaint.errors import SourceError
from overpaint.media.audio.sound_gate import SoundGate
from overpaint.media.audio.sound_reader import SoundReader
from overpaint.media.sound_inputs.sound_input import Capture, SoundInput
from overpaint.wire.messages import trouble_of
from overpaint.wire.sources import (
    DEFAULT_MICROPHONE,
    NO_MICROPHONE,
    MicrophoneChoice,
    SoundLevel,
    SoundState,
    SystemSound,
)

LEVEL_S = 0.1
"""Interval at which the levels are told."""

Use = Literal["recording", "replay", "test"]


class SoundInputs(Protocol):
    """The inputs of sound of a computer (``media.sound_inputs.sound_choice``)."""

    @property
    def system_trouble(self) -> SourceError | None:
        """Why the computer does not give what it plays; None where it does."""

    def make(self, name: str) -> Capture:
        """Makes an unstarted microphone, by its stable name."""

    def make_system(self) -> Capture:
        """Makes an unstarted input of what the computer plays."""

    def there(self) -> tuple[MicrophoneChoice, ...]:
        """Lists the available microphones; may take a moment."""


class SoundStage:
    """The sound of recordings.

    Args:
        inputs: Lists and makes inputs.
        heard: Whether the hold policy lets what is said now be recorded.
        changed: Called on the event loop when anything shown has changed.

    Attributes:
        told: Receives the levels, ten times a second while an input is open.
    """

    def __init__(
        self,
        inputs: SoundInputs,
        heard: Callable[[], bool],
        changed: Callable[[], None],
    ) -> None:
        self._inputs = inputs
        self._heard = heard
        self._changed = changed
        self._loop = asyncio.get_running_loop()
        self._gate = SoundGate()
        self._gate.set(heard())
        self._microphone = SoundInput(self._gate, self._input_changed)
        self._system = SoundInput(self._gate, self._input_changed)
        self._name = DEFAULT_MICROPHONE
        self._with_system = False
        self._uses: set[Use] = set()
        self._level: asyncio.TimerHandle | None = None
        self._work: set[asyncio.Task[None]] = set()
        self._choices: tuple[MicrophoneChoice, ...] = ()
        self.told: Callable[[SoundLevel], None] = lambda _: None

    @property
    def wanted(self) -> bool:
        """Whether recordings have sound."""
        return self._name != NO_MICROPHONE or self._with_system

    def reader(self) -> SoundReader:
        """Returns a reader for a new recording."""
        return SoundReader([self._microphone.track, self._system.track])

    def state(self, *, muted: bool) -> SoundState:
        """Returns what a window shows."""
        missing = self._inputs.system_trouble
        return SoundState(
            open=self._microphone.open,
            title=self._microphone.title,
            muted=muted,
            heard=self._heard(),
            trouble=trouble_of(self._microphone.trouble),
            choices=self._choices,
            system=SystemSound(
                offered=missing is None,
                open=self._system.open,
                trouble=trouble_of(missing or self._system.trouble),
            ),
        )

    def choose(self, microphone: str, *, system: bool) -> None:
        """Changes what recordings carry.

        Args:
            microphone: Its stable name; ``NO_MICROPHONE`` for none.
            system: What the computer plays, too; not where the computer does not give it.
        """
        another, self._name = microphone != self._name, microphone
        switched, self._with_system = system != self._with_system, system
        if another:
            self._need_microphone(again=True)
        if switched:
            self._need_system()

    def use(self, what: Use, on: bool) -> None:
        """Notes that sound is needed, or not any more."""
        if on != (what in self._uses):
            self._uses ^= {what}
            self._need_microphone()
            self._need_system()

    def heed(self) -> None:
        """Applies the user's present choices to what is captured from now on."""
        self._gate.set(self._heard())

    async def ready(self) -> None:
        """Waits until all that is needed is open, or has failed. Raises ``SourceError``."""
        if self._with_system and self._inputs.system_trouble is not None:
            raise self._inputs.system_trouble
        for each in (self._microphone, self._system):
            await each.settled()
            if each.trouble is not None:
                raise each.trouble

    def plugged(self) -> None:
        """Handles a hot-plug event."""
        task = self._loop.create_task(self.find())
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def find(self) -> None:
        """Updates the list of microphones; a lost one may be back."""
        self._choices = await asyncio.to_thread(self._inputs.there)
        self._microphone.find()
        self._system.find()
        self._changed()

    async def close(self) -> None:
        """Frees everything for good."""
        self._uses.clear()
        self._need_microphone()
        self._need_system()
        for each in (self._microphone, self._system):
            await each.settled()
        if self._work:
            await asyncio.wait(self._work)

    # ---- inside ------------------------------------------------------------------------------------------

    def _need_microphone(self, *, again: bool = False) -> None:
        name = self._name
        needed = bool(self._uses) and name != NO_MICROPHONE
        self._microphone.need((lambda: self._inputs.make(name)) if needed else None, again=again)

    def _need_system(self) -> None:
        needed = bool(self._uses) and self._with_system and self._inputs.system_trouble is None
        self._system.need(self._inputs.make_system if needed else None)

    def _input_changed(self) -> None:
        if self._level is None:
            self._tell_level()
        self._changed()

    def _tell_level(self) -> None:
        self._level = None
        peaks = [each.track.take_peak() if each.open else 0.0 for each in (self._microphone, self._system)]
        self.told(SoundLevel(peak=peaks[0], system=peaks[1]))
        if self._microphone.open or self._system.open:
            self._level = self._loop.call_later(LEVEL_S, self._tell_level)
