"""A look under the governor: frames keep coming while detail changes, and nobody sees the change."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import numpy as np
import pytest

from overpaint.engine.cpu import CpuEngine
from overpaint.engine.governed_look import (
    CAUTIOUS,
    FADE_FRAMES,
    SMALL_PIXELS,
    WITH_NET,
    WITHOUT_NET,
    Detail,
    GovernedLook,
)
from overpaint.engine.interface import LookRequest, Picture
from overpaint.engine.look import CpuLook

FRAME = np.full((96, 64), 128, np.uint8)


class TimedLook:
    """Stands for a look: takes a time that its detail decides, and paints a grey of its own."""

    def __init__(self, detail: Detail, seconds: float, made: list[Detail]) -> None:
        self.milliseconds: dict[str, float] = {}
        self.detail, self.seconds, self.net = detail, seconds, [detail.net]
        made.append(detail)

    def apply(self, image: Picture) -> Picture:
        time.sleep(self.seconds)
        return np.full_like(image, round(200 * self.detail.canvas))

    def set_detail(self, detail: float) -> None:
        self.net.append(detail)
        self.seconds /= 2


def governed(seconds: dict[float, float], with_net: bool = False) -> tuple[GovernedLook, list[Detail]]:
    made: list[Detail] = []

    def build(detail: Detail) -> CpuLook:
        return cast(CpuLook, TimedLook(detail, seconds.get(detail.canvas, 0.001), made))

    look = GovernedLook("timed", "Timed", build, with_net, with_net, SMALL_PIXELS, ThreadPoolExecutor(1))
    return look, made


def test_a_look_that_is_too_slow_fades_over_to_a_smaller_canvas() -> None:
    look, made = governed({1.0: 0.05})
    levels = [int(look.apply(FRAME)[0, 0]) for _ in range(45)]
    first, second = (round(200 * detail.canvas) for detail in made)
    assert levels[0] == first == 200 and levels[-1] == second < 150
    steps = np.abs(np.diff(levels))
    assert 0 < steps.max() <= (first - second) / FADE_FRAMES, "no jump"
    work = look.work
    assert work.level >= 2 and work.levels == 4 and work.budget_milliseconds > 30


def test_a_net_is_made_to_work_smaller_before_the_canvas_is() -> None:
    look, made = governed({1.0: 0.032}, with_net=True)
    for _ in range(30):
        look.apply(FRAME)
    assert [detail.canvas for detail in made] == [1.0], "no other canvas was made"
    assert WITH_NET[look.work.level].net < 1


@pytest.mark.parametrize("share", [0.84, 0.5])
def test_less_detail_is_the_same_look(share: float) -> None:
    """Every kind of canvas gives the same picture, only softer."""
    engine: Any = CpuEngine(1)
    random = np.random.default_rng(3)
    frame = np.full((540, 640), 128, np.uint8)
    frame[:360] = np.kron(random.integers(30, 220, (9, 16)), np.ones((40, 40))).astype(np.uint8)
    whole = engine.compile(LookRequest("ink comic"), 640, 360, "clip").apply(frame)
    less = engine.compile(LookRequest("ink comic"), 640, 360).at(Detail(canvas=share)).apply(frame)
    assert less.shape == whole.shape
    assert np.abs(less.astype(int) - whole).mean() < 9


@pytest.mark.parametrize(("with_net", "levels"), [(True, WITH_NET), (False, WITHOUT_NET)])
def test_a_large_picture_that_is_painted_begins_with_little_rather_than_losing_frames(
    with_net: bool, levels: tuple[Detail, ...]
) -> None:
    def build(detail: Detail) -> CpuLook:
        return cast(CpuLook, TimedLook(detail, 0.001, []))

    look = GovernedLook("timed", "Timed", build, with_net, True, SMALL_PIXELS + 1, ThreadPoolExecutor(1))
    assert levels[look.work.level] in CAUTIOUS
