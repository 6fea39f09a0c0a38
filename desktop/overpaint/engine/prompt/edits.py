"""Edits: what a prompt changes in the frame itself, before the look: scene, material, clothes, hair.

Knows the passes that make them, and how they are said. Must not know the words for them (``lexicon``), or
how they are drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Step = tuple[str, Mapping[str, object]]
"""A pass's name and parameters."""


@dataclass(frozen=True, slots=True)
class Edits:
    """The changes to the frame that a prompt asks for. The look paints what they make of it.

    Attributes:
        scene: Name of the scene behind the person, see ``catalogue``; empty keeps the room.
        backdrop: Plain colour behind the person, #rrggbb; empty for none.
        photo: Whether the reference photo is the scene.
        material: Name of the material that the person, or everything, is made of; empty for none.
        everything: Whether the material covers the whole picture, not the person alone.
        cloth: Name of the cloth of the clothes; empty keeps theirs.
        dye: Colour of the clothes, #rrggbb; empty keeps theirs.
        hair: Colour of the hair, #rrggbb; empty keeps it.
        said: The edits in plain words.
    """

    scene: str = ""
    backdrop: str = ""
    photo: bool = False
    material: str = ""
    everything: bool = False
    cloth: str = ""
    dye: str = ""
    hair: str = ""
    said: tuple[str, ...] = field(default=())

    def steps(self) -> Iterator[Step]:
        """The passes that make them, in order; none without an edit."""
        made: list[Step] = []
        if self.cloth or self.dye or self.hair:
            made.append(("dress", {"cloth": self.cloth, "colour": self.dye, "hair": self.hair}))
        if self.material:
            made.append(("sculpt", {"name": self.material, "part": "all" if self.everything else "person"}))
        if self.scene or self.backdrop or self.photo:
            made.append(("scene", {"name": self.scene, "colour": self.backdrop}))
        if made:
            # The person must be found before anything is changed.
            yield "person", {}
        yield from made
