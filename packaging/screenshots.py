"""Screenshots of the window in every state and dialog, light and dark, at every size: ``make screenshots``.

Needs a display (``packaging/screenshots.sh`` starts one). ``tests/helpers/window_states.py`` defines the
states. A dialog is a separate window, so the whole screen is saved. One sheet for each size shows all of its
pictures.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import get_args

from overpaint.assets import asset_dir
from overpaint.gui.main import application
from overpaint.gui.window_settings import Language
from overpaint.gui.words.language import speak

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

SIZES = {
    "948x496": (948, 496, 1),  # what 960x540 has left beside the window's frame: Full HD at 200 %
    "1268x676": (1268, 676, 1),  # 1280x720
    "1068x1876": (1068, 1876, 1),  # a vertical screen, maximised
    "1280x800": (1280, 800, 1),
    "1920x1080": (1920, 1080, 1),
}
DOUBLED = {"1280x800-at-200": (1280, 800, 2)}
SCHEMES = ("light", "dark")
APPEARANCES = (*SCHEMES, "contrast")
SETTLED_S = 0.5
LONGEST_S = 6.0
SHEET_WIDTH = 640


def main() -> None:
    """Reads the command line; each scale gets a process of its own, since Qt reads the scale only once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist" / "screenshots")
    parser.add_argument("--size", action="append", choices=[*SIZES, *DOUBLED])
    parser.add_argument("--scheme", action="append", choices=APPEARANCES)
    parser.add_argument("--language", default="en", choices=get_args(Language))
    parser.add_argument("states", nargs="*", help="all of them when none is named")
    wishes = parser.parse_args()
    wishes.out.mkdir(parents=True, exist_ok=True)
    sizes = wishes.size or [*SIZES, *DOUBLED]
    scale = os.environ.get("QT_SCALE_FACTOR", "1")
    doubled = [size for size in sizes if size in DOUBLED]
    if scale == "1" and doubled:
        arguments = ["--out", str(wishes.out), "--language", wishes.language]
        arguments += [f"--size={size}" for size in doubled]
        arguments += [f"--scheme={scheme}" for scheme in wishes.scheme or SCHEMES]
        subprocess.run(
            [sys.executable, __file__, *arguments, *wishes.states],
            env=os.environ | {"QT_SCALE_FACTOR": "2"},
            check=True,
        )
    speak(application(), asset_dir("translations"), wishes.language)
    here = {name: room for name, room in (SIZES | DOUBLED).items() if name in sizes and str(room[2]) == scale}
    for scheme in wishes.scheme or SCHEMES:
        for size, (width, height, _) in here.items():
            _take_all(wishes.out / f"{scheme}-{size}", scheme, (width, height), wishes.states)


def _take_all(folder: Path, scheme: str, size: tuple[int, int], names: list[str]) -> None:
    from helpers.window_states import STATES
    from overpaint.gui.appearance.theme import Theme

    folder.mkdir(parents=True, exist_ok=True)
    app = application()
    theme = Theme(app, asset_dir("icons"))
    theme.show_appearance(scheme)
    for name in names or STATES:
        _take(folder / f"{name}.png", theme, size, name)
        print(folder.name, name, flush=True)
    _draw_sheet(folder)


def _take(target: Path, theme: object, size: tuple[int, int], name: str) -> None:
    from helpers.scripted_live import ScriptedLive
    from helpers.window_states import STATES
    from overpaint.engine.prompt.look_search import load_search
    from overpaint.gui.connection.bridge import LiveBridge
    from overpaint.gui.connection.preview_receiver import PreviewReceiver
    from overpaint.gui.window import MainWindow
    from overpaint.gui.window_memory import Remembered
    from overpaint.startup import read_typed

    app, state = application(), STATES[name]
    with tempfile.TemporaryDirectory() as made:
        data = Path(made)
        os.environ["OVERPAINT_DATA_DIR"] = made
        state.prepare(data)
        live = ScriptedLive(data, state.says) if state.says is not None else None
        bridge = LiveBridge(data, state.start, lambda _: None, (0.0,))
        preview = PreviewReceiver(data)
        remembered = Remembered(width=size[0], height=size[1], habits=state.habits)
        window = MainWindow(theme, bridge, preview, remembered, load_search, read_typed)
        window.open()
        bridge.start()
        preview.start()
        _settle(app, window, live)
        state.act(window, live)
        _settle(app, window, live)
        screen = window.screen()
        screen.grabWindow(0, window.x(), window.y(), *size).save(str(target))
        if (menu := app.activePopupWidget()) is not None:
            menu.close()
        for other in app.topLevelWidgets():
            if other is not window:
                other.close()
        window.leave(end_live=False)
        preview.close()
        bridge.close()
        if live is not None:
            live.end()
        window.wind_up()
        window.side.transforms.wait()
        window.deleteLater()
        app.processEvents()


def _settle(app: object, window: object, live: object) -> None:
    """Lets the window show what it was told and, where a picture is wanted, the picture."""
    from helpers.window_states import styled, styled_and_raw

    running = live is not None and window.model.snapshot is None
    began = time.monotonic()
    calm_since = began
    sent: tuple[int, int] | None = None
    while time.monotonic() - calm_since < SETTLED_S and time.monotonic() - began < LONGEST_S:
        app.processEvents()
        time.sleep(0.01)
        if running and window.model.snapshot is None:
            calm_since = time.monotonic()
        wanted = live.sizes[-1] if live is not None and live.sizes else None
        if wanted in (None, sent, (0, 0)) or not window.model.running:
            continue
        compares = live.originals_wanted[-1:] == [True]
        if live.show(styled_and_raw(*wanted) if compares else styled(*wanted)):
            sent, calm_since = wanted, time.monotonic()


def _draw_sheet(folder: Path) -> None:
    import cv2
    import numpy as np

    pictures = [
        (path.stem, cv2.imread(str(path))) for path in sorted(folder.glob("*.png")) if path.stem != "sheet"
    ]
    tiles = []
    for name, picture in pictures:
        height = round(picture.shape[0] * SHEET_WIDTH / picture.shape[1])
        tile = cv2.resize(picture, (SHEET_WIDTH, height), interpolation=cv2.INTER_AREA)
        head = np.full((26, SHEET_WIDTH, 3), 255, np.uint8)
        cv2.putText(head, name, (8, 18), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
        tiles.append(np.vstack([head, tile]))
    while len(tiles) % 3:
        tiles.append(np.full_like(tiles[0], 255))
    rows = [np.hstack(tiles[start : start + 3]) for start in range(0, len(tiles), 3)]
    cv2.imwrite(str(folder / "sheet.png"), np.vstack(rows))


if __name__ == "__main__":
    main()
