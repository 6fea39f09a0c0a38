"""The successor of a live process: loaded while its predecessor is doubted, cued once that is gone.

What a live process loads takes more than a second of one processor, as long as a watchdog waits before it
takes a stopped process for hung: both at once cost no more than one. Nothing is kept ready in the meantime: a
live process that has loaded holds 65 MB of its own. Quick to import. Must not know sessions.
"""

from __future__ import annotations

import logging
import threading
from pathlib import Path

from overpaint.errors import ProcessError
from overpaint.processes.children import Starting
from overpaint.processes.command_lines import begin_next_live, start_live

log = logging.getLogger(__name__)


class NextLive:
    """The next live process of a data folder. From any thread.

    Args:
        folder: The data folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._guard = threading.Lock()
        self._loading: Starting | None = None

    def doubt(self, on: bool) -> None:
        """Begins to load one where the present one may hang; ends it where that answers after all.

        Returns at once.
        """
        with self._guard:
            if on and self._loading is None:
                try:
                    self._loading = begin_next_live(self._folder)
                except (ProcessError, OSError) as error:
                    log.info("no other live process is loaded yet: %s", error)
            elif not on and self._loading is not None:
                _end(self._loading)
                self._loading = None

    def start(self) -> None:
        """Lets the one that was loaded go on, else starts one; returns when it can be connected to.

        Raises:
            ProcessError: It does not start.
        """
        with self._guard:
            loading, self._loading = self._loading, None
        if loading is None or not self._goes_on(loading):
            start_live(self._folder)

    def _goes_on(self, loading: Starting) -> bool:
        try:
            loading.cue()
            if loading.hear():
                loading.wait()
                return True
        except (ProcessError, OSError) as error:
            log.info("the live process that was loaded does not go on: %s", error)
        _end(loading)
        return False


def _end(loading: Starting) -> None:
    loading.kill()
    loading.close()
