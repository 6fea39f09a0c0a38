"""A reader of sound tracks for a recording: all of them mixed, in step with the pictures.

It gives each sample once, up to the time of the newest picture. Sound that is still on its way is waited
for, but not for long: a device that is late, or gone, does not hold a recording up, and its time is silence.
Must not know files.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from overpaint.media.audio import Sound, index_at, silence
from overpaint.media.audio.sound_track import SoundTrack
from overpaint.media.frames import now_ns

PATIENCE_NS = 2_000_000_000
"""How late sound may be: on a busy computer a sound server stood still for 1.2 s, and a file can wait."""


class SoundReader:
    """A reader for one thread.

    Args:
        tracks: The tracks to mix.
    """

    def __init__(self, tracks: Sequence[SoundTrack]) -> None:
        self._tracks = tuple(tracks)
        self._next: int | None = None

    def take(self, until_ns: int, *, last: bool = False) -> Sound:
        """Returns the samples since the last call; the first call sets where they begin.

        Args:
            until_ns: Time of the newest picture, by the frames' clock.
            last: Whether no more is taken: what has not come by now is silence.
        """
        until = index_at(until_ns)
        if self._next is None:
            self._next = until
        if not last:
            come = min((track.end for track in self._tracks if track.running), default=until)
            until = min(until, max(come, index_at(now_ns() - PATIENCE_NS)))
        if until <= self._next:
            return silence(0)
        start, self._next = self._next, until
        heard = [track.read(start, until) for track in self._tracks]
        if len(heard) == 1:
            return heard[0]
        mixed = sum(
            (each.astype(np.int32) for each in heard), np.zeros_like(silence(until - start), np.int32)
        )
        return np.clip(mixed, -32768, 32767).astype(np.int16)
