"""A sound server of the test's own (PulseAudio): a room with a loudspeaker and a microphone that hears it.

The room is a null sink, whose monitor is the microphone: what is played is what is heard, at the server's
own pace. What the computer itself plays goes to another one, ``screen``, which no microphone hears.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from overpaint.media.frames import now_ns

RATE = 48_000
needs_sound_server = pytest.mark.skipif(
    shutil.which("pulseaudio") is None,
    reason="there is no pulseaudio to start a sound server of the test's own",
)


def pactl(*words: str, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[bytes]:
    """Controls the sound server that ``PULSE_SERVER`` names."""
    return subprocess.run(["pactl", *words], env=environment, capture_output=True, timeout=10, check=False)


def plug(name: str, environment: dict[str, str] | None = None) -> str:
    """Connects a microphone that hears the room; returns what ``unplug`` wants."""
    properties = f"source_properties=device.description={name.title()}"
    words = ("load-module", "module-remap-source", f"source_name={name}", "master=room.monitor")
    answer = pactl(*words, properties, environment=environment)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout.decode().strip()


def unplug(module: str) -> None:
    """Pulls out what ``plug`` connected."""
    assert pactl("unload-module", module).returncode == 0


class SoundServer:
    """A running sound server.

    Args:
        folder: Its folder, empty and short of name.

    Attributes:
        address: By which programs find it (``PULSE_SERVER``).
    """

    def __init__(self, folder: Path) -> None:
        self.address = f"unix:{folder}/sock"
        self._environment = {
            **os.environ,
            "HOME": str(folder),
            "XDG_RUNTIME_DIR": str(folder),
            "PULSE_RUNTIME_PATH": str(folder),
            "PULSE_SERVER": self.address,
        }
        words = ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no"]
        words += ["--disable-shm=yes", "--log-level=error", "--log-target=stderr"]
        for module in (
            f"module-native-protocol-unix auth-anonymous=1 socket={folder}/sock",
            "module-null-sink sink_name=room rate=48000",
            "module-null-sink sink_name=screen rate=48000",
        ):
            words += ["-L", module]
        self._log = (folder / "log").open("wb")
        self._process = subprocess.Popen(words, env=self._environment, stderr=self._log)
        for _ in range(100):
            if pactl("info", environment=self._environment).returncode == 0:
                break
            time.sleep(0.1)
        else:
            raise RuntimeError((folder / "log").read_text())
        self.plug("alma")
        pactl("set-default-sink", "screen", environment=self._environment)
        pactl("set-default-source", "alma", environment=self._environment)

    def plug(self, name: str) -> None:
        """Connects a microphone that hears the room."""
        plug(name, environment=self._environment)

    def close(self) -> None:
        """Ends it."""
        self._process.terminate()
        self._process.wait(10)
        self._log.close()


class _SampleSpec(ctypes.Structure):
    _fields_ = (("format", ctypes.c_int), ("rate", ctypes.c_uint32), ("channels", ctypes.c_uint8))


class _BufferAttributes(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint32) for name in ("longest", "target", "before", "least", "fragment"))


class Loudspeaker:
    """A player of samples that knows when each is heard (libpulse's simple interface).

    Args:
        server: Address of the server.
        sink: In the room, or of the computer itself.
    """

    def __init__(self, server: str, sink: str = "room") -> None:
        library = self._library = ctypes.CDLL("libpulse-simple.so.0")
        library.pa_simple_new.restype = ctypes.c_void_p
        library.pa_simple_get_latency.restype = ctypes.c_uint64
        for function in (library.pa_simple_write, library.pa_simple_get_latency, library.pa_simple_free):
            function.argtypes = None
        spec = _SampleSpec(3, RATE, 1)  # S16LE
        usual = 0xFFFFFFFF
        buffer = _BufferAttributes(usual, RATE * 2 // 4, usual, usual, usual)
        error = ctypes.c_int()
        stream = library.pa_simple_new(
            server.encode(),
            b"clap",
            1,
            sink.encode(),
            b"clap",
            ctypes.byref(spec),
            None,
            ctypes.byref(buffer),
            ctypes.byref(error),
        )
        assert stream, error.value
        self._stream = ctypes.c_void_p(stream)

    def play(self, samples: NDArray[np.int16]) -> int:
        """Plays samples, and returns when the first is heard, by the frames' clock."""
        error = ctypes.c_int()
        wait_us = self._library.pa_simple_get_latency(self._stream, ctypes.byref(error))
        heard_ns = now_ns() + wait_us * 1000
        data = samples.astype("<i2").tobytes()
        assert (
            self._library.pa_simple_write(self._stream, data, ctypes.c_size_t(len(data)), ctypes.byref(error))
            == 0
        )
        return heard_ns

    def close(self) -> None:
        """Ends it."""
        self._library.pa_simple_free(self._stream)
