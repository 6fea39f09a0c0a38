"""1080p30 there and back between two network namespaces, on bad networks: Overpaint, and aiortc as shipped.

``make bench-net`` prints a table; nothing is asserted. Which frame a picture is, and whether it is whole, is
read out of the picture itself (``helpers.stamps``), for both alike.
Run: ``python bench.py [SECONDS]``, or one of the ends that it starts: ``python bench.py END …``.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import av
import numpy as np
from aiortc import (
    MediaStreamTrack,
    RTCConfiguration,
    RTCPeerConnection,
    RTCSessionDescription,
    VideoStreamTrack,
)
from numpy.typing import NDArray

from helpers.bad_network import Impairment
from helpers.clips import person_clip
from helpers.stamps import read, stamp
from network.namespaces import THERE, lab

WIDTH, HEIGHT, FPS, SETTLE_SECONDS = 1920, 1080, 30, 4.0
NUMBERS = 512
"""Stamps have nine bits."""
FREEZE_S = 0.2
CONDITIONS = {
    "clean": Impairment(),
    "2 % loss": Impairment(loss=0.02),
    "60 ms delay": Impairment(delay_s=0.06),
    "10 ms jitter": Impairment(delay_s=0.02, jitter_s=0.01),
    "all three": Impairment(loss=0.02, delay_s=0.06, jitter_s=0.01),
    "3 Mb/s bottleneck": Impairment(delay_s=0.005, bits_per_s=3e6, queue_s=0.3),
}


def pictures(count: int = 24) -> list[NDArray[np.uint8]]:
    """I420 pictures of a moving person, to and fro, with the noise of a webcam."""
    noise = np.random.default_rng(1)
    frames = []
    with av.open(str(person_clip())) as clip:
        for frame in itertools.islice(clip.decode(video=0), count):
            image = frame.reformat(WIDTH, HEIGHT, "yuv420p").to_ndarray()
            grain = noise.normal(0, 3, (HEIGHT, WIDTH)).astype(np.int16)
            image[:HEIGHT] = np.clip(image[:HEIGHT] + grain, 16, 235)
            frames.append(image)
    return frames + frames[-2:0:-1]


class Record:
    """What was sent and what came back."""

    def __init__(self) -> None:
        self._images = pictures()
        self._sent: dict[int, float] = {}
        self._shown: list[tuple[float, int]] = []
        self._torn = 0
        self.started = time.monotonic()

    def picture(self, number: int) -> NDArray[np.uint8]:
        """The picture to send now."""
        image = self._images[number % len(self._images)].copy()
        stamp(image[:HEIGHT], number % NUMBERS)
        self._sent[number % NUMBERS] = time.monotonic()
        return image

    def came(self, luma: NDArray[np.uint8]) -> None:
        """A picture came back."""
        now, number = time.monotonic(), read(luma)
        if luma.shape != (HEIGHT, WIDTH) or number is None or number not in self._sent:
            self._torn += 1
        elif now - self.started > SETTLE_SECONDS:
            self._shown.append((now, number))
            self._delays.append(now - self._sent[number])

    _delays: list[float]

    def begin(self) -> None:
        """From now on time counts."""
        self.started = time.monotonic()
        self._delays = []

    def figures(self, seconds: float) -> dict[str, float]:
        """What the table shows."""
        times = [at for at, _ in self._shown]
        end = self.started + SETTLE_SECONDS + seconds
        waits = [b - a for a, b in itertools.pairwise([self.started + SETTLE_SECONDS, *times, end])]
        fresh = sum(1 for (_, a), (_, b) in itertools.pairwise(self._shown) if a != b)
        delays = sorted(self._delays) or [float("nan")]
        return {
            "fps": fresh / seconds,
            "p50": delays[len(delays) // 2] * 1e3,
            "p95": delays[int(len(delays) * 0.95)] * 1e3,
            "freezes": sum(wait > FREEZE_S for wait in waits),
            "longest": max(waits) * 1e3,
            "torn": self._torn,
            "cpu": time.process_time(),
        }


async def paced(seconds: float, send: Callable[[int], None]) -> None:
    """Calls ``send`` thirty times a second."""
    loop = asyncio.get_running_loop()
    started = loop.time()
    for number in range(round((seconds + SETTLE_SECONDS) * FPS)):
        await asyncio.sleep(max(0.0, started + number / FPS - loop.time()))
        send(number)


# ---- Overpaint's two ends ------------------------------------------------------------------------


async def our_core() -> None:
    """A room and an engine that changes nothing, until its input ends."""
    from helpers.media_rooms import echo, served
    from overpaint.media.webrtc.desktop_link import WebRtcRoom

    rooms: dict[str, WebRtcRoom] = {}
    async with served(rooms, THERE) as base_url:
        room = rooms["echo"] = WebRtcRoom("echo", WIDTH, HEIGHT, FPS, base_url)
        engine = asyncio.create_task(echo(room))
        print(json.dumps([base_url, room.token]), flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        print(json.dumps(time.process_time()), flush=True)
    await engine


async def our_desktop(seconds: float, base_url: str, token: str) -> None:
    """Sends and receives as the desktop does."""
    from helpers.media_rooms import HttpSignalling
    from overpaint.media.frames import FrameKind, RawFrame, now_ns
    from overpaint.media.links import LinkRequest
    from overpaint.media.webrtc.desktop_link import WebRtcLink

    record = Record()
    request = LinkRequest(f"{base_url}/v1/rtc/echo", token, "echo", WIDTH, HEIGHT, FPS, FrameKind.STYLED)
    link = WebRtcLink(request, HttpSignalling())

    def take() -> None:
        while (frame := link.received.take(30)) is not None:
            record.came(frame.image[:HEIGHT])

    await link.open(lambda error: print(error, file=sys.stderr))
    taking = asyncio.create_task(asyncio.to_thread(take))
    record.begin()
    await paced(seconds, lambda number: link.send(RawFrame(record.picture(number), number, now_ns())))
    print(json.dumps(record.figures(seconds)), flush=True)
    await link.close()
    await taking


# ---- aiortc's, as it comes -----------------------------------------------------------------------


class Echo(MediaStreamTrack):
    """Sends back what another track brings."""

    kind = "video"

    def __init__(self, track: MediaStreamTrack) -> None:
        super().__init__()
        self._source = track

    async def recv(self) -> av.VideoFrame:
        """The next picture."""
        return await self._source.recv()


class Sending(VideoStreamTrack):
    """Thirty stamped pictures a second."""

    def __init__(self, record: Record) -> None:
        super().__init__()
        self._record = record
        self._number = 0

    async def recv(self) -> av.VideoFrame:
        """The next picture, when it is time."""
        pts, time_base = await self.next_timestamp()
        frame = av.VideoFrame.from_ndarray(self._record.picture(self._number), format="yuv420p")
        frame.pts, frame.time_base = pts, time_base
        self._number += 1
        return frame


async def shipped_core() -> None:
    """Answers one offer and sends the pictures back."""
    connection = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    connection.on("track", lambda track: connection.addTrack(Echo(track)))
    offer = json.loads(await asyncio.to_thread(sys.stdin.readline))
    await connection.setRemoteDescription(RTCSessionDescription(offer, "offer"))
    await connection.setLocalDescription(await connection.createAnswer())
    print(json.dumps(connection.localDescription.sdp), flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    print(json.dumps(time.process_time()), flush=True)
    os._exit(0)  # what its close waits for may never come


async def shipped_desktop(seconds: float) -> None:
    """Offers, sends, and reads what comes back."""
    record = Record()
    record.begin()
    connection = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    transceiver = connection.addTransceiver(Sending(record), direction="sendrecv")
    known = transceiver.sender.getCapabilities("video").codecs
    transceiver.setCodecPreferences([codec for codec in known if codec.mimeType == "video/H264"])
    await connection.setLocalDescription(await connection.createOffer())
    print(json.dumps(connection.localDescription.sdp), flush=True)
    answer = json.loads(await asyncio.to_thread(sys.stdin.readline))
    await connection.setRemoteDescription(RTCSessionDescription(answer, "answer"))
    while connection.connectionState != "connected":  # noqa: ASYNC110 - a bench has no deadline to meet
        await asyncio.sleep(0.01)
    record.begin()

    async def take() -> None:
        while True:
            frame = await transceiver.receiver.track.recv()
            luma = np.frombuffer(memoryview(frame.planes[0]), np.uint8).reshape(-1, frame.planes[0].line_size)
            record.came(luma[: frame.height, : frame.width])

    taking = asyncio.create_task(take())
    await asyncio.sleep(seconds + SETTLE_SECONDS)
    taking.cancel()
    print(json.dumps(record.figures(seconds)), flush=True)
    os._exit(0)


# ---- the run -------------------------------------------------------------------------------------


class End:
    """One end of a stream: a program in a namespace that speaks lines of JSON."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def hear(self) -> object:
        """Its next line."""
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def tell(self, what: object) -> None:
        """Writes it a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()

    def wait(self) -> None:
        """Until it ends."""
        self._process.communicate(timeout=30)


def measure(program: Callable[..., list[str]], seconds: float, ours: bool) -> dict[str, float]:
    """One stream; both ends are new programs."""
    me = (sys.executable, __file__)
    core = End(program(1, *me, "our_core" if ours else "shipped_core"))
    if ours:
        base_url, token = core.hear()  # type: ignore[misc]
        desktop = End(program(0, *me, "our_desktop", str(seconds), base_url, token))
    else:
        desktop = End(program(0, *me, "shipped_desktop", str(seconds)))
        core.tell(desktop.hear())
        desktop.tell(core.hear())
    figures = desktop.hear()
    assert isinstance(figures, dict)
    desktop.wait()
    core.tell("end")
    figures["cpu"] += core.hear()
    core.wait()
    return figures


def main(seconds: float) -> None:
    """Every condition, ours and theirs."""
    with lab() as network:
        print(f"1080p30 there and back, {seconds:.0f} s each, after {SETTLE_SECONDS:.0f} s; {network.kind};")
        print(f"impairments each way; load {os.getloadavg()[0]:.1f}\n")
        titles = (
            f"{'fps':>5} {'p50 ms':>7} {'p95':>6}",
            f"{'>200 ms':>8} {'longest':>8} {'torn':>5} {'CPU s':>6}",
        )
        print(f"{'':37}", *titles)
        for name, impairment in CONDITIONS.items():
            network.set(impairment)
            for ours in (True, False):
                row = measure(network.program, seconds, ours)
                who = "Overpaint" if ours else "aiortc as shipped"
                delays = f"{row['p50']:7.0f} {row['p95']:6.0f}"
                waits = f"{row['freezes']:8.0f} {row['longest']:8.0f}"
                print(f"{name if ours else '':18} {who:18} {row['fps']:5.1f} {delays} {waits}", end=" ")
                print(f"{row['torn']:5.0f} {row['cpu']:6.1f}", flush=True)


ENDS = {end.__name__: end for end in (our_core, our_desktop, shipped_core, shipped_desktop)}

if __name__ == "__main__":
    logging.basicConfig(level=logging.ERROR)
    words = sys.argv[1:]
    if words and words[0] in ENDS:
        arguments = [float(word) if index == 0 else word for index, word in enumerate(words[1:])]
        asyncio.run(ENDS[words[0]](*arguments))  # type: ignore[arg-type]
    else:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the namespaces go, too
        main(float(words[0]) if words else 15.0)
