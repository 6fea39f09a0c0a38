"""The opener of clips: one demuxer for each format, which can open nothing else. Knows FFmpeg through PyAV.

FFmpeg reads playlists, manifests and scripts that name other files, follows references out of containers,
uses the network, runs filters, and guesses file types. This module prevents all of it: the format is
recognised before FFmpeg gets a byte, the demuxer is named, FFmpeg gets a reader without a name instead of a
path, and every protocol and every further file of a demuxer is refused.

For untrusted files this is called only in sandboxed processes (``decoder_process``, transform workers, file
players). Must not know the sandbox.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NoReturn

import av
import numpy as np
from av.container import InputContainer
from av.video.frame import VideoFrame
from av.video.reformatter import VideoReformatter

from overpaint.errors import MediaError
from overpaint.media.opener.bounded_reader import MediaFile, open_file
from overpaint.media.opener.recognition import (
    HEAD_BYTES,
    Format,
    not_taken,
    recognise_clip,
    recognised,
)
from overpaint.wire.media_limits import IMAGE_MAX_PIXELS

if TYPE_CHECKING:
    from overpaint.media.opener.stills import Still

SIDE_MAX = 8192
_STREAMS_MAX = 32
PICTURE_DECODERS = frozenset(
    {
        *("h264", "hevc", "libdav1d", "av1", "vp8", "vp9", "libvpx", "libvpx-vp9", "mpeg4", "msmpeg4"),
        *("msmpeg4v1", "msmpeg4v2", "mpeg1video", "mpeg2video", "h263", "mjpeg", "prores", "dnxhd"),
        *("wmv1", "wmv2", "wmv3", "vc1", "rawvideo", "ffv1", "huffyuv", "utvideo", "png", "qtrle"),
        *("gif", "apng", "theora", "dvvideo", "svq1", "svq3", "cinepak", "msvideo1"),
    }
)
"""The allowed decoders of FFmpeg for pictures; it has many more."""
SOUND_DECODERS = frozenset(
    {
        *("aac", "mp3", "mp3float", "mp2", "mp2float", "ac3", "eac3", "opus", "libopus", "vorbis"),
        *("libvorbis", "flac", "alac", "dca", "wmav1", "wmav2", "adpcm_ms", "adpcm_ima_wav"),
        *("adpcm_ima_qt", "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_s32be"),
        *("pcm_f32le", "pcm_f32be", "pcm_f64le", "pcm_u8", "pcm_s8", "pcm_alaw", "pcm_mulaw"),
        *("amrnb", "amrwb", "gsm", "gsm_ms"),
    }
)

_NOTHING = "none"
"""The name of no protocol: an empty list would mean all of them."""
_START_S = 1.0
"""Position of the first picture: many clips begin with black."""


class Clip:
    """An open clip.

    Args:
        file: The open file; closed with the clip.
        format_: Its recognised format.

    Attributes:
        container: PyAV's container.
        format: As recognised.
        size: Bytes of the file.

    Raises:
        MediaError: It is damaged, or refers to another file.
    """

    def __init__(self, file: MediaFile, format_: Format) -> None:
        self.format = format_
        self.size = file.size
        self._file = file
        file.seek(0)
        try:
            self.container: InputContainer = av.open(
                file,
                "r",
                format=format_.decoder,
                options=options(format_.decoder),
                metadata_errors="replace",
                io_open=_refuse,
            )
        except MediaError:
            file.close()
            raise
        except (av.FFmpegError, OSError, ValueError, EOFError, LookupError) as error:
            file.close()
            if isinstance(error, MemoryError):
                raise
            raise MediaError("clip_damaged") from error
        except BaseException:
            file.close()
            raise

    def close(self) -> None:
        """Closes clip and file; idempotent."""
        self.container.close()
        self._file.close()

    def __enter__(self) -> Clip:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_clip(path: Path) -> Clip:
    """Opens a clip of a format that the service accepts.

    Raises:
        MediaError: It is none, too large, damaged, or cannot be read.
    """
    file = open_file(path)
    try:
        format_ = recognised(file, "video")
    except BaseException:
        file.close()
        raise
    return Clip(file, format_)


def open_played(file: MediaFile) -> Clip:
    """Opens a clip of any playable format, also animated pictures and old formats, of any length.

    Args:
        file: The open file; closed with the clip, and also where there is none.

    Raises:
        MediaError: It is none, or damaged.
    """
    try:
        format_ = recognise_clip(file.head(HEAD_BYTES))
        if format_ is None:
            raise not_taken("video")
    except BaseException:
        file.close()
        raise
    return Clip(file, format_)


def options(demuxer: str) -> dict[str, str]:
    """Returns FFmpeg's options for a demuxer. Source: ffmpeg-formats(1), ffmpeg-protocols(1)."""
    told = {
        "protocol_whitelist": _NOTHING,
        "format_whitelist": demuxer_names(demuxer),
        "codec_whitelist": ",".join(sorted(PICTURE_DECODERS | SOUND_DECODERS)),
        "max_streams": str(_STREAMS_MAX),
    }
    if demuxer == "mov":
        # Tracks in another file (``dref``). These are also FFmpeg's defaults.
        told |= {"enable_drefs": "0", "use_absolute_path": "0"}
    return told


def demuxer_names(demuxer: str) -> str:
    """Returns the full name of a demuxer, a list of its formats, as ``format_whitelist`` needs it."""
    return str(av.format.ContainerFormat(demuxer, "r").name)


def first_picture(clip: Clip, room: tuple[int, int]) -> Still:
    """Decodes a picture near the beginning of a clip, upright, shrunk while it covers ``room``.

    Raises:
        MediaError: It has none, it is damaged, or too large.
    """
    container = clip.container
    try:
        stream = next((each for each in container.streams.video), None)
        if stream is None or stream.codec_context is None:
            raise MediaError("clip_without_picture")
        _check_size(stream.width, stream.height)
        stream.codec_context.thread_count = 1
        if container.duration and container.duration > 2 * _START_S * av.time_base and stream.time_base:
            start = stream.start_time or 0
            container.seek(start + int(_START_S / stream.time_base), stream=stream)
        frame = next(iter(container.decode(stream)), None)
        if not isinstance(frame, VideoFrame):
            raise MediaError("clip_without_picture")
        _check_size(frame.width, frame.height)
        return _upright(frame, room)
    except (av.FFmpegError, OSError, ValueError, EOFError) as error:
        if isinstance(error, MemoryError):
            raise
        raise MediaError("clip_damaged") from error


def upright_turns(frame: VideoFrame) -> int:
    """Returns the counter-clockwise quarter turns that bring a frame upright."""
    return round((frame.rotation or 0) / 90) % 4


def _upright(frame: VideoFrame, room: tuple[int, int]) -> Still:
    turns = upright_turns(frame)
    width, height = room if turns % 2 == 0 else room[::-1]
    scale = min(1.0, max(width / frame.width, height / frame.height))
    small = VideoReformatter().reformat(
        frame,
        width=max(1, round(frame.width * scale)),
        height=max(1, round(frame.height * scale)),
        format="bgr24",
    )
    # Imported here: Pillow takes a tenth of a second to load, which would delay a clip's first frame.
    from overpaint.media.opener.stills import Still

    return Still(np.ascontiguousarray(np.rot90(small.to_ndarray(), turns)), None)


def _check_size(width: int, height: int) -> None:
    if width < 1 or height < 1:
        raise MediaError("clip_without_size")
    if max(width, height) > SIDE_MAX or width * height > IMAGE_MAX_PIXELS:
        raise MediaError("clip_too_many_pixels", width=width, height=height, side=SIDE_MAX)


def _refuse(url: str, flags: int, options: dict[str, str]) -> NoReturn:
    """Refuses further files; called in place of FFmpeg's own opening."""
    raise MediaError("media_file_refers_to_another")
