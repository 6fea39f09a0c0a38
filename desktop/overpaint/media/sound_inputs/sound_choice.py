"""The inputs of sound that this system has: microphones, and what the computer plays.

Must not know how they are captured, nor recordings.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from overpaint.errors import SourceError
from overpaint.media.sound_inputs import pulse_input
from overpaint.media.sound_inputs.pulse_input import PulseInput
from overpaint.media.sound_inputs.pulse_library import pulse_library
from overpaint.media.sources.qt_loop import MainThread
from overpaint.wire.sources import MicrophoneChoice

if TYPE_CHECKING:
    from overpaint.media.sound_inputs.qt_microphone import QtMicrophone


class SoundInputs:
    """The inputs of sound of this computer.

    Args:
        main_thread: Qt's thread; Qt is loaded when it is first needed.
    """

    def __init__(self, main_thread: MainThread) -> None:
        self._main = main_thread

    def make(self, name: str) -> PulseInput | QtMicrophone:
        """Makes an unstarted microphone, by its stable name."""
        if pulse_library() is not None:
            return PulseInput(name)
        from overpaint.media.sound_inputs.qt_microphone import QtMicrophone

        return QtMicrophone(name, self._main)

    def there(self) -> tuple[MicrophoneChoice, ...]:
        """Lists the available microphones; may take a moment."""
        if pulse_library() is not None:
            return pulse_input.list_microphones()
        from overpaint.media.sound_inputs.qt_microphone import list_microphones

        return list_microphones(self._main)

    @property
    def system_trouble(self) -> SourceError | None:
        """Why this computer does not give what it plays; None where it does."""
        if pulse_library() is not None:
            return None
        if sys.platform == "win32":
            return SourceError("system_sound_windows")
        if sys.platform == "darwin":
            return SourceError("system_sound_macos")
        return SourceError("system_sound_without_pulse")

    def make_system(self) -> PulseInput:
        """Makes an unstarted input of what the computer plays."""
        return PulseInput(None)
