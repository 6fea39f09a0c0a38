"""Frame in, frame out: prompt and photo → look → restyled picture.

Knows arrays only: no network, no Qt, no database, no processes. ``Engine.compile`` turns a
``LookRequest`` into a ``CompiledLook`` once; the look then maps frames, and may keep state between
them (so one look serves one stream, from one thread at a time).
"""

from overpaint.engine.interface import CompiledLook, Engine, LookRequest
from overpaint.engine.library import Look, looks

__all__ = ["CompiledLook", "Engine", "Look", "LookRequest", "looks"]
