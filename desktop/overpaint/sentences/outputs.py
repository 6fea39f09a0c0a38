"""Sentences about recordings, snapshots, the slate and the page for OBS."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

_NAME_AN_MP4 = "Name a file that ends in .mp4 or .mkv."
_FREE_SOME_ROOM = "Free some room, or record to another folder."

SENTENCES = {
    "recording_unsupported": Sentence(
        "A recording is an MP4 or MKV file, not {file}.", _NAME_AN_MP4, "unsupported"
    ),
    "recording_not_open": Sentence("The recording is not open."),
    "recording_empty": Sentence("Nothing was recorded: no picture came.", kind="empty"),
    "recording_moved": Sentence(
        "The recording {file} was moved, removed or changed while it was written.",
        "Look where it was moved to.",
    ),
    "recording_none_disk_full": Sentence(
        "Nothing was recorded: the disk is full.", _FREE_SOME_ROOM, "disk_full"
    ),
    "recording_ended_disk_full": Sentence(
        "The disk is full: the recording {file} ends here; what was recorded can be played.",
        _FREE_SOME_ROOM,
        "disk_full",
    ),
    "recording_no_room": Sentence(
        "There is too little room on the disk to record: {megabytes} MB.", _FREE_SOME_ROOM, "disk_full"
    ),
    "recording_ended_disk_low": Sentence(
        "The disk is almost full: the recording {file} has ended and is saved.", _FREE_SOME_ROOM, "disk_full"
    ),
    "recording_denied": Sentence("{path} may not be written.", "Name another folder.", "denied"),
    "recording_folder_missing": Sentence(
        "There is no folder {folder}.", "Make it, or name another.", "missing"
    ),
    "recording_path_is_folder": Sentence("{path} is a folder.", _NAME_AN_MP4, "unsupported"),
    "recording_failed": Sentence("The recording {file} cannot be written: {reason}."),
    "recording_failed_unforeseen": Sentence(
        "Nothing more can be written to {file}.", "Record to another file."
    ),
    "replay_off": Sentence(
        "The last seconds are not kept: replay is off.", "Turn it on in the settings, under Files.", "missing"
    ),
    "replay_paused": Sentence(
        "There are no last seconds to save: no picture is shown.", "Start the preview first.", "missing"
    ),
    "replay_empty": Sentence(
        "There are no last seconds to save yet.", "Try again in a moment.", kind="empty"
    ),
    "replay_failed": Sentence("The last seconds cannot be kept: {reason}.", "Turn replay off and on again."),
    "outputs_folder_refused": Sentence(
        "The folder {folder} cannot be made: {reason}.", "Choose another in the settings.", "denied"
    ),
    "snapshot_without_picture": Sentence(
        "There is no picture to save now.", "Start the preview first.", "missing"
    ),
    "snapshot_not_saved": Sentence(
        "The snapshot cannot be saved in {folder}: {reason}.",
        "Choose another folder in the settings.",
        "denied",
    ),
    "slate_unreadable": Sentence(
        "The pause picture {file} cannot be read.", "Choose another in the settings."
    ),
    "slate_no_picture": Sentence("{file} is not a picture.", "Choose another pause picture in the settings."),
    "obs_page_moved": Sentence(
        "OBS may still have the former address of its page, which is not used any more.",
        "Copy the address and paste it as URL into the browser source.",
        "page_moved",
    ),
    "obs_page_failed": Sentence("The page for OBS has failed.", "Turn it off and on again."),
    "obs_page_without_folder": Sentence("The page for OBS has no folder for its files."),
    "obs_page_not_written": Sentence(
        "The page for OBS cannot be written into {folder}: {reason}.",
        "Make room there, and turn the page off and on again.",
    ),
}
