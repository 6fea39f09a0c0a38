"""Parameters of a material, as of a shader, read from its entry of the catalogue. Must not know frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.engine.colours import yuv

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Material:
    """Optical parameters of a surface. Shares and strengths are 0..1 where nothing else is said.

    Attributes:
        palette: Colours (#rrggbb) of the texture, from its lowest to its highest value.
        texture: Generator of the texture, see ``solid_textures``.
        size: Factor on the texture's size.
        slant: How far the texture shifts over a form from rim to rim, pixels at 1080 rows: it is cut from a
            block, not printed on.
        bump: Steepest slope of the texture's relief.
        form: Roundness of the whole figure.
        relief: Relief of forms seen in luma, as a nose or folds.
        softness: Blur of that relief, pixels at 1080 rows: more for what is polished.
        own: Share of the differences in luma of skin, hair and clothes that stays, so that people are known.
        plain: How far texture, relief and reflections fade in faces, so that features are seen.
        carving: Relief of fine lines seen in luma, as hair.
        detail: Share of fine luma that stays, at full size.
        shade: Exponent on the brightness of forms: above 1 deepens eyes, nostrils and folds.
        depth: How far forms in luma darken at most, 0 (nothing stays) to 1.
        key: Diffuse light of the lamp from the upper left.
        fill: Diffuse light of the lamp from the right.
        ambient: Diffuse light from everywhere.
        wrap: How far light creeps around forms (subsurface scattering), 0 for chalk to 1 for wax.
        environment: What the surface reflects, see ``lit_sphere``.
        gloss: Strength of reflections.
        roughness: Blur of reflections.
        mirror: Reflection seen from the front, 0 (as of glass) to 1 (as of metal); the rim always reflects.
        reflection: Colours of reflections from none to a lamp's, as of metals.
        room: Share of the room's own light in reflections.
        velvet: Light of the rim, as of cloth and fur.
        velvet_tint: Its colour.
        cavity: Colour of deep places, as dirt or verdigris; empty for none.
        cavities: Strength of that colour.
        clearness: Share of the room seen through.
        refraction: How far the room is shifted at the rim, share of the picture's height.
        glow: Colour of the light that the texture's highest values give off; empty for none.
        glow_from: Value of the texture from which it glows.
        glow_strength: Its strength.
        pulse_s: Time of one swell of the glow, seconds; 0 for steady.
        scan: Distance of lines over the picture, as of a hologram, pixels at 1080 rows; 0 for none.
        edge: Raggedness of the outline, as of fur.
    """

    palette: tuple[str, ...]
    texture: str = "clouds"
    size: float = 1.0
    slant: float = 60.0
    bump: float = 0.0
    form: float = 1.0
    relief: float = 1.0
    softness: float = 8.0
    own: float = 0.15
    plain: float = 0.7
    carving: float = 0.5
    detail: float = 0.6
    shade: float = 1.0
    depth: float = 0.8
    key: float = 0.62
    fill: float = 0.16
    ambient: float = 0.36
    wrap: float = 0.3
    environment: str = "studio"
    gloss: float = 0.2
    roughness: float = 0.3
    mirror: float = 0.05
    reflection: tuple[str, ...] = ("#000000", "#ffffff")
    room: float = 0.0
    velvet: float = 0.0
    velvet_tint: str = "#ffffff"
    cavity: str = ""
    cavities: float = 0.0
    clearness: float = 0.0
    refraction: float = 0.1
    glow: str = ""
    glow_from: float = 0.7
    glow_strength: float = 1.0
    pulse_s: float = 0.0
    scan: float = 0.0
    edge: float = 0.0

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> Material:
        """The material with the given parameters of a catalogue entry.

        Raises:
            TypeError: A parameter is unknown or has no value.
        """
        known = {field.name for field in fields(cls)}
        unknown = sorted(set(parameters) - known)
        if unknown:
            raise TypeError(f"a material has no {', '.join(unknown)}")
        listed = {key: tuple(value) for key, value in parameters.items() if isinstance(value, list)}
        return cls(**{**parameters, **listed})


def ramp(colours: tuple[str, ...]) -> Floats:
    """Colours blended along 256 values, float32 (256, 3): luma, and chroma around 0."""
    stops = yuv(colours) - np.array([0, 128, 128], np.float32)
    places = np.linspace(0, 1, len(colours))
    at = np.linspace(0, 1, 256)
    return np.stack([np.interp(at, places, stops[:, k]) for k in range(3)], -1).astype(np.float32)
