"""Virtual time: an event loop whose clock jumps to the next timer as soon as nothing else is to be done.

A minute of a session passes in milliseconds, and everything happens at an exact second. Work for a thread
(``asyncio.to_thread``) is done at once, within the loop's turn, so that no time passes beside it.
"""

from __future__ import annotations

import asyncio
import functools
import selectors
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta, tzinfo
from types import ModuleType
from typing import Any, ParamSpec

import pytest

from overpaint.media import frames

Parameters = ParamSpec("Parameters")

BEGIN_S = 1000.0
"""Where a loop's clock begins; not at 0, which stands for "never" in places."""
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
HANGS_S = 20.0
"""Real seconds after which nothing is expected of another thread any more."""


class _Clock:
    seconds = BEGIN_S


_CLOCK = _Clock()


def elapsed() -> float:
    """Seconds since the loop began, to the millisecond."""
    return round(_CLOCK.seconds - BEGIN_S, 3)


def now_ns() -> int:
    """As ``media.frames.now_ns``."""
    return round(_CLOCK.seconds * 1e9)


class Date(datetime):
    """As ``datetime``, but for the present."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        return (BEGIN + timedelta(seconds=_CLOCK.seconds - BEGIN_S)).astimezone(tz)


class _Selector(selectors.DefaultSelector):
    """Waits for nothing: where a real one would, the clock jumps."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if ready or timeout == 0:
            return ready
        if timeout is None:  # no timer: whatever happens next comes from another thread
            ready = super().select(HANGS_S)
            assert ready, "nothing is left to happen"
            return ready
        _CLOCK.seconds += timeout
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop in virtual time."""

    def __init__(self) -> None:
        _CLOCK.seconds = BEGIN_S
        super().__init__(_Selector())

    def time(self) -> float:
        return _CLOCK.seconds

    def run_in_executor(self, executor: object, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:  # type: ignore[override]
        """Does the work at once; who awaits it goes on in a later turn, as after real work."""
        done: asyncio.Future[Any] = self.create_future()
        outcome: functools.partial[None]
        try:
            outcome = functools.partial(done.set_result, func(*args))
        except Exception as error:
            outcome = functools.partial(done.set_exception, error)
        self.call_soon(lambda: None if done.done() else outcome())
        return done


def in_virtual_time(
    test: Callable[Parameters, Coroutine[Any, Any, None]],
) -> Callable[Parameters, None]:
    """Runs a test on a loop in virtual time; what it starts is ended with it."""

    @functools.wraps(test)
    def run(*args: Parameters.args, **kwargs: Parameters.kwargs) -> None:
        with asyncio.Runner(loop_factory=VirtualLoop) as runner:
            runner.run(test(*args, **kwargs))

    return run


def follow(monkeypatch: pytest.MonkeyPatch, *modules: ModuleType) -> None:
    """Lets the clocks that modules have imported follow virtual time."""
    for module in (frames, *modules):
        clocks = {"now_ns": now_ns, "datetime": Date}.items()
        known = [(name, clock) for name, clock in clocks if hasattr(module, name)]
        assert known, f"{module.__name__} has no clock"
        for name, clock in known:
            monkeypatch.setattr(module, name, clock)


def tasks() -> set[str]:
    """Names of the tasks that run now beside the present one."""
    return {task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task()}
