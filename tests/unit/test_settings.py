"""Settings are kept whole in one flat file, the preferences of the window among them."""

from __future__ import annotations

import json
from pathlib import Path

from overpaint.settings import Settings, load_settings, save_settings
from overpaint.wire.preferences import Preferences


def test_what_is_saved_is_read_again_and_preferences_lie_beside_the_rest(tmp_path: Path) -> None:
    settings = Settings(prompt="noir", page_on=True, slate_after_seconds=5)
    save_settings(tmp_path, settings)
    kept = json.loads((tmp_path / "settings.json").read_text("utf-8"))
    assert (kept["prompt"], kept["page_on"], kept["slate_after_seconds"]) == ("noir", True, 5)
    assert set(Preferences.model_fields) < set(kept)
    assert load_settings(tmp_path) == settings


def test_a_word_of_another_version_is_passed_over_and_a_broken_file_counts_as_none(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text('{"prompt": "noir", "of_a_later_version": 1}', "utf-8")
    assert load_settings(tmp_path) == Settings(prompt="noir")
    (tmp_path / "settings.json").write_text('{"slate_after_seconds": 0}', "utf-8")
    assert load_settings(tmp_path) == Settings()
    assert load_settings(tmp_path / "nowhere") == Settings()
