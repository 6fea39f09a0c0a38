"""A head start: a start begun before it is needed, while the caller still loads.

Must not know what is started.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future


class HeadStart:
    """A callable that starts something; a call while ``begin``'s start is under way only waits for that.

    A call means that the caller did not find the thing running. So if ``begin``'s start has succeeded, the
    thing has ended since, and is started again.

    Args:
        start: Starts it; may block or raise.
    """

    def __init__(self, start: Callable[[], None]) -> None:
        self._start = start
        self._begun: Future[None] | None = None
        self._guard = threading.Lock()

    def begin(self, start: Callable[[], None]) -> None:
        """Begins the first start, in a thread.

        Args:
            start: The first start; may block or raise.
        """
        begun = self._begun = Future[None]()
        threading.Thread(target=self._run, args=(begun, start), name="head-start", daemon=True).start()

    def __call__(self) -> None:
        """Starts it, or waits for the start that is under way, and raises its exception."""
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
