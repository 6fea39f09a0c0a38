"""The successor of a live process: loaded while its predecessor is in doubt, cued once that has ended.

Loading takes more than a second of one processor, as long as a watchdog waits before it considers a stopped
process hung, so both happen at the same time. No successor is kept loaded otherwise, because it needs 65 MB
of its own. Quick to import. Must not know sessions.
"""

from __future__ import annotations

import logging
import threading
from pathlib import Path

from overpaint.errors import ProcessError
from overpaint.processes.children import Starting
from overpaint.processes.command_lines import begin_live_successor, start_live

log = logging.getLogger(__name__)


class LiveSuccessor:
    """The successor of a data folder's live process. From any thread.

    Args:
        folder: The data folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._guard = threading.Lock()
        self._loading: Starting | None = None

    def doubt(self, on: bool) -> None:
        """Begins to load a successor when the live process may hang; ends it when that answers after all.

        Returns at once.
        """
        with self._guard:
            if on and self._loading is None:
                try:
                    self._loading = begin_live_successor(self._folder)
                except (ProcessError, OSError) as error:
                    log.info("no other live process is loaded yet: %s", error)
            elif not on and self._loading is not None:
                _end(self._loading)
                self._loading = None

    def start(self) -> None:
        """Cues the loaded successor, or starts one; returns when it can be connected to.

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
