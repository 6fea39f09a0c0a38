"""What libpulse hands over is taken whole, a hole in the stream too."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import Any

import numpy as np

from overpaint.media.audio import CHANNELS
from overpaint.media.audio.sound_gate import SoundGate
from overpaint.media.audio.sound_track import SoundTrack
from overpaint.media.sound_inputs.pulse_input import PulseInput
from overpaint.wire.sources import DEFAULT_MICROPHONE

FRAGMENT = 960


class Library:
    """libpulse at the moment of a read: a hole and the fragment after it, for one call."""

    def __init__(self) -> None:
        self._sound = np.full((FRAGMENT, CHANNELS), 500, np.int16)
        self.waiting: list[int | None] = [None, self._sound.ctypes.data]

    def pa_stream_peek(self, _stream: int, data: Any, size: Any) -> int:
        found = ctypes.cast(data, ctypes.POINTER(ctypes.c_void_p))
        length = ctypes.cast(size, ctypes.POINTER(ctypes.c_size_t))
        found[0] = ctypes.c_void_p(self.waiting[0] if self.waiting else None)
        length[0] = ctypes.c_size_t(self._sound.nbytes if self.waiting else 0)
        return 0

    def pa_stream_drop(self, _stream: int) -> int:
        self.waiting.pop(0)
        return 0


def test_a_hole_does_not_make_all_later_sound_late() -> None:
    gate, library = SoundGate(), Library()
    gate.set(True)
    track, microphone = SoundTrack(gate), PulseInput(DEFAULT_MICROPHONE)
    track.begin(48_000)
    microphone._track, microphone._connection = track, SimpleNamespace(library=library)  # type: ignore[assignment]
    microphone._read(1, 0, None)
    assert not library.waiting and track.end > 0
