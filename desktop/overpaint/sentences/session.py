"""Sentences about a live session and its link."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

SENTENCES = {
    "webrtc_blocked": Sentence(
        "No picture gets through to the service.",
        "Use shared_memory on one machine, or allow UDP between this machine and the service,"
        " or let the service name a TURN server (serve --ice-server).",
    ),
    "webrtc_answer_unusable": Sentence(
        "The service's answer to the link cannot be used: {reason}.", kind="refused"
    ),
    "webrtc_refused": Sentence("The service refuses the link: {sentence}", "{mend}", "refused"),
    "webrtc_without_picture": Sentence("The service sends no picture in this room.", kind="refused"),
    "webrtc_picture_ended": Sentence("The service has ended the picture."),
    "webrtc_broke": Sentence("The connection to the service broke."),
    "webrtc_silent": Sentence("No styled picture has come back for {seconds} seconds."),
    "session_missing": Sentence("There is no session to join."),
    "session_is_closed": Sentence("The session is closed."),
    "session_closed_by_service": Sentence("The service closed the session."),
    "session_connection_closed": Sentence("The service closed the connection."),
    "session_join_too_slow": Sentence(
        "The service does not answer in time.", "Overpaint tries again by itself."
    ),
    "session_without_pictures": Sentence("No pictures come back from the service."),
    "session_link_lost_at_once": Sentence("The link was lost as soon as it was there."),
    "session_notice": Sentence("{sentence}"),
    "session_change_refused": Sentence("The service did not take the change."),
    "session_photo_refused": Sentence("The service did not take the photo."),
    "reference_photo_incomplete": Sentence("The reference photo did not arrive whole.", "Choose it again."),
    "reference_photo_too_large": Sentence("The reference photo is larger than 8 MB.", "Use a smaller one."),
    "original_without_preview": Sentence(
        "The original can be shown only while the preview runs.", "Start it first."
    ),
    "service_not_encrypted": Sentence(
        "{address} is not encrypted: everybody on the way can read your API key and see the picture.",
        "Use https://. Where the whole way is yours, allow it: --allow-http, or Service in the app.",
        "not_encrypted",
    ),
    "service_key_missing": Sentence(
        "There is no API key for {address}.", "Set OVERPAINT_API_KEY, or enter the key in the app."
    ),
    "service_key_wanted": Sentence("This service needs an API key.", "Paste the key of your account."),
    "service_change_while_live": Sentence("Stop the live picture before you change the service."),
    "service_change_while_restyling": Sentence("Files are being restyled: let them finish, or cancel them."),
    "keyring_silent": Sentence(
        "The system's keyring does not answer.",
        "Unlock it, or put the key into the environment variable {variable}.",
        "no_keyring",
    ),
    "keyring_missing_or_locked": Sentence(
        "The system's keyring is missing or locked.",
        "Unlock it, or put the key into the environment variable {variable}.",
        "no_keyring",
    ),
    "order_too_dear": Sentence(
        "This costs {price} credits, and {left} are left. Nothing was sent.", "Add credits to the account."
    ),
    "picture_named_like_clip": Sentence(
        "{file} is named like a clip but is a picture.", "Rename it, so that its price can be told."
    ),
    "clip_named_like_picture": Sentence(
        "{file} is named like a picture but is a clip.", "Rename it, so that its price can be told."
    ),
    "transforms_list_not_kept": Sentence("The list of transforms cannot be kept in {path} ({reason})."),
    "transform_failed_unforeseen": Sentence("Overpaint failed at a file.", "Look into live.log."),
}
