"""Generator of a data folder as this version leaves it: tests/data_folders/VERSION, kept for every release.

`make data-folder` writes it with the real program (keys, credits, two pictures bought) and the real modules
(settings, window, presets, queue). tests/unit/test_former_versions.py opens it with the code of the day. What
is in it is invented; its API keys are of no service.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from overpaint import __version__
from overpaint.gui.looks.presets import Preset, PresetShelf
from overpaint.gui.window_memory import Remembered, load_remembered, save_remembered
from overpaint.gui.window_settings import Habits
from overpaint.ledger import Ledger, ledger_url
from overpaint.processes.census import census
from overpaint.session.batch.queue_history import Entry, TransformHistory
from overpaint.settings import Settings, load_settings, save_settings
from overpaint.wire.transforms import TransformItem

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "tests" / "data_folders"
EXPECTED = "expected.json"
PRESETS = (Preset(name="Noir at night", prompt="film noir, darker"), Preset(name="Grün", prompt="Aquarell"))


def say(folder: Path, line: str, *words: str) -> str:
    """Runs one command line of the real program, its last words apart; what it printed."""
    program = [sys.executable, "-m", "overpaint", *line.split(), *words, "--data-dir", str(folder)]
    return subprocess.run(program, check=True, capture_output=True, text=True).stdout


def buy(folder: Path, scratch: Path) -> dict[str, Any]:
    """Keys, credits, and two pictures from this computer's own service; what is in the books then."""
    key = json.loads(
        say(folder, "keys create --name shop --environment live --account shop --credits 500 --json")
    )["key"]
    say(folder, "credits add 25 --key-name shop")
    say(folder, "keys create --name old --environment test --account shop --json")
    say(folder, "keys revoke --name old")
    for name in ("a", "b"):
        ramp = np.tile(np.arange(64, dtype=np.uint8), (64, 1))
        Image.fromarray(np.dstack([ramp, ramp.T, ramp])).save(scratch / f"{name}.png")
    pictures = [str(scratch / f"{name}.png") for name in ("a", "b")]
    say(folder, "transform", *pictures, "-o", str(scratch / "out"), "--prompt", "ink comic")
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as books:
        rows = books.execute("SELECT account, SUM(amount) FROM postings GROUP BY account ORDER BY account")
        balances = dict(rows.fetchall())
    return {"key": key, "balances": balances}


def set_up(folder: Path) -> dict[str, Any]:
    """Settings, window, presets and queue; what they say."""
    settings = Settings(
        prompt="film noir",
        source="screen:0",
        server="https://studio.example",
        fall_back=True,
        ttl_seconds=600,
        microphone="none",
        recording_quality="high",
        replay=True,
        light=40,
        framings={"camera:x": {"zoom": 1.5}},
        network_cameras={"rtsp://door.example/": True},
    )
    save_settings(folder, settings)
    window = Remembered(
        width=1400,
        favourite_looks=("ink-comic",),
        prompts=("ink comic", "Aquarell"),
        habits=Habits(language="de", toured=True, hotkeys={"air": "Ctrl+Alt+Y"}),
    )
    save_remembered(folder, window)
    shelf = PresetShelf(folder / "presets")
    for preset in PRESETS:
        shelf.save(preset)
    shelf.wait()
    added = datetime(2026, 11, 25, 12, tzinfo=UTC)
    item = TransformItem(
        id="t1",
        source="/pictures/cat.png",
        kind="image",
        state="done",
        price=2,
        prompt="ink comic",
        charged=2,
        result="/pictures/cat ink.png",
        added_at=added,
        finished_at=added,
    )
    history = TransformHistory(folder / "transforms.db")
    history.load()
    history.keep([Entry(1, item)])
    history.close()
    assert load_settings(folder) == settings and load_remembered(folder) == window
    return {
        "settings": settings.model_dump(),
        "window": window.model_dump(mode="json"),
        "presets": {preset.name: preset.prompt for preset in PRESETS},
        "transforms": {item.id: item.result},
        "charges": len((folder / "charges.jsonl").read_text("utf-8").splitlines()),
    }


def settle(folder: Path) -> None:
    """Leaves the files alone: the databases without logs beside them, nothing of running processes."""
    while census(folder):  # the service that the pictures were bought from ends by itself
        time.sleep(0.5)
    Ledger(ledger_url(folder)).close()
    for database in (folder / "ledger.sqlite", folder / "transforms.db"):
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("VACUUM")


def main() -> None:
    """Writes the folder, once for each version."""
    target = TARGET / __version__
    if target.exists():
        sys.exit(f"{target.relative_to(ROOT)} is there: a released version's folder is not written again")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "data"
        folder.mkdir(mode=0o700)
        bought = buy(folder, Path(scratch))
        facts = bought | set_up(folder)
        settle(folder)
        print("left by this version:", *sorted(path.name for path in folder.iterdir()))
        kept = ("*.sqlite", "*.db", "*.json", "*.jsonl", "presets/*")
        for path in sorted({file for pattern in kept for file in folder.glob(pattern)}):
            copy = target / path.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
        (target / EXPECTED).write_text(json.dumps(facts, indent=2, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
