"""Recognition of file types by content, never by a file's name or a server's header.

Every format has exactly one decoder, so that no library ever guesses: guessing is how playlists,
concat lists and plain text become "media" that names other files. Must not decode anything.
"""

from __future__ import annotations

from dataclasses import dataclass

from overpaint.errors import MediaError
from overpaint.media.opener.bounded_reader import MediaFile
from overpaint.wire.media_limits import IMAGE_MAX_BYTES, VIDEO_MAX_BYTES, Kind

HEAD_BYTES = 4096
"""Number of bytes that ``recognise`` needs."""

MAX_BYTES: dict[Kind, int] = {"image": IMAGE_MAX_BYTES, "video": VIDEO_MAX_BYTES}


@dataclass(frozen=True, slots=True)
class Format:
    """An accepted file format.

    Attributes:
        kind: Picture or clip.
        content_type: Media type.
        decoder: Its one decoder: Pillow's format or FFmpeg's demuxer.
        lossless: Whether its pictures are usually exact (results are PNG).
    """

    kind: Kind
    content_type: str
    decoder: str
    lossless: bool = False


PNG = Format("image", "image/png", "PNG", lossless=True)
JPEG = Format("image", "image/jpeg", "JPEG")
WEBP = Format("image", "image/webp", "WEBP")
WEBP_LOSSLESS = Format("image", "image/webp", "WEBP", lossless=True)
AVIF = Format("image", "image/avif", "AVIF")
HEIC = Format("image", "image/heic", "HEIF")
GIF = Format("image", "image/gif", "GIF", lossless=True)
TIFF = Format("image", "image/tiff", "TIFF", lossless=True)
BMP = Format("image", "image/bmp", "BMP", lossless=True)
MP4 = Format("video", "video/mp4", "mov")
MOV = Format("video", "video/quicktime", "mov")
MKV = Format("video", "video/x-matroska", "matroska")
WEBM = Format("video", "video/webm", "matroska")
AVI = Format("video", "video/x-msvideo", "avi")

GIF_CLIP = Format("video", "image/gif", "gif")
APNG = Format("video", "image/apng", "apng")
MPEG_TS = Format("video", "video/mp2t", "mpegts")
MPEG_PS = Format("video", "video/mpeg", "mpeg")
FLV = Format("video", "video/x-flv", "flv")
OGG = Format("video", "video/ogg", "ogg")
ASF = Format("video", "video/x-ms-wmv", "asf")
IVF = Format("video", "video/x-ivf", "ivf")
Y4M = Format("video", "video/x-yuv4mpeg", "yuv4mpegpipe")

_CLIP_BEGINNINGS = (
    (b"\0\0\1\xba", MPEG_PS),
    (b"FLV\1", FLV),
    (b"OggS", OGG),
    (bytes.fromhex("3026b2758e66cf11a6d900aa0062ce6c"), ASF),
    (b"DKIF", IVF),
    (b"YUV4MPEG2 ", Y4M),
)
_BEGINNINGS = (
    (b"\x89PNG\r\n\x1a\n", PNG),
    (b"\xff\xd8\xff", JPEG),
    (b"GIF87a", GIF),
    (b"GIF89a", GIF),
    (b"II*\0", TIFF),
    (b"MM\0*", TIFF),
    (b"BM", BMP),
)
_HEIC_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx"})
_QUICKTIME_ATOMS = frozenset({b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot"})


def recognise(head: bytes) -> Format | None:
    """Recognises the format of a file.

    Sources: PNG (ISO 15948) 5.2, JPEG (ITU T.81) B.1.1.3, RFC 9649 (WebP), GIF89a 17, TIFF 6.0 section 2,
    ISO 14496-12 4.3 (``ftyp``), RFC 8794 (EBML), RFC 9559 (Matroska).

    Args:
        head: The file's first ``HEAD_BYTES``, or all of a shorter one.

    Returns:
        None for every file that is not accepted.
    """
    for beginning, format_ in _BEGINNINGS:
        if head.startswith(beginning):
            return format_
    if head[:4] == b"RIFF":
        if head[8:12] == b"WEBP":
            return WEBP_LOSSLESS if b"VP8L" in head[12:64] else WEBP
        return AVI if head[8:12] == b"AVI " else None
    if head[:4] == b"\x1aE\xdf\xa3":
        return _matroska(head[:128])
    return _iso(head)


def recognise_clip(head: bytes) -> Format | None:
    """Recognises the format of a playable file: clips as for ``recognise``, and more.

    Animated pictures (GIF, APNG) are clips here; so are formats that the service does not accept.
    Sources: PNG (third edition) 11.3.5.1 (``acTL`` before ``IDAT``), ISO 13818-1 2.4.3.2 and 2.5.3.3, RFC
    3533 (Ogg), Adobe FLV 10.1 E.2, ASF 3.1.

    Args:
        head: As for ``recognise``.

    Returns:
        None where it is no such file; it may still be a picture.
    """
    found = recognise(head)
    if found is not None and found.kind == "video":
        return found
    if found is GIF:
        return GIF_CLIP
    if found is PNG:
        return APNG if b"acTL" in head[: head.find(b"IDAT")] else None
    for beginning, format_ in _CLIP_BEGINNINGS:
        if head.startswith(beginning):
            return format_
    return MPEG_TS if _is_transport_stream(head) else None


def recognised(file: MediaFile, kind: Kind) -> Format:
    """Recognises a file of a required kind, within the size limit of that kind.

    Raises:
        MediaError: It is none of this kind or empty (``unknown``), or too large (``too_large``).
    """
    format_ = recognise(file.head(HEAD_BYTES))
    if format_ is None or format_.kind != kind:
        raise not_taken(kind)
    if file.size > MAX_BYTES[kind]:
        raise MediaError("media_file_too_large", bytes=file.size, limit_mb=MAX_BYTES[kind] // 1024**2)
    return format_


def not_taken(kind: Kind) -> MediaError:
    """Returns the error for a file of another kind, or of none."""
    return MediaError("media_file_no_picture" if kind == "image" else "media_file_no_video")


def _is_transport_stream(head: bytes) -> bool:
    """Checks for packets of 188 bytes, or of 192 with a leading time, that each begin with 0x47."""
    for first, step in ((0, 188), (4, 192)):
        marks = head[first::step][:4]
        if len(marks) == 4 and set(marks) == {0x47}:
            return True
    return False


def _matroska(head: bytes) -> Format | None:
    if b"webm" in head:
        return WEBM
    return MKV if b"matroska" in head else None


def _iso(head: bytes) -> Format | None:
    """Recognises ISO base media files by their brands; old QuickTime files have none."""
    atom = head[4:8]
    if atom in _QUICKTIME_ATOMS:
        return MOV
    if atom != b"ftyp":
        return None
    length = min(int.from_bytes(head[:4], "big"), len(head))
    major = head[8:12]
    brands = {major, *(head[at : at + 4] for at in range(16, length - 3, 4))}
    if major in (b"avif", b"avis") or (major in (b"mif1", b"msf1") and brands & {b"avif", b"avis"}):
        return AVIF
    if major in _HEIC_BRANDS or (major in (b"mif1", b"msf1") and brands & _HEIC_BRANDS):
        return HEIC
    if major == b"qt  ":
        return MOV
    # Camera raw files (CR3) and still pictures are ISO media, too, but not clips.
    return None if major in (b"crx ", b"mif1", b"msf1") else MP4
