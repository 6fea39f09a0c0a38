"""Sentences about the installation and its data folder, which can occur before a window is open."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

_ELSEWHERE = "Name another with --data-dir."
_TAKE_OVER = f"{_ELSEWHERE} Or, where that user is yours too: sudo chown -R $(id -u) '{{path}}'"
_MOUNT = f"{_ELSEWHERE} Or mount its file system with the option umask=077."

SENTENCES = {
    "installation_incomplete": Sentence(
        "This installation of Overpaint lacks its {part}.", "Install it again.", "missing_assets"
    ),
    "library_of_another_version": Sentence(
        "Overpaint needs {library}{wanted}, but {library} {installed} is installed.",
        "Install “{library}{wanted}”.",
    ),
    "library_incomplete": Sentence(
        "The installed {library} has no {name}, which Overpaint needs.",
        "Install “{library}{wanted}” afresh.",
    ),
    "system_library_missing": Sentence(
        "The system's library {library} is missing.",
        "Install the package that has it (apt-file search {library}, dnf provides */{library}).",
    ),
    "window_without_display": Sentence(
        "There is no display to open a window on.",
        "Use a virtual one (xvfb-run -a overpaint), or stream without a window (overpaint stream).",
        "no_display",
    ),
    "window_open_and_silent": Sentence(
        "Overpaint's window is open already, and does not answer.",
        "End that program, then start again; the camera goes on meanwhile.",
        "already_running",
    ),
    "data_folder_refused": Sentence("The data folder {folder} cannot be used: {reason}.", _ELSEWHERE),
    "data_folder_full": Sentence(
        "There is no space left for the data folder {folder}.",
        "Make room there, or name another with --data-dir.",
    ),
    "data_folder_not_writable": Sentence("The data folder {folder} is not writable.", _ELSEWHERE),
    "data_folder_linked_by_another": Sentence(
        "The data folder {folder} is a link that another user has made.", _ELSEWHERE
    ),
    "data_folder_in_open_folder": Sentence(
        "The data folder {folder} lies in {parent}, where others may put another in its place.",
        f"{_ELSEWHERE} Or: chmod go-w {{quoted}}",
    ),
    "data_folder_in_open_folder_of_another": Sentence(
        "The data folder {folder} lies in {parent}, where others may put another in its place.",
        f"{_ELSEWHERE} Or: sudo chmod go-w {{quoted}}",
    ),
    "data_folder_of_another_user": Sentence("The data folder {path} belongs to another user.", _TAKE_OVER),
    "data_file_of_another_user": Sentence("{path} in the data folder belongs to another user.", _TAKE_OVER),
    "data_folder_open": Sentence(
        "The data folder {path} can be read by other users, and its file system does not let that be"
        " changed.",
        _MOUNT,
    ),
    "data_file_open": Sentence(
        "{path} in the data folder can be read by other users, and its file system does not let that be"
        " changed.",
        _MOUNT,
    ),
    "data_folder_cannot_be_closed": Sentence(
        "The data folder {folder} cannot be closed to others: {reason}."
    ),
    "data_folder_not_ntfs": Sentence(
        "The data folder {folder} cannot be closed to other users.",
        f"{_ELSEWHERE} Its file system must be NTFS.",
    ),
}
