"""Hours on air at 1080p30, a session change a minute, a random fault now and then: nothing grows.

In the first half of the time no fault replaces a process, so that it is seen what each gathers over many
sessions. In the second, processes are killed, stopped for a random time, and stopped for good, their standbys
too. Frame rate and gaps are printed, not judged: they are the machine's.
``make soak`` takes minutes, ``make soak HOURS=2`` hours; ``OVERPAINT_SEED`` chooses the faults,
``OVERPAINT_LINK`` the link.
"""

from __future__ import annotations

import itertools
import os
import random
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from helpers.desktop_faults import live_stopped_and_window_killed
from helpers.faults import UNREAD, check
from helpers.households import Holding, growth, held, segments
from helpers.on_air import PRICE, Link, OnAir, new_frames
from helpers.process_faults import camera_stopped, core_killed, follow_if_replaced
from helpers.processes import role_pid, until
from helpers.source_faults import hangs, unplugged_3_s
from helpers.stamps import stamped_clip
from overpaint.session.realtime.state import RENEW_BEFORE_S
from overpaint.wire.live import SetStyle

SECONDS = float(os.environ.get("OVERPAINT_SOAK_SECONDS", "0"))
SEED = int(os.environ.get("OVERPAINT_SEED", "6"))
LINK: Link = "webrtc" if os.environ.get("OVERPAINT_LINK") == "webrtc" else "shared_memory"
TTL_S, FAULT_S, SAMPLE_S = 80, 300.0, 5.0
CHANGE_S = TTL_S - RENEW_BEFORE_S
"""How long each session is used: a minute."""
CLIP_FRAMES = 510

SIZE = (1920, 1080)

chance = random.Random(SEED)


def another_look(call: OnAir) -> None:
    """There and back again."""
    with call.fault():
        for look, understood in (("brighter", "Black and white, bright"), ("", "Black and white")):
            call.seen.intend(SetStyle(prompt=f"black and white {look}".strip()))
            call.wait(lambda now, understood=understood: now.understood == understood)


def core_stopped(call: OnAir) -> None:
    """For a random time: a short stop is lived through, a long one ends the core."""
    with call.stopped([call.core], chance.uniform(0.3, 8.0)):
        pass


def live_stopped(call: OnAir) -> None:
    """For a random time: a short stop is lived through, after a long one another takes its place."""
    live = call.live
    with call.stopped([live], chance.uniform(0.3, 8.0)):
        pass
    follow_if_replaced(call, live)


def live_paused(call: OnAir) -> None:
    """For less time than makes anybody think that it hangs."""
    with call.stopped([call.live], chance.uniform(0.3, 1.0)):
        pass


def core_stopped_for_good(call: OnAir) -> None:
    """With or without a standby that has loaded by then."""
    core = call.core
    with call.fault():
        core.suspend()
    call.new_core(core)


def standby_stopped_for_good(call: OnAir) -> None:
    """It is found to hang when the core is killed and it should take over."""
    for standby in standbys(call):
        standby.suspend()
    core_killed(call)
    until(lambda: role_pid(call.data_folder, "core") is not None, 60, "a core")


def standbys(call: OnAir) -> list[psutil.Process]:
    """Cores that load, or wait to take over."""
    core = call.core.pid
    return [each for each in call.live.children() if "--standby" in each.cmdline() and each.pid != core]


ACTS: dict[str, Callable[[OnAir], None]] = {
    "core: kill -9": core_killed,
    "core: stopped for a while": core_stopped,
    "core: stopped for good": core_stopped_for_good,
    "standby: stopped for good, core: kill -9": standby_stopped_for_good,
    "live process: stopped for a moment": live_paused,
    "live process: stopped for a while": live_stopped,
    "live process: stopped for good, then its window": live_stopped_and_window_killed,
    "camera process: stopped for good": camera_stopped,
    "webcam pulled for 3 s": unplugged_3_s,
    "webcam hangs 4 s": hangs(4),
    "another look": another_look,
}


CALM = (
    "live process: stopped for a moment",
    "webcam pulled for 3 s",
    "webcam hangs 4 s",
    "another look",
)
"""Those that replace no process."""


class Watch:
    """Notes from time to time what the processes of a call hold."""

    def __init__(self, call: OnAir) -> None:
        self.call = call
        self.began = time.monotonic()
        self.segments: list[int] = []
        self.pieces: set[Path] = set()
        self.processes: list[int] = []
        self.pids: list[int] = []
        self.holdings: dict[tuple[str, int], list[Holding]] = defaultdict(list)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    def settle(self) -> None:
        """From now on nothing is done to the call, until the next fault."""
        self.pids = [process.pid for _, process in self._roles()]

    def note(self) -> None:
        now = self._roles()
        assert [process.pid for _, process in now] == self.pids, (
            "a process was replaced though it had no fault"
        )
        for role, process in now:
            if (holding := held(process, self.seconds)) is not None:
                self.holdings[role, process.pid].append(holding)
        pieces = set().union(*(segments(process) for _, process in now))
        self.segments.append(len(pieces))
        self.pieces |= pieces
        self.processes.append(processes(self.call.data_folder))

    def _roles(self) -> list[tuple[str, psutil.Process]]:
        return [("live", self.call.live), ("core", self.call.core), ("camera", self.call.holder)]

    def report(self) -> list[str]:
        """A line a process."""
        lines = []
        for (role, pid), holdings in self.holdings.items():
            first, last = holdings[0], holdings[-1]
            lines.append(
                f"{role} {pid}, {last.at - first.at:.0f} s: {first.megabytes:.0f} → {last.megabytes:.0f} MB,"
                f" {first.descriptors} → {last.descriptors} descriptors,"
                f" {first.threads} → {last.threads} threads"
            )
        return lines

    def check(self) -> None:
        """None of them leaks, and nothing is left behind; all have ended."""
        watched_s: dict[str, float] = defaultdict(float)
        for (role, _), holdings in self.holdings.items():
            grown = growth(holdings)
            if grown is None:
                continue
            watched_s[role] = max(watched_s[role], grown.seconds)
            hours = grown.seconds / 3600
            assert grown.descriptors[1] <= grown.descriptors[0] + 4, f"{role}: {grown}"
            assert grown.threads[1] <= grown.threads[0] + 4, f"{role}: {grown}"
            assert grown.megabytes[1] <= grown.megabytes[0] + 30 + 30 * hours, f"{role}: {grown}"
        assert len(watched_s) == 3 and min(watched_s.values()) > SECONDS / 5, watched_s
        assert self.pieces, "no shared memory was seen"
        assert self.segments[-1] <= self.segments[0] + 4, "pieces of shared memory are held for nothing"
        left = [piece for piece in self.pieces if piece.exists()]
        assert not left, "pieces of shared memory are left behind"
        third = len(self.processes) // 3
        first, last = min(self.processes[:third]), min(self.processes[-third:])
        assert last <= first + 1, f"{first} processes became {last}"


def processes(folder: Path) -> int:
    """How many processes of this machine have a data folder in their environment: all that a call starts."""
    count = 0
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            count += process.environ().get("OVERPAINT_DATA_DIR") == str(folder)
    return count


@pytest.mark.skipif(not SECONDS, reason="make soak")
@pytest.mark.timeout(SECONDS + 600)
def test_hours_on_air(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    every_s = min(FAULT_S, SECONDS / 6)
    clip = stamped_clip(tmp_path / "clip.mp4", CLIP_FRAMES / 30, SIZE, watermarked=True)
    call = OnAir(tmp_path, clip, LINK, ttl_seconds=TTL_S, size=SIZE)
    watch = Watch(call)
    faults: list[str] = []
    seen_sessions: set[str] = set()
    try:
        while watch.seconds < SECONDS:
            name = chance.choice(CALM if watch.seconds < SECONDS / 2 else list(ACTS))
            began = watch.seconds
            ACTS[name](call)
            call.recover()
            seen = call.seen_since()
            check(seen, unread=UNREAD * (len(faults) + 1))
            watch.settle()
            faults.append(
                f"{began:7.0f} s  {name}: back in {seen.back_s:.1f} s, no new frame for"
                f" {seen.still_s:.1f} s, none at all for {seen.held_ms} ms"
            )
            with capsys.disabled():
                print(f"\n{faults[-1]}", end="", flush=True)
            while watch.seconds < min(SECONDS, (len(faults)) * every_s):
                watch.note()
                now = call.seen.snapshots[-1]
                seen_sessions |= {now.session.id} if now.session is not None else set()
                time.sleep(SAMPLE_S)
        dropped = call.seen.snapshots[-1].figures.dropped
        shown = list(call.seen.shown)
        fresh = new_frames(shown)
        gaps = [after.at - before.at for before, after in itertools.pairwise(fresh)]
        check(call.seen_since(), unread=UNREAD * len(faults))
        sessions, credits = call.paid()
    finally:
        call.close()
        with capsys.disabled():
            print(f"\nsoak: {watch.seconds:.0f} s at 1080p over {LINK}, seed {SEED}")
            print("\n".join(watch.report()))
    with capsys.disabled():
        print(f"shared memory: {watch.segments[0]} → {watch.segments[-1]} pieces")
        print(
            f"{len(fresh)} new frames at the camera, {len(fresh) / watch.seconds:.1f} a second,"
            f" {dropped} dropped; longest without a new one {max(gaps):.2f} s"
        )
        print(f"{sessions} sessions, {credits} credits")
        print(f"{min(watch.processes)} to {max(watch.processes)} processes")
    assert credits == sessions * PRICE and len(seen_sessions) <= sessions
    assert sessions <= watch.seconds / CHANGE_S * 1.1 + 2, "more sessions than minutes"
    assert sessions >= watch.seconds / TTL_S - 1, "a session outlived its time, or nothing was on air"
    watch.check()
