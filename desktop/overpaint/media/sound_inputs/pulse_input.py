"""Sound of PulseAudio or PipeWire: microphones, and the monitor source, which is what the computer plays.

Qt lists no monitor sources, keeps a microphone in its list that was unplugged, and does not notice that the
server then goes on with another one: the stream here may not be moved (``DONT_MOVE``), so that whoever chose
a microphone never records another. Everything runs on the thread of libpulse's main loop; nothing is
polled. Must not know recordings.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from overpaint.errors import SourceError
from overpaint.media.audio import CHANNELS, RATE, silence
from overpaint.media.audio.sound_track import SoundTrack
from overpaint.media.frames import now_ns
from overpaint.media.sound_inputs import pulse_library as pa
from overpaint.wire.sources import DEFAULT_MICROPHONE, MicrophoneChoice

PATIENCE_S = 3.0
"""Time limit for the sound server's answer."""
FRAGMENT_S = 0.02
"""Sound that comes at once."""
_FRAME_BYTES = 2 * CHANNELS

Answer = TypeVar("Answer")


class _Connection:
    """A connection to the sound server, with a thread of its own; to be closed.

    Args:
        ended: Called on that thread when the server is gone.

    Raises:
        SourceError: ``sound_server_missing``: there is none, or it does not answer.
    """

    def __init__(self, ended: Callable[[], None] = lambda: None) -> None:
        library = pa.pulse_library()
        if library is None:
            raise SourceError("sound_server_missing")
        self.library = library
        self._ended = ended
        self._callbacks: list[object] = []
        self._come, self._ready = threading.Event(), False
        self._loop = ctypes.c_void_p(library.pa_threaded_mainloop_new())
        api = library.pa_threaded_mainloop_get_api(self._loop)
        self.context = ctypes.c_void_p(library.pa_context_new(api, b"Overpaint"))
        self._callback = pa.ContextNotify(self._on_state)
        library.pa_context_set_state_callback(self.context, self._callback, None)
        begun = library.pa_context_connect(self.context, None, 0, None) >= 0
        library.pa_threaded_mainloop_start(self._loop)
        if not begun or not self._come.wait(PATIENCE_S) or not self._ready:
            self.close()
            raise SourceError("sound_server_missing")

    def on_thread(self, work: Callable[[], Answer]) -> Answer:
        """Does something while the connection's thread waits."""
        self.library.pa_threaded_mainloop_lock(self._loop)
        try:
            return work()
        finally:
            self.library.pa_threaded_mainloop_unlock(self._loop)

    def ask(self, function: str, *words: object) -> None:
        """Asks the server something on the connection's thread, or while it waits.

        Args:
            function: Name of a function that returns an operation.
            words: Its arguments after the context; a callback among them is kept as long as the connection.
        """
        self._callbacks += words
        operation = getattr(self.library, f"pa_context_{function}")(self.context, *words, None)
        if operation:
            self.library.pa_operation_unref(operation)

    def answer(self, function: str, callback: object, done: threading.Event) -> None:
        """Asks the server something, and waits for the last callback.

        Raises:
            SourceError: It does not answer.
        """
        self.on_thread(lambda: self.ask(function, callback))
        if not done.wait(PATIENCE_S):
            raise SourceError("sound_server_missing")

    def close(self) -> None:
        """Ends it; nothing calls back after it. Not on its own thread."""

        def disconnect() -> None:
            self.library.pa_context_set_state_callback(self.context, pa.ContextNotify(), None)
            self.library.pa_context_disconnect(self.context)
            self.library.pa_context_unref(self.context)

        self.on_thread(disconnect)
        self.library.pa_threaded_mainloop_stop(self._loop)
        self.library.pa_threaded_mainloop_free(self._loop)

    def _on_state(self, context: int, _: int | None) -> None:
        state = self.library.pa_context_get_state(context)
        if state == pa.CONTEXT_READY:
            self._ready = True
            self._come.set()
        elif state in (pa.CONTEXT_FAILED, pa.CONTEXT_TERMINATED):
            was_ready, self._ready = self._ready, False
            self._come.set()
            if was_ready:
                self._ended()


def list_microphones() -> tuple[MicrophoneChoice, ...]:
    """Lists the microphones, by their stable names; none without a sound server."""
    try:
        connection = _Connection()
        try:
            return tuple(_microphones(connection))
        finally:
            connection.close()
    except SourceError:
        return ()


class PulseInput:
    """A microphone, or what the computer plays, that fills a sound track while it runs.

    Args:
        wanted: A microphone's name in ``list_microphones``; a part of its title; or ``DEFAULT_MICROPHONE``.
            None for what the computer plays.

    Attributes:
        title: Its name for the user, once started; empty for what the computer plays.
    """

    def __init__(self, wanted: str | None) -> None:
        self.title = ""
        self._wanted = wanted
        self._guard = threading.Lock()
        self._connection: _Connection | None = None
        self._track: SoundTrack | None = None
        self._lost: Callable[[SourceError], None] = lambda _: None
        self._stream = ctypes.c_void_p()
        self._default = ""
        self._running = False
        self._come = threading.Event()
        self._on_stream = pa.StreamNotify(self._stream_changed)
        self._on_sound = pa.StreamRequest(self._read)
        self._on_server = pa.Subscription(self._server_changed)
        self._on_default = pa.ServerTold(self._default_told)

    def start(self, track: SoundTrack, lost: Callable[[SourceError], None]) -> None:
        """Opens it.

        Args:
            track: Receives the sound, on a thread of its own.
            lost: Called at most once, on that thread, when no more sound comes.

        Raises:
            SourceError: It is missing, or refused by the server.
        """
        self.stop()
        self._track, self._lost = track, lost
        self._default = ""
        self._connection = _Connection(lambda: self._fail(SourceError("sound_server_missing")))
        try:
            device, flags = self._find(self._connection)
            self._come.clear()
            self._connection.on_thread(lambda: self._open(device, flags))
            if not self._come.wait(PATIENCE_S) or not self._running:
                raise self._refused()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Frees it; nothing is delivered after it. Idempotent."""
        with self._guard:
            connection, self._connection = self._connection, None
        if connection is None:
            return
        self._lost = lambda _: None
        connection.on_thread(lambda: self._close(connection.library))
        connection.close()
        self._track, self._running = None, False

    # ---- on the connection's thread, or while it waits -----------------------------------------------

    def _find(self, connection: _Connection) -> tuple[bytes, int]:
        """Returns the device's name for the server, and flags. Raises ``SourceError``."""
        if self._wanted is None:
            self._default = self._default_of(_server(connection))
            return pa.DEFAULT_MONITOR, 0
        there = _microphones(connection)
        if not there:
            raise SourceError("microphone_missing")
        if self._wanted == DEFAULT_MICROPHONE:
            usual = self._default = self._default_of(_server(connection))
            chosen = next((each for each in there if each.microphone == usual), there[0])
            self.title = chosen.title
            return chosen.microphone.encode(), 0
        part = self._wanted.casefold()
        named = [each for each in there if each.microphone == self._wanted]
        if not named and not (named := [each for each in there if part in each.title.casefold()]):
            titles = ", ".join(each.title for each in there)
            raise SourceError("microphone_unknown", microphone=self._wanted, choices=titles)
        self.title = named[0].title
        return named[0].microphone.encode(), pa.DONT_MOVE

    def _open(self, device: bytes, flags: int) -> None:
        assert self._connection is not None and self._track is not None
        library, context = self._connection.library, self._connection.context
        spec = pa.SampleSpec(pa.S16LE, RATE, CHANNELS)
        self._stream = ctypes.c_void_p(library.pa_stream_new(context, b"recording", ctypes.byref(spec), None))
        if not self._stream:
            raise self._refused()
        self._track.begin(RATE)
        library.pa_stream_set_state_callback(self._stream, self._on_stream, None)
        library.pa_stream_set_read_callback(self._stream, self._on_sound, None)
        usual, fragment = pa.NO_INDEX, round(FRAGMENT_S * RATE) * _FRAME_BYTES
        buffer = pa.BufferAttributes(usual, usual, usual, usual, fragment)
        flags |= pa.ADJUST_LATENCY
        if library.pa_stream_connect_record(self._stream, device, ctypes.byref(buffer), flags) < 0:
            raise self._refused()
        if self._default:
            library.pa_context_set_subscribe_callback(context, self._on_server, None)
            self._connection.ask("subscribe", pa.MASK_SERVER, None)

    def _close(self, library: ctypes.CDLL) -> None:
        stream, self._stream = self._stream, ctypes.c_void_p()
        if stream:
            library.pa_stream_set_state_callback(stream, pa.StreamNotify(), None)
            library.pa_stream_set_read_callback(stream, pa.StreamRequest(), None)
            library.pa_stream_disconnect(stream)
            library.pa_stream_unref(stream)

    def _stream_changed(self, stream: int, _: int | None) -> None:
        connection = self._connection
        if connection is None:
            return
        state = connection.library.pa_stream_get_state(stream)
        if state == pa.STREAM_READY:
            self._running = True
            self._come.set()
        elif state in (pa.STREAM_FAILED, pa.STREAM_TERMINATED):
            if self._running:
                self._fail(self._gone())
            self._come.set()

    def _server_changed(self, _context: int, _kind: int, _index: int, _: int | None) -> None:
        """Asks for the default device, which the user may have changed by plugging in headphones."""
        if self._connection is not None and self._running:
            self._connection.ask("get_server_info", self._on_default)

    def _default_told(self, _context: int, info: pa.ServerPointer, _: int | None) -> None:
        if info and self._running and self._default_of(info.contents) != self._default:
            self._fail(self._gone())

    def _default_of(self, server: pa.ServerInfo) -> str:
        return _text(server.default_sink_name if self._wanted is None else server.default_source_name)

    def _read(self, stream: int, _count: int, _: int | None) -> None:
        arrived_ns = now_ns()
        connection, track = self._connection, self._track
        if connection is None or track is None:
            return
        data, size = ctypes.c_void_p(), ctypes.c_size_t()
        while True:  # a hole comes with the fragment after it
            connection.library.pa_stream_peek(stream, ctypes.byref(data), ctypes.byref(size))
            if not size.value:
                return
            if data.value is None:
                sound = silence(size.value // _FRAME_BYTES)
            else:
                sound = np.frombuffer(ctypes.string_at(data, size.value), "<i2").reshape(-1, CHANNELS)
            connection.library.pa_stream_drop(stream)
            track.push(sound, arrived_ns)

    def _fail(self, error: SourceError) -> None:
        """Ends delivery; the connection waits for ``stop``."""
        lost, self._lost, self._running = self._lost, lambda _: None, False
        lost(error)

    def _refused(self) -> SourceError:
        if self._wanted is None:
            return SourceError("system_sound_refused")
        return SourceError("microphone_refused", microphone=self.title)

    def _gone(self) -> SourceError:
        if self._wanted is None:
            return SourceError("system_sound_lost")
        return SourceError("microphone_unplugged", microphone=self.title)


def _microphones(connection: _Connection) -> list[MicrophoneChoice]:
    """Returns the sources that are no monitors. Raises ``SourceError``."""
    found: list[MicrophoneChoice] = []
    done = threading.Event()

    def listed(_context: int, info: pa.SourcePointer, end: int, _: int | None) -> None:
        if end:
            done.set()
        elif info.contents.monitor_of_sink == pa.NO_INDEX:
            name, title = (_text(each) for each in (info.contents.name, info.contents.description))
            found.append(MicrophoneChoice(microphone=name, title=title))

    connection.answer("get_source_info_list", pa.SourceListed(listed), done)
    return found


def _server(connection: _Connection) -> pa.ServerInfo:
    """Returns what the server says of itself; its names are this process's own. Raises ``SourceError``."""
    found = pa.ServerInfo()
    done = threading.Event()

    def told(_context: int, info: pa.ServerPointer, _: int | None) -> None:
        if info:
            # Reading a name copies it; the server's memory is gone after this.
            found.default_sink_name = info.contents.default_sink_name
            found.default_source_name = info.contents.default_source_name
        done.set()

    connection.answer("get_server_info", pa.ServerTold(told), done)
    return found


def _text(name: bytes | None) -> str:
    return (name or b"").decode("utf-8", "replace")
