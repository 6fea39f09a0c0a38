"""Files for recordings and snapshots, named by the time. Must not know what is written to them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from overpaint.errors import SinkError
from overpaint.media.sinks import ReplayBuffer, Sink
from overpaint.media.sinks.recording_format import RecordingFormat
from overpaint.wire.preferences import RecordingContainer


@dataclass(frozen=True, slots=True)
class OutputFiles:
    """The factory of recordings, and the paths of recordings and snapshots.

    Attributes:
        make_recording: Makes an unopened recording for a path.
        make_replay: Makes an unopened buffer of the last seconds.
        new_recording: Returns a path for a new recording in a folder (in the usual one when empty), for a
            kind of file.
        new_still: The same for a snapshot.
    """

    make_recording: Callable[[Path, RecordingFormat], Sink]
    make_replay: Callable[[RecordingFormat], ReplayBuffer]
    new_recording: Callable[[str, RecordingContainer], Path]
    new_still: Callable[[str], Path]


def new_file(chosen: str, usual: Path, ending: str) -> Path:
    """Returns a path that no file has yet.

    Args:
        chosen: The folder that the user chose; empty for the usual one.
        usual: The usual folder.
        ending: The file's suffix, without its dot.

    Raises:
        SinkError: The folder cannot be made.
    """
    folder = Path(chosen) if chosen else usual
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SinkError("outputs_folder_refused", folder=str(folder), reason=str(error.strerror)) from error
    name = f"Overpaint {datetime.now().astimezone():%Y-%m-%d %H-%M-%S}"
    numbered = (f"{name}{f' ({number})' if number else ''}.{ending}" for number in itertools.count())
    return next(path for file in numbered if not (path := folder / file).exists())
