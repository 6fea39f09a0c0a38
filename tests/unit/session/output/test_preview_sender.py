"""What a window is sent: the picture, and while somebody compares the very frame that it was made of."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import numpy as np

import overpaint.media
import overpaint.session.output
from helpers.processes import until
from overpaint.errors import LinkError
from overpaint.media import pictures
from overpaint.media.frames import FrameKind, RawFrame, StyledFrame
from overpaint.media.links.frame_ring import SLOTS, RingPort
from overpaint.processes.channel import Channel, ChannelServer, connect
from overpaint.session.output.original_frames import KEPT, Originals
from overpaint.session.output.preview_sender import PreviewStage


def plain(level: int) -> np.ndarray:
    image = pictures.black(64, 36)
    image[:36] = level
    return image


class Window:
    """The window's end of a preview."""

    def __init__(self, originals: Originals) -> None:
        self.pictures: list[np.ndarray] = []
        self.arrived, self.reads = threading.Event(), threading.Event()
        self.reads.set()
        self.stage: PreviewStage | None = None
        ready = threading.Event()

        def serve(channel: Channel) -> None:
            port = RingPort(channel, 2 * 64 * 36 * 4)
            self.stage = PreviewStage(port, originals)
            self.stage.set_size(64, 36)
            ready.set()
            try:
                port.run()
            except LinkError:
                pass

        self._server = ChannelServer(serve, "preview-test")
        self._channel = connect(self._server.address, self._server.secret)
        self._port = RingPort(self._channel, 0, self._keep)
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        assert ready.wait(10)

    def _run(self) -> None:
        try:
            self._port.run()
        except LinkError:
            pass

    def _keep(self, picture: np.ndarray, number: int, captured_ns: int, kind: FrameKind) -> None:
        self.pictures.append(picture)
        self.arrived.set()
        self.reads.wait(10)

    def until_shown(self, level: int) -> None:
        expected = int(pictures.to_bgrx(plain(level))[18, 32, 0])
        until(lambda: bool(self.pictures) and int(self.pictures[-1][18, 32, 0]) == expected, 10)

    def shown(self, frame: StyledFrame) -> np.ndarray:
        self.arrived.clear()
        assert self.stage is not None
        self.stage.put(frame)
        assert self.arrived.wait(10)
        return self.pictures[-1]

    def close(self) -> None:
        assert self.stage is not None
        self.stage.close()
        self._port.close()
        self._server.close()
        self._thread.join(10)


def test_the_original_comes_beside_its_picture_only_while_it_is_wanted() -> None:
    originals = Originals()
    window = Window(originals)
    try:
        originals.note(RawFrame(plain(60), 1, 100))
        assert window.shown(StyledFrame(plain(200), 1, 100, FrameKind.STYLED)).shape == (36, 64, 4)
        originals.keep(True)
        for number in (2, 3):
            originals.note(RawFrame(plain(60 + number), number, number * 100))
        both = window.shown(StyledFrame(plain(200), 2, 200, FrameKind.STYLED)).reshape(2, 36, 64, 4)
        levels = [int(picture[18, 32, 0]) for picture in both]
        expected = [int(pictures.to_bgrx(plain(level))[18, 32, 0]) for level in (200, 62)]
        assert levels == expected
        originals.keep(False)
        assert window.shown(StyledFrame(plain(200), 3, 300, FrameKind.STYLED)).shape == (36, 64, 4)
    finally:
        window.close()


def test_a_slate_reaches_a_window_that_was_slow_or_hidden() -> None:
    """It takes away what may not be shown any longer, so it is not lost like any other picture."""
    window = Window(Originals())
    stage = window.stage
    assert stage is not None
    try:
        window.reads.clear()
        for number in range(2 * SLOTS):  # until no slot is free
            stage.put(StyledFrame(plain(200), number, number, FrameKind.ORIGINAL))
            time.sleep(0.02)
        stage.put(StyledFrame.slate(plain(50)))
        time.sleep(0.2)
        window.reads.set()
        window.until_shown(50)
        window.shown(StyledFrame(plain(200), 1, 1, FrameKind.ORIGINAL))
        stage.set_size(0, 0)
        stage.put(StyledFrame.slate(plain(50)))
        time.sleep(0.1)
        stage.set_size(64, 36)
        window.until_shown(50)
    finally:
        window.close()


def test_frames_are_kept_for_a_moment_and_no_longer() -> None:
    originals = Originals()
    originals.keep(True)
    for number in range(KEPT + 5):
        originals.note(RawFrame(plain(60), number, number))
    assert originals.of(StyledFrame(plain(60), 4, 4, FrameKind.STYLED)) is None
    kept = originals.of(StyledFrame(plain(60), 5, 5, FrameKind.STYLED))
    assert kept is not None and kept.number == 5
    # A source that counts anew cannot be taken for the former one.
    assert originals.of(StyledFrame(plain(60), 5, 99_999, FrameKind.STYLED)) is None


def test_no_output_knows_raw_frames() -> None:
    stages = Path(overpaint.session.output.__file__).parent.glob("*_stage.py")
    media = Path(overpaint.media.__file__).parent
    sources = [*stages, *(media / "sinks").glob("*.py"), *(media / "virtual_camera").glob("*.py")]
    assert len(sources) >= 9
    for source in sources:
        assert "RawFrame" not in source.read_text("utf-8"), source.name
