"""The main thread does other threads' work, turns into Qt's when asked, and always ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import pytest

from helpers.qt_main import beside_main_thread
from overpaint.errors import ProcessError
from overpaint.media.sources.qt_loop import MainThread

pytestmark = pytest.mark.process


def test_a_call_runs_on_the_main_thread_and_hands_back_its_result() -> None:
    here = threading.get_ident()

    def work(main: MainThread) -> None:
        assert main.call(threading.get_ident, qt=False) == here
        assert main.call(threading.get_ident) == here

    beside_main_thread(work)


def test_what_a_call_raises_is_raised_where_it_was_made() -> None:
    def work(main: MainThread) -> None:
        for qt in (False, True):
            with pytest.raises(ZeroDivisionError):
                main.call(lambda: 1 // 0, qt=qt)

    beside_main_thread(work)


def test_a_call_on_the_main_thread_itself_does_not_wait_for_itself() -> None:
    def work(main: MainThread) -> None:
        assert main.call(lambda: main.call(lambda: "inner")) == "inner"

    beside_main_thread(work)


def test_qt_runs_its_timers_once_it_is_wanted() -> None:
    def work(main: MainThread) -> None:
        from PySide6.QtCore import QTimer

        fired = threading.Event()
        timers: list[QTimer] = []

        def begin() -> None:
            timer = QTimer(singleShot=True, interval=1)
            timer.timeout.connect(fired.set)
            timer.start()
            timers.append(timer)

        main.call(begin)
        assert fired.wait(10)
        # It ends where it began, as every source's objects do: one that Qt ends by itself, while this thread
        # lets go of what it calls, took the interpreter down in two of twelve runs (PySide6 6.11.3).
        main.call(timers.clear)

    beside_main_thread(work)


def test_after_its_end_a_call_is_refused_instead_of_waiting_for_ever() -> None:
    main = MainThread()
    main.stop()
    main.run()
    with pytest.raises(ProcessError, match="ending"):
        main.call(lambda: None)


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C is no message between processes there")
@pytest.mark.parametrize("qt", [False, True])
def test_ctrl_c_reaches_python_also_while_qt_waits(qt: bool) -> None:
    script = f"""
import signal, threading
from overpaint.media.sources.qt_loop import MainThread
main = MainThread()
def stop(*_):
    print("stopped", flush=True)
    main.stop()
signal.signal(signal.SIGINT, stop)
def ready():
    main.call(lambda: None, qt={qt})
    print("ready", flush=True)
threading.Thread(target=ready).start()
main.run()
"""
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=environment
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        child.send_signal(signal.SIGINT)
        assert child.stdout.readline() == "stopped\n"
        assert child.wait(10) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGTERM between processes there")
def test_whoever_is_told_to_end_before_the_work_begins_ends() -> None:
    script = """
import asyncio, os, signal, threading
from overpaint.media.sources.qt_loop import MainThread
begin = threading.Thread.start
def start(thread):
    threading.Thread.start = begin
    os.kill(os.getpid(), signal.SIGTERM)
    begin(thread)
threading.Thread.start = start
async def work(stop):
    await asyncio.wait_for(stop.wait(), 10)
MainThread().run_beside(work)
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=30)


def test_nothing_of_qt_is_loaded_while_no_source_wants_it() -> None:
    script = """
import sys, threading
from overpaint.media.sources.qt_loop import MainThread
main = MainThread()
def work():
    main.call(lambda: None, qt=False)
    main.stop()
threading.Thread(target=work).start()
main.run()
assert not [name for name in sys.modules if name.startswith("PySide6")]
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=30)


def test_a_display_that_is_gone_does_not_end_the_process() -> None:
    script = """
import threading
from overpaint.errors import SourceError
from overpaint.media.sources.qt_loop import MainThread
from overpaint.media.sources.screen_source import ScreenSource
main = MainThread()
def work():
    try:
        ScreenSource(0, main).start(1920, 1080, None)
    except SourceError as error:
        print(error.kind, error.line)
    finally:
        main.stop()
threading.Thread(target=work).start()
main.run()
"""
    environment = {name: value for name, value in os.environ.items() if name != "QT_QPA_PLATFORM"}
    result = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=30,
        env=environment | {"DISPLAY": ":987", "WAYLAND_DISPLAY": ""},
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("missing There is no screen to capture here.")
    assert "xvfb-run" in result.stdout
