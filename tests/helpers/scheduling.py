"""Which tests of a parallel run stay together in one worker, by their module's category."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

from helpers.categories import category_of

MANY = 50
"""Tests of a hermetic module, which shares nothing that is dear, that need not wait for one worker."""


class ByCategory(LoadScopeScheduling):  # type: ignore[misc, unused-ignore]
    """Hands tests out in the order in which they were collected.

    Those of a module stay together, since they share its processes and fixtures; all live ones do, too:
    two streams at once would want more of the machine than it has.
    """

    def __init__(self, config: pytest.Config, log: Any = None) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False
        self._root = Path(config.rootpath)

    @cached_property
    def _counts(self) -> Counter[str]:
        assert self.collection is not None
        return Counter(_module(nodeid) for nodeid in self.collection)

    def _split_scope(self, nodeid: str) -> str:
        module = _module(nodeid)
        category = category_of(self._root / module)
        if category == "live":
            return category
        return nodeid if category == "hermetic" and self._counts[module] > MANY else module


def _module(nodeid: str) -> str:
    return nodeid.split("::", 1)[0]
