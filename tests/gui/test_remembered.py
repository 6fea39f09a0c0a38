"""The window comes back as it was left."""

from __future__ import annotations

from overpaint.gui.window_memory import Remembered, load_remembered, save_remembered


def test_size_and_mirror_are_remembered(data_folder, qtbot, start_live, open_window) -> None:
    start_live()
    window = open_window()
    window.resize(1111, 777)
    window.stage.mirror.setChecked(False)
    save_remembered(data_folder, window.remembered())
    assert load_remembered(data_folder) == Remembered(width=1111, height=777, mirror_preview=False)


def test_a_broken_file_counts_as_nothing_remembered(data_folder) -> None:
    (data_folder / "window.json").write_text("{]")
    assert load_remembered(data_folder) == Remembered()
