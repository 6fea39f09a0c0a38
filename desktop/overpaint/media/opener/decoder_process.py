"""The decoder process: requests on its standard input, answers on its standard output.

It loads its decoders, enters the sandbox, and can read only the files passed to it. It ends itself when idle
for a while, and when its parent is gone. Must not know its callers.
"""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np

from overpaint.errors import MediaError
from overpaint.media.opener.bounded_reader import MediaFile, open_file
from overpaint.media.opener.clips import first_picture, open_played
from overpaint.media.opener.decoder_messages import (
    HEAD_MAX,
    LENGTHS,
    Pixels,
    Request,
    packed,
    read_request,
    refusal,
)
from overpaint.media.opener.decoder_wire import Broken, Port, end_with_owner, own_port
from overpaint.media.opener.recognition import HEAD_BYTES, MAX_BYTES, recognise_clip
from overpaint.media.opener.stills import covering, inside, read_still
from overpaint.processes.children import set_priority
from overpaint.processes.sandbox import sandbox

IDLE_S = 60.0
MEMORY_BYTES = 2 * 1024**3
"""A picture of 64 megapixels with transparency and a colour profile takes about half of this."""
CPU_S = 900.0
"""Limit of processor time in all. Its owner limits each picture."""


def run_decoder() -> None:
    """Serves requests until its standard input ends."""
    port = own_port()
    set_priority("lowered")
    cv2.setNumThreads(1)
    sandbox.enter(memory_bytes=MEMORY_BYTES, cpu_seconds=CPU_S)
    end_with_owner()
    try:
        while True:
            _serve(port)
    except Broken:
        return


def _serve(port: Port) -> None:
    lengths, descriptor = port.receive_first(LENGTHS.size, IDLE_S)
    try:
        head_bytes, payload_bytes = LENGTHS.unpack(lengths)
        if head_bytes > HEAD_MAX or payload_bytes > MAX_BYTES["image"]:
            raise Broken
        request = read_request(bytes(port.receive(head_bytes)))
        payload = bytes(port.receive(payload_bytes))
    except BaseException:
        if descriptor is not None:
            os.close(descriptor)
        raise
    answer, picture = _answer(request, payload, descriptor)
    port.send(answer)
    if picture is not None:
        port.send(picture.tobytes())


def _answer(request: Request, payload: bytes, descriptor: int | None) -> tuple[bytes, Pixels | None]:
    try:
        picture = _picture(request, payload, descriptor)
    except MediaError as error:
        return refusal(error), None
    except MemoryError:
        return refusal(MediaError("media_file_takes_memory")), None
    except Exception:  # noqa: BLE001 - the root of the decoder: whatever a damaged file makes of it
        return refusal(MediaError("media_file_damaged")), None
    return packed({"shape": picture.shape}, picture.nbytes), picture


def _picture(request: Request, payload: bytes, descriptor: int | None) -> Pixels:
    room = (request.width, request.height)
    if descriptor is None and not request.path:
        still = read_still(payload, room if request.way == "cover" else None)
    else:
        file = MediaFile(descriptor) if descriptor is not None else open_file(Path(request.path))
        with file:
            if request.clips and recognise_clip(file.head(HEAD_BYTES)) is not None:
                with open_played(file) as clip:
                    still = first_picture(clip, room)
            else:
                still = read_still(file, room if request.way == "cover" else None)
    still = (covering if request.way == "cover" else inside)(still, room)
    if still.alpha is None:
        return np.ascontiguousarray(still.bgr)
    return np.dstack((still.bgr, still.alpha))
