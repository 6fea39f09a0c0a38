"""The light of a scene: what a person in front of it must be lit, grained and blurred like.

Measured on the plate when it is rendered (``packaging/scenes``) and kept in the scene's entry. Must not know
how a person is relit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class SceneLight:
    """Light on a person in a scene.

    Attributes:
        side: Where the key light comes from, from the viewer's left (-1) to right (1).
        elevation: How high it stands: -1 below, 0 at eye height, 1 above.
        key: RGB 0..1.5, colour and strength of the key light; (1, 1, 1) is neutral.
        ambient: RGB 0..1.5 of the rest.
        backlit: 0..1, how much of the light comes from behind the person (rim light).
        ground: Row of the picture, 0..1, where the ground under a seated person begins; 1 or more for none.
        grain: Standard deviation of film or sensor grain, levels.
        blur: Depth-of-field blur that is in the plate already, pixels at 1080 rows.
    """

    side: float
    elevation: float
    key: Colour
    ambient: Colour
    backlit: float
    ground: float
    grain: float
    blur: float


def light_of(values: Mapping[str, Any]) -> SceneLight:
    """The light as an entry's ``light`` table gives it.

    Raises:
        KeyError: A value is missing.
    """
    key, ambient = (tuple(map(float, values[name])) for name in ("key", "ambient"))
    return SceneLight(
        side=float(values["side"]),
        elevation=float(values["elevation"]),
        key=(key[0], key[1], key[2]),
        ambient=(ambient[0], ambient[1], ambient[2]),
        backlit=float(values["backlit"]),
        ground=float(values["ground"]),
        grain=float(values["grain"]),
        blur=float(values["blur"]),
    )
