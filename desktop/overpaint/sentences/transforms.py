"""Sentences about pictures and clips that are restyled as files."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

_TRY_AGAIN = "Nothing was charged. Try again, or try another file."

SENTENCES = {
    "upload_missing": Sentence("There is no file {path}.", "Check the path.", "missing"),
    "upload_is_folder": Sentence("{path} is a folder.", "Name a file in it."),
    "upload_denied": Sentence("{path} may not be read.", "Check its permissions.", "denied"),
    "upload_unreadable": Sentence("{path} cannot be read ({reason})."),
    "upload_empty": Sentence("{file} is empty.", "Choose another file."),
    "upload_too_large": Sentence("{file} is larger than 1 GB.", "Choose another file."),
    "upload_not_media": Sentence("{file} is neither a picture nor a clip ({type}).", "Choose another file."),
    "transform_failed_at_service": Sentence("{sentence}", _TRY_AGAIN),
    "transform_failed_without_reason": Sentence("The service could not restyle this file.", _TRY_AGAIN),
    "result_disk_full": Sentence("There is no room for {path}.", "Free some space.", "disk_full"),
    "result_folder_missing": Sentence("There is no folder {folder}.", "Make it first.", "missing"),
    "result_denied": Sentence("{path} may not be written.", "Choose another place.", "denied"),
    "result_unwritable": Sentence("{path} cannot be written ({reason})."),
}
