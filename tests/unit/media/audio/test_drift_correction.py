"""An hour of sound stays beside the hour of pictures, whatever the device's clock says, and sounds alike."""

from __future__ import annotations

import numpy as np
import pytest

from overpaint.media.audio import RATE
from overpaint.media.audio.device_clock import DeviceClock
from overpaint.media.audio.drift_correction import DriftCorrection

CHUNK = 1024
BEGIN_NS = 7_000_000_000_000


class Device:
    """A device whose clock is off by some millionths, at the end of a road with jitter and stalls.

    Args:
        ppm: How much faster it runs.
        rate: Its nominal samples a second.
    """

    def __init__(self, ppm: float, rate: int = RATE) -> None:
        self.rate = rate * (1 + ppm * 1e-6)
        self.count = 0
        self._chance = np.random.default_rng(17)

    def chunk(self, size: int = CHUNK) -> int:
        """Delivers a chunk, and returns when it arrives: some ms late, and once in a while by 150 ms."""
        self.count += size
        late_ms = self._chance.exponential(1.0) + (150 if self._chance.random() < 0.002 else 0)
        return round(BEGIN_NS + self.count / self.rate * 1e9 + late_ms * 1e6)


@pytest.mark.parametrize("ppm", [100, -100, 0])
def test_after_an_hour_sound_and_picture_are_within_a_few_milliseconds(ppm: float) -> None:
    device, clock = Device(ppm), DeviceClock(RATE)
    worst_ms = 0.0
    while device.count < 3600 * RATE:
        arrived_ns = device.chunk()
        assert not clock.note(device.count, arrived_ns)
        truly_ns = BEGIN_NS + device.count / device.rate * 1e9
        off_ms = (clock.position(truly_ns) - device.count) / RATE * 1e3
        if device.count > 10 * RATE:
            worst_ms = max(worst_ms, abs(off_ms))
    assert worst_ms < 2.0
    assert clock.drift * 1e6 == pytest.approx(ppm, abs=20)


@pytest.mark.parametrize("minutes", [1, pytest.param(60, marks=pytest.mark.full)])
@pytest.mark.parametrize("ppm", [100, -100])
def test_a_click_stands_where_it_was_made(ppm: float, minutes: int) -> None:
    """One a second: each is found on the grid at its own time, and no sample is missing or given twice."""
    device, correction = Device(ppm), DriftCorrection(RATE)
    found, made, expected = [], [], None
    while device.count < minutes * 60 * RATE:
        sound = np.zeros((CHUNK, 2), np.int16)
        first = device.count
        second = -(-first // RATE) * RATE
        if second < first + CHUNK - 8:
            sound[second - first : second - first + 8] = 20_000
            made.append(BEGIN_NS + second / device.rate * 1e9)
        start, out = correction.push(sound, device.chunk())
        assert expected in (None, start)
        expected = start + len(out)
        loud = np.flatnonzero(np.abs(out[:, 0]) > 9_000)
        if len(loud) and (not found or (start + loud[0]) / RATE * 1e9 - found[-1] > 5e8):
            found.append((start + loud[0]) / RATE * 1e9)
    assert len(found) == len(made) - 1 or len(found) == len(made)
    off_ms = (np.array(found[5:]) - np.array(made[5 : len(found)])) / 1e6
    assert np.abs(off_ms).max() < 4.0


@pytest.mark.parametrize("rate", [48_000, 44_100, 96_000, 16_000])
def test_a_tone_stays_a_tone(rate: int) -> None:
    """Of a device at any rate, 100 ppm off: pitch and loudness stay, and nothing is added to it."""
    device, correction = Device(100, rate), DriftCorrection(rate)
    parts = []
    while device.count < 12 * rate:
        at = (device.count + np.arange(CHUNK)) / device.rate
        tone = np.rint(8_000 * np.sin(2 * np.pi * 1_000 * at)).astype(np.int16)
        parts.append(correction.push(np.stack((tone, -tone), axis=1), device.chunk())[1])
    sound = np.concatenate(parts)[-4 * RATE :].astype(float)
    assert np.array_equal(sound[:, 0], -sound[:, 1])
    heard = np.abs(np.fft.rfft(sound[:, 0] * np.hanning(len(sound)))) / len(sound) * 4
    peak = int(heard.argmax())
    assert peak / 4 == pytest.approx(1_000, abs=1)
    assert heard[peak - 8 : peak + 9].max() == pytest.approx(8_000, rel=0.15)
    beside = np.concatenate((heard[: peak - 200], heard[peak + 200 :]))
    assert beside.max() < 8_000 * 10 ** (-60 / 20)


def test_lost_samples_are_a_gap_and_not_a_shift() -> None:
    device, correction = Device(0), DriftCorrection(RATE)
    click = np.zeros((CHUNK, 2), np.int16)
    click[:8] = 20_000
    for _ in range(400):
        correction.push(np.zeros_like(click), device.chunk())
    device.count += RATE  # a second that never came
    lost = device.count
    for _ in range(200):
        correction.push(np.zeros_like(click), device.chunk())
    made_ns = BEGIN_NS + device.count / RATE * 1e9
    start, out = correction.push(click, device.chunk())
    found = (start + int(np.flatnonzero(np.abs(out[:, 0]) > 9_000)[0])) / RATE * 1e9
    assert lost and abs(found - made_ns) < 10e6


def test_a_device_that_is_late_for_good_is_followed_in_seconds() -> None:
    """A sound server may change its latency while it runs."""
    device, clock, late_ns = Device(50), DeviceClock(RATE), 0
    off_ms = {}
    while device.count < 60 * RATE:
        if device.count > 30 * RATE:
            late_ns = 40_000_000
        arrived_ns = device.chunk() + late_ns
        clock.note(device.count, arrived_ns)
        truly_ns = BEGIN_NS + device.count / device.rate * 1e9 + late_ns
        off_ms[device.count // RATE] = (clock.position(truly_ns) - device.count) / RATE * 1e3
    assert max(abs(off_ms[second]) for second in (*range(10, 29), *range(50, 60))) < 3.0
