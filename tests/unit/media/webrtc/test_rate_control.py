"""How much is sent, asked for again and held back: decisions by themselves and in simulated time."""

from __future__ import annotations

import itertools

import pytest

from helpers.bad_network import Impairment
from helpers.matrix import few_of
from helpers.simulated_stream import Simulation
from overpaint.media.webrtc.codecs import bits_per_second
from overpaint.media.webrtc.jitter_buffer import MOST_S, PlayoutClock
from overpaint.media.webrtc.rate_control import LEAST_SHARE, RateController, Report, SizeLadder
from overpaint.media.webrtc.retransmission import GapList, RepairBudget

MILLISECOND = 0.001


def reports(
    rate: RateController, seconds: float, start: float = 0.0, lost: int = 0, rtt_ms: float = 20
) -> float:
    """Five reports a second of 160 packets each; returns when the last one came."""
    at = start
    for _ in range(round(seconds * 5)):
        at += 0.2
        rate.report(Report(at, 160, lost, rtt_ms * MILLISECOND))
    return at


class TestTheRate:
    def test_on_a_good_way_it_is_full_within_two_seconds_and_stays(self) -> None:
        rate = RateController()
        reports(rate, 2)
        assert rate.share == 1
        reports(rate, 60, start=2, lost=3)
        assert rate.share == 1, "2 % lost by chance is no reason to send less"

    def test_what_does_not_get_through_is_not_sent(self) -> None:
        rate = RateController()
        at = reports(rate, 2)
        rate.report(Report(at + 0.2, 160, 96, 0.02))
        assert rate.share == pytest.approx(0.4 * 0.85)

    def test_a_way_that_grows_longer_steps_it_down_without_any_loss(self) -> None:
        rate = RateController()
        at = reports(rate, 2)
        for step in range(1, 6):
            rate.report(Report(at + step * 0.2, 160, 0, 0.02 + step * 0.04))
        assert rate.share < 0.9
        assert rate.queue_s == pytest.approx(0.16)

    def test_a_single_late_answer_is_no_queue(self) -> None:
        rate = RateController()
        at = reports(rate, 2)
        for step in range(1, 50):
            rate.report(Report(at + step * 0.2, 160, 0, 0.5 if step % 7 == 0 else 0.02))
        assert rate.share == 1

    def test_a_long_queue_is_left_to_drain_before_anything_more_is_sent(self) -> None:
        rate = RateController()
        at = reports(rate, 2)
        for step in range(1, 8):
            at += 0.2
            rate.report(Report(at, 160, 0, 0.02 + step * 0.1))
        assert rate.holds_back(at + 0.01)
        at = reports(rate, 0.4, start=at)
        assert not rate.holds_back(at)

    def test_it_never_stays_silent_for_long(self) -> None:
        rate = RateController()
        at = reports(rate, 2)
        for step in range(1, 8):
            at += 0.2
            rate.report(Report(at, 160, 0, 0.02 + step * 0.1))
        assert not rate.holds_back(at + 1.01), "no report comes any more"

    def test_after_trouble_it_finds_its_way_back_up(self) -> None:
        rate = RateController()
        at = reports(rate, 2)
        rate.report(Report(at + 0.2, 160, 96, 0.02))
        low = rate.share
        at = reports(rate, 3, start=at + 0.2)
        assert low < rate.share < 0.6, "carefully where it was too much before"
        reports(rate, 40, start=at)
        assert rate.share == 1

    def test_it_has_a_floor(self) -> None:
        rate = RateController()
        reports(rate, 60, lost=150)
        assert rate.share == LEAST_SHARE

    def test_an_estimate_counts_when_it_falls_and_something_is_amiss(self) -> None:
        rate = RateController()
        at = reports(rate, 2)
        rate.estimate(at, 9e6, 8e6)
        rate.estimate(at, 4e6, 8e6)
        assert rate.share == 1, "a still picture makes for a low estimate"
        at = reports(rate, 2, start=at, lost=10)
        rate.estimate(at, 8e6, 8e6)
        rate.estimate(at, 4e6, 8e6)
        assert rate.share == 0.5

    def test_packets_are_spread_only_after_trouble(self) -> None:
        rate = RateController()
        at = reports(rate, 2)
        assert not rate.paces(at)
        rate.report(Report(at + 0.2, 160, 96, 0.02))
        assert rate.paces(at + 1)
        assert not rate.paces(at + 30)


class TestTheSize:
    def test_few_bits_make_the_picture_smaller_and_then_fewer(self) -> None:
        ladder = SizeLadder(bits_per_second)
        plans = [ladder.plan(1920, 1080, share) for share in (1, 0.36, 0.3, 0.18, 0.11, 0.06, 0.04, 0.01)]
        assert [plan.width for plan in plans] == [1920, 1920, 1440, 1280, 960, 640, 480, 480]
        assert [plan.interval_s > 0 for plan in plans] == [False] * 7 + [True]

    @pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (320, 180), (640, 480), (1080, 1920)])
    def test_every_size_has_the_pictures_shape(self, size: tuple[int, int]) -> None:
        ladder = SizeLadder(bits_per_second)
        for share in (1, 0.3, 0.2, 0.1, 0.05, 0.03):
            plan = ladder.plan(*size, share)
            assert plan.width * size[1] == plan.height * size[0]
            assert plan.width % 2 == plan.height % 2 == 0

    def test_it_does_not_swing_between_two_sizes(self) -> None:
        ladder = SizeLadder(bits_per_second)
        widths = [ladder.plan(1920, 1080, share).width for share in (0.36, 0.34, 0.4, 0.34, 0.4, 0.34, 0.5)]
        assert widths == [1920, 1440, 1440, 1440, 1440, 1440, 1920]


class TestGaps:
    def test_a_lost_packet_is_asked_for_at_once_and_again_when_the_answer_is_overdue(self) -> None:
        gaps = GapList()
        gaps.received(65_534, 0.0)
        gaps.received(1, 0.01)
        assert gaps.due(0.01) == [65_535, 0]
        gaps.received(0, 0.03)
        assert gaps.due(0.05) == []
        assert gaps.due(0.2) == [65_535]

    def test_it_is_given_up_with_its_picture(self) -> None:
        gaps = GapList()
        gaps.received(1, 0.0)
        gaps.received(3, 0.0)
        times = [at * MILLISECOND for at in range(0, 2000, 10) if gaps.due(at * MILLISECOND)]
        assert times and times[-1] < 0.45
        assert gaps.next_due_s() is None

    def test_where_packets_overtake_each_other_they_get_time_to_arrive(self) -> None:
        gaps = GapList()
        gaps.received(0, 0.0)
        asked = []
        for number in range(1, 50):  # pairs change places, the earlier one comes 10 ms later
            at = number * 0.1
            gaps.received(2 * number, at)
            asked += gaps.due(at)
            gaps.received(2 * number - 1, at + 0.01)
            asked += gaps.due(at + 0.01)
            if number < 3:  # asked for in vain: the repeat comes as well
                gaps.received(2 * number - 1, at + 0.05)
        assert len(asked) < 3

    def test_a_sender_that_begins_anew_leaves_no_gap(self) -> None:
        gaps = GapList()
        gaps.received(0, 0.0)
        gaps.received(20_000, 0.0)
        assert gaps.due(0.0) == []


class TestRepeats:
    def test_a_packet_is_sent_again_once_for_each_honest_request(self) -> None:
        budget = RepairBudget()
        for sequence in range(100):
            budget.sent(sequence, 1200, 0.0)
        assert [budget.copies(7, at, 0.05) for at in (0.05, 0.06, 0.15)] == [1, 0, 2]

    def test_old_and_unknown_packets_are_not(self) -> None:
        budget = RepairBudget()
        budget.sent(1, 1200, 0.0)
        assert budget.copies(1, 1.0, 0.05) == 0
        assert budget.copies(2, 0.0, 0.05) == 0

    def test_on_a_long_way_it_is_sent_twice(self) -> None:
        budget = RepairBudget()
        budget.sent(1, 1200, 0.0)
        assert budget.copies(1, 0.15, 0.12) == 2

    def test_repeats_never_take_the_way_over(self) -> None:
        budget = RepairBudget()
        for sequence in range(1000):
            budget.sent(sequence, 1200, 0.0)
        assert sum(budget.copies(sequence, 0.1, 0.05) for sequence in range(1000)) < 60


class TestPlayout:
    def play(self, lates_ms: list[float], held_up: bool = True) -> list[tuple[float, float]]:
        """(arrival, due) of pictures 33 ms apart that come late by so much, as others were repeated."""
        clock = PlayoutClock()
        start = (1 << 32) - 90_000  # the stamp wraps on the way
        made = []
        for number, late in enumerate(lates_ms):
            arrived = 100 + number / 30 + late * MILLISECOND
            made.append(
                (arrived, clock.due_s((start + number * 3000) % (1 << 32), arrived, held_up and late > 0))
            )
        return made

    def test_on_an_even_way_every_picture_is_shown_as_it_comes(self) -> None:
        assert all(due == arrived for arrived, due in self.play([0, 5, 0, 10, 3] * 40))

    def test_on_an_uneven_way_pictures_are_shown_evenly(self) -> None:
        shown = [due for _, due in self.play([0, 0, 100, 67, 33] * 40)]
        steps = [b - a for a, b in itertools.pairwise(shown[60:])]
        assert all(step == pytest.approx(1 / 30, abs=0.002) for step in steps)

    def test_a_machine_without_time_is_no_reason_to_hold_pictures_back(self) -> None:
        assert all(due == arrived for arrived, due in self.play([0, 0, 100, 67, 33] * 40, held_up=False))

    def test_nothing_is_held_back_for_long(self) -> None:
        assert all(due - arrived < MOST_S + 0.001 for arrived, due in self.play([0, 900, 0, 0, 700] * 40))

    def test_one_stall_is_soon_forgotten(self) -> None:
        played = self.play([0] * 60 + [150] + [0] * 100)
        assert all(due - arrived < 0.03 for arrived, due in played[-60:])

    def test_a_stream_that_begins_anew_is_not_measured_against_the_old_one(self) -> None:
        played = self.play([0] * 60 + [5000] * 60)
        assert all(due == arrived for arrived, due in played[-50:])


GOOD, ROUGH = Impairment(0, 0.0005), Impairment(0.02, 0.06, 0.01)


class TestAMinuteOverABadNetwork:
    """30 pictures a second at 8 Mb/s, one direction, in simulated time."""

    def test_a_good_one_is_left_alone(self) -> None:
        outcome = Simulation(GOOD).run(60)
        assert outcome.delays()[-1] < 0.002
        assert outcome.fps(1, 60) == pytest.approx(30, abs=0.1)
        assert outcome.full_pictures == 1

    @pytest.mark.parametrize("seed", few_of([1, 2, 3], [1]))
    def test_two_in_a_hundred_lost_60_ms_and_10_ms_of_jitter_are_played_evenly(self, seed: int) -> None:
        outcome = Simulation(ROUGH, seed=seed).run(60)
        assert outcome.fps(3, 60) > 29
        assert outcome.longest_wait(3) < 0.2
        assert outcome.delays(3)[-1] < 0.35
        assert outcome.share_at(10) > 0.8, "what is lost by chance does not make the picture poorer"

    @pytest.mark.parametrize("queue_s", few_of([0.1, 0.2, 1.0], [0.2]))
    def test_a_bottleneck_does_not_add_seconds(self, queue_s: float) -> None:
        outcome = Simulation(Impairment(0, 0.01, 0, 3e6, queue_s)).run(60)
        delays = outcome.delays(3)
        assert delays[len(delays) // 2] < 0.2
        assert delays[-1] < 0.6
        assert outcome.fps(3, 60) > 25
        assert outcome.sent_bits < 60 * 3.1e6
        assert outcome.sent_bits > 60 * 2e6, "nor is the way left empty"

    def test_one_that_comes_and_goes_is_followed_both_ways(self) -> None:
        narrow = Impairment(0, 0.01, 0, 3e6, 0.5)
        outcome = Simulation(Impairment(0, 0.01), (10.0, narrow), (30.0, Impairment(0, 0.01))).run(60)
        assert outcome.share_at(9) == 1
        assert outcome.share_at(25) < 0.5
        assert outcome.share_at(59) == 1
        assert outcome.delays(13)[-1] < 0.6

    @pytest.mark.parametrize("way_s", few_of([0.1, 0.3, 0.6], [0.3]))
    def test_a_way_that_is_only_longer_is_told_from_a_queue(self, way_s: float) -> None:
        """As when a call moves from one network to another: sending less does not make that way shorter."""
        outcome = Simulation(GOOD, (10.0, Impairment(0, way_s)), (40.0, GOOD)).run(60)
        assert outcome.share_at(14) > 0.4
        assert outcome.share_at(30) > 0.9
        assert outcome.fps(13, 40) > 28
        assert outcome.share_at(59) == 1

    @pytest.mark.full
    def test_one_that_is_longer_and_narrower_is_filled_all_the_same(self) -> None:
        narrow = Impairment(0, 0.2, 0, 3e6, 0.5)
        outcome = Simulation(GOOD, (10.0, narrow), (40.0, GOOD)).run(60)
        assert all(0.15 < outcome.share_at(at) < 0.5 for at in range(18, 40))
        assert outcome.delays(16)[-1] < 0.5

    @pytest.mark.full
    def test_one_that_is_rough_and_becomes_longer_keeps_its_rate(self) -> None:
        outcome = Simulation(ROUGH, (20.0, Impairment(0.02, 0.16, 0.01))).run(60)
        assert all(outcome.share_at(at) > 0.6 for at in range(27, 60))

    def test_a_network_that_is_gone_for_two_seconds_is_back_within_one(self) -> None:
        gone = Impairment(loss=1.0)
        outcome = Simulation(GOOD, (10.0, gone), (12.0, GOOD)).run(20)
        back = min(shown for _, _, shown in outcome.shown if shown > 12)
        assert back < 13
        assert outcome.fps(13.5, 20) > 28
