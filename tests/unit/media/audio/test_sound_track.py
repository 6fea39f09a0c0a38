"""Sound is where it was captured: silence where it was not wanted or did not come, and never a gap."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from helpers.scripted_sound import CHUNK, level
from overpaint.media import audio
from overpaint.media.audio import RATE, index_at, sound_gate, sound_reader
from overpaint.media.audio.sound_gate import LATENCY_NS, SoundGate
from overpaint.media.audio.sound_reader import PATIENCE_NS, SoundReader
from overpaint.media.audio.sound_track import KEPT_S, SoundTrack

CHUNK_NS = CHUNK * 1_000_000_000 // RATE


class Clock:
    """The frames' clock, turned by hand."""

    ns = 50_000_000_000


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    clock = Clock()
    for module in (sound_gate, sound_reader):
        monkeypatch.setattr(module, "now_ns", lambda: clock.ns)
    yield clock


def speaks(track: SoundTrack, clock: Clock, peak: int, seconds: float) -> None:
    """Somebody speaks at one level for a time."""
    for _ in range(round(seconds * 100)):
        clock.ns += CHUNK_NS
        track.push(level(peak), clock.ns)


def new_track(gate: SoundGate) -> SoundTrack:
    track = SoundTrack(gate)
    track.begin(RATE)
    return track


def loud(sound: audio.Sound) -> set[int]:
    """Numbers of the samples that are no silence."""
    return set(np.flatnonzero(sound[:, 0]))


def test_nothing_is_heard_before_somebody_opens_the_gate(clock: Clock) -> None:
    track = new_track(SoundGate())
    speaks(track, clock, 9_000, 0.5)
    assert not loud(track.read(track.end - RATE, track.end))
    assert track.take_peak() == 0


def test_of_what_is_said_while_it_is_closed_no_sample_is_heard(clock: Clock) -> None:
    """Whatever the order in which samples arrive and the user decides: the time of capture counts."""
    gate = SoundGate()
    gate.set(True)
    track = new_track(gate)
    speaks(track, clock, 1_000, 1.0)
    clock.ns += 4_000_000
    gate.set(False)
    closed = index_at(clock.ns)
    clock.ns -= 4_000_000
    speaks(track, clock, 2_000, 1.0)
    clock.ns += 4_000_000
    gate.set(True)
    opened = index_at(clock.ns)
    clock.ns -= 4_000_000
    speaks(track, clock, 3_000, 1.0)
    start = closed - RATE // 2
    heard = loud(track.read(start, track.end))
    assert heard, "before and after"
    assert not {number for number in heard if closed <= number + start < opened}
    late = opened + index_at(LATENCY_NS)
    assert max(number for number in heard if number + start < opened) + start == closed - 1
    assert min(number for number in heard if number + start >= opened) + start == pytest.approx(late, abs=1)


def test_a_gate_that_is_opened_for_a_moment_lets_nothing_out(clock: Clock) -> None:
    """Within the latency of a microphone nobody can tell what was said before."""
    gate = SoundGate()
    gate.set(True)
    track = new_track(gate)
    speaks(track, clock, 1_000, 0.5)
    gate.set(False)
    closed = index_at(clock.ns)
    speaks(track, clock, 2_000, 0.5)
    gate.set(True)
    clock.ns += LATENCY_NS // 2
    gate.set(False)
    clock.ns -= LATENCY_NS // 2
    speaks(track, clock, 2_000, 1.0)
    assert not loud(track.read(closed, track.end))
    assert not gate.open


def test_time_without_a_device_is_silence_and_counts(clock: Clock) -> None:
    gate = SoundGate()
    gate.set(True)
    track = new_track(gate)
    speaks(track, clock, 1_000, 1.0)
    before = track.end
    clock.ns += 3_000_000_000
    track.begin(RATE)
    speaks(track, clock, 2_000, 1.0)
    assert not loud(track.read(before, before + 2 * RATE))
    assert len(loud(track.read(before + 3 * RATE, track.end))) > 0.9 * RATE
    assert track.end == pytest.approx(index_at(clock.ns), abs=CHUNK)


def test_what_is_older_than_a_track_keeps_is_silence_not_something_else(clock: Clock) -> None:
    gate = SoundGate()
    gate.set(True)
    track = new_track(gate)
    first = index_at(clock.ns)
    speaks(track, clock, 1_000, 2.0)
    speaks(track, clock, 2_000, KEPT_S)
    assert not loud(track.read(first, first + RATE))
    newest = track.read(track.end - RATE, track.end)
    assert set(newest[:, 0]) == {2_000}
    ahead = track.read(track.end - 10, track.end + 10)
    assert len(ahead) == 20 and loud(ahead) == set(range(10))


def test_the_level_is_the_loudest_sample_since_it_was_asked_for(clock: Clock) -> None:
    gate = SoundGate()
    gate.set(True)
    track = new_track(gate)
    speaks(track, clock, -16_384, 0.3)
    assert track.take_peak() == pytest.approx(0.5, abs=0.06)  # a step overshoots in any resampler
    assert track.take_peak() == 0


def test_a_recording_gets_every_sample_once_and_waits_for_what_is_on_its_way(clock: Clock) -> None:
    gate = SoundGate()
    gate.set(True)
    track = new_track(gate)
    speaks(track, clock, 1_000, 0.5)
    reader = SoundReader([track])
    began_ns = clock.ns - 200_000_000  # pictures are late by that
    assert not len(reader.take(began_ns))
    parts = []
    for number in range(100):
        speaks(track, clock, 1_000, 0.01)
        parts.append(reader.take(began_ns + (number + 1) * CHUNK_NS))
    sound = np.concatenate(parts)
    assert len(sound) == index_at(began_ns + 100 * CHUNK_NS) - index_at(began_ns)
    assert len(loud(sound)) == len(sound)
    # Pictures without delay: the sound is still on its way, and is given as soon as it has come.
    ahead = reader.take(clock.ns)
    assert len(ahead) < index_at(200_000_000)
    speaks(track, clock, 1_000, 0.1)
    assert len(loud(ahead)) == len(ahead)


def test_a_device_that_is_gone_does_not_hold_a_recording_up(clock: Clock) -> None:
    gate = SoundGate()
    gate.set(True)
    track = new_track(gate)
    reader = SoundReader([track])
    began_ns = clock.ns
    reader.take(began_ns)
    clock.ns += 5_000_000_000
    sound = reader.take(clock.ns)
    assert len(sound) == index_at(clock.ns - PATIENCE_NS) - index_at(began_ns)
    rest = reader.take(clock.ns, last=True)
    assert len(sound) + len(rest) == 5 * RATE and not loud(sound)


def test_sound_that_a_busy_computer_delivers_late_is_not_lost(clock: Clock) -> None:
    gate = SoundGate()
    gate.set(True)
    track = new_track(gate)
    speaks(track, clock, 1_000, 1.0)
    reader = SoundReader([track])
    reader.take(clock.ns)
    parts = []
    for _ in range(120):
        clock.ns += CHUNK_NS
        parts.append(reader.take(clock.ns))
    for _ in range(120):
        track.push(level(1_000), clock.ns)
    parts.append(reader.take(clock.ns, last=True))
    sound = np.concatenate(parts)
    assert len(sound) == index_at(1_200_000_000)
    assert len(loud(sound)) > 0.95 * len(sound)


def test_two_tracks_are_heard_at_once_and_do_not_overflow(clock: Clock) -> None:
    gate = SoundGate()
    gate.set(True)
    one, other = new_track(gate), new_track(gate)
    for _ in range(100):
        clock.ns += CHUNK_NS
        one.push(level(20_000), clock.ns)
        other.push(level(25_000), clock.ns)
    reader = SoundReader([one, other])
    reader.take(clock.ns - 500_000_000)
    assert set(reader.take(clock.ns - 400_000_000)[:, 0]) == {32_767}
