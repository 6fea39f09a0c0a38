"""A head start: begun before it is asked for, while the caller still loads.

Must not know what is started.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future


class HeadStart:
    """A callable that starts something; a call while ``begin``'s start is under way only waits for that.

    Who calls it has not found what it starts. So what has been started well by then has ended since, and is
    started anew: it may have been found and used without a call.

    Args:
        start: Starts it; may block, may raise.
    """

    def __init__(self, start: Callable[[], None]) -> None:
        self._start = start
        self._begun: Future[None] | None = None
        self._guard = threading.Lock()

    def begin(self, start: Callable[[], None]) -> None:
        """Begins, in a thread.

        Args:
            start: What the first call is to wait for; may block, may raise.
        """
        begun = self._begun = Future[None]()
        threading.Thread(target=self._run, args=(begun, start), name="head-start", daemon=True).start()

    def __call__(self) -> None:
        """Starts it, or waits for the start that is under way; raises what that one raised."""
        with self._guard:
            begun, self._begun = self._begun, None
        if begun is None or (begun.done() and begun.exception() is None):
            self._start()
        else:
            begun.result()

    def _run(self, begun: Future[None], start: Callable[[], None]) -> None:
        try:
            start()
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            begun.set_exception(error)
        else:
            begun.set_result(None)
