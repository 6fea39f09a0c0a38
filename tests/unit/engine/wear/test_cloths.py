"""What the catalogue of cloths promises: enough of them, said in eight languages, whole and seamless."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from overpaint.engine.catalogue import LANGUAGES, Entry, entries
from overpaint.engine.materials.fabric_patterns import PATTERNS
from overpaint.engine.materials.fabric_reliefs import RELIEFS
from overpaint.engine.materials.fabrics import BLACK, WHITE, Weave, fabric_levels
from overpaint.engine.passes.wear.dress import shading_of, weave_of

CLOTHS = entries("cloths")


def test_there_are_cloths_enough() -> None:
    assert len(CLOTHS) >= 16


def test_every_cloth_is_said_in_eight_languages_and_no_phrase_means_two() -> None:
    for cloth in CLOTHS:
        assert set(cloth.words) == set(LANGUAGES)
        for phrases in cloth.words.values():
            assert 1 <= len(phrases) <= 8
            assert all(phrase == phrase.lower().strip() for phrase in phrases)
    owners = Counter(phrase for cloth in CLOTHS for phrase in set(cloth.phrases))
    assert [phrase for phrase, count in owners.items() if count > 1] == []


@pytest.mark.parametrize("cloth", CLOTHS, ids=lambda cloth: cloth.name)
def test_a_cloth_s_data_is_understood(cloth: Entry) -> None:
    weave, shading = weave_of(cloth.parameters, ""), shading_of(cloth.parameters)
    assert weave.pattern in PATTERNS and (not weave.relief or weave.relief in RELIEFS)
    known = {*Weave.__slots__, *type(shading).__slots__, "tinted"}
    assert set(cloth.parameters) <= known
    assert all(0 <= index < len(weave.colours) for index in cloth.parameters.get("tinted", (0,)))


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_is_seamless_and_its_shares_are_whole(name: str) -> None:
    colours = ("#a02020", "#203060", "#101810", "#e8d8a0", "#40a060", "#8040a0")
    (finest, *coarser) = fabric_levels(Weave(name, colours[: 6 if name == "tie-dye" else 5], 8, "linen", 2.0))
    assert finest.luma.shape == (1024, 1024) and finest.u.shape in ((512, 512), (1, 1))
    assert [len(level.luma) for level in coarser] == [512, 256, 128, 64]
    assert finest.luma.min() > BLACK - 20 and finest.luma.max() < WHITE + 23
    # Across the border the picture changes as much as across any other line.
    picture = finest.luma.astype(int)
    for axis in (0, 1):
        steps = np.abs(np.diff(picture, axis=axis, append=np.take(picture, [0], axis))).mean(1 - axis)
        assert steps[-1] <= steps.max() + 1


@pytest.mark.parametrize("name", RELIEFS)
def test_a_relief_is_light_and_shadow_around_nothing(name: str) -> None:
    relief = RELIEFS[name]()
    assert relief.shape == (1024, 1024)
    assert abs(float(relief.mean())) < 0.01 and abs(float(relief.std()) - 1) < 0.01


def test_a_given_colour_keeps_what_a_cloth_s_shades_are_to_each_other() -> None:
    cloth = {entry.name: entry for entry in CLOTHS}["camouflage"]
    own, blue = weave_of(cloth.parameters, ""), weave_of(cloth.parameters, "#3050a0")
    assert blue.colours[0] == "#3050a0" and blue.colours[3] == own.colours[3]
    assert len(set(blue.colours)) == 4


def test_plain_cloth_is_one_value() -> None:
    (plain,) = fabric_levels(Weave(colours=("#c01020",)))
    assert plain.luma.shape == plain.u.shape == plain.glints.shape == (1, 1)
