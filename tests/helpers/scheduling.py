"""Which tests of a parallel run stay together in one worker, by their module's category."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

from helpers.categories import category_of


class ByCategory(LoadScopeScheduling):  # type: ignore[misc, unused-ignore]
    """Hands tests out in the order in which they were collected.

    Those of a module stay together, since they share its processes; those of all live modules do, too, since
    two streams at once would want more of the machine than it has. A hermetic test goes to whoever is free.
    """

    def __init__(self, config: pytest.Config, log: Any = None) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False
        self._root = Path(config.rootpath)

    def _split_scope(self, nodeid: str) -> str:
        module = nodeid.split("::", 1)[0]
        category = category_of(self._root / module)
        return {"live": category, "hermetic": nodeid}.get(category, module)
