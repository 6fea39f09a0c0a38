"""Sentences about command-line arguments."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

_ELSEWHERE = "A database that is named by its address has its own tools."
_ANOTHER_NET = "Bring an ONNX file that takes one colour picture and gives one."

SENTENCES = {
    "ice_server_unreadable": Sentence(
        "A STUN or TURN server cannot be read.",
        "Write stun:HOST:PORT, or turn:USER:PASSWORD@HOST:PORT (IPv6 by a name).",
    ),
    "look_not_said": Sentence("A look is missing.", "Say --prompt, --reference, or both; or --backdrop."),
    "backdrop_beside_reference": Sentence(
        "A picture has one photo: --backdrop or --reference.", "Leave one of them out."
    ),
    "backdrop_is_clip": Sentence(
        "{file} is a clip: only a photo can stand behind people.",
        "Save one of its pictures as a JPEG or PNG; or say a scene that moves in the prompt.",
    ),
    "sound_without_recording": Sentence(
        "Only a recording has sound.",
        "Name a file with --output, or leave --microphone and --system-sound out.",
    ),
    "format_without_recording": Sentence(
        "Only a recording has a quality and a size.",
        "Name a file with --output, or leave --quality and --height out.",
    ),
    "fall_back_without_server": Sentence(
        "There is nothing to fall back from.", "Name the remote service with --server, too."
    ),
    "reference_file_missing": Sentence("There is no picture {path}.", "Check the path.", "missing"),
    "reference_file_too_large": Sentence("{file} is larger than 8 MB.", "Use a smaller one."),
    "reference_file_no_picture": Sentence("{file} is not a picture.", "Use a JPEG or a PNG."),
    "reference_file_unusable": Sentence("{file} cannot be used. {sentence}", "{mend}"),
    "stream_without_picture": Sentence("No styled picture came in time.", "Run overpaint doctor."),
    "nothing_to_restyle": Sentence(
        "There is no picture or clip to restyle.", "Name files, or a folder with some."
    ),
    "prompt_beyond_every_look": Sentence(
        "Nothing in the prompt can be done: {words}.",
        "Try `overpaint understand` with other words, or name a look: `overpaint looks` lists them.",
    ),
    "results_folder_is_none": Sentence("{path} is not a folder.", "Name a folder, or a file with a suffix."),
    "results_need_a_folder": Sentence("{file} cannot hold {count} results.", "Name a folder instead."),
    "result_exists": Sentence("There is already a file {file}.", "Name another one, or delete it first."),
    "result_of_picture_misnamed": Sentence(
        "{file} is a picture, and {result} would not be one.", "Name a file ending in .png."
    ),
    "result_of_clip_misnamed": Sentence(
        "{file} is a clip, and {result} would not be one.", "Name a file ending in .mp4."
    ),
    "driver_setup_not_agreed": Sentence(
        "Nothing was changed, because nobody can be asked here.", "Add --yes."
    ),
    "app_not_running": Sentence("Overpaint is not running.", "Start it: overpaint", "not_running"),
    "app_ended": Sentence("Overpaint has just ended.", kind="not_running"),
    "app_silent": Sentence("Overpaint does not answer in time.", "Look at its window."),
    "app_refused": Sentence("{sentence}", "{mend}"),
    "secret_file_unreadable": Sentence(
        "The secret in {file} cannot be read.", "Name a text file after the @."
    ),
    "secret_file_empty": Sentence("There is no secret in {file}.", "Write it there, and nothing else."),
    "ledger_elsewhere_backup": Sentence(
        _ELSEWHERE, "Use pg_dump --format=custom --file=FILE, and copy the data folder's files, too."
    ),
    "ledger_elsewhere_restore": Sentence(
        _ELSEWHERE, "Use pg_restore, and copy the data folder's files back."
    ),
    "ledger_elsewhere_sqlite": Sentence(
        _ELSEWHERE, "Use sqlite3 FILE with .backup and .restore, and copy the data folder's files, too."
    ),
    "net_refused": Sentence("{sentence}", _ANOTHER_NET, "bad_model"),
    "net_takes_memory": Sentence(
        "{file} will not do as a look: it takes more memory than is allowed.", _ANOTHER_NET, "bad_model"
    ),
    "net_takes_time": Sentence(
        "{file} will not do as a look: it takes more time than is allowed.", _ANOTHER_NET, "bad_model"
    ),
    "net_takes_too_much_or_crashes": Sentence(
        "{file} will not do as a look: it takes more memory or time than is allowed, or makes the runtime"
        " crash.",
        _ANOTHER_NET,
        "bad_model",
    ),
    "net_examination_failed": Sentence(
        "{file} will not do as a look: its examination came to nothing.", _ANOTHER_NET, "bad_model"
    ),
    "look_title_malformed": Sentence("{title!r} is no name for a look.", "Give one with letters by --name."),
    "look_exists": Sentence("There is a look named {look}.", "Give another name with --name."),
    "own_look_unknown": Sentence("You have no look named {look}.", "See overpaint looks."),
    "net_no_look": Sentence("{file} will not do as a look: {reason}.", _ANOTHER_NET, "bad_model"),
    "releases_address_missing": Sentence(
        "Nobody can be asked for the newest version: no address of releases has been published yet.",
        "Look where you have Overpaint from.",
    ),
    "releases_address_unusable": Sentence(
        "“{address}” is not an address to ask for the newest version.",
        "Set releases_address in settings.json to one that begins with https://.",
    ),
    "releases_unreachable": Sentence(
        "{host} does not say which version is the newest: there is no answer.",
        "Check the connection to the internet, or try again later.",
    ),
    "releases_unreadable": Sentence(
        "{host} does not say which version is the newest: its answer is no release of Overpaint.",
        "Try again later.",
    ),
}
