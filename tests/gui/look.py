"""Takes pictures of the window in its states, for people to look at: no test.

xvfb-run -a -s "-screen 0 2600x1700x24" .venv/bin/python tests/gui/look.py FOLDER [light|dark] [NAME...]
"""

from __future__ import annotations

import functools
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import cv2
import numpy as np
from PySide6.QtCore import Qt

from helpers.clips import portrait
from helpers.scripted_live import BALANCE, ScriptedLive, on_air, previewing, stopped
from overpaint.assets import asset_dir
from overpaint.errors import ProcessError
from overpaint.gui.bridge import LiveBridge
from overpaint.gui.main import application
from overpaint.gui.preview import PreviewReceiver
from overpaint.gui.remembered import Remembered
from overpaint.gui.theme import Theme
from overpaint.gui.window import MainWindow
from overpaint.wire.live import Camera, LiveSnapshot, Trouble

NO_DEVICE = Trouble(
    kind="missing",
    sentence="There is no virtual camera on this computer.",
    mend="Set it up once: sudo apt install v4l2loopback-dkms && sudo modprobe v4l2loopback "
    'video_nr=10 card_label="Overpaint" exclusive_caps=1',
)
STATES: dict[str, LiveSnapshot | None] = {
    "opening": None,
    "stopped": stopped(),
    "no-source": stopped(
        source="camera",
        source_title="Camera",
        sources=[choice for choice in stopped().sources if choice.kind != "camera"],
        camera=Camera(state="missing", trouble=NO_DEVICE),
    ),
    "connecting": stopped(state="connecting"),
    "preview": previewing(),
    "air": on_air(),
    "air-notice": on_air(
        recording="/home/me/Videos/Overpaint/2026-11-21.mp4",
        has_reference=True,
        trouble=Trouble(
            kind="bad_reference", sentence="The photo could not be read.", mend="Use a JPEG or PNG."
        ),
    ),
    "held": on_air(state="held", hold=True),
    "reconnecting": on_air(state="reconnecting"),
    "failed": stopped(
        state="failed",
        trouble=Trouble(
            kind="busy",
            sentence="The camera Logitech C920 is used by another program.",
            mend="Close the program that uses it, then start again.",
        ),
    ),
    "poor": stopped(
        state="failed",
        balance=BALANCE.model_copy(update={"credits_remaining": 12}),
        trouble=Trouble(
            kind="insufficient_credits",
            sentence="A session costs 25 credits, and 12 are left.",
            mend="Add some: overpaint credits add 500 --key-name desktop",
        ),
    ),
    "given-up": None,
}


@functools.cache
def drawing() -> np.ndarray:
    """Something that looks restyled."""
    return cv2.stylization(portrait(960, 540), sigma_s=40, sigma_r=0.35)


def styled(width: int, height: int) -> np.ndarray:
    """It, as the preview carries it."""
    return np.ascontiguousarray(cv2.cvtColor(cv2.resize(drawing(), (width, height)), cv2.COLOR_BGR2BGRA))


def look(folder: Path, scheme: str, names: list[str]) -> None:
    """Shows each state at both sizes and saves what is seen."""
    app = application()
    theme = Theme(app, asset_dir("icons"))
    theme.show_scheme(Qt.ColorScheme.Light if scheme == "light" else Qt.ColorScheme.Dark)
    drawing()
    for name in names:
        data = Path(tempfile.mkdtemp())
        snapshot = STATES[name]
        live = ScriptedLive(data, snapshot) if snapshot is not None else None
        start = refuse if name == "given-up" else wait
        bridge = LiveBridge(data, start, start_delays_s=(0.0,))
        preview = PreviewReceiver(data)
        window = MainWindow(theme, bridge, preview, Remembered())
        began = time.perf_counter()
        window.open()
        app.processEvents()
        shown_ms = (time.perf_counter() - began) * 1000
        bridge.start()
        preview.start()
        sent = (0, 0)
        for width, height in ((1280, 800), (960, 600)):
            window.resize(width, height)
            until = time.monotonic() + (1.3 if width > 1000 else 0.6)
            while time.monotonic() < until:
                app.processEvents()
                time.sleep(0.01)
                if live is not None and live.sizes and live.sizes[-1] not in (sent, (0, 0)):
                    size = live.sizes[-1]
                    if live.show(styled(*size)):
                        sent = size
            window.grab().save(str(folder / f"{scheme}-{name}-{width}.png"))
        print(name, f"{shown_ms:.0f} ms", live.sizes if live else "")
        window.leave(end_live=False)
        preview.close()
        bridge.close()
        if live is not None:
            live.end()
        window.deleteLater()
        app.processEvents()


def wait() -> None:
    """A live process that takes its time."""
    threading.Event().wait(5)


def refuse() -> None:
    """A live process that does not start."""
    raise ProcessError(
        "Overpaint's live process ended at once.", mend="Look into live.log in the data folder."
    )


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    look(target, sys.argv[2] if len(sys.argv) > 2 else "dark", sys.argv[3:] or list(STATES))
