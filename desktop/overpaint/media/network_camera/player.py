"""The process that plays a network camera for the live process, in a sandbox.

It reads its order, one line of JSON, from standard input, connects to the camera, opens the lent ring of
shared memory, and enters the sandbox: from then on it can only use that connection, and send pictures and
messages to its owner. All that the camera sends is parsed and decoded there. It ends with its connection.
Must not know sessions or looks.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from overpaint.errors import LinkError, MediaError
from overpaint.media.file_player import ASPECT, OPENED, READING, REFUSED, packed_number
from overpaint.media.frames import FrameKind
from overpaint.media.links.frame_ring import RingPort
from overpaint.media.network_camera.camera_address import NetworkAddress, parse_network_address
from overpaint.media.network_camera.camera_connection import SILENCE_S, CameraError, Connections
from overpaint.media.network_camera.newest_pictures import NewestPictures
from overpaint.processes.channel import connect
from overpaint.processes.sandbox import sandbox
from overpaint.processes.tracker import attach_untracked

if TYPE_CHECKING:
    from av.video.codeccontext import VideoCodecContext

COMMAND = "play-camera"
MEMORY_BYTES = 1024**3
"""Limit of private memory: sixteen reference pictures of 4K, and the rest of decoding."""
FPS = 30.0
FIRST_S = 10.0
"""Time limit for the first decoded picture: many cameras send one that needs no other every few seconds."""

REASONS = (
    *("unknown", "unreachable", "certificate", "denied", "missing", "refused", "no_video"),
    *("silent", "lost", "memory", "unreadable"),
)
"""Reasons of the end, as the owner is told them."""


@dataclass(frozen=True, slots=True)
class CameraOrder:
    """The order of a camera's player.

    Attributes:
        address: Address of the owner's ``ChannelServer``.
        secret: Secret of the owner's ``ChannelServer``.
        camera: Whole address of the camera.
        width: Width of the frames, pixels.
        height: Height of the frames, pixels.
        memory: Name of the shared memory for its pictures.
    """

    address: str
    secret: str
    camera: str
    width: int
    height: int
    memory: str

    def line(self) -> bytes:
        """Returns it as a line of JSON."""
        return json.dumps(asdict(self)).encode() + b"\n"


def run_camera_player() -> int:
    """Plays the order on standard input until a connection ends. Returns the exit status."""
    order = CameraOrder(**json.loads(sys.stdin.buffer.readline()))
    camera = parse_network_address(order.camera)
    queue = NewestPictures()

    def answer(_: bytes) -> None:
        # Else nothing, since only pictures prove that it decodes.
        if queue.waiting:
            port.tell(READING)

    try:
        memory = attach_untracked(order.memory)
        capacity = order.width * order.height * 3 // 2
        port = RingPort(connect(order.address, order.secret), capacity, on_word=answer, mine=memory)
    except (LinkError, OSError):  # the owner has closed the connection
        return 1
    try:
        if camera is None:
            raise CameraError("unknown")
        # A second one for the request with the password: many cameras close the first after their refusal.
        http_login = camera.scheme.startswith("http") and bool(camera.user or camera.password)
        links = Connections(camera, 2 if http_login else 1)
    except CameraError as error:
        return _refuse(port, error.reason)
    sandbox.enter(memory_bytes=MEMORY_BYTES)
    threading.Thread(target=_listen, args=(port,), name="owner", daemon=True).start()
    try:
        _refuse(port, _played(order, camera, links, port, queue))
    except LinkError:
        pass
    os._exit(0)  # the sandbox allows no clean-up; the system does it


def _refuse(port: RingPort, reason: str) -> int:
    port.tell(REFUSED + reason.encode())
    return 0


def _listen(port: RingPort) -> None:
    try:
        port.run()
    except LinkError:
        os._exit(0)


def _played(
    order: CameraOrder, camera: NetworkAddress, links: Connections, port: RingPort, queue: NewestPictures
) -> str:
    """Plays until the camera is lost; returns the reason. Raises ``LinkError``."""
    import av

    try:
        decoder = _begin(camera, links, queue)
        _decode(order, decoder, port, queue)
    except CameraError as error:
        return error.reason
    except MemoryError:  # before the others: PyAV's is also one of its own errors
        return "memory"
    except (av.FFmpegError, MediaError, OSError, ValueError):
        return "unreadable"
    return "lost"


def _begin(camera: NetworkAddress, links: Connections, queue: NewestPictures) -> VideoCodecContext:
    """Begins to receive, in a thread; returns the decoder. Raises ``CameraError``."""
    import av

    from overpaint.media.network_camera import mjpeg, rtp_jpeg, rtp_payloads, rtsp

    if camera.scheme.startswith("http"):
        received = mjpeg.pictures(camera, links)

        def receive() -> None:
            for data in received:
                queue.put(data, True)

        codec, parameters = "mjpeg", b""
    else:
        client = rtsp.RtspClient(camera, links.next())
        track = client.play()
        assembler = (
            rtp_jpeg.JpegAssembler(queue.put)
            if track.codec == "mjpeg"
            else rtp_payloads.PictureAssembler(track.codec, queue.put)
        )

        def receive() -> None:
            for data in client.packets():
                packet = rtp_payloads.parse_rtp(data)
                if packet is not None and packet.payload_type == track.payload_type:
                    assembler.add(packet)

        codec, parameters = track.codec, track.parameters

    def run() -> None:
        try:
            receive()
            queue.end(CameraError("lost"))
        except CameraError as error:
            queue.end(error)
        except Exception:  # noqa: BLE001 - a thread's root: whatever a hostile camera makes of it
            queue.end(CameraError("unreadable"))

    threading.Thread(target=run, name="camera", daemon=True).start()
    decoder = av.CodecContext.create(codec, "r")
    decoder.thread_count = 1  # more would keep pictures back
    if parameters:
        decoder.extradata = parameters
    return decoder  # type: ignore[return-value]


def _decode(order: CameraOrder, decoder: VideoCodecContext, port: RingPort, queue: NewestPictures) -> None:
    """Decodes and sends each picture. Raises ``CameraError`` when no more come."""
    import av
    from av.video.reformatter import VideoReformatter

    from overpaint.media.decoding import aspect_of, check_size, i420

    reformatter, aspect, number, within_s = VideoReformatter(), 0.0, 0, FIRST_S
    while True:
        coded = queue.take(within_s)
        if coded is None:
            raise CameraError("silent")
        try:
            frames = decoder.decode(av.Packet(coded.data))
        except av.error.InvalidDataError:
            continue  # a damaged picture
        for frame in frames:
            check_size(frame.width, frame.height)
            if number == 0:
                port.tell(OPENED + packed_number(FPS))
                within_s = SILENCE_S
            if aspect_of(frame) != aspect:
                aspect = aspect_of(frame)
                port.tell(ASPECT + packed_number(aspect))
            picture = i420(frame, order.width, order.height, reformatter)
            port.send(picture, number, coded.arrived_ns, FrameKind.ORIGINAL)
            number += 1
