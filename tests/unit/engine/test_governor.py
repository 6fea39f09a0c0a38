"""The governor holds the frame rate first and gives what is left to the picture, without swinging."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from overpaint.engine.governor import Governor

COSTS = (2.0, 1.5, 1.0, 0.7, 0.5)


class Machine:
    """A machine on which a frame at cost 1 takes some time; frames come at a rate, the newest is taken."""

    def __init__(self, unit_s: float, fps: float = 30.0, level: int = 2) -> None:
        self.unit_s, self.gap_s = unit_s, 1 / fps
        self.governor = Governor(COSTS, level)
        self.now_s = 0.0
        self.levels: list[int] = []

    def run(self, seconds: float, hiccup: Callable[[int], float] = lambda frame: 0.0) -> float:
        """Runs on; returns the frame rate of the last half of the time."""
        end, frames = self.now_s + seconds, 0
        half = self.now_s + seconds / 2
        while self.now_s < end:
            took = COSTS[self.governor.level] * self.unit_s + hiccup(len(self.levels))
            self.levels.append(self.governor.frame(self.now_s, took))
            done = self.now_s + took
            ready = (int(self.now_s / self.gap_s + 1e-6) + 1) * self.gap_s
            self.now_s = max(done, ready)
            frames += self.now_s > half
        return frames / (end - half)


def test_a_machine_that_is_fast_enough_gets_all_the_detail_there_is() -> None:
    machine = Machine(unit_s=0.005)
    assert machine.run(40) == pytest.approx(30, abs=1)
    assert machine.governor.level == 0


def test_a_slow_machine_keeps_its_frames_and_loses_detail() -> None:
    machine = Machine(unit_s=0.040)
    assert machine.run(20) == pytest.approx(30, abs=1)
    assert machine.governor.level >= 3


def test_a_machine_between_two_levels_settles() -> None:
    machine = Machine(unit_s=0.0185)
    machine.run(60)
    machine.levels.clear()
    assert machine.run(300) >= 29
    changes = sum(a != b for a, b in zip(machine.levels, machine.levels[1:], strict=False))
    assert changes <= 4, "in five minutes"


def test_single_slow_frames_change_nothing() -> None:
    machine = Machine(unit_s=0.017)
    machine.run(30, hiccup=lambda frame: 0.2 if frame % 15 == 0 else 0.0)
    assert machine.governor.level == 2


def test_frames_that_come_faster_than_thirty_a_second_cost_no_detail() -> None:
    machine = Machine(unit_s=0.017, fps=60)
    machine.run(20)
    assert machine.governor.level == 2


def test_a_film_of_24_frames_a_second_has_more_time_for_each() -> None:
    machine = Machine(unit_s=0.030, fps=24)
    assert machine.run(20) == pytest.approx(24, abs=1)
    assert machine.governor.level == 2


def test_detail_comes_back_when_the_load_is_gone() -> None:
    machine = Machine(unit_s=0.040)
    machine.run(10)
    machine.unit_s = 0.004
    machine.run(60)
    assert machine.governor.level == 0
    assert machine.governor.load.budget_s == pytest.approx(1 / 30, rel=0.05)
