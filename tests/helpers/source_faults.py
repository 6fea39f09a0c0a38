"""Faults of what is captured: a webcam that is pulled and hangs, a window that is resized and closed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from helpers import stamped_window
from helpers.faults import ELSEWHERE, HERE, HERE_RTC, Fault
from helpers.on_air import OnAir
from helpers.window_managers import window_manager
from overpaint.wire.live import SetSource


def unplugged_3_s(call: OnAir) -> None:
    with call.fault():
        call.plug.unlink()
        call.pause(3)
        call.plug.touch()


def hangs(seconds: float) -> Callable[[OnAir], None]:
    """The webcam gives no frames for so long, and says nothing."""

    def act(call: OnAir) -> None:
        with call.fault():
            call.plug.write_text("hangs")
            call.pause(seconds)
            call.plug.write_text("")

    return act


def unplugged_while_core_is_down(call: OnAir) -> None:
    core = call.core
    call.plug.unlink()
    call.kill(core)
    call.new_core(core)
    with call.fault():
        call.plug.touch()


@contextmanager
def window(call: OnAir, *size: int) -> Iterator[subprocess.Popen[str]]:
    """A window that shows the clip; how large it is is said to it on its standard input."""
    words = [sys.executable, stamped_window.__file__, str(call.clip), *map(str, size)]
    shown = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ)
    try:
        assert shown.stdout is not None
        assert shown.stdout.readline(), "the window does not come up"
        yield shown
    finally:
        shown.kill()
        shown.communicate()


def capture(call: OnAir) -> None:
    """Captures the window, as soon as the window manager tells of it."""
    source = f"window:{stamped_window.TITLE}"
    while call.seen.snapshots[-1].source != source:
        call.seen.intend(SetSource(source=source))
        call.wait(lambda now: now.source == source or now.trouble is not None)
    call.seen.wait_for_frames(20)


def window_resized(call: OnAir) -> None:
    call.later.enter_context(window_manager())
    with window(call, 640, 360) as shown:
        capture(call)
        assert shown.stdin is not None
        with call.fault():
            for size in ("800 450", "480 270", "960 540"):
                print(size, file=shown.stdin, flush=True)
                call.pause(1)
        call.recover()


def window_closed(call: OnAir) -> None:
    call.later.enter_context(window_manager())
    with window(call, 640, 360):
        capture(call)
    with call.fault():
        call.pause(3)
        again = window(call, 640, 360)
        again.__enter__()
    call.later.push(again.__exit__)


FAULTS = [
    Fault("webcam pulled, replugged after 3 s", HERE, unplugged_3_s),
    Fault("webcam pulled, replugged after 3 s", ELSEWHERE, unplugged_3_s),
    Fault("webcam hangs 4 s", HERE, hangs(4)),
    Fault("webcam hangs 4 s", HERE_RTC, hangs(4)),
    Fault("webcam hangs 20 s", ELSEWHERE, hangs(20)),
    Fault("webcam pulled, core: kill -9", HERE, unplugged_while_core_is_down),
    Fault("captured window resized", HERE, window_resized, unread=3),  # of three sizes
    Fault("captured window closed, opened again after 3 s", HERE, window_closed),
]
