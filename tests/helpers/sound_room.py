"""A process beside a sound server: Qt stays with the first server that it finds, so no test's own meets one.

    python sound_room.py claps SERVER FILE SECONDS     records claps, and says how busy the machine is
    python sound_room.py qt SERVER                     Qt's microphones by name; one that falls silent
    python sound_room.py microphones SERVER            the server's; one that is pulled out and comes back
    python sound_room.py system SERVER                 what the computer plays, beside a microphone

A clap is a flash and a click at one moment, once a second.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

import av
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from helpers.chooser import Chooser
from helpers.sound_server import RATE, Loudspeaker, pactl, plug, unplug
from overpaint.errors import SourceError
from overpaint.media.audio import Sound, index_at
from overpaint.media.audio.sound_gate import SoundGate
from overpaint.media.audio.sound_reader import SoundReader
from overpaint.media.audio.sound_track import SoundTrack
from overpaint.media.frames import FrameKind, StyledFrame, now_ns
from overpaint.media.sinks.recording import RecordingSink
from overpaint.media.sinks.recording_format import RecordingFormat
from overpaint.media.sound_inputs import pulse_input, qt_microphone
from overpaint.media.sound_inputs.pulse_input import PulseInput
from overpaint.media.sound_inputs.qt_microphone import QtMicrophone
from overpaint.media.sources.qt_loop import MainThread
from overpaint.session.output.sink_stage import SinkStage
from overpaint.wire.sources import DEFAULT_MICROPHONE

SLATE = np.full((270, 320), 50, np.uint8)
STYLING_S = 0.3
"""How late styled pictures are: sound has long come by then."""


class Claps:
    """Somebody who claps once a second.

    Args:
        server: Address of the sound server.

    Attributes:
        times: When, by the frames' clock.
    """

    def __init__(self, server: str) -> None:
        self.times: list[int] = []
        self._loudspeaker = Loudspeaker(server)
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._clap)
        self._thread.start()

    def _clap(self) -> None:
        quiet = np.zeros(RATE // 100, np.int16)
        click = quiet.copy()
        click[:48] = 20_000
        for number in range(1_000_000):
            if self._done.is_set():
                return
            claps = number % 100 == 50
            heard_ns = self._loudspeaker.play(click if claps else quiet)
            if claps:
                self.times.append(heard_ns)

    def close(self) -> None:
        self._done.set()
        self._thread.join()
        self._loudspeaker.close()


def _track() -> SoundTrack:
    gate = SoundGate()
    gate.set(True)
    return SoundTrack(gate)


def clicks_in(path: Path) -> list[float]:
    """When something is heard in a recording, seconds."""
    found: list[float] = []
    with av.open(str(path)) as container:
        for frame in container.decode(audio=0):
            for sample in np.flatnonzero(np.abs(frame.to_ndarray()).max(axis=0) > 0.15):
                at = frame.time + sample / RATE
                if not found or at - found[-1] > 0.3:
                    found.append(at)
    return found


class Alarm:
    """Measures by how much this machine lets threads oversleep, and so the sound server, too."""

    def __init__(self) -> None:
        self._late_ms = 0.0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._sleep)
        self._thread.start()

    def _sleep(self) -> None:
        while not self._done.is_set():
            due = time.monotonic() + 0.01
            time.sleep(0.01)
            self._late_ms = max(self._late_ms, (time.monotonic() - due) * 1e3)

    def stop(self) -> float:
        """Returns the longest time."""
        self._done.set()
        self._thread.join()
        return self._late_ms


def record_claps(claps: Claps, path: Path, seconds: float) -> None:
    """Records pictures that are as late as styled ones, and the sound of a real microphone."""
    track, lost = _track(), list[SourceError]()
    microphone = PulseInput(DEFAULT_MICROPHONE)
    microphone.start(track, lost.append)
    sink, user = RecordingSink(path, RecordingFormat(with_sound=True)), Chooser(SLATE)
    sink.open(320, 180, 30)
    stage = SinkStage(sink, user.standing, lambda _: None, sound=SoundReader([track]))
    captured_ns, end_ns, number = now_ns(), now_ns() + round(seconds * 1e9), 0
    while captured_ns < end_ns:
        time.sleep(max(0.0, (captured_ns - now_ns()) / 1e9 + STYLING_S))
        image = np.full((270, 320), 128, np.uint8)
        white = any(0 <= captured_ns - clap < 100_000_000 for clap in claps.times[-2:])
        image[:180] = 230 if white else 30
        user.give(StyledFrame(image, number, captured_ns, FrameKind.STYLED), stage)
        due_ns, number = captured_ns + 33_333_333, number + 1
        # A picture is taken at the very moment of a clap.
        now = [clap for clap in claps.times[-2:] if captured_ns < clap <= due_ns]
        captured_ns = now[0] if now else due_ns
    assert stage.finish() is None
    microphone.stop()
    assert not lost


def meet_qt_microphones(main: MainThread) -> None:
    """Finds microphones by name and by default through Qt, and one falls silent."""
    assert {each.title for each in qt_microphone.list_microphones(main)} == {"Alma", "Berta"}
    track, lost = _track(), list[SourceError]()
    microphone = QtMicrophone("bert", main)
    microphone.start(track, lost.append)
    assert microphone.title == "Berta"
    _until(lambda: track.end > 0)
    microphone.stop()
    default = QtMicrophone(DEFAULT_MICROPHONE, main)
    default.start(track, lost.append)
    assert default.title == "Alma" and not lost
    _until(lambda: track.end > 0)
    pactl("suspend-source", "alma", "1")
    _until(lambda: bool(lost))
    pactl("suspend-source", "alma", "0")
    assert str(lost[0]) == "Alma gives no sound any more."
    try:
        QtMicrophone("carla", main).start(track, lost.append)
    except SourceError as error:
        _is_unknown(error)
    else:
        raise AssertionError("there is no such microphone")


def _is_unknown(error: SourceError) -> None:
    assert str(error) == "There is no microphone called “carla”."
    assert error.mend in ("Choose one of these: Alma, Berta.", "Choose one of these: Berta, Alma.")


def meet_microphones() -> None:
    """Finds microphones, one is pulled out and plugged in again, and the default one changes."""
    track, lost = _track(), list[SourceError]()
    try:
        PulseInput("carla").start(track, lost.append)
    except SourceError as error:
        _is_unknown(error)
    else:
        raise AssertionError("there is no such microphone")
    module = plug("carla")
    assert {each.title for each in pulse_input.list_microphones()} == {"Alma", "Berta", "Carla"}
    carla = PulseInput("carla")
    carla.start(track, lost.append)
    assert carla.title == "Carla"
    _until(lambda: track.end > 0)
    unplug(module)
    _until(lambda: bool(lost))
    assert str(lost[0]) == "Carla was unplugged.", "and no other microphone is recorded in its place"
    end = track.end
    assert {each.title for each in pulse_input.list_microphones()} == {"Alma", "Berta"}
    time.sleep(0.5)
    assert track.end == end
    carla.stop()
    module = plug("carla")
    again = PulseInput("carla")
    again.start(track, lost.append)
    _until(lambda: track.end > end)
    again.stop()
    lost.clear()
    usual = PulseInput(DEFAULT_MICROPHONE)
    usual.start(track, lost.append)
    assert usual.title == "Alma"
    pactl("set-default-source", "carla")
    _until(lambda: bool(lost))
    usual.stop()
    usual.start(track, lost.append)
    assert usual.title == "Carla"
    usual.stop()
    unplug(module)
    pactl("set-default-source", "alma")


def hear_the_system(server: str) -> None:
    """Hears what the computer plays beside a microphone, each at its own level, and follows its output."""
    tracks, lost = (_track(), _track()), list[SourceError]()
    inputs = PulseInput("alma"), PulseInput(None)
    players = [_Hum(server, "room", 3_000), _Hum(server, "screen", 7_000)]
    try:
        for each, track in zip(inputs, tracks, strict=True):
            each.start(track, lost.append)
        _until(lambda: min(track.end for track in tracks) > 0)
        begun_ns = now_ns()
        _until(lambda: min(track.end for track in tracks) > index_at(begun_ns + 1_500_000_000))
        voice, system = (track.read(track.end - RATE, track.end) for track in tracks)
        assert _hears(voice, 3_000) and _hears(system, 7_000), (voice, system)
        reader = SoundReader(tracks)
        reader.take(begun_ns + 500_000_000)
        both = reader.take(begun_ns + 1_500_000_000, last=True)
        assert _hears(both, 10_000), "the microphone does not hear the computer here"
        assert not lost
        pactl("set-default-sink", "room")
        _until(lambda: bool(lost))
        inputs[1].stop()
        inputs[1].start(tracks[1], lost.append)
        end = tracks[1].end
        _until(lambda: tracks[1].end > end + 2 * RATE)
        heard = tracks[1].read(tracks[1].end - RATE, tracks[1].end)
        # The server may take a player along to the new output.
        assert _hears(heard, 3_000) or _hears(heard, 10_000), "what the output plays that is used now"
    finally:
        for each in inputs:
            each.stop()
        for player in players:
            player.close()
        pactl("set-default-sink", "screen")


def _hears(sound: Sound, level: int) -> bool:
    """Whether a level is heard, if with gaps (a player on a busy machine), and nothing louder."""
    near = np.abs(sound[:, 0] - level) < level // 50
    return bool(near.mean() > 0.2 and sound.max() < level * 1.2)


class _Hum:
    """A program that plays one level all the time.

    Args:
        server: Address of the sound server.
        sink: Where it plays.
        level: What.
    """

    def __init__(self, server: str, sink: str, level: int) -> None:
        self._loudspeaker = Loudspeaker(server, sink)
        self._samples = np.full(RATE // 100, level, np.int16)
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._play)
        self._thread.start()

    def _play(self) -> None:
        while not self._done.is_set():
            self._loudspeaker.play(self._samples)

    def close(self) -> None:
        self._done.set()
        self._thread.join()
        self._loudspeaker.close()


def _until(seen, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not seen():
        assert time.monotonic() < end
        time.sleep(0.02)


def _work(main: MainThread, what: str, server: str, rest: list[str]) -> None:
    if what == "qt":
        meet_qt_microphones(main)
        return
    if what == "microphones":
        meet_microphones()
        return
    if what == "system":
        hear_the_system(server)
        return
    claps, alarm = Claps(server), Alarm()
    try:
        record_claps(claps, Path(rest[0]), float(rest[1]))
    finally:
        claps.close()
        print(alarm.stop())


def run(what: str, server: str, *rest: str) -> None:
    """Runs one of the works beside Qt's loop; what it raises ends the process."""
    os.environ.update(PULSE_SERVER=server, QT_QPA_PLATFORM="offscreen")
    main, failures = MainThread(), list[BaseException]()

    def work() -> None:
        try:
            _work(main, what, server, list(rest))
        except BaseException as error:
            failures.append(error)
        finally:
            main.stop()

    thread = threading.Thread(target=work)
    thread.start()
    main.run()
    thread.join()
    if failures:
        raise failures[0]


if __name__ == "__main__":
    run(*sys.argv[1:])
