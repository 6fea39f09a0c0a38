"""The microphone through QtMultimedia, for Windows and macOS: list, choice, permission, loss.

QtMultimedia captures cameras and screens already, and knows devices by name, their coming and going, and
the system's permission (``docs/architecture.md``, "Sound"). Qt delivers no times of capture, so the track
recovers the device's clock from the times of arrival. Must not know recordings.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from overpaint.errors import SourceError
from overpaint.media.audio import CHANNELS, RATE, Sound
from overpaint.media.audio.sound_track import SoundTrack
from overpaint.media.frames import now_ns
from overpaint.media.sources.qt_loop import MainThread
from overpaint.wire.sources import DEFAULT_MICROPHONE, MicrophoneChoice

if TYPE_CHECKING:
    from PySide6.QtCore import QIODevice, QTimer
    from PySide6.QtMultimedia import QAudioDevice, QAudioFormat, QAudioSource, QMediaDevices

BUFFER_S = 0.5
"""Sound that the system keeps while this process is late."""
SILENT_MS = 2000
"""Time without samples after which a device counts as lost; Qt does not always report a loss."""


def list_microphones(main_thread: MainThread) -> tuple[MicrophoneChoice, ...]:
    """Lists the microphones, by their stable names."""
    return main_thread.call(
        lambda: tuple(
            MicrophoneChoice(microphone=_name(device), title=device.description()) for device in _inputs()
        )
    )


class QtMicrophone:
    """A microphone that fills a sound track while it runs.

    Args:
        wanted: Its name in ``list_microphones``; a part of its title; or ``DEFAULT_MICROPHONE``.
        main_thread: Qt's thread. ``start`` and ``stop`` are called from other threads.

    Attributes:
        title: Its name for the user, once started.
    """

    def __init__(self, wanted: str, main_thread: MainThread) -> None:
        self.title = ""
        self._wanted = wanted
        self._main = main_thread
        self._track: SoundTrack | None = None
        self._lost: Callable[[SourceError], None] = lambda _: None
        self._name = ""
        self._format: _Layout | None = None
        self._source: QAudioSource | None = None
        self._samples: QIODevice | None = None
        self._devices: QMediaDevices | None = None
        self._silence: QTimer | None = None

    def start(self, track: SoundTrack, lost: Callable[[SourceError], None]) -> None:
        """Opens it. Where the system first asks the user (macOS), sound comes once they have agreed.

        Args:
            track: Receives the sound, on Qt's thread.
            lost: Called at most once, on Qt's thread, when no more sound comes.

        Raises:
            SourceError: It is missing, denied, or refused by the system.
        """
        self.stop()
        self._track, self._lost = track, lost
        try:
            self._main.call(self._begin)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Frees the device; nothing is delivered after it. Idempotent."""
        self._main.free(self._finish)

    # ---- on the main thread ------------------------------------------------------------------------------

    def _begin(self) -> None:
        from PySide6.QtCore import QTimer
        from PySide6.QtMultimedia import QMediaDevices

        device = self._find()
        self.title, self._name = device.description(), _name(device)
        self._devices = QMediaDevices()
        self._devices.audioInputsChanged.connect(self._on_devices)
        self._silence = QTimer()
        self._silence.setSingleShot(True)
        self._silence.setInterval(SILENT_MS)
        self._silence.timeout.connect(self._on_silence)
        self._with_permission(device)

    def _find(self) -> QAudioDevice:
        inputs = _inputs()
        if not inputs:
            raise SourceError("microphone_missing")
        if self._wanted == DEFAULT_MICROPHONE:
            return _default() or inputs[0]
        part = self._wanted.casefold()
        named = [device for device in inputs if _name(device) == self._wanted]
        if named or (named := [device for device in inputs if part in device.description().casefold()]):
            return named[0]
        titles = ", ".join(device.description() for device in inputs)
        raise SourceError("microphone_unknown", microphone=self._wanted, choices=titles)

    def _with_permission(self, device: QAudioDevice) -> None:
        from PySide6.QtCore import QCoreApplication, QMicrophonePermission, Qt

        app = QCoreApplication.instance()
        if app is None or self._devices is None:
            return
        status = app.checkPermission(QMicrophonePermission())
        if status == Qt.PermissionStatus.Denied:
            raise _denied()
        if status == Qt.PermissionStatus.Granted:
            self._open(device)
            return

        def answered(permission: QMicrophonePermission) -> None:
            if app.checkPermission(permission) != Qt.PermissionStatus.Granted:
                self._fail(_denied())
                return
            try:
                self._open(device)
            except SourceError as error:
                self._fail(error)

        app.requestPermission(QMicrophonePermission(), self._devices, answered)

    def _open(self, device: QAudioDevice) -> None:
        from PySide6.QtMultimedia import QAudioSource, QtAudio

        layout = _layout_for(device)
        source = QAudioSource(device, layout.format)
        source.setBufferSize(layout.format.bytesForDuration(round(BUFFER_S * 1e6)))
        samples = source.start()
        if samples is None or source.error() != QtAudio.Error.NoError:
            raise SourceError("microphone_refused", microphone=self.title)
        self._format, self._source, self._samples = layout, source, samples
        assert self._track is not None and self._silence is not None
        self._track.begin(layout.rate)
        samples.readyRead.connect(self._read)
        self._silence.start()

    def _read(self) -> None:
        arrived_ns = now_ns()
        if self._samples is None or self._track is None or self._format is None or self._silence is None:
            return
        data = self._samples.readAll().data()
        if data:
            self._silence.start()
            self._track.push(self._format.sound_of(bytes(data)), arrived_ns)

    def _on_silence(self) -> None:
        self._fail(SourceError("microphone_silent", microphone=self.title))

    def _on_devices(self) -> None:
        default = _default()
        moved = self._wanted == DEFAULT_MICROPHONE and default is not None and _name(default) != self._name
        if moved or all(_name(device) != self._name for device in _inputs()):
            self._fail(SourceError("microphone_unplugged", microphone=self.title))

    def _fail(self, error: SourceError) -> None:
        """Ends delivery."""
        if self._devices is not None:
            lost = self._lost
            self._finish()
            lost(error)

    def _finish(self) -> None:
        self._lost = lambda _: None
        self._track = None
        if self._samples is not None:
            self._samples.readyRead.disconnect(self._read)
        if self._source is not None:
            self._source.stop()
        if self._silence is not None:
            self._silence.stop()
        if self._devices is not None:
            self._devices.audioInputsChanged.disconnect(self._on_devices)
        self._samples = self._source = self._silence = self._devices = None


@dataclass(frozen=True, slots=True)
class _Layout:
    """The layout of a device's bytes.

    Attributes:
        format: For Qt.
        rate: Samples a second.
        channels: Interleaved channels.
        kind: Type of one sample in numpy.
        scale: Multiplies a sample to an int16.
        middle: Value of silence.
    """

    format: QAudioFormat
    rate: int
    channels: int
    kind: str
    scale: float
    middle: int = 0

    def sound_of(self, data: bytes) -> Sound:
        """Returns bytes as sound: of one channel both sides, of several the first two."""
        whole = len(data) // (np.dtype(self.kind).itemsize * self.channels) * self.channels
        samples = np.frombuffer(data, self.kind, whole).reshape(-1, self.channels)
        sides = samples[:, [0, min(1, self.channels - 1)]]
        if self.kind == "<i2":
            return sides
        scaled = (sides.astype(np.float64) - self.middle) * self.scale
        return np.clip(np.rint(scaled), -32768, 32767).astype(np.int16)


def _layout_for(device: QAudioDevice) -> _Layout:
    """Returns the grid's own layout where the device has it, else the device's own."""
    from PySide6.QtMultimedia import QAudioFormat

    kinds = QAudioFormat.SampleFormat
    wanted = QAudioFormat()
    wanted.setSampleRate(RATE)
    wanted.setChannelCount(CHANNELS)
    wanted.setSampleFormat(kinds.Int16)
    taken = wanted if device.isFormatSupported(wanted) else device.preferredFormat()
    sizes = {
        kinds.UInt8: ("u1", 256.0, 128),
        kinds.Int16: ("<i2", 1.0, 0),
        kinds.Int32: ("<i4", 1 / 65536, 0),
        kinds.Float: ("<f4", 32767.0, 0),
    }
    kind, scale, middle = sizes[taken.sampleFormat()]
    return _Layout(taken, taken.sampleRate(), taken.channelCount(), kind, scale, middle)


def _inputs() -> list[QAudioDevice]:
    from PySide6.QtMultimedia import QMediaDevices

    return QMediaDevices.audioInputs()


def _default() -> QAudioDevice | None:
    from PySide6.QtMultimedia import QMediaDevices

    device = QMediaDevices.defaultAudioInput()
    return None if device.isNull() else device


def _name(device: QAudioDevice) -> str:
    """Returns a device's stable name."""
    return bytes(device.id().data()).decode("utf-8", "replace")


def _denied() -> SourceError:
    if sys.platform == "darwin":
        return SourceError("microphone_denied_macos")
    return SourceError("microphone_denied")
