"""The engine's interface: a request is compiled once into a look that maps frames.

Must not know where frames come from or go to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from overpaint.engine.suggestion import Suggestion

Picture = NDArray[np.uint8]
Quality = Literal["live", "clip", "still"]
"""``live``: a stream, which holds its frame rate; ``clip``: a film without a time limit; ``still``: a single
picture."""


@dataclass(frozen=True, slots=True)
class LookRequest:
    """A request for a look.

    Attributes:
        prompt: Free text; empty means the engine's default look (or the photo alone, if there is one).
        reference: Reference photo, BGR uint8 (H, W, 3), or None.
        enhance_prompt: Whether hints, misspelt words and modifiers are read, too; False takes the prompt
            literally.
        strength: 0 (original) to 1 (full).
    """

    prompt: str = ""
    reference: Picture | None = None
    enhance_prompt: bool = True
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class Understanding:
    """An engine's reading of a prompt.

    Attributes:
        effective: The effective prompt, as a person would say it.
        nothing: Whether nothing in the prompt can be done. A stream then keeps the look that it shows, a file
            stays as it is, and what shows nothing yet gets the engine's default look.
        not_understood: The words that nothing can be done with, as the user wrote them, in their order.
        suggestions: What would do some of it; at most two.
    """

    effective: str
    nothing: bool = False
    not_understood: tuple[str, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()


@dataclass(frozen=True, slots=True)
class Work:
    """The cost of a look's frames.

    Attributes:
        milliseconds: Wall-clock time of a frame.
        budget_milliseconds: Time budget of a frame.
        level: Level of detail; 0 is the most.
        levels: Number of levels.
        stages: Milliseconds of each stage, by name.
        trouble: Why a fallback look is shown instead, as a sentence; empty otherwise.
    """

    milliseconds: float = 0.0
    budget_milliseconds: float = 0.0
    level: int = 0
    levels: int = 1
    stages: Mapping[str, float] = field(default_factory=dict)
    trouble: str = ""


class CompiledLook(Protocol):
    """A look compiled for one size. Keeps state: one stream, one thread at a time."""

    name: str
    """Name of the look in the library."""
    understood: str
    """The effective prompt, as a person would say it."""

    @property
    def work(self) -> Work:
        """Present cost of its frames."""

    def apply(self, image: Picture) -> Picture:
        """Restyles one frame.

        Args:
            image: I420 uint8 (H * 3 // 2, W), BT.601 limited range; not written to.

        Returns:
            A new I420 picture of the same shape.
        """


class Engine(Protocol):
    """An engine, which compiles looks. Thread-safe: looks may be compiled while others run."""

    name: str
    """Name of the engine in ``generation_started``."""

    def warm(self) -> None:
        """Loads and compiles in advance what the first frame would wait for (warm-up)."""

    def understand(self, request: LookRequest) -> Understanding:
        """Reads a request's prompt without preparing anything; takes a few milliseconds."""

    def compile(
        self, request: LookRequest, width: int, height: int, quality: Quality = "live"
    ) -> CompiledLook:
        """Finds the look for a request and prepares it for one size.

        Raises:
            EngineError: The photo cannot be used (``bad_reference``). A prompt of which nothing can be done
                is never an error: a stream gets the default look, a file stays as it is.
        """
