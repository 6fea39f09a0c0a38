"""The materials of the catalogue: their words, their parameters, and the parts that they are made of."""

from __future__ import annotations

import numpy as np
import pytest

from overpaint.engine.catalogue import LANGUAGES, entries, entry_named
from overpaint.engine.passes.sculpture import lit_sphere, solid_textures
from overpaint.engine.passes.sculpture.material import Material

MATERIALS = entries("materials")


def test_there_are_the_materials_that_people_ask_for() -> None:
    wanted = "marble bronze gold chrome ice wood clay paper glass lava hologram stone chocolate plush"
    assert {entry.name for entry in MATERIALS} >= set(wanted.split())
    assert len(MATERIALS) >= 16


@pytest.mark.parametrize("entry", MATERIALS, ids=lambda entry: entry.name)
def test_every_material_has_words_and_parameters(entry: object) -> None:
    material = entry_named("materials", entry.name)  # type: ignore[attr-defined]
    for language in LANGUAGES:
        phrases = material.words[language]
        assert 1 <= len(phrases) <= 10
        assert len(set(phrases)) == len(phrases)
        assert all(phrase == phrase.lower().strip() for phrase in phrases)
    made = Material.of(material.parameters)
    assert made.texture in solid_textures.TEXTURES
    assert made.environment in lit_sphere.ENVIRONMENTS


def test_no_phrase_means_two_materials() -> None:
    owner: dict[str, str] = {}
    for entry in MATERIALS:
        for phrase in set(entry.phrases):
            assert owner.setdefault(phrase, entry.name) == entry.name, phrase


def test_a_misspelt_parameter_is_refused() -> None:
    with pytest.raises(TypeError, match="glos"):
        Material.of({"palette": ["#ffffff"], "glos": 1.0})


@pytest.mark.parametrize("name", sorted(solid_textures.TEXTURES))
def test_a_tile_has_no_seam_and_fills_its_range(name: str) -> None:
    tile = solid_textures.tile(name, 128).astype(np.float32)
    for axis in (0, 1):
        inner = np.abs(np.diff(tile[..., :3], axis=axis)).mean((0, 1))
        seam = np.abs(np.take(tile, 0, axis)[:, :3] - np.take(tile, -1, axis)[:, :3]).mean(0)
        assert np.all(seam < 2.2 * inner + 4)
    assert tile[..., 0].std() > 8
    assert np.array_equal(solid_textures.tile(name, 128), tile.astype(np.uint8)), "the same in every run"


def test_a_small_tile_is_the_large_one_reduced() -> None:
    """So that a picture looks like its preview."""
    large = solid_textures.tile("clouds", 512)[..., 0].astype(np.float32)
    small = solid_textures.tile("clouds", 128)[..., 0].astype(np.float32)
    reduced = large.reshape(128, 4, 128, 4).mean((1, 3))
    assert np.corrcoef(reduced.ravel(), small.ravel())[0, 1] > 0.9


@pytest.mark.parametrize("entry", MATERIALS, ids=lambda entry: entry.name)
def test_light_comes_from_above(entry: object) -> None:
    ball = lit_sphere.sphere(Material.of(entry.parameters))  # type: ignore[attr-defined]
    assert np.isfinite(ball).all()
    lit = ball[..., 0] * 128 + ball[..., 1]
    side = lit_sphere.SIDE
    assert lit[side // 8 : side // 2].mean() > lit[side // 2 : -side // 8].mean()
