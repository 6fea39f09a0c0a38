"""The engine (style transfer on video): a prompt and a photo become a look, which restyles frames.

Knows arrays only: no network, no Qt, no database, no processes. ``Engine.compile`` turns a
``LookRequest`` into a ``CompiledLook`` once. The look then maps frames and may keep state between
them, so one look serves one stream, from one thread at a time.
"""

from overpaint.engine.interface import CompiledLook, Engine, LookRequest
from overpaint.engine.library import Look, looks

__all__ = ["CompiledLook", "Engine", "Look", "LookRequest", "looks"]
