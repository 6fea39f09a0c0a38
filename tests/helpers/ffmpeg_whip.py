"""A WHIP publisher that is not ours: FFmpeg's muxer, as OBS and the ``ffmpeg`` command use it.

A program of its own, as PyAV keeps the interpreter's lock while FFmpeg waits for the server.
Run: ``python ffmpeg_whip.py URL TOKEN FOLDER WIDTH HEIGHT SECONDS``; FOLDER takes its certificate.
"""

from __future__ import annotations

import sys
import time
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import av
from aiortc.rtcdtlstransport import RTCCertificate
from cryptography.hazmat.primitives import serialization

from helpers.numbered_pictures import stamped


def certificate(folder: Path) -> dict[str, str]:
    """An ECDSA certificate: FFmpeg's own is RSA, which aiortc's ciphers do not take."""
    made = RTCCertificate.generateCertificate()
    public, private = folder / "certificate.pem", folder / "key.pem"
    public.write_bytes(made._cert.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        made._key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.TraditionalOpenSSL,
            serialization.NoEncryption(),
        )
    )
    return {"cert_file": str(public), "key_file": str(private)}


def publish(url: str, token: str, folder: Path, width: int, height: int, seconds: float) -> None:
    options = {"authorization": token, "whip_flags": "dtls_active", **certificate(folder)}
    with av.open(url, "w", format="whip", options=options) as out:
        wanted = {"preset": "ultrafast", "tune": "zerolatency", "profile": "baseline"}
        stream = out.add_stream("libx264", rate=30, options=wanted)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.codec_context.gop_size, stream.codec_context.thread_count = 15, 1
        for number in range(round(seconds * 30)):
            frame = av.VideoFrame.from_numpy_buffer(stamped(number, width, height), format="yuv420p")
            frame.pts, frame.time_base = number, Fraction(1, 30)
            out.mux(stream.encode(frame))
            time.sleep(1 / 30)


if __name__ == "__main__":
    address, secret, place, *numbers = sys.argv[1:]
    publish(address, secret, Path(place), int(numbers[0]), int(numbers[1]), float(numbers[2]))
