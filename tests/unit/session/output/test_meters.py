"""Rates and delays of the last seconds: what came in them, and nothing older."""

from __future__ import annotations

from overpaint.session.output.meters import MINUTE_S, SETTLED_NS, DelayMeter, RateMeter

SECOND = 10**9
BEGIN = 1_000 * SECOND


def fed(meter: DelayMeter, second: int, *delays_ms: float) -> None:
    for number, delay in enumerate(delays_ms):
        now = BEGIN + second * SECOND + number * 1_000_000
        meter.mark(now - round(delay * 1e6), now)


def test_a_minute_has_its_median_its_95th_percentile_and_a_point_a_second() -> None:
    meter = DelayMeter()
    for second in range(3):
        fed(meter, second, *([40.0 + second] * 30))
    fed(meter, 5, *([100.0] * 30))
    minute = meter.minute.look(BEGIN + 6 * SECOND)
    assert minute is not None and minute.p95 == 100.0 and 41 <= minute.median <= 42
    assert len(minute.seconds) == MINUTE_S
    assert minute.seconds[-6:] == (40.0, 41.0, 42.0, None, None, 100.0)
    assert minute.seconds[:-6] == (None,) * 54


def test_what_is_older_than_a_minute_is_forgotten() -> None:
    meter = DelayMeter()
    fed(meter, 0, 500.0)
    fed(meter, 30, 50.0)
    minute = meter.minute.look(BEGIN + 70 * SECOND)
    assert minute is not None and minute.median == minute.p95 == 50.0
    assert meter.minute.look(BEGIN + 200 * SECOND) is None


def test_a_second_that_still_runs_is_not_told() -> None:
    meter = DelayMeter()
    fed(meter, 0, 40.0)
    assert meter.minute.look(BEGIN + SECOND // 2) is None


def test_frames_that_come_in_one_burst_are_no_rate_to_show() -> None:
    meter = RateMeter()
    for number in range(2):
        meter.mark(BEGIN + number * 4_000_000)
    assert meter.per_second(BEGIN + 8_000_000, SETTLED_NS) == 0 < meter.per_second(BEGIN + 8_000_000)
    for number in range(2, 31):
        meter.mark(BEGIN + number * SECOND // 30)
    assert 29 < meter.per_second(BEGIN + SECOND, SETTLED_NS) <= 30
    assert meter.per_second(BEGIN + 10 * SECOND) == 0, "nothing came lately"
