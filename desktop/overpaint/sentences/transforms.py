"""Sentences about pictures and clips that are restyled as files."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

_TRY_AGAIN = "Try again, or try another file."

SENTENCES = {
    "upload_missing": Sentence("There is no file {path}.", "Check the path.", "missing"),
    "upload_is_folder": Sentence("{path} is a folder.", "Name a file in it."),
    "upload_denied": Sentence("{path} may not be read.", "Check its permissions.", "denied"),
    "upload_unreadable": Sentence("{path} cannot be read ({reason})."),
    "upload_empty": Sentence("{file} is empty.", "Choose another file."),
    "upload_too_large": Sentence("{file} is larger than 1 GB.", "Choose another file."),
    "upload_not_media": Sentence("{file} is neither a picture nor a clip ({type}).", "Choose another file."),
    "file_of_unknown_format": Sentence(
        "The file is neither a picture nor a clip of a known format.", "Choose another file."
    ),
    "file_larger_than_taken": Sentence("The file is larger than {megabytes} MB.", "Choose another file."),
    "transform_failed_at_service": Sentence("{sentence}", _TRY_AGAIN),
    "transform_failed_without_reason": Sentence("The service could not restyle this file.", _TRY_AGAIN),
    "result_not_converted": Sentence(
        "{file} could not be saved in the chosen form: {sentence}",
        "Choose another format in the settings, then try again; the result is only fetched again.",
    ),
    "result_disk_full": Sentence("There is no room for {path}.", "Free some space.", "disk_full"),
    "result_folder_missing": Sentence("There is no folder {folder}.", "Make it first.", "missing"),
    "result_denied": Sentence("{path} may not be written.", "Choose another place.", "denied"),
    "result_unwritable": Sentence("{path} cannot be written ({reason})."),
    "video_missing": Sentence("The file has no moving picture."),
    "video_without_picture": Sentence("The video has no picture."),
    "video_without_picture_or_damaged": Sentence("The video has no picture, or it is damaged."),
    "video_without_size": Sentence("The video has no size, or it is damaged."),
    "video_damaged": Sentence("The video is damaged."),
    "video_cut_off": Sentence("The video is damaged: it ends too early."),
    "video_format_unreadable": Sentence("The video is in a format that cannot be read."),
    "video_too_long": Sentence("The video is longer than 10 minutes."),
    "video_too_many_frames": Sentence("The video has more than {frames} frames."),
    "video_too_many_pixels": Sentence(
        "The video has {width} × {height} pixels; {side} a side and 64 megapixels are the limit."
    ),
    "video_too_much_work": Sentence(
        "The video has {frames} frames of {width} × {height} pixels, {total:,.1f} thousand million in all;"
        " {limit:.0f} thousand million are the limit (10 minutes of 1920 × 1080 at 60 frames a second)."
    ),
    "transform_file_damaged": Sentence("The file is damaged."),
    "transform_takes_memory": Sentence("The file takes more memory than is allowed."),
    "transform_takes_time": Sentence("The file takes more time than is allowed."),
    "transformation_failed": Sentence("The transformation failed."),
    "frame_malformed": Sentence("This is no frame."),
    "frame_not_encoded": Sentence("The picture cannot be encoded."),
    "worker_does_not_start": Sentence("No worker can be started: {reason}."),
    "worker_hangs": Sentence("The worker hangs."),
    "worker_stands_still": Sentence("The worker did not come forward."),
    "worker_ended": Sentence("The worker that had the file ended unexpectedly."),
    "service_ending": Sentence("The service is ending."),
}
