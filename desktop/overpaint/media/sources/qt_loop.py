"""The main thread's loop, shared by plain Python work and Qt.

Qt's capture classes need an application object and its event loop on the main thread. Many sessions never
need them (a clip, the demo, a server without a screen), so the loop waits without Qt and becomes Qt's own
when the first source needs it. Both forms wait on one socket, woken by calls from other threads and by
signals (Ctrl+C); nothing is polled.

Must not know sources.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

from overpaint.errors import ProcessError
from overpaint.media.macos.dock import stay_out_of_dock
from overpaint.processes.program import end_at_once

if TYPE_CHECKING:
    from PySide6.QtGui import QGuiApplication

Result = TypeVar("Result")


class MainThread:
    """The loop that runs other threads' calls on the main thread, with Qt when a call needs it."""

    def __init__(self) -> None:
        self._reader, self._writer = socket.socketpair()
        self._writer.setblocking(False)
        self._calls: deque[tuple[Callable[[], Any], Future[Any]]] = deque()
        self._guard = threading.Lock()
        self._ended = False
        self._stopping = False
        self._qt_wanted = False
        self._thread = 0
        self._app: QGuiApplication | None = None

    def run(self) -> None:
        """Runs until ``stop``. Called once, on the main thread; signal handlers run in between."""
        self._thread = threading.get_ident()
        try:
            with self._woken_by_signals():
                while not self._stopping and not self._qt_wanted:
                    self._reader.recv(4096)
                    if not self._qt_wanted:
                        self._work()
                if not self._stopping:
                    self._run_qt()
        finally:
            self._end()

    def run_beside(self, work: Callable[[asyncio.Event], Awaitable[Result]]) -> Result:
        """Runs an event loop in a thread of its own, and ``run`` on this thread, until the work is done.

        Args:
            work: The work of the event loop; its event is set by Ctrl+C, and when the process is to end.

        Returns:
            The work's result; its exceptions are raised here.
        """
        result: list[Result] = []
        failure: list[BaseException] = []

        async def guarded() -> None:
            loop = asyncio.get_running_loop()
            stop = asyncio.Event()
            handlers.append(lambda: loop.call_soon_threadsafe(stop.set))
            if told_early.is_set():
                stop.set()
            result.append(await work(stop))

        def run() -> None:
            try:
                asyncio.run(guarded())
            except BaseException as error:  # noqa: BLE001 - passed on to the main thread
                failure.append(error)
            finally:
                self.stop()

        handlers: list[Callable[[], object]] = []
        told_early = threading.Event()

        def end(_number: int, _frame: object) -> None:
            told_early.set()
            for handler in handlers:
                handler()

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, end)
        thread = threading.Thread(target=run, name="live")
        thread.start()
        self.run()
        thread.join()
        if failure:
            raise failure[0]
        return result[0]

    def call(self, function: Callable[[], Result], *, qt: bool = True) -> Result:
        """Runs a function on the main thread and waits for it; on that thread it runs at once.

        Args:
            function: The function; it should be quick.
            qt: Whether it needs Qt's application object and loop, which the first such call creates.

        Returns:
            The function's result; its exceptions are raised here.

        Raises:
            ProcessError: ``run`` is over.
        """
        if threading.get_ident() == self._thread:
            if qt:
                self._ensure_app()
            return function()
        answer: Future[Result] = Future()
        with self._guard:
            if self._ended:
                raise ProcessError("qt_is_ending")
            self._calls.append((function, answer))
            self._qt_wanted = self._qt_wanted or qt
        self._wake()
        return answer.result()

    def free(self, function: Callable[[], object]) -> None:
        """Runs a function that frees objects of Qt on the main thread, as ``call`` does.

        Does nothing when ``run`` is over: Qt and everything in it has ended too.
        """
        with suppress(ProcessError):
            self.call(function, qt=False)

    def stop(self) -> None:
        """Makes ``run`` return after the calls made so far; from any thread or signal handler."""
        self._stopping = True
        self._wake()

    def _wake(self) -> None:
        # With a full or closed socket the loop is awake or over.
        with suppress(OSError):
            self._writer.send(b"\0")

    def _work(self) -> None:
        while self._calls:
            function, answer = self._calls.popleft()
            try:
                answer.set_result(function())
            except BaseException as error:  # noqa: BLE001  (the caller's to handle, whatever it is)
                answer.set_exception(error)

    def _run_qt(self) -> None:
        from PySide6.QtCore import QSocketNotifier

        app = self._ensure_app()
        notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read)

        def awake() -> None:
            with suppress(BlockingIOError):
                self._reader.recv(4096)
            self._work()
            if self._stopping:
                app.quit()

        notifier.activated.connect(awake)
        self._wake()  # for the call that needed Qt
        app.exec()
        notifier.setEnabled(False)

    def _ensure_app(self) -> QGuiApplication:
        if self._app is None:
            self._app = _make_app()
        return self._app

    def _end(self) -> None:
        with self._guard:
            self._ended = True
        self._work()
        self._thread = 0
        self._reader.close()
        self._writer.close()

    @contextmanager
    def _woken_by_signals(self) -> Iterator[None]:
        """Makes signals write a byte to the socket, since neither wait runs Python's signal handlers."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)


def _make_app() -> QGuiApplication:
    from PySide6.QtCore import QLoggingCategory
    from PySide6.QtGui import QGuiApplication

    # A greeting on every terminal; QT_LOGGING_RULES brings it back.
    QLoggingCategory.setFilterRules("qt.multimedia.ffmpeg.info=false")
    existing = QGuiApplication.instance()
    if isinstance(existing, QGuiApplication):
        return existing
    arguments = ["overpaint"]
    if sys.platform == "linux" and "QT_QPA_PLATFORM" not in os.environ:
        arguments += ["-platform", _platforms(os.environ)]
    if os.environ.get("DISPLAY"):
        # Without it Qt captures the screen in a more expensive way, and lists no windows.
        os.environ.setdefault("XDG_SESSION_TYPE", "x11")
    app = QGuiApplication(arguments)
    stay_out_of_dock()
    end_at_once()
    app.setQuitOnLastWindowClosed(False)
    return app


def _platforms(environment: os._Environ[str] | dict[str, str]) -> str:
    """Returns Qt's platforms to try in turn; without the last, a missing display would end the process."""
    names = []
    if environment.get("WAYLAND_DISPLAY"):
        names.append("wayland")
    if environment.get("DISPLAY"):
        names.append("xcb")
    return ";".join([*names, "offscreen"])
