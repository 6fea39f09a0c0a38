"""Sentences of the service about refused requests, sent over HTTP and the control socket."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

_REQUESTS = {
    "api_key_missing": Sentence("The API key is missing: send Authorization: Bearer <API_KEY>."),
    "api_key_unknown": Sentence("The API key is unknown or revoked."),
    "session_secret_missing": Sentence(
        "The session's secret is missing: send Authorization: Bearer <SECRET>."
    ),
    "session_secret_unknown": Sentence("The session's secret is unknown."),
    "host_of_other_server": Sentence("This server is not asked by this name."),
    "host_not_allowed": Sentence(
        "This server is not asked by this name.",
        "Whoever runs it can allow it: overpaint serve --allowed-host NAME.",
    ),
    "requests_too_many": Sentence("Too many requests: at most {per_second:g} a second, {burst:g} at once."),
    "request_failed": Sentence("The service failed on request {request}."),
    "method_not_allowed": Sentence("{method} is not allowed at this path."),
    "body_not_json": Sentence("The body must be application/json."),
    "body_too_large": Sentence("The body is larger than {kilobytes} KB."),
    "body_not_whole_in_time": Sentence("The body was not whole within {seconds:.0f} s."),
    "fields_malformed": Sentence("{fields}: is missing or malformed."),
    "path_unknown": Sentence("There is nothing at this path."),
    "idempotency_key_malformed": Sentence("Idempotency-Key: must be 1 to {most} ASCII characters."),
    "idempotency_key_reused": Sentence("Idempotency-Key: was used before with another body."),
    # Result of a body's validation: each invalid field with the rule that it breaks.
    "body_breaks_rules": Sentence("{sentence}"),
    # One invalid field and its rule: one of the address rules below, or a worker's sentence about the file.
    "field_breaks_rule": Sentence("{field}: {sentence}"),
    "credits_short": Sentence(
        "This costs {amount} credits and the balance is {balance}.",
        "Add credits with: overpaint credits add N --key-name NAME",
    ),
}
_UPLOADS = {
    "body_not_multipart": Sentence("The body must be multipart/form-data."),
    "upload_is_too_large": Sentence("{part}: is larger than {megabytes} MB."),
    "upload_too_slow": Sentence(
        "The body comes too slowly: less than {kilobytes} KB in {seconds:g} s,"
        " or not whole in {hours:g} hours."
    ),
    "boundary_missing": Sentence("Content-Type: its boundary is missing."),
    "boundary_malformed": Sentence("Content-Type: its boundary is not valid."),
    "multipart_malformed": Sentence("The multipart body is malformed."),
    "multipart_cut_off": Sentence("The multipart body is cut off."),
    "upload_part_missing": Sentence("{part}: is required."),
    "upload_has_other_parts": Sentence("The body must have one part, named {part}."),
    "upload_is_empty": Sentence("{part}: is empty."),
    "upload_of_unknown_format": Sentence("{part}: is neither a picture nor a clip of a known format."),
    "account_uploads_under_way": Sentence("This account has {uploads} uploads under way."),
    "account_uploads_full": Sentence(
        "This account has as many uploads as it may have at a time: {files} files, {megabytes} MB."
        " Each is kept for a day."
    ),
    "file_unknown": Sentence("There is no such file, or its address has expired."),
}
_JOBS = {
    "account_requests_under_way": Sentence("This account has {requests} requests for this model under way."),
    "account_clips_unfinished": Sentence("This account has {clips} clips that are not finished."),
    "account_inputs_too_large": Sentence("The unfinished inputs of this account take {gigabytes} GB."),
    "service_inputs_too_large": Sentence("The service has as many unfinished inputs as it may keep."),
    "inputs_too_many": Sentence("Too many files are being taken in at the moment."),
    "input_not_stored": Sentence("The service cannot store the input at the moment."),
    "first_request_broke_off": Sentence("The first request broke off."),
    "first_request_not_answered": Sentence(
        "The first request with this Idempotency-Key is still being answered."
    ),
    "service_stopping": Sentence("The service is stopping; nothing was charged."),
    "service_failed": Sentence("The service failed."),
    "job_unknown": Sentence("There is no job with this id."),
    "job_unknown_to_ledger": Sentence("There is no such job."),
    "job_not_in_progress": Sentence("There is no such job in progress."),
    "job_cancelled": Sentence("It was cancelled before it was begun."),
    "job_interrupted": Sentence("The service was interrupted."),
    "job_interrupted_too_often": Sentence("The service was interrupted {times} times while it worked on it."),
    "job_stopped": Sentence("The service was stopped."),
    # A job's failure is stored as a sentence.
    "transform_input_failed": Sentence("{sentence}"),
    "transform_failed": Sentence("{sentence} The credits were given back."),
}
_STREAMS = {
    "shared_memory_from_elsewhere": Sentence(
        "transports: shared_memory works only from the service's own host; offer webrtc too."
    ),
    "session_token_unknown": Sentence("The session token is missing or unknown."),
    "session_ended": Sentence("The session has ended; create another."),
    "message_not_text": Sentence("Messages are JSON text, not binary."),
    "message_too_long": Sentence("body: has far more fields and items than any message."),
    "message_dropped": Sentence("Too many messages; this one was dropped."),
    "message_failed": Sentence("The service failed on this message."),
    "frame_failed": Sentence("The engine failed on a frame."),
    "socket_replaced": Sentence("This socket no longer speaks for the session."),
    "stream_left_queue": Sentence("The stream left the queue."),
    "stream_without_look": Sentence("The stream has no look or no place yet."),
    "look_not_made": Sentence("The engine failed to make this look."),
    "look_changed_size": Sentence("The look changed the picture's size."),
    "photo_too_large": Sentence("The photo is larger than 8 MB."),
    "photo_not_base64": Sentence("The photo is not valid base64."),
    "photo_unreadable": Sentence("The photo cannot be read."),
    "photo_not_decoded": Sentence("The service cannot decode the reference photo at the moment."),
    "photo_failed": Sentence("The service failed on the reference photo."),
    "photo_gone": Sentence("The photo is no longer there."),
    "photo_address_breaks_rule": Sentence("The reference photo cannot be used: its address {sentence}"),
}
_ROOMS = {
    "nonce_malformed": Sentence("nonce: must be 256 bits in hexadecimal."),
    "room_token_missing": Sentence("A room needs its token: Authorization: Bearer <token>."),
    "room_token_of_viewer": Sentence("With this token one can watch the room, but not publish into it."),
    "room_unknown": Sentence("There is no such room."),
    "body_without_type": Sentence("The body comes as {wanted}, not as nothing."),
    "body_of_other_type": Sentence("The body comes as {wanted}, not as {type}."),
    "ice_session_not_named": Sentence("Say which ICE session is meant: If-Match with its ETag."),
    "ice_session_of_another_tag": Sentence("This is not the ETag of the present ICE session."),
    "ice_restart_unsupported": Sentence("ICE restarts are not supported; make a new offer."),
    "sdp_offer_not_text": Sentence("The SDP offer is not UTF-8 text."),
    "ice_fragment_not_text": Sentence("The ICE fragment is not UTF-8 text."),
    "room_for_watching_only": Sentence("This room can only be watched."),
    "room_full": Sentence("This room has {viewers} viewers already."),
    "room_token_wrong": Sentence("This is not the token of this room."),
    "room_resource_of_another_token": Sentence("This WHIP or WHEP resource was made with another token."),
    "room_fragments_exhausted": Sentence("At most {fragments} ICE fragments are taken; make a new offer."),
    "room_resource_unknown": Sentence("There is no such WHIP or WHEP resource."),
    "room_ended": Sentence("This room has ended."),
    "sdp_offer_unanswerable": Sentence("The SDP offer cannot be answered: {reason}."),
    "sdp_offer_refused": Sentence("The body is not an SDP offer that this room takes: {reason}."),
    "sdp_candidate_unreadable": Sentence("The body has a candidate that cannot be read."),
    "sdp_too_many_candidates": Sentence("The body has more than {candidates} candidates."),
}
_ADDRESSES = {
    # Rules for addresses in requests, appended to the name of the field ("field_breaks_rule").
    "address_malformed": Sentence("must be a public http or https address."),
    "address_has_credentials": Sentence("must not carry a user name or password."),
    "address_unreachable": Sentence("cannot be reached: nothing public answers at this address."),
    "address_distrusted": Sentence("cannot be reached: its TLS certificate or connection is not valid."),
    "address_silent": Sentence("cannot be reached: it sent nothing for {seconds:.0f} s."),
    "address_speaks_no_http": Sentence(
        "cannot be reached: what answers there broke off, or does not speak HTTP."
    ),
    "address_broke_off": Sentence("cannot be reached: the connection broke off."),
    "address_does_not_answer": Sentence("no answer within {seconds:.0f} s"),
    "address_takes_too_long": Sentence("cannot be fetched: it takes longer than {seconds:.0f} s."),
    "address_head_too_slow": Sentence(
        "cannot be fetched: it comes too slowly, its head is not whole within {seconds:g} s."
    ),
    "address_too_slow": Sentence(
        "cannot be fetched: it comes too slowly, less than {kilobytes} KB of it come in {seconds:g} s."
    ),
    "address_redirects_too_often": Sentence(
        "cannot be fetched: it is redirected more than {redirects} times."
    ),
    "address_redirects_to_http": Sentence(
        "cannot be fetched: it is redirected from https to an open connection."
    ),
    "address_answers_status": Sentence("cannot be fetched: its server answers with status {status}."),
    "address_sends_compressed": Sentence("cannot be fetched: its server sends it compressed."),
    "address_file_too_large": Sentence("is larger than {megabytes} MB."),
    "address_of_no_file": Sentence("is no file of this service, or one that has expired."),
    "input_file_expired": Sentence("this file has expired."),
    "photo_file_expired": Sentence("names a file that has expired."),
}

SENTENCES = _REQUESTS | _UPLOADS | _JOBS | _STREAMS | _ROOMS | _ADDRESSES
