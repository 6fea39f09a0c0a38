"""Sound is open only while it is needed, comes back by itself, and is silent when wanted.

On the live process's head with scripted inputs (``scripted_sound``); recordings are real.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.matrix import few_of
from helpers.scripted_session import Head, ScriptedMachine, script, until
from helpers.scripted_sound import SoundInputs
from overpaint.errors import SourceError
from overpaint.media.audio import RATE, index_at, sound_reader
from overpaint.media.audio.sound_gate import LATENCY_NS
from overpaint.media.frames import now_ns
from overpaint.media.sound_inputs import sound_input
from overpaint.wire.live import (
    Preferences,
    SetHold,
    SetPreferences,
    SetPrivacy,
    SetRecording,
    StartSession,
)
from overpaint.wire.sources import DEFAULT_MICROPHONE, NO_MICROPHONE, SetMuted, WantSoundLevel

SPOKEN, PLAYED = 4_000, 6_000
"""AAC carries no constant above some 12,000."""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedMachine]:
    script(monkeypatch)
    monkeypatch.setattr(sound_input, "RETRY_S", 0.05)
    # A busy computer may let the speaker's thread wait for longer than a recording waits for sound.
    monkeypatch.setattr(sound_reader, "PATIENCE_NS", 9_000_000_000)
    machine = ScriptedMachine(tmp_path)
    yield machine
    machine.close()


@pytest.fixture
def head(machine: ScriptedMachine) -> Iterator[Head]:
    head = Head(machine)
    yield head
    head.close()


class Speaker:
    """Somebody who speaks all the time, at a level that says when: the file can be asked what was heard."""

    def __init__(self, inputs: SoundInputs) -> None:
        self._inputs = inputs
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._speak)
        self._thread.start()

    def _speak(self) -> None:
        due = now_ns()
        while not self._done.is_set():
            time.sleep(0.01)
            # All that is due at once: a thread that waits on a busy computer makes up for it.
            count = min((now_ns() - due) * RATE // 10**9, RATE)
            due += count * 10**9 // RATE
            self._inputs.speak(SPOKEN, due, count)
            self._inputs.play(PLAYED, due, count)

    def stop(self) -> None:
        self._done.set()
        self._thread.join()


@pytest.fixture
def speaker(machine: ScriptedMachine) -> Iterator[Speaker]:
    speaker = Speaker(machine.sound_inputs)
    yield speaker
    speaker.stop()


def heard(path: str) -> NDArray[np.float32]:
    """The left side of a recording's sound, from its first picture on."""
    with av.open(path) as container:
        first = next(container.decode(video=0)).time
    with av.open(path) as container:
        parts = [(frame.time, frame.to_ndarray()[0]) for frame in container.decode(audio=0)]
    sound = np.concatenate([samples for _, samples in parts])
    return sound[round((first - parts[0][0]) * RATE) :]


def loud(sound: NDArray[np.float32]) -> float:
    """Which part of it is no silence."""
    return float(np.mean(np.abs(sound) > 0.05)) if len(sound) else 0.0


def come(head: Head, seconds: float) -> None:
    """Waits until so much sound has come from each open input from now on, however busy the computer is."""
    until_come(head, now_ns() + round(seconds * 1e9))


def until_come(head: Head, time_ns: int) -> None:
    """The same for all sound up to a time."""
    sound = head.live.sound
    inputs = [each for each in (sound._microphone, sound._system) if each.open]
    assert inputs
    until(lambda: all(each.track.end > index_at(time_ns) for each in inputs))


def record(head: Head) -> str:
    head.obey(SetRecording(on=True))
    path = head.live.snapshot().recording
    assert path is not None
    return path


def test_it_is_open_while_something_is_recorded_and_not_a_moment_longer(
    head: Head, machine: ScriptedMachine
) -> None:
    assert not machine.sound_inputs.running and not head.live.snapshot().sound.open
    record(head)
    until(lambda: head.live.snapshot().sound.open)
    assert head.live.snapshot().sound.title == "Alma"
    until(lambda: head.source.send() or head.live.snapshot().recording_bytes > 0)
    head.obey(SetRecording(on=False))
    until(lambda: not machine.sound_inputs.running)
    assert not head.live.snapshot().sound.open


def test_it_can_be_tested_before_a_recording(head: Head, speaker: Speaker) -> None:
    levels: list[float] = []
    head.live.sound.told = lambda told: levels.append(told.peak)
    head.obey(WantSoundLevel(on=True))
    until(lambda: any(0.1 < level < 0.17 for level in levels))
    head.obey(SetMuted(on=True))
    until(lambda: levels[-3:] == [0.0, 0.0, 0.0])
    head.obey(WantSoundLevel(on=False))
    until(lambda: not head.live.snapshot().sound.open)


@pytest.mark.parametrize("silence", few_of([SetMuted, SetPrivacy, SetHold], [SetPrivacy]))
def test_what_is_said_meanwhile_is_not_in_the_file_and_its_time_is(
    head: Head, speaker: Speaker, silence: type[SetMuted | SetPrivacy | SetHold]
) -> None:
    head.obey(StartSession())
    head.until_live()
    path = record(head)
    until(lambda: head.live.snapshot().sound.open)
    sink = head.live._recorder._recording.sink  # type: ignore[union-attr]
    until(lambda: sink.written)
    began_ns = sink._encoder.first_ns  # type: ignore[attr-defined]
    head.send(25)
    come(head, 0.3)
    off_s = (now_ns() - began_ns) / 1e9
    head.obey(silence(on=True))
    closed_s = (now_ns() - began_ns) / 1e9
    come(head, 0.5)
    assert not head.live.snapshot().sound.heard
    again_s = (now_ns() - began_ns) / 1e9
    head.obey(silence(on=False))
    come(head, LATENCY_NS / 1e9 + 0.4)
    ended_s = (now_ns() - began_ns) / 1e9
    head.send(5)
    until_come(head, now_ns())
    head.obey(SetRecording(on=False))
    sound = heard(path)
    before = sound[round((off_s - 0.15) * RATE) : round((off_s - 0.02) * RATE)]
    # AAC smears an edge over one block.
    during = sound[round((closed_s + 0.025) * RATE) : round(again_s * RATE)]
    after = sound[round((ended_s - 0.2) * RATE) : round((ended_s - 0.1) * RATE)]
    assert loud(before) > 0.95 and loud(during) == 0 and loud(after) > 0.95
    assert len(sound) / RATE > ended_s - 0.1


def test_without_a_microphone_a_recording_is_silent_and_says_why(
    head: Head, machine: ScriptedMachine
) -> None:
    machine.sound_inputs.names.clear()
    path = record(head)
    until(lambda: head.live.snapshot().sound.trouble is not None)
    told = head.live.snapshot()
    assert told.sound.trouble is not None and told.sound.trouble.code == "microphone_missing"
    assert told.trouble is None, "a recording without sound is no failure"
    machine.sound_inputs.names.append("berta")
    until(lambda: head.live.snapshot().sound.open)
    assert head.live.snapshot().sound.trouble is None
    head.obey(SetRecording(on=False))
    assert loud(heard(path)) == 0


def test_one_that_is_pulled_out_comes_back_by_itself(
    head: Head, machine: ScriptedMachine, speaker: Speaker
) -> None:
    path = record(head)
    until(lambda: head.live.snapshot().sound.open)
    come(head, 0.5)
    machine.sound_inputs.unplug("alma")
    until(lambda: head.live.snapshot().sound.trouble is not None)
    time.sleep(0.5)
    trouble = head.live.snapshot().sound.trouble
    assert trouble is not None and trouble.sentence == "Alma was unplugged.", "after many tries, too"
    machine.sound_inputs.names.append("alma")
    until(lambda: head.live.snapshot().sound.open)
    come(head, 0.3)
    head.obey(SetRecording(on=False))
    places = np.flatnonzero(np.abs(heard(path)) > 0.05)
    assert len(places) > RATE // 4 and np.diff(places).max() > RATE // 4, "heard, silent, and heard again"


def test_another_one_is_taken_over_while_recording(head: Head, machine: ScriptedMachine) -> None:
    machine.sound_inputs.names.append("berta")
    record(head)
    until(lambda: [each.name for each in machine.sound_inputs.running] == ["alma"])
    head.obey(SetPreferences(preferences=Preferences(microphone="berta")))
    until(lambda: head.live.snapshot().sound.title == "Berta")
    assert [each.name for each in machine.sound_inputs.running] == ["berta"]


def test_without_sound_nothing_is_opened_and_the_file_has_no_track(
    head: Head, machine: ScriptedMachine
) -> None:
    head.obey(SetPreferences(preferences=Preferences(microphone=NO_MICROPHONE)))
    path = record(head)
    time.sleep(0.3)
    head.obey(SetRecording(on=False))
    assert not machine.sound_inputs.opened
    with av.open(path) as container:
        assert [stream.type for stream in container.streams] == ["video"]


def test_a_microphone_that_is_denied_is_said_in_one_sentence(head: Head, machine: ScriptedMachine) -> None:
    machine.sound_inputs.denied = True
    record(head)
    until(lambda: head.live.snapshot().sound.trouble is not None)
    trouble = head.live.snapshot().sound.trouble
    assert trouble is not None and trouble.sentence == "Overpaint may not use the microphone."


def test_nobody_waits_for_the_sound_of_a_microphone_that_was_refused(
    head: Head, machine: ScriptedMachine
) -> None:
    machine.sound_inputs.refused = True
    record(head)
    until(lambda: head.live.snapshot().sound.trouble is not None)
    assert not head.live.sound._microphone.track.running


def test_muted_stays_muted_for_the_next_recording(head: Head) -> None:
    head.obey(SetMuted(on=True))
    assert head.live.preferences.muted, "which is what is remembered over a restart"
    assert head.live.snapshot().sound.muted and not head.live.snapshot().sound.heard


def with_system(head: Head, microphone: str = DEFAULT_MICROPHONE) -> None:
    head.obey(SetPreferences(preferences=Preferences(system_sound=True, microphone=microphone)))


def test_what_the_computer_plays_is_mixed_with_the_microphone_each_with_its_level(
    head: Head, machine: ScriptedMachine, speaker: Speaker
) -> None:
    levels: list[tuple[float, float]] = []
    head.live.sound.told = lambda told: levels.append((told.peak, told.system))
    path = record(head)
    until(lambda: head.live.snapshot().sound.open)
    assert not head.live.snapshot().sound.system.open
    with_system(head)  # during the recording
    until(lambda: head.live.snapshot().sound.system.open)
    until(lambda: any(0.1 < spoken < 0.17 and 0.16 < played < 0.25 for spoken, played in levels))
    come(head, 0.5)
    head.obey(SetRecording(on=False))
    until(lambda: not machine.sound_inputs.running)
    both = (SPOKEN + PLAYED) / 32768
    sound = np.abs(heard(path))
    assert np.sum(np.abs(sound - both) < 0.05) > RATE // 5 and sound.max() < both * 1.3


def test_what_the_computer_plays_alone_makes_a_recording_with_sound(
    head: Head, machine: ScriptedMachine, speaker: Speaker
) -> None:
    with_system(head, NO_MICROPHONE)
    path = record(head)
    until(lambda: head.live.snapshot().sound.system.open)
    come(head, 0.7)
    head.obey(SetMuted(on=True))
    muted = head.live.snapshot().sound
    assert muted.muted and not muted.heard
    come(head, 0.6)
    head.obey(SetRecording(on=False))
    sound = heard(path)
    assert loud(sound[-RATE // 4 :]) == 0 and np.sum(np.abs(sound) > 0.05) > RATE // 4


def test_a_computer_that_does_not_give_what_it_plays_says_how_else(
    head: Head, machine: ScriptedMachine
) -> None:
    machine.sound_inputs.system_trouble = SourceError("system_sound_windows")
    with_system(head)
    record(head)
    until(lambda: head.live.snapshot().sound.open)
    told = head.live.snapshot().sound.system
    assert not told.offered and not told.open
    assert told.trouble is not None and "Stereo Mix" in told.trouble.mend


def test_the_next_default_microphone_is_taken_at_once(
    head: Head, machine: ScriptedMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sound_input, "RETRY_S", 0.3)
    machine.sound_inputs.names.append("berta")
    record(head)
    until(lambda: head.live.snapshot().sound.open)
    time.sleep(0.5)
    monkeypatch.setattr(sound_input, "RETRY_S", 0.5)
    said: list[str] = []
    log = sound_input.log.info
    monkeypatch.setattr(sound_input.log, "info", lambda *words: (said.append(str(words)), log(*words)))
    machine.sound_inputs.unplug("alma")
    until(lambda: head.live.snapshot().sound.title == "Berta")
    assert not said, "nobody has to know"
