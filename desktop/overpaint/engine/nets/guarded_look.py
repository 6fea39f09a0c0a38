"""A look made of a custom net, with a fallback for a net that fails or stalls.

The fallback is a look that ships and is compiled beforehand, so that the original picture is never shown
instead. Must not know why a net fails, or prompts.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from overpaint.engine.interface import CompiledLook, Picture, Work
from overpaint.errors import EngineError

log = logging.getLogger(__name__)


class GuardedLook:
    """A look on one stream with a fallback, used from its first failure on.

    Args:
        look: The look made of the net.
        fallback: The look that replaces it.

    Attributes:
        name: As of the look.
        understood: As of the look.
    """

    def __init__(self, look: CompiledLook, fallback: CompiledLook) -> None:
        self.name, self.understood = look.name, look.understood
        self._look, self._fallback = look, fallback
        self._trouble = ""

    @property
    def work(self) -> Work:
        """Present cost of a frame; ``trouble`` says why the fallback is shown."""
        return replace(self._look.work, trouble=self._trouble)

    def apply(self, image: Picture) -> Picture:
        """Restyles one frame; see ``CpuLook.apply``."""
        if not self._trouble:
            try:
                return self._look.apply(image)
            except EngineError as error:
                reason = str(error).rstrip(".")
                self._trouble = str(EngineError("own_look_broken", look=self.understood, reason=reason))
                log.warning("%s", " ".join(self._trouble.split()))
                self._look = self._fallback
        return self._look.apply(image)
