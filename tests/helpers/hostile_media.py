"""Files that lie, explode or reach for other files, as bytes. Each is made when it is asked for."""

from __future__ import annotations

import gzip
import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from helpers.small_media import clip, picture

Make = Callable[[], bytes]


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(width: int, height: int, packed: bytes = b"", extra: bytes = b"") -> bytes:
    """A one-bit grey PNG with this header and this compressed data."""
    header = _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + extra + _chunk(b"IDAT", packed) + _chunk(b"IEND", b"")


def png_bomb(width: int, height: int) -> bytes:
    """A PNG that really holds this many pixels, all alike, in a few kilobytes."""
    row = b"\0" * (1 + (width + 7) // 8)
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    return png(width, height, packed)


def _packed_zeros(megabytes: int) -> bytes:
    packer = zlib.compressobj(9)
    return b"".join(packer.compress(bytes(1 << 20)) for _ in range(megabytes)) + packer.flush()


def patched(content: bytes, mark: bytes, offset: int, value: bytes) -> bytes:
    """A file with some bytes behind a mark replaced."""
    at = content.index(mark) + len(mark) + offset
    return content[:at] + value + content[at + len(value) :]


def lying_jpeg() -> bytes:
    """A JPEG whose frame header says 65535×65535."""
    return patched(picture(form="JPEG"), b"\xff\xc0", 3, b"\xff\xff\xff\xff")


def lying_avif() -> bytes:
    """An AVIF whose extent says 60000×60000."""
    return patched(picture(form="AVIF"), b"ispe", 4, struct.pack(">II", 60000, 60000))


def lying_webp() -> bytes:
    """A lossless WebP of 16384×16384 that holds nothing."""
    bits = 16383 | 16383 << 14
    data = b"\x2f" + struct.pack("<I", bits) + bytes(16)
    body = b"WEBPVP8L" + struct.pack("<I", len(data)) + data + b"\0" * (len(data) & 1)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def bmp(width: int, height: int) -> bytes:
    """A BMP header with this size and no pixels."""
    head = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, 0, 0, 0, 0, 0)
    return b"BM" + struct.pack("<IHHI", 54, 0, 0, 54) + head


def looped_tiff() -> bytes:
    """A TIFF whose directory is followed by itself."""
    return b"II*\0" + struct.pack("<IHHHIII", 8, 1, 256, 3, 1, 64, 8)


def zipped(content: bytes, name: str = "a.png") -> bytes:
    """A ZIP with one file."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return target.getvalue()


def sound_only() -> bytes:
    """An MP4 without a picture."""
    target = io.BytesIO()
    with av.open(target, "w", format="mp4") as container:
        stream = container.add_stream("aac", rate=44100, layout="mono")
        tone = av.AudioFrame.from_ndarray(np.zeros((1, 22050), np.float32), format="fltp", layout="mono")
        tone.sample_rate, tone.pts, tone.time_base = 44100, 0, Fraction(1, 44100)
        container.mux(stream.encode(tone))
        container.mux(stream.encode(None))
    return target.getvalue()


def long_clip(seconds: int) -> bytes:
    """A tiny clip of one frame a second."""
    target = io.BytesIO()
    with av.open(target, "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=1, options={"preset": "ultrafast"})
        stream.width, stream.height, stream.pix_fmt = 16, 16, "yuv420p"
        for number in range(seconds):
            frame = av.VideoFrame.from_ndarray(np.zeros((16, 16, 3), np.uint8), format="bgr24")
            frame.pts, frame.time_base = number, Fraction(1, 1)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return target.getvalue()


HLS = b"#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n"
HLS_REMOTE = b"#EXTM3U\n#EXTINF:9,\nhttp://127.0.0.1:1/a.ts\n#EXT-X-ENDLIST\n"
CONCAT = b"ffconcat version 1.0\nfile '/etc/passwd'\n"
SVG = (
    b'<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    b'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
    b'<image xlink:href="file:///etc/passwd"/><text>&x;</text></svg>'
)
DASH = (
    b'<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet>'
    b"<Representation id='1'><BaseURL>file:///etc/passwd</BaseURL></Representation>"
    b"</AdaptationSet></Period></MPD>"
)
SDP = b"v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n"
POSTSCRIPT = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(/etc/passwd) (r) file 99 string readstring\n"
HTML = b"<!DOCTYPE html><html><body><img src='file:///etc/passwd'><script>fetch('/')</script></body></html>"
ASS = b"[Script Info]\nScriptType: v4.00+\n[Events]\nDialogue: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,x\n"
XPM = b'/* XPM */\nstatic char *a[] = {"60000 60000 1 1", "a c #000000", "a"};\n'
XBM = b"#define a_width 60000\n#define a_height 60000\nstatic char a_bits[] = {0};\n"

PICTURES: dict[str, Make] = {
    "nothing": lambda: b"",
    "one byte": lambda: b"\x89",
    "random bytes": lambda: np.random.default_rng(7).bytes(4096),
    "zeros": lambda: bytes(100_000),
    "PNG bomb of 900 megapixels": lambda: png_bomb(30_000, 30_000),
    "PNG just over 64 megapixels": lambda: png_bomb(8193, 8192),
    "PNG that says 2 billion pixels a side": lambda: png(2**31 - 1, 2**31 - 1, zlib.compress(b"\0")),
    "PNG of no pixels": lambda: png(0, 0, zlib.compress(b"")),
    "PNG one pixel high and a million wide": lambda: png(2**20, 2**16, zlib.compress(b"\0")),
    "PNG whose data inflates without end": lambda: png(100_000, 1_000, _packed_zeros(64)),
    "PNG cut in half": lambda: picture()[: len(picture()) // 2],
    "PNG header alone": lambda: picture()[:33],
    "PNG with wrong checksums": lambda: patched(picture(), b"IDAT", 40, b"\0" * 40),
    "JPEG that says 65535×65535": lying_jpeg,
    "JPEG cut in its header": lambda: picture(form="JPEG")[:200],
    "AVIF that says 60000×60000": lying_avif,
    "AVIF cut in half": lambda: picture(form="AVIF")[: len(picture(form="AVIF")) // 2],
    "WebP of 16384×16384 that holds nothing": lying_webp,
    "WebP cut in half": lambda: picture(form="WEBP")[: len(picture(form="WEBP")) // 2],
    "BMP of negative size": lambda: bmp(-(2**31), -(2**31)),
    "BMP of 60000×60000 without pixels": lambda: bmp(60_000, 60_000),
    "TIFF that leads back to itself": looped_tiff,
    "GIF that says 65535×65535": lambda: b"GIF89a" + b"\xff\xff\xff\xff\x80\0\0" + bytes(6) + b";",
    "ZIP of a picture": lambda: zipped(picture()),
    "ZIP bomb": lambda: zipped(bytes(50 << 20)),
    "gzip of a picture": lambda: gzip.compress(picture()),
    "SVG that names a local file": lambda: SVG,
    "HTML": lambda: HTML,
    "PostScript": lambda: POSTSCRIPT,
    "PDF": lambda: b"%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n",
    "XPM of 60000×60000": lambda: XPM,
    "XBM of 60000×60000": lambda: XBM,
    "a playlist": lambda: HLS,
    "a program": lambda: b"\x7fELF" + bytes(2000),
    "a clip": clip,
}
"""Nothing that an image job takes."""

CLIPS: dict[str, Make] = {
    "nothing": lambda: b"",
    "random bytes": lambda: np.random.default_rng(8).bytes(4096),
    "HLS playlist that names a local file": lambda: HLS,
    "HLS playlist that names this host": lambda: HLS_REMOTE,
    "HLS playlist with a byte order mark": lambda: b"\xef\xbb\xbf" + HLS,
    "concat script that names a local file": lambda: CONCAT,
    "DASH manifest that names a local file": lambda: DASH,
    "SDP that opens a port": lambda: SDP,
    "SVG": lambda: SVG,
    "subtitles": lambda: ASS,
    "MP4 without its index": lambda: clip()[: len(clip()) // 2],
    "MP4 whose index is zeros": lambda: patched(clip(), b"moov", 0, bytes(300)),
    "MP4 type box alone": lambda: clip()[:32],
    "Matroska cut in its header": lambda: clip(form="matroska")[:200],
    "sound without a picture": sound_only,
    "clip of eleven minutes": lambda: long_clip(660),
    "ZIP of a clip": lambda: zipped(clip(), "a.mp4"),
    "a picture": picture,
}
"""Nothing that a video job takes."""


# ---- what reaches for other files, or is none -------------------------------------------------------------


def svg_of(canary: Path, port: int) -> bytes:
    """An SVG that shows a local file, asks a server, and names an entity in a file."""
    return (
        f'<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file://{canary}">]>'
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        'width="40" height="40">'
        f'<image width="40" height="40" xlink:href="file://{canary}"/>'
        f'<image width="9" height="9" xlink:href="http://127.0.0.1:{port}/a.png"/><text>&x;</text></svg>'
    ).encode()


def referring_mov(other: Path) -> bytes:
    """A MOV whose picture lies in another file (``dref`` of kind ``alis``, Apple's QuickTime File Format)."""
    content = clip(sound=False, form="mov")
    at = content.index(b"dref") - 4
    size = int.from_bytes(content[at : at + 4], "big")
    name = str(other).encode()
    path = struct.pack(">HH", 2, len(name)) + name + b"\0" * (len(name) & 1)
    unix = struct.pack(">HH", 18, len(name)) + name + b"\0" * (len(name) & 1)
    alias = bytes(4) + struct.pack(">HH", 150 + len(path) + len(unix) + 4, 2) + bytes(142)
    alias += path + unix + struct.pack(">HH", 0xFFFF, 0)
    entry = struct.pack(">I4sI", 12 + len(alias), b"alis", 0) + alias
    dref = struct.pack(">I4sII", 16 + len(entry), b"dref", 0, 1) + entry
    changed = content[:at] + dref + content[at + size :]
    # The boxes around it grow with it.
    for box in (b"moov", b"trak", b"mdia", b"minf", b"dinf"):
        place = changed.rindex(box, 0, at) - 4
        length = int.from_bytes(changed[place : place + 4], "big") + len(dref) - size
        changed = changed[:place] + struct.pack(">I", length) + changed[place + 4 :]
    return changed


def tiff(width: int, height: int) -> bytes:
    """A TIFF of this size (uncompressed grey) that holds one row."""
    entries = [
        (256, 4, width),
        (257, 4, height),
        (258, 3, 8),
        (259, 3, 1),
        (262, 3, 1),
        (273, 4, 8),
        (277, 3, 1),
        (278, 4, height),
        (279, 4, width * height & 0xFFFFFFFF),
    ]
    directory = struct.pack("<H", len(entries))
    directory += b"".join(
        struct.pack("<HHI", tag, kind, 1)
        + (struct.pack("<HH", value, 0) if kind == 3 else struct.pack("<I", value))
        for tag, kind, value in entries
    )
    return b"II*\0" + struct.pack("<I", 8) + directory + struct.pack("<I", 0) + bytes(100)


def png_with(chunk: bytes, data: bytes) -> bytes:
    """A good picture with a further chunk behind its header."""
    content = picture()
    return content[:33] + _chunk(chunk, data) + content[33:]


def long_gif(frames: int) -> bytes:
    """An animation of so many pictures of one pixel."""
    one = b"!\xf9\4\0\0\0\0\0,\0\0\0\0\1\0\1\0\0\2\2D\1\0"
    return b"GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff" + one * frames + b";"


def long_webp(frames: int) -> bytes:
    """An animation of so many pictures of sixteen pixels a side."""
    still = picture(16, 16, "WEBP", lossless=True)[12:]
    frame = bytes(6) + (15).to_bytes(3, "little") * 2 + bytes(4) + still
    frame += b"\0" * (len(frame) & 1)
    body = b"WEBPVP8X" + struct.pack("<I", 10) + b"\2\0\0\0" + (15).to_bytes(3, "little") * 2
    body += b"ANIM" + struct.pack("<I", 6) + bytes(6)
    body += (b"ANMF" + struct.pack("<I", len(frame)) + frame) * frames
    return b"RIFF" + struct.pack("<I", len(body)) + body


def lying_heic() -> bytes:
    """A HEIC whose extent says 60000×60000."""
    import pillow_heif
    from PIL import Image

    target = io.BytesIO()
    with Image.open(io.BytesIO(picture())) as image:
        pillow_heif.from_pillow(image).save(target)
    return patched(target.getvalue(), b"ispe", 4, struct.pack(">II", 60000, 60000))


def icon(kind: int = 1) -> bytes:
    """An ICO (or CUR) that holds a PNG."""
    inside = picture()
    return struct.pack("<HHHBBBBHHII", 0, kind, 1, 96, 64, 0, 0, 1, 32, len(inside), 22) + inside


def icns() -> bytes:
    """An ICNS that holds a PNG."""
    inside = picture(128, 128)
    entry = b"ic07" + struct.pack(">I", len(inside) + 8) + inside
    return b"icns" + struct.pack(">I", len(entry) + 8) + entry


EPS = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\nshowpage\n%%EOF\n"
WMF = b"\xd7\xcd\xc6\x9a" + bytes(2) + struct.pack("<hhhhHI", 0, 0, 100, 100, 72, 0) + bytes(2) + bytes(64)
EMF = struct.pack("<II", 1, 88) + bytes(32) + b" EMF" + bytes(48)
MXF = bytes.fromhex("060e2b34020501010d01020101020400") + bytes(400)
IMF = (
    b'<?xml version="1.0"?><CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/2067-3/2016">'
    b"<Id>urn:uuid:0</Id></CompositionPlaylist>"
)


def reaching(canary: Path, port: int) -> dict[str, bytes]:
    """Files that would run something, read another file or call a server, each as a picture's or clip's file.

    Args:
        canary: A file beside them that nobody may read.
        port: Of a server on loopback that nobody may call.
    """
    address = f"http://127.0.0.1:{port}/a"
    playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n{}\n#EXT-X-ENDLIST\n"
    manifest = (
        '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period>'
        f"<AdaptationSet><Representation id='1'><BaseURL>file://{canary}</BaseURL></Representation>"
        "</AdaptationSet></Period></MPD>"
    )
    return {
        "EPS": EPS,
        "EPS with a preview for DOS": struct.pack("<IIIIIIIH", 0xC6D3D0C5, 30, len(EPS), 0, 0, 0, 0, 0xFFFF)
        + EPS,
        "SVG": svg_of(canary, port),
        "SVG, packed": gzip.compress(svg_of(canary, port)),
        "PDF": b"%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n",
        "HLS playlist of a file": playlist.format(f"file://{canary}").encode(),
        "HLS playlist of a server": playlist.format(address).encode(),
        "HLS playlist of a neighbour": playlist.format(canary.name).encode(),
        "concat script": f"ffconcat version 1.0\nfile '{canary.name}'\n".encode(),
        "concat script of any file": f"ffconcat version 1.0\nfile '{canary}'\n".encode(),
        "DASH manifest": manifest.encode(),
        "SDP": SDP,
        "IMF": IMF,
        "MXF": MXF,
        "MOV that lies in another file": referring_mov(canary),
        "WMF": WMF,
        "EMF": EMF,
        "ICO": icon(),
        "CUR": icon(2),
        "ICNS": icns(),
        "XPM": XPM,
        "HTML": HTML,
        "subtitles": ASS,
    }


HARMFUL: dict[str, Make] = {
    "nothing": lambda: b"",
    "one byte": lambda: b"\x89",
    "TIFF of 4 billion pixels": lambda: tiff(65_535, 65_535),
    "TIFF of 400 billion pixels": lambda: tiff(2**20, 400_000),
    "TIFF that leads back to itself": looped_tiff,
    "PNG bomb of 900 megapixels": lambda: png_bomb(30_000, 30_000),
    "PNG with text that grows without end": lambda: png_with(b"zTXt", b"Comment\0\0" + _packed_zeros(64)),
    "PNG with a colour profile that grows without end": lambda: png_with(
        b"iCCP", b"icc\0\0" + _packed_zeros(64)
    ),
    "PNG whose data inflates without end": lambda: png(100_000, 1_000, _packed_zeros(64)),
    "PNG cut in half": lambda: picture()[: len(picture()) // 2],
    "JPEG that says 65535×65535": lying_jpeg,
    "HEIC that says 60000×60000": lying_heic,
    "AVIF that says 60000×60000": lying_avif,
    "WebP of 16384×16384 that holds nothing": lying_webp,
    "GIF of 100,000 pictures": lambda: long_gif(100_000),
    "WebP of 100,000 pictures": lambda: long_webp(100_000),
    "MP4 without its index": lambda: clip()[: len(clip()) // 2],
    "MP4 whose index is zeros": lambda: patched(clip(), b"moov", 0, bytes(300)),
    "Matroska cut in its header": lambda: clip(form="matroska")[:200],
    "picture that is a page too": lambda: picture() + HTML + HLS,
    "clip that is a picture too": lambda: clip() + picture(),
}
"""Files that take much memory or time, or break decoders."""


def harmful() -> dict[str, bytes]:
    """All of ``HARMFUL``."""
    return {name: make() for name, make in HARMFUL.items()}
