"""Preset store: the user's presets (name, prompt, optional reference photo), each in a file of its own.

Reads and writes files in a worker thread. Must not know widgets, nor what a prompt means.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from PySide6.QtCore import QCoreApplication, QObject, QRunnable, Qt, QThreadPool, Signal

from overpaint.wire.media_limits import REFERENCE_MAX_BYTES
from overpaint.wire.service import PROMPT_MAX_CHARACTERS

log = logging.getLogger(__name__)

ENDING = "overpaint"
_LARGEST_BYTES = REFERENCE_MAX_BYTES * 3 // 2


class Preset(BaseModel):
    """A preset and its file format, as a frozen value.

    Attributes:
        overpaint_preset: Version of the format.
        name: The user's name for it.
        prompt: The prompt.
        photo: The reference photo as base64; empty for none.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    overpaint_preset: Literal[1] = 1
    name: Annotated[str, Field(min_length=1, max_length=60)]
    prompt: Annotated[str, Field(max_length=PROMPT_MAX_CHARACTERS)]
    photo: Annotated[str, Field(max_length=_LARGEST_BYTES)] = ""


class PresetShelf(QObject):
    """Preset store: the presets of a folder.

    Args:
        folder: Holds one file for each preset; created with the first preset.

    Attributes:
        presets: The presets by key, sorted by name.
    """

    changed = Signal()
    refused = Signal(str)
    """A file cannot be read or written: the sentence for the user."""

    _read = Signal(str, object)
    _taken = Signal(object)

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.presets: dict[str, Preset] = {}
        self._folder = folder
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._read.connect(self._keep, Qt.ConnectionType.QueuedConnection)
        self._taken.connect(self._add, Qt.ConnectionType.QueuedConnection)
        self._do(self._load)

    def save(self, preset: Preset) -> str:
        """Saves a new preset; returns its key."""
        key = uuid.uuid4().hex[:12]
        self._keep(key, preset)
        self._do(lambda: self._write(self._file(key), preset))
        return key

    def remove(self, key: str) -> None:
        """Deletes a preset and its file."""
        if self.presets.pop(key, None) is not None:
            self.changed.emit()
            self._do(lambda: self._file(key).unlink(missing_ok=True))

    def share(self, key: str, path: Path) -> None:
        """Exports a preset to a file."""
        preset = self.presets[key]
        self._do(lambda: self._write(path, preset))

    def take(self, path: Path) -> None:
        """Imports a preset from a file, unless the same is there; the result is emitted as a signal."""
        self._do(lambda: self._take(path))

    def wait(self) -> None:
        """Waits for the worker thread, before the program ends."""
        self._pool.waitForDone(3000)

    # ---- the worker thread

    def _do(self, work: Callable[[], object]) -> None:
        self._pool.start(_Job(self, work))

    def _load(self) -> None:
        for path in sorted(self._folder.glob(f"*.{ENDING}")):
            try:
                self._read.emit(path.stem, _parsed(path))
            except ValueError as error:
                log.info("the preset %s cannot be read: %s", path.name, error)

    def _take(self, path: Path) -> None:
        try:
            preset = _parsed(path)
        except ValueError:
            self.refused.emit(self.tr("{} is not a preset of Overpaint.").format(path.name))
            return
        self._taken.emit(preset)

    def _write(self, path: Path, preset: Preset) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.tmp")
        draft.write_text(preset.model_dump_json(indent=2) + "\n", "utf-8")
        draft.replace(path)

    def _file(self, key: str) -> Path:
        return self._folder / f"{key}.{ENDING}"

    # ---- Qt's thread

    def _add(self, preset: Preset) -> None:
        if preset in self.presets.values():
            self.changed.emit()  # a file that is opened twice is one preset
        else:
            self.save(preset)

    def _keep(self, key: str, preset: Preset) -> None:
        self.presets[key] = preset
        self.presets = dict(sorted(self.presets.items(), key=lambda item: item[1].name.casefold()))
        self.changed.emit()


class _Job(QRunnable):
    def __init__(self, shelf: PresetShelf, work: Callable[[], object]) -> None:
        super().__init__()
        self._shelf = shelf
        self._work = work

    def run(self) -> None:
        try:
            self._work()
        except OSError as error:
            sentence = QCoreApplication.translate("PresetShelf", "A preset cannot be read or written: {}.")
            self._shelf.refused.emit(sentence.format(error.strerror or error))
        except Exception:
            log.exception("a preset could not be read or written")


def _parsed(path: Path) -> Preset:
    """Reads a preset; raises ``ValueError`` for any other content, and ``OSError``."""
    if path.stat().st_size > _LARGEST_BYTES:
        raise ValueError("it is too large")
    try:
        return Preset.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise ValueError(f"{error.error_count()} things in it are wrong") from error
