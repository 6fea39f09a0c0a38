"""Edits: what a prompt changes in the frame itself, before the look: scene, material, clothes, hair.

Knows the passes that make them, and how they are said. Must not know the words for them (``lexicon``), or
how they are drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from overpaint.engine.catalogue import Entry, entry_named

Step = tuple[str, Mapping[str, object]]
"""A pass's name and parameters."""


@dataclass(frozen=True, slots=True)
class Shade:
    """A colour of clothes, hair or paper.

    Attributes:
        name: As it is said: "dark red".
        rgb: #rrggbb.
    """

    name: str
    rgb: str


@dataclass(frozen=True, slots=True)
class Edits:
    """The changes to the frame that a prompt asks for. The look paints what they make of it.

    Attributes:
        scene: Name of the scene behind the person, see ``catalogue``; empty keeps the room.
        backdrop: Plain colour behind the person.
        photo: Whether the reference photo is the scene.
        material: Name of the material that the person, or everything, is made of; empty for none.
        everything: Whether the material covers the whole picture, not the person alone.
        cloth: Name of the cloth of the clothes; empty keeps theirs.
        dye: Colour of the clothes; None keeps theirs.
        hair: Colour of the hair; None keeps it.
    """

    scene: str = ""
    backdrop: Shade | None = None
    photo: bool = False
    material: str = ""
    everything: bool = False
    cloth: str = ""
    dye: Shade | None = None
    hair: Shade | None = None

    def __bool__(self) -> bool:
        return self != NO_EDITS

    @property
    def clothes(self) -> str:
        """What the clothes become, in plain words: "dark red denim"; empty keeps theirs."""
        cloth = entry_named("cloths", self.cloth).title.lower() if self.cloth else ""
        return " ".join(part for part in (self.dye.name if self.dye else "", cloth) if part)

    @property
    def said(self) -> tuple[str, ...]:
        """The edits in plain words, which are a prompt for them again."""
        said = []
        if self.hair is not None:
            said.append(f"{self.hair.name} hair")
        if self.clothes:
            said.append(f"clothes in {self.clothes}")
        if self.material:
            title = entry_named("materials", self.material).title.lower()
            said.append(f"everything made of {title}" if self.everything else f"made of {title}")
        if self.scene:
            said.append(entry_named("scenes", self.scene).title)
        if self.backdrop is not None:
            said.append(f"{self.backdrop.name} background")
        if self.photo:
            said.append("photo as background")
        return tuple(said)

    def steps(self) -> Iterator[Step]:
        """The passes that make them, in order; none without an edit."""
        made: list[Step] = []
        if self.cloth or self.dye or self.hair:
            dye, hair = (shade.rgb if shade else "" for shade in (self.dye, self.hair))
            made.append(("dress", {"cloth": self.cloth, "colour": dye, "hair": hair}))
        if self.material:
            made.append(("sculpt", {"name": self.material, "part": "all" if self.everything else "person"}))
        if self.scene or self.backdrop or self.photo:
            colour = self.backdrop.rgb if self.backdrop else ""
            made.append(("scene", {"name": self.scene, "colour": colour}))
        if made:
            # The person must be found before anything is changed.
            yield "person", {}
        yield from made


NO_EDITS = Edits()
"""The edits of a prompt that asks for none."""

_KINDS = (("scene", "backdrop", "photo"), ("material", "everything"), ("cloth", "dye"), ("hair",))
"""Fields of which one edit sets at most one group of, see ``joined``."""


def prompt_of(entry: Entry) -> str:
    """A prompt, in English, that asks for one entry of the catalogue and for nothing else."""
    edits = {
        "scenes": Edits(scene=entry.name),
        "materials": Edits(material=entry.name),
        "cloths": Edits(cloth=entry.name),
    }
    return edits[entry.kind].said[0]


def joined(found: Iterable[Edits]) -> Edits:
    """The edits of several clauses together; of two of a kind the first stands."""
    result = NO_EDITS
    for edits in found:
        for kind in _KINDS:
            if not any(getattr(result, name) for name in kind):
                result = replace(result, **{name: getattr(edits, name) for name in kind})
    return result
