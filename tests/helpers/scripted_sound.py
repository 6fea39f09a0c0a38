"""A machine's inputs of sound at the edge of a sound stage: plugged in and pulled out, and spoken into."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from overpaint.errors import SourceError
from overpaint.media.audio import CHANNELS, RATE, Sound
from overpaint.media.audio.sound_track import SoundTrack
from overpaint.media.frames import now_ns
from overpaint.wire.sources import DEFAULT_MICROPHONE, MicrophoneChoice

CHUNK = RATE // 100
SYSTEM = "what the computer plays"


def level(peak: int, count: int = CHUNK) -> Sound:
    """Samples of one value."""
    return np.full((count, CHANNELS), peak, np.int16)


@dataclass
class SoundInputs:
    """The inputs of sound of a computer.

    Attributes:
        names: Microphones that are plugged in, the default one first.
        denied: Whether the system refuses them.
        refused: Whether a microphone refuses to run once it is opened.
        system_trouble: Why the computer does not give what it plays.
        running: The inputs that are open now.
        opened: How often one was opened.
    """

    names: list[str] = field(default_factory=lambda: ["alma"])
    denied: bool = False
    refused: bool = False
    system_trouble: SourceError | None = None
    running: list[ScriptedInput] = field(default_factory=list)
    opened: int = 0

    def make(self, name: str) -> ScriptedInput:
        return ScriptedInput(self, name)

    def make_system(self) -> ScriptedInput:
        return ScriptedInput(self, SYSTEM)

    def there(self) -> tuple[MicrophoneChoice, ...]:
        return tuple(MicrophoneChoice(microphone=name, title=name.title()) for name in self.names)

    def speak(self, peak: int, arrived_ns: int | None = None, count: int = CHUNK) -> None:
        """Says something for so many samples into every open microphone."""
        self._sound(level(peak, count), arrived_ns, [each for each in self.running if each.name != SYSTEM])

    def play(self, peak: int, arrived_ns: int | None = None, count: int = CHUNK) -> None:
        """Plays something for so many samples on the computer."""
        self._sound(level(peak, count), arrived_ns, [each for each in self.running if each.name == SYSTEM])

    def _sound(self, sound: Sound, arrived_ns: int | None, inputs: list[ScriptedInput]) -> None:
        for each in inputs:
            each.track.push(sound, arrived_ns if arrived_ns is not None else now_ns())

    def unplug(self, name: str) -> None:
        """Pulls a microphone out."""
        self.names.remove(name)
        for each in [each for each in self.running if each.name == name]:
            self.running.remove(each)
            each.lost(SourceError("microphone_unplugged", microphone=each.title))


class ScriptedInput:
    """An input of sound; see ``SoundInputs``."""

    def __init__(self, computer: SoundInputs, wanted: str) -> None:
        self.title = ""
        self._computer = computer
        self._wanted = wanted

    def start(self, track: SoundTrack, lost: Callable[[SourceError], None]) -> None:
        names = self._computer.names
        self.name = self._wanted
        if self._wanted != SYSTEM:
            self._choose(names)
        self.track, self.lost = track, lost
        track.begin(RATE)
        if self._computer.refused:
            raise SourceError("microphone_refused", microphone=self.title)
        self._computer.running.append(self)
        self._computer.opened += 1

    def _choose(self, names: list[str]) -> None:
        if self._computer.denied:
            raise SourceError("microphone_denied")
        if not names:
            raise SourceError("microphone_missing")
        self.name = names[0] if self._wanted == DEFAULT_MICROPHONE else self._wanted
        if self.name not in names:
            raise SourceError("microphone_unknown", microphone=self.name, choices=", ".join(names))
        self.title = self.name.title()

    def stop(self) -> None:
        if self in self._computer.running:
            self._computer.running.remove(self)
