"""Sentences about pictures and clips that are opened."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

SENTENCES = {
    "media_file_missing": Sentence("The file is not there.", "Check the path.", "missing"),
    "media_file_denied": Sentence("The file may not be read.", "Change its rights.", "denied"),
    "media_file_unreadable": Sentence("The file cannot be read."),
    "media_file_unknown": Sentence("This is not a file with a picture or clip.", kind="unknown"),
    "media_file_no_picture": Sentence(
        "The file is not a picture (PNG, JPEG, WebP, AVIF, HEIC, GIF, TIFF or BMP).", kind="unknown"
    ),
    "media_file_no_video": Sentence("The file is not a video (MP4, MOV, MKV, WebM or AVI).", kind="unknown"),
    "media_file_too_large": Sentence(
        "The file has {bytes} bytes; {limit_mb} MB is the limit for this model.", kind="too_large"
    ),
    "media_file_refers_to_another": Sentence("The file refers to another file.", kind="unknown"),
    "media_file_damaged": Sentence("The file is damaged."),
    "media_file_takes_memory": Sentence("The file takes more memory than is allowed.", kind="too_costly"),
    "media_file_takes_time": Sentence("The file takes more time than is allowed.", kind="too_costly"),
    "picture_empty": Sentence("The picture is empty."),
    "picture_damaged": Sentence("The picture is damaged."),
    "picture_too_large": Sentence("The picture is too large.", kind="too_large"),
    "picture_too_many_pixels": Sentence(
        "The picture has {width} × {height} pixels; 64 megapixels is the limit.", kind="too_large"
    ),
    "picture_takes_memory": Sentence("The picture takes more memory than is allowed.", kind="too_costly"),
    "clip_without_picture": Sentence("The file has no moving picture."),
    "clip_damaged": Sentence("The video is damaged."),
    "clip_without_size": Sentence("The video has no size, or it is damaged."),
    "clip_too_many_pixels": Sentence(
        "The video has {width} × {height} pixels; {side} a side and 64 megapixels are the limit.",
        kind="too_large",
    ),
    "clip_too_large_to_play": Sentence("The video has {width} × {height} pixels.", kind="too_large"),
    "decoder_busy": Sentence("Too many pictures are waiting to be opened.", kind="unavailable"),
    "decoder_closing": Sentence("Overpaint is closing.", kind="unavailable"),
    "decoder_does_not_start": Sentence("The picture decoder does not start: {reason}.", kind="unavailable"),
    "decoder_does_not_run": Sentence("The picture decoder does not run.", kind="unavailable"),
}
