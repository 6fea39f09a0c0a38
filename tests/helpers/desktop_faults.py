"""Faults of the desktop's processes with a real window there, and of those who restyle files beside it."""

from __future__ import annotations

import json
import os
import signal
import time
from contextlib import suppress

import httpx
import psutil

from helpers.faults import ELSEWHERE, HERE, HERE_RTC, Fault
from helpers.on_air import OnAir, is_raw
from helpers.processes import has_ended, until
from helpers.served import TRANSFORMS, finished, upload
from helpers.small_media import clip
from overpaint.processes import roles
from overpaint.wire.live import SetOriginal, SetPrivacy

IN_FLIGHT_S = 0.5
"""What the camera was given before may take so long to be seen at its far end."""


def open_window(call: OnAir) -> psutil.Process:
    window = call.seen.start_window()

    def end() -> None:
        window.kill()
        window.wait()

    call.later.callback(end)
    call.seen.wait_for_frames(20)
    return psutil.Process(window.pid)


def window_killed(call: OnAir) -> None:
    call.kill(open_window(call))


def window_stopped(call: OnAir) -> None:
    with call.stopped([open_window(call)], 5.0):
        pass


def live_killed(call: OnAir) -> None:
    """The window starts another live process, which goes on air again."""
    open_window(call)
    live = call.live
    with call.fault():
        os.kill(live.pid, signal.SIGKILL)
        if live.pid == call.seen.process.pid:
            call.seen.process.wait()
    call.seen.follow(live.pid)


def live_stopped_for_good(call: OnAir) -> None:
    """It hangs: the window has it killed, and starts another, which goes on air again."""
    open_window(call)
    live = call.live
    with call.fault():
        live.suspend()
    call.seen.follow(live.pid)
    assert has_ended(live), "two live processes"


def live_stopped_and_window_killed(call: OnAir) -> None:
    """The window starts another, and ends before it has taken that on air: whoever holds the camera does."""
    live_stopped_for_good(call)
    call.later.close()


def live_alone_killed(call: OnAir) -> None:
    """Its window was closed, and the call goes on: whoever holds the camera starts another."""
    live = call.live
    with call.fault():
        os.kill(live.pid, signal.SIGKILL)
        call.seen.process.wait()
    call.seen.follow(live.pid)


def live_alone_stopped_for_good(call: OnAir) -> None:
    live = call.live
    with call.fault():
        live.suspend()
    call.seen.follow(live.pid)
    assert has_ended(live), "two live processes"


def live_alone_stopped_in_privacy(call: OnAir) -> None:
    """The next one is private, too: nothing but the slate until its user says otherwise."""
    call.seen.intend(SetPrivacy(on=True))
    call.wait(lambda now: now.private)
    until(lambda: call.seen.shown[-1].slate, 10.0, "the slate")
    live = call.live
    since = len(call.seen.shown)
    with call.fault():
        live.suspend()
        call.seen.snapshots.clear()  # what the next one says counts
        call.seen.follow(live.pid)
        call.wait(lambda now: now.private and now.on_air and now.state == "live")
        call.seen.intend(SetPrivacy(on=False))
        assert all(frame.slate for frame in call.seen.shown[since:]), "others saw what they were not to see"


def live_killed_with_original(call: OnAir) -> None:
    """What stood on the camera was chosen by its user, who cannot take it away any more: it goes."""
    open_window(call)
    call.seen.intend(SetOriginal(on=True))
    call.wait(lambda now: now.original and now.state == "live")
    until(lambda: is_raw(call.seen.shown[-1]), 20.0, "the original")
    live = call.live
    with call.fault():
        os.kill(live.pid, signal.SIGKILL)
        call.original_until = time.monotonic() + IN_FLIGHT_S
        if live.pid == call.seen.process.pid:
            call.seen.process.wait()
        until(lambda: call.seen.shown[-1].slate, 2.0, "the slate")
    call.seen.follow(live.pid)


def both_killed(call: OnAir) -> None:
    """Nobody feeds the camera until the window has started another live process."""
    open_window(call)
    live, holder = call.live, call.holder
    with call.fault():
        holder.kill()
        live.kill()
        call.seen.writer_died()
    call.seen.follow(live.pid)


def workers(call: OnAir) -> list[psutil.Process]:
    """The processes that restyle files for the core."""
    return [each for each in call.core.children(recursive=True) if "work" in each.cmdline()]


def order_clip(call: OnAir) -> tuple[httpx.Client, str]:
    """Orders a clip of the core that the call has its session of; returns when a worker is at it."""
    channel = roles.call(call.data_folder, "core")
    assert channel is not None
    call.later.callback(channel.close)
    grant = json.loads(channel.receive(5) or b"")
    headers = {"Authorization": f"Bearer {grant['key']}"}
    client = httpx.Client(base_url=grant["url"], headers=headers, trust_env=False, timeout=60)
    call.later.callback(client.close)
    order = {
        "model": "service-video-v1",
        "prompt": "ink comic",
        "input_url": upload(client, clip(frames=90))["url"],
    }
    job = client.post(TRANSFORMS, json=order).json()["id"]
    until(lambda: workers(call), 30, "a worker")
    return client, job


def workers_killed(call: OnAir) -> None:
    client, job = order_clip(call)
    with call.fault():
        for worker in workers(call):
            with suppress(psutil.NoSuchProcess):
                worker.kill()
    assert finished(client, job)["status"] in ("succeeded", "failed")


def workers_stopped(call: OnAir) -> None:
    client, job = order_clip(call)
    with call.stopped(workers(call), 4.0):
        pass
    assert finished(client, job)["status"] == "succeeded"


FAULTS = [
    Fault("window: kill -9", HERE, window_killed),
    Fault("window: stopped 5 s", HERE, window_stopped),
    Fault("live process: kill -9, the window starts another", HERE, live_killed),
    Fault("live process: kill -9, the window starts another", ELSEWHERE, live_killed),
    Fault("live process: stopped for good, beside a window", HERE, live_stopped_for_good, within_s=4.0),
    Fault("live process: stopped for good, beside a window", HERE_RTC, live_stopped_for_good, within_s=4.0),
    Fault("live process: stopped for good, beside a window", ELSEWHERE, live_stopped_for_good, within_s=4.0),
    Fault(
        "live process: stopped for good, and its window killed when the next one is there",
        HERE,
        live_stopped_and_window_killed,
        within_s=4.0,
    ),
    Fault("live process: kill -9, no window", HERE, live_alone_killed),
    Fault("live process: kill -9, no window", ELSEWHERE, live_alone_killed),
    Fault("live process: stopped for good, no window", HERE, live_alone_stopped_for_good, within_s=4.0),
    Fault("live process: stopped for good, no window", HERE_RTC, live_alone_stopped_for_good, within_s=4.0),
    Fault("live process: stopped for good, no window", ELSEWHERE, live_alone_stopped_for_good, within_s=4.0),
    Fault("live process: stopped for good in privacy, no window", HERE, live_alone_stopped_in_privacy),
    Fault("live process: kill -9 while the original is shown", HERE, live_killed_with_original),
    Fault("live process and camera process: kill -9", HERE, both_killed, stops_writer=True),
    Fault("workers of a clip: kill -9", HERE, workers_killed),
    Fault("workers of a clip: stopped 4 s", HERE, workers_stopped),
]
